"""A headless Chromium, driven over the DevTools protocol: people, their phones, what they click and what was sent.

Needs only `websockets`. Waiting is on conditions, with a limit; a condition that does not come true fails the walk with
the page's address and what it shows.
"""

import base64
import json
import os
import queue
import shutil
import subprocess
import tempfile
import threading
import time
import urllib.request
from pathlib import Path

from websockets.sync.client import connect

FLAGS = [
    "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run",
    "--no-default-browser-check", "--disable-background-networking", "--disable-component-update",
    "--disable-extensions", "--disable-sync", "--remote-debugging-port=0", "--remote-debugging-address=127.0.0.1",
    "--password-store=basic", "--use-mock-keychain", "--force-color-profile=srgb", "--hide-scrollbars",
]

# Reports what the policy of a page forbade, before any module of the page runs.
WATCH = """
self.__violations = [];
addEventListener('securitypolicyviolation', e => self.__violations.push(
    e.violatedDirective + ' ' + e.blockedURI + ' ' + (e.sample || '') + ' at ' + e.sourceFile + ':' + e.lineNumber));
"""


class Failure(AssertionError):
    """What a walk expected did not happen."""


class Chromium:
    """One browser process; people live in contexts that share nothing."""

    def __init__(self, *flags):
        self.profile = tempfile.mkdtemp(prefix="countersign-chromium-")
        self.process = subprocess.Popen(
            [os.environ.get("CHROMIUM", "chromium"), *FLAGS, f"--user-data-dir={self.profile}", *flags, "about:blank"],
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True)
        port = Path(self.profile, "DevToolsActivePort")
        until(lambda: port.exists() and port.read_text().count("\n") > 0, "Chromium to start", seconds=60)
        number = port.read_text().split()[0]
        version = json.load(urllib.request.urlopen(f"http://127.0.0.1:{number}/json/version"))
        self.socket = connect(version["webSocketDebuggerUrl"], max_size=None)
        self.next, self.answers, self.pages, self.lock = 0, {}, {}, threading.Lock()
        threading.Thread(target=self._read, daemon=True).start()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        try:
            self.send("Browser.close", timeout=5)
            self.process.wait(10)
        except Exception:
            self.process.kill()
            self.process.wait(10)
        shutil.rmtree(self.profile, ignore_errors=True)

    def send(self, method, session=None, timeout=60, **parameters):
        """One command and its answer."""
        with self.lock:
            self.next += 1
            number = self.next
            self.answers[number] = queue.Queue()
            message = {"id": number, "method": method, "params": parameters}
            if session:
                message["sessionId"] = session
            self.socket.send(json.dumps(message))
        try:
            answer = self.answers[number].get(timeout=timeout)
        except queue.Empty:
            raise Failure(f"{method} did not answer within {timeout} s") from None
        finally:
            self.answers.pop(number, None)
        if "error" in answer:
            raise Failure(f"{method}: {answer['error'].get('message')}")
        return answer["result"]

    def person(self, name, **viewport):
        """A context with cookies, storage and authenticators of its own, and one page in it."""
        context = self.send("Target.createBrowserContext")["browserContextId"]
        return Person(self, name, context, viewport)

    def _read(self):
        try:
            for raw in self.socket:
                message = json.loads(raw)
                if "id" in message:
                    waiting = self.answers.get(message["id"])
                    if waiting:
                        waiting.put(message)
                elif message.get("sessionId") in self.pages:
                    self.pages[message["sessionId"]].observe(message["method"], message["params"])
        except Exception:
            pass


