"""Servers, their data and database, and the load upon them: what scripts/kill-test and scripts/fault-test share."""

import argparse
import collections
import json
import os
import pathlib
import random
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import urllib.request

from ports import free_ports

root = pathlib.Path(__file__).resolve().parent.parent


# Acts at a desk, as the journal calls them.
DESK = (
    "write-text", "remove-text", "enrol-client", "reenrol-client", "erase-client", "sign", "confirm", "refuse", "block",
    "unblock",
)

# Other acts that come less often, by the slice of the server whose they are (`HammerAct.Kind.slice`).
RARER = {
    "approvals": (
        "add-service", "remove-service", "rotate-service", "enrol-approver", "remove-approver", "hand-over",
        "enrol-handed-over", "ask", "allow", "deny", "withdraw", "ask-together", "allow-together", "take-receipt",
        "deny-service", "deny-all", "freeze", "unfreeze", "make-codes", "begin-recovery", "end-recovery",
        "speak-version-1", "enrol-app", "ask-version-1", "allow-version-1",
    ),
    "pico": ("pair-wallet", "scan", "remove-wallet"),
    "vault": (
        "keep-vault", "put-file", "remove-file", "try-pin", "prove-pin", "set-pin", "set-slot", "remove-slot",
        "make-compartment", "move-file", "add-caretaker", "drop-file", "take-drop", "end-drop",
    ),
}


class Trouble(Exception):
    """The test itself cannot go on."""


def wait(for_what, condition, seconds=300):
    """Until something is so. Only what never comes takes so long: a busy machine has its time."""
    end = time.monotonic() + seconds
    while not (value := condition()):
        if time.monotonic() > end:
            raise Trouble(f"waited {seconds} s for {for_what}")
        time.sleep(0.01)
    return value


class Server:
    """One server process."""

    def __init__(self, town, port):
        self.town, self.port, self.url = town, port, f"http://localhost:{port}"
        self.name = f"server {port}"
        self.output = town.folder / f"server-{port}.log"
        self.process = None

    def start(self):
        command = [self.town.options.program, "serve", "--data", str(self.town.data), "--port", str(self.port)]
        command += ["--public-url", self.town.url, "--trust-proxy", "--log-level", "warning", *self.town.flags]
        with open(self.output, "ab") as output:
            self.process = subprocess.Popen(command, stdout=output, stderr=output, env=self.town.environment)

    def is_ready(self):
        if self.process.poll() is not None:
            raise Trouble(f"{self.name} ended by itself: {self.output.read_text()[-2000:]}")
        try:
            return urllib.request.urlopen(f"http://127.0.0.1:{self.port}/readyz", timeout=10).status == 200
        except OSError:
            return False

    def kill(self):
        self.process.kill()
        self.process.wait()

    def stop(self):
        if self.process and self.process.poll() is None:
            self.process.terminate()
            self.process.wait()


class Postgres:
    """The private PostgreSQL, killed with or without its children."""

    def __init__(self, how):
        self.how, self.name = how, f"database ({how})"

    def kill(self):
        subprocess.run([root / "scripts/test-postgres", self.how], check=True)

    def start(self):
        subprocess.run([root / "scripts/test-postgres", "start"], check=True)


