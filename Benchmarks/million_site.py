"""One organisation in a folder: set up by the program, grown by `million_rows.py`, served."""

import hashlib
import json
import os
import re
import shutil
import subprocess
import time
import urllib.request

import million_rows
from million_engines import free_port

PASSPHRASE = "correct horse battery staple"


class Trouble(Exception):
    """Nothing can be measured."""


class Site:
    """A data directory, its database and its server."""

    def __init__(self, folder, engine_class, program):
        self.folder, self.program, self.data = folder, program, folder / "data"
        self.process, self.seconds_to_ready = None, None
        self.environment = {name: value for name, value in os.environ.items() if not name.startswith("COUNTERSIGN_")}
        self.note = folder / "grown.json"
        self.engine_class = engine_class
        if not self.note.exists():
            # Half-grown: of no use.
            shutil.rmtree(folder / "data", ignore_errors=True)
            shutil.rmtree(folder / "postgres", ignore_errors=True)
            (folder / "wallet").unlink(missing_ok=True)
        folder.mkdir(parents=True, exist_ok=True)
        # PostgreSQL runs as another user below it.
        for place in (folder, folder.parent):
            place.chmod(place.stat().st_mode | 0o011)
        self.engine = engine_class(folder)

    @property
    def public_url(self):
        """Fixed at set-up; later the server listens elsewhere, and is spoken to as its proxy would."""
        return (self.folder / "address").read_text()

    # MARK: The server

    def start(self, patience=120, port=None):
        """Starts the server; `seconds_to_ready` is how long until it was ready."""
        port = port or free_port()
        self.url, self.port, self.output = f"http://127.0.0.1:{port}", port, self.folder / "server.log"
        self.output.unlink(missing_ok=True)
        command = [self.program, "serve", "--data", str(self.data), "--port", str(port), "--trust-proxy"]
        command += ["--public-url", self.public_url, "--log-level", "warning", *self.engine.flags]
        began = time.monotonic()
        with open(self.output, "ab") as output:
            self.process = subprocess.Popen(command, stdout=output, stderr=output, env=self.environment)
        while not self.is_ready():
            if time.monotonic() - began > patience:
                raise Trouble(f"not ready after {patience} s")
            time.sleep(0.005)
        self.seconds_to_ready = time.monotonic() - began

    def is_ready(self):
        if self.process.poll() is not None:
            raise Trouble(f"the server ended: {self.output.read_text()[-2000:]}")
        try:
            return urllib.request.urlopen(f"{self.url}/readyz", timeout=10).status == 200
        except OSError:
            return False

    def stop(self):
        if self.process and self.process.poll() is None:
            self.process.terminate()
            try:
                self.process.wait(60)
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait()
        self.process = None

    def run(self, *command):
        done = subprocess.run([self.program, *command], capture_output=True, text=True, env=self.environment)
        if done.returncode != 0:
            raise Trouble(f"{command}: {done.stdout[-1000:]} {done.stderr[-1000:]}")
        return done.stdout

    def run_measured(self, *command):
        """Seconds, peak of resident memory in MiB, exit code and output of a command."""
        output = self.folder / "command.log"
        began = time.monotonic()
        with open(output, "wb") as file:
            process = subprocess.Popen([self.program, *command], stdout=file, stderr=file, env=self.environment)
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        return time.monotonic() - began, usage.ru_maxrss / 1024, process.returncode, output.read_text()

    # MARK: Making it

    def prepare(self, sizes, say):
        """Sets the organisation up and grows it, unless that was done."""
        self.engine.start()
        wanted = vars(sizes)
        if self.note.exists():
            found = json.loads(self.note.read_text())
            if found["sizes"] != wanted:
                raise Trouble(f"{self.folder} has {found['sizes']}: remove it, or give --anew")
        else:
            self.set_up()
            self.grow(sizes, say)
            self.note.write_text(json.dumps({"sizes": wanted}))
        # Seals the log, and migrates what an older program has grown.
        self.start(patience=1_800)
        self.stop()
        self.engine.settle()
        if self.seconds_to_ready > 5:
            say(f"  first start, which seals what the log has not: {self.seconds_to_ready:.0f} s")

    def set_up(self):
        port, passphrase = free_port(), self.folder / "passphrase"
        (self.folder / "address").write_text(f"http://localhost:{port}")
        passphrase.write_text(PASSPHRASE + "\n")
        passphrase.chmod(0o600)
        self.start(port=port)
        try:
            deadline = time.monotonic() + 20
            while not (code := re.search(r"--code (\S+)", self.output.read_text())):
                if time.monotonic() > deadline:
                    raise Trouble("the server printed no set-up code")
                time.sleep(0.05)
            self.run("wallet", "setup", "--server", self.public_url, "--code", code.group(1), "--organisation", "Large",
                     "--username", "owner@example.edu", "--name", "Olga Owner", "--wallet", str(self.folder / "wallet"),
                     "--passphrase-file", str(passphrase))
        finally:
            self.stop()

    def grow(self, sizes, say):
        began = last = time.monotonic()

        def report(what):
            nonlocal last
            if time.monotonic() - last > 3:
                say(f"    {what}: {time.monotonic() - last:.0f} s")
            last = time.monotonic()

        owner, passphrase = self.engine.ask("SELECT id, passphrase FROM accounts WHERE role = 'owner'")[0]
        entries = int(self.engine.ask("SELECT COUNT(*) FROM log_entries")[0][0])
        label, template = (
            bytes.fromhex((self.data / "keys" / name).read_text()) for name in ("label-secret", "template-secret"))
        now = int(time.time())
        base = {"owner": owner, "passphrase": passphrase, "entries": entries, "label_secret": label, "now": now}
        base |= {"url": self.public_url, "template_secret": template}
        rows = million_rows.Rows(sizes, base)
        lists = []
        if self.engine.columns("search_words"):
            # The server has given words to what there was: from now on each row comes with its own.
            lists = [row[0] for row in self.engine.ask("SELECT item FROM search_words WHERE list = ''")]
        keys = make_guests(self.folder / "guests.json")
        self.engine.grow(self.tables(rows, lists, keys, owner, passphrase, now), report)
        if sizes.members:
            self.write_blobs(rows)
            report("blobs")
        say(f"  grown in {time.monotonic() - began:.0f} s")

    def tables(self, rows, lists, keys, owner, passphrase, now):
        yield from million_rows.guests(keys, passphrase, now)
        yield "sessions", million_rows.SESSION, [million_rows.session("owner", 0, owner, now)]
        if rows.sizes.members:
            yield from rows.tables()
            for list_ in lists:
                words = ((list_, item, word, sort) for item, sort, found in rows.words(list_) for word in found)
                yield "search_words", ["list", "item", "word", "sort"], words

    def write_blobs(self, rows):
        """Small files: what is counted at start, and read by a backup, is how many there are."""
        folder = str(self.data / "blobs")
        for name in rows.blobs():
            file = os.open(f"{folder}/{name}", os.O_WRONLY | os.O_CREAT, 0o600)
            os.write(file, b"sealed: nobody opens it.")
            os.close(file)


def make_guests(path):
    """Signing keys of the accounts that sign in: the secret numbers stay in the folder, the points are returned."""
    from cryptography.hazmat.primitives.asymmetric import ec
    from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

    numbers, points = [], []
    for n in range(million_rows.GUESTS):
        number = int.from_bytes(hashlib.sha256(f"guest {n}".encode()).digest(), "big") >> 1
        public = ec.derive_private_key(number, ec.SECP256R1()).public_key()
        points.append(million_rows.text(public.public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)))
        numbers.append(number)
    path.write_text(json.dumps(numbers))
    return points
