"""Firefox, driven over Marionette: another engine, for the ways that do not need Chromium."""

import json
import os
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from pathlib import Path

from chromium import Failure
from organisation import free_port

PREFERENCES = {
    "app.update.enabled": False, "browser.shell.checkDefaultBrowser": False, "dom.push.connection.enabled": False,
    "datareporting.policy.dataSubmissionEnabled": False, "network.captive-portal-service.enabled": False,
    "network.connectivity-service.enabled": False, "services.settings.server": "http://127.0.0.1:9/",
    "toolkit.telemetry.enabled": False,
    # A page without a window counts as one that a person looks at.
    "focusmanager.testmode": True,
}

# Firefox's own test authenticator needs both.
SOFT_TOKEN = {"security.webauth.webauthn_enable_softtoken": True, "security.webauth.webauthn_enable_usbtoken": False}
NO_PASSKEYS = {"security.webauth.webauthn": False}


class Firefox:
    """One browser with one page."""

    name = "Firefox"

    def __init__(self, preferences):
        self.folder, self.number = tempfile.mkdtemp(prefix="countersign-firefox-"), 0
        port = free_port()
        Path(self.folder, "user.js").write_text("".join(
            f"user_pref({json.dumps(key)}, {json.dumps(value)});\n"
            for key, value in {**PREFERENCES, "marionette.port": port, **preferences}.items()))
        self.process = subprocess.Popen(
            [os.environ.get("FIREFOX", "firefox-esr"), "--headless", "--marionette", "--remote-allow-system-access",
             "--no-remote", "--profile", self.folder],
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True)
        self.socket = self._connect(port)
        self._read()
        self.send("WebDriver:NewSession", {"capabilities": {"alwaysMatch": {}}})

    def __enter__(self):
        return self

    def __exit__(self, *_):
        try:
            self.send("Marionette:Quit", {"flags": ["eForceQuit"]})
            self.process.wait(10)
        except Exception:
            os.killpg(self.process.pid, signal.SIGKILL)
            self.process.wait(10)
        shutil.rmtree(self.folder, ignore_errors=True)

    def has_biometrics(self):
        self.send("WebAuthn:AddVirtualAuthenticator", {
            "protocol": "ctap2_1", "transport": "internal", "hasResidentKey": True, "hasUserVerification": True,
            "isUserConsenting": True, "isUserVerified": True, "extensions": ["prf"]})

    def goto(self, url):
        self.send("WebDriver:Navigate", {"url": url})

    def js(self, body):
        """What an asynchronous function with this body returns."""
        answer = self.send("WebDriver:ExecuteAsyncScript", {
            "script": wrapped(body), "args": [], "newSandbox": False, "sandbox": "default", "scriptTimeout": 40_000})
        return result(answer)

    def send(self, name, parameters):
        self.number += 1
        message = json.dumps([0, self.number, name, parameters])
        self.socket.sendall(f"{len(message.encode())}:{message}".encode())
        _, _, error, answer = self._read()
        if error:
            raise Failure(f"{name}: {error.get('error')}: {error.get('message')}")
        return answer.get("value", answer) if isinstance(answer, dict) else answer

    def _connect(self, port):
        for _ in range(600):
            try:
                connection = socket.create_connection(("127.0.0.1", port), 1)
                connection.settimeout(90)
                return connection
            except OSError:
                time.sleep(0.1)
        raise Failure("Firefox did not start")

    def _read(self):
        length = b""
        while not length.endswith(b":"):
            length += self._take(1)
        return json.loads(self._take(int(length[:-1])))

    def _take(self, count):
        data = b""
        while len(data) < count:
            part = self.socket.recv(count - len(data))
            if not part:
                raise Failure("Firefox has gone")
            data += part
        return data


def wrapped(body):
    """A script for WebDriver that says what came of it, also when it fails."""
    return ("const done = arguments[arguments.length - 1]; (async () => {" + body
            + "})().then(value => done({value}), error => done({error: error.name + ': ' + error.message}))")


def result(answer):
    if answer is None:
        raise Failure("the page was left before it answered")
    if "error" in answer:
        raise Failure(answer["error"])
    return answer.get("value")
