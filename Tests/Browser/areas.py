#!/usr/bin/env python3
"""Goes from area to area, and finds pages and people by name, with mouse and keyboard.

    COUNTERSIGN=.build/debug/countersign areas.py [--pictures FOLDER] [WORDS OF A CASE ...]
"""

import json
import sys

from attacks_stage import NO_WORKER, Cases, appoint, asks_to_be_certified, expect, front, ready, server, set_up, shown, sign_up, tap, visit
from chromium import Chromium
from looking import examine, pictures_folder, take_picture, ways

# Adds up what moves without anybody's doing, as the browser itself measures it (layout instability).
SHIFTS = """
self.__shift = 0;
self.__moved = [];
new PerformanceObserver(list => { for (const e of list.getEntries().filter(e => !e.hadRecentInput)) {
    self.__shift += e.value;
    self.__moved.push([e.value.toFixed(3), Math.round(e.startTime), ...e.sources.map(({node, previousRect: a, currentRect: b}) =>
        `${node?.nodeName}#${node?.id ?? ''}.${node?.className ?? ''} ${Math.round(a.top)}+${Math.round(a.height)} to ${Math.round(b.top)}`)].join(' | '));
} }).observe({ type: 'layout-shift', buffered: true });
"""
CTRL = 2
OPTIONS = "[...document.querySelectorAll('.palette [role=option]')].map(e => e.firstElementChild.textContent)"
CHOSEN = "document.querySelector('.palette [aria-selected=true]')?.firstElementChild.textContent"


def links(selector):
    """The words of the links that can be seen."""
    return f"[...document.querySelectorAll({json.dumps(selector)})].filter(e => e.checkVisibility()).map(e => e.textContent.trim())"


