"""The example bank: a customer at its pages in one browser context, and their wallet in another.

    COUNTERSIGN=.build/release/countersign python Tests/Browser/bank.py [words of a case …]

Sign-ins and transfers are approved, denied, left to expire, and answered with a wrong code; somebody asks again and again;
then the other second factors. It prints what each took: a script is no human, so that says how many acts there are and nothing about people.
The acts have to be those of the table in docs/approvals.md. The camera films a file.
"""

import base64
import contextlib
import hashlib
import hmac
import os
import re
import struct
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from air_gap import HEIGHT, WIDTH, write_film
from attacks_stage import NO_WORKER, Cases, api, expect, front, server, set_up, shown, tap, visit
from bank_acts import documented, scanned
from chromium import Chromium, until

# Seconds for which the bank waits for a second factor: one case sits them out, and a busy machine needs most of them to film.
PATIENCE = 90

# Somebody whom no customer has among their payees.
SHOP = ("Corner Shop", "31415926")


class BankProcess:
    """The example's program beside the server, with an API key in a file."""

    def __init__(self, url, key, public_key):
        self.folder = tempfile.TemporaryDirectory()
        file = Path(self.folder.name) / "api-key"
        file.write_text(key)
        file.chmod(0o600)
        program = Path(os.environ["COUNTERSIGN"]).parent / "example-bank"
        self.process = subprocess.Popen(
            [program, "--server", url, "--service", "bank.example", "--key", public_key, "--api-key-file", file,
             "--port", "0", "--patience", str(PATIENCE)], stdout=subprocess.PIPE, text=True)
        self.url = re.search(r"http://\S+", self.process.stdout.readline())[0]

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.terminate()
        self.process.wait()
        self.folder.cleanup()


