"""Requests and answers that are lost: joining, signing in, asking, showing, sharing, signing, and a check."""

import json

from attacks_stage import (
    NO_WORKER, api, appoint, ask_for, check, code_of, expect, fill_fields, front, go_inside, issue, pdf,
    prepare_to_sign, ready, set_up, shown, sign_in, sign_out, sign_up, start_use, tap, until, used, visit, write)
from faults_network import Network

NOTICES = "[...document.querySelectorAll('#notices .notice p, .error-summary li')].map(p => p.textContent).join(' ')"

# As in a browser where an administrator has switched WebAssembly off.
NO_WEBASSEMBLY = "WebAssembly.instantiate = WebAssembly.instantiateStreaming = () => Promise.reject(new Error('switched off'));"


class LostConnections:
    """The people, and what they do while one request of theirs, or its answer, is lost."""

    def __init__(self, stage, browser):
        self.stage, self.browser, self.people, self.number = stage, browser, [], 0

    def person(self, name):
        person = self.browser.person(name)
        person.send("Page.addScriptToEvaluateOnNewDocument", source=NO_WORKER)
        person.has_biometrics()
        self.people.append(person)
        return person

    def set_up(self):
        self.owner = self.person("owner")
        set_up(self.owner, self.stage, "Example University", "Olivia Owner", "owner")

    def appoint(self):
        """An administrator and a member who holds a document."""
        self.admin, self.member = (self.person(name) for name in ("admin", "member"))
        appoint(self.owner, self.admin, self.stage, "Grace Hopper", "admin")
        sign_up(self.member, self.stage, "member")
        check(self.admin, self.member, self.stage)
        self.admin_wire, self.member_wire = Network(self.admin), Network(self.member)
        self.document = issue(self.admin, self.member, self.stage, file=pdf())

    def note(self):
        self.number += 1
        return f"Number {self.number}"

    def told(self, page, words=("try again", "press", "nothing was done", "Try again", "happen", "Press")):
        """The page says what to do; gives what it says."""
        said = until(lambda: page.js(NOTICES), "a notice")
        expect(any(word in said for word in words), f"this does not say what to do: {said}")
        return said

    @staticmethod
    def answer(page, done):
        """`done`, or what the page says instead; in one look, for between two the one may follow the other."""
        return until(lambda: page.js(f"{done} && 'done' || {NOTICES}"), "an answer")

    def settled(self, page, what):
        """What went well at last is not called an error any more."""
        expect(not page.js("!!document.querySelector('#notices .notice.error')"), f"{what} is done, and the page says: {page.js(NOTICES)}")

    def lost(self, wire, what):
        expect(wire.lost, f"{what} was never sent, so nothing was tested")
        wire.heal()

    # Joining and signing in.

    def sign_up_lost(self, when):
        person = self.person(f"newcomer-{when}")
        person.goto(self.stage.url + "/sign-up")
        person.wait("document.querySelector('#go')?.textContent.includes('passkey')")
        wire = Network(person)
        wire.lose("POST /api/accounts$", when)
        person.fill("#given_name", "Nina")
        person.fill("#username", f"newcomer-{when}")
        tap(person, "#go")
        self.told(person)
        self.lost(wire, "signing up")
        tap(person, "#go")
        person.wait("location.pathname === '/wallet'", "the wallet")
        ready(person)
        self.one_account(person)

    def one_account(self, person):
        devices = api(person, "GET", "/api/devices")[1]["items"]
        passkeys = api(person, "GET", "/api/account/passkeys")[1]["items"]
        expect(len(devices) == 1 and len(passkeys) == 1, f"{len(devices)} devices, {len(passkeys)} passkeys")
        records = person.js("import('/assets/accounts/records.js').then(r => r.allRecords()).then(a => a.map(r => r.state))")
        expect(records == ["ready"], f"records: {records}")
        start_use(person)
        expect(used(person) == [64], "the keys do not open")

    def sign_up_reloaded(self):
        """The answer is lost, and so is the page: signing in finds the account."""
        person = self.person("reloader")
        person.goto(self.stage.url + "/sign-up")
        person.wait("document.querySelector('#go')?.textContent.includes('passkey')")
        wire = Network(person)
        wire.lose("POST /api/accounts$", "after")
        person.fill("#given_name", "Rita")
        person.fill("#username", "reloader")
        tap(person, "#go")
        self.told(person)
        self.lost(wire, "signing up")
        # The answer's cookie did not come either, or did: both are good.
        person.goto(self.stage.url + "/sign-up")
        person.wait("document.querySelector('#draft:not([hidden]), #here:not([hidden])') || location.pathname === '/wallet'",
                    "to be told of the beginning")
        sign_in(person, self.stage, "/sign-in?next=/wallet")
        person.goto(self.stage.url + "/wallet")
        ready(person)
        self.one_account(person)

    def sign_in_lost(self, when):
        person = self.person(f"returner-{when}")
        sign_up(person, self.stage, f"returner-{when}")
        sign_out(person)
        person.send("WebAuthn.setAutomaticPresenceSimulation", authenticatorId=person.authenticator, enabled=False)
        person.goto(self.stage.url + "/sign-in")
        person.wait("document.querySelectorAll('#accounts li').length === 1")
        wire = Network(person)
        wire.lose("POST /api/sessions/passkey$", when)
        person.send("WebAuthn.setAutomaticPresenceSimulation", authenticatorId=person.authenticator, enabled=True)
        # Autofill may have been answered by then: the one or the other is lost, and the page goes on from there.
        person.js("document.querySelector('#accounts button').click()")
        until(lambda: wire.lost, "the request")
        go_inside(person, 3)
        person.wait("location.pathname === '/wallet'", "the wallet")
        ready(person)
        expect(api(person, "GET", "/api/sessions/current")[1].get("device"), "signed in without the device")

    # Asking, showing, sharing, signing.

    def request_lost(self, when):
        person, note = self.member, self.note()
        front(person)
        visit(person, "/wallet/requests", self.stage.url)
        tap(person, "#types input[value=generic]")
        person.fill("#note", note)
        self.member_wire.lose("POST /api/requests$", when)
        tap(person, "#form button[type=submit]")
        if when == "before":
            self.told(person)
            expect(person.js("document.querySelector('#note').value") == note, "what was typed is gone")
            self.lost(self.member_wire, "the request")
            tap(person, "#form button[type=submit]")
        person.wait(f"document.querySelector('#requests')?.innerText.includes({json.dumps(note)})")
        self.settled(person, "the request")
        self.member_wire.heal()
        found = [r for r in api(person, "GET", "/api/requests")[1]["items"] if r["note"] == note]
        expect(len(found) == 1, f"{len(found)} requests")
        expect(api(person, "POST", f"/api/requests/{found[0]['id']}/cancel", {"reason": "done"})[0] == 200, "cancelling")

    def open_document(self, person):
        front(person)
        visit(person, f"/wallet/document#{self.document}", self.stage.url)
        tap(person, "#open")
        person.wait(shown("[data-step=read]"))

    def to_preview(self, person, way="file"):
        tap(person, "#show")
        person.fill("#audience", "employer.example")
        tap(person, "#choose-all")
        person.js(f"document.querySelector('#choose input[name=way][value={way}]').click()")
        tap(person, "#choose button[type=submit]")
        person.wait(shown("[data-step=preview]"))

    def present_lost(self, pattern, when):
        person = self.member
        self.open_document(person)
        self.to_preview(person)
        self.member_wire.lose(pattern, when)
        tap(person, "#sign")
        person.wait(shown("[data-step=done]"), "what is shown")
        self.lost(self.member_wire, pattern)
        expect(person.js("document.querySelector('#verdict').className").find("no") < 0, "what was made does not verify")
        expect(api(person, "GET", "/api/sessions/current")[0] == 200, "the session has ended")

    def share_lost(self, when):
        person = self.member
        for one in api(person, "GET", "/api/shares")[1]["items"]:
            api(person, "DELETE", f"/api/shares/{one['id']}")
        before = len(self.open_links(person))
        self.open_document(person)
        self.to_preview(person, "link")
        self.member_wire.lose("POST /api/shares$", when)
        tap(person, "#sign")
        said = self.answer(person, shown("[data-step=done]"))
        self.lost(self.member_wire, "the link")
        if said != "done":
            self.told(person, ("again",))
            expect(len(self.open_links(person)) == before, "a link that nobody knows stays open")
            tap(person, "#sign")
            person.wait(shown("[data-step=done]"), "the link")
        self.settled(person, "the link")
        links = self.open_links(person)
        expect(len(links) == before + 1, f"{len(links) - before} links")
        expect(links[0]["id"] in person.text("#link-text"), "the link that is shown is not the one that is open")

    def link_not_shown(self):
        """A browser that can show nothing gives the opening back, and says so; one that can spends it."""
        link, code = (self.member.text(f"#link-{part}").strip() for part in ("text", "code"))
        for can, views in ((False, 0), (True, 1)):
            employer = self.person("an employer who can" if can else "an employer who cannot")
            if not can:
                employer.send("Page.addScriptToEvaluateOnNewDocument", source=NO_WEBASSEMBLY)
            employer.goto(link)
            employer.fill("#code", code)
            tap(employer, "#code-form .primary")
            if can:
                employer.wait(shown("#verdict-title"), "a verdict")
            else:
                employer.see("this opening does not count")
            expect([one["views"] for one in self.open_links(self.member)][:1] == [views], f"{views} openings expected")

    def open_links(self, person):
        return [s for s in api(person, "GET", "/api/shares")[1]["items"] if not s.get("stopped") and s["views"] < s["maximum_views"]]

    def issue_lost(self, when):
        note = self.note()
        request = ask_for(self.member, self.stage, "generic", note)
        prepare_to_sign(self.admin, self.stage, request, note)
        before = len(self.issued())
        self.admin_wire.lose("POST .*/issue$", when)
        tap(self.admin, "#sign")
        said = self.answer(self.admin, shown("[data-step=done]"))
        self.lost(self.admin_wire, "the document")
        if said != "done":
            expect(len(self.issued()) == before, f"it was sent, and the page says: {said}")
            self.told(self.admin)
            tap(self.admin, "#sign")
        self.admin.wait(shown("[data-step=done]"), "the document to be sent")
        self.settled(self.admin, "the document")
        expect(len(self.issued()) == before + 1, f"{len(self.issued()) - before} documents")

    def prepare_lost(self, when):
        """The server is asked for a place in the status list before the last look: the page stays on the form."""
        note = self.note()
        request = ask_for(self.member, self.stage, "generic", note)
        write(self.admin, self.stage, request, note)
        before = len(self.issued())
        self.admin_wire.lose("POST .*/prepare$", when)
        tap(self.admin, "#look")
        self.told(self.admin)
        self.lost(self.admin_wire, "prepare")
        expect(self.admin.js(shown("[data-step=form]")), "the form is gone")
        expect(not self.admin.js(shown("[data-step=preview]")), "something can be signed that was not prepared")
        typed = "[...document.querySelectorAll('#fields input, #fields textarea')].map(e => e.value)"
        expect(note in self.admin.js(typed), "what was typed is gone")
        tap(self.admin, "#look")
        self.admin.wait(shown("[data-step=preview]"))
        tap(self.admin, "#sign")
        self.admin.wait(shown("[data-step=done]"), "the document to be sent")
        expect(len(self.issued()) == before + 1, f"{len(self.issued()) - before} documents")

    def issued(self):
        return api(self.admin, "GET", "/api/documents?issued=true")[1]["items"]

    def check_lost(self, when):
        """A whole check in which each act of both sides is lost once."""
        person = self.person(f"checked-{when}")
        sign_up(person, self.stage, f"checked-{when}")
        wire = Network(person)
        front(person)
        visit(person, "/wallet/identity", self.stage.url)
        wire.lose("POST /api/enrolments$", when)
        tap(person, "[data-step=start] [data-begin]")
        self.retry(person, "[data-step=start] [data-begin]", shown("[data-step=code]"), wire)
        code = code_of(person)
        self.read_code(code)
        self.admin.wait(shown("#begin"))
        self.admin_wire.lose("POST .*/claim$", when)
        tap(self.admin, "#begin")
        self.retry(self.admin, "#begin", shown("[data-step=wait]"), self.admin_wire)
        front(person)
        person.wait(shown("#answer"))
        wire.lose("POST .*/answer$", when)
        tap(person, "#answer")
        self.retry(person, "#answer", shown("#digits"), wire)
        front(self.admin)
        self.admin.wait(shown("#agree"))
        expect(self.admin.text("#digits") == person.text("#digits"), "the digits differ")
        tap(self.admin, "#agree")
        self.admin.wait(shown("[data-step=identify]"))
        tap(self.admin, "#papers label")
        fill_fields(self.admin, "Ada")
        tap(self.admin, "#look")
        self.admin.wait(shown("#sign"))
        self.admin_wire.lose("POST .*/complete$", when)
        tap(self.admin, "#sign")
        self.retry(self.admin, "#sign", shown("[data-step=done]"), self.admin_wire)
        documents = api(person, "GET", "/api/documents")[1]["items"]
        expect(len(documents) == 1, f"{len(documents)} credentials")

    def read_code(self, code):
        """The administrator types what the phone shows; a check that a failed case has left goes first."""
        front(self.admin)
        self.admin.js("Object.keys(sessionStorage).filter(k => k.includes('check')).forEach(k => sessionStorage.removeItem(k))")
        visit(self.admin, "/console/check", self.stage.url)
        self.admin.fill("#code", code)
        tap(self.admin, "#read")

    def retry(self, page, selector, done, wire):
        """It goes on by itself, or the page says what to do and the person does it."""
        said = self.answer(page, done)
        expect(wire.lost, f"{selector}: nothing was lost")
        wire.heal()
        if said != "done":
            self.told(page)
            tap(page, selector)
            page.wait(done, f"{selector} to work at last")
        self.settled(page, selector)

    @staticmethod
    def asks_nothing(person):
        person.js("""(() => { self.asked = 0;
            const [ask, Stream] = [self.fetch, self.EventSource];
            self.fetch = (...all) => { self.asked += 1; return ask(...all); };
            self.EventSource = class extends Stream { constructor(...all) { self.asked += 1; super(...all); } }; })()""")
        for _ in range(5):
            person.js("dispatchEvent(new Event('online'))")
            person.js("new Promise(done => setTimeout(done, 1000))")
        expect(person.js("self.asked") == 0, f"{person.js('self.asked')} requests without a session")

    def code_without_session(self):
        """A page that shows a code looks every second whether it has run out. Without a session it asks nobody."""
        person = self.person("ended-check")
        sign_up(person, self.stage, "ended-check")
        visit(person, "/wallet/identity", self.stage.url)
        front(person)
        tap(person, "[data-step=start] [data-begin]")
        person.wait(shown("[data-step=code]"))
        person.is_touched(False)
        person.send("Network.deleteCookies", name="countersign", url=self.stage.url)
        person.js("dispatchEvent(new Event('online'))")
        person.wait(shown("#session-over"), "to be told")
        # An hour later the code has run out: that made the page ask at each tick.
        person.js("(now => { Date.now = () => now() + 3_600_000; })(Date.now)")
        self.asks_nothing(person)
        person.is_touched(True)
