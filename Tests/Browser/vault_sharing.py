#!/usr/bin/env python3
"""Shares what is in a vault: with members who look or write, by link, through a caretaker, with emergency contacts and recovery
shares; and tells those who run the server something.

    COUNTERSIGN=.build/debug/countersign python Tests/Browser/vault_sharing.py [--pictures FOLDER] [words of a case …]

Mary shares, Bob and Eve receive, and compare her key once. Each has a browser of their own; Nobody has no account. One line for each
case.
"""

import json
import sqlite3
import sys
import tempfile
from pathlib import Path

from attacks_stage import Cases, api, expect, front, server, shown, sign_up, tap
from chromium import Chromium, until
from face import png
from looking import pictures_folder
from vault import CLOSED, OPEN, Vault

MARK = "Canary0815"


class Sharing(Vault):
    def __init__(self, stage, browser, folder, pictures=None):
        super().__init__(stage, browser, folder, pictures)
        self.bob, self.eve = self.person("bob"), self.person("eve")
        # Whose key somebody has compared: each is asked for once.
        self.compared = set()
        sign_up(self.bob, stage, "bob", "Bob", "Jones")
        sign_up(self.eve, stage, "eve", "Eve", "Brown")
        for person in (self.mary, self.bob, self.eve):
            self.make(person)

    # The page

    def show(self, page, view):
        """Goes to a view of other people, again if it is shown already."""
        front(page)
        if not page.js(OPEN):
            self.open(page)
        page.js("location.hash = ''")
        page.wait(shown("#folder"))
        page.js(f"location.hash = {json.dumps(view)}")
        page.wait(shown(f"#{view.split('=')[0]}"), f"{view} to be shown")
        page.settle()

    def home(self, page):
        front(page)
        if not page.js(OPEN):
            self.open(page)
        page.js("location.hash = ''")
        page.wait(shown("#folder"))

    def enter(self, page, folder):
        """Goes into a folder of the list."""
        self.follow(page, folder)
        page.wait(f"document.querySelector('#path [aria-current]')?.textContent === {json.dumps(folder)}", f"the folder {folder}")
        page.settle()

    def dialog(self, page, heading):
        page.wait(f"[...document.querySelectorAll('dialog[open] h2')].some(e => e.textContent.includes({json.dumps(heading)}))", f"the dialog {heading}")

    def done(self, page, seconds=60):
        page.wait("!document.querySelector('dialog[open]')", "the dialog to close", seconds)

    def complains(self, page, words):
        page.wait(f"[...document.querySelectorAll('dialog[open] .error-text')].some(e => e.textContent.includes({json.dumps(words)}))", words)

    def person_found(self, page, username, role=None, name=None):
        """Types somebody's username, and stands before the question whether it is them."""
        page.fill("dialog[open] input[name=username]", username)
        if role:
            tap(page, f"dialog[open] input[value={role}]")
        tap(page, "dialog[open] .primary")
        if name:
            self.dialog(page, f"Is this {name}?")

    def row(self, page, place, text):
        return f"[...document.querySelectorAll('{place} li')].find(e => e.textContent.includes({json.dumps(text)}))"

    def press_in(self, page, place, text, button):
        find = self.row(page, place, text)
        # In one step with the look: a button that is still at work takes no press, and its row may be drawn again.
        press = "b?.checkVisibility() && b.getAttribute('aria-busy') !== 'true' && (b.click(), true)"
        page.wait(f"((b) => {press})({find}?.querySelector('[data-act={button}]'))", f"{button} at {text}")

    def print_of(self, page):
        """What somebody sees of their own key."""
        return page.js("import('/assets/vault/recipients.js').then(recipients => recipients.ownPrint())")

    def compare(self, page, sharer, name):
        """Opens something of a sharer: the first time their key is compared with what they see, and never again."""
        if (id(page), id(sharer)) in self.compared:
            return
        self.dialog(page, f"Is this {name}?")
        self.look(page, f"is-this-{name.split()[0].lower()}-who-shares")
        expect(page.text("dialog[open] .fingerprint").strip() == self.print_of(sharer), f"another fingerprint than that of {name}")
        tap(page, "dialog[open] .primary")
        self.compared.add((id(page), id(sharer)))

    def account_of(self, page, username):
        """The id of somebody's account, as another person finds it."""
        return api(page, "POST", "/api/vault/recipients", {"username": username})[1]["account"]

    def newest(self, page):
        """The compartment that was shared with somebody last."""
        return api(page, "GET", "/api/vault/shared")[1]["items"][0]["compartment"]

    def end_for(self, page, folder, name):
        """Presses the button that ends a folder for somebody."""
        row = self.row(page, "#given", folder)
        page.wait(f"{row}?.textContent.includes({json.dumps(name)})", f"{name} in {folder}")
        page.js(f"[...{row}.querySelectorAll('li')].find(e => e.textContent.includes({json.dumps(name)})).querySelector('button').click()")
        self.dialog(page, f"End this for {name}")

    def add_files(self, page, *paths):
        page.upload("#add input[accept='*/*']", *paths)

    def folder_named(self, page, name):
        tap(page, "[data-add=folder]")
        page.fill("#question-value", name)
        tap(page, "dialog[open] .primary")
        self.has(page, name)

    # Cases

    def share_folder(self):
        """Mary shares a folder with Bob, who may look: he compares the key, finds it, opens and saves, and changes nothing."""
        mary, bob = self.mary, self.bob
        self.home(mary)
        self.folder_named(mary, "Flat")
        self.enter(mary, "Flat")
        self.add_files(mary, self.file(f"{MARK}.txt", f"{MARK} lease".encode()))
        self.has(mary, f"{MARK}.txt")
        self.note(mary, f"{MARK} note", "the door code")
        self.home(mary)
        self.act(mary, "Flat", "menu")
        tap(mary, "\"Share\"")
        self.dialog(mary, "Share Flat")
        self.look(mary, "share")
        self.person_found(mary, "nobody-at-all")
        self.complains(mary, "Nobody with this username")
        self.person_found(mary, "@Mary")
        self.complains(mary, "That is you")
        self.person_found(mary, "bob", "reader", "Bob Jones")
        mary.js("document.querySelector('dialog[open] details').open = true")
        self.look(mary, "is-this-bob")
        print_of_bob = mary.text("dialog[open] .fingerprint").strip()
        tap(mary, "dialog[open] .primary")
        mary.see("Bob Jones can open Flat from now on", "#notices", 60)
        self.has(mary, "Flat")
        mary.see("Shared folder", "#items")
        expect(mary.js("document.querySelector('#search').placeholder") == "Search everything that is open", "where a search looks")
        self.enter(mary, "Flat")
        self.has(mary, f"{MARK} note")
        mary.see("You share this folder", "#inside")
        mary.fill("#search", "nothing like this")
        mary.see("No name, tag or note here", "#none")
        expect("searched" not in mary.text("#folder"), "something is not searched")
        mary.fill("#search", "")
        self.has(mary, f"{MARK} note")
        self.folder_named(mary, "Later")
        self.enter(mary, "Later")
        mary.see("Photograph a paper", "#none")
        expect(mary.js(f"{shown('#none .by-mouse')} === matchMedia('(hover: hover)').matches"), "dropping files is for those with a mouse")
        # Bob
        self.home(bob)
        self.open(bob)
        bob.see("Mary Smith shares a folder with you", "#new-shared")
        self.show(bob, "people")
        bob.wait(f"document.querySelector('#own-print').textContent.trim() === {json.dumps(print_of_bob)}", "the same fingerprint")
        bob.see("Your username is bob", "#people")
        self.look(bob, "people-received")
        self.press_in(bob, "#received", "Mary Smith", "add")
        self.compare(bob, mary, "Mary Smith")
        bob.see("Flat is in your vault", "#notices", 60)
        self.home(bob)
        self.enter(bob, "Flat")
        self.has(bob, f"{MARK}.txt")
        bob.see("You can look and save copies", "#inside")
        expect(not bob.js(shown("#add")) and not bob.js(shown("#items [data-act=menu]")), "Bob may change something")
        self.look(bob, "inside-reader")
        self.takes_nothing(bob)
        self.enter(bob, "Later")
        bob.see("As soon as Mary Smith adds something", "#none")
        expect("Photograph" not in bob.text("#none") and "drop files" not in bob.text("#none"), bob.text("#none"))
        self.look(bob, "empty-reader")
        bob.press("L", "KeyL", modifiers=2 | 8)
        bob.wait(CLOSED, "the vault to be locked")
        expect("Mary Smith" not in bob.js("document.querySelector('#opened').outerHTML"), "whose folder it was is left")
        self.open(bob)
        self.enter(bob, "Flat")
        self.follow(bob, f"{MARK}.txt")
        bob.wait(f"document.querySelector('#item-view pre')?.textContent === '{MARK} lease'", "the file", 60)
        words = bob.text("#item-acts")
        expect("Delete" not in words and "Change" not in words and "Save a copy" in words, words)
        self.compartment = next(one["compartment"] for one in api(bob, "GET", "/api/vault/shared")[1]["items"])
        status, _ = api(bob, "POST", f"/api/vault/compartments/{self.compartment}/changes", {
            "sequence": 1, "head": "AA", "put": [], "trash": [], "restore": [], "remove": []})
        expect(status == 404, f"a reader's change is answered with {status}")

    def write(self):
        """Bob may write from now on: what he adds and changes is with Mary, and hers with him."""
        mary, bob = self.mary, self.bob
        self.show(mary, "people")
        self.look(mary, "people-given")
        self.press_in(mary, "#given", "Flat", "admit")
        self.person_found(mary, "bob", "writer", "Bob Jones")
        tap(mary, "dialog[open] .primary")
        mary.see("Bob Jones can open Flat", "#notices", 60)
        mary.wait(f"{self.row(mary, '#given', 'Flat')}?.textContent.includes('look and change')", "what Bob may")
        self.home(bob)
        bob.wait("fetch('/api/vault/shared').then(r => r.json()).then(v => v.items[0].role === 'writer')")
        bob.js("location.hash = 'people'")
        bob.wait(shown("#people"))

        def enters():
            """His vault remembers what he may after the list was drawn, and a folder that was entered before stays as it was."""
            self.home(bob)
            self.enter(bob, "Flat")
            return bob.js(shown("#add"))

        until(enters, "Bob to be able to add")
        self.note(bob, "From Bob", "one")
        self.follow(bob, f"{MARK} note")
        tap(bob, "#item-acts button:first-child")
        bob.fill("#note-text", "the new door code")
        tap(bob, "dialog[open] .primary")
        self.done(bob)
        front(mary)
        self.home(mary)
        self.enter(mary, "Flat")
        self.has(mary, "From Bob")
        self.follow(mary, f"{MARK} note")
        mary.see("the new door code", "#item-view")

    def found(self, page, words, name, place):
        """Searches, and finds it in its place."""
        page.fill("#search", words)
        self.has(page, name)
        row = self.row(page, "#items", name)
        page.wait(f"{row}?.querySelector('.meta').textContent.endsWith({json.dumps(', in ' + place)})", f"{name} in {place}", 20)

    def searched(self):
        """One search looks in the own vault and in shared folders that nobody has gone to; a hit says where it is, and opens there."""
        mary, bob = self.mary, self.bob
        for page in (mary, bob):
            self.home(page)
            self.note(page, f"Receipt of {'Mary' if page is mary else 'Bob'}", "for the tax")
            page.press("L", "KeyL", modifiers=2 | 8)
            page.wait(CLOSED, "the vault to be locked")
            self.open(page)
            self.has(page, "Flat")
            expect(page.js("import('/assets/vault/shared-folders.js').then(folders => folders.opened().length)") == 0, "the folder is open already")
        front(mary)
        self.found(mary, "door code", f"{MARK} note", "Flat · Shared folder")
        expect(not mary.js(shown("#searching")), "the line stays")
        self.look(mary, "search-hit")
        self.follow(mary, f"{MARK} note")
        mary.see("the new door code", "#item-view")
        expect(mary.js("[...document.querySelectorAll('#path li')].map(e => e.textContent)") == ["Vault", "Flat"], "the path")
        # Closed, the hits are there as they were.
        tap(mary, "#item-close")
        mary.wait("document.activeElement.matches('#items .title') && location.hash === ''", "the focus at the hit", 20)
        expect(self.names(mary) == [f"{MARK} note"], f"{self.names(mary)}")
        # It is changed where it is, from the list of hits.
        self.act(mary, f"{MARK} note", "menu")
        mary.fill("#change-tags", "flat")
        tap(mary, "dialog[open] .primary")
        self.done(mary)
        mary.see("#flat", "#items")
        self.found(mary, "tax", "Receipt of Mary", "Vault")
        expect(self.names(mary) == ["Receipt of Mary"], f"{self.names(mary)}")
        # A folder that is found is where one is then, and not the search.
        self.found(mary, "later", "Later", "Flat · Shared folder")
        self.enter(mary, "Later")
        expect(mary.js("document.querySelector('#search').value") == "" and self.names(mary) == [], "the search is still on")
        self.found(mary, "tax", "Receipt of Mary", "Vault")
        mary.fill("#search", "")
        self.home(mary)
        # What a reader or writer finds has the name of its owner.
        front(bob)
        self.found(bob, "flat", f"{MARK} note", "Flat · Shared by Mary Smith")
        self.found(bob, "tax", "Receipt of Bob", "Vault")
        bob.fill("#search", "")
        self.enter(bob, "Flat")
        self.enter(bob, "Later")
        self.found(bob, "tax", "Receipt of Bob", "Vault")
        bob.fill("#search", "")

    def searched_alike(self):
        """Bob writes something with the id of an item of Mary's vault: she finds both, and each opens where it is."""
        mary, bob = self.mary, self.bob
        front(mary)
        self.home(mary)
        own = self.id_of(mary, "Receipt of Mary")
        front(bob)
        self.home(bob)
        self.enter(bob, "Flat")
        bob.js(f"""Promise.all([import('/assets/vault/shared-folders.js'), import('/assets/vault/bytes.js')]).then(async ([folders, {{ fromHex }}]) => {{
            const {{ vault }} = folders.opened().find(place => place.name === 'Flat');
            await vault.adopt('0'.repeat(32), fromHex('{own}'), {{ kind: 'note', name: 'Receipt of nobody', text: 'for the tax, too', created: 1, modified: 1 }}, async () => []); }})""")
        front(mary)
        self.open(mary)
        mary.fill("#search", "tax")
        self.has(mary, "Receipt of nobody")
        self.has(mary, "Receipt of Mary")
        for name, text in (("Receipt of nobody", "for the tax, too"), ("Receipt of Mary", "for the tax")):
            self.follow(mary, name)
            mary.wait(f"document.querySelector('#item-title').textContent === {json.dumps(name)}", name, 20)
            expect(mary.text("#item-view").strip() == text, f"{name}: {mary.text('#item-view')}")
            tap(mary, "#item-close")
            mary.wait(f"document.activeElement.textContent === {json.dumps(name)}", "the focus at the hit", 20)
        self.act(mary, "Receipt of nobody", "menu")
        mary.wait("document.querySelector('#change-name')?.value === 'Receipt of nobody'", "the other one to be changed", 20)
        tap(mary, "dialog[open] .danger")
        self.done(mary)
        self.has_not(mary, "Receipt of nobody")
        self.has(mary, "Receipt of Mary")
        mary.fill("#search", "")

    def searched_late(self):
        """A folder that does not come is told, and comes with the search after it is opened; nothing comes behind the lock."""
        mary = self.mary
        self.open(mary)
        self.has(mary, "Flat")
        self.hold(mary, "/nodes?after=0")
        mary.fill("#search", "door code")
        mary.see("Opening your shared folders to search them too", "#searching")
        self.lock_meanwhile(mary, "Flat", MARK, "door code")
        expect(mary.js("import('/assets/vault/shared-folders.js').then(folders => folders.opened().length)") == 0, "it is open behind the lock")
        self.open(mary)
        self.has(mary, "Flat")
        expect(mary.js("document.querySelector('#search').value") == "", "the search is still on")
        mary.js("""{ const send = globalThis.fetch; globalThis.fetch = (address, ...rest) => (
            String(address?.url ?? address).includes('/nodes?after=0') ? Promise.reject(new TypeError('no network')) : send(address, ...rest));
            globalThis.again = () => { globalThis.fetch = send; }; 0 }""")
        mary.fill("#search", "door code")
        mary.see("1 shared folder is not searched: open it first.", "#searching")
        mary.see("Nothing like that", "#none")
        self.look(mary, "search-left")
        mary.js("again()")
        mary.fill("#search", "")
        mary.wait("!document.querySelector('#searching').textContent", "the line to go", 20)
        self.enter(mary, "Flat")
        self.home(mary)
        self.found(mary, "door code", f"{MARK} note", "Flat · Shared folder")
        expect(not mary.text("#searching"), "a folder that is open is not searched")
        mary.fill("#search", "")

    def carried(self):
        """A file with its whole photo behind it is moved there: whole it comes, once it is there, and once in the trash."""
        mary, bob = self.mary, self.bob
        self.home(mary)
        mary.upload("#add input[accept='image/*']", self.file("passport.png", png(320, 200)))
        mary.wait("document.querySelectorAll('#items li').length >= 2 && !document.querySelector('#transfers li')", "the photo", 60)
        name = next(one for one in self.names(mary) if one != "Flat")
        self.follow(mary, name)
        tap(mary, "\"Move or copy\"")
        self.dialog(mary, "Move or copy")
        mary.choose("dialog[open] select", "Flat")
        self.look(mary, "carry")
        tap(mary, "dialog[open] .primary")
        self.done(mary)
        self.home(mary)
        self.has_not(mary, name)
        self.enter(mary, "Flat")
        self.has(mary, name)
        self.home(bob)
        self.open(bob)
        self.enter(bob, "Flat")
        self.has(bob, name)
        self.follow(bob, name)
        bob.wait("document.querySelector('#item-view img')?.naturalWidth === 320", "the photo at Bob's", 60)
        # Bob takes a copy, which is sealed again.
        tap(bob, "\"Move or copy\"")
        tap(bob, "dialog[open] input[value=copy]")
        tap(bob, "dialog[open] .primary")
        self.done(bob)
        self.home(bob)
        self.has(bob, name)
        self.enter(bob, "Flat")
        self.has(bob, name)
        # And moves one: it is in the vault of Bob, and in the trash of the folder.
        self.follow(bob, "From Bob")
        tap(bob, "\"Move or copy\"")
        tap(bob, "dialog[open] .primary")
        self.done(bob)
        self.home(bob)
        self.has(bob, "From Bob")
        self.enter(bob, "Flat")
        self.has(bob, name)
        self.has_not(bob, "From Bob")
        tap(bob, "#opened .who summary")
        tap(bob, "#trash-link")
        bob.see("From Bob", "#trashed")

    def trap(self):
        """Bob makes a folder that claims to stand for the shared one: to Mary it is a folder, and deleting it deletes no more."""
        mary, bob = self.mary, self.bob
        self.home(bob)
        self.enter(bob, "Flat")
        bob.see("Mary Smith shares this folder with you", "#inside")
        bob.js("""import('/assets/vault/shared-folders.js').then(async folders => {
            const { vault } = folders.opened().find(place => place.name === 'Flat');
            const key = btoa(String.fromCharCode(...vault.compartment.key)).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
            await vault.addFolder('0'.repeat(32), 'Trap', { compartment: key, share: {} }); })""")
        self.home(mary)
        self.enter(mary, "Flat")
        mary.see("You share this folder", "#inside")
        self.has(mary, "Trap")
        expect("Shared" not in mary.text("#items"), "the folder looks like a shared one")
        self.act(mary, "Trap", "menu")
        expect("Share" not in [one.strip() for one in mary.text("dialog[open] .actions").split("\n")], "it can be shared again")
        tap(mary, "dialog[open] .danger")
        mary.see("Trap is in the trash", "#notices")
        self.has(mary, f"{MARK}.txt")

    def disguised(self):
        """What a member wrote as name, kind and own name of a file gives a saved copy no ending that hides what it is."""
        cases = [
            ("invoice.pdf", "application/pdf", "invoice.exe", "invoice.pdf"), ("invoice.pdf", "application/x-thing", "a.exe", "invoice.pdf"),
            ("invoice.pdf", "text/plain", "a.bat", "invoice.pdf"), ("Invoice", "application/pdf", "a.scr", "Invoice.pdf"),
            ("Photo", "image/jpeg", "IMG_1.JPEG", "Photo.JPEG"), ("Photo.png", "image/jpeg", "a.hta", "Photo.png.jpg"),
            ("Report", "application/x-thing", "report.docx", "Report.docx"), ("St.Gallen", "application/x-thing", "map.gpx", "St.Gallen.gpx"),
            ("letter.pdf", "text/plain", None, "letter.pdf.txt"), ("server", "text/plain", "server.log", "server.log"),
            ("a", "constructor", None, "a"), ("a", None, None, "a"),
        ]
        for name, kind, original, expected in cases:
            saved = self.mary.js(f"""import('/assets/vault/viewing.js').then(({{ fileName }}) => fileName(
                {{ name: {json.dumps(name)}, type: {json.dumps(kind)} ?? undefined, original: {json.dumps(original)} ?? undefined }}))""")
            expect(saved == expected, f"{name}, {kind}, {original}: {saved}")

    def item(self):
        """A single note is shared: a copy goes into a folder called like it."""
        mary, eve = self.mary, self.eve
        self.home(mary)
        self.note(mary, "Wifi", "swordfish")
        self.follow(mary, "Wifi")
        tap(mary, "\"Share\"")
        tap(mary, "dialog[open] input[value=copy]")
        self.person_found(mary, "eve", "reader", "Eve Brown")
        tap(mary, "dialog[open] .primary")
        mary.see("Eve Brown can open Wifi", "#notices", 60)
        self.show(eve, "people")
        self.press_in(eve, "#received", "Mary Smith", "add")
        self.compare(eve, mary, "Mary Smith")
        eve.see("Wifi is in your vault", "#notices", 60)
        self.home(eve)
        self.enter(eve, "Wifi")
        self.has(eve, "Wifi")
        self.follow(eve, "Wifi")
        eve.see("swordfish", "#item-view")
        expect("Edit" not in eve.text("#item-acts"), "Eve may edit")

    def another_key(self):
        """A server that names a key that the log does not have for Bob, and one that gives Bob a folder that Mary has not signed."""
        mary, bob = self.mary, self.bob
        self.home(mary)
        self.folder_named(mary, "Secret")
        self.act(mary, "Secret", "menu")
        tap(mary, "\"Share\"")
        other = api(mary, "POST", "/api/vault/recipients", {"username": "eve"})[1]["devices"][0]["encryption_key"]
        mary.js(f"""(() => {{ const send = globalThis.fetch; globalThis.fetch = async (path, options) => {{
            const answer = await send(path, options); if (!String(path).endsWith('/recipients')) return answer;
            const value = await answer.json(); value.devices[0].encryption_key = {json.dumps(other)};
            return new Response(JSON.stringify(value), {{ status: 200 }}); }} }})()""")
        self.person_found(mary, "bob", "reader")
        self.complains(mary, "The log does not have the keys")
        tap(mary, "dialog[open] [type=button]")
        expect(all(one["role"] != "reader" for one in api(bob, "GET", "/api/vault/shared")[1]["items"]), "something was shared")
        self.open(mary)
        # Bob is given something else than what Mary has signed.
        self.show(mary, "people")
        self.act_share(mary, "Secret", "bob", "Bob Jones")
        front(bob)
        self.open(bob)
        self.show(bob, "people")
        bob.js("""(() => { const send = globalThis.fetch; globalThis.fetch = async (path, options) => { const answer = await send(path, options);
            if (!/shared([?]|$)/.test(path)) return answer; const value = await answer.json();
            for (const one of value.items) { const text = one.sealed; one.sealed = text.slice(0, 400) + (text[400] === 'A' ? 'B' : 'A') + text.slice(401); }
            return new Response(JSON.stringify(value), { status: 200 }); } })()""")
        self.show(bob, "people")
        self.press_in(bob, "#received", "A folder of Mary Smith", "add")
        bob.see("not signed by a device of Mary Smith", "#notices", 60)
        self.open(bob)

    def impostor(self):
        """A server says that Mary shares what Eve has shared: Bob is shown the key of Eve, and opens nothing."""
        mary, bob, eve = self.mary, self.bob, self.eve
        self.home(eve)
        self.folder_named(eve, "Gift")
        self.act_share(eve, "Gift", "bob", "Bob Jones")
        of_mary, of_eve = self.account_of(bob, "mary"), self.account_of(bob, "eve")
        self.open(bob)
        bob.js(f"""(() => {{ const send = globalThis.fetch; globalThis.fetch = async (path, options) => {{
            const answer = await send(path, options); if (!/vault\\/shared([/?]|$)/.test(path)) return answer;
            const text = (await answer.text()).replaceAll({json.dumps(of_eve)}, {json.dumps(of_mary)}).replaceAll('Eve Brown', 'Mary Smith');
            return new Response(text, {{ status: answer.status }}); }} }})()""")
        self.show(bob, "people")
        self.press_in(bob, "#received", "A folder of Mary Smith", "add")
        self.dialog(bob, "Is this Mary Smith?")
        if (id(bob), id(mary)) in self.compared:
            bob.see("Your vault knows another key of Mary Smith", "dialog[open]")
        self.look(bob, "impostor")
        shows = bob.text("dialog[open] .fingerprint").strip()
        expect(shows == self.print_of(eve) and shows != self.print_of(mary), f"{shows} is shown")
        tap(bob, "dialog[open] [type=button]")
        self.done(bob)
        self.open(bob)
        expect("Gift" not in self.names(bob), "it was opened")
        # As what it is, it opens.
        self.show(bob, "people")
        self.press_in(bob, "#received", "A folder of Eve Brown", "add")
        self.compare(bob, eve, "Eve Brown")
        bob.see("Gift is in your vault", "#notices", 60)

    def act_share(self, page, folder, username, name, role="reader"):
        self.home(page)
        self.act(page, folder, "menu")
        tap(page, "\"Share\"")
        self.person_found(page, username, role, name)
        tap(page, "dialog[open] .primary")
        page.see(f"{name} can open {folder}", "#notices", 60)

    def ended(self):
        """Mary ends it and changes the key: Bob is told and sees nothing more; she has everything, and Eve gets the new key."""
        mary, bob, eve = self.mary, self.bob, self.eve
        self.show(mary, "people")
        self.press_in(mary, "#given", "Flat", "admit")
        self.person_found(mary, "eve", "reader", "Eve Brown")
        tap(mary, "dialog[open] .primary")
        mary.see("Eve Brown can open Flat", "#notices", 60)
        # Bob looks at it right now.
        self.home(bob)
        self.enter(bob, "Flat")
        self.has(bob, f"{MARK}.txt")
        contents = api(bob, "GET", f"/api/vault/compartments/{self.compartment}/nodes")[1]["items"]
        content = next(one["versions"][0]["content"] for one in contents if one["versions"])
        expect(api(bob, "GET", f"/api/vault/contents/{content}")[0] == 200, "Bob reads it before")
        self.show(mary, "people")
        self.end_for(mary, "Flat", "Bob Jones")
        self.look(mary, "end")
        tap(mary, "dialog[open] input[name=key]")
        tap(mary, "dialog[open] .primary")
        self.done(mary, 120)
        mary.wait(f"{self.row(mary, '#given', 'Flat')}?.textContent.includes('Eve') && !{self.row(mary, '#given', 'Flat')}.textContent.includes('Bob')", "Bob to be gone")
        self.home(mary)
        self.enter(mary, "Flat")
        self.has(mary, f"{MARK}.txt")
        self.follow(mary, f"{MARK}.txt")
        mary.wait(f"document.querySelector('#item-view pre')?.textContent === '{MARK} lease'", "Mary to have the file", 60)
        for path in (f"compartments/{self.compartment}", f"compartments/{self.compartment}/nodes", f"contents/{content}"):
            expect(api(bob, "GET", f"/api/vault/{path}")[0] == 404, f"{path} is there for Bob")
            if path.startswith("comp"):
                expect(api(mary, "GET", f"/api/vault/{path}")[0] == 404, f"{path} is still there")
        front(bob)
        bob.js("dispatchEvent(new Event('online'))")
        bob.see("no longer shares this with you", "#notices", 60)
        self.show(bob, "people")
        bob.wait(f"{self.row(bob, '#received', 'Flat')}?.textContent.includes('no longer')", "that it is over")
        self.press_in(bob, "#received", "Flat", "leave")
        tap(bob, "dialog[open] .primary")
        self.done(bob)
        self.home(bob)
        self.has_not(bob, "Flat")
        # Eve finds it under the new key.
        self.show(eve, "people")
        find = "[...document.querySelectorAll('#received [data-act=add]')].find(e => e.checkVisibility())"
        eve.wait(find, "the folder")
        eve.js(f"{find}.click()")
        self.compare(eve, mary, "Mary Smith")
        eve.see("Flat is in your vault", "#notices", 60)
        self.home(eve)
        self.enter(eve, "Flat")
        self.has(eve, f"{MARK} note")

    def cut(self):
        """The exchange of a key is cut off in the middle: nothing is lost, and it is finished afterwards."""
        mary = self.mary
        self.show(mary, "people")
        mary.js("""(() => { const send = globalThis.fetch; globalThis.fetch = (path, options) => (
            String(path).endsWith('/handovers') ? Promise.reject(new TypeError('fetch')) : send(path, options)); })()""")
        self.end_for(mary, "Flat", "Eve Brown")
        tap(mary, "dialog[open] input[name=key]")
        tap(mary, "dialog[open] .primary")
        mary.wait("document.querySelector('dialog[open] .error-text')?.textContent.length > 0", "to be told", 60)
        self.open(mary)
        self.show(mary, "people")
        mary.see("that was cut off", "#given")
        self.look(mary, "unfinished")
        self.finishes(mary, "Flat")
        self.enter(mary, "Flat")
        self.has(mary, f"{MARK}.txt")
        self.follow(mary, f"{MARK}.txt")
        mary.wait(f"document.querySelector('#item-view pre')?.textContent === '{MARK} lease'", "the file", 60)

    def two_devices(self):
        """Two devices of Mary give a folder another key at once: neither loses the key that the other has left."""
        mary = self.mary
        self.home(mary)
        self.folder_named(mary, "Attic")
        self.enter(mary, "Attic")
        self.note(mary, "Trunk", "under the window")
        self.act_share(mary, "Attic", "bob", "Bob Jones")
        self.show(mary, "people")
        self.press_in(mary, "#given", "Attic", "admit")
        self.person_found(mary, "eve", "reader", "Eve Brown")
        tap(mary, "dialog[open] .primary")
        mary.see("Eve Brown can open Attic", "#notices", 60)
        # The other one begins after this one has made the next compartment, and before the folder stands for it.
        self.other_begins(mary, "POST /api/vault/compartments$")
        self.end_for(mary, "Attic", "Bob Jones")
        tap(mary, "dialog[open] input[name=key]")
        tap(mary, "dialog[open] .primary")
        self.complains(mary, "Another device is giving this folder another key")
        tap(mary, "dialog[open] [type=button]")
        self.done(mary)
        mary.see("that was cut off", "#given")
        # This one finishes. Once the old compartment is gone, and before the vault forgets its key, the other one begins again.
        self.other_begins(mary, "DELETE /api/vault/compartments/[0-9a-f]+$")
        self.press_in(mary, "#given", "Attic", "finish")
        mary.wait("globalThis.hasBegun && !document.querySelector('#given [aria-busy=true]')", "this one to be finished", 60)
        self.finishes(mary, "Attic")
        self.enter(mary, "Attic")
        self.has(mary, "Trunk")
        self.follow(mary, "Trunk")
        mary.see("under the window", "#item-view")

    def other_begins(self, page, request):
        """Right after a request of this page, another device begins to give a folder another key, and is cut off."""
        page.js("""Promise.all([import('/assets/vault/vault-items.js'), import('/assets/vault/vault-state.js'),
            import('/assets/vault/moving.js'), import('/assets/shell/api.js')]).then(([{ Vault }, { VaultState }, { madeCompartment, pointer }, { api }]) => {
                const [{ mark }, send] = [Vault.prototype, globalThis.fetch]; let home, id; globalThis.hasBegun = false;
                Vault.prototype.mark = function (...given) { home = this; [id] = given; return mark.apply(this, given); };
                globalThis.fetch = async (path, options = {}) => {
                    const answer = await send(path, options);
                    if (!answer.ok || !new RegExp(%s).test(`${options.method} ${path}`)) return answer;
                    globalThis.fetch = send; Vault.prototype.mark = mark;
                    const other = new Vault(await VaultState.open(home.compartment), home.limits);
                    const next = await madeCompartment(api);
                    await other.mark(id, ({ compartment, share }) => pointer(next, { ...share, former: compartment }));
                    globalThis.hasBegun = true;
                    return answer; }; })""" % json.dumps(request))

    def finishes(self, page, folder):
        """Finishes an exchange that was cut off, and goes back to the vault."""
        self.press_in(page, "#given", folder, "finish")
        page.wait(f"{self.row(page, '#given', folder)}?.innerText.includes('cut off') === false", "it to be finished", 60)
        self.home(page)

    def cut_at_the_end(self):
        """The answer to the last removal is lost: it is finished afterwards. Before that, a server that has nothing is not believed."""
        mary, bob = self.mary, self.bob
        self.home(mary)
        self.folder_named(mary, "Cellar")
        self.enter(mary, "Cellar")
        self.note(mary, "Shelf", "third from the left")
        self.act_share(mary, "Cellar", "bob", "Bob Jones")
        old = f"/api/vault/compartments/{self.newest(bob)}"
        self.show(mary, "people")
        mary.js("""(() => { const send = globalThis.fetch; globalThis.fetch = (path, options) => (
            String(path).endsWith('/handovers') ? Promise.reject(new TypeError('fetch')) : send(path, options)); })()""")
        self.end_for(mary, "Cellar", "Bob Jones")
        tap(mary, "dialog[open] input[name=key]")
        tap(mary, "dialog[open] .primary")
        mary.wait("document.querySelector('dialog[open] .error-text')?.textContent.length > 0", "to be told", 60)
        # Everything is under the old key still: its compartment cannot be gone.
        self.open(mary)
        self.show(mary, "people")
        mary.js(f"""(() => {{ const send = globalThis.fetch; globalThis.fetch = (path, options) => (
            String(path).startsWith('{old}/nodes') ? Promise.resolve(new Response('{{"type": "/problems/not-found"}}', {{ status: 404 }}))
                : send(path, options)); }})()""")
        self.press_in(mary, "#given", "Cellar", "finish")
        mary.see("The key is kept", "#notices", 60)
        # It goes on, as far as the answer to the removal.
        self.open(mary)
        self.show(mary, "people")
        mary.see("that was cut off", "#given")
        mary.js(f"""(() => {{ const send = globalThis.fetch; globalThis.fetch = async (path, options = {{}}) => {{
            const answer = await send(path, options); if (path !== '{old}' || options.method !== 'DELETE' || !answer.ok) return answer;
            globalThis.isRemoved = true; throw new TypeError('fetch'); }}; }})()""")
        self.press_in(mary, "#given", "Cellar", "finish")
        mary.wait("globalThis.isRemoved", "the old compartment to be removed", 60)
        expect(api(mary, "GET", old)[0] == 404, "it is still there")
        self.open(mary)
        self.show(mary, "people")
        mary.see("that was cut off", "#given")
        self.finishes(mary, "Cellar")
        self.enter(mary, "Cellar")
        self.has(mary, "Shelf")
        self.follow(mary, "Shelf")
        mary.see("third from the left", "#item-view")

    def broken(self):
        """Bob may write, and writes what nobody can open: Mary ends it for him all the same, and deletes the folder."""
        mary, bob = self.mary, self.bob
        self.home(mary)
        self.folder_named(mary, "Rent")
        self.act_share(mary, "Rent", "bob", "Bob Jones", role="writer")
        path = f"/api/vault/compartments/{self.newest(bob)}"
        change = {"sequence": api(bob, "GET", path)[1]["sequence"], "head": "AAAA", "put": [], "trash": [], "restore": [], "remove": []}
        status, answer = api(bob, "POST", f"{path}/changes", change)
        expect(status == 200, f"{status} {answer}")
        self.show(mary, "people")
        self.end_for(mary, "Rent", "Bob Jones")
        # It cannot get another key: nothing in it opens.
        tap(mary, "dialog[open] input[name=key]")
        tap(mary, "dialog[open] .primary")
        self.complains(mary, "missing or was changed at the server")
        expect(api(bob, "GET", path)[0] == 404, "Bob still reads it")
        tap(mary, "dialog[open] [type=button]")
        self.done(mary)
        row = self.row(mary, "#given", "Rent")
        mary.wait(f"{row} && !{row}.textContent.includes('Bob')", "Bob to be gone")
        self.press_in(mary, "#given", "Rent", "end")
        tap(mary, "dialog[open] .danger")
        self.done(mary)
        mary.wait(f"!({row})", "the folder to be gone")
        expect(api(mary, "GET", path)[0] == 404, "it is still there")

    def slipped_in(self):
        """The server makes Eve a member of a folder that Mary shares with Bob: Eve gets no new key, and Mary is told."""
        mary, bob, eve = self.mary, self.bob, self.eve
        self.home(mary)
        self.folder_named(mary, "Garden")
        self.act_share(mary, "Garden", "bob", "Bob Jones")
        compartment, of_eve = self.newest(bob), self.account_of(mary, "eve")
        before = api(eve, "GET", "/api/vault/shared")[1]["items"]
        changed = self.at_the_server(
            """INSERT INTO vault_members (compartment, account, owner, role, sealed, created)
                SELECT compartment, ?, owner, role, sealed, created FROM vault_members WHERE compartment = ?""", of_eve, compartment)
        expect(changed == 1, f"{changed} rows")
        self.open(mary)
        expect(api(eve, "GET", f"/api/vault/compartments/{compartment}")[0] == 200, "Eve is no member")
        self.show(mary, "people")
        mary.wait(f"{self.row(mary, '#given', 'Garden')}?.textContent.includes('Eve Brown')", "what the server says")
        self.end_for(mary, "Garden", "Bob Jones")
        tap(mary, "dialog[open] input[name=key]")
        tap(mary, "dialog[open] .primary")
        self.done(mary, 120)
        mary.see("The new key of Garden was not given to Eve Brown", "#notices", 60)
        self.look(mary, "not-given")
        row = self.row(mary, "#given", "Garden")
        mary.wait(f"{row} && !{row}.textContent.includes('Eve')", "Eve to be gone")
        expect(api(eve, "GET", "/api/vault/shared")[1]["items"] == before, "Eve was given something")
        expect(api(eve, "GET", f"/api/vault/compartments/{compartment}")[0] == 404, "the old one is still there")
        for page in (bob, eve):
            self.visit(page)

    def link(self):
        """A link with a code opens without an account, as often as it says; it is counted, and stopped."""
        mary = self.mary
        self.home(mary)
        self.add_files(mary, self.file("letter.txt", f"{MARK} letter".encode()))
        self.has(mary, "letter.txt")
        self.follow(mary, "letter.txt")
        tap(mary, "\"Make a link\"")
        self.dialog(mary, "Link to letter.txt")
        for number in ("0", "1001", "1.5", ""):
            mary.fill("dialog[open] input[name=views]", number)
            tap(mary, "dialog[open] .primary")
            self.complains(mary, "A whole number from 1 to 1,000.")
            expect(mary.js("document.activeElement.matches('[name=views][aria-invalid=true]')"), "the wrong field does not have the focus")
        mary.fill("dialog[open] input[name=views]", "2")
        expect(not mary.text("dialog[open] .error-text"), "the complaint stays")
        self.look(mary, "make-link")
        tap(mary, "dialog[open] .primary")
        self.dialog(mary, "The link to letter.txt")
        link, code = mary.js("[document.querySelector('#made-link').value, document.querySelector('#made-code').value]")
        self.look(mary, "made-link")
        # One Escape does not lose the code, and nobody is told that the link works before somebody has both.
        self.escape(mary)
        self.dialog(mary, "Close without the code?")
        expect("The link works" not in mary.text("#notices"), "the link is said to work, and nobody has its code")
        self.look(mary, "link-without-code")
        tap(mary, "\"Show it again\"")
        self.dialog(mary, "The link to letter.txt")
        expect(mary.js("document.querySelector('#made-code').value") == code, "the code is not shown again")
        tap(mary, "dialog[open] .primary")
        mary.see("The link works from now on", "#notices", 60)
        self.done(mary)
        key = link.split("#")[1]
        expect(not any(key in body for body in mary.js("globalThis.sent")), "the key of the link was sent")
        expect(not any("letter.txt" in body for body in mary.js("globalThis.sent")), "the name was sent")
        nobody = self.browser.person("nobody")
        nobody.goto(link)
        nobody.wait(shown("#code"), "to be asked for the code")
        self.look(nobody, "link-asks")
        expect("document" not in nobody.text("main").lower(), "a file is called a document")
        nobody.fill("#code", "AAAA-AAAA")
        tap(nobody, "#code-form .primary")
        nobody.wait("document.querySelector('#code-error').textContent.length > 0", "the wrong code")
        nobody.fill("#code", code)
        tap(nobody, "#code-form .primary")
        nobody.wait(f"document.querySelector('#shown pre')?.textContent === '{MARK} letter'", "the letter", 60)
        expect(nobody.js("document.querySelector('#save a').download") == "letter.txt", "its name")
        nobody.see("one more time", "#views")
        self.look(nobody, "link-opened")
        self.show(mary, "people")
        mary.see("letter.txt", "#vault-links")
        mary.see("Opened 1 time of 2", "#vault-links")
        self.look(mary, "people-links")
        tap(mary, "#vault-links a[href^='#item=']")
        mary.wait(f"document.querySelector('#item-view pre')?.textContent === '{MARK} letter'", "the letter that the link leads to", 60)
        # A broken key costs nothing.
        other = self.browser.person("other")
        other.goto(link.split("#")[0] + "#" + "A" * 43)
        other.fill("#code", code)
        tap(other, "#code-form .primary")
        other.see("The key does not fit")
        self.show(mary, "people")
        mary.see("Opened 1 time of 2", "#vault-links")
        tap(mary, "#vault-links .danger")
        tap(mary, "dialog[open] .danger")
        mary.see("Stopped", "#vault-links")
        mary.wait("document.activeElement.matches('#vault-links li, #vault-links li *')", "the focus at the link", 20)
        other.goto("about:blank")
        other.goto(link)
        other.fill("#code", code)
        tap(other, "#code-form .primary")
        other.see("This link is over")

    def link_given_up(self):
        """A link whose code nobody took is stopped with the dialog that showed it."""
        mary = self.mary
        self.home(mary)
        self.note(mary, "Given up", "no code")
        self.follow(mary, "Given up")
        tap(mary, "\"Make a link\"")
        self.dialog(mary, "Link to Given up")
        tap(mary, "dialog[open] .primary")
        self.dialog(mary, "The link to Given up")
        name = mary.js("document.querySelector('#made-link').value").split("/v/")[1].split("#")[0]
        tap(mary, "dialog[open] [type=button]:not(.row *)")
        self.dialog(mary, "Close without the code?")
        tap(mary, "dialog[open] .danger")
        self.done(mary)
        until(lambda: next(one for one in api(mary, "GET", "/api/vault/links")[1]["items"] if one["id"] == name).get("stopped"), "the link to be stopped")
        mary.see("The link is stopped", "#notices", 60)

    def link_ends(self):
        """A link ends when its item is destroyed, and not before: the trash can be taken back."""
        mary = self.mary
        self.home(mary)
        self.add_files(mary, self.file("brief.txt", f"{MARK} brief".encode()))
        self.has(mary, "brief.txt")
        self.follow(mary, "brief.txt")
        tap(mary, "\"Make a link\"")
        self.dialog(mary, "Link to brief.txt")
        tap(mary, "dialog[open] .primary")
        self.dialog(mary, "The link to brief.txt")
        link, code = mary.js("[document.querySelector('#made-link').value, document.querySelector('#made-code').value]")
        tap(mary, "dialog[open] .primary")
        self.done(mary)
        name = link.split("/v/")[1].split("#")[0]
        stopped = lambda: next(one for one in api(mary, "GET", "/api/vault/links")[1]["items"] if one["id"] == name).get("stopped")
        tap(mary, "#item-acts .danger")
        mary.see("brief.txt is in the trash", "#notices")
        expect(not stopped(), "the link has ended with a step that can be taken back")
        mary.js("location.hash = 'trash'")
        self.press_in(mary, "#trashed", "brief.txt", "remove")
        mary.see("Your links to it end", "dialog[open]")
        mary.see("21 days later no backup of the server opens it either", "dialog[open]")
        tap(mary, "dialog[open] .danger")
        mary.wait(f"!({self.row(mary, '#trashed', 'brief.txt')})", "it to be gone", 60)
        # Its name leads nowhere any more, and does not look as if it did.
        self.show(mary, "people")
        mary.wait(f"!!{self.row(mary, '#vault-links', 'brief.txt')}?.querySelector('span.title:not([hidden])')", "the name of what is gone", 60)
        expect(not mary.js(f"{self.row(mary, '#vault-links', 'brief.txt')}.querySelector('a:not([hidden])')"), "the name looks like a link")
        until(stopped, "the link to end")
        nobody = self.browser.person("nobody-else")
        nobody.goto(link)
        nobody.fill("#code", code)
        tap(nobody, "#code-form .primary")
        nobody.see("This link is over")
        self.home(mary)

    def links_at_once(self):
        """Two devices of Mary make links at once: neither forgets what the other's leads to; those that are over go with the next."""
        mary = self.mary
        self.home(mary)
        self.add_files(mary, self.file("memo.txt", f"{MARK} memo".encode()))
        self.has(mary, "memo.txt")
        self.follow(mary, "memo.txt")
        first = self.link_to(mary, "memo.txt")
        self.other_makes_link(mary, "c0ffee")
        second = self.link_to(mary, "memo.txt")
        for name in ("links", "linked"):
            known = mary.js(f"globalThis.remembers({json.dumps(name)})")
            expect({first, "c0ffee", second} <= set(known), f"{name} that another device has remembered were forgotten: {known}")
        # The server does not list the other's, so it is over when the next one is made.
        third = self.link_to(mary, "memo.txt")
        for name in ("links", "linked"):
            known = mary.js(f"globalThis.remembers({json.dumps(name)})")
            expect({first, second, third} <= set(known) and "c0ffee" not in known, f"{name} that are over are kept: {known}")
        self.home(mary)

    def link_to(self, page, name):
        """Makes a link to the item that is shown. Gives its id."""
        tap(page, "\"Make a link\"")
        self.dialog(page, f"Link to {name}")
        tap(page, "dialog[open] .primary")
        self.dialog(page, f"The link to {name}")
        link = page.js("document.querySelector('#made-link').value")
        tap(page, "dialog[open] .primary")
        self.done(page)
        return link.split("/v/")[1].split("#")[0]

    def other_makes_link(self, page, id):
        """Another device remembers what its link leads to, just before this page remembers the same of its own."""
        page.js("""Promise.all([import('/assets/vault/vault-items.js'), import('/assets/vault/vault-state.js')]).then(([{ Vault }, { VaultState }]) => {
            const { remember } = Vault.prototype; let isFirst = true;
            Vault.prototype.remember = async function (name, make) {
                globalThis.remembers = (one) => Object.keys(this.remembered(one) ?? {});
                if (isFirst && name === 'links') {
                    isFirst = false;
                    const other = new Vault(await VaultState.open(this.compartment), this.limits);
                    for (const [one, value] of [['links', 'other.txt'], ['linked', '0'.repeat(32)]]) {
                        await remember.call(other, one, (known) => ({ ...known, [%s]: value })); } }
                return remember.call(this, name, make); }; })""" % json.dumps(id))

    def caretaker(self):
        """Eve puts files into Mary's inbox and sees nothing; Mary looks, takes one and throws one away."""
        mary, eve = self.mary, self.eve
        self.show(mary, "inbox")
        self.look(mary, "inbox-empty")
        expect(mary.text("#caretakers-none") == "Nobody.", "nothing says that there is no caretaker")
        self.other_makes_inbox(mary)
        tap(mary, "#add-caretaker")
        self.person_found(mary, "eve", None, "Eve Brown")
        tap(mary, "dialog[open] .primary")
        mary.see("Eve Brown can put files into your inbox", "#notices", 60)
        expect(mary.js("globalThis.inboxIsOthers()"), "the key that another device has made was overwritten")
        mary.see("Eve Brown", "#caretakers")
        expect(not mary.js(shown("#caretakers-none")), "there is nobody, and Eve")
        room = mary.js("""[...document.querySelectorAll('#caretakers > li')].map(row => {
            const [list, name] = [row.closest('ul'), row.firstElementChild].map(one => one.getBoundingClientRect());
            return Math.min(name.left - list.left, name.top - list.top); })""")
        expect(room and min(room) > 8, f"a caretaker's name is {room} px from the frame")
        self.show(eve, "people")
        self.press_in(eve, "#received", "The inbox of Mary Smith", "put")
        self.compare(eve, mary, "Mary Smith")
        self.dialog(eve, "Put something into the inbox of Mary Smith")
        eve.upload("dialog[open] input[type=file]", self.file(f"{MARK}-scan.txt", f"{MARK} scanned".encode()), self.file("advert.png", png(30, 20)))
        self.look(eve, "put-in")
        tap(eve, "dialog[open] .primary")
        eve.see("2 files are in the inbox of Mary Smith", "#notices", 60)
        inbox = next(one["compartment"] for one in api(eve, "GET", "/api/vault/shared")[1]["items"] if one["role"] == "caretaker")
        for path in (f"compartments/{inbox}", f"compartments/{inbox}/nodes", f"compartments/{inbox}/inbox"):
            expect(api(eve, "GET", f"/api/vault/{path}")[0] == 404, f"a caretaker sees {path}")
        expect(not any(MARK in body for body in eve.js("globalThis.sent")), "what she put in was sent as it is")
        self.show(mary, "inbox")
        mary.see(f"{MARK}-scan.txt", "#drops")
        self.look(mary, "inbox")
        self.press_in(mary, "#drops", f"{MARK}-scan.txt", "look")
        mary.wait(f"document.querySelector('dialog[open] pre')?.textContent === '{MARK} scanned'", "to see it", 60)
        buttons = mary.js("[...document.querySelectorAll('dialog[open] .actions button')].map(e => e.textContent)")
        expect(buttons == ["Close"], f"to look ends with {buttons}")
        tap(mary, "dialog[open] .primary")
        self.done(mary)
        # Locked while it is fetched, and while the inbox itself is.
        self.hold(mary, "/api/vault/contents/")
        self.press_in(mary, "#drops", f"{MARK}-scan.txt", "look")
        self.lock_meanwhile(mary, f"{MARK}-scan")
        self.home(mary)
        self.hold(mary, "/inbox")
        mary.js("location.hash = 'inbox'")
        self.lock_meanwhile(mary, f"{MARK}-scan")
        self.show(mary, "inbox")
        # Cut off when it is in the vault and still in the inbox: trying again ends it.
        mary.js("""(() => { const send = globalThis.fetch; globalThis.fetch = (path, options) => (
            options?.method === 'DELETE' ? Promise.reject(new TypeError('fetch')) : send(path, options)); })()""")
        self.press_in(mary, "#drops", f"{MARK}-scan.txt", "take")
        tap(mary, "dialog[open] .primary")
        mary.wait("document.querySelector('dialog[open] .error-text')?.textContent.length > 0", "to be told", 60)
        self.open(mary)
        self.show(mary, "inbox")
        self.press_in(mary, "#drops", f"{MARK}-scan.txt", "take")
        mary.see("is in your vault", "#notices", 60)
        mary.wait(f"!({self.row(mary, '#drops', MARK)})", "it to be gone from the inbox")
        self.press_in(mary, "#drops", "advert.png", "discard")
        tap(mary, "dialog[open] .danger")
        mary.wait(shown("#drops-none"), "an empty inbox")
        self.home(mary)
        self.follow(mary, f"{MARK}-scan.txt")
        mary.wait(f"document.querySelector('#item-view pre')?.textContent === '{MARK} scanned'", "what Eve put in", 60)
        self.show(mary, "inbox")
        self.press_in(mary, "#caretakers", "Eve Brown", "dismiss")
        tap(mary, "dialog[open] .danger")
        mary.wait(f"!({self.row(mary, '#caretakers', 'Eve')})", "Eve to be none any more")
        upload = {"compartment": inbox, "size": 3}
        expect(api(eve, "POST", "/api/vault/uploads", upload)[0] == 404, "Eve may still put things in")

    def spoils(self, page, member, value):
        """Of the file that this page seals next, the metadata gets a member that no page writes, once it is checked."""
        page.js(f"""{{ const keys = Object.keys; Object.keys = (one) => {{
            if (one?.kind === 'file' && one.media_type && !one.id) {{ Object.keys = keys; one.{member} = {json.dumps(value)}; }}
            return keys(one); }}; 0 }}""")

    def spiteful(self):
        """A caretaker puts in what no page makes: the inbox opens all the same, it is thrown away, and what is taken breaks no list."""
        mary, eve = self.mary, self.eve
        self.show(mary, "inbox")
        tap(mary, "#add-caretaker")
        self.person_found(mary, "eve", None, "Eve Brown")
        tap(mary, "dialog[open] .primary")
        mary.see("Eve Brown can put files into your inbox", "#notices", 60)
        for name, member, value in (("odd.txt", "tags", 5), ("plain.txt", "thumbnail", "AAAA")):
            self.show(eve, "people")
            self.press_in(eve, "#received", "The inbox of Mary Smith", "put")
            self.compare(eve, mary, "Mary Smith")
            self.dialog(eve, "Put something into the inbox of Mary Smith")
            eve.upload("dialog[open] input[type=file]", self.file(name, b"harmless"))
            self.spoils(eve, member, value)
            tap(eve, "dialog[open] .primary")
            eve.see("1 file is in the inbox of Mary Smith", "#notices", 60)
            self.done(eve)
        self.huge(mary, eve)
        self.show(mary, "inbox")
        mary.see("Something that does not open", "#drops")
        self.press_in(mary, "#drops", "plain.txt", "take")
        tap(mary, "dialog[open] .primary")
        mary.see("plain.txt is in your vault", "#notices", 60)
        mary.wait(f"!({self.row(mary, '#drops', 'plain.txt')})", "it to be gone from the inbox")
        self.press_in(mary, "#drops", "Something that does not open", "discard")
        tap(mary, "dialog[open] .danger")
        mary.wait(shown("#drops-none"), "an empty inbox")
        self.home(mary)
        tap(mary, "#opened details.who summary")
        tap(mary, "#veil")
        mary.wait("document.querySelector('#veil').textContent === 'Hide small pictures'", "the pictures")
        self.has(mary, "plain.txt")
        self.show(mary, "inbox")
        self.press_in(mary, "#caretakers", "Eve Brown", "dismiss")
        tap(mary, "dialog[open] .danger")
        mary.wait(f"!({self.row(mary, '#caretakers', 'Eve')})", "Eve to be none any more")

    def huge(self, mary, eve):
        """A file that says it is larger than a page can hold is not fetched to be looked at."""
        self.show(eve, "people")
        self.press_in(eve, "#received", "The inbox of Mary Smith", "put")
        self.compare(eve, mary, "Mary Smith")
        self.dialog(eve, "Put something into the inbox of Mary Smith")
        eve.upload("dialog[open] input[type=file]", self.file("huge.txt", b"harmless"))
        self.spoils(eve, "size", 600_000_000)
        # The size is in what is sealed of the version, too: after its id, its key and its home.
        eve.js("""{ const seal = SubtleCrypto.prototype.encrypt; SubtleCrypto.prototype.encrypt = function (how, key, data) {
            if (new TextDecoder().decode(data).includes('"name":"huge.txt"')) {
                SubtleCrypto.prototype.encrypt = seal;
                new DataView(data.buffer, data.byteOffset).setBigUint64(64, 600000000n); }
            return seal.call(this, how, key, data); }; 0 }""")
        tap(eve, "dialog[open] .primary")
        eve.see("1 file is in the inbox of Mary Smith", "#notices", 60)
        self.done(eve)
        self.show(mary, "inbox")
        mary.see("600 MB", "#drops")
        before = len(mary.requests)
        self.press_in(mary, "#drops", "huge.txt", "look")
        mary.see("too large to be shown here", "#notices", 60)
        fetched = [one["url"] for one in mary.requests[before:] if "/api/vault/contents/" in one["url"]]
        expect(fetched == [], f"{fetched}")
        self.press_in(mary, "#drops", "huge.txt", "discard")
        tap(mary, "dialog[open] .danger")
        mary.wait(f"!({self.row(mary, '#drops', 'huge.txt')})", "it to be gone")

    def other_makes_inbox(self, page):
        """Another device makes the keys of the inbox, just before this page remembers its own."""
        page.js("""Promise.all([import('/assets/vault/vault-items.js'), import('/assets/vault/vault-state.js'), import('/assets/shell/core.js')]).then(
            ([{ Vault }, { VaultState }, { b64u }]) => {
                const { remember } = Vault.prototype;
                Vault.prototype.remember = async function (name, make) {
                    Vault.prototype.remember = remember;
                    const pair = await crypto.subtle.generateKey({ name: 'ECDH', namedCurve: 'P-256' }, true, ['deriveBits']);
                    const point = new Uint8Array(await crypto.subtle.exportKey('raw', pair.publicKey));
                    const key = new Uint8Array(await crypto.subtle.exportKey('pkcs8', pair.privateKey)).slice(36, 68);
                    const other = new Vault(await VaultState.open(this.compartment), this.limits);
                    await other.remember('inbox', () => ({ key: b64u(key), point: b64u(point) }));
                    globalThis.inboxIsOthers = () => this.remembered('inbox').key === b64u(key);
                    return this.remember(name, make); }; })""")

    def later(self, seconds):
        """Lets the time since a contact asked pass: the server's clock is not ours."""
        changed = self.at_the_server("UPDATE vault_slots SET asked = asked - ? WHERE asked IS NOT NULL", seconds)
        expect(changed == 1, f"{changed} contacts have asked")

    def at_the_server(self, statement, *values):
        """Changes the database while the server is stopped. Gives how many rows."""
        self.stage.stop()
        database = sqlite3.connect(Path(self.stage.folder, "data", "countersign.sqlite"))
        with database:
            changed = database.execute(statement, values).rowcount
        database.close()
        self.stage.start()
        return changed

    def contact(self):
        """Bob is Mary's emergency contact: he asks, she says no; he asks again, the time passes, and he reads and changes nothing."""
        mary, bob = self.mary, self.bob
        self.estate(mary)
        self.show(mary, "emergency")
        self.look(mary, "emergency-empty")
        tap(mary, "#add-contact")
        self.dialog(mary, "Name an emergency contact")
        mary.choose("dialog[open] select", "259200")
        self.person_found(mary, "bob", None, "Bob Jones")
        tap(mary, "dialog[open] .primary")
        mary.see("Bob Jones is your emergency contact", "#notices", 60)
        mary.see("3 days", "#contacts")
        self.ask(bob)
        expect(not bob.js(f"{self.row(bob, '#vaults', 'Mary Smith')}.querySelector('[data-act=open]').checkVisibility()"), "it opens at once")
        # Mary is told above everything, with the vault locked.
        self.visit(mary)
        expect(mary.js(CLOSED), "the vault to be locked")
        mary.see("Your emergency contact asked for your vault", "#asked")
        self.look(mary, "asked-locked")
        tap(mary, "#asked .danger")
        mary.see("You said no", "#notices", 60)
        mary.wait("document.querySelector('#asked').childElementCount === 0")
        self.ask(bob)
        self.show(mary, "emergency")
        mary.see("unless you say no", "#contacts")
        self.look(mary, "emergency-asked")
        self.later(259_200)
        self.visit(bob)
        self.open(bob)
        self.show(bob, "emergency")
        bob.see("The time to say no is over", "#vaults")
        self.look(bob, "emergency-open")
        self.press_in(bob, "#vaults", "Mary Smith", "open")
        bob.see("You can look and save copies", "#inside", 60)
        self.has(bob, f"{MARK}-scan.txt")
        expect(not bob.js(shown("#add")), "Bob may change Mary's vault")
        self.follow(bob, f"{MARK}-scan.txt")
        bob.wait(f"document.querySelector('#item-view pre')?.textContent === '{MARK} scanned'", "what is in Mary's vault", 60)
        tap(bob, "#item-close")
        self.reads_all(bob)
        self.visit(mary)
        self.open(mary)
        self.show(mary, "emergency")
        self.press_in(mary, "#contacts", "Bob Jones", "remove")
        tap(mary, "dialog[open] .danger")
        mary.wait(shown("#contacts-none"), "Bob to be none any more", 60)
        self.show(bob, "emergency")
        bob.wait(shown("#vaults-none"), "no vault to be Bob's")

    def estate(self, mary):
        """Mary's vault gets a folder that she shares with Eve, one that a PIN opens too, and a note with a lock of its own."""
        self.home(mary)
        for folder, note in (("House", "Deed"), ("Far", "Visa")):
            self.folder_named(mary, folder)
            self.enter(mary, folder)
            self.note(mary, note, f"{MARK} {note.lower()}")
            self.home(mary)
        self.act(mary, "House", "menu")
        tap(mary, "\"Share\"")
        self.dialog(mary, "Share House")
        self.person_found(mary, "eve", "reader", "Eve Brown")
        tap(mary, "dialog[open] .primary")
        mary.see("Eve Brown can open House", "#notices", 60)
        self.done(mary)
        self.show(mary, "ways")
        for opens, pin in (("your vault", "739154"), ("the folder “Travel”", "286407")):
            if pin == "739154":
                tap(mary, "#add-pin-way")
            else:
                tap(mary, "[data-pin=tier]")
                mary.wait(shown("#tier-name"))
                mary.js("[...document.querySelectorAll('dialog[open] fieldset label')].find(e => e.textContent === 'Far').querySelector('input').click()")
                tap(mary, "dialog[open] .primary")
            mary.wait(shown("#pin-new"), "to be asked for a new PIN", 60)
            mary.fill("#pin-new", pin)
            mary.fill("#pin-again", pin)
            tap(mary, "dialog[open] .primary")
            mary.see(f"The PIN opens {opens}", "#notices", 90)
        self.home(mary)
        self.note(mary, f"{MARK} diary", "nobody else reads this")
        self.follow(mary, f"{MARK} diary")
        tap(mary, "#item-acts [data-act=lock]")
        mary.wait(shown("#lock-passkey"))
        tap(mary, "#lock-pin")
        tap(mary, "dialog[open] .primary")
        mary.see("The item has a lock", "#notices", 90)
        self.done(mary)
        self.home(mary)
        self.has(mary, "Locked item")

    def reads_all(self, bob):
        """As a contact Bob opens Mary's folders, shared or behind a PIN, finds what is in them, opens no lock, and adds nothing."""
        bob.wait(shown("#folder"), "the list of Mary's vault")
        whole = bob.js("location.hash")
        self.follow(bob, "Locked item")
        bob.see("has a lock of its own", "#item-view")
        acts = bob.js("[...document.querySelectorAll('#item-acts button')].map(e => e.dataset.act)")
        expect(acts == [], f"Bob may try {acts} at a lock of Mary's")
        expect("diary" not in bob.js("document.documentElement.outerHTML"), "the page knows what is behind the lock")
        tap(bob, "#item-close")
        for path, note in ((["House"], "Deed"), (["Travel", "Far"], "Visa")):
            for folder in path:
                self.enter(bob, folder)
                expect(not bob.js(shown("#add")) and not bob.js(shown("#items [data-act=menu]")), f"Bob may change {folder}")
                # A hidden text would be seen, too.
                bob.wait(shown("#inside"), f"whose {folder} is", 20)
                bob.see("You can look and save copies", "#inside")
            self.has(bob, note)
            if note == "Deed":
                self.look(bob, "emergency-folder")
            self.follow(bob, note)
            bob.see(f"{MARK} {note.lower()}", "#item-view")
            words = bob.text("#item-acts")
            expect("Edit" not in words and "Delete" not in words and "Copy to my vault" in words, words)
            bob.js(f"location.hash = {json.dumps(whole)}")
            self.has(bob, path[0])
        # From the top, what is in all of it is found, and what is behind the lock is not.
        for words, name, where in (("scan", f"{MARK}-scan.txt", ""), ("deed", "Deed", " / House · Shared by Mary Smith"), ("visa", "Visa", " / Travel / Far")):
            bob.fill("#search", words)
            self.has(bob, name)
            row = self.row(bob, "#items", name)
            bob.wait(f"{row}.textContent.includes({json.dumps('The vault of Mary Smith' + where)})", f"{name} in its place", 20)
        self.follow(bob, "Visa")
        bob.see(f"{MARK} visa", "#item-view")
        tap(bob, "#item-close")
        bob.fill("#search", "diary")
        bob.wait(shown("#none"), "that nothing is found")
        bob.fill("#search", "")

    def ask(self, bob):
        self.show(bob, "emergency")
        self.press_in(bob, "#vaults", "Mary Smith", "ask")
        tap(bob, "dialog[open] .primary")
        bob.see("You asked on", "#vaults", 60)

    def shares(self):
        """Three recovery shares are made and typed back; any two open the vault, the same one twice and strange ones do not."""
        mary, bob = self.mary, self.bob
        salts = [api(page, "GET", "/api/vault")[1]["salt"] for page in (mary, bob)]
        expect(salts[0] != salts[1], "two vaults have one salt")
        made = {}
        for page in (bob, mary):
            self.show(page, "ways")
            tap(page, "#add-shares-way")
            self.dialog(page, "Three recovery shares")
            made[page] = page.js("[...document.querySelectorAll('dialog[open] .share')].map(e => e.textContent)")
            if page is mary:
                self.look(mary, "shares")
                self.printed(mary, made[mary])
            tap(page, "dialog[open] .primary")
            self.dialog(page, "Type two of them back")
            if page is mary:
                self.type_shares(mary, made[mary][0], made[bob][1])
                self.complains(mary, "of two different sets")
            self.type_shares(page, made[page][0], made[page][2].lower())
            page.see("Any two of the three shares open your vault", "#notices", 60)
            page.see("Two of three shares", "#slots")
        tap(mary, "#lock")
        mary.wait(CLOSED)
        tap(mary, "#open-shares")
        one, two, three = made[mary]
        for first, second, words in [(one, one, "the same share twice"), (one, two[:-1] + ("0" if two[-1] != "0" else "1"), "wrong or missing"),
                                     (made[bob][0], made[bob][1], "not the ones of this vault"), (one[:20], two, "wrong or missing")]:
            self.type_shares(mary, first, second)
            self.complains(mary, words)
        self.look(mary, "open-with-shares")
        self.type_shares(mary, three, two)
        mary.wait(OPEN, "the vault to be open", 60)
        self.has(mary, f"{MARK}-scan.txt")
        # A second set replaces the first.
        self.show(mary, "ways")
        again = self.new_shares(mary)
        mary.wait("[...document.querySelectorAll('#slots .title')].filter(e => e.textContent === 'Two of three shares').length === 1", "one set", 60)
        tap(mary, "#lock")
        mary.wait(CLOSED)
        tap(mary, "#open-shares")
        self.type_shares(mary, one, two)
        self.complains(mary, "not the ones of this vault")
        self.type_shares(mary, again[1], again[0])
        mary.wait(OPEN, "the vault to be open", 60)
        self.has(mary, f"{MARK}-scan.txt")

    def new_shares(self, page):
        """Makes three shares, and types two of them back."""
        page.js("document.querySelector('#notices')?.replaceChildren()")
        tap(page, "#add-shares-way")
        self.dialog(page, "Three recovery shares")
        made = page.js("[...document.querySelectorAll('dialog[open] .share')].map(e => e.textContent)")
        tap(page, "dialog[open] .primary")
        self.dialog(page, "Type two of them back")
        self.type_shares(page, made[0], made[2])
        page.see("Any two of the three shares open your vault", "#notices", 60)
        return made

    def printed(self, page, shares):
        """What a printer gets: every share as a whole, and no button."""
        page.send("Emulation.setEmulatedMedia", media="print")
        seen = page.js("""[...document.querySelectorAll('dialog[open] .share')].filter(e => {
            const [own, whole] = [e, e.closest('dialog')].map(one => one.getBoundingClientRect());
            return e.checkVisibility() && own.width > 0 && own.bottom <= whole.bottom && own.right <= whole.right;
        }).map(e => e.innerText)""")
        buttons = page.js("[...document.querySelectorAll('button')].filter(e => e.checkVisibility()).map(e => e.innerText)")
        page.send("Emulation.setEmulatedMedia", media="")
        expect(seen == shares and not buttons, f"printed are {len(seen)} shares of {len(shares)}, and {buttons}")

    def type_shares(self, page, first, second):
        page.fill("#share-first", first)
        page.fill("#share-second", second)
        tap(page, "dialog[open] .primary")

    def feedback(self):
        """Mary tells the administrators something without her name; they read it and remove it."""
        mary, owner = self.mary, self.owner
        self.home(mary)
        tap(mary, "#opened .who summary")
        tap(mary, "\"Give feedback\"")
        self.look(mary, "feedback")
        self.asks_for(mary, "#feedback-text", None, "Write something first.")
        mary.fill("#feedback-text", "Larger letters, please")
        self.escape(mary)
        self.dialog(mary, "Throw away what you typed?")
        tap(mary, "\"Go on writing\"")
        expect(mary.js("document.querySelector('#feedback-text').value") == "Larger letters, please", "what was typed is gone")
        tap(mary, "dialog[open] .primary")
        mary.see("Sent. Thank you.", "#notices", 60)
        front(owner)
        owner.goto(self.stage.url + "/console/feedback")
        owner.see("Larger letters, please", "#list")
        owner.see("Without a name", "#list")
        expect("mary" not in owner.text("#list").lower(), "Mary's name is there")
        self.look(owner, "feedback-read")
        tap(owner, "#list .danger")
        tap(owner, "dialog[open] .danger")
        owner.see("No feedback yet")

    def canary(self):
        """Nothing of what was shared is with the server, in its log or in what the pages sent."""
        for page in (self.mary, self.bob, self.eve):
            self.keep(page)
        joined = "\n".join(self.sent)
        expect(len(self.sent) > 20, f"only {len(self.sent)} bodies were recorded")
        for one in (MARK, "swordfish", "Flat", "door code"):
            expect(one not in joined, f"{one} was sent")
        for path in Path(self.stage.folder).rglob("*"):
            if path.is_file():
                content = path.read_bytes()
                for one in (MARK, "swordfish", "door code"):
                    expect(one.encode() not in content, f"{one} is in {path.name}")
        expect(MARK not in "".join(self.stage.lines), "it is in the log")


