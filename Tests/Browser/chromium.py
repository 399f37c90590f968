"""A headless Chromium, driven over the DevTools protocol: people, their phones, what they click and what was sent.

Needs only `websockets`. Waiting is on conditions, with a limit; a condition that does not come true fails the walk with
the page's address and what it shows.
"""

import base64
import contextlib
import json
import os
import queue
import re
import shutil
import subprocess
import tempfile
import threading
import time
import urllib.request
from pathlib import Path

from websockets.sync.client import connect

import keyboard

FLAGS = [
    "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run",
    "--no-default-browser-check", "--disable-background-networking", "--disable-component-update",
    "--disable-extensions", "--disable-sync", "--remote-debugging-port=0", "--remote-debugging-address=127.0.0.1",
    "--password-store=basic", "--use-mock-keychain", "--force-color-profile=srgb", "--hide-scrollbars",
    # What a browser does beside showing a page: it counts, reports, asks its maker, and looks what language a page is in.
    "--disable-breakpad", "--disable-client-side-phishing-detection", "--disable-default-apps", "--disable-domain-reliability",
    "--metrics-recording-only", "--no-pings", "--disable-features=Translate,OptimizationHints,MediaRouter",
]

# Bodies of requests up to this size are read as a whole.
LARGEST = 64 << 20

# Reports what the policy of a page forbade, before any module of the page runs.
WATCH = """
self.__violations = [];
addEventListener('securitypolicyviolation', e => self.__violations.push(
    e.violatedDirective + ' ' + e.blockedURI + ' ' + (e.sample || '') + ' at ' + e.sourceFile + ':' + e.lineNumber));
"""


# Tells the test, and nobody else, what the authenticator gave the page: it must not be in anything that is sent.
SECRETS = """
for (const name of self.CredentialsContainer ? ["create", "get"] : []) {
    const original = CredentialsContainer.prototype[name];
    CredentialsContainer.prototype[name] = async function (...given) {
        const answer = await original.apply(this, given);
        const { first, second } = answer?.getClientExtensionResults?.().prf?.results ?? {};
        for (const secret of [first, second].filter(Boolean)) {
            __secret([...new Uint8Array(secret.buffer ?? secret)].map(b => b.toString(16).padStart(2, '0')).join(''));
        }
        return answer;
    };
}
"""

# A small browser has one page in sight at a time, and people have a screen each. What a page does when it is covered for long, it
# does sooner than a busy machine is back with it: such a page does not hear that it is covered, but that it is in sight again.
IN_SIGHT = """{
const { get } = Object.getOwnPropertyDescriptor(Document.prototype, 'hidden');
Object.defineProperty(document, 'hidden', { value: false, configurable: true });
Object.defineProperty(document, 'visibilityState', { value: 'visible', configurable: true });
addEventListener('visibilitychange', (event) => { if (event.isTrusted && get.call(document)) event.stopImmediatePropagation(); }, true);
}"""

# The signs that keep a value apart from what runs the other way are not looked for.
APART = ".replace(/[\\u2066-\\u2069]/g, '')"


class Failure(AssertionError):
    """What a walk expected did not happen."""


def program(whole=False):
    """Which Chromium: the one without windows does the same work for two thirds of the processor's time.

    It has no pages of its own, shows no PDF files, takes no push messages and has one page in sight at a time. For these, ask
    for the whole browser.
    """
    small = None if whole else shutil.which("chromium-headless-shell")
    return os.environ.get("CHROMIUM") or small or "chromium"