class Bank:
    def __init__(self, stage, browser):
        self.stage, self.browser = stage, browser
        self.member, self.customer = (self.person(name) for name in ("member", "customer"))
        set_up(self.member, stage, "Example University", "Olivia Owner", "owner")
        self.process, self.acts, self.times = None, 0, []

    def person(self, name):
        person = self.browser.person(name)
        person.send("Page.addScriptToEvaluateOnNewDocument", source=NO_WORKER)
        person.has_biometrics()
        return person

    def connect(self):
        """An administrator connects the bank."""
        member = self.member
        front(member)
        visit(member, "/console/services", self.stage.url)
        member.fill("#domain", "bank.example")
        member.fill("#name", "Example Bank")
        member.fill("#webhook", "http://bank.example/hook")
        tap(member, "#form button[type=submit]")
        member.wait("document.querySelector('#webhook-error').textContent !== ''", "plain http to be refused")
        member.fill("#webhook", "https://bank.example/hook")
        tap(member, "#form button[type=submit]")
        member.wait(shown("#new-key"))
        key = member.text("#api-key")
        # The list is drawn after the key is shown.
        member.wait("document.querySelector('#services .fingerprint')")
        public_key = member.js("document.querySelector('#services .fingerprint').textContent")
        tap(member, "#key-done")
        tap(member, "dialog[open] button[value=yes]")
        # The address is changed and removed where it is shown.
        form = "#services form"
        expect(member.js(f"document.querySelector('{form}').elements.url.value") == "https://bank.example/hook", "another address")
        member.js(f"document.querySelector('{form}').closest('details').open = true")
        member.fill(f"{form} input", "https://10.0.0.1/")
        tap(member, f"{form} button")
        member.wait(f"document.querySelector('{form} .error').textContent !== ''", "an address inside to be refused")
        member.fill(f"{form} input", "")
        tap(member, f"{form} button")
        member.see("is told nothing any more")
        self.process = BankProcess(self.stage.url, key, public_key)

    # The customer at the bank. Acts are counted: a field that is filled, a button, a look at another device.

    def type(self, selector, text):
        self.acts += 1
        self.customer.fill(selector, text)

    def press(self, selector):
        self.acts += 1
        tap(self.customer, selector)

    def at(self, path):
        self.customer.wait(f"location.pathname === '{path}' && document.readyState === 'complete'", f"{path} of the bank")

    def begin(self, username):
        customer = self.customer
        front(customer)
        customer.send("Network.clearBrowserCookies")
        customer.goto(self.process.url + "/sign-in")
        self.acts, self.began = 0, time.monotonic()
        self.type("#username", username)
        self.type("#password", "purple")
        self.press("form .primary")

    @contextlib.contextmanager
    def elsewhere(self):
        """Meanwhile the customer is at another browser, and at theirs nothing ends."""
        here, self.customer = self.customer, self.person("elsewhere")
        try:
            yield
        finally:
            self.customer.close()
            self.customer = here
            front(here)

    def pay(self, amount="30", payee=None):
        customer = self.customer
        front(customer)
        customer.goto(self.process.url + "/transfer")
        self.acts, self.began = 0, time.monotonic()
        if payee:
            customer.choose("#payee", payee)
        self.type("#amount", amount)
        self.press("form .primary")
        customer.wait("location.pathname === '/transfer/check'")
        self.press("main form .primary")
        customer.wait("location.pathname !== '/transfer/check'")

    def done(self, factor, kind):
        self.times.append((factor, kind, self.acts, time.monotonic() - self.began))

    def balance(self):
        self.customer.goto(self.process.url + "/")
        self.customer.wait("document.querySelector('.balance')?.innerText", "the balance")
        return self.customer.text(".balance")

    # Their wallet.

    def answer(self, code=None, deny=False, wrong=None):
        """Looks at the wallet, opens what waits, and answers."""
        member = self.member
        front(member)
        self.acts += 1
        visit(member, "/wallet/approvals", self.stage.url)
        member.wait("document.querySelectorAll('#waiting > li').length === 1", "one question to wait")
        self.acts += 1
        member.js("document.querySelector('#waiting a').click()")
        member.wait(shown("[data-step=read]"))
        lines = member.text("#lines")
        if deny:
            tap(member, "#deny")
            member.click("[name=reason][value=mistake]")
            tap(member, "#deny-now")
            member.wait(shown("#verdict.no"))
        elif wrong:
            for _ in range(2):
                member.fill("#code", wrong)
                tap(member, "#allow")
                member.wait("document.querySelector('#code-error').textContent !== ''", "the wrong code to be refused")
                member.js("document.querySelector('#code-error').textContent = ''")
            member.fill("#code", wrong)
            tap(member, "#allow")
        else:
            self.acts += 2
            member.fill("#code", code)
            tap(member, "#allow")
            member.wait(shown("#verdict.yes"))
        front(self.customer)
        return lines

    def code(self):
        self.at("/confirm")
        return self.customer.text("#code")

    def enrol(self):
        """The wallet of ada, who had no second factor."""
        customer, member = self.customer, self.member
        self.begin("ada")
        self.at("/")
        self.done("none", "sign-in")
        self.pay("1")
        self.at("/")
        self.done("none", "transfer")
        customer.goto(self.process.url + "/factors")
        customer.click("[name=factor][value=approval]")
        self.press("main form .primary")
        self.at("/factors/approval")
        link = customer.js("document.querySelector('#link').getAttribute('href')")
        front(member)
        visit(member, "/wallet/approvals/add", self.stage.url)
        member.wait(shown("#form"))
        member.fill("#code", link)
        tap(member, "#form button[type=submit]")
        tap(member, "#accept")
        member.wait("document.querySelector('#digits').textContent.length === 6")
        digits = member.text("#digits")
        front(customer)
        # The page finds out by itself.
        customer.wait("document.querySelector('#code')?.textContent.length === 6", "the digits at the bank")
        expect(customer.text("#code") == digits, "both screens differ")
        self.press("main form .primary")
        customer.see("Your second factor is now: Approval in your wallet")
        front(member)
        member.wait(shown("[data-step=over]"))

    def approved(self):
        self.begin("ada")
        lines = self.answer(self.code())
        expect("sign-in" in lines.lower() or "sign in" in lines.lower(), lines)
        for words in ("place", "internet address", "time", "device"):
            expect(words in lines.lower(), lines)
        # Nobody has to press anything at the bank.
        self.at("/")
        self.done("approval", "sign-in")
        expect("Ada Lovelace" in self.customer.text("header"), self.customer.text("header"))
        before = self.balance()
        self.pay("30.50")
        lines = self.answer(self.code())
        for words in ("30.50 GBP", "Purple Plumbing", "08233593"):
            expect(words in lines, lines)
        self.at("/")
        self.done("approval", "transfer")
        self.customer.see("30.50 GBP went to Purple Plumbing")
        expect(before == "2499.00 GBP" and self.balance() == "2468.50 GBP", f"{before}, then {self.balance()}")

    def denied(self):
        self.pay("20")
        self.code()
        self.answer(deny=True)
        self.customer.see("It was denied in your wallet")
        balance = self.balance()
        expect(balance == "2468.50 GBP", balance)
        with self.elsewhere():
            self.begin("ada")
            self.code()
            self.answer(deny=True)
            self.at("/sign-in")
            self.customer.see("It was denied in your wallet")

    def mistyped(self):
        before = self.balance()
        self.pay("40")
        self.mistypes()
        self.at("/")
        self.customer.see("It was ended after wrong codes")
        expect(self.balance() == before, f"{before}, then {self.balance()}")
        with self.elsewhere():
            self.begin("ada")
            self.mistypes()
            self.at("/sign-in")
            self.customer.see("It was ended after wrong codes")

    def mistypes(self):
        self.answer(wrong="%04d" % ((int(self.code()) + 1) % 10_000))

    def expired(self):
        """A transfer and a sign-in wait at the same time, in two browsers."""
        before = self.balance()
        self.pay("50")
        self.code()
        with self.elsewhere():
            self.begin("ada")
            self.code()
            self.runs_out("/sign-in")
        self.runs_out("/")
        expect(self.balance() == before, f"{before}, then {self.balance()}")

    def runs_out(self, path):
        self.customer.wait(f"location.pathname === '{path}'", "the time to be over", seconds=PATIENCE + 30)
        self.at(path)
        text = self.customer.text("main")
        expect("Nobody answered in time" in text or "The time is over" in text, text)

    def fatigue(self):
        """Somebody who has the password asks again and again, each time in another browser: the wallet hears of two."""
        member = self.member
        front(member)
        visit(member, "/wallet/approvals/services", self.stage.url)
        asked = len(api(member, "GET", "/api/approvals/history")[1]["items"])
        member.wait("document.querySelector('#per-service').value !== ''")
        member.fill("#per-service", str(asked + 2))
        tap(member, "#keep")
        member.wait("!!document.querySelector('#notices .success')", "the budget to be kept")
        words = []
        for _ in range(5):
            with self.elsewhere():
                self.begin("ada")
                self.customer.wait(f"{shown('#code')} || {shown('.message')}", "what comes of it")
                words.append(self.customer.text(".message"))
        expect(words == ["", ""] + 3 * ["You were asked too often. Try again later."], f"{words}")
        front(member)
        visit(member, "/wallet/approvals", self.stage.url)
        member.wait("document.querySelectorAll('#waiting > li').length > 0", "what waits")
        rows = member.js("document.querySelectorAll('#waiting > li').length")
        waiting = len(api(member, "GET", "/api/approvals/challenges")[1]["items"])
        expect((rows, waiting) == (2, 2), f"{rows} in the list, {waiting} wait")
        # They end: else the bank waits for them when it stops.
        expect(api(member, "PUT", "/api/approvals/freeze")[0] == 200, "approvals are not frozen")

    def texted(self):
        self.begin("sam")
        self.type_text("signs")
        self.at("/")
        self.done("SMS", "sign-in")
        self.pay()
        self.type_text("pays")
        self.at("/")
        self.done("SMS", "transfer")
        expect(self.balance() == "2470.00 GBP", self.balance())

    def payee(self):
        """A payee who is added in the page is paid like the others, and the history says so."""
        customer, (name, number) = self.customer, SHOP
        for typed, words in ((number[1:], "An account number has 8 digits."), (number, ""),
                             (number, "You have a payee of this account already.")):
            customer.goto(self.process.url + "/payees")
            customer.fill("#name", name)
            customer.fill("#number", typed)
            self.press("main form .primary")
            customer.see(words or number, "main .message" if words else "main .rows")
        self.pay("12.34", number)
        self.type_text(re.escape(f"pays 12.34 GBP to {name} ({number})"))
        self.at("/")
        expect(self.balance() == "2457.66 GBP", self.balance())
        customer.goto(self.process.url + "/history")
        row = customer.text(".rows li")
        for words in (f"To {name}", "-12.34 GBP", "10000001", "confirmed by: Code by SMS"):
            expect(words in row, row)

    def type_text(self, word):
        self.at("/confirm")
        self.acts += 1
        phone = self.browser.person("phone")
        phone.goto(self.process.url + "/phone")
        code = re.search(rf"(\d{{6}}) {word}", phone.text("main"))[1]
        phone.close()
        front(self.customer)
        self.type("#code", code)
        self.press("main form .primary")

    def card(self):
        self.begin("rita")
        self.at("/confirm")
        self.type_response({"#challenge": self.customer.text("#challenge")})
        self.at("/")
        self.done("card reader", "sign-in")
        self.pay()
        self.at("/confirm")
        self.type_response({"#account": self.customer.text("#account"), "#amount": self.customer.text("#amount")})
        self.at("/")
        self.done("card reader", "transfer")
        expect(self.balance() == "2470.00 GBP", self.balance())

    def type_response(self, digits):
        reader = self.browser.person("reader")
        reader.goto(self.process.url + "/reader")
        # The reader is fetched and the card put in; then mode and PIN; then the digits.
        self.acts += 2 + 2 + len(digits)
        reader.fill("#pin", "1234")
        for field, text in digits.items():
            reader.fill(field, text)
        tap(reader, "main form .primary")
        reader.see("The reader shows")
        response = re.search(r"shows (\d{8})", reader.text("main"))[1]
        reader.close()
        front(self.customer)
        self.type("#code", response)
        self.press("main form .primary")

    def clock(self):
        customer = self.customer
        self.begin("theo")
        self.at("/")
        customer.goto(self.process.url + "/factors")
        customer.click("[name=factor][value=totp]")
        self.press("main form .primary")
        self.at("/factors/totp")
        secret = base64.b32decode(customer.text("#secret"))
        # The code of the step before counts as long as this step lasts.
        until(lambda: time.time() % 30 < 15, "a step that lasts a while")
        customer.fill("#code", totp(secret, -1))
        tap(customer, "form[method=post].card .primary")
        customer.see("Your second factor is now: Authenticator app")
        self.begin("theo")
        self.type_totp(secret, 0)
        self.done("TOTP", "sign-in")
        self.pay()
        self.type_totp(secret, 1)
        self.done("TOTP", "transfer")
        expect(self.balance() == "2470.00 GBP", self.balance())

    def type_totp(self, secret, step):
        self.at("/confirm")
        self.acts += 1
        self.type("#code", totp(secret, step))
        self.press("main form .primary")
        self.at("/")

    def looks(self):
        """Every page at phone and desktop size, light and dark: nothing is cut, all fields have names, all can be reached."""
        customer = self.customer
        for width, scheme in ((390, "light"), (390, "dark"), (1280, "light"), (1280, "dark")):
            customer.resize(width, 900, mobile=width < 500)
            customer.scheme(scheme)
            for path in ("/", "/transfer", "/payees", "/history", "/factors", "/times", "/phone", "/reader"):
                customer.goto(self.process.url + path)
                wide = customer.js("document.documentElement.scrollWidth - document.documentElement.clientWidth")
                expect(wide <= 0, f"{path} is {wide} pixels too wide at {width}")
                unnamed = customer.js(
                    "[...document.querySelectorAll('input:not([type=hidden]), select')].filter(e => !e.labels.length).map(e => e.name)")
                expect(unnamed == [], f"{path}: {unnamed} have no label")
                low = customer.js(CONTRAST)
                expect(low == [], f"{path} at {width} {scheme}: {low}")
        customer.resize(1280, 900)
        # By keyboard alone.
        customer.goto(self.process.url + "/transfer")
        names = []
        for _ in range(40):
            customer.press("Tab")
            names.append(customer.js("document.activeElement.id || document.activeElement.textContent.trim()"))
            ring = customer.js("getComputedStyle(document.activeElement).outlineStyle")
            expect(names[-1] == "" or ring != "none", f"{names[-1]} shows no focus")
            if names[-1] == "Check the transfer":
                break
        expect(names[0] == "Skip to the content", f"{names}")
        order = [name for name in names if name in ("from", "payee", "amount", "remark", "Check the transfer")]
        expect(order == ["from", "payee", "amount", "remark", "Check the transfer"], f"{names}")


