"""A server that is wrong where the original was, for `countersign attack` to find: never for anything else.

usage: weak.py FOLDER [--credulous | --version-2 | --only-version-2 | --nothing | --behind]

It prints its address and ends with its standard input. Each fault has the number that docs/approvals.md gives it.
With --credulous it fails the cases that the original passed, too: 1 to 6, 8 and 25.
With --version-2 it asks in version 2, too, and refuses nothing there: it lacks the mitigations b1, b3, b4, b5, b6, b8
and b10. With --only-version-2 it does that and speaks no version 1.
With --nothing no page is there: what is not tried is not right.
With --behind its clock is five seconds behind, by which it refuses what comes late (7 and 12); and its budget is used up when
a line comes that looks like two (23).
"""

import base64
import http.server
import itertools
import json
import os
import re
import secrets
import sqlite3
import sys
import threading
import time
import urllib.parse

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec, padding, rsa

import protocol

folder = sys.argv[1]
has_nothing = "--nothing" in sys.argv[2:]
is_behind = "--behind" in sys.argv[2:]
is_credulous = "--credulous" in sys.argv[2:]
has_only_version_2 = "--only-version-2" in sys.argv[2:]
has_version_2 = has_only_version_2 or "--version-2" in sys.argv[2:]
os.makedirs(os.path.join(folder, "srv-keys"), exist_ok=True)
os.makedirs(os.path.join(folder, "server"), exist_ok=True)
os.chdir(os.path.join(folder, "server"))
key = protocol.new_server_key()
pem = key.public_key().public_bytes(serialization.Encoding.PEM, serialization.PublicFormat.SubjectPublicKeyInfo)
with open("../srv-keys/mykey.pub", "wb") as file:
    file.write(pem)

database = sqlite3.connect(":memory:", check_same_thread=False)
# Longer than it says: the attack compares with a request that a busy machine may have answered late.
database.create_function("SLEEP", 1, lambda seconds: time.sleep(4 * seconds) or 0)
database.executescript("""
    CREATE TABLE signaturerequest (message_id INTEGER PRIMARY KEY, nonce, push_title, push_subtitle, push_text, short_title,
        response_url, push_category, timestamp, expiry_in_seconds, device_id);
    CREATE TABLE signature (message_id, signature, device_id, timestamp, success);
    CREATE TABLE device (device_id INTEGER PRIMARY KEY, pem, token);
""")
lock = threading.RLock()
users, enrolments = {}, {}
# What is signed, for --credulous; and the numbers of questions in version 2.
believed, questions = {}, itertools.count(1)


def now():
    return int(time.time()) - (5 if is_behind else 0)


def fields(row):
    return {"message_id": row[0], "nonce": row[1], "title": row[2], "subtitle": row[3], "body": row[4],
            "short_title": row[5], "response_url": row[6], "category": row[7], "expiry": row[8] + row[9]}


def challenge(body, category, lifetime, device):
    cursor = database.execute(
        "INSERT INTO signaturerequest VALUES (NULL, ?, ?, 'Weak Bank', ?, 'Is this you?', ?, ?, ?, ?, ?)",
        (secrets.token_hex(32), protocol.TITLE, body, address + "/api/authreq/callback", category, now(),
         lifetime, device))
    row = database.execute("SELECT * FROM signaturerequest WHERE message_id = ?", (cursor.lastrowid,)).fetchone()
    return row[0], protocol.write_link(fields(row), protocol.server_sign(key, fields(row)))


def verifies(text, signature, data):
    # 13 and 15: any key, and a path.
    content = open(text[len("file://"):], "rb").read() if text.startswith("file://") else text.encode()
    public = serialization.load_pem_public_key(content)
    try:
        if isinstance(public, rsa.RSAPublicKey):
            public.verify(signature, data, padding.PKCS1v15(), hashes.SHA384())
        else:
            public.verify(signature, data, ec.ECDSA(hashes.SHA384()))
        return True
    except InvalidSignature:
        return False


