"""The ways that are left where passkeys or their secrets do not work: Firefox and WebKitGTK. And pages over TLS.

    COUNTERSIGN=.build/release/countersign python Tests/Browser/fallbacks.py [words of a case …]

Chromium plays the organisation and makes the document that the others verify. One line for each case.
"""

import json
import sys
import time

from attacks_stage import (
    KEYS, NO_WORKER, Cases, Failure, appoint, check, expect, front, issue, server, set_up, shown, sign_up, tap, until, visit)
from chromium import Chromium
from firefox import NO_PASSKEYS, SOFT_TOKEN, Firefox
from tls import pages_over_tls
from webkit import WebKit

FIRST, SECOND = "quite a long phrase", "brand new passphrase"

RECORDS = "import('/assets/accounts/records.js')"

# Keeps what a page offers for saving.
KEEP = """
const original = URL.createObjectURL;
URL.createObjectURL = function (blob) { if (blob instanceof Blob) self.kept = blob; return original.call(this, blob); };
"""


class Fallbacks:
    def __init__(self, stage):
        self.stage, self.file, self.fingerprint = stage, "", ""

    def person(self, browser, name):
        person = browser.person(name)
        person.send("Page.addScriptToEvaluateOnNewDocument", source=NO_WORKER)
        person.has_biometrics()
        return person

    def set_up(self, browser):
        self.browser, self.owner = browser, self.person(browser, "owner")
        set_up(self.owner, self.stage, "Example University", "Olivia Owner", "owner")

    def make_file(self):
        """A document, shown to somebody, as a file."""
        if self.file:
            return
        admin, member = self.person(self.browser, "admin"), self.person(self.browser, "member")
        appoint(self.owner, admin, self.stage, "Grace Hopper", "admin")
        sign_up(member, self.stage, "member")
        check(admin, member, self.stage)
        document = issue(admin, member, self.stage, text="Letter")
        member.send("Page.addScriptToEvaluateOnNewDocument", source=KEEP)
        front(member)
        visit(member, f"/wallet/document#{document}", self.stage.url)
        tap(member, "#open")
        tap(member, "#show")
        member.fill("#audience", "employer.example")
        tap(member, "#choose-all")
        tap(member, "#choose button[type=submit]")
        tap(member, "#sign")
        member.wait(shown("[data-step=done]"))
        tap(member, "#save")
        member.wait("!!self.kept")
        self.fingerprint = member.js(f"{KEYS}.then(k => k.device()).then(d => d.trust.fingerprint)")
        self.file = member.js("self.kept.text()")

    # What people do, in any engine.

    def wait(self, engine, expression, what=None, seconds=60):
        def holds():
            try:
                return engine.js("return " + expression)
            except Failure:
                return None
        try:
            return until(holds, what or expression, seconds)
        except Failure as failure:
            raise Failure(f"{engine.name}: {failure}\n" + str(engine.js(
                "return location.href + '\\n' + document.body.innerText.slice(0, 800)"))) from None

    def fill(self, engine, selector, text):
        found = f"document.querySelector({json.dumps(selector)})"
        self.wait(engine, f"!!{found}")
        engine.js(f"const e = {found}; e.focus(); e.value = {json.dumps(text)};"
                  "for (const n of ['input', 'change']) e.dispatchEvent(new Event(n, {bubbles: true}))")

    def click(self, engine, selector):
        # A button that is still at work takes no press.
        self.wait(engine, f"(e => !!e && e.getAttribute('aria-busy') !== 'true')(document.querySelector({json.dumps(selector)}))")
        engine.js(f"document.querySelector({json.dumps(selector)}).click()")

    def elsewhere(self, engine):
        """Away from a page, until the next one has done what it does at first: leaving early is a case of its own."""
        engine.goto(self.stage.url + "/help")
        self.wait(engine, f"{RECORDS}.then(r => r.signedIn()).then(() => document.readyState === 'complete')")

    def session(self, engine):
        return engine.js("return (await fetch('/api/sessions/current')).json()")

    # The cases.

    def passkey(self, engine):
        """Firefox's test authenticator makes passkeys whose secrets open the keys; no server takes its assertions."""
        engine.goto(self.stage.url + "/help")
        engine.has_biometrics()
        self.begin_sign_up(engine, "firefox-passkey", "passkey")
        self.click(engine, "#go")
        self.wait(engine, "location.pathname === '/wallet'", "the wallet")
        self.wait(engine, "document.documentElement.dataset.state === 'ready'")
        kind = engine.js(f"return {KEYS}.then(k => k.device()).then(d => d.kind)")
        expect(kind == "prf", f"the keys are locked by {kind}")
        # Before the server goes: a module that was never loaded cannot be.
        # The modules that open keys come with the first press of a pointer or key.
        engine.js(f"self.pageKeys = await {KEYS}; await import('/assets/accounts/opening.js')")
        self.stage.stop()
        try:
            length = engine.js("let n = 0;"
                               # A test reads no bytes that a page's key has made in Firefox: that they were made is enough.
                               "const made = (error) => { if (!/Xrays/.test(error.message)) throw error; return { length: 64 }; };"
                               "await self.pageKeys.use('Sign it', async k => { n = (await k.sign(new Uint8Array(4)).catch(made)).length });"
                               " return n")
        finally:
            self.stage.start()
        expect(length == 64, "the keys do not open without a network")

    def begin_sign_up(self, engine, username, word):
        engine.goto(self.stage.url + "/sign-up")
        self.wait(engine, f"document.querySelector('#go')?.textContent.includes({json.dumps(word)})")
        self.fill(engine, "#given_name", username)
        self.fill(engine, "#username", username)

    def looking(self, engine):
        """
        A page where nothing is kept yet makes no database. Left in the middle of that, WebKit keeps every later page
        waiting for it.
        """
        for path in ("/", "/help", "/verify", "/verifiers", "/sign-in", "/sign-up", "/add-device"):
            engine.goto(self.stage.url + path)
            # The last thing that such a page does: it knows whether somebody is signed in.
            self.wait(engine, f"{RECORDS}.then(r => r.signedIn()).then(whose => whose === null)")
            made = engine.js("return (await indexedDB.databases()).map(one => one.name)")
            expect(made == [], f"{path} has made {made}")

    def passphrase(self, engine):
        name = engine.name.lower() + "-passphrase"
        engine.goto(self.stage.url + "/help")
        self.begin_sign_up(engine, name, "passphrase")
        expect("no passkeys" in engine.js("return document.querySelector('#way-notice').innerText"), "the page does not say why")
        self.fill(engine, "#passphrase", FIRST)
        self.click(engine, "#go")
        self.wait(engine, "location.pathname === '/wallet'", "the wallet", 60)
        engine.goto(self.stage.url + "/wallet/devices")
        self.wait(engine, shown("#devices-content"))
        self.wait(engine, "/weaker/i.test(document.querySelector('main').innerText)", "to read that this is weaker")
        # A key is used, with a wrong passphrase first: it counts, and the right one sets the count back.
        self.fill(engine, "#new-passphrase", SECOND)
        self.click(engine, "#set-passphrase")
        self.fill(engine, "#prompt-passphrase", "not this one at all")
        self.click(engine, "dialog[open] button[type=submit]")
        self.wait(engine, "document.querySelector('dialog[open] .error-text')?.textContent.includes('One attempt is left')")
        self.fill(engine, "#prompt-passphrase", FIRST)
        self.click(engine, "dialog[open] button[type=submit]")
        self.wait(engine, "!!document.querySelector('#notices .notice.success')", "the new passphrase")
        self.click(engine, "[data-sign-out]")
        self.wait(engine, "location.pathname === '/'")
        expect(engine.js("return (await fetch('/api/sessions/current')).status") == 401, "still signed in")
        self.sign_in(engine, name)

    def sign_in(self, engine, name):
        for passphrase, works in ((FIRST, False), (SECOND, True)):
            engine.goto(self.stage.url + "/sign-in?next=/wallet/log")
            self.wait(engine, "document.querySelectorAll('#accounts button').length === 1")
            self.click(engine, "#accounts button")
            self.fill(engine, "#passphrase", passphrase)
            self.click(engine, "#go")
            if not works:
                self.wait(engine, "!!document.querySelector('#passphrase-error').textContent", "the refusal")
        self.wait(engine, "location.pathname === '/wallet/log'", "to be signed in")
        current = self.session(engine)
        expect(current["account"]["username"] == name and current["device"], f"{current}")

    def left_early(self, engine):
        """A page that is left in the middle holds nothing that the next one needs."""
        for number in range(20):
            engine.goto(self.stage.url + "/wallet/log")
            self.wait(engine, "location.pathname === '/wallet/log' && document.readyState !== 'loading'")
            # Later and later: each time it is at something else.
            time.sleep(0.02 * number)
            engine.goto(self.stage.url + "/wallet/devices")
            self.wait(engine, shown("#devices-content"))

    def two_wrong(self, engine):
        """Two wrong passphrases in a row end the session."""
        engine.goto(self.stage.url + "/wallet/devices")
        self.wait(engine, shown("#devices-content"))
        self.fill(engine, "#new-passphrase", FIRST)
        self.click(engine, "#set-passphrase")
        for words in ("One attempt is left", "session has ended"):
            self.fill(engine, "#prompt-passphrase", "wrong " + words)
            self.click(engine, "dialog[open] button[type=submit]")
            self.wait(engine, f"document.querySelector('dialog[open] .error-text')?.textContent.includes({json.dumps(words)})")
        expect(engine.js("return (await fetch('/api/sessions/current')).status") == 401, "the session goes on")

    def verify(self, engine):
        self.make_file()
        engine.goto(f"{self.stage.url}/verify#anchor={self.fingerprint}")
        self.wait(engine, "!!document.querySelector('dialog#candidate[open] button[value=same]')", "the question about the root")
        self.click(engine, "dialog#candidate button[value=same]")
        self.wait(engine, "document.querySelectorAll('#anchors li').length === 1 && "
                          "document.querySelector('#anchors').innerText.includes('Example University')", "the root")
        self.judge(engine, self.file, "yes")
        changed = self.file.replace("employer.example", "another.example")
        cut = len(self.file) // 2
        for wrong in (changed if changed != self.file else None, self.file[:cut] + ("A" if self.file[cut] != "A" else "B") + self.file[cut + 1:]):
            if wrong:
                self.judge(engine, wrong, "no")

    def judge(self, engine, file, verdict):
        self.elsewhere(engine)
        engine.goto(self.stage.url + "/verify")
        self.wait(engine, "document.querySelectorAll('#anchors li').length === 1 && "
                          "document.querySelector('#anchors').innerText.includes('Example University')", "the remembered root")
        self.fill(engine, "#audience", "employer.example")
        self.fill(engine, "#pasted", file)
        engine.js("document.querySelector('#paste').requestSubmit()")
        self.wait(engine, "!!document.querySelector('#verdict.yes, #verdict.no, #verdict.unsure')", "a verdict")
        found = engine.js("return document.querySelector('#verdict').className")
        expect(verdict in found.split(), f"the verdict is {found}: " + str(engine.js("return document.querySelector('main').innerText.slice(0, 600)")))


def main():
    case = Cases()
    case("Chromium: TLS by the certificate that is trusted, and by no other", pages_over_tls)
    with server() as stage, Chromium() as browser:
        fallbacks = Fallbacks(stage)
        fallbacks.set_up(browser)
        with Firefox(SOFT_TOKEN) as firefox:
            case("Firefox: a passkey locks the keys and opens them without a network", fallbacks.passkey, firefox)
        for make in (lambda: Firefox(NO_PASSKEYS), WebKit):
            with make() as engine:
                name = f"{engine.name} without passkeys"
                case(f"{name}: pages that only look make no database", fallbacks.looking, engine)
                case(f"{name}: sign-up, use of a key, sign-in by passphrase", fallbacks.passphrase, engine)
                case(f"{name}: a page that is left early keeps no other one waiting", fallbacks.left_early, engine)
                case(f"{name}: two wrong passphrases end the session", fallbacks.two_wrong, engine)
                case(f"{name}: a document is verified, a changed one is not", fallbacks.verify, engine)
    return case.end()


if __name__ == "__main__":
    sys.exit(main())
