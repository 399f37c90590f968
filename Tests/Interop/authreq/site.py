"""Two independent sites of version 1, which our wallet enrols at and answers.

usage: site.py FOLDER COUNTERSIGN WALLET-OPTIONS…
"""

import http.server
import json
import os
import secrets
import subprocess
import sys
import threading
import time

from cryptography.hazmat.primitives import serialization

import protocol

folder, program, *options = sys.argv[1:]
key, shop_key, other_key = (protocol.new_server_key() for _ in range(3))
# What each site keeps of the app that has enrolled there.
enrolled, at_shop = [], []
sites = {"Old Bank": enrolled, "Old Shop": at_shop}
asked, replies = {}, []


class Callback(http.server.BaseHTTPRequestHandler):
    def do_POST(self):
        reply = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        replies.append(reply)
        fields = asked.get(reply["message_id"])
        known = sites[fields["subtitle"]] if fields else []
        enrols = fields and fields["category"] == "enrolmentcategory"
        good = bool(fields) and protocol.is_reply_good(reply, fields, None if enrols else (known or [None])[0])
        if good and enrols:
            known[:] = [reply["publickey"]]
        answer = json.dumps({"success": good}).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(answer)))
        self.end_headers()
        self.wfile.write(answer)

    def log_message(self, *arguments):
        pass


listener = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Callback)
threading.Thread(target=listener.serve_forever, daemon=True).start()


def link(body, category="challengecategory", lifetime=120, signer=key, change=None, site="Old Bank"):
    fields = {"body": body, "category": category, "expiry": int(time.time()) + lifetime,
              "message_id": secrets.randbelow(2**31 - 1) + 1, "nonce": secrets.token_hex(32),
              "response_url": f"http://127.0.0.1:{listener.server_address[1]}/callback.php", "short_title": "A payment?",
              "subtitle": site, "title": protocol.TITLE}
    asked[fields["message_id"]] = fields
    signature = protocol.server_sign(signer, fields)
    return protocol.write_link({**fields, **(change or {})}, signature)


def run(*arguments, text=None):
    return subprocess.run([program, "wallet", *arguments, *options], capture_output=True, text=True, input=text or "")


def check(what, truth, outcome=None):
    if not truth:
        sys.exit(f"not so: {what}\n{outcome.stdout if outcome else ''}{outcome.stderr if outcome else ''}")
    print("ok", what)


def publish(server_key, name):
    path = os.path.join(folder, name)
    with open(path, "wb") as file:
        file.write(server_key.public_key().public_bytes(
            serialization.Encoding.PEM, serialization.PublicFormat.SubjectPublicKeyInfo))
    return path


def point(pem):
    return serialization.load_pem_public_key(pem.encode()).public_numbers()


pem, shop_pem = publish(key, "site.pem"), publish(shop_key, "shop.pem")

early = run("answer", link("Pay £1?"), "--allow", "--yes")
check("before it is enrolled it answers nothing", early.returncode == 1 and not replies, early)
forged = run("enrol", link("Enrol?", "enrolmentcategory", signer=other_key), "--server-key", pem, "--yes")
check("it enrols nowhere else than with the site's key", forged.returncode == 1 and not replies, forged)
outcome = run("enrol", link("Enrol?", "enrolmentcategory"), "--server-key", pem, "--yes")
check("it enrols", outcome.returncode == 0 and len(enrolled) == 1, outcome)
check("with the form of key that the original has", len(enrolled[0].split("\n")) == 4 and not enrolled[0].endswith("\n"))

outcome = run("enrol", link("Enrol?", "enrolmentcategory", signer=shop_key, site="Old Shop"), "--server-key", shop_pem,
              "--yes")
check("it enrols at a second site", outcome.returncode == 0 and len(at_shop) == 1, outcome)
check("with another key, so that the two cannot tell that it is one app", point(at_shop[0]) != point(enrolled[0]))

body = "Paying £30.00 to Purple Plumbing?\nRemark: 'ÿ?~ \u202e right to left'"
outcome = run("answer", link(body), "--allow", "--yes")
check("it answers a link", outcome.returncode == 0 and protocol.is_reply_good(replies[-1], asked[replies[-1]["message_id"]], enrolled[0]), outcome)
check("it shows all of it, and nothing turns round", "text: Paying £30.00 to Purple Plumbing?" in outcome.stderr and "\u202e" not in outcome.stderr, outcome)
outcome = run("answer", link(body, signer=shop_key, site="Old Shop"), "--allow", "--yes")
check("it answers the second site with the key of this site", outcome.returncode == 0 and protocol.is_reply_good(
    replies[-1], asked[replies[-1]["message_id"]], at_shop[0]), outcome)
count = len(replies)
path = os.path.join(folder, "challenge.txt")
with open(path, "w", encoding="utf-8") as file:
    file.write(link(body) + "\n")
outcome = run("answer", path, "--allow", "--yes")
check("it answers a file", outcome.returncode == 0 and len(replies) == count + 1, outcome)
outcome = run("answer", "-", "--allow", "--yes", text=link(body) + "\n")
check("it answers standard input", outcome.returncode == 0 and len(replies) == count + 2, outcome)

count = len(replies)
for what, given in [
    ("signed by another server", link(body, signer=other_key)),
    ("with other words than were signed", link(body, change={"body": "Paying £3,000.00?"})),
    ("with another address than was signed", link(body, change={"response_url": "http://127.0.0.1:1/"})),
    ("whose time is over", link(body, lifetime=-1)),
    ("that would enrol", link("Enrol?", "enrolmentcategory")),
]:
    outcome = run("answer", given, "--allow", "--yes")
    check(f"it answers nothing {what}", outcome.returncode == 1 and len(replies) == count, outcome)
outcome = run("answer", link(body), "--deny", "--reason", "not-me", "--yes")
check("a denial sends nothing", outcome.returncode != 0 and len(replies) == count, outcome)
