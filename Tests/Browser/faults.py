"""What goes wrong in the middle: lost requests and answers, two tabs, back, reload, a restart, a session that ends.

    COUNTERSIGN=.build/release/countersign python Tests/Browser/faults.py [words of a case …]

Whatever happens, nothing is lost, nothing is done twice, and the page says what to do. One line for each case.
"""

import json
import sys

from attacks_stage import (
    KEYS, NO_WORKER, Cases, Failure, api, appoint, ask_for, check, code_of, expect, fill_fields, front, issue, pdf, prepare_to_sign, ready,
    server, set_up, shown, sign_in, sign_out, sign_up, start_use, tap, until, used, visit)
from chromium import Chromium
from faults_network import Network

NOTICES = "[...document.querySelectorAll('#notices .notice p, .error-summary li')].map(p => p.textContent).join(' ')"


class Faults:
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
        said = until(lambda: page.js(NOTICES), "a notice", 25)
        expect(any(word in said for word in words), f"this does not say what to do: {said}")
        return said

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
        person.fill("#username", f"newcomer-{when}")
        tap(person, "#go")
        self.told(person)
        self.lost(wire, "signing up")
        tap(person, "#go")
        person.wait("location.pathname === '/wallet'", "the wallet", 30)
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
        until(lambda: wire.lost, "the request", 20)
        try:
            person.wait("location.pathname !== '/sign-in'", seconds=3)
        except Failure:
            tap(person, "#passkey")
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
        person.js(f"document.querySelector('#choose input[name=way][value={way}]').click()")
        tap(person, "#choose button[type=submit]")
        person.wait(shown("[data-step=preview]"))

    def present_lost(self, pattern, when):
        person = self.member
        self.open_document(person)
        self.to_preview(person)
        self.member_wire.lose(pattern, when)
        tap(person, "#sign")
        person.wait(shown("[data-step=done]"), "what is shown", 30)
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
        said = until(lambda: person.js(NOTICES) or person.js(f"{shown('[data-step=done]')} && 'done'"), "an answer", 30)
        self.lost(self.member_wire, "the link")
        if said != "done":
            self.told(person, ("again",))
            expect(len(self.open_links(person)) == before, "a link that nobody knows stays open")
            tap(person, "#sign")
            person.wait(shown("[data-step=done]"), "the link", 30)
        links = self.open_links(person)
        expect(len(links) == before + 1, f"{len(links) - before} links")
        expect(links[0]["id"] in person.text("#link-text"), "the link that is shown is not the one that is open")

    def open_links(self, person):
        return [s for s in api(person, "GET", "/api/shares")[1]["items"] if not s.get("stopped") and s["views"] < s["maximum_views"]]

    def issue_lost(self, pattern, when):
        note = self.note()
        request = ask_for(self.member, self.stage, "generic", note)
        prepare_to_sign(self.admin, self.stage, request, note)
        before = len(self.issued())
        self.admin_wire.lose(pattern, when)
        tap(self.admin, "#sign")
        said = until(lambda: self.admin.js(NOTICES) or self.admin.js(f"{shown('[data-step=done]')} && 'done'"), "an answer", 40)
        self.lost(self.admin_wire, pattern)
        if said != "done":
            expect(len(self.issued()) == before, f"it was sent, and the page says: {said}")
            self.told(self.admin)
            tap(self.admin, "#sign")
        self.admin.wait(shown("[data-step=done]"), "the document to be sent", 40)
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
        front(self.admin)
        visit(self.admin, "/console/check", self.stage.url)
        self.admin.fill("#code", code)
        tap(self.admin, "#read")
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

    def retry(self, page, selector, done, wire):
        """It goes on by itself, or the page says what to do and the person does it."""
        said = until(lambda: (page.js(done) and "done") or page.js(NOTICES), f"{selector} to do something", 30)
        expect(wire.lost, f"{selector}: nothing was lost")
        wire.heal()
        if said != "done":
            self.told(page)
            tap(page, selector)
            page.wait(done, f"{selector} to work at last", 30)

    # Two tabs.

    def other_tab(self, page, path):
        tab = page.tab()
        tab.goto(self.stage.url + path)
        ready(tab)
        return tab

    def tabs_sign_out(self):
        person = self.person("two-tabs")
        sign_up(person, self.stage, "two-tabs")
        tab = self.other_tab(person, "/wallet/devices")
        front(person)
        sign_out(person)
        tab.wait("location.pathname === '/sign-in'", "the other tab to leave", 10)
        tab.close()

    def tabs_other_account(self):
        person = self.person("shared-browser")
        sign_up(person, self.stage, "first-account")
        tab = self.other_tab(person, "/wallet/devices")
        sign_up(person, self.stage, "second-account")
        tab.wait("document.body.innerText.includes('second-account') && !document.body.innerText.includes('first-account')",
                 "the other tab to show who is signed in now", 15)
        tab.close()

    def tabs_sign(self):
        """The same request on its preview in two tabs: one signature counts."""
        note = self.note()
        request = ask_for(self.member, self.stage, "generic", note)
        prepare_to_sign(self.admin, self.stage, request, note)
        before = len(self.issued())
        tab = self.other_tab(self.admin, f"/console/issue#{request}")
        fill_fields(tab, note)
        tap(tab, "#look")
        tab.wait(shown("[data-step=preview]"))
        front(self.admin)
        tap(self.admin, "#sign")
        self.admin.wait(shown("[data-step=done]"), "the document to be sent", 40)
        front(tab)
        tab.wait(f"{shown('[data-step=refused]')} || {shown('#sign')}")
        if tab.js(shown("#sign")):
            tap(tab, "#sign")
            tab.wait(f"{shown('[data-step=refused]')} || {NOTICES}", "to be told", 30)
        expect(not tab.js(shown("[data-step=done]")), "both tabs say that they sent it")
        expect(len(self.issued()) == before + 1, f"{len(self.issued()) - before} documents")
        tab.close()
        front(self.admin)

    # Back, reload, restart, the end of a session.

    def back_and_reload(self):
        note = self.note()
        request = ask_for(self.member, self.stage, "generic", note)
        prepare_to_sign(self.admin, self.stage, request, note)
        typed = "JSON.stringify([...document.querySelectorAll('#fields input, #fields textarea')].map(e => e.value))"
        self.admin.js("history.back()")
        self.admin.wait(shown("[data-step=form]"), "the form again")
        expect(note in self.admin.js(typed), "back lost what was typed")
        self.admin.reload()
        ready(self.admin)
        self.admin.wait(shown("[data-step=form]"), "the form after a reload")
        self.admin.wait(f"{typed}.includes({json.dumps(note)})", "what was typed, after a reload")
        tap(self.admin, "#look")
        self.admin.wait(shown("[data-step=preview]"))
        tap(self.admin, "#sign")
        self.admin.wait(shown("[data-step=done]"), "the document to be sent", 40)
        before = len(self.issued())
        self.admin.js("history.back()")
        self.admin.wait("document.readyState === 'complete'")
        expect(not self.admin.js(f"{shown('[data-step=preview]')} && {shown('#sign')}"), "back offers to sign again")
        self.admin.reload()
        self.admin.wait("document.readyState === 'complete'")
        expect(len(self.issued()) == before, "going back issued another")

    def reload_in_a_check(self):
        person = self.person("reloaded-check")
        sign_up(person, self.stage, "reloaded-check")
        visit(person, "/wallet/identity", self.stage.url)
        tap(person, "[data-step=start] [data-begin]")
        person.wait(shown("[data-step=code]"))
        code = code_of(person)
        person.reload()
        person.wait(shown("[data-step=code]"), "the code after a reload")
        expect(code_of(person) == code, "a reload makes another code")
        front(self.admin)
        visit(self.admin, "/console/check", self.stage.url)
        self.admin.fill("#code", code)
        tap(self.admin, "#read")
        tap(self.admin, "#begin")
        self.admin.wait(shown("[data-step=wait]"))
        self.admin.reload()
        self.admin.wait(shown("[data-step=wait]"), "the check after a reload")
        front(person)
        tap(person, "#answer")
        person.wait(shown("#digits"))
        digits = person.text("#digits")
        person.reload()
        person.wait(shown("#digits"), "the digits after a reload")
        expect(person.text("#digits") == digits, "a reload changes the digits")
        front(self.admin)
        self.admin.wait(shown("#digits"))
        expect(self.admin.text("#digits") == digits, "the digits differ")
        tap(self.admin, "#differ")
        self.admin.wait(shown("[data-step=differed]"))

    def restart(self):
        person, note = self.member, self.note()
        front(person)
        visit(person, "/wallet/requests", self.stage.url)
        tap(person, "#types input[value=generic]")
        person.fill("#note", note)
        front(self.admin)
        visit(self.admin, "/console", self.stage.url)
        self.stage.stop()
        front(person)
        tap(person, "#form button[type=submit]")
        self.told(person, ("again", "Look again"))
        expect(person.js("document.querySelector('#note').value") == note, "what was typed is gone")
        self.stage.start()
        tap(person, "#form button[type=submit]")
        person.wait(f"document.querySelector('#requests')?.innerText.includes({json.dumps(note)})", "the request", 30)
        found = [r for r in api(person, "GET", "/api/requests")[1]["items"] if r["note"] == note]
        expect(len(found) == 1, f"{len(found)} requests")
        front(self.admin)
        self.admin.see(note, "#list", 40)
        expect(api(person, "POST", f"/api/requests/{found[0]['id']}/cancel", {"reason": "done"})[0] == 200, "cancelling")

    def session_over(self):
        """The session ends while a document is being written: after signing in again all of it is there."""
        note = self.note()
        request = ask_for(self.member, self.stage, "generic", note)
        prepare_to_sign(self.admin, self.stage, request, note)
        before = len(self.issued())
        self.admin.send("Network.deleteCookies", name="countersign", url=self.stage.url)
        tap(self.admin, "#sign")
        self.admin.wait("location.pathname === '/sign-in' || (document.querySelector('dialog[open]')?.innerText ?? '')"
                        ".includes('Sign in') || performance.getEntriesByType('navigation')[0].startTime >= 0 && "
                        "location.hash.includes('" + request + "')", "to be asked to sign in", 30)
        if self.admin.js("!!document.querySelector('dialog[open]')"):
            self.admin.click('"Sign in"')
        try:
            self.admin.wait("location.pathname === '/sign-in'", seconds=3)
            self.admin.wait("location.pathname !== '/sign-in'", seconds=4)
        except Failure:
            if self.admin.js("location.pathname") == "/sign-in":
                tap(self.admin, "#passkey")
        self.admin.wait(f"location.pathname === '/console/issue' && location.hash.includes('{request}')", "to be back")
        ready(self.admin)
        self.admin.wait(f"[...document.querySelectorAll('#fields input, #fields textarea')].some(e => e.value === {json.dumps(note)})",
                        "what was typed")
        expect(len(self.issued()) == before, "it was sent without a session")
        tap(self.admin, "#look")
        self.admin.wait(shown("[data-step=preview]"))
        tap(self.admin, "#sign")
        self.admin.wait(shown("[data-step=done]"), "the document to be sent", 40)
        expect(len(self.issued()) == before + 1, "not one document")

    def no_complaints(self):
        bad = [f"{p.name}: {line}" for p in self.people for line in p.complaints]
        expect(not bad, "\n".join(bad))