class Areas:
    def __init__(self, stage, browser, pictures=None):
        self.stage, self.browser, self.pictures = stage, browser, pictures

    def person(self, name):
        person = self.browser.person(name, width=1280, height=900)
        for source in (NO_WORKER, SHIFTS):
            person.send("Page.addScriptToEvaluateOnNewDocument", source=source)
        person.has_biometrics()
        return person

    def set_up(self):
        self.owner, self.admin, self.ada = self.person("owner"), self.person("administrator"), self.person("ada")
        set_up(self.owner, self.stage, "University of Northport", "Grace Hopper", "grace")
        appoint(self.owner, self.admin, self.stage, "Anna Administrator", "anna")
        sign_up(self.ada, self.stage, "ada")

    def switcher(self):
        for person, path, expected in (
            (self.owner, "/console", ["Office", "My wallet", "Desk", "Settings"]),
            (self.admin, "/wallet", ["My wallet", "Office", "Desk", "Settings"]),
            (self.ada, "/wallet", ["My wallet", "Settings"]),
        ):
            front(person)
            visit(person, path, self.stage.url)
            person.wait(f"{links('.areas .menu a')}.length === 0", "a closed switcher")
            tap(person, ".areas > summary")
            # They come one after the other, as the page learns what the person may do.
            person.wait(f"JSON.stringify({links('.areas .menu a')}) === {json.dumps(json.dumps(expected, separators=(',', ':')))}",
                        f"{expected} for {person.name}", 30)

    def switched(self):
        """From area to area, by keyboard alone."""
        front(self.admin)
        visit(self.admin, "/wallet", self.stage.url)
        for title, path in (("Office", "/console"), ("Desk", "/desk"), ("Settings", "/wallet/devices"), ("My wallet", "/wallet")):
            self.admin.wait("document.querySelector('[data-account]').textContent === 'anna'", "the session", 30)
            self.admin.js("document.querySelector('.areas > summary').focus()")
            self.admin.press("Enter")
            self.admin.wait(f"{links('.areas .menu a')}.includes({json.dumps(title)})", f"{title} in the switcher")
            for _ in range(5):
                self.admin.press("Tab")
                if self.admin.js("document.activeElement.textContent.trim()") == title:
                    break
            self.admin.press("Enter")
            self.admin.wait(f"location.pathname === {json.dumps(path)}", title, 30)
            ready(self.admin)
            expect(self.admin.js("document.querySelector('.brand b').textContent") == title, "the name of the area")

    def again(self):
        """A page that the browser has seen is not sent again: only that it is still the same."""
        front(self.admin)
        for path in ("/console", "/desk", "/console", "/desk"):
            visit(self.admin, path, self.stage.url)
        sent, size = self.admin.js("(({transferSize, encodedBodySize}) => [transferSize, encodedBodySize])"
                                   "(performance.getEntriesByType('navigation')[0])")
        expect(1_000 < size and sent < size, f"{sent} bytes were sent for a page of {size}")

    def places(self):
        for person, path, expected in (
            (self.owner, "/console", ["Inbox", "People", "Issued", "Help"]),
            (self.admin, "/console", ["Inbox", "Issue", "People", "Issued", "Help"]),
            (self.owner, "/wallet/devices", ["Account", "Organisation", "Desk", "Public log", "Server", "Connected apps", "Help"]),
            (self.ada, "/wallet/devices", ["Account", "Public log", "Help"]),
            (self.ada, "/wallet", ["Home", "Documents", "Scan", "Approvals", "Vault", "Requests", "Identity", "Activity", "Help"]),
        ):
            front(person)
            visit(person, path, self.stage.url)
            person.wait(f"JSON.stringify({links('.places a')}) === {json.dumps(json.dumps(expected, separators=(',', ':')))}",
                        f"{expected} for {person.name} on {path}", 30)
            current = person.js("document.querySelector('.places [aria-current]')?.textContent.trim()")
            expect(current == expected[0], f"{path}: {current} is marked")

    def tabs(self):
        front(self.admin)
        visit(self.admin, "/console/members", self.stage.url)
        for title, path in (("Checks", "/console/check"), ("Administrators", "/console/delegation"), ("Members", "/console/members")):
            self.admin.click(f'"{title}"')
            self.admin.wait(f"location.pathname === {json.dumps(path)}", title, 30)
            ready(self.admin)
            marked = self.admin.js("[...document.querySelectorAll('nav [aria-current]')].map(e => e.textContent.trim())")
            expect(marked == ["People", title], f"{path}: {marked}")

    def tabs_on_phone(self):
        """Where the row of tabs is wider than a phone, the one that is marked is in sight."""
        for code in ("en", "ar"):
            self.admin.send("Network.setCookie", name="language", value=code, url=self.stage.url)
            self.admin.resize(390, 844, True)
            for path in ("/console/members", "/console/delegation", "/console/feedback", "/console?show=all"):
                visit(self.admin, path, self.stage.url)
                self.admin.wait("document.querySelectorAll('.tabs > [aria-current]').length > 0", "a tab to be marked")
                cut = self.admin.js("""[...document.querySelectorAll('.tabs > [aria-current]')].filter(tab => {
                    const [own, row] = [tab, tab.parentElement].map(e => e.getBoundingClientRect());
                    return own.left < row.left || own.right > row.right; }).map(e => e.textContent)""")
                expect(cut == [], f"{path} in {code}: {cut} is out of sight")
        self.admin.send("Network.setCookie", name="language", value="en", url=self.stage.url)
        self.admin.resize(1280, 900)

    def in_line(self):
        """What is one above or beside another has its distance and its height."""
        front(self.owner)
        for path, upper, lower, least in (("/console", "h1", ".lead:not([hidden])", 6), ("/desk/settings", "legend", "#choices label", 6)):
            visit(self.owner, path, self.stage.url)
            gap = self.owner.js(f"""document.querySelector({json.dumps(lower)}).getBoundingClientRect().top
                - document.querySelector({json.dumps(upper)}).getBoundingClientRect().bottom""")
            expect(gap >= least, f"{path}: {lower} is {gap} px below {upper}")
        front(self.admin)
        for width in (390, 1280):
            self.admin.resize(width, 844, width == 390)
            visit(self.admin, "/console/members", self.stage.url)
            self.admin.wait(f"{shown('#connection')} && {shown('.page-head .actions')}", "badge and button", 30)
            middles = self.admin.js("['#connection', '.page-head .button'].map(e => (r => r.top + r.height / 2)"
                                    "(document.querySelector(e).getBoundingClientRect()))")
            expect(abs(middles[0] - middles[1]) < 2, f"badge and button are not in line at {width}: {middles}")
        self.admin.resize(1280, 900)

    def rejected(self):
        """The main administrator rejects a request for a certificate. Who asked reads it at once, and may ask again."""
        other = self.person("another administrator")
        asks_to_be_certified(self.owner, other, self.stage, "Rita Registrar", "rita")
        front(self.owner)
        tap(self.owner, "#pending [data-act=certify]")
        tap(self.owner, "#certify-no")
        self.owner.wait("!document.querySelector('#certify').open", "the dialog to close")
        # The request is still there: to cancel rejects nothing.
        tap(self.owner, "#pending [data-act=reject]")
        self.owner.see("Reject the request of Rita Registrar?", "dialog[open]")
        tap(self.owner, "dialog[open] button[value=yes]")
        self.owner.see("The request of Rita Registrar is rejected.", "#notices", 30)
        self.owner.wait(f"!{shown('#pending-part')}", "the request to go", 30)
        front(other)
        other.see("The main administrator rejected your request.", "#notices", 30)
        tap(other, "#own [data-act=ask]")
        other.see("Read this to the main administrator", "#own", 30)
        other.close()

    def press_palette(self, person):
        person.press("k", code="KeyK", modifiers=CTRL)
        person.wait("document.querySelector('.palette')?.open === true", "the palette", 30)

    def palette_pages(self):
        front(self.admin)
        visit(self.admin, "/wallet", self.stage.url)
        self.admin.js("document.querySelector('.places a').focus()")
        self.press_palette(self.admin)
        self.admin.wait(f"{OPTIONS}.length > 10", "all places", 30)
        expect("Server" not in self.admin.js(OPTIONS), "a place for the main administrator alone")
        self.admin.send("Input.insertText", text="desk clie")
        self.admin.wait(f"{OPTIONS}[0] === 'Clients'", "the clients", 30)
        self.admin.press("Escape")
        self.admin.wait("!document.querySelector('.palette').open", "the palette to close")
        expect(self.admin.js("!!document.activeElement.closest('.places')"), "the focus is not where it was")
        self.press_palette(self.admin)
        self.admin.wait(f"{CHOSEN} === 'Clients'", "what was typed before")
        # What is found later leaves the choice where the person has moved it.
        self.admin.js("document.querySelector('.palette input').select()")
        self.admin.send("Input.insertText", text="desk")
        self.admin.wait(f"{OPTIONS}.length > 1", "places of the desk", 30)
        self.admin.press("ArrowDown")
        moved = self.admin.js(CHOSEN)
        self.admin.wait("document.querySelector('.palette [role=status]').textContent !== 'Searching …'", "all that is found", 30)
        expect(self.admin.js(CHOSEN) == moved, f"{moved} was chosen, and then {self.admin.js(CHOSEN)}")
        self.admin.js("document.querySelector('.palette input').select()")
        self.admin.send("Input.insertText", text="desk clie")
        self.admin.wait(f"{CHOSEN} === 'Clients'", "the clients again", 30)
        self.admin.press("Enter")
        self.admin.wait("location.pathname === '/desk/clients'", "the clients", 30)
        ready(self.admin)

    def palette_people(self):
        front(self.admin)
        visit(self.admin, "/console", self.stage.url)
        self.press_palette(self.admin)
        self.admin.send("Input.insertText", text="grac")
        self.admin.wait(f"{OPTIONS}.includes('Grace Hopper')", "a person", 30)
        if self.pictures:
            take_picture(self.admin, self.pictures / "areas-palette.png")
        examine(self.admin, "the palette")
        self.admin.resize(390, 844, True)
        wide = self.admin.js("[document.querySelector('.palette').getBoundingClientRect().width, document.documentElement.clientWidth]")
        expect(wide[0] == wide[1], f"the palette is {wide[0]} px wide on a phone of {wide[1]}")
        self.admin.resize(1280, 900)
        titles = self.admin.js(OPTIONS)
        for _ in range(titles.index("Grace Hopper")):
            self.admin.press("ArrowDown")
        expect(self.admin.js(CHOSEN) == "Grace Hopper", "the arrows")
        self.admin.press("Enter")
        self.admin.wait("location.pathname === '/console/members' && location.search === '?q=grace'", "the list of members", 30)
        ready(self.admin)
        self.admin.wait("document.querySelectorAll('#list > li').length === 1", "that person alone", 30)

    def palette_bounds(self):
        """A member finds no people, and nothing is asked of the server in vain."""
        front(self.ada)
        visit(self.ada, "/wallet", self.stage.url)
        self.ada.settle()
        before, known = len(self.ada.requests), set(self.ada.responses)
        tap(self.ada, "[data-palette]")
        self.ada.wait(f"{OPTIONS}.length > 4", "places", 30)
        # On a phone it is a sheet as wide as the screen.
        self.ada.resize(390, 844, True)
        room = self.ada.js("(box => [box.left, innerWidth - box.right])(document.querySelector('.palette').getBoundingClientRect())")
        expect(room == [0, 0], f"beside the palette on a phone: {room}")
        self.ada.resize(1280, 900)
        self.ada.send("Input.insertText", text="grace")
        self.ada.see("Nothing found.", ".palette", 30)
        # The page itself may look at the server again meanwhile; it knows no other name.
        asked = [r["url"] for r in self.ada.requests[before:] if "/api/" in r["url"]]
        expect(not any("grace" in url or "/members" in url for url in asked), f"asked: {asked}")
        self.ada.settle()
        refused = [r["url"] for number, r in self.ada.responses.items() if number not in known and r["status"] >= 400]
        expect(not refused, f"refused: {refused}")

    def offline(self):
        front(self.ada)
        visit(self.ada, "/wallet", self.stage.url)
        self.ada.offline()
        self.ada.wait(shown("#no-network"), "the banner", 30)
        self.ada.see("Everything this device has kept is still here", "#no-network")
        examine(self.ada, "without a network")
        self.ada.offline(False)
        self.ada.wait(f"!{shown('#no-network')}", "the banner to go", 30)

    def shared(self):
        front(self.ada)
        visit(self.ada, "/wallet/documents", self.stage.url)
        self.ada.click('"Shared"')
        self.ada.wait("location.pathname === '/wallet/shared'", "the links", 30)
        ready(self.ada)
        self.ada.see("No links yet")

    def waiting(self):
        """Signing without a request begins with what waits."""
        front(self.admin)
        visit(self.admin, "/console", self.stage.url)
        self.admin.click('"Issue"')
        self.admin.wait("location.pathname === '/console/issue'", "signing", 30)
        ready(self.admin)
        self.admin.see("Nothing waits for your signature")
        self.admin.see("Nobody has asked for anything.")

    def public(self):
        """Public pages lead whoever is signed in to the wallet: nothing moves by it, and no server is asked."""
        entry = "[...document.querySelectorAll('[data-signed] a')].filter(e => e.checkVisibility({visibilityProperty: true}))" \
            ".map(e => `${e.textContent} ${e.pathname}`)"
        stranger = self.person("stranger")
        for person, first, more in ((stranger, "Sign in /sign-in", "Sign in /sign-in"), (self.ada, "Wallet /wallet", "Open my wallet /wallet")):
            front(person)
            for path in ("/", "/verify", "/help", "/privacy", "/verifiers"):
                expected = [first, more] if path == "/" else [first]
                for width in (1280, 390):
                    person.resize(width, 844, width == 390)
                    before = len(person.requests)
                    person.goto(self.stage.url + path)
                    person.wait(f"JSON.stringify({entry}) === {json.dumps(json.dumps(expected, separators=(',', ':')))}",
                                f"{expected} for {person.name} on {path}", 30)
                    person.settle()
                    person.js("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")
                    moved = person.js("self.__shift")
                    expect(moved < 0.005, f"{path} at {width} moves by {moved}: {person.js('self.__moved')}")
                    # What is not shown takes no room beside the name.
                    rows = person.js("document.querySelector('header.site').getBoundingClientRect().height")
                    expect(rows < 80, f"the head of {path} is {rows} px high at {width}")
                    asked = [r["url"] for r in person.requests[before:] if "/api/" in r["url"] and "/api/organisation" not in r["url"]]
                    expect(asked == [], f"{path} asks {asked}")
            person.resize(1280, 900)
        self.ada.click('"Wallet"')
        self.ada.wait("location.pathname === '/wallet'", "the wallet", 30)
        stranger.close()

    def verifiers(self):
        front(self.ada)
        self.ada.goto(self.stage.url + "/")
        self.ada.wait("document.querySelectorAll('.grid > a.card').length === 3", "three cards")
        expect(self.ada.js("document.querySelector('.grid').getBoundingClientRect().top < innerHeight"), "the cards are below the fold")
        self.ada.click('"For verifiers"')
        self.ada.wait("location.pathname === '/verifiers'", "the page for verifiers", 30)
        self.ada.wait("document.querySelector('#fingerprint')?.textContent.replace(/\\s/g, '').length === 64", "the fingerprint")
        examine(self.ada, "for verifiers")

    def steady(self):
        """Nothing moves while a page loads: the browser's own measure is below 0.05."""
        worst = []
        for person, paths in (
            (self.owner, ["/console", "/console/members", "/console/delegation", "/console/settings", "/desk", "/console/documents",
                          "/desk/documents", "/desk/transactions"]),
            (self.admin, ["/console/issue", "/desk/sign"]),
            (self.ada, ["/wallet", "/wallet/documents", "/wallet/requests", "/wallet/identity", "/wallet/devices", "/wallet/log",
                        "/wallet/pico", "/wallet/scan"]),
        ):
            front(person)
            for path in paths:
                for width in (1280, 390):
                    person.resize(width, 900, width == 390)
                    visit(person, path, self.stage.url)
                    person.settle()
                    person.js("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")
                    worst.append((round(person.js("self.__shift"), 3), path, width, person.js("self.__moved")))
            person.resize(1280, 900)
        worst.sort(reverse=True)
        print(f"       most movement: {[one[:3] for one in worst[:3]]}", flush=True)
        expect(worst[0][0] < 0.05, f"moves: {[one for one in worst if one[0] >= 0.05]}")

    def steady_link(self):
        """Pages of everybody move not at all: what is drawn later has its room, or its place is not shown before."""
        link = "/s/" + "a" * 32 + "#" + "A" * 43
        for path in (link, link.split("#")[0], "/verify", "/help"):
            for width, height in ((1280, 900), (1280, 1600), (390, 844)):
                page = self.person("verifier")
                page.resize(width, height, width == 390)
                page.goto(self.stage.url + path)
                page.settle()
                page.js("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")
                hidden = page.js("[...document.querySelectorAll('footer, #trust')].filter(e => !e.checkVisibility({visibilityProperty: true})).length")
                expect(hidden == 0, f"something of {path} is not shown")
                moved = page.js("self.__shift")
                expect(moved < 0.005, f"{path} at {width} by {height} moves by {moved}: {page.js('self.__moved')}")
                page.close()

    def looked_at(self):
        for person, path, name in (
            (self.owner, "/console", "office"), (self.admin, "/console/members", "people"), (self.admin, "/console/issue", "issue"),
            (self.owner, "/wallet/devices", "account"), (self.owner, "/console/settings", "organisation"), (self.owner, "/desk", "desk"),
            (self.ada, "/wallet", "wallet"), (self.ada, "/wallet/shared", "shared"), (self.ada, "/", "landing"),
            (self.ada, "/verifiers", "verifiers"),
        ):
            front(person)
            for width, scheme in ways(name, every=self.pictures):
                person.resize(width, 844 if width == 390 else 800, width == 390)
                person.viewport = {"width": width, "height": 844, "mobile": width == 390}
                person.scheme(scheme, "reduce")
                person.goto(self.stage.url + path)
                if path not in ("/", "/verifiers"):
                    ready(person)
                person.settle()
                examine(person, f"{name} {width} {scheme}")
                if self.pictures:
                    take_picture(person, self.pictures / f"areas-{name}-{width}-{scheme}.png")
            person.scheme("light")
            person.resize(1280, 900)
            person.viewport = {"width": 1280, "height": 900}

    def no_complaints(self):
        for person in (self.owner, self.admin, self.ada):
            expect(not person.violations(), f"{person.name}: {person.violations()}")


