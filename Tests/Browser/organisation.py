"""A Countersign server of its own for one walk, and witnesses: free ports, fresh folders, gone afterwards."""

import contextlib
import http.client
import json
import os
import re
import shutil
import ssl
import subprocess
import sys
import tempfile
import threading
import urllib.error
import urllib.request
from pathlib import Path

from chromium import Failure, until

sys.path.append(str(Path(__file__).resolve().parents[2] / "scripts"))
from ports import free_port  # noqa: E402


class Server:
    """`countersign serve` in a temporary folder."""

    def __init__(self, *flags, scheme="http"):
        self.folder = tempfile.mkdtemp(prefix="countersign-walk-")
        self.port = free_port()
        self.url = f"{scheme}://localhost:{self.port}"
        self.flags, self.process, self.lines = flags, None, []
        self.start()

    def start(self):
        """Starts, or starts again over the same data."""
        self.lines = []
        # Settings in a developer's shell for another server are not for this one.
        environment = {name: value for name, value in os.environ.items() if not name.startswith("COUNTERSIGN_")}
        self.process = subprocess.Popen(
            [os.environ["COUNTERSIGN"], "serve", "--data", f"{self.folder}/data", "--port", str(self.port),
             "--public-url", self.url, *self.flags], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, env=environment)
        self.reader = threading.Thread(target=self._read, args=(self.process,), daemon=True)
        self.reader.start()
        until(lambda: any("listening" in line for line in self.lines) or self.process.poll() is not None,
              "the server to listen", 60)
        if self.process.poll() is not None:
            raise Failure("the server ended:\n" + "".join(self.lines))

    def stop(self):
        self.process.terminate()
        self.process.wait(30)

    def __enter__(self):
        self.running.append(self)
        return self

    def __exit__(self, *_):
        self.running.remove(self)
        self.stop()
        shutil.rmtree(self.folder, ignore_errors=True)

    @property
    def setup_link(self):
        """The link that the server printed."""
        link = rf"{re.escape(self.url)}/setup#\S+"
        found = until(lambda: re.search(link, "".join(self.lines)), "the set-up link", 30)
        return found.group(0)

    def _read(self, process):
        for line in process.stdout:
            self.lines.append(line)


    # Those that run, to be asked when something fails.
    running = []

    def silence(self):
        """What can be seen of this server if it no longer answers, else nothing.

        Whatever is tried after that would wait in vain.
        """
        if self.process.poll() is not None:
            return ""
        context = ssl._create_unverified_context() if self.url.startswith("https") else None
        why = ""
        # The second and the third need the database, which the first does without.
        for path in ("/healthz", "/sign-in", "/api/sessions/current"):
            try:
                urllib.request.urlopen(self.url + path, timeout=20, context=context).read()
            except urllib.error.HTTPError:
                pass
            except (OSError, http.client.HTTPException) as error:
                why = f"{path}: {error}"
                break
        if not why:
            return ""
        if self.process.poll() is not None:
            return ""
        threads = "".join(
            f"{thread.name} {_first(thread / 'comm')} {_first(thread / 'wchan')} {_first(thread / 'syscall')[:12]}\n"
            for thread in sorted(Path(f"/proc/{self.process.pid}/task").iterdir()))
        stacks = ""
        if shutil.which("gdb"):
            with contextlib.suppress(subprocess.SubprocessError):
                stacks = subprocess.run(
                    ["gdb", "-p", str(self.process.pid), "-batch", "-ex", "set pagination off", "-ex", "thread apply all bt 40"],
                    capture_output=True, text=True, timeout=120).stdout
        stacks = "\n".join(line[:160] for line in stacks.splitlines() if not line.startswith("[New"))
        sockets = sum(f":{self.port:04X} " in line for line in Path("/proc/net/tcp").read_text().splitlines())
        return (f"the server is silent: {why}; {sockets} connections; its output is {'' if self.reader.is_alive() else 'not '}read; "
                f"the last of {len(self.lines)} lines: {''.join(self.lines[-2:])}{threads}{stacks[:15000]}")


def _first(file):
    try:
        return file.read_text().strip()
    except OSError:
        return "?"


class Witness:
    """`countersign witness serve` for one log, in a temporary folder."""

    def __init__(self, name, log_key):
        self.folder, self.port = tempfile.mkdtemp(prefix="countersign-witness-"), 0
        self.name, self.log_key, self.key, self.process = name, log_key, None, None
        self.start()

    def start(self):
        """Starts, or starts again over the same data at the same address."""
        environment = {name: value for name, value in os.environ.items() if not name.startswith("COUNTERSIGN_")}
        self.process = subprocess.Popen(
            [os.environ["COUNTERSIGN"], "witness", "serve", "--data", self.folder, "--name", self.name, "--log-key",
             self.log_key, "--port", str(self.port), "--json"],
            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, env=environment)
        line = self.process.stdout.readline()
        if not line:
            raise Failure(f"the witness {self.name} ended at its start")
        said = json.loads(line)
        self.key, self.port = said["key"], said["port"]

    @property
    def url(self):
        return f"http://127.0.0.1:{self.port}"

    def stop(self):
        self.process.kill()
        self.process.wait(30)

    def close(self):
        self.stop()
        shutil.rmtree(self.folder, ignore_errors=True)
