"""What goes wrong in the middle: lost requests and answers, two tabs, back, reload, a restart, a session that ends.

    COUNTERSIGN=.build/release/countersign python Tests/Browser/faults.py [words of a case …]

Whatever happens, nothing is lost, nothing is done twice, and the page says what to do. One line for each case.
"""

import json
import sys

from attacks_stage import (
    Cases, api, ask_for, code_of, end_session, expect, fill_fields, front, go_inside, leave, prepare_to_sign, ready, server,
    shown, sign_up, tap, until, visit, write)
from chromium import Chromium
from faults_certificates import Certificates
from faults_lost import NOTICES, LostConnections


class Faults(LostConnections, Certificates):
    def problem_words(self):
        """The list comes from the server itself: a kind that is added there needs words here."""
        page = self.owner
        page.goto(self.stage.url + "/problems")
        kinds = page.js("""[...new Set([...document.documentElement.outerHTML.matchAll(/\\/problems\\/([a-z-]+)/g)]
            .map(([, kind]) => kind))]""")
        expect(len(kinds) > 20, f"only {kinds}")
        page.goto(self.stage.url + "/help")
        missing = page.js(f"""Promise.all([import('/assets/shell/api.js'), import('/assets/shell/words.js')])
            .then(([{{Problem}}, {{words}}]) => {{
                const say = kind => words(new Problem(kind, {{status: 400}}));
                return {json.dumps(kinds)}.filter(kind => say(kind) === say('no-such-kind'));
            }})""")
        expect(not missing, f"no words for {missing}")

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
        leave(person)
        tab.wait("location.pathname === '/sign-in'", "the other tab to leave")
        tab.close()

    def tabs_other_account(self):
        person = self.person("shared-browser")
        sign_up(person, self.stage, "first-account")
        tab = self.other_tab(person, "/wallet/devices")
        sign_up(person, self.stage, "second-account")
        tab.wait("document.body.innerText.includes('second-account') && !document.body.innerText.includes('first-account')",
                 "the other tab to show who is signed in now")
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
        self.admin.wait(shown("[data-step=done]"), "the document to be sent")
        front(tab)
        tab.wait(f"{shown('[data-step=refused]')} || {shown('#sign')}")
        # In one step: live updates may take the button away between a look and a tap.
        if tab.js(f"{shown('#sign')} && (document.querySelector('#sign').click(), true)"):
            tab.wait(f"{shown('[data-step=refused]')} || {NOTICES}", "to be told")
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
        self.admin.wait(shown("[data-step=done]"), "the document to be sent")
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
        self.read_code(code)
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
        person.wait(f"document.querySelector('#requests')?.innerText.includes({json.dumps(note)})", "the request")
        found = [r for r in api(person, "GET", "/api/requests")[1]["items"] if r["note"] == note]
        expect(len(found) == 1, f"{len(found)} requests")
        front(self.admin)
        self.admin.see(note, "#list", 60)
        expect(api(person, "POST", f"/api/requests/{found[0]['id']}/cancel", {"reason": "done"})[0] == 200, "cancelling")

    def session_over(self):
        """The session ends while a document is being written: after signing in again all of it is there."""
        note = self.note()
        request = ask_for(self.member, self.stage, "generic", note)
        prepare_to_sign(self.admin, self.stage, request, note)
        before = len(self.issued())
        # Autofill answers by itself otherwise, and the sign-in page is never seen.
        self.admin.is_touched(False)
        self.admin.send("Network.deleteCookies", name="countersign", url=self.stage.url)
        tap(self.admin, "#sign")
        self.admin.wait(shown("#session-over button"), "to be told that the session has ended")
        tap(self.admin, "#session-over button")
        until(lambda: self.admin.dialogs or "/sign-in" in self.address(self.admin), "to be asked to sign in")
        expect(not self.admin.dialogs, f"the browser asks whether to leave: {self.admin.dialogs}")
        self.admin.wait("document.readyState === 'complete' && document.querySelectorAll('#accounts li').length === 1")
        self.admin.is_touched(True)
        go_inside(self.admin)
        self.admin.wait(f"location.pathname === '/console/issue' && location.hash.includes('{request}')", "to be back")
        ready(self.admin)
        self.admin.wait(f"[...document.querySelectorAll('#fields input, #fields textarea')].some(e => e.value === {json.dumps(note)})",
                        "what was typed")
        expect(len(self.issued()) == before, "it was sent without a session")
        tap(self.admin, "#look")
        self.admin.wait(shown("[data-step=preview]"))
        tap(self.admin, "#sign")
        self.admin.wait(shown("[data-step=done]"), "the document to be sent")
        expect(len(self.issued()) == before + 1, "not one document")

    def open_tab_without_session(self):
        """A tab whose session has ended says so once and asks nothing; what was typed stays, also across signing in."""
        person = self.person("ended-tab")
        sign_up(person, self.stage, "ended-tab")
        person.is_touched(False)
        visit(person, "/wallet/requests", self.stage.url)
        front(person)
        person.js("document.querySelector('#note').value = 'half a sentence'")
        # Ended at the server, as an administrator or time ends it: the page is not told.
        person.send("Network.deleteCookies", name="countersign", url=self.stage.url)
        person.js("dispatchEvent(new Event('online'))")
        person.wait(shown("#session-over"), "to be told")
        self.asks_nothing(person)
        expect(person.js("document.querySelectorAll('#session-over').length") == 1, "it is said more than once")
        expect(person.js("document.querySelector('#note').value") == "half a sentence", "what was typed is gone")
        tap(person, "#session-over button")
        person.wait("location.pathname === '/sign-in' && document.querySelectorAll('#accounts li').length === 1")
        person.is_touched(True)
        go_inside(person)
        person.wait("location.pathname === '/wallet/requests'", "to be back")
        person.wait("document.querySelector('#note')?.value === 'half a sentence'", "what was typed")

    def check_prompts_cancelled(self):
        """Two failed prompts in a check end the session, and nothing of what was typed is lost; giving up blames nobody."""
        person = self.person("two-prompts")
        sign_up(person, self.stage, "two-prompts")
        visit(person, "/wallet/identity", self.stage.url)
        front(person)
        tap(person, "[data-step=start] [data-begin]")
        person.wait(shown("[data-step=code]"))
        self.read_code(code_of(person))
        self.admin.wait(shown("#begin"))
        tap(self.admin, "#begin")
        front(person)
        person.wait(shown("#answer"))
        tap(person, "#answer")
        person.wait(shown("#digits"), "the digits")
        front(self.admin)
        self.admin.wait(shown("#agree"))
        tap(self.admin, "#agree")
        self.admin.wait(shown("[data-step=identify]"))
        tap(self.admin, "#papers label")
        fill_fields(self.admin, "Typed before")
        tap(self.admin, "#look")
        self.admin.wait(shown("#sign"))
        # Not with an unrecognised face: that would use up all tries of the authenticator.
        self.admin.forges(isBogusSignature=True)
        tap(self.admin, "#sign")
        self.admin.see("One attempt is left.", "dialog[open]")
        tap(self.admin, "dialog[open] button[type=submit]")
        self.admin.see("what you typed stays", "dialog[open]")
        self.admin.forges(isBogusSignature=False)
        self.admin.is_touched(False)
        tap(self.admin, 'dialog[open] .actions button.primary')
        self.admin.wait("location.pathname === '/sign-in' && document.querySelectorAll('#accounts li').length === 1")
        self.admin.is_touched(True)
        go_inside(self.admin)
        self.admin.wait("location.pathname === '/console/check'", "to be back")
        self.admin.wait(shown("#agree"), "the check to go on")
        tap(self.admin, "#agree")
        self.admin.wait(shown("[data-step=identify]"))
        typed = "[...document.querySelectorAll('#fields input, #fields textarea')].map(e => e.value).join()"
        self.admin.wait(f"{typed}.includes('Typed before')", "what was typed")
        expect(self.admin.js("!!document.querySelector('#papers input:checked')"), "the paper is not chosen any more")
        tap(self.admin, "[data-step=identify] [data-give-up]")
        self.admin.see("You gave up this check", "[data-step=over]")
        front(person)
        person.see("The administrator has ended the check", "main")

    def given_up_by_both(self):
        """Wrong characters say so at their field. Who gives up a moment later than the other reads who it really was."""
        person = self.person("given-up")

        def press(selector):
            person.wait(shown(selector), f"{selector} to be shown")
            person.js(f"document.querySelector({json.dumps(selector)}).click()")

        sign_up(person, self.stage, "given-up")
        visit(person, "/wallet/identity", self.stage.url)
        press("[data-step=start] [data-begin]")
        person.wait(shown("#characters-text"), "the characters")
        characters = person.text("#characters-text")
        press("#characters-new")
        person.wait(f"document.querySelector('#characters-text').textContent !== {json.dumps(characters)}", "new characters")
        front(self.admin)
        visit(self.admin, "/console/check", self.stage.url)
        for typed, words in ((characters[:7], "Type the eight letters"), (characters, "These characters find no check")):
            self.admin.fill("#characters", typed)
            tap(self.admin, "#find")
            self.admin.see(words, "#characters-error")
        self.admin.fill("#characters", person.text("#characters-text"))
        tap(self.admin, "#find")
        tap(self.admin, "#begin")
        press("[data-step=claimed] [data-abandon]")
        person.see("Give this check up?", "dialog[open]")
        tap(self.admin, "[data-step=wait] [data-give-up]")
        self.admin.see("You gave up this check", "[data-step=over]")
        press("dialog[open] button[value=yes]")
        person.wait("!document.querySelector('dialog[open]')", "the question to go")
        person.see("The administrator has ended the check", "[data-step=over]")

    def tabs_drafts(self):
        """Who signs out in one tab leaves nothing of what was typed in another."""
        note = self.note()
        write(self.admin, self.stage, ask_for(self.member, self.stage, "generic", note), note)
        typed = "JSON.stringify(Object.values(sessionStorage))"
        self.admin.wait(f"{typed}.includes({json.dumps(note)})", "what was typed to be kept")
        self.admin.is_touched(False)
        tab = self.other_tab(self.admin, "/console/members")
        # The name comes by itself: a page is ready without it.
        tab.wait("document.querySelector('[data-account]').textContent === 'admin'", "her name on the page")
        end_session(tab)
        self.admin.wait("location.pathname === '/sign-in'", "the other tab to leave")
        expect(note not in self.admin.js(typed), "what was typed is still there")
        tab.close()
        self.admin.is_touched(True)

    def without_device(self):
        """In a browser without keys of the account the page knows whose session it is all the same."""
        person = self.person("elsewhere")
        sign_up(person, self.stage, "elsewhere")
        person.js("""import('/assets/accounts/store.js').then(async s => {
            for (const {key} of await s.all('devices')) await s.remove('devices', key);
            await s.remove('settings', 'current'); })""")
        visit(person, "/wallet", self.stage.url)
        person.wait("document.querySelector('[data-account]').textContent === 'elsewhere'", "the name")

    def address(self, page):
        """Where a page is, asked without it: one that waits for an answer to the browser's question does not answer."""
        return self.browser.send("Target.getTargetInfo", targetId=page.target)["targetInfo"]["url"]

    def no_complaints(self):
        bad = [f"{p.name}: {line}" for p in self.people for line in p.complaints]
        expect(not bad, "\n".join(bad))