class Town:
    """Servers, their data and database, and the load upon them."""

    def __init__(self, options, folder):
        self.options, self.folder = options, folder
        self.data, self.hammer = folder / "data", folder / "hammer"
        self.environment = {name: value for name, value in os.environ.items() if not name.startswith("COUNTERSIGN_")}
        is_shared = options.engine == "postgres"
        ports = free_ports(2 if is_shared else 1)
        self.url = f"http://localhost:{ports[0]}"
        self.flags = ["--database", self.make_database()] if is_shared else []
        self.servers = [Server(self, port) for port in ports]
        self.load = None
        self.read, self.kinds = 0, collections.Counter()

    def make_database(self):
        address = os.environ["TEST_POSTGRES"].split("?")[0]
        command = ["psql", "--quiet", "--command", "CREATE DATABASE hammered", address]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
        return address.removesuffix("/postgres") + "/hammered"

    def start(self):
        self.servers[0].start()
        wait("the first start", self.servers[0].is_ready)
        code = wait("the set-up code", lambda: re.search(r"--code (\S+)", self.servers[0].output.read_text())).group(1)
        self.start_load(self.servers[:1], "--code", code)
        self.stop_load()
        for server in self.servers[1:]:
            server.start()
            wait(f"{server.name} to start", server.is_ready)

    def start_load(self, servers, *more):
        command = [bench_of(self.options), "hammer", "run", "--folder", str(self.hammer)]
        command += ["--seed", str(random.randrange(1 << 62)), *more]
        for server in servers:
            command += ["--server", server.url]
        self.load_output = open(self.folder / "load.log", "ab+")
        start = self.load_output.seek(0, os.SEEK_END)
        self.load = subprocess.Popen(command, stdout=self.load_output, stderr=self.load_output, env=self.environment)

        def is_under_load():
            if self.load.poll() is not None:
                raise Trouble(f"the load ended: {(self.folder / 'load.log').read_text()[-2000:]}")
            return b"under load" in (self.folder / "load.log").read_bytes()[start:]

        wait("the load", is_under_load)

    def stop_load(self):
        self.load.send_signal(signal.SIGTERM)
        self.load.wait(300)
        self.load_output.close()
        if self.load.returncode != 0:
            raise Trouble(f"the load failed: {(self.folder / 'load.log').read_text()[-2000:]}")

    def acts(self):
        """How many acts of each kind were acknowledged so far."""
        journal = self.hammer / "journal"
        if journal.exists():
            with open(journal, "rb") as file:
                file.seek(self.read)
                # The last line may just be being written.
                new = file.read().rpartition(b"\n")
            self.read += len(new[0]) + len(new[1])
            for line in new[0].splitlines():
                act = json.loads(line)
                self.kinds[act["act"]] += act["outcome"] == "acknowledged"
        return self.kinds

    def acknowledged(self):
        return self.acts().total()

    def at_desk(self):
        return sum(self.acts()[kind] for kind in DESK)

    def check(self, *more):
        command = [bench_of(self.options), "hammer", "check", "--json", "--folder", str(self.hammer)]
        command += ["--data", str(self.data), *self.flags, *more]
        done = subprocess.run(command, capture_output=True, text=True, env=self.environment)
        if done.returncode not in (0, 1) or not done.stdout.startswith("{"):
            raise Trouble(f"the check failed: {done.stdout} {done.stderr}")
        return json.loads(done.stdout)

    def finish(self):
        """After a last start goes what no act came to need; then everybody of the load looks for herself."""
        for server in self.servers:
            server.stop()
        for blob in (self.data / "blobs").iterdir():
            # Servers leave alone what an act may just be writing: what is younger than an hour.
            os.utime(blob, (time.time() - 7_200,) * 2)
        for server in self.servers:
            server.start()
            wait(f"{server.name} to start", server.is_ready)
        # They look for such packages a little after the start.
        wait("packages that belong to nothing to go", lambda: self.check()["orphans"] == 0)
        return self.check("--clean", *[part for server in self.servers for part in ("--server", server.url)])

    def stop(self):
        if self.load and self.load.poll() is None:
            self.load.kill()
            self.load.wait()
        for server in self.servers:
            server.stop()


def faults_of(found):
    """What a check found wrong, in words."""
    return found["lost"] + found["half_written"] + ([found["audit"]] if found.get("audit") else [])


def summary(found):
    """The figures of the last check, as one line."""
    return (
        f"{found['acknowledged']} acknowledged, {len(found['lost'])} lost, {len(found['half_written'])} half-written, "
        f"{found['unknown']} unknown ({found['unknown_stored']} of them there), audit {found.get('audit') or 'clean'}; "
        f"{found['entries']} entries, {found['visits']} people looked for themselves"
    )


def bench_of(options):
    """The program of the load: it stands beside the one that is tested."""
    return options.bench or str(pathlib.Path(options.program).parent / "countersign-bench")


def options_for(description):
    """The flags that both scripts take."""
    parser = argparse.ArgumentParser(description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--engine", choices=["sqlite", "postgres"], default="sqlite", help="which database (sqlite)")
    parser.add_argument("--seed", type=int, default=1, help="decides what chance would (1)")
    parser.add_argument("--program", default=str(root / ".build/release/countersign"), help="the countersign to test")
    parser.add_argument("--bench", help="the countersign-bench that sends the load (the one beside --program)")
    parser.add_argument("--keep", metavar="DIR", help="leave everything there, instead of removing it")
    parser.add_argument("--json", action="store_true", help="print one JSON object at the end, and nothing else")
    return parser


def last_words(folder):
    """The last that load and servers wrote and did: without it nobody could tell later why a test gave up."""
    words = []
    for file in sorted(folder.glob("*.log")):
        words += [f"-- {file.name}", file.read_text(errors="replace")[-1500:]]
    journal = folder / "hammer" / "journal"
    if journal.exists():
        acts = [json.loads(line) for line in journal.read_text(errors="replace").splitlines()[-30:-1]]
        words.append("-- journal")
        words += [" ".join([act["by"], act["act"], act["outcome"], act.get("detail", "")[:300]]) for act in acts]
    return words


def in_folder(options, run):
    """Runs a test in a folder of its own, beside a PostgreSQL of its own when it needs one; returns the exit code."""
    if options.engine == "postgres" and "TOWN_POSTGRES" not in os.environ:
        os.environ["TOWN_POSTGRES"] = "private"
        command = [str(root / "scripts/with-postgres"), sys.executable, *sys.argv]
        os.execv(command[0], command)
    random.seed(options.seed)
    folder = pathlib.Path(options.keep or tempfile.mkdtemp(prefix="countersign-town-"))
    try:
        folder.mkdir(parents=True, exist_ok=not options.keep)
        return run(options, folder.resolve())
    except (Trouble, subprocess.SubprocessError, OSError) as error:
        print(f"could not be told: {error}", *last_words(folder), sep="\n", file=sys.stderr)
        return 2
    finally:
        if not options.keep:
            shutil.rmtree(folder, ignore_errors=True)