class Page:
    """One tab, and everything that it sent and complained about."""

    def __init__(self, browser, context, name, width=1280, height=900, mobile=False):
        self.browser, self.name = browser, name
        self.target = browser.send("Target.createTarget", url="about:blank", browserContextId=context)["targetId"]
        self.session = browser.send("Target.attachToTarget", targetId=self.target, flatten=True)["sessionId"]
        self.requests, self.responses, self.complaints, self.dialogs = [], {}, [], []
        self.loads = 0
        browser.pages[self.session] = self
        for domain in ("Page", "Runtime", "Network", "Log", "DOM"):
            self.send(f"{domain}.enable")
        self.send("Page.addScriptToEvaluateOnNewDocument", source=WATCH)
        self.resize(width, height, mobile)

    def send(self, method, timeout=60, **parameters):
        return self.browser.send(method, self.session, timeout, **parameters)

    def observe(self, method, parameters):
        if method == "Network.requestWillBeSent":
            self.requests.append(parameters["request"] | {"id": parameters["requestId"]})
        elif method == "Network.responseReceived":
            self.responses[parameters["requestId"]] = parameters["response"]
        elif method == "Page.loadEventFired":
            self.loads += 1
        elif method == "Runtime.exceptionThrown":
            details = parameters["exceptionDetails"]
            text = details.get("exception", {}).get("description") or details.get("text", "")
            self.complaints.append(f"exception: {text}")
        elif method == "Log.entryAdded":
            entry = parameters["entry"]
            if entry["source"] == "security" or "Content Security Policy" in entry["text"]:
                self.complaints.append(f"policy: {entry['text']}")
        elif method == "Page.javascriptDialogOpening":
            self.dialogs.append(parameters)

    def js(self, expression, timeout=60):
        """The value of an expression, which may await; the call counts as made by the person."""
        answer = self.send(
            "Runtime.evaluate", timeout, expression=f"(async () => ({expression}))()", awaitPromise=True,
            returnByValue=True, userGesture=True)
        if "exceptionDetails" in answer:
            details = answer["exceptionDetails"]
            raise Failure(details.get("exception", {}).get("description") or details["text"])
        return answer["result"].get("value")

    def goto(self, url):
        before = self.loads
        self.send("Page.bringToFront")
        self.send("Page.navigate", url=url)
        until(lambda: self.loads > before or self.js("document.readyState") == "complete", f"{url} to load")

    def reload(self):
        before = self.loads
        self.send("Page.reload")
        until(lambda: self.loads > before, "the page to load again")

    def wait(self, expression, what=None, seconds=20):
        """Until a JavaScript expression holds; survives navigations meanwhile."""
        def holds():
            try:
                return self.js(expression)
            except Failure:
                return None
        try:
            return until(holds, what or expression, seconds)
        except Failure as failure:
            raise Failure(f"{self.name}: {failure}\n{self.describe()}") from None

    def describe(self):
        """Where the page is and what it shows, for error messages."""
        try:
            return self.js("location.href + '\\n' + document.body.innerText.slice(0, 1500)") + "\n" + "\n".join(
                self.complaints)
        except Failure as failure:
            return str(failure)

    def text(self, selector="main"):
        return self.js(f"document.querySelector({json.dumps(selector)})?.innerText ?? ''")

    def see(self, text, selector="body", seconds=20):
        """Waits until the text is shown."""
        self.wait(
            f"(document.querySelector({json.dumps(selector)})?.innerText ?? '').includes({json.dumps(text)})",
            f"to see “{text}”", seconds)

    def locate(self, selector, seconds=20):
        """The middle of an element that can be clicked.

        `selector` is CSS, or words between quotation marks: a button, link, label or summary that reads so.
        """
        find = _finder(selector)
        self.wait(f"!!({find})", f"{selector} to be there", seconds)
        return self.js(f"""(() => {{ const e = {find};
            e.scrollIntoView({{block: 'center', inline: 'center', behavior: 'instant'}});
            const r = e.getBoundingClientRect(); return [r.x + r.width / 2, r.y + r.height / 2]; }})()""")

    def click(self, selector, seconds=20):
        x, y = self.locate(selector, seconds)
        for kind in ("mouseMoved", "mousePressed", "mouseReleased"):
            self.send("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left", clickCount=1)

    def fill(self, selector, text):
        """Replaces what stands in a field, as typing does."""
        find = _finder(selector)
        self.wait(f"!!({find})", f"the field {selector}")
        self.js(f"(() => {{ const e = {find}; e.scrollIntoView({{block: 'center', behavior: 'instant'}}); e.focus();"
                " if (e.select) e.select(); })()")
        self.send("Input.insertText", text=text)
        self.js(f"({find}).dispatchEvent(new Event('change', {{bubbles: true}}))")

    def choose(self, selector, value):
        """Chooses an option of a select by value or words."""
        find = _finder(selector)
        self.wait(f"!!({find})", f"the field {selector}")
        self.js(f"""(() => {{ const e = {find};
            const o = [...e.options].find(o => o.value === {json.dumps(value)} || o.text === {json.dumps(value)});
            if (!o) throw new Error('no such option among ' + [...e.options].map(o => o.value + '=' + o.text));
            e.value = o.value; e.dispatchEvent(new Event('input', {{bubbles: true}}));
            e.dispatchEvent(new Event('change', {{bubbles: true}})); }})()""")

    def upload(self, selector, path):
        self.wait(f"!!document.querySelector({json.dumps(selector)})", f"the field {selector}")
        root = self.send("DOM.getDocument")["root"]["nodeId"]
        node = self.send("DOM.querySelector", nodeId=root, selector=selector)["nodeId"]
        self.send("DOM.setFileInputFiles", files=[str(path)], nodeId=node)

    def press(self, key, code=None, modifiers=0):
        text = {"Enter": "\r", " ": " "}.get(key)
        for kind in ("keyDown", "keyUp"):
            extra = {"text": text} if text and kind == "keyDown" else {}
            self.send("Input.dispatchKeyEvent", type=kind, key=key, code=code or key, modifiers=modifiers, **extra)

    def resize(self, width, height, mobile=False):
        self.send("Emulation.setDeviceMetricsOverride", width=width, height=height,
                  deviceScaleFactor=2 if mobile else 1, mobile=mobile)

    def scheme(self, name):
        self.send("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": name}])

    def offline(self, is_offline=True):
        self.send("Network.emulateNetworkConditions", offline=is_offline, latency=0, downloadThroughput=-1,
                  uploadThroughput=-1)

    def picture(self, path, whole=True):
        parameters = {}
        if whole:
            size = self.send("Page.getLayoutMetrics")["cssContentSize"]
            parameters = {"captureBeyondViewport": True, "clip": {
                "x": 0, "y": 0, "width": size["width"], "height": min(size["height"], 6000), "scale": 1}}
        Path(path).write_bytes(base64.b64decode(
            self.send("Page.captureScreenshot", format="png", **parameters)["data"]))

    def violations(self):
        """Everything that the policies of the present document forbade, and every uncaught exception so far."""
        try:
            return (self.js("self.__violations") or []) + self.complaints
        except Failure:
            return list(self.complaints)

    def close(self):
        self.browser.send("Target.closeTarget", targetId=self.target)


