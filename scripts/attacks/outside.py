"""What strangers, thieves of the database and other roles reach."""

import os
import pathlib
import signal
import socket
import sqlite3
import stat
import subprocess
import tempfile
import time

from ports import free_port

from . import hands
from .stage import Trouble, decoded, sha256

ATTACKER = "127.0.0.3"


def stolen(stage):
    """Identity numbers from the digests in a stolen database, by a thief who knows the text."""
    hand, number = hands.Hand("stolen"), "QX123456"
    client = stage.client(hand, number=number)
    shown = stage.shown(client)
    _, signing = stage.accepted(client, hand)
    page = decoded(shown["content"])
    candidates = [f"QX{value}" for value in range(123_400, 123_500)]
    digests = {sha256(page.replace(number.encode(), one.encode())): one for one in candidates}
    works = digests.get(shown["digest"]) == number
    copy = pathlib.Path(tempfile.mkdtemp(dir=stage.folder))
    for path in stage.data.glob("*.sqlite*"):
        (copy / path.name).write_bytes(path.read_bytes())
    rows = 0
    found = set()
    for path in [path for path in copy.iterdir() if path.suffix == ".sqlite"]:
        with sqlite3.connect(path) as database:
            names = [row[0] for row in database.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
            for name in names:
                for row in database.execute(f'SELECT * FROM "{name}"'):
                    rows += 1
                    text = " ".join(str(value) for value in row)
                    found |= {one for digest, one in digests.items() if digest in text}
    yield not works or not rows, f"the thief computes the digest that the desk shows: {works}; {rows} rows looked at"
    yield bool(found), f"numbers found: {sorted(found) or 'none'}"


def heads(stage):
    """One address opens thousands of connections with half a head each."""
    held, began = [], time.monotonic()
    for _ in range(4_300):
        one = socket.socket()
        one.settimeout(2)
        one.bind((ATTACKER, 0))
        try:
            one.connect(("127.0.0.1", stage.port))
            one.sendall(b"GET /healthz HTTP/1.1\r\nHost: localhost\r\nX: ")
            held.append(one)
        except OSError:
            one.close()
    start = time.monotonic()
    status, _ = stage.call("GET", "/healthz", source="127.0.0.2")
    taken = time.monotonic() - start
    yield status != 200 or taken > 2, f"{len(held)} opened: another address has its answer after {taken:.2f} s"
    time.sleep(max(0, 13 - (time.monotonic() - began)))
    alive = 0
    for one in held:
        one.setblocking(False)
        try:
            while one.recv(4_096):
                pass
        except BlockingIOError:
            alive += 1
        except OSError:
            pass
        one.close()
    yield alive > 256, f"{alive} of them are still open 13 s after the first"


def numbers(stage):
    """One person registered twice, with her number written otherwise."""
    hand = hands.Hand("numbers")
    stage.client(hand, number="AB 120045")
    for words, number in [("as it is", "ab-120.045"), ("Cyrillic letters", "АВ120045"), ("Greek letters", "ΑΒ120045"),
                          ("Arabic digits", "AB١٢٠٠٤٥"), ("full width", "ＡＢ１２００４５"),
                          ("leading zeros", "00AB120045"), ("accents", "ÄB120045")]:
        status, answer = stage.register(hand, number=number)
        # Another refusal would show nothing.
        yield status == 201 or "number" not in str(answer), f"{words}: {status} {answer.get('detail', '')}"


def overflow(stage):
    """`verify` with an age beyond all numbers."""
    root = stage.folder / "root.pem"
    root.write_bytes(stage.call("GET", "/organisation/root.pem")[1])
    for age in ("2562047788015216", "9223372036854775807", "-1", "876601"):
        done = subprocess.run([stage.program, "verify", root, "--trust", root, "--maximum-age", age], capture_output=True)
        yield done.returncode < 0 or done.returncode == 0, f"--maximum-age {age}: exit code {done.returncode}"


def lockout(stage):
    """A stranger's wrong sign-ins, from one network and from many, lock a name."""
    stage.colleague.sign_in()
    device = stage.colleague.must("GET", "/api/devices")["items"][0]["id"]
    body = {"username": "colleague", "passphrase": "wrong", "device": device, "proof": "e30.e30.AAAA"}
    for where, sources, tries in [("one network", [ATTACKER], 40),
                                  ("fifteen networks", [f"127.0.1.{number}" for number in range(1, 16)], 10)]:
        outcomes = [stage.call("POST", "/api/sessions", body, source=source)[0]
                    for source in sources for _ in range(tries)]
        # Where nothing stops the stranger, nothing could lock the name either.
        yield set(outcomes) != {401, 429}, f"from {where}: answers {sorted(set(outcomes))}"
        try:
            # Once, with no second try: waiting would hide a lock.
            stage.wallet("colleague", "sign-in")
            yield False, "the owner of the name signs in at once"
        except Trouble as trouble:
            yield True, f"the owner of the name does not get in: {trouble}"


def folder(stage):
    """A data directory that others can read is served."""
    data = stage.folder / "open"
    data.mkdir(mode=0o755)
    data.chmod(0o755)
    process = subprocess.Popen(
        [stage.program, "serve", "--data", data, "--port", str(free_port()), "--public-url", "http://localhost:1"],
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    try:
        said = process.communicate(timeout=5)[0]
        yield process.returncode == 0, f"it ends with {process.returncode}: {said.strip()[-120:]}"
    except subprocess.TimeoutExpired:
        process.send_signal(signal.SIGTERM)
        said = process.communicate()[0]
        mode = stat.S_IMODE(os.stat(data).st_mode)
        warned = any(word in said for word in ("readable", "0755", "755", "others"))
        yield mode & 0o077 and not warned, f"served; mode now {mode:o}, {'with' if warned else 'without'} a word"
    mode = stat.S_IMODE(os.stat(stage.data).st_mode)
    yield bool(mode & 0o077), f"a directory that the server made: {mode:o}"
    loose = [path.name for path in data.rglob("*") if path.is_file() and path.stat().st_mode & 0o077]
    yield bool(loose) and bool(stat.S_IMODE(os.stat(data).st_mode) & 0o077), f"files others can read: {loose[:4] or 'none'}"


def host(stage):
    """Requests with two `Host` fields, or none."""
    for words, fields in [("two", "Host: localhost\r\nHost: evil.example\r\n"), ("none", ""),
                          ("the same twice", "Host: localhost\r\nHost: localhost\r\n")]:
        with socket.create_connection(("127.0.0.1", stage.port), timeout=10) as one:
            one.sendall(f"GET /healthz HTTP/1.1\r\n{fields}Connection: close\r\n\r\n".encode())
            said = one.recv(4_096).split(b"\r\n")[0].decode(errors="replace")
        yield " 200 " in said + " ", f"{words}: {said or 'closed'}"


def roles(stage):
    """Every request of the desk, by those who may not."""
    hand = hands.Hand("roles")
    client = stage.client(hand)
    _, signing = stage.accepted(client, hand)
    account = stage.operator.must("GET", "/api/account")["id"]
    c, s, w = f"/api/clients/{client['id']}", f"/api/signings/{signing['id']}", f"/api/workspace/{stage.document}"
    reason = {"reason": "x"}
    desk = [
        ("GET", "/api/clients", None), ("GET", c, None), ("GET", c + "/acts", None), ("GET", "/api/desk/attempts", None),
        ("POST", "/api/clients/lookup", {"number": "QX000001"}), ("PATCH", c, {}), ("POST", "/api/clients", {}),
        ("POST", c + "/enrolment", {}), ("POST", c + "/sitting", {}), ("GET", "/api/workspace", None), ("GET", w, None),
        ("GET", w + "/content", None), ("PUT", w, {}), ("DELETE", w, None), ("POST", w + "/rendering", {}),
        ("POST", "/api/signings", {}), ("POST", s + "/confirm", None), ("POST", s + "/refuse", reason),
        ("GET", "/api/signings", None), ("GET", s, None), ("GET", s + "/document", None), ("GET", "/api/desk", None),
        ("GET", "/api/desk/settings", None), ("POST", "/api/handovers", {"title": "x", "count": 1})]
    above = [
        ("GET", s + "/report", None), ("GET", s + "/report.html", None), ("GET", s + "/report.html.jws", None),
        ("POST", s + "/movement", reason), ("POST", c + "/erasure", reason),
        ("PUT", "/api/desk/settings", {"learns": True, "takes_place": True, "takes_photographs": True}),
        ("PUT", "/api/desk/forensic-key", {"key": "A"}), ("GET", "/api/operators", None),
        ("POST", f"/api/accounts/{account}/block", reason), ("POST", f"/api/accounts/{account}/unblock", None)]
    for who, person, requests, right in [
        ("nobody", None, desk + above, 401), ("a member", stage.member, desk + above, 403),
        ("an operator", stage.colleague, above, 403), ("an administrator", stage.administrator, above[3:], 403)]:
        wrong = []
        for method, path, body in requests:
            status, _ = stage.call(method, path, body, person.token if person else None)
            if status != right:
                wrong.append(f"{method} {path}: {status}")
        yield bool(wrong), f"{who}: {len(requests) - len(wrong)} of {len(requests)} refused with {right} {wrong or ''}"


def inputs(stage):
    """The worst bodies: none is answered with a fault of the server, which goes on."""
    client = stage.client(hands.Hand("inputs"))
    # What can be read is a stranger's movement: none of it may match.
    hand = hands.Hand("inputs of a stranger")
    good = stage.request(client, hand.text(), stage.shown(client))
    far = hands.text([[0, 2**31, 0, 1, None, None, 0], [2**63, 1, 1, 1, None, None, 1]])
    same = hands.text([[number * 7_500, 5, 5, 9, None, None, 0] for number in range(200)])
    ends = [(-1) ** number * (2**31 - 1) for number in range(200)]
    edge = hands.text([[number * 7_500, end, end, 65_535, 9_000, 35_999, int(number == 199)] for number, end in enumerate(ends)])
    captures = ["", "null", "[]", "{}", "[" * 100_000, "1e999", far, same, edge, hand.text().replace("[0,", "[-1,", 1),
                hand.text() + " " * 2_000_000, hand.text().replace('"pen"', '"mouse"'), "\u0000" * 50, "\ud7ff" * 1_000]
    bodies = [good | {"capture": capture, "ticket": stage.shown(client)["ticket"]} for capture in captures]
    bodies += [good | {"field": "x" * 1_000_000}, good | {"device": "\u202e" * 50}, good | {"place": {"latitude": 2**63 - 1,
               "longitude": -2**63, "accuracy": -1}}, good | {"photograph": "A" * 600_000}, good | {"client": ["x"]}]
    raw = [b"", b"{", b"\xff\xfe\x00", b"[" * 100_000, b'{"a":' * 50_000, b'{"client":"x","client":"y"}', b"9" * 100_000]
    answers = [stage.operator("POST", "/api/signings", body) for body in bodies + raw]
    bad = [place for place, (status, answer) in enumerate(answers)
           if status >= 500 or status == 201 and answer["state"] != "refused"]
    alive = stage.call("GET", "/healthz")[0]
    statuses = sorted({status for status, _ in answers})
    yield bool(bad) or alive != 200, f"{len(answers)} bodies: {statuses}, accepted or faults: {bad or 'none'}; alive: {alive}"