# Words whose colours are less than 4.5 to 1 apart (WCAG 2.2, 1.4.3).
CONTRAST = """(() => {
  const canvas = document.createElement('canvas').getContext('2d', { willReadFrequently: true });
  const rgb = (colour) => { canvas.clearRect(0, 0, 1, 1); canvas.fillStyle = colour; canvas.fillRect(0, 0, 1, 1); return [...canvas.getImageData(0, 0, 1, 1).data]; };
  const light = ([r, g, b]) => [r, g, b].map(v => (v /= 255) <= .04045 ? v / 12.92 : ((v + .055) / 1.055) ** 2.4).reduce((s, v, i) => s + v * [.2126, .7152, .0722][i], 0);
  const ground = (element) => { for (let e = element; e; e = e.parentElement) { const c = rgb(getComputedStyle(e).backgroundColor); if (c[3] === 255) return c; } return [255, 255, 255]; };
  return [...document.querySelectorAll('main *, header *, footer *')].filter(e => e.checkVisibility() && [...e.childNodes].some(n => n.nodeType === 3 && n.textContent.trim()))
    .map(e => { const [a, b] = [light(rgb(getComputedStyle(e).color)), light(ground(e))].sort((x, y) => y - x); return [e.textContent.trim().slice(0, 30), (a + .05) / (b + .05)]; })
    .filter(([, ratio]) => ratio < 4.5);
})()"""