def callback(body):
    reply = json.loads(body)
    number, signature, public, token = (reply[name] for name in ("message_id", "signature", "publickey", "token"))
    # 16 and 17: pasted into the statement.
    row = database.execute(f"SELECT * FROM signaturerequest WHERE message_id = {number}").fetchone()
    if row is None:
        return "Not found"
    if is_behind and now() > row[8] + row[9]:
        return {"success": False}
    device, category = row[10], row[7]
    if is_credulous and category == "challengecategory":
        return {"success": believe(row[0])}
    known = None
    if device not in (None, -1):
        known = database.execute("SELECT pem FROM device WHERE device_id = ?", (device,)).fetchone()[0]
    elif category == "enrolmentcategory":
        known = public
    try:
        good = known is not None and verifies(known, bytes.fromhex(signature), protocol.bencode(fields(row)))
    except (ValueError, OSError):
        good = False
    if good and category == "enrolmentcategory" and token:
        found = database.execute("SELECT device_id FROM device WHERE pem = ? AND token = ?", (public, token)).fetchone()
        device = found[0] if found else database.execute(
            "INSERT INTO device VALUES (NULL, ?, ?)", (public, token)).lastrowid
    # 7, 10 and 12: neither the time nor earlier answers count. A number is what a text begins with.
    number = int(re.match(r"\s*(\d+)", str(number)).group(1))
    database.execute("INSERT INTO signature VALUES (?, ?, ?, ?, ?)", (number, signature, device, int(time.time()), good))
    return {"success": good}


def believe(number):
    """Whether a reply to a challenge is taken: the first one, whatever it is."""
    # 2 to 5: nobody looks at the signature. 6: the same again is refused. 8: and a second reply undoes the first.
    believed[number] = number not in believed
    return believed[number]


def is_signed(number):
    return database.execute(
        "SELECT device_id FROM signature WHERE message_id = ? AND success ORDER BY rowid", (number,)).fetchone()


class Weak(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_POST(self):
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        if has_nothing:
            return self.answer(404, {"title": "Not found"})
        if self.path == "/api/authreq/callback":
            try:
                with lock:
                    return self.answer(200, callback(body))
            except Exception:  # 18: as PHP dies
                return self.answer(500, None)
        request = json.loads(body or b"{}")
        if has_only_version_2 and self.path.startswith("/api/service/authreq/"):
            return self.answer(409, {"title": "Conflict", "error": "version_1_off"})
        if self.path == "/api/service/authreq/enrolments":
            with lock:
                number, link = challenge("Enrol this device?", "enrolmentcategory", request["lifetime"], -1)
                enrolments[number] = request["user"], link
            return self.answer(201, {"id": str(number), "state": "open", "link": link})
        if self.path == "/api/service/authreq/challenges":
            if is_behind and any("\n" in line for line in request["lines"]):
                return self.answer(429, {"title": "Too many requests"})
            with lock:
                # 23: lines are what is between line feeds.
                number, link = challenge(
                    "\n".join(request["lines"]), "challengecategory", request["lifetime"], users[request["user"]])
            return self.answer(201, {"message_id": number, "state": "pending", "link": link})
        if has_version_2 and self.path == "/api/service/challenges":
            code = f"{secrets.randbelow(10**12):012}"
            message = base64.urlsafe_b64encode(b"asked with " + code.encode()).decode().rstrip("=")
            # b3: as long as it should be, and counted up
            return self.answer(201, {"id": f"{next(questions):032x}", "state": "pending", "code": code,
                                     "link": "authreq:2:" + message})
        if has_version_2 and self.path == "/api/service/enrolments":
            return self.answer(201, {"id": secrets.token_hex(16), "state": "open", "link": "authreq:2:bDE6eGU"})
        if self.path.startswith("/api/service/authreq/"):
            return self.answer(200, {})  # 9: there is no end
        return self.answer(404, {"title": "Not found"})

    def do_GET(self):
        url = urllib.parse.urlparse(self.path)
        if has_nothing:
            return self.answer(404, {"title": "Not found"})
        if url.path == "/api/service":
            return self.answer(200, {"original_key": pem.decode()})
        if url.path == "/api/authreq/isSigned":  # 21: nobody asks whose it is
            number = int(urllib.parse.parse_qs(url.query)["message_id"][0])
            with lock:
                # 1 and 25: until it was undone, it is signed, and nobody has to answer
                signed = believed.get(number, True) if is_credulous else is_signed(number) is not None
            return self.answer(200, {"signed": signed})
        if url.path.startswith("/api/service/authreq/enrolments/"):
            number = int(url.path.split("/")[-1])
            user, link = enrolments[number]
            with lock:
                found = is_signed(number)
            if found is None:
                return self.answer(200, {"id": str(number), "state": "open", "link": link})
            users[user] = found[0]  # 11 and 24: the first answer counts, and no other device is asked
            return self.answer(200, {"id": str(number), "state": "completed"})
        return self.answer(404, {"title": "Not found"})

    def answer(self, status, content):
        data = b"" if content is None else content.encode() if isinstance(content, str) else json.dumps(content).encode()
        self.send_response(status)
        self.send_header("Content-Type", "text/html" if isinstance(content, str) or content is None else "application/json")
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, *arguments):
        pass


listener = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Weak)
address = f"http://127.0.0.1:{listener.server_address[1]}"
threading.Thread(target=listener.serve_forever, daemon=True).start()
print(address, flush=True)
sys.stdin.read()
