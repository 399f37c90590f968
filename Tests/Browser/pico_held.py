"""Sessions that are open only while the wallet answers: the part of pico.py about them."""

import time

from attacks_stage import api, expect, front, shown, tap, visit

CODE = "[data-code]"
HIDDEN = """(Object.defineProperty(document, 'hidden', { get: () => true, configurable: true }),
    document.dispatchEvent(new Event('visibilitychange')))"""


class Held:
    def sign_in_here(self):
        """The desk's page shows a code, and the phone agrees."""
        phone, desk = self.phone, self.desk
        tap(desk, "#elsewhere-show")
        desk.wait(f"{shown('#elsewhere-code')} && document.querySelector('#elsewhere {CODE}').textContent.length > 50", "a code")
        self.scan(phone, desk.js(f"document.querySelector('#elsewhere {CODE}').textContent"))
        phone.wait(shown("#allow"), "to be asked")
        tap(phone, "#allow")
        desk.wait("location.pathname === '/wallet/documents'", "the page at the desk that was locked", 60)

    def staying(self):
        """A session that is open only while the wallet answers: it says so, pauses, goes on, hides, and ends it."""
        phone, desk = self.phone, self.desk
        self.scan(phone, self.show_code(locks=True))
        tap(phone, "#allow")
        phone.wait(shown("#pause"), "to be told that it stays", 60)
        front(desk)
        desk.wait("location.pathname === '/wallet' && document.documentElement.dataset.state === 'ready'", "the wallet at the desk", 60)
        held = api(desk, "GET", "/api/sessions/current")[1]["session"]["id"]
        self.look(phone, "stay")
        front(phone)
        tap(phone, "#pause")
        phone.see("Paused", "#stay-state", 60)
        self.look(phone, "paused")
        desk.wait(shown("#locked"), "to be locked", 60)
        expect(api(desk, "GET", "/api/sessions/current")[0] == 423, "the session is open")
        expect(not desk.js("document.querySelector('main').checkVisibility({visibilityProperty: true})"), "the page can be read")
        expect(not desk.js(shown("#locked a")) and desk.js(shown("#locked button")), "what a paused session offers")
        front(desk)
        desk.press("Escape")
        expect(desk.js(shown("#locked")), "Escape opens it")
        self.look(desk, "locked")
        # The next page of the desk goes on with the same session, and is locked too.
        desk.reload()
        desk.wait(shown("#locked"), "to be locked after a reload", 60)
        self.stays_hidden(desk)
        front(phone)
        tap(phone, "#resume")
        phone.wait(shown("#pause"), "to go on", 60)
        desk.wait(f"!({shown('#locked')})", "to be open again", 60)
        expect(api(desk, "GET", "/api/sessions/current")[0] == 200, "the session is not open again")
        front(desk)
        visit(desk, "/wallet/documents", self.stage.url)
        front(phone)
        # Another tab is in front of the wallet's page: nobody sees it.
        phone.js(HIDDEN)
        phone.see("Paused", "#stay-state", 60)
        phone.js(HIDDEN.replace("true", "false"))
        phone.wait(shown("#pause"), "to go on by itself", 60)
        tap(phone, "#end")
        phone.wait(shown("#verdict.yes"), "to have ended it", 60)
        self.look(phone, "ended")
        desk.wait(shown("#locked a"), "that it is lost", 60)
        self.look(desk, "lost")
        expect(api(desk, "GET", "/api/sessions/current")[0] in (401, 423), "the session is open")
        front(desk)
        tap(desk, "#locked a")
        desk.wait("location.pathname === '/sign-in'", "to sign in again")
        expect(desk.js("localStorage.getItem('held-session')") is None, "it is still held")
        # A new scan of the same person replaces it.
        desk.see("the session was locked", "#reason")
        self.sign_in_here()
        sessions = [one["id"] for one in api(desk, "GET", "/api/sessions")[1]["items"]]
        expect(held not in sessions, "the locked session is still there")

    def stays_hidden(self, desk):
        """A locked page shows nothing when somebody else signs in in another tab."""
        desk.js("""void new MutationObserver(() => { if (document.documentElement.dataset.locked === undefined) sessionStorage.opened = 1; })
            .observe(document.documentElement, { attributes: true })""")
        tab, before = desk.tab(), desk.js("performance.timeOrigin")
        tab.goto(self.stage.url + "/help")
        tab.js("void new BroadcastChannel('countersign').postMessage({ kind: 'signed-in', account: 'somebody else' })")
        # Not the event of its load: behind another tab it has failed to come for a minute, with nothing under way.
        desk.wait(f"performance.timeOrigin !== {before}", "to be loaded again", 60)
        tab.close()
        desk.wait(shown("#locked"), "to be locked again", 60)
        expect(desk.js("sessionStorage.opened ?? null") is None, "the page was open to somebody else")

    def ended_here(self):
        """A session that is locked is signed out at its own screen, and nothing there waits for the wallet any more."""
        phone, desk = self.phone, self.desk
        self.leave_desk()
        self.scan(phone, self.show_code(locks=True))
        tap(phone, "#allow")
        phone.wait(shown("#pause"), "to be told that it stays", 60)
        desk.wait("location.pathname === '/wallet' && document.documentElement.dataset.state === 'ready'", "the wallet at the desk", 60)
        held = api(desk, "GET", "/api/sessions/current")[1]["session"]["id"]
        tap(phone, "#pause")
        desk.wait(shown("#locked"), "to be locked", 60)
        front(desk)
        tap(desk, "#locked button")
        desk.wait("location.pathname === '/sign-in'", "to be signed out", 60)
        expect(api(desk, "GET", "/api/sessions/current")[0] == 401, "the session is there")
        expect(desk.js("localStorage.getItem('held-session')") is None, "it is still held")
        front(phone)
        tap(phone, "#resume")
        phone.wait(shown("#verdict"), "to hear that it is over", 60)
        expect(held not in [one["id"] for one in api(phone, "GET", "/api/sessions")[1]["items"]], "the session is there")

    def tabs(self):
        """A held session in two tabs: both lock and open with the wallet, and one that stays goes on without the other."""
        phone, desk = self.phone, self.desk
        self.leave_desk()
        self.scan(phone, self.show_code(locks=True))
        tap(phone, "#allow")
        phone.wait(shown("#pause"), "to be told that it stays", 60)
        desk.wait("location.pathname === '/wallet' && document.documentElement.dataset.state === 'ready'", "the wallet at the desk", 60)
        first = desk.tab()
        first.goto(self.stage.url + "/wallet/devices")
        first.wait("document.documentElement.dataset.state === 'ready'", "another tab", 60)
        front(phone)
        tap(phone, "#pause")
        for page in (desk, first):
            page.wait(shown("#locked"), f"{page.name} to be locked", 60)
        expect(not first.js("document.querySelector('main').checkVisibility({visibilityProperty: true})"), "the other tab can be read")
        tap(phone, "#resume")
        for page in (desk, first):
            page.wait(f"!({shown('#locked')})", f"{page.name} to be open again", 60)
        # The page that was signed in goes to another site: the other tab holds the session now.
        desk.goto("about:blank")
        # Without it the session would be open for 20 seconds more.
        time.sleep(25)
        expect(api(first, "GET", "/api/sessions/current")[0] == 200, "the tab that is left is locked")
        phone.see("stays open", "#stay-state", 60)
        tap(phone, "#end")
        first.wait(shown("#locked a"), "that it is lost", 60)
        front(first)
        tap(first, "#locked a")
        first.wait("location.pathname === '/sign-in'", "to sign in again")
        expect(first.js("new URLSearchParams(location.search).get('next')") == "/wallet/devices", "it does not lead back")
        first.close()