def totp(secret, step):
    """RFC 6238, some steps from now."""
    mac = hmac.digest(secret, struct.pack(">q", int(time.time()) // 30 + step), hashlib.sha1)
    place = mac[-1] & 15
    return "%06d" % ((struct.unpack(">I", mac[place:place + 4])[0] & 0x7FFFFFFF) % 1_000_000)


def main():
    case = Cases()
    with tempfile.TemporaryDirectory() as folder:
        film = Path(folder, "film.y4m")
        write_film(film, [bytes([200]) * (WIDTH * HEIGHT)])
        flags = ["--use-fake-device-for-media-stream", "--use-fake-ui-for-media-stream",
                 f"--use-file-for-fake-video-capture={film}"]
        with server() as stage, Chromium(*flags) as browser:
            walk(case, Bank(stage, browser), film)
    return case.end()


def walk(case, bank, film):
    case("an administrator connects the bank, and a webhook leads nowhere inside", bank.connect)
    if not bank.process:
        return
    with bank.process:
        case("without a second factor, then a wallet is added", bank.enrol)
        case("a sign-in and a transfer are approved in the wallet", bank.approved)
        case("a transfer and a sign-in are denied", bank.denied)
        case("a wrong match code ends a transfer, and a sign-in", bank.mistyped)
        case("nobody answers in time: no transfer, and no sign-in", bank.expired)
        case("a sign-in and a transfer are approved by a wallet that films the page", lambda: scanned(bank, film))
        case("somebody who asks again and again is stopped by the budget, and told so", bank.fatigue)
        case("codes by SMS", bank.texted)
        case("a payee is added, paid, and in the history", bank.payee)
        case("a card reader", bank.card)
        case("an authenticator app", bank.clock)
        case("the documentation says how many acts were counted", lambda: documented(bank.times))
        case("the pages on a phone and a desk, in light and dark, and by keyboard", bank.looks)
    for factor, kind, acts, seconds in bank.times:
        print(f"{factor}: {kind}, {acts} acts, {seconds:.1f} s by a script, which is no human")


if __name__ == "__main__":
    sys.exit(main())
