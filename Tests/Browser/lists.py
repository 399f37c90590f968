#!/usr/bin/env python3
"""Scrolls through lists that are longer than anybody reads, searches them, and lets them change meanwhile.

    COUNTERSIGN=.build/debug/countersign lists.py [--pictures FOLDER] [WORDS OF A CASE ...]

Two lists are made up (`long_list.js`): 25,000 accounts and 3,000 transactions, whose answers a case can delay or fail. The
others are the server's.
"""

import csv
import json
import shutil
import sys
import tempfile
from pathlib import Path

from attacks_stage import NO_WORKER, Cases, api, expect, mistakes, ready, server, set_up, shown, tap
from chromium import Chromium, until_saved
from lists_office import OfficeLists
from looking import examine, pictures_folder, take_picture, ways

MADE_UP = "{" + Path(__file__).with_name("long_list.js").read_text() + "}"
# The page never hears which filters are saved.
UNANSWERED = """{ const ask = fetch; self.fetch = (path, ...rest) =>
    (String(path).endsWith('/api/saved-filters') ? new Promise(() => {}) : ask(path, ...rest)); }"""
FILE = "document.querySelector('#csv').getAttribute('href')"
ROWS = "document.querySelectorAll('#list > li').length"
LISTS = [
    ("/console", "requests"), ("/console/members", "members"), ("/console/documents", "documents"),
    ("/console/server-log", "server log"), ("/console/log", "log"), ("/desk/clients", "clients"),
    ("/desk/transactions", "transactions"), ("/desk/documents", "workspace"), ("/desk/operators", "operators"),
    ("/wallet/log", "own log"), ("/wallet/documents", "own documents"),
]


