"""A service asks, members answer in the browser: enrolment, allow with a code, deny, freeze, two together, and the receipt.

    COUNTERSIGN=.build/release/countersign python Tests/Browser/approvals.py [words of a case …]

The service is this program, by the HTTP interface alone. One line for each case.
"""

import base64
import json
import os
import subprocess
import sys
import tempfile
import urllib.error
import urllib.request
from pathlib import Path
from urllib.parse import quote

from attacks_stage import (
    NO_WORKER, Cases, api, end_session, expect, front, mistakes, posted, server, set_up, shown, sign_up, tap, visit)
from chromium import Chromium, until

KEEP = """
const original = URL.createObjectURL;
URL.createObjectURL = function (blob) { if (blob instanceof Blob) self.kept = blob; return original.call(this, blob); };
"""

# Seconds for which a question waits: several cases answer those of one, and a busy machine takes minutes for them.
LIFETIME = 600

# The button of a dialog that does what is asked there.
YES = "dialog[open] button[value=yes], dialog[open] .primary"

SHIFTED = "{ const real = Date.now; Date.now = () => real() + %d; }"


class Service:
    """A bank's program: it knows an address and an API key."""

    def __init__(self, url, key):
        self.url, self.key, self.asked = url, key, 0

    def __call__(self, method, path, body=None):
        request = urllib.request.Request(
            self.url + path, method=method, data=None if body is None else json.dumps(body).encode(),
            headers={"Authorization": f"Bearer {self.key}", "Content-Type": "application/json"})
        try:
            return json.load(urllib.request.urlopen(request, timeout=30))
        except urllib.error.HTTPError as error:
            return json.load(error) | {"status": error.code}

    def enrol(self, user):
        return self("POST", "/api/service/enrolments", {"user": user, "session": "session of " + user})

    def pay(self, user, amount=3000, **more):
        self.asked += 1
        return self("POST", "/api/service/challenges", {
            "idempotency_key": f"payment {self.asked}", "action": "pay", "approvers": [user], "lifetime": LIFETIME,
            "fields": [{"type": "amount", "value": amount, "currency": "GBP"},
                       {"type": "payee", "text": "Purple Plumbing"}, {"type": "account", "text": "08233593"}]} | more)

    def state(self, challenge):
        return self("GET", f"/api/service/challenges/{challenge['id']}")