def main():
    pictures = pictures_folder()
    case = Cases()
    with server() as stage, Chromium() as browser:
        areas = Areas(stage, browser, pictures)
        areas.set_up()
        case("the switcher offers the areas that one may enter", areas.switcher)
        case("one goes from area to area by keyboard", areas.switched)
        case("a page that was seen before is not sent again", areas.again)
        case("each area has its places, by role", areas.places)
        case("tabs lead from page to page, and the place above stays marked", areas.tabs)
        case("the marked tab is in sight on a phone", areas.tabs_on_phone)
        case("titles, legends, badges and buttons are in line", areas.in_line)
        case("a request for a certificate is rejected, and may be made again", areas.rejected)
        case("the palette finds pages, and gives the focus back", areas.palette_pages)
        case("the palette finds people, and leads to them", areas.palette_people)
        case("the palette of a member asks for nothing that is refused", areas.palette_bounds)
        case("without a network a banner says so, until it is back", areas.offline)
        case("links are listed, and there are none yet", areas.shared)
        case("signing without a request begins with what waits", areas.waiting)
        case("public pages lead whoever is signed in to the wallet", areas.public)
        case("the first page has three cards, and one for verifiers", areas.verifiers)
        case("nothing moves while a page loads", areas.steady)
        case("nothing moves where a link leads", areas.steady_link)
        case("every area holds on phone and desktop, light and dark", areas.looked_at)
        case("no uncaught exception and no violation of a policy", areas.no_complaints)
    return case.end()


if __name__ == "__main__":
    sys.exit(main())
