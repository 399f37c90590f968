"""A server of its own for scripts/attack-test, its people, and requests in their names."""

import base64
import hashlib
import http.client
import json
import os
import pathlib
import re
import shutil
import subprocess
import tempfile
import threading
import time

from ports import free_port

PASSPHRASE = "a passphrase of the attack test"
TEXT = {"format": "countersign-text-1", "blocks": [{"kind": "paragraph", "runs": [
    {"text": "I, "}, {"field": "given_name"}, {"text": " "}, {"field": "family_name"}, {"text": " ("},
    {"field": "number"}, {"text": "), agree."}]}]}
SEEN = {"identified": True, "device": "attack test"}


class Trouble(Exception):
    """The attack could not be tried."""


class Person:
    """Somebody with a wallet; `token` is of the last session."""

    def __init__(self, stage, name):
        self.stage, self.name, self.username = stage, name, name
        self.fresh()

    def fresh(self):
        self.token = re.search(r"[A-Za-z0-9_-]{30,}", (self.stage.folder / f"{self.name}.session").read_text())[0]
        self.since = time.monotonic()

    def sign_in(self):
        """A new session, in which a user verification was seen just now; the old one goes on."""
        for _ in range(10):
            try:
                self.stage.wallet(self.name, "sign-in")
                return self.fresh()
            except Trouble as trouble:
                # A device may do so a few times a minute.
                if "too-many-requests" not in str(trouble):
                    raise
                time.sleep(8)
        raise Trouble(f"{self.name} cannot sign in")

    def __call__(self, method, path, body=None, token=None):
        return self.stage.call(method, path, body, token or self.token)

    def must(self, method, path, body=None):
        status, answer = self(method, path, body)
        if status not in (200, 201, 204):
            raise Trouble(f"{method} {path} answered {status}: {answer}")
        return answer


