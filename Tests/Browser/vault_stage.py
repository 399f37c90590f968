"""What the scripts about the vault share besides vault.py: a server and pages whose clocks can be moved, and what was asked of the
server."""

import os
import re
import struct
import subprocess
import tempfile
from pathlib import Path

from attacks_stage import Failure, expect, server, shown, tap
from chromium import until
from fallbacks import FIRST

ROOT = Path(__file__).resolve().parents[2]

# The page's clock, and its timers of half a minute or more: they come when the test lets time pass, and not while the page sleeps.
CLOCK = """{ const [now, later, clear] = [Date.now.bind(Date), globalThis.setTimeout, globalThis.clearTimeout];
const waiting = new Map(); let [ahead, last] = [0, 1e6];
Date.now = () => now() + ahead;
globalThis.setTimeout = (act, time = 0, ...rest) => {
    if (time < 30000) return later(act, time, ...rest);
    waiting.set(last += 1, { due: Date.now() + time, act }); return last; };
globalThis.clearTimeout = (id) => { if (!waiting.delete(id)) clear(id); };
globalThis.sleep = (time) => { ahead += time; };
globalThis.pass = (time) => { ahead += time;
    for (const [id, one] of [...waiting]) if (one.due <= Date.now()) { waiting.delete(id); one.act(); } }; }"""


class Clock:
    """A server's clock that a test moves, and never back."""

    def __init__(self):
        folder = Path(tempfile.mkdtemp(prefix="countersign-clock-"))
        library, self.file = folder / "later.so", folder / "ahead"
        source = ROOT / "scripts" / "attacks" / "later.c"
        built = subprocess.run(["cc", "-shared", "-fPIC", "-O1", "-o", library, source, "-ldl"], capture_output=True, text=True)
        if built.returncode:
            raise Failure(f"{source.name} does not compile: {built.stderr}")
        self.ahead, self.settings = 0, {"LD_PRELOAD": str(library), "ATTACK_LATER": str(self.file)}
        self.file.write_bytes(struct.pack("q", 0))

    def server(self, *flags):
        """A server that looks at this clock."""
        os.environ.update(self.settings)
        try:
            return server(*flags)
        finally:
            for name in self.settings:
                del os.environ[name]

    def advance(self, seconds):
        self.ahead += seconds
        with open(self.file, "r+b") as file:
            file.write(struct.pack("q", self.ahead))


def asked(page, since):
    """What a page asked the server for since so many requests: method, path without names, and how long the body was."""
    found = []
    for one in page.requests[since:]:
        path = one["url"].split("/", 3)[-1]
        if path.startswith("api/"):
            found.append((one["method"], re.sub(r"[0-9a-f]{32}", "ID", path), len(one.get("postData", ""))))
    return found


# Where passkeys have no secrets: this browser's keys open the vault, behind a passphrase.


def sign_up_with_passphrase(page, stage, username):
    """A passkey that locks no keys: the page offers a passphrase for them."""
    page.goto(stage.url + "/sign-up")
    page.wait("document.querySelector('#go')?.textContent.length > 0")
    page.fill("#given_name", username)
    page.fill("#username", username)
    tap(page, "#go")
    page.wait(f"location.pathname === '/wallet' || {shown('#passphrase')}", "the wallet, or to be asked for a passphrase", 90)
    if page.js("location.pathname") != "/wallet":
        page.fill("#passphrase", FIRST)
        tap(page, "#go")
        page.wait("location.pathname === '/wallet'", "the wallet", 60)


def dotted(page, *fields):
    """Whether fields that are there show dots for what is typed."""
    return page.js(f"{list(fields)}.every(one => document.querySelector(one).type === 'password')")


def agree(page, selector):
    """Types the passphrase whenever it is asked for, until something is shown."""
    def there():
        if page.js(shown(selector)):
            return True
        if page.js(f"{shown('#prompt-passphrase')} && !document.querySelector('#prompt-passphrase').value && !document.querySelector('dialog[open] [aria-busy]')"):
            page.fill("#prompt-passphrase", FIRST)
            expect(dotted(page, "#prompt-passphrase"), "the passphrase of this browser's keys is shown")
            page.js("document.querySelector('#prompt-passphrase').form.requestSubmit()")
        return False
    until(there, f"{selector} to be shown", 60)


def make_with_own_keys(page):
    """Makes a vault on its page."""
    tap(page, "#make")
    page.wait(f"{shown('#vault-tutorial')} || {shown('#recovery-title')} || {shown('#prompt-passphrase')}")
    if page.js(shown("#vault-tutorial")):
        tap(page, "#vault-tutorial .quiet")
    agree(page, "#recovery-title")
    words = page.js("[...document.querySelectorAll('.recovery-words li')].map(e => e.textContent)")
    tap(page, "dialog[open] .primary")
    page.fill("#words", " ".join(words))
    tap(page, "dialog[open] .primary")
    agree(page, "#opened")