class Approvals:
    def __init__(self, stage, browser):
        self.stage, self.browser = stage, browser
        self.owner, self.member = self.person("owner"), self.person("member")
        set_up(self.owner, stage, "Example University", "Olivia Owner", "owner")
        sign_up(self.member, stage, "member")
        self.service = self.key = self.second = self.third = None

    def person(self, name, **authenticator):
        person = self.browser.person(name)
        person.send("Page.addScriptToEvaluateOnNewDocument", source=NO_WORKER + KEEP)
        person.has_biometrics(**authenticator)
        return person

    def connect(self):
        """An administrator adds the service, and its key opens the interface."""
        owner = self.owner
        front(owner)
        visit(owner, "/console/services", self.stage.url)
        tap(owner, "#form button[type=submit]")
        expect(len(mistakes(owner, "#form")) == 2, "an empty form is sent")
        owner.fill("#domain", "Bank.Example")
        owner.fill("#name", "Example Bank")
        tap(owner, "#form button[type=submit]")
        owner.wait(shown("#new-key"))
        first = owner.text("#api-key")
        owner.wait("!!document.querySelector('#services > li')", "the service in the list")
        for words in ("Key for old apps", "key replaced"):
            expect(words not in owner.text("#services"), f"{words}: {owner.text('#services')}")
        owner.wait("!!document.querySelector('#services .fingerprint')", "the service in the list")
        self.key = owner.js("document.querySelector('#services .fingerprint').textContent")
        expect(Service(self.stage.url, first)("GET", "/api/service")["domain"] == "bank.example", "another service")
        # Nobody can show it again, so that it is not put away by mistake.
        tap(owner, "#key-done")
        tap(owner, "dialog[open] button:not([value=yes])")
        expect(owner.text("#api-key") == first, "the key went without a question")
        tap(owner, "#key-done")
        tap(owner, "dialog[open] button[value=yes]")
        owner.wait(f"!{shown('#new-key')}")
        expect(owner.js("document.querySelector('#api-key').textContent") == "", "the key stays in the page")
        owner.fill("#domain", "bank.example")
        owner.fill("#name", "Another")
        tap(owner, "#form button[type=submit]")
        owner.wait("document.querySelector('#domain-error').textContent !== ''", "the refusal of the same domain")
        tap(owner, "[data-act=rotate]")
        tap(owner, "dialog[open] button[value=yes], dialog[open] .primary")
        owner.wait(shown("#new-key"))
        second = owner.text("#api-key")
        expect(second != first, "the same key again")
        tap(owner, "#key-done")
        tap(owner, "dialog[open] button[value=yes]")
        owner.wait("document.querySelector('#services').innerText.includes('key replaced')", "the row as it is now")
        expect(Service(self.stage.url, first)("GET", "/api/service")["status"] == 401, "the old key still opens")
        self.service = Service(self.stage.url, second)
        expect(self.service("GET", "/api/service")["domain"] == "bank.example", "the new key opens nothing")
        owner.js("document.querySelector('#services input[name=url]').closest('details').open = true")
        owner.fill("#services input[name=url]", "https://nobody.invalid/hook?key=hunter2")
        tap(owner, "#services form button")
        until(lambda: api(owner, "GET", "/api/services")[1]["items"][0].get("webhook_state"), "the webhook to be kept")
        visit(owner, "/console/services", self.stage.url)
        owner.wait("!!document.querySelector('#services > li')", "the service in the list")
        expect("webhook fails" not in owner.text("#services"), "it fails before anything was sent")

    def quorum(self):
        """An administrator says how many have to approve: said wrongly, set, seen by the service, changed and removed."""
        owner, form = self.owner, "#services [data-quorum]"
        front(owner)
        visit(owner, "/console/services", self.stage.url)
        owner.wait("!!document.querySelector('#services > li')", "the service in the list")
        fold = "document.querySelector('#services [data-quorum]').closest('details').open = true"
        owner.js(fold)
        expect("No quorum" in owner.text("#services [data-quorum-none]"), "no word about there being none")
        tap(owner, "#services [data-quorum-none] button")
        tap(owner, f"{form} [data-act=step]")
        step = f"{form} [data-steps] > li:last-child"
        tap(owner, f"{form} button[type=submit]")
        expect(len(mistakes(owner, form)) == 3, f"{mistakes(owner, form)}")
        owner.fill(f"{form} [name=currency]", "gbp")
        owner.fill(f"{step} [name=from]", "1,000")
        owner.fill(f"{step} [name=need]", "1")
        tap(owner, f"{form} button[type=submit]")
        expect(mistakes(owner, form) == ["Type an amount such as 1000.00.", "Type more people than before."],
               f"{mistakes(owner, form)}")
        owner.fill(f"{form} [name=currency]", "XXX")
        owner.fill(f"{step} [name=from]", "1000")
        owner.fill(f"{step} [name=need]", "2")
        tap(owner, f"{form} button[type=submit]")
        owner.wait(f"document.querySelector('{form} .error').textContent.includes('ISO 4217')", "the server's word at the field")
        owner.fill(f"{form} [name=currency]", "gbp")
        tap(owner, f"{form} button[type=submit]")
        steps = [{"from": 0, "need": 1}, {"from": 100000, "need": 2}]
        until(lambda: self.service("GET", "/api/service").get("quorum") == {"currency": "GBP", "steps": steps}, "the quorum")
        owner.wait("document.querySelector('#services [data-quorum] [name=currency]').value === 'GBP'", "the row again")
        values = owner.js(f"[...document.querySelectorAll('{form} input')].map(e => e.value).join(' ')")
        expect(values == "GBP 0.00 1 1000.00 2", values)
        refused = self.service.pay("customer 1", 100000)
        expect(refused.get("error") == "quorum", f"{refused}")
        owner.js(fold)
        tap(owner, f"{form} [data-act=quorum-end]")
        tap(owner, "dialog[open] button[value=yes], dialog[open] .primary")
        until(lambda: "quorum" not in self.service("GET", "/api/service"), "no quorum any more")

    def enrol(self):
        member, service = self.member, self.service
        front(member)
        visit(member, "/wallet/approvals", self.stage.url)
        member.wait(shown("#nothing"))
        offer = service.enrol("customer 1")
        # First one that the service ends: its page shows other digits.
        self.take(offer["link"])
        service("POST", f"/api/service/enrolments/{offer['id']}/end", {"session": "session of customer 1"})
        member.wait(shown("[data-step=over]"))
        expect("not added" in member.text("#over-title"), member.text("#over-title"))
        offer = service.enrol("customer 1")
        digits = self.take(offer["link"])
        known = until(lambda: service("GET", f"/api/service/enrolments/{offer['id']}").get("code"), "the code at the service")
        expect(known == digits, f"the service shows {known}, the device {digits}")
        # A page that is closed while it waits goes on.
        visit(member, "/wallet/approvals/add", self.stage.url)
        member.wait(shown("[data-step=compare]"))
        expect(member.text("#digits") == digits, "other digits after a reload")
        confirmed = service("POST", f"/api/service/enrolments/{offer['id']}/confirm",
                            {"session": "session of customer 1", "code": known})
        expect(confirmed.get("state") == "completed", f"{confirmed}")
        member.wait(shown("[data-step=over]"))
        expect("Example Bank can ask you now" in member.text("#over-title"), member.text("#over-title"))
        visit(member, "/wallet/approvals/services", self.stage.url)
        member.wait("document.querySelectorAll('#devices > li').length === 1")
        expect("This browser" in member.text("#devices"), member.text("#devices"))

    def signed_out(self):
        """A code that is opened while nobody is signed in is there after signing in, whether the browser knew of the end or not."""
        member = self.member
        front(member)
        link = self.service.enrol("customer 9")["link"]
        for end in (lambda: api(member, "DELETE", "/api/sessions/current"), lambda: end_session(member)):
            member.goto(self.stage.url + "/help")
            end()
            # Its passkey is offered by itself, and signs in at once.
            member.goto(self.stage.url + "/wallet/approvals/add#" + quote(link, safe=""))
            member.wait(shown("#accept"), "the offer after signing in", 60)
            expect("bank.example" in member.text("#offer"), member.text("#offer"))
            expect(member.js("location.hash") == "", "the code is still in the address")

    def take(self, link, person=None):
        person = person or self.member
        visit(person, "/wallet/approvals/add", self.stage.url)
        person.wait(shown("#form"))
        person.fill("#code", "https://bank.example/not-a-code")
        tap(person, "#form button[type=submit]")
        person.wait("document.querySelector('#code-error').textContent !== ''")
        person.fill("#code", link)
        tap(person, "#form button[type=submit]")
        person.wait(shown("#accept"))
        expect("bank.example" in person.text("#offer"), person.text("#offer"))
        tap(person, "#accept")
        person.wait("document.querySelector('#digits').textContent.length === 6")
        return person.text("#digits")

    def join(self, person, user):
        """Somebody answers for one more user of the service."""
        offer = self.service.enrol(user)
        digits = self.take(offer["link"], person)
        self.service("POST", f"/api/service/enrolments/{offer['id']}/confirm", {"session": "session of " + user, "code": digits})
        person.wait(shown("[data-step=over]"))

    def allow(self):
        """Three wait at once; one is allowed with the code of the asking page, and its receipt is checked elsewhere."""
        member, service = self.member, self.service
        visit(member, "/wallet/approvals", self.stage.url)
        asked = [service.pay("customer 1", amount) for amount in (3000, 4000, 123456789)]
        expect(all(one.get("code") for one in asked), f"{asked}")
        # It shows by itself.
        member.wait("document.querySelectorAll('#waiting > li').length === 3", "three to wait")
        last = asked[2]
        self.open(last)
        lines = member.text("#lines")
        for words in ("Example Bank (bank.example)", "1 234 567.89 GBP", "Purple Plumbing", "08233593"):
            expect(words in lines, lines)
        expect("Asked on" in member.text("#lead"), member.text("#lead"))
        expect(last["code"] not in member.js("document.documentElement.outerHTML"), "the page knows the code")
        tap(member, "#allow")
        expect(mistakes(member, "#form") == ["Type the 4 digits that the page shows."], "no code at all")
        member.fill("#code", "%04d" % ((int(last["code"]) + 1) % 10_000))
        tap(member, "#allow")
        member.wait("document.querySelector('#code-error').textContent !== ''")
        expect(service.state(last)["state"] == "pending", "a wrong code allows")
        member.fill("#code", last["code"])
        tap(member, "#allow")
        member.wait(shown("#verdict.yes"))
        expect(service.state(last)["state"] == "approved", f"{service.state(last)}")
        member.js("self.kept = null")
        tap(member, "#save")
        member.wait("!!self.kept")
        saved = base64.b64decode(member.js(
            "self.kept.arrayBuffer().then(b => btoa(String.fromCharCode(...new Uint8Array(b))))"))
        fetched = service("GET", f"/api/service/challenges/{last['id']}/receipt")["receipt"]
        expect(base64.urlsafe_b64decode(fetched + "=" * (-len(fetched) % 4)) == saved, "two receipts differ")
        self.check(saved, 0)
        spoilt = bytearray(saved)
        spoilt[len(spoilt) // 2] ^= 1
        self.check(bytes(spoilt), 1)
        self.on_page(saved, bytes(spoilt))
        visit(member, "/wallet/approvals", self.stage.url)
        member.wait("document.querySelectorAll('#waiting > li').length === 2")
        member.wait("document.querySelector('#earlier').innerText.includes('Allowed')", "it in the list of all")
        row = member.js("document.querySelector('#earlier > li').innerText")
        expect(row.count("bank.example") == 1, f"who asked is said more than once: {row}")
        self.waiting = asked[:2]

    def wrong_codes(self):
        """Home shows what waits; the third wrong code ends it, and the page says so. Another's address asks nothing."""
        member, service = self.member, self.service
        one = service.pay("customer 1", 5000)
        visit(member, "/wallet", self.stage.url)
        member.wait(f"document.querySelector('#questions a[href$=\"{one['id']}\"]')?.checkVisibility()", "it at home")
        self.open(one)
        for _ in range(3):
            member.wait("document.querySelector('#code').value === ''")
            member.fill("#code", "%04d" % ((int(one["code"]) + 1) % 10_000))
            tap(member, "#allow")
            member.wait(f"document.querySelector('#code').value === '' || {shown('#verdict')}")
        member.wait(shown("#verdict.no"))
        expect("wrong codes" in member.text("#over-title"), member.text("#over-title"))
        visit(member, f"/wallet/approval#{'0' * 32}", self.stage.url)
        member.wait(shown("[data-step=missing]"))

    def check(self, receipt, status):
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder) / "one.approval"
            file.write_bytes(receipt)
            done = subprocess.run(
                [os.environ["COUNTERSIGN"], "approvals", "check", file, "--trust", f"bank.example={self.key}"],
                capture_output=True, text=True)
        expect(done.returncode == status, f"{done.returncode}: {done.stdout}{done.stderr}")

    def on_page(self, saved, spoilt):
        """The public page checks it with the network off, and says whether the service is the one that is trusted."""
        reader = self.browser.person("reader")
        reader.send("Page.addScriptToEvaluateOnNewDocument", source=NO_WORKER)
        visit(reader, "/receipt", self.stage.url)
        tap(reader, "#form button[type=submit]")
        expect(mistakes(reader, "#form") == ["Choose the file of the receipt."], "no file at all")
        with tempfile.TemporaryDirectory() as folder:
            first, second = Path(folder) / "first.approval", Path(folder) / "second.approval"
            for file in (first, second):
                file.write_bytes(saved)
            reader.upload("#file", first)
            # Without the checking code nothing is said of the receipt.
            reader.js("{ self.real = fetch; self.fetch = () => Promise.reject(new TypeError('no network')); 0 }")
            tap(reader, "#form button[type=submit]")
            reader.see("could not be loaded", "#notices")
            expect(reader.js("document.querySelector('#over').hidden"), "a verdict without the checking code")
            # A verdict on what the form said before it was changed is not shown.
            reader.js("{ self.fetch = async (...all) => { await new Promise(come => { self.letCome = come; }); return real(...all); }; 0 }")
            tap(reader, "#form button[type=submit]")
            reader.wait("!!self.letCome", "the module to be asked for")
            reader.upload("#file", second)
            reader.js("[self.fetch = real, letCome()].length")
            reader.wait("!document.querySelector('#form button[aria-busy]')", "the check to end")
            expect(reader.js("document.querySelector('#over').hidden"), "a verdict on what is not in the form any more")
        other = "A" * 86 + "E"
        # The module is here after the first; then nobody is asked any more.
        tries = ((saved, "", "unsure", self.key), (saved, self.key, "yes", "1 234 567.89 GBP"), (saved, other, "no", "another key"),
                 (spoilt, self.key, "no", "proves nothing"))
        with tempfile.TemporaryDirectory() as folder:
            for number, (receipt, key, mark, words) in enumerate(tries):
                file = Path(folder) / f"{number}.approval"
                file.write_bytes(receipt)
                reader.upload("#file", file)
                reader.fill("#key", key)
                tap(reader, "#form button[type=submit]")
                reader.wait(shown(f"#verdict.{mark}"), f"the verdict {mark}")
                expect(words in reader.text("#over"), reader.text("#over"))
                reader.offline()
        reader.close()
        self.in_arabic(saved)

    def in_arabic(self, saved):
        """The page joins who answered and when as its language does."""
        reader = self.browser.person("arabic reader")
        reader.send("Page.addScriptToEvaluateOnNewDocument", source=NO_WORKER)
        visit(reader, "/receipt", self.stage.url)
        reader.js("""(chooser => { chooser.value = 'ar'; chooser.dispatchEvent(new Event('change')); })(document.querySelector('[data-language]'))""")
        reader.wait("document.documentElement.lang === 'ar' && document.documentElement.dataset.state === 'ready'", "the page in Arabic", 60)
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder) / "one.approval"
            file.write_bytes(saved)
            reader.upload("#file", file)
            tap(reader, "#form button[type=submit]")
            reader.wait(shown("#verdict.unsure"), "the verdict")
        answered = reader.js(r"[...document.querySelectorAll('#decided dd')].some(e => /^\u2068[^\u2069]+\u2069، \u2068/.test(e.textContent))")
        expect(answered, reader.text("#decided"))
        reader.close()

    def open(self, challenge, person=None):
        person = person or self.member
        visit(person, f"/wallet/approval#{challenge['id']}", self.stage.url)
        person.wait(shown("[data-step=read]"))

    def press_allow(self, challenge, person):
        person.fill("#code", challenge["code"])
        tap(person, "#allow")

    def press_deny(self, person):
        tap(person, "#deny")
        person.click("[name=reason][value=mistake]")
        tap(person, "#deny-now")

    def reads(self, person, title, words=""):
        """The open page says this of its question, without being loaded again."""
        front(person)
        person.wait(f"document.querySelector('#over-title').textContent === {json.dumps(title)}", f"to read “{title}”")
        expect(words in person.text("#over-text"), person.text("#over-text"))

    def listed(self, person, challenge, word):
        """The question's row in the list of all says this, and none waits that is over."""
        front(person)
        visit(person, "/wallet/approvals", self.stage.url)
        row = f"document.querySelector('#earlier a[href$=\"{challenge['id']}\"]')?.closest('li')"
        person.wait(f"{row}?.querySelector('[data-badge]').textContent === {json.dumps(word)}", f"“{word}” in the list")
        expect(not person.js(f"!!document.querySelector('#waiting a[href$=\"{challenge['id']}\"]')"), f"{word}, and it waits")

    def aside(self):
        """A question is put aside and brought back; the service learns nothing."""
        member, service, one = self.member, self.service, self.waiting[0]
        self.open(one)
        tap(member, "#aside")
        member.wait(shown("#aside-text"))
        expect(service.state(one)["state"] == "pending", f"{service.state(one)}")
        visit(member, "/wallet/approvals", self.stage.url)
        member.wait("document.querySelectorAll('#waiting > li').length === 1")
        member.wait("document.querySelector('#earlier').innerText.includes('Hidden')", "it in the list of all")
        self.open(one)
        tap(member, "#aside")
        member.wait(f"!{shown('#aside-text')}")
        visit(member, "/wallet/approvals", self.stage.url)
        member.wait("document.querySelectorAll('#waiting > li').length === 2")

    def found(self):
        """Requests are found by their service; the address keeps the search, and one that finds nothing can be undone."""
        member = self.member
        front(member)
        visit(member, "/wallet/approvals", self.stage.url)
        rows = "document.querySelectorAll('#earlier > li').length"
        member.wait(f"{rows} > 1", "the list of all")
        number = member.js(rows)
        member.fill("#search", "EXAM")
        member.wait("location.search === '?q=EXAM'", "the search in the address")
        file = "document.querySelector('#csv').getAttribute('href')"
        member.wait(f"{file} === '/api/approvals/history?q=EXAM&format=csv'", "the file of what is found")
        member.wait(f"{rows} === {number}", "all of them by the second word of the domain")
        # In the middle of a word nothing begins.
        member.fill("#search", "ank")
        member.wait(shown("#none [data-act=show-all]"), "that there is nothing")
        expect(member.js(rows) == 0 and "Nothing found" in member.text("#place"), member.text("#past"))
        expect(not member.js(shown("#csv")), "an empty file is offered")
        visit(member, "/wallet/approvals?q=ank", self.stage.url)
        member.wait(shown("#none [data-act=show-all]"), "that there is nothing, loaded again")
        expect(member.js("document.querySelector('#search').value") == "ank", "the search is forgotten")
        expect(member.js("document.querySelectorAll('#waiting > li').length") == 2, "the search hides what waits")
        tap(member, "#none [data-act=show-all]")
        member.wait(f"{rows} === {number}", "all of them again")
        expect(member.js("location.search + document.querySelector('#search').value") == "", "the search stays")

    def wrong_clock(self):
        """A device whose clock is an hour ahead, or behind, shows what waits, and its time."""
        member = self.member
        for hours in (1, -1):
            script = member.send("Page.addScriptToEvaluateOnNewDocument", source=SHIFTED % (hours * 3_600_000))
            visit(member, "/wallet/approvals", self.stage.url)
            member.wait("document.querySelectorAll('#waiting > li').length === 2", f"two to wait, {hours} h ahead")
            self.open(self.waiting[0])
            left = member.text("#left")
            expect("second" in left or "minute" in left and int(left.split()[0]) <= LIFETIME // 60, f"{hours} h ahead: {left} left")
            member.send("Page.removeScriptToEvaluateOnNewDocument", identifier=script["identifier"])
        visit(member, "/wallet/approvals", self.stage.url)

    def deny(self):
        member, service = self.member, self.service
        self.open(self.waiting[0])
        sizes = member.js("['#allow', '#deny'].map(s => document.querySelector(s).getBoundingClientRect()).map(r => [r.width, r.height])")
        expect(abs(sizes[0][0] - sizes[1][0]) < 2 and sizes[0][1] == sizes[1][1], f"Allow and Deny are {sizes}")
        tap(member, "#deny")
        tap(member, "#back")
        member.wait(shown("[data-step=read]"))
        self.press_deny(member)
        member.wait(shown("#verdict.no"))
        self.reads(member, "Denied", "The service was told")
        state = service.state(self.waiting[0])
        expect(state["state"] == "denied" and state["denial"] == {"reason": "mistake", "scope": "request"}, f"{state}")
        self.listed(member, self.waiting[0], "Denied")
        # What the service takes back goes by itself.
        self.open(self.waiting[1])
        service("POST", f"/api/service/challenges/{self.waiting[1]['id']}/cancel")
        member.wait(shown("#verdict.unsure"))
        expect("Cancelled" in member.text("#over-title"), member.text("#over-title"))

    def webhook(self):
        """A webhook that nobody reaches is shown to administrators, with why and how many notices wait."""
        owner = self.owner
        front(owner)
        state = {}

        def fails():
            state.update(api(owner, "GET", "/api/services")[1]["items"][0]["webhook_state"])
            return "failure" in state

        until(fails, "an attempt")
        expect(state["failure"] == "unknown-name" and state["waiting"] >= 2 and "last_success" not in state, f"{state}")
        visit(owner, "/console/services", self.stage.url)
        owner.see("webhook fails", "#services")
        owner.js("document.querySelector('#services input[name=url]').closest('details').open = true")
        text = owner.text("#services")
        expect("Nobody knows its name." in text and "Notices that wait: " in text and "Next attempt: " in text, text)
        expect("Last taken" not in text, text)

    def fatigue(self):
        """Somebody who asks again and again is stopped by the budget, before the member notices."""
        member, service = self.member, self.service
        visit(member, "/wallet/approvals/services", self.stage.url)
        member.wait("document.querySelector('#per-service').value !== ''")
        member.fill("#per-service", "0")
        tap(member, "#keep")
        expect(mistakes(member, "#form") == ["A whole number from 1 to 60."], "a budget of none")
        member.fill("#per-service", "8")
        tap(member, "#keep")
        member.wait("!!document.querySelector('#notices .success')")
        answers = [service.pay("customer 1") for _ in range(20)]
        made = [one for one in answers if "code" in one]
        refused = [one for one in answers if one.get("status") == 429]
        expect(len(made) == 2 and len(refused) == 18, f"{len(made)} asked, {len(refused)} refused")
        visit(member, "/wallet/approvals", self.stage.url)
        member.wait("document.querySelectorAll('#waiting > li').length === 2")
        member.wait("document.querySelector('#waiting').innerText.includes('Pay ')", "what is asked in the list")
        self.waiting = made

    def freeze(self):
        """A denial freezes everything, until its owner says otherwise."""
        member, service = self.member, self.service
        self.open(self.waiting[0])
        tap(member, "#deny")
        member.click("[name=scope][value=account]")
        tap(member, "#deny-now")
        expect(mistakes(member, "#deny-form") == ["Choose a reason."], "denied without a reason")
        member.click("[name=reason][value=not-me]")
        tap(member, "#deny-now")
        member.wait(shown("#verdict.no"))
        visit(member, "/wallet/approvals", self.stage.url)
        member.wait(shown("#frozen"))
        visit(member, "/wallet/approvals/services", self.stage.url)
        tap(member, "#unfreeze")
        member.wait(f"!{shown('#unfreeze')}")
        tap(member, "#freeze")
        tap(member, "dialog[open] .danger")
        member.wait(shown("#unfreeze"))
        expect(service.pay("customer 1").get("status") == 429, "a frozen member is asked")

    def second_user(self):
        """The same person is two users of one service: each question is answered with the key of its own user."""
        member, service = self.member, self.service
        self.join(member, "customer 2")
        for user in ("customer 1", "customer 2"):
            asked = service.pay(user)
            self.open(asked)
            member.fill("#code", asked["code"])
            tap(member, "#allow")
            member.wait(shown("#verdict.yes"))
            expect(service.state(asked)["state"] == "approved", f"{user}: {service.state(asked)}")

    def together(self):
        """Two have to allow, or one of two, or one of them denies: the page and the list of each say how it is for them."""
        service = self.service
        self.second, self.third = self.person("second"), self.person("third", version="ctap2_0")
        people = {"customer 3": self.second, "customer 4": self.third}
        for user, person in people.items():
            front(person)
            sign_up(person, self.stage, person.name)
            self.join(person, user)
        second, third, both = self.second, self.third, list(people)
        asked = service.pay("", 6000, approvers=both, need=2)
        self.open(asked, second)
        expect("2 of 2" in second.text("#lines"), second.text("#lines"))
        self.press_allow(asked, second)
        self.reads(second, "You allowed it", "Others have to allow it too. Nothing happens before.")
        expect(not second.js(shown("#save")), "there is a receipt of what waits for others")
        expect(service.state(asked)["state"] == "pending", "one of two decides")
        self.listed(second, asked, "Allowed by you")
        # The page that waits for others hears of them.
        visit(second, f"/wallet/approval#{asked['id']}", self.stage.url)
        self.reads(second, "You allowed it")
        self.open(asked, third)
        self.press_allow(asked, third)
        for person in (third, second):
            self.reads(person, "Allowed", "Your device has signed what you read.")
            expect(person.js(shown("#save")), "no receipt")
        expect(service.state(asked)["state"] == "approved", f"{service.state(asked)}")
        self.listed(second, asked, "Allowed")
        # So does one that its person has not answered.
        asked = service.pay("", 6100, approvers=both, need=1)
        self.open(asked, second)
        self.open(asked, third)
        self.press_allow(asked, third)
        self.reads(third, "Allowed")
        self.reads(second, "Allowed by others", "Your devices have signed nothing.")
        self.listed(second, asked, "Allowed")
        asked = service.pay("", 6200, approvers=both, need=2)
        self.open(asked, second)
        self.press_allow(asked, second)
        self.reads(second, "You allowed it")
        self.open(asked, third)
        self.press_deny(third)
        self.reads(third, "Denied")
        self.reads(second, "Denied by somebody else", "nothing happens")
        expect(service.state(asked)["state"] == "denied", f"{service.state(asked)}")
        self.listed(second, asked, "Denied")

    def too_late(self):
        """What nobody answers ends on its page by itself."""
        second, service = self.second, self.service
        front(second)
        asked = service.pay("customer 3", 6300, lifetime=10)
        visit(second, f"/wallet/approval#{asked['id']}", self.stage.url)
        self.reads(second, "Too late", "The time to answer is over.")
        expect(not any(second.js(shown(part)) for part in ("#form", "#deny-form", "#save")), second.text())
        expect(service.state(asked)["state"] == "expired", f"{service.state(asked)}")
        self.listed(second, asked, "Expired")

    def other_face(self):
        """With another face nothing is answered: not the first question, and not the one after an answer."""
        second, third, service = self.second, self.third, self.service

        def unanswered(person, challenge, before):
            expect(len(posted(person, "/api/approvals/answers")) == before, "an answer was sent")
            expect(service.state(challenge)["state"] == "pending", f"{service.state(challenge)}")

        def refused(person):
            person.see("One attempt is left.", "dialog[open]")
            tap(person, '"Cancel"')
            person.wait("!document.querySelector('dialog[open]')", "the dialog to go")

        def ended(person):
            person.see("Your keys are unharmed", "dialog[open]")

        # Neither device gives its person a further try, so both answers are tried in one session.
        front(second)
        asked = service.pay("customer 3", 6400)
        before = len(posted(second, "/api/approvals/answers"))
        self.open(asked, second)
        second.is_recognised(False)
        self.press_allow(asked, second)
        refused(second)
        unanswered(second, asked, before)
        self.press_deny(second)
        ended(second)
        unanswered(second, asked, before)
        front(third)
        asked, following = service.pay("customer 4", 6500), service.pay("customer 4", 6600)
        self.open(asked, third)
        self.press_allow(asked, third)
        self.reads(third, "Allowed")
        before = len(posted(third, "/api/approvals/answers"))
        # The next question in the same page: what was opened for the last answer is closed.
        third.is_recognised(False)
        third.js(f"{{ location.hash = '{following['id']}'; }}")
        third.wait(f"document.querySelector('#lines').innerText.includes('66.00 GBP') && {shown('[data-step=read]')}", "the next one")
        self.press_deny(third)
        refused(third)
        unanswered(third, following, before)
        tap(third, "#back")
        self.press_allow(following, third)
        ended(third)
        unanswered(third, following, before)

    def links(self):
        """The browser is asked to open links of services here, with an address that it takes."""
        member = self.member
        visit(member, "/wallet/approvals/services", self.stage.url)
        member.wait(shown("#open-links"), "the button")
        member.js("""{ self.given = []; const real = navigator.registerProtocolHandler.bind(navigator);
            navigator.registerProtocolHandler = (...all) => { given.push(all); return real(...all); }; }""")
        tap(member, "#open-links")
        # Said after the browser has taken it: it throws for a scheme or an address that it does not allow.
        member.wait("document.querySelector('#links-asked').textContent !== ''", "what comes next")
        expect(member.js("given") == [["web+authreq", self.stage.url + "/wallet/approvals/add#%s"]], f"{member.js('given')}")

    def remove(self):
        member = self.member
        for left in (1, 0):
            tap(member, "#devices .button.danger")
            tap(member, "dialog[open] .danger")
            member.wait(f"document.querySelectorAll('#devices > li').length === {left}", f"{left} devices")
        member.wait(shown("#none"))
        status, devices = api(member, "GET", "/api/approvals/devices")
        expect(status == 200 and devices["items"] == [], f"{devices}")

    def recover(self):
        """With every device gone there is a code, which works later, and a time of waiting, which can be ended."""
        member, service = self.member, self.service
        visit(member, "/wallet/approvals/services", self.stage.url)
        member.wait(shown("#make-codes"))
        tap(member, "#make-codes")
        member.wait("document.querySelectorAll('#codes > li').length === 10", "ten codes")
        code = member.js("document.querySelector('#codes > li').textContent")
        member.js("self.kept = null")
        tap(member, "#save-codes")
        member.wait("!!self.kept")
        expect(member.js("self.kept.text()").split()[0] == code, "another code in the file")
        tap(member, "#codes-done")
        # Asked of the server once the codes are shown.
        member.see("You have 10 recovery codes. They work from", "#codes-text")
        visit(member, "/wallet/approvals/add", self.stage.url)
        member.wait(shown("#form"))
        member.fill("#code", service.enrol("customer 1")["link"])
        tap(member, "#form button[type=submit]")
        member.wait(shown("#accept"))
        tap(member, "#accept")
        member.wait(shown("[data-step=lost]"))
        for typed, words in (
                ("", "Type a recovery code."), ("0000-0000-0000", "That is none"), (code, "three days after")):
            member.fill("#recovery-code", typed)
            tap(member, "#recover")
            member.wait(f"document.querySelector('#recovery-code-error').textContent.includes({json.dumps(words)})", words)
        visit(member, "/wallet/approvals/services", self.stage.url)
        tap(member, "#begin-wait")
        tap(member, "dialog[open] button[value=yes], dialog[open] .primary")
        member.wait(shown("#waiting"))
        tap(member, "#end-wait")
        member.wait(f"!{shown('#waiting')}")
        status, recovery = api(member, "GET", "/api/approvals/recovery")
        expect(status == 200 and recovery["codes"] == 10 and "wait" not in recovery, f"{recovery}")

    def disconnect(self):
        """An administrator lets old apps answer, ends that, and removes the service."""
        owner = self.owner
        front(owner)
        visit(owner, "/console/services", self.stage.url)

        def services():
            return api(owner, "GET", "/api/services")[1]["items"]

        for accepts, words in ((True, "accepts old apps."), (False, "refuses old apps.")):
            tap(owner, "[data-act=version]")
            tap(owner, YES)
            owner.see(f"Example Bank {words}", "#notices")
            expect(("original_key" in services()[0]) is accepts, f"it {words} {services()[0]}")
            owner.wait(f"document.querySelector('#services').innerText.includes('Key for old apps') === {json.dumps(accepts)}", "the row")
        tap(owner, "[data-act=remove]")
        tap(owner, "dialog[open] button:not([value=yes])")
        expect(len(services()) == 1, "removed without a yes")
        tap(owner, "[data-act=remove]")
        tap(owner, YES)
        owner.see("Example Bank asks nothing any more.", "#notices")
        owner.wait(shown("#none"), "the list to be empty")
        expect(services() == [], f"{services()}")
        expect(self.service("GET", "/api/service")["status"] == 401, "its key still opens")


def main():
    case = Cases()
    with server() as stage, Chromium() as browser:
        approvals = Approvals(stage, browser)
        case("an administrator connects a service; a replaced key ends", approvals.connect)
        case("an administrator says how many have to approve, and ends it", approvals.quorum)
        case("a device is enrolled after both screens showed the same digits", approvals.enrol)
        case("a code that is opened while signed out is there after signing in", approvals.signed_out)
        case("a payment is allowed with its code, and its receipt holds elsewhere", approvals.allow)
        case("what waits is at home, and wrong codes end it", approvals.wrong_codes)
        case("two users of one service are told apart", approvals.second_user)
        case("one is put aside, and brought back", approvals.aside)
        case("requests are found by their service", approvals.found)
        case("a wrong clock hides nothing", approvals.wrong_clock)
        case("one is denied, one is cancelled", approvals.deny)
        case("a webhook that fails is shown", approvals.webhook)
        case("a flood of requests is stopped by the budget", approvals.fatigue)
        case("a denial freezes everything until its owner unfreezes it", approvals.freeze)
        case("two have to allow, or one of two: each page says how it is for its person", approvals.together)
        case("nobody answers in time", approvals.too_late)
        case("another face neither allows nor denies", approvals.other_face)
        case("links of services are opened in this browser", approvals.links)
        case("a device is removed", approvals.remove)
        case("without a device there are recovery codes, and waiting", approvals.recover)
        case("an administrator lets old apps answer, ends that, and removes the service", approvals.disconnect)
    return case.end()


if __name__ == "__main__":
    sys.exit(main())