class Chromium:
    """One browser process; people live in contexts that share nothing."""

    def __init__(self, *flags, whole=False):
        self.profile = tempfile.mkdtemp(prefix="countersign-chromium-")
        self.process = subprocess.Popen(
            [program(whole), *FLAGS, f"--user-data-dir={self.profile}", *flags, "about:blank"],
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True)
        port = Path(self.profile, "DevToolsActivePort")
        until(lambda: port.exists() and port.read_text().count("\n") > 0, "Chromium to start", seconds=60)
        number = port.read_text().split()[0]
        version = json.load(urllib.request.urlopen(f"http://127.0.0.1:{number}/json/version"))
        # Packing what goes from one process to another keeps both of them busy, and nothing is gained.
        self.socket = connect(version["webSocketDebuggerUrl"], max_size=None, compression=None)
        self.next, self.answers, self.pages, self.lock = 0, {}, {}, threading.Lock()
        self.all_pages, self.workers, self.secrets = [], {}, set()
        # How the texts read that people look for (wording.py), where pages are not in English; and whether they use no mouse.
        self.wording, self.by_keyboard = None, False
        threading.Thread(target=self._read, daemon=True).start()
        # Service workers send requests of their own: they are watched from their first line on.
        self.send("Target.setAutoAttach", autoAttach=True, waitForDebuggerOnStart=True, flatten=True,
                  filter=[{"type": "service_worker"}, {"exclude": True}])

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
        number = self._post(method, session, parameters, queue.Queue())
        try:
            answer = self.answers[number].get(timeout=timeout)
        except queue.Empty:
            raise Failure(f"{method} did not answer within {timeout} s") from None
        finally:
            self.answers.pop(number, None)
        if "error" in answer:
            raise Failure(f"{method}: {answer['error'].get('message')}")
        return answer["result"]

    def _post(self, method, session, parameters, waiting=None):
        with self.lock:
            self.next += 1
            if waiting:
                self.answers[self.next] = waiting
            message = {"id": self.next, "method": method, "params": parameters}
            if session:
                message["sessionId"] = session
            self.socket.send(json.dumps(message))
            return self.next

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
                elif message["method"] == "Target.attachedToTarget":
                    self._watch(message["params"])
                elif message["method"] == "Target.detachedFromTarget":
                    self.workers.pop(message["params"]["sessionId"], None)
                elif message.get("sessionId") in self.pages:
                    self.pages[message["sessionId"]].observe(message["method"], message["params"])
        except Exception:
            pass

    def _watch(self, parameters):
        session, target = parameters["sessionId"], parameters["targetInfo"]
        if target["type"] != "service_worker":
            return
        worker = Watched(target["url"])
        self.pages[session] = worker
        self.workers[session] = target.get("browserContextId")
        self.all_pages.append(worker)
        for method in ("Network.enable", "Runtime.enable", "Log.enable", "Runtime.runIfWaitingForDebugger"):
            self._post(method, session, {"maxPostDataSize": LARGEST} if method == "Network.enable" else {})


class Watched:
    """Everything that a page or a worker sent and complained about."""

    def __init__(self, name):
        self.name = name
        self.requests, self.responses, self.complaints, self.dialogs = [], {}, [], []
        self.loads = self.biometrics = self.actions = 0
        self.pending, self.busy_at = {}, 0

    def observe(self, method, parameters):
        if method == "Network.requestWillBeSent":
            self.requests.append(parameters["request"] | {"id": parameters["requestId"]})
            # A stream of live updates stays open. The page only hears that a worker's script was requested: the end
            # goes to the worker.
            if parameters.get("type") != "EventSource" and not parameters["request"]["url"].endswith("-worker.js"):
                self.pending[parameters["requestId"]] = parameters.get("loaderId")
            self.busy_at = time.monotonic()
        elif method in ("Network.loadingFinished", "Network.loadingFailed"):
            self.pending.pop(parameters["requestId"], None)
            self.busy_at = time.monotonic()
        elif method == "Page.frameStartedLoading":
            self.pending.clear()
        elif method == "Page.frameNavigated" and "parentId" not in parameters["frame"]:
            # What the page before asked for while it was being left ends without a word.
            loader = parameters["frame"]["loaderId"]
            self.pending = {one: its for one, its in self.pending.items() if its == loader}
        elif method == "Network.responseReceived":
            self.responses[parameters["requestId"]] = parameters["response"]
        elif method == "Page.loadEventFired":
            self.loads += 1
        elif method in ("WebAuthn.credentialAdded", "WebAuthn.credentialAsserted"):
            self.biometrics += 1
        elif method == "Runtime.bindingCalled" and parameters["name"] == "__secret":
            self.browser.secrets.add(parameters["payload"])
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