class Stage:
    """A server in a folder of its own, an organisation with a forensic key, two operators, an administrator, a member."""

    def __init__(self, program, environment=None):
        self.environment = os.environ | (environment or {})
        self.program, self.port = program, free_port()
        self.url = f"http://localhost:{self.port}"
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="countersign-attack-"))
        self.data, self.log = self.folder / "data", self.folder / "server.log"
        self.secret = self.folder / "passphrase"
        self.secret.write_text(PASSPHRASE + "\n")
        self.process, self.counter = None, 0
        try:
            self.start()
            self.fill()
        except BaseException:
            self.stop()
            raise

    def start(self):
        with open(self.log, "ab") as log:
            self.process = subprocess.Popen(
                [self.program, "serve", "--data", self.data, "--port", str(self.port), "--public-url", self.url],
                stdout=log, stderr=log, env=self.environment)
        self.wait("the server", lambda: self.is_alive())

    def is_alive(self):
        if self.process.poll() is not None:
            raise Trouble("the server ended: " + self.log.read_text()[-2000:])
        try:
            return self.call("GET", "/healthz")[0] == 200
        except OSError:
            return False

    def wait(self, what, condition, seconds=60):
        end = time.monotonic() + seconds
        while not (found := condition()):
            if time.monotonic() > end:
                raise Trouble(f"waited {seconds} s for {what}")
            time.sleep(0.05)
        return found

    def fill(self):
        code = self.wait("the code", lambda: re.search(r"code:? +([0-9A-Z]{4}(?:-[0-9A-Z]{4})+)", self.log.read_text()))
        self.wallet("owner", "setup", "--server", self.url, "--code", code[1], "--organisation", "Attacked",
                    "--username", "owner", "--name", "Owner")
        self.owner = Person(self, "owner")
        self.operator, self.colleague = (self.join(name, "operator") for name in ("desk", "colleague"))
        self.administrator = self.join("administrator", "administrator")
        self.wallet("member", "sign-up", "--server", self.url, "--username", "member", "--name", "member")
        self.member = Person(self, "member")
        key = self.folder / "forensic.key"
        made = self.run("admin", "forensic", "make", "--out", key, "--passphrase-file", self.secret, "--json")
        self.owner.must("PUT", "/api/desk/forensic-key", {"key": json.loads(made)["public_key"]})
        self.document = self.operator.must("POST", "/api/workspace", {"name": "Consent", "text": json.dumps(TEXT)})["id"]

    def join(self, name, role):
        invitation = self.wallet("owner", "admin", "invite", role)
        code = next(invitation[key] for key in ("code", "invitation") if key in invitation)
        self.wallet(name, "join", "--server", self.url, "--invitation", code, "--username", name, "--name", name)
        return Person(self, name)

    def run(self, *arguments):
        done = subprocess.run([self.program, *map(str, arguments)], capture_output=True, text=True, env=self.environment)
        if done.returncode:
            raise Trouble(f"{arguments[:3]}: {done.returncode} {done.stdout}{done.stderr}")
        return done.stdout

    def wallet(self, name, *arguments):
        return json.loads(self.run("wallet", *arguments, "--wallet", self.folder / name, "--passphrase-file",
                                   self.secret, "--json") or "{}")

    def call(self, method, path, body=None, token=None, source="127.0.0.1"):
        """Status and answer, as JSON where it is some; `body` may be bytes, which are sent as they are."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=120, source_address=(source, 0))
        headers = {"Host": f"localhost:{self.port}"}
        if token:
            headers["Authorization"] = f"Bearer {token}"
        if body is not None:
            headers["Content-Type"] = "application/json"
            body = body if isinstance(body, bytes) else json.dumps(body).encode()
        try:
            connection.request(method, path, body, headers)
            answer = connection.getresponse()
            content = answer.read()
        finally:
            connection.close()
        try:
            return answer.status, json.loads(content)
        except ValueError:
            return answer.status, content

    def stop(self):
        if self.process and self.process.poll() is None:
            self.process.terminate()
            try:
                self.process.wait(30)
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait()
        shutil.rmtree(self.folder, ignore_errors=True)

    # What operators do.

    def register(self, hand, tool="pen", number=None, **change):
        """Registers a client with a hand; returns status and answer."""
        self.counter += 1
        captures = [hand.text(tool) for _ in range(6)]
        body = {"number": number or f"QX{self.counter:06}", "given_name": "Ada", "family_name": "Lovelace",
                "paper": "passport", "circumstances": SEEN,
                "signatures": {"references": captures[:5], "check": captures[5]}}
        return self.operator("POST", "/api/clients", body | change)

    def client(self, hand, tool="pen", number=None):
        """A client who is registered; the same hand may need more than one beginning, as people do."""
        for _ in range(6):
            status, answer = self.register(hand, tool, number)
            if status == 201:
                return answer["client"]
        raise Trouble(f"a client is not registered: {status} {answer}")

    def shown(self, client, person=None):
        person = person or self.operator
        return person.must("POST", f"/api/workspace/{self.document}/rendering", {"client": client["id"]})

    def request(self, client, capture, shown, **change):
        return {"client": client["id"], "document": self.document, "digest": shown["digest"],
                "ticket": shown["ticket"], "identified": True, "field": "Signature", "capture": capture,
                "device": "attack test"} | change

    def sign(self, client, capture, person=None):
        """Status and answer of a signature on what was shown just before."""
        person = person or self.operator
        return person("POST", "/api/signings", self.request(client, capture, self.shown(client, person)))

    def accepted(self, client, hand, tool="pen"):
        """A genuine signature that matches: its capture, and the transaction, pending."""
        for _ in range(12):
            text = hand.text(tool)
            status, answer = self.sign(client, text)
            if status == 201 and answer["state"] == "pending":
                return text, answer
        raise Trouble(f"no genuine signature is accepted: {status} {answer}")


def at_once(*acts):
    """Runs acts at the same moment, and returns what each returned."""
    gate, found = threading.Barrier(len(acts)), [None] * len(acts)

    def run(place, act):
        gate.wait()
        try:
            found[place] = act()
        except OSError as error:
            found[place] = (0, str(error))

    threads = [threading.Thread(target=run, args=pair) for pair in enumerate(acts)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return found


def sha256(content):
    return base64.urlsafe_b64encode(hashlib.sha256(content).digest()).decode().rstrip("=")


def decoded(text):
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))
