"""A Countersign server of its own for one walk: a free port, a fresh folder, gone afterwards."""

import os
import re
import shutil
import socket
import subprocess
import tempfile
import threading

from chromium import Failure, until


class Server:
    """`countersign serve` in a temporary folder."""

    def __init__(self, *flags):
        self.folder = tempfile.mkdtemp(prefix="countersign-walk-")
        self.port = free_port()
        self.url = f"http://localhost:{self.port}"
        self.flags, self.process, self.lines = flags, None, []
        self.start()

    def start(self):
        """Starts, or starts again over the same data."""
        self.lines = []
        # What a developer's shell has set up for another server is not for this one.
        environment = {name: value for name, value in os.environ.items() if not name.startswith("COUNTERSIGN_")}
        self.process = subprocess.Popen(
            [os.environ["COUNTERSIGN"], "serve", "--data", f"{self.folder}/data", "--port", str(self.port),
             "--public-url", self.url, *self.flags], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, env=environment)
        threading.Thread(target=self._read, args=(self.process,), daemon=True).start()
        until(lambda: any("listening" in line for line in self.lines) or self.process.poll() is not None,
              "the server to listen", 60)
        if self.process.poll() is not None:
            raise Failure("the server ended:\n" + "".join(self.lines))

    def stop(self):
        self.process.terminate()
        self.process.wait(30)

    def __enter__(self):
        return self

    def __exit__(self, *_):
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


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]