class Page(Watched):
    """One tab, and everything that it sent and complained about."""

    def __init__(self, browser, context, name, width=1280, height=900, mobile=False):
        super().__init__(name)
        self.browser, self.context = browser, context
        self.target = browser.send("Target.createTarget", url="about:blank", browserContextId=context)["targetId"]
        self.session = browser.send("Target.attachToTarget", targetId=self.target, flatten=True)["sessionId"]
        browser.pages[self.session] = self
        browser.all_pages.append(self)
        for domain in ("Page", "Runtime", "Log", "DOM"):
            self.send(f"{domain}.enable")
        self.send("Network.enable", maxPostDataSize=LARGEST)
        self.send("Runtime.addBinding", name="__secret")
        self.send("Page.addScriptToEvaluateOnNewDocument", source=WATCH + SECRETS)
        if browser.by_keyboard:
            # Each of the pages has the keys, as if it were in front.
            self.send("Emulation.setFocusEmulationEnabled", enabled=True)
        self.resize(width, height, mobile)

    def send(self, method, timeout=60, **parameters):
        return self.browser.send(method, self.session, timeout, **parameters)

    def js(self, expression, timeout=60):
        """The value of an expression, which may await; the call counts as made by the person. A block has none.

        A module that it imports is the one that the page itself has, not another of the same name.
        """
        expression = expression.replace("import('/assets/", "(globalThis.countersignModules?.load.bind(countersignModules) "
                                        "?? ((address) => import(address)))('/assets/")
        body = expression if expression.startswith("{") else f"({expression})"
        answer = self.send(
            "Runtime.evaluate", timeout, expression=f"(async () => {body})()", awaitPromise=True, returnByValue=True,
            userGesture=True)
        if "exceptionDetails" in answer:
            details = answer["exceptionDetails"]
            raise Failure(details.get("exception", {}).get("description") or details["text"])
        return answer["result"].get("value")

    def goto(self, url):
        self.send("Page.bringToFront")
        self.mark()
        told = self.send("Page.navigate", url=url)
        # Without a loader the document is the same one; with an error it has stayed.
        stays = "loaderId" not in told or "errorText" in told
        until(lambda: self.stands(stays), f"{url} to load")

    def reload(self):
        self.mark()
        self.send("Page.reload")
        until(self.stands, "the page to load again")

    def mark(self):
        """Marks the document that is about to be left: it may tell late that it has loaded."""
        try:
            self.js("{ window.isLeft = true; }", timeout=15)
        except Failure:
            pass

    def stands(self, also_marked=False):
        """Whether a document has loaded, and is not the one that was left."""
        try:
            return self.js(f"({json.dumps(also_marked)} || !window.isLeft) && document.readyState === 'complete'", timeout=15)
        except Failure:
            return False

    def wait(self, expression, what=None, seconds=60):
        """Until a JavaScript expression holds; survives navigations meanwhile."""
        def holds():
            try:
                # An element is not a value that could be handed over.
                # A page that is just being left may never answer.
                return self.js(f"(async v => v instanceof Node ? true : v)(await ({expression}))", timeout=15)
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

    def see(self, text, selector="body", seconds=60):
        """Waits until the text is shown."""
        self.wait(f"{self.says(text)}.test((document.querySelector({json.dumps(selector)})?.innerText ?? ''){APART})",
                  f"to see “{text}”", seconds)

    def refused(self, detail, kind, selector="body"):
        """Waits for the detail of a problem, which servers say in English; pages in other languages have words for its kind."""
        self.see(kind if self.browser.wording else detail, selector)

    def says(self, text, whole=False):
        """A JavaScript expression for what stands where the English page has this text."""
        patterns = self.browser.wording.patterns(text) if self.browser.wording else [_pattern(text)]
        pattern = f"(?:{'|'.join(patterns)})"
        return f"(new RegExp({json.dumps(f'^{pattern}$' if whole else pattern)}))"

    def finder(self, selector):
        """A JavaScript expression for an element: see `locate`."""
        if not selector.startswith('"'):
            return f"document.querySelector({json.dumps(selector)})"
        return f"""[...document.querySelectorAll('dialog[open] button, button, a, label, summary, [role=tab]')].find(e =>
            {self.says(selector.strip('"'), whole=True)}.test(e.textContent.replace(/\\s+/g, ' ').trim(){APART})
            && e.checkVisibility() && !e.disabled && (!document.querySelector('dialog[open]') || e.closest('dialog[open]')))"""

    def locate(self, selector, seconds=60):
        """The middle of an element that can be clicked.

        `selector` is CSS, or words between quotation marks: a button, link, label or summary that reads so.
        """
        self.settle()
        return self.wait(f"""(async () => {{
            const e = {self.finder(selector)};
            if (!e) return null;
            e.scrollIntoView({{block: 'center', inline: 'center', behavior: 'instant'}});
            const place = () => {{ const r = e.getBoundingClientRect(); return [r.x + r.width / 2, r.y + r.height / 2]; }};
            const before = place();
            await new Promise(done => setTimeout(done, 60));
            const [x, y] = place();
            const top = document.elementFromPoint(x, y);
            // Something that still moves, or lies under something else, cannot be clicked.
            const isThere = x === before[0] && y === before[1] && (e.contains(top) || e.labels && [...e.labels].some(l => l.contains(top)));
            return isThere ? [x, y] : null;
        }})()""", f"{selector} to be there", seconds)

    def settle(self, seconds=10):
        """Waits until the page has what it asked for: what comes later moves what a person is about to click."""
        end = time.monotonic() + seconds
        while time.monotonic() < end and (self.pending or time.monotonic() - self.busy_at < 0.15):
            time.sleep(0.02)

    def follow(self, url):
        """Opens a link that came from elsewhere: printed, sent, or read by a camera."""
        self.actions += 1
        self.goto(url)

    def click(self, selector, seconds=60):
        self.actions += 1
        # A button that is still at work takes no press: on a busy machine its dialog has closed long before its act ends.
        with contextlib.suppress(Failure):
            self.wait(f"({self.finder(selector)})?.getAttribute('aria-busy') !== 'true'", f"{selector} to end its work", seconds)
        if self.browser.by_keyboard:
            return keyboard.press(self, self.finder(selector), selector)
        x, y = self.locate(selector, seconds)
        for kind in ("mouseMoved", "mousePressed", "mouseReleased"):
            self.send("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left", clickCount=1)

    def fill(self, selector, text):
        """Replaces what stands in a field, as typing does."""
        self.actions += 1
        find = self.finder(selector)
        if self.browser.wording:
            self.browser.wording.typed(text)
        # Nobody types into what cannot be seen yet.
        self.wait(f"(e => e?.checkVisibility() ?? false)({find})", f"the field {selector}")
        if self.browser.by_keyboard:
            keyboard.reach(self, find, selector)
        # A page that does not have the keys at this moment loses what is typed: then again, as a person would. Fields of
        # numbers and dates tell nothing of what is put into them.
        for _ in range(3):
            self.js(f"(() => {{ const e = {find}; e.scrollIntoView({{block: 'center', behavior: 'instant'}}); e.focus();"
                    " if (e.select) e.select(); window.isTyped = /date|time|month|week|number/.test(e.type);"
                    " e.addEventListener('input', () => { window.isTyped = true; }, {once: true, capture: true}); })()")
            self.send("Input.insertText", text=text)
            if not text or self.js("window.isTyped !== false"):
                break
        else:
            raise Failure(f"{self.name}: nothing arrives in {selector}\n{self.describe()}")
        self.js(f"({find}).dispatchEvent(new Event('change', {{bubbles: true}}))")

    def choose(self, selector, value):
        """Chooses an option of a select by value or words."""
        self.actions += 1
        find = self.finder(selector)
        self.wait(f"!!({find})", f"the field {selector}")
        self.js(f"""(() => {{ const e = {find};
            const o = [...e.options].find(o => o.value === {json.dumps(value)} || o.text === {json.dumps(value)});
            if (!o) throw new Error('no such option among ' + [...e.options].map(o => o.value + '=' + o.text));
            e.value = o.value; e.dispatchEvent(new Event('input', {{bubbles: true}}));
            e.dispatchEvent(new Event('change', {{bubbles: true}})); }})()""")

    def upload(self, selector, *paths):
        self.actions += 1
        if self.browser.wording:
            for path in paths:
                self.browser.wording.typed(Path(path).name)
        self.wait(f"!!document.querySelector({json.dumps(selector)})", f"the field {selector}")
        if self.browser.by_keyboard:
            keyboard.reach(self, self.finder(selector), selector)
        root = self.send("DOM.getDocument")["root"]["nodeId"]
        node = self.send("DOM.querySelector", nodeId=root, selector=selector)["nodeId"]
        self.send("DOM.setFileInputFiles", files=[str(path) for path in paths], nodeId=node)

    def drop(self, selector, path):
        """Drags a file from the desktop over an element, and lets go."""
        self.actions += 1
        if self.browser.wording:
            self.browser.wording.typed(Path(path).name)
        x, y = self.locate(selector)
        data = {"items": [], "files": [str(path)], "dragOperationsMask": 1}
        for kind in ("dragEnter", "dragOver", "drop"):
            self.send("Input.dispatchDragEvent", type=kind, x=x, y=y, data=data)

    def press(self, key, code=None, modifiers=0):
        text = {"Enter": "\r", " ": " "}.get(key)
        for kind in ("keyDown", "keyUp"):
            extra = {"text": text} if text and kind == "keyDown" else {}
            self.send("Input.dispatchKeyEvent", type=kind, key=key, code=code or key, modifiers=modifiers, **extra)

    def resize(self, width, height, mobile=False):
        self.send("Emulation.setDeviceMetricsOverride", width=width, height=height,
                  deviceScaleFactor=2 if mobile else 1, mobile=mobile)

    def scheme(self, name, motion="no-preference"):
        self.send("Emulation.setEmulatedMedia", features=[
            {"name": "prefers-color-scheme", "value": name}, {"name": "prefers-reduced-motion", "value": motion}])

    def offline(self, is_offline=True):
        """Cuts the network off, for the page and for the service workers of this context, or brings it back."""
        workers = [session for session, context in self.browser.workers.items() if context == self.context]
        for session in [self.session, *workers]:
            self.browser.send("Network.emulateNetworkConditions", session, offline=is_offline, latency=0,
                              downloadThroughput=-1, uploadThroughput=-1)

    def downloads(self, folder):
        """Where files go that the pages of this context save."""
        self.browser.send("Browser.setDownloadBehavior", behavior="allow", browserContextId=self.context,
                          downloadPath=str(folder))

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
        self.viewport, self.authenticator, self.gives_secrets = viewport, None, False
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
            options["hasPrf"] = self.gives_secrets = True
        self.authenticator = self.send("WebAuthn.addVirtualAuthenticator", options=options)["authenticatorId"]
        return self.authenticator

    def is_recognised(self, verified):
        """Whether the next looks at the device succeed."""
        self.send("WebAuthn.setUserVerified", authenticatorId=self.authenticator, isUserVerified=verified)

    def is_touched(self, present):
        """Whether somebody touches the authenticator when it asks."""
        self.send("WebAuthn.setAutomaticPresenceSimulation", authenticatorId=self.authenticator, enabled=present)

    def forges(self, **bits):
        """Makes the authenticator answer wrongly: `isBogusSignature`, `isBadUV`, `isBadUP`."""
        self.send("WebAuthn.setResponseOverrideBits", authenticatorId=self.authenticator, **bits)


def until(condition, what, seconds=60):
    """Waits for a condition and gives its value.

    Asks often at first and then less: each question costs the page time in which it could do what is waited for.
    """
    end, pause = time.monotonic() + seconds, 0.01
    while True:
        value = condition()
        if value:
            return value
        if time.monotonic() > end:
            raise Failure(f"waited {seconds} s for {what}")
        time.sleep(pause)
        pause = min(pause * 1.2, 0.06)


def until_saved(file, seconds=60):
    """Waits until a file is saved as a whole: Chromium puts an empty one there first."""
    until(lambda: file.exists() and file.stat().st_size > 0 and not list(file.parent.glob("*.crdownload")),
          f"{file.name} to be saved", seconds)


def _pattern(text):
    """The JavaScript expression that this text and no other matches."""
    return re.sub(r"([\\^$.|?*+()\[\]{}/])", r"\\\1", text)