class Person(Page):
    """Somebody with a browser of their own, and an authenticator in it."""

    def __init__(self, browser, name, context, viewport):
        super().__init__(browser, context, name, **viewport)
        self.context, self.viewport, self.authenticator = context, viewport, None
        self.send("WebAuthn.enable")

    def tab(self):
        """A second tab of the same person."""
        page = Page(self.browser, self.context, self.name + "'s second tab", **self.viewport)
        page.send("WebAuthn.enable")
        return page

    def has_biometrics(self, prf=True, version="ctap2_1", verified=True):
        """Gives the device Face ID, Touch ID or the like; a failed one uses all tries up on `ctap2_1`."""
        options = {
            "protocol": "ctap2", "ctap2Version": version, "transport": "internal", "hasResidentKey": True,
            "hasUserVerification": True, "isUserVerified": verified, "automaticPresenceSimulation": True}
        if prf:
            options["hasPrf"] = True
        self.authenticator = self.send("WebAuthn.addVirtualAuthenticator", options=options)["authenticatorId"]
        return self.authenticator

    def is_recognised(self, verified):
        """Whether the next looks at the device succeed."""
        self.send("WebAuthn.setUserVerified", authenticatorId=self.authenticator, isUserVerified=verified)

    def forges(self, **bits):
        """Makes the authenticator answer wrongly: `isBogusSignature`, `isBadUV`, `isBadUP`."""
        self.send("WebAuthn.setResponseOverrideBits", authenticatorId=self.authenticator, **bits)


def until(condition, what, seconds=20):
    """Waits for a condition and gives its value."""
    end = time.monotonic() + seconds
    while True:
        value = condition()
        if value:
            return value
        if time.monotonic() > end:
            raise Failure(f"waited {seconds} s for {what}")
        time.sleep(0.02)


def _finder(selector):
    if not selector.startswith('"'):
        return f"document.querySelector({json.dumps(selector)})"
    words = json.dumps(selector.strip('"'))
    return f"""[...document.querySelectorAll('dialog[open] button, button, a, label, summary, [role=tab]')].find(e =>
        e.textContent.replace(/\\s+/g, ' ').trim() === {words} && e.checkVisibility() && !e.disabled
        && (!document.querySelector('dialog[open]') || e.closest('dialog[open]')))"""
