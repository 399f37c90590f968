"""WebKitGTK, driven by WebKitWebDriver under a display of its own: an engine of Safari's family, without passkeys."""

import json
import os
import shutil
import signal
import subprocess
import tempfile
import urllib.error
import urllib.request

from chromium import Failure, until
from firefox import result, wrapped
from organisation import free_port


class WebKit:
    """One browser with one page."""

    name = "WebKitGTK"

    def __init__(self):
        self.port, self.home, self.session = free_port(), tempfile.mkdtemp(prefix="countersign-webkit-"), None
        environment = os.environ | {
            "HOME": self.home, "LIBGL_ALWAYS_SOFTWARE": "1", "WEBKIT_DISABLE_COMPOSITING_MODE": "1",
            "WEBKIT_DISABLE_SANDBOX_THIS_IS_DANGEROUS": "1"}
        self.process = subprocess.Popen(
            ["xvfb-run", "-a", "-s", "-screen 0 1000x800x24 -nolisten tcp", "dbus-run-session", "--", "WebKitWebDriver",
             f"--port={self.port}"],
            env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True)
        try:
            until(self._answers, "WebKitWebDriver to start", 60)
            self.session = self.send("POST", "/session", {"capabilities": {"alwaysMatch": {"webkitgtk:browserOptions": {
                "binary": browser(), "args": ["--automation"]}}}})["sessionId"]
            self.send("POST", f"/session/{self.session}/timeouts", {"script": 40_000})
        except BaseException:
            self.__exit__()
            raise

    def __enter__(self):
        return self

    def __exit__(self, *_):
        try:
            if self.session:
                self.send("DELETE", f"/session/{self.session}")
        except Exception:
            pass
        try:
            os.killpg(self.process.pid, signal.SIGTERM)
            self.process.wait(10)
        except (ProcessLookupError, subprocess.TimeoutExpired):
            self.process.kill()
        shutil.rmtree(self.home, ignore_errors=True)

    def goto(self, url):
        self.send("POST", f"/session/{self.session}/url", {"url": url})

    def js(self, body):
        """What an asynchronous function with this body returns."""
        # A script whose page gets another process at that moment is never answered, not even that it took too long (30 s).
        path = f"/session/{self.session}/execute/async"
        return result(self.send("POST", path, {"script": wrapped(body), "args": []}, patience=40))

    def send(self, method, path, body=None, patience=90):
        request = urllib.request.Request(
            f"http://127.0.0.1:{self.port}{path}", method=method, headers={"Content-Type": "application/json"},
            data=None if body is None else json.dumps(body).encode())
        try:
            return json.load(urllib.request.urlopen(request, timeout=patience))["value"]
        except urllib.error.HTTPError as error:
            raise Failure(error.read().decode()[:500]) from None
        except TimeoutError:
            raise Failure(f"{method} {path} was not answered within {patience} s") from None

    def _answers(self):
        try:
            return self.send("GET", "/status")["ready"]
        except OSError:
            return False


def browser():
    """The small browser that comes with the library."""
    if "MINIBROWSER" in os.environ:
        return os.environ["MINIBROWSER"]
    files = subprocess.check_output(["dpkg", "-L", "libwebkit2gtk-4.1-0"], text=True).split()
    return next(file for file in files if file.endswith("/MiniBrowser"))