class Lists(OfficeLists):
    def __init__(self, stage, browser, pictures=None):
        self.stage, self.browser, self.pictures = stage, browser, pictures

    def set_up(self):
        self.owner = self.browser.person("owner", width=1280, height=900)
        self.owner.send("Page.addScriptToEvaluateOnNewDocument", source=NO_WORKER)
        self.owner.has_biometrics()
        set_up(self.owner, self.stage, "University of Northport", "Grace Hopper", "grace")
        self.page = self.owner.tab()
        self.page.viewport = {"width": 1280, "height": 900}
        for source in (NO_WORKER, MADE_UP):
            self.page.send("Page.addScriptToEvaluateOnNewDocument", source=source)

    def open(self, path="/console/members"):
        self.page.goto("about:blank")
        self.page.send("Page.bringToFront")
        self.page.goto(self.stage.url + path)
        ready(self.page)
        # The stream has opened, and what it led to is over.
        self.page.wait("self.longList.asked.length >= 2 && !document.querySelector('[aria-busy]')", "the first page, twice")

    def asked(self):
        return self.page.js("self.longList.asked")

    def place(self, words):
        self.page.wait(f"document.querySelector('#place').textContent === {json.dumps(words)}", f"the place “{words}”", 30)

    def scroll(self):
        self.page.js("scrollTo(0, document.documentElement.scrollHeight)")

    def first_page(self):
        self.open()
        self.place("100 of more than 10,000 accounts")
        tabs = self.page.js("[...document.querySelectorAll('#kinds button')].map(e => e.innerText.replace(/\\s+/g, ' '))")
        expect(tabs == ["All 10,000+", "Verified 8,325", "Not verified 10,000+", "Administrators 25"], tabs)
        expect(self.page.js(ROWS) == 100, "not one page")
        expect(all(one["limit"] == 100 for one in self.asked()), self.asked())
        expect(self.page.js(FILE) == "/api/members?show=all&format=csv", self.page.js(FILE))

    def scrolling(self):
        self.open()
        for number in range(2, 11):
            self.scroll()
            self.page.wait(f"{ROWS} >= {number * 100}", f"{number} pages", 30)
        self.place("1,000 of more than 10,000 accounts")
        # Now it waits until the person wants more, so that the part below the list can be reached.
        self.scroll()
        self.page.js("new Promise(done => setTimeout(done, 500))")
        expect(self.page.js(ROWS) == 1000, "it loads on for ever")
        cursors = [one["cursor"] for one in self.asked() if one.get("cursor")]
        expect(len(cursors) == len(set(cursors)) == 9, f"pages were asked for twice: {cursors}")

    def by_keyboard(self):
        """After `scrolling`: the button, without a mouse."""
        self.page.js("document.querySelector('#more').focus()")
        self.page.press("Enter")
        self.page.wait(f"{ROWS} === 1100", "eleven pages", 30)
        where = "document.activeElement.closest('#list > li')?.dataset.key"
        self.page.wait(f"{where} === 'account-{25_000 - 1_000}'", "the focus on the first new row", 30)

    def changes(self):
        """After `by_keyboard`: somebody joins, and nobody loses their place."""
        self.page.js("document.querySelector('#list').children[1050].scrollIntoView({block: 'center', behavior: 'instant'})")
        self.page.js("document.querySelector('#list').children[1050].querySelector('summary').focus({preventScroll: true})")
        key = self.page.js("document.activeElement.closest('[data-key]').dataset.key")
        before = self.page.js("document.activeElement.getBoundingClientRect().top")
        self.page.js("self.longList.add()")
        self.page.wait("document.querySelector('#list').firstElementChild.dataset.key === 'account-25001'", "the new account", 30)
        self.page.js("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")
        expect(self.page.js(ROWS) == 1101, "what was loaded is gone")
        expect(self.page.js("document.activeElement.closest('[data-key]')?.dataset.key") == key, "the focus is lost")
        after = self.page.js("document.activeElement.getBoundingClientRect().top")
        expect(abs(after - before) < 2, f"what is read moved by {after - before} px")

    def searching(self):
        self.open()
        number = len(self.asked())
        self.page.js("Object.assign(self.longList.delays, {'person 24': 1500, 'person 2499': 20})")
        self.page.js("document.querySelector('#search').focus()")
        # All in one go: between two messages to the browser there may be more time than the page takes for a pause.
        self.page.js("""(field => { for (const letter of 'person 24') {
            field.value += letter;
            field.dispatchEvent(new InputEvent('input', { bubbles: true, data: letter, inputType: 'insertText' }));
        } })(document.querySelector('#search'))""")
        self.page.wait(f"self.longList.asked.length === {number + 1}", "one question for all letters", 30)
        self.page.send("Input.insertText", text="99")
        self.page.wait(f"{ROWS} === 11", "the rows of the last question", 30)
        self.place("11 accounts")
        self.page.js("new Promise(done => setTimeout(done, 1700))")
        expect(self.page.js(ROWS) == 11, "an earlier answer has won")
        expect(self.page.js("location.search") == "?q=person+2499", self.page.js("location.search"))
        expect([one["q"] for one in self.asked()[number:]] == ["person 24", "person 2499"], self.asked())
        tap(self.page, "#kinds [data-kind=verified]")
        self.place("5 accounts")
        expect(self.page.js("location.search") == "?q=person+2499&show=verified", self.page.js("location.search"))
        self.page.reload()
        ready(self.page)
        self.place("5 accounts")
        expect(self.page.js("document.querySelector('#search').value") == "person 2499", "the search is forgotten")
        expect(self.page.js("document.activeElement !== document.querySelector('#search')"), "the search takes the focus")

    def sorting(self):
        self.open()
        self.page.choose("#sort", "name")
        first = "document.querySelector('#list > li').dataset.key"
        self.page.wait(f"{first} === 'account-1' && {ROWS} === 100", "the list by name", 30)
        self.scroll()
        self.page.wait(f"{ROWS} === 200", "two pages", 30)
        expect([one.get("sort") for one in self.asked()[-2:]] == ["name", "name"], self.asked())
        expect(self.page.js("location.search") == "?sort=name", self.page.js("location.search"))
        expect(self.page.js(FILE) == "/api/members?show=all&sort=name&format=csv", self.page.js(FILE))
        self.page.reload()
        ready(self.page)
        expect(self.page.js("document.querySelector('#sort').value") == "name", "the order is forgotten")
        expect(self.asked()[-1].get("sort") == "name", self.asked())
        self.page.choose("#sort", "newest")
        self.page.wait(f"{first} === 'account-25000'", "the newest first again", 30)
        expect(self.page.js("location.search") == "", self.page.js("location.search"))

    def saved_filters(self):
        """Saved by keyboard, renamed, there after a reload and on another device, removed, and back by Undo."""
        page = self.page
        chips = "[...document.querySelectorAll('#saved .chip a')].map(e => e.textContent)"
        self.open()
        expect(not page.js(shown("#saved")), "there is nothing to save")
        page.fill("#search", "person 2499")
        self.place("11 accounts")
        page.choose("#sort", "name")
        page.wait(shown("[data-act=save-filter]"), "that it can be saved", 30)
        page.js("document.querySelector('[data-act=save-filter]').focus()")
        page.press("Enter")
        page.wait("document.activeElement.id === 'question-value'", "the question", 30)
        expect(page.js("document.activeElement.value") == "person 2499", "no name is suggested")
        page.press("Enter")
        page.wait(f"JSON.stringify({chips}) === '[\"person 2499\"]'", "the chip", 30)
        page.wait("document.activeElement.matches('.chip a[aria-current]')", "the focus on what is saved", 30)
        expect(not page.js("!!document.querySelector('[data-act=save-filter]')"), "it can be saved twice")
        page.js("document.querySelector('.chip [data-act=rename]').focus()")
        page.press("Enter")
        page.fill("#question-value", "<b>Nearly</b> the last")
        page.press("Enter")
        page.wait(f"{chips}[0] === '<b>Nearly</b> the last'", "the new name", 30)
        page.wait("document.activeElement.dataset.act === 'rename'", "the focus where it was", 30)
        examine(page, "saved filters")
        for width in (390, 1280):
            page.resize(width, 900, width == 390)
            tops = page.js("[...document.querySelectorAll('.chip > *')].map(e => (r => r.top + r.height / 2)(e.getBoundingClientRect()))")
            expect(len(tops) == 3 and max(tops) - min(tops) < 2, f"a filter and its buttons are not in line at {width}: {tops}")
        page.resize(1280, 900)
        self.open()
        page.wait(f"{chips}.length === 1", "the filter after a reload", 30)
        expect(not page.js("!!document.querySelector('.chip [aria-current]')"), "it is on")
        page.js("document.querySelector('.chip a').focus()")
        page.press("Enter")
        page.wait("location.search === '?q=person+2499&sort=name'", "what was saved", 30)
        ready(page)
        self.place("11 accounts")
        expect(page.js("document.querySelector('#sort').value") == "name", "the order is not saved")
        if self.pictures:
            for width in (390, 1280):
                page.resize(width, 900, width == 390)
                page.viewport = {"width": width, "height": 900}
                take_picture(page, self.pictures / f"saved-filters-{width}.png")
            page.resize(1280, 900)
        # Another list has its own.
        self.open("/desk/transactions")
        expect(page.js(chips) == [], "a filter of another list")
        self.open()
        page.js("document.querySelector('.chip [data-act=remove]').focus()")
        page.press("Enter")
        page.wait(f"{chips}.length === 0", "that it is gone", 30)
        expect(api(self.owner, "GET", "/api/saved-filters")[1]["items"] == [], "the server keeps it")
        page.click('"Undo"')
        page.wait(f"{chips}.length === 1", "that it is back", 30)
        kept = api(self.owner, "GET", "/api/saved-filters")[1]["items"]
        expect([one["query"] for one in kept] == ["q=person+2499&sort=name"], f"{kept}")
        tap(page, ".chip [data-act=remove]")
        page.wait(f"{chips}.length === 0", "that it is gone again", 30)

    def nothing(self):
        self.open()
        self.page.fill("#search", "nobody like this")
        self.page.wait(shown("#none"), "that there is nothing", 30)
        self.place("Nothing found")
        expect(not self.page.js(shown("#csv")), "an empty file is offered")
        tap(self.page, "[data-act=show-all]")
        self.place("100 of more than 10,000 accounts")
        expect(self.page.js("location.search") == "", "the address")

    def failing(self):
        self.open()
        self.page.js("self.longList.failures = 1")
        self.scroll()
        self.page.wait(shown("#list-failed"), "what went wrong", 30)
        expect(self.page.js(ROWS) == 100, "rows are gone")
        examine(self.page, "a page that did not come")
        self.page.js("self.longList.failures = 1")
        tap(self.page, "#list-again")
        self.page.wait("self.longList.failures === 0", "the second try", 30)
        self.page.wait(shown("#list-failed"), "that it failed again", 30)
        tap(self.page, "#list-again")
        self.page.wait(f"{ROWS} === 200", "the page after all", 30)
        # Away from the end, where the next page would come by itself.
        self.page.js("scrollTo(0, 0)")
        self.page.wait("!document.querySelector('#list').ariaBusy", "quiet", 30)
        self.page.js("self.longList.failures = 1")
        tap(self.page, "#kinds [data-kind=staff]")
        self.page.wait(shown("#list-failed"), "that the tab failed", 30)
        expect(self.page.js(ROWS) == 0 and not self.page.js(shown("#none")), "rows of another tab, or “nothing”")
        tap(self.page, "#list-again")
        self.place("25 accounts")

    def transactions(self):
        """A table, narrowed by a select and by a name that stays out of the address."""
        self.open("/desk/transactions")
        rows = "document.querySelectorAll('#rows > tr').length"
        self.place("100 of 3,000 transactions")
        self.scroll()
        self.page.wait(f"{rows} === 200", "two pages", 30)
        # A person at the end of the list gets the next page of the chosen rows, too.
        self.page.js("scrollTo(0, 0)")
        self.page.choose("#state", "refused")
        self.place("100 of 1,000 transactions")
        expect(self.page.js("location.search") == "?state=refused", self.page.js("location.search"))
        self.page.fill("#search", "client 2500")
        self.place("1 transaction")
        expect(self.page.js(FILE) == "/api/signings?show=refused&q=client+2500&format=csv", self.page.js(FILE))
        self.page.choose("#state", "confirmed")
        self.page.wait(shown("#none"), "that there is nothing", 30)
        self.page.choose("#state", "")
        self.place("1 transaction")
        expect(self.page.js("location.search") == "", "a client's name is in the address")
        examine(self.page, "transactions")
        tap(self.page, "#all")
        self.place("100 of 3,000 transactions")
        self.page.choose("#operator", "operator-3")
        self.place("100 of 750 transactions")

    def early(self):
        """A filter counts that is chosen while the page still waits for something else."""
        slow = self.page.send("Page.addScriptToEvaluateOnNewDocument", source=UNANSWERED)["identifier"]
        self.page.goto("about:blank")
        self.page.goto(self.stage.url + "/desk/transactions")
        self.place("100 of 3,000 transactions")
        self.page.choose("#state", "refused")
        self.place("100 of 1,000 transactions")
        self.page.send("Page.removeScriptToEvaluateOnNewDocument", identifier=slow)

    def pages(self):
        """How pages are put together, in the module itself."""
        found = self.page.js("""import('/assets/shell/list-pages.js').then(({ refreshed, continued }) => {
            const loaded = { items: [5, 4, 3, 2, 1], next: 'after 1' };
            return [
              refreshed(loaded, { items: [6, 5], next: 'after 5' }, Number),    // one is new
              refreshed(loaded, { items: [5, 3], next: 'after 3' }, Number),    // one is gone
              refreshed(loaded, { items: [5, 4] }, Number),                     // the rest is gone
              refreshed(loaded, { items: [9, 8], next: 'after 8' }, Number),    // nobody knows what is between
              refreshed({ items: [5, 4], next: 'after 4' }, { items: [6, 5], next: 'after 5' }, Number),
              continued(loaded, { items: [1, 0], next: 'after 0' }, Number),    // one has moved
            ].map(({ items, next }) => items.join('') + ' ' + next) })""")
        expect(found == ["654321 after 1", "5321 after 1", "54 null", "98 after 8", "654 after 4", "543210 after 0"], found)

    def beside(self):
        """A list beside others shows its newest rows, and more at a press of its button, which then goes."""
        self.open()
        found = self.page.js("""import('/assets/shell/newest.js').then(async ({ newest }) => {
            const [ask, asked] = [self.fetch, []];
            self.fetch = async (path, ...rest) => {
              const url = new URL(path, location.origin);
              if (url.pathname !== '/api/invitations') return ask(path, ...rest);
              const limit = Number(url.searchParams.get('limit'));
              asked.push(limit);
              const items = Array.from({ length: Math.min(limit, 150) }, (_, id) => ({ id }));
              return new Response(JSON.stringify({ items, next: limit < 150 ? 'further' : undefined }));
            };
            const [part, list, onward] = ['div', 'ul', 'div'].map((name) => document.createElement(name));
            onward.append(document.createElement('button'));
            part.append(list, onward);
            document.querySelector('main').append(part);
            const states = [];
            const show = async () => {
              const items = await newest(list, '/api/invitations', show);
              list.replaceChildren(...items.map(({ id }) => {
                const row = document.createElement('li');
                row.textContent = id;
                return row;
              }));
              states.push(`${items.length} ${onward.hidden}`);
            };
            await show();
            onward.firstChild.click();
            while (states.length < 2) await new Promise((done) => { setTimeout(done, 10); });
            await new Promise((done) => { setTimeout(done); });
            states.push(document.activeElement.textContent, asked.join(' '));
            part.remove();
            self.fetch = ask;
            return states })""")
        expect(found == ["100 false", "150 true", "100", "101 201"], found)

    def beside_narrowed(self):
        """What narrows a list beside others asks the server, shows the last answer alone, and has the same rows as a file."""
        self.open()
        found = self.page.js("""Promise.all([import('/assets/shell/newest.js'), import('/assets/shell/side-tools.js'),
            import('/assets/shell/dom.js')]).then(async ([{ newest }, { sideTools }, { make }]) => {
            const [ask, asked] = [self.fetch, []];
            const all = Array.from({ length: 12 }, (_, id) => ({ id, show: id % 3 ? 'open' : 'used' }));
            self.fetch = async (path, ...rest) => {
              const url = new URL(path, location.origin);
              if (url.pathname !== '/api/invitations') return ask(path, ...rest);
              const [show, q] = ['show', 'q'].map((name) => url.searchParams.get(name));
              asked.push(`${show} ${q}`);
              if (q === '1') await new Promise((done) => { setTimeout(done, 800); });
              const of = (show) => all.filter((one) => (!show || one.show === show) && (!q || String(one.id).startsWith(q)));
              const counts = [['all', ''], ['open', 'open'], ['used', 'used']].map(([name, show]) => (
                { show: name, total: of(show).length, is_more: name === 'open' }));
              return new Response(JSON.stringify({ items: of(show), counts }));
            };
            const search = make('input', { type: 'search' });
            const [choice, place, file] = [make('select'), make('p', { role: 'status' }), make('a')];
            const row = make('div', { class: 'list-tools' }, make('div', { class: 'field' }, search), choice);
            const tools = make('div', {}, row, place, file);
            const [list, onward] = [make('ul'), make('div', {}, make('button'))];
            const part = make('div', {}, tools, list, onward);
            document.querySelector('main').append(part);
            const kinds = [{ name: 'all', word: 'All' }, { name: 'open', word: 'Open' }, { name: 'used', word: 'Used' }];
            const show = async () => {
              const items = await newest(list, '/api/invitations', show, sideTools(list, {
                path: '/api/invitations', kinds, things: (number) => `${number} rows`, isSearched: true, show,
              }));
              list.replaceChildren(...items.map(({ id }) => make('li', {}, String(id))));
            };
            const said = () => [[...choice.options].map((one) => one.textContent).join(', '), place.textContent,
              list.textContent, file.hidden ? '' : file.getAttribute('href'), row.hidden].join(' | ');
            const until = async (test) => { while (!test()) await new Promise((done) => { setTimeout(done, 10); }); };
            const type = (words) => {
              search.value = words;
              search.dispatchEvent(new Event('input', { bubbles: true }));
            };
            const states = [];
            await show();
            states.push(said());
            choice.value = 'used';
            choice.dispatchEvent(new Event('change', { bubbles: true }));
            await until(() => list.children.length === 4);
            states.push(said());
            choice.value = 'all';
            choice.dispatchEvent(new Event('change', { bubbles: true }));
            await until(() => list.children.length === 12);
            type('1');
            await until(() => asked.at(-1) === 'null 1');
            // A live update asks meanwhile, and the answer to the slow question comes after that.
            search.value = '11';
            search.dispatchEvent(new Event('change', { bubbles: true }));
            await show();
            await until(() => asked.at(-1) === 'null 11' && list.children.length === 1);
            await new Promise((done) => { setTimeout(done, 1000); });
            states.push(said());
            type('x');
            await until(() => list.children.length === 0);
            states.push(said());
            part.remove();
            self.fetch = ask;
            return states })""")
        expect(found == [
            "All (12), Open (8+), Used (4) | 12 rows | 01234567891011 | /api/invitations?format=csv | false",
            "All (12), Open (8+), Used (4) | 4 rows | 0369 | /api/invitations?show=used&format=csv | false",
            "All (1), Open (1+), Used (0) | 1 rows | 11 | /api/invitations?q=11&format=csv | false",
            "All (0), Open (0+), Used (0) | Nothing found |  |  | false",
        ], found)

    def looked_at(self):
        """The long list on phone and desktop, light and dark; with pictures where they are wanted."""
        self.open()
        for width, scheme in ways("members", every=True):
            self.page.resize(width, 900, width == 390)
            self.page.scheme(scheme, "reduce")
            examine(self.page, f"{width} px, {scheme}")
            if self.pictures:
                self.page.viewport = {"width": width, "height": 900}
                take_picture(self.page, self.pictures / f"members-{width}-{scheme}.png")
        self.page.scheme("light")
        self.page.resize(1280, 900)

    def all_lists(self):
        """Every list of the server says where it is, and its pages hold."""
        page = self.owner
        page.send("Page.bringToFront")
        for path, name in LISTS:
            page.goto(self.stage.url + path)
            ready(page)
            page.wait(f"(document.querySelector('#place').textContent !== '') !== {shown('#none')}",
                      f"either the place in {name} or that nothing is there", 30)
            examine(page, name)

    def files(self):
        """What is saved is what another program reads."""
        page = self.owner
        folder = Path(tempfile.mkdtemp())
        page.downloads(folder)
        for path, name, column, values in (
            ("/console/members", "members", "username", ["grace"]),
            ("/wallet/log", "log", "index", None), ("/console/server-log", "server-log", "message", None),
        ):
            page.goto(self.stage.url + path)
            ready(page)
            page.wait(shown("#csv"), f"the file of {name}", 30)
            number = page.js("document.querySelectorAll('#entries > li, #list > li').length")
            tap(page, "#csv")
            file = folder / f"{name}.csv"
            until_saved(file)
            with open(file, newline="", encoding="utf-8") as lines:
                rows = list(csv.DictReader(lines, strict=True))
            found = [row[column] for row in rows]
            # The server's log goes on while its file is saved, and more of it is in the file than on a page.
            whole = len(found) >= number if name == "server-log" else len(found) == number
            expect(found == values if values else whole and number > 0, f"{name}: {rows}")
        shutil.rmtree(folder)

    def own_log(self):
        """Acts are found by the words that the page has for them, their receipts stay checked, and it works without a network."""
        page = self.owner
        page.send("Page.bringToFront")
        page.goto(self.stage.url + "/wallet/log")
        ready(page)
        rows = "document.querySelectorAll('#entries > li').length"
        checked = "[...document.querySelectorAll('#entries [data-badge]')].every(e => e.textContent === 'Checked')"
        page.wait(f"{rows} > 1 && {checked}", "every receipt checked", 30)
        number = page.js(rows)
        page.see(f"{number} entries", "#place", 30)
        counts = api(page, "GET", "/api/log/mine")[1]["counts"]
        expect(counts == [{"show": "all", "total": number, "is_more": False}], f"{counts}")
        page.fill("#search", "Órganis SET")
        page.wait(f"{rows} === 1 && {checked}", "the act with these words", 30)
        page.see("The organisation was set up", "#entries")
        page.see("1 entry", "#place")
        page.see("1 receipt checked", "#audit")
        types = page.js(f"new URL({FILE}, location).searchParams.get('types')")
        expect(types == "organisation.created", f"the file has {types}")
        # The middle of a word is no beginning.
        page.fill("#search", "ganis")
        page.wait(shown("#none"), "that there is nothing", 30)
        page.see("No entry about you has these words.", "#none")
        page.see("Nothing found", "#place")
        expect(not page.js(shown("#csv")), "an empty file is offered")
        tap(page, "[data-act=show-all]")
        page.wait(f"{rows} === {number} && {checked}", "all entries again, as checked as they were", 30)
        page.offline()
        page.fill("#search", "organis set")
        page.wait(f"{rows} === 1 && {checked}", "the act among the kept ones", 30)
        page.see("This is what this device saw on", "#age")
        page.see("Whether the log has changed since can be told when you are connected.", "#audit")
        page.offline(False)
        page.fill("#search", "")
        page.wait(f"{rows} === {number} && {checked} && !{shown('#age')}", "all entries, from the server", 30)

    # What every page says of mistakes.

    def toasts(self):
        """The same words once, and at most three messages: nobody reads more."""
        self.page.goto(self.stage.url + "/help")
        seen = self.page.js("""import('/assets/shell/dom.js').then(({notice}) => {
            for (const number of [1, 2, 2, 3, 4]) notice('warning', `Message ${number}`);
            return [...document.querySelectorAll('#notices .notice p')].map(p => p.textContent); })""")
        expect(seen == ["Message 2", "Message 3", "Message 4"], f"{seen}")

    def form_errors(self):
        """The summary has the number of the words beside the fields, and both go while one types."""
        # One row of words and the cross have one middle, and so has the button where it is beside them.
        for width in (390, 1280):
            self.page.resize(width, 900, width == 390)
            middles = self.page.js("""import('/assets/shell/dom.js').then(({ clearNotices, notice, undoable }) => {
                clearNotices();
                const middle = (box) => Math.round(box.top + box.height / 2);
                return [notice('info', 'Saved.'), undoable('Gone.', () => {})].map((box) => {
                    const range = document.createRange();
                    range.selectNodeContents(box.querySelector('p'));
                    return [range, ...box.querySelectorAll(innerWidth < 700 ? '.dismiss' : '.button')].map(one => middle(one.getBoundingClientRect()));
                }); })""")
            expect(all(max(each) - min(each) <= 1 for each in middles), f"{width} px: {middles}")
        self.page.resize(1280, 900)
        self.page.goto(self.stage.url + "/join")
        self.page.wait("document.querySelector('#go')?.textContent.includes('passkey')")
        self.page.js("document.querySelector('#code').value = ''")
        self.page.click("#go")
        self.page.wait(shown(".error-summary"))
        beside = "[...document.querySelectorAll('#form .field .error')].filter(e => e.textContent).length"
        found = self.page.js(beside)
        expect(found > 1, f"{found} mistakes of an empty form")
        expect(self.page.js("document.querySelectorAll('.error-summary li').length") == found, "the list has another number")
        title = "document.querySelector('.error-summary h2')?.textContent"
        expect(self.page.js(title) == f"{found} answers are missing", self.page.js(title))
        expect(self.page.js("document.activeElement.classList.contains('error-summary')"), "the summary has no focus")
        self.page.fill("#username", "somebody")
        expect(self.page.js("document.querySelector('#username-error').textContent") == "", "the words stay while one types")
        expect(self.page.js(beside) == found - 1, "other words have gone")
        expect(self.page.js("document.querySelectorAll('.error-summary li').length") == found - 1, "the summary stays as it was")
        # What was given and is wrong is not missing.
        self.page.fill("#username", "no name")
        self.page.click("#go")
        self.page.wait(f"{title} === 'There are {found} problems'", "the other number and kind", 30)
        self.page.fill("#username", "somebody")
        rest = "1 answer is missing" if found == 2 else f"{found - 1} answers are missing"
        expect(self.page.js(title) == rest, self.page.js(title))

    def trust_errors(self):
        """The form of trusted organisations, on a page that anybody reads."""
        page = self.page
        page.goto(self.stage.url + "/verify")
        page.wait(shown("#pin"), "the form", 30)
        tap(page, "#pin .primary")
        page.wait(shown("#pin .error-summary"), "the summary", 30)
        expect(mistakes(page, "#pin") == ["Type the fingerprint or the domain, or choose the certificate."], "nothing was given")
        expect(page.js("document.activeElement.matches('.error-summary')"), "the summary has no focus")
        # Any of the three answers that.
        page.fill("#pin-domain", "x.invalid")
        expect(mistakes(page, "#pin") == [], "the words stay while one types")
        page.fill("#pin-digits", "AAAA")
        page.fill("#pin-log", "no key")
        tap(page, "#pin .primary")
        page.wait(shown("#pin .error-summary"), "the summary", 30)
        found = mistakes(page, "#pin")
        expect(len(found) == 2 and found[0] == "Type all four groups of five, or all 64 digits.", f"{found}")
        page.js("document.querySelectorAll('#pin .error-summary a')[1].click()")
        expect(page.js("document.activeElement.id") == "pin-log", "the link leads elsewhere")
        page.fill("#pin-log", "")
        expect(mistakes(page, "#pin") == found[:1], "other words have gone")
        # A whole fingerprint that is not this server's.
        page.fill("#pin-domain", "")
        page.fill("#pin-digits", "0" * 64)
        expect(mistakes(page, "#pin") == [], "the words stay while one types")
        tap(page, "#pin .primary")
        page.wait(shown("#pin .error-summary"), "the summary", 30)
        expect("This server has another root" in mistakes(page, "#pin")[0], "what is said of another root")

    def long_names(self):
        """A name of 200 letters without a space widens neither a button nor a row."""
        self.page.goto(self.stage.url + "/help")
        wide = self.page.js("""(() => {
            const name = 'x'.repeat(200);
            const row = document.createElement('div');
            row.className = 'item';
            for (const [kind, words] of [['button', `Next signature of ${name}`], ['title', name]]) {
                const outer = row.appendChild(document.createElement(kind === 'button' ? 'button' : 'div'));
                outer.className = kind;
                outer.appendChild(document.createElement('span')).textContent = words;
            }
            document.querySelector('main').append(row);
            return row.scrollWidth - row.clientWidth; })()""")
        expect(wide <= 0, f"{wide} pixels too wide")

    def file_names(self):
        """Names stay as people write them; nothing in a file's name is a folder or turns the text around."""
        self.page.goto(self.stage.url + "/help")
        names = {
            "Söhne & Töchter GmbH": "Söhne-Töchter-GmbH", "https://bank.example/loans": "bank-example-loans",
            "山田花子": "山田花子", "ليلى الحسن": "ليلى-الحسن", "../../etc/passwd": "etc-passwd",
            "a\u202egnp.exe": "a-gnp-exe", "e\u0301" * 300: "é" * 60, " / ": "",
        }
        found = self.page.js(
            f"import('/assets/transparency/save.js').then(({{ slug }}) => {json.dumps(list(names))}.map(slug))")
        expect(found == list(names.values()), f"{found}")

    def no_complaints(self):
        bad = [f"{page.name}: {line}" for page in (self.owner, self.page) for line in page.complaints]
        expect(not bad, "\n".join(bad))