def main():
    case = Cases()
    with server() as stage, Chromium() as browser:
        faults = Faults(stage, browser)
        faults.set_up()
        case("every kind of problem that the server may answer has words", faults.problem_words)
        for when in ("before", "after"):
            case(f"sign-up: connection lost {when} it", faults.sign_up_lost, when)
            case(f"sign-in: connection lost {when} it", faults.sign_in_lost, when)
        case("sign-up: answer and page lost", faults.sign_up_reloaded)
        case("two tabs: signing out in one ends the other", faults.tabs_sign_out)
        case("two tabs: another account in one is seen in the other", faults.tabs_other_account)
        case("certificates: their end is said 60 days before", faults.warned)
        case("certificates: the main administrator renews hers", faults.renewed)
        for when in ("before", "after"):
            case(f"certificates: renewing, connection lost {when} it", faults.renewal_lost, when)
        case("certificates: without the root nothing is renewed, and the page says what to do", faults.root_offline)
        case("document: a check, a request and a document with a good network", faults.appoint)
        for when in ("before", "after"):
            case(f"document: request lost {when} it", faults.request_lost, when)
            for path in ("ceremonies", "confirmations"):
                case(f"document: showing, connection lost {when} {path}", faults.present_lost,
                     f"POST /api/account/{path}$", when)
            case(f"document: sharing, connection lost {when} it", faults.share_lost, when)
            if when == "before":
                case("link: an opening counts when something was shown", faults.link_not_shown)
            case(f"document: signing, connection lost {when} prepare", faults.prepare_lost, when)
            case(f"document: signing, connection lost {when} issue", faults.issue_lost, when)
            case(f"document: check, connection lost {when} every act", faults.check_lost, when)
        case("document: two tabs sign, one is sent", faults.tabs_sign)
        case("document: back and reload while it is written", faults.back_and_reload)
        case("document: reload in the middle of a check", faults.reload_in_a_check)
        case("document: the server is restarted in the middle", faults.restart)
        case("document: the session ends in the middle", faults.session_over)
        case("document: two failed prompts in a check lose nothing that was typed", faults.check_prompts_cancelled)
        case("document: both give a check up, and each reads who ended it", faults.given_up_by_both)
        case("an open tab whose session has ended asks nothing and keeps what was typed", faults.open_tab_without_session)
        case("a tab with the code of a check asks nothing without a session, also when the code has run out", faults.code_without_session)
        case("document: signing out in one tab forgets what was typed in another", faults.tabs_drafts)
        case("a browser without keys knows whose session it is", faults.without_device)
        case("no uncaught exception and no violation of a policy", faults.no_complaints)
    return case.end()


if __name__ == "__main__":
    sys.exit(main())