def main():
    pictures = pictures_folder()
    case = Cases()
    with tempfile.TemporaryDirectory() as folder, server() as stage, Chromium() as browser:
        run(case, Sharing(stage, browser, folder, pictures))
    return case.end()


def run(case, sharing):
    case("a folder is shared with a member who looks", sharing.share_folder)
    case("the member may write", sharing.write)
    case("a search looks in everything that is open", sharing.searched)
    case("a search finds two items of one id", sharing.searched_alike)
    case("a search without a folder that does not come", sharing.searched_late)
    case("a file is moved there, and copied and moved out again", sharing.carried)
    case("a folder in it that claims to be another", sharing.trap)
    case("a file that a member disguised", sharing.disguised)
    case("a single note is shared", sharing.item)
    case("keys that the log does not have, and what nobody has signed", sharing.another_key)
    case("an impostor in the name of somebody else", sharing.impostor)
    case("it is ended, and the folder gets another key", sharing.ended)
    case("the exchange of a key is cut off, and finished", sharing.cut)
    case("two devices exchange a key at once", sharing.two_devices)
    case("an exchange is cut off at its very end", sharing.cut_at_the_end)
    case("a writer breaks the folder, and is put out all the same", sharing.broken)
    case("a member whom the server has slipped in", sharing.slipped_in)
    case("by link and code, without an account", sharing.link)
    case("a link whose code nobody took", sharing.link_given_up)
    case("a link ends with its item", sharing.link_ends)
    case("two devices make links at once", sharing.links_at_once)
    case("a caretaker puts things in and sees nothing", sharing.caretaker)
    case("a caretaker puts in what breaks a page", sharing.spiteful)
    case("an emergency contact asks, is refused, waits and reads", sharing.contact)
    case("two of three recovery shares", sharing.shares)
    case("feedback reaches the administrators", sharing.feedback)
    case("nothing of it is with the server", sharing.canary)


if __name__ == "__main__":
    sys.exit(main())