def main():
    pictures = pictures_folder()
    case = Cases()
    with server() as stage, Chromium() as browser:
        lists = Lists(stage, browser, pictures)
        lists.set_up()
        case("one page at first, with the numbers that the server counts", lists.first_page)
        case("more comes as one scrolls, and stops after a thousand", lists.scrolling)
        case("more comes by keyboard, and the focus goes on there", lists.by_keyboard)
        case("a new row changes neither what is loaded nor what is read", lists.changes)
        case("a search asks once, and its last answer wins", lists.searching)
        case("a list sorts by name, over a reload too", lists.sorting)
        case("filters are saved, renamed, removed, and come back", lists.saved_filters)
        case("nothing found, and the way back", lists.nothing)
        case("a page that does not come is asked for again", lists.failing)
        case("transactions load on, and are narrowed at the server", lists.transactions)
        case("a filter that is chosen while the page still loads counts", lists.early)
        case("pages are put together without a gap or a double", lists.pages)
        case("a list beside others shows more at a press of its button", lists.beside)
        case("a list beside others is searched and narrowed at the server", lists.beside_narrowed)
        case("the long list holds on phone and desktop, light and dark", lists.looked_at)
        case("every list says where it is", lists.all_lists)
        case("lists are saved as files", lists.files)
        case("one's own entries are found by what was done, without a network too", lists.own_log)
        case("an administrator, and a member who asks for a document", lists.office)
        case("the office's lists are saved as files", lists.office_files)
        case("invitations are narrowed, found by whom they are for, and saved as a file", lists.invited)
        case("a member's links are shown by state, and saved as a file", lists.own_links)
        case("a form adds up the credits of its rows", lists.totals)
        case("a request is assigned to another administrator, whose page shows it at once, and taken back", lists.assigned)
        case("messages do not pile up", lists.toasts)
        case("a form says how many mistakes there are, and stops while one types", lists.form_errors)
        case("whoever shows a document reads all that is wrong", lists.showing_errors)
        case("whoever trusts an organisation reads all that is wrong", lists.trust_errors)
        case("long names wrap", lists.long_names)
        case("names of people stay themselves in names of files", lists.file_names)
        case("no uncaught exception and no violation of a policy", lists.no_complaints)
    return case.end()


if __name__ == "__main__":
    sys.exit(main())