def main():
    case = Cases()
    with server() as stage, Chromium() as browser:
        faults = Faults(stage, browser)
        faults.set_up()
        for when in ("before", "after"):
            case(f"sign-up: connection lost {when} it", faults.sign_up_lost, when)
            case(f"sign-in: connection lost {when} it", faults.sign_in_lost, when)
        case("sign-up: answer and page lost", faults.sign_up_reloaded)
        case("two tabs: signing out in one ends the other", faults.tabs_sign_out)
        case("two tabs: another account in one is seen in the other", faults.tabs_other_account)
        case("document: a check, a request and a document with a good network", faults.appoint)
        for when in ("before", "after"):
            case(f"document: request lost {when} it", faults.request_lost, when)
            for path in ("ceremonies", "confirmations"):
                case(f"document: showing, connection lost {when} {path}", faults.present_lost,
                     f"POST /api/account/{path}$", when)
            case(f"document: sharing, connection lost {when} it", faults.share_lost, when)
            for path in ("prepare", "issue"):
                case(f"document: signing, connection lost {when} {path}", faults.issue_lost, f"POST .*/{path}$", when)
            case(f"document: check, connection lost {when} every act", faults.check_lost, when)
        case("document: two tabs sign, one is sent", faults.tabs_sign)
        case("document: back and reload while it is written", faults.back_and_reload)
        case("document: reload in the middle of a check", faults.reload_in_a_check)
        case("document: the server is restarted in the middle", faults.restart)
        case("document: the session ends in the middle", faults.session_over)
        case("no uncaught exception and no violation of a policy", faults.no_complaints)
    return case.end()


if __name__ == "__main__":
    sys.exit(main())
