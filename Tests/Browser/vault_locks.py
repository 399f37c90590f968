#!/usr/bin/env python3
"""Locks of single items, PINs for some folders, a decoy, and PINs until they are destroyed.

    COUNTERSIGN=.build/debug/countersign python Tests/Browser/vault_locks.py [--pictures FOLDER] [words of a case …]

Mary has a vault, a laptop with a passkey of its own, and time that the test moves. One line for each case.
"""

import json
import re
import sys
import tempfile
import time

from attacks_stage import Cases, api, end_session, expect, front, shown, sign_in, tap
from chromium import Chromium, Failure, until
from face import png
from looking import pictures_folder
from vault import CLOSED, DRAWN, OPEN, Vault
from vault_sharing import Sharing
from vault_stage import CLOCK, Clock, asked

MAIN, ITEM, TIER, DECOY, OTHER = "483920", "602815", "711044", "920417", "593028"
SECRET = "Hidden4711"
TEXT = "where it is buried"
LIVE = """import('/assets/shell/events.js').then(({ onConnection }) => {
    let now; onConnection((state) => { now = state; })(); return now === 'live'; })"""
COLOUR = "getComputedStyle(document.querySelector('dialog[open] .primary')).backgroundColor"
# The same once no colour is on its way to another one: on a busy machine that begins late.
SETTLED = f"""new Promise(done => setTimeout(done, 500)).then(() => Promise.allSettled(
    document.querySelector('dialog[open] .primary').getAnimations().map(one => one.finished))).then(() => {COLOUR})"""


class Locks(Vault):
    # What people do there, they do here too.
    dialog, new_shares, type_shares = Sharing.dialog, Sharing.new_shares, Sharing.type_shares

    def person(self, name, prf=True):
        person = super().person(name, prf)
        person.send("Page.addScriptToEvaluateOnNewDocument", source=CLOCK)
        return person

    # What people do

    def pin(self, page, pin, problem=None):
        """Types a PIN into the dialog; `problem` is what is said then."""
        idle = "!document.querySelector('dialog[open] .primary[aria-busy=true]')"
        for _ in range(8):
            page.wait(idle, "the PIN before it to be answered", 90)
            # So that what is said of this one is not taken for what was said of the one before it.
            page.js("(e => { if (e) e.textContent = '' })(document.querySelector('#pin-error'))")
            page.fill("#pin", pin)
            tap(page, "dialog[open] .primary")
            page.wait(idle, "an answer", 90)
            # A session tries only so often, whatever the PIN.
            said = page.js("document.querySelector('#pin-error')?.textContent ?? ''")
            if "too often" not in said:
                break
            time.sleep(int(re.search(r"\((\d+)", said).group(1)) + 0.2)
        if problem:
            page.wait(f"document.querySelector('#pin-error')?.textContent.includes({json.dumps(problem)})", problem, 60)

    def new_pin(self, page, pin):
        page.wait(shown("#pin-new"), "to be asked for a new PIN", 60)
        page.fill("#pin-new", pin)
        page.fill("#pin-again", pin)
        tap(page, "dialog[open] .primary")

    def gone(self, page):
        page.wait("!document.querySelector('dialog[open]')", "the dialog to be closed", 90)

    def lock(self, page):
        tap(page, "#lock")
        page.wait(CLOSED, "the vault to be locked")

    def open_with(self, page, pin):
        tap(page, "#open-pin")
        self.pin(page, pin)
        page.wait(OPEN, "the vault to be open", 60)
        page.wait("!document.querySelector('dialog[open]')")

    def make_folder(self, page, name):
        tap(page, "[data-add=folder]")
        page.fill("#question-value", name)
        tap(page, "dialog[open] .primary")
        self.has(page, name)

    def home(self, page):
        page.js("location.hash = 'trash'")
        page.wait(shown("#trash"))
        page.js("location.hash = ''")
        page.wait(shown("#folder"))

    def ways(self, page):
        page.js("location.hash = 'ways'")
        page.wait(shown("#ways") + " && document.querySelectorAll('#slots li').length > 1")
        return page.js("[...document.querySelectorAll('#slots .title')].map(e => e.textContent)")

    def has_ways(self, page, *titles):
        page.wait(f"(all => {json.dumps(titles)}.every(one => all.includes(one)))([...document.querySelectorAll('#slots .title')].map(e => e.textContent))",
                  f"{titles} among the ways", 90)

    def act_on(self, page, name):
        tap(page, f"#item-acts [data-act='{name}']")

    def leaks(self, page, words=(SECRET, TEXT)):
        """What of the locked items is in the page."""
        whole = page.js("document.documentElement.outerHTML + [...document.querySelectorAll('input')].map(e => e.value).join()")
        return [one for one in words if one in whole]

    # Cases

    def locked_item(self):
        """An item is locked with a PIN and a passkey: no list, search, thumbnail or view shows what it is."""
        mary = self.mary
        self.words = self.make(mary)
        self.note(mary, "Open to all", "nothing special")
        self.note(mary, f"{SECRET} note", TEXT)
        mary.upload("#add input[accept='*/*']", self.file(f"{SECRET}.png", png(300, 200)))
        self.has(mary, f"{SECRET}.png")
        tap(mary, "#opened details.who summary")
        tap(mary, "#veil")
        mary.wait("!!document.querySelector('#items img')", "the small picture")
        for number, name in enumerate([f"{SECRET} note", f"{SECRET}.png"]):
            self.follow(mary, name)
            self.act_on(mary, "lock")
            mary.wait(shown("#lock-pin"))
            if number == 0:
                self.look(mary, "lock")
                mary.js("document.querySelector('#lock-pin').click(), document.querySelector('#lock-passkey').click()")
                tap(mary, "dialog[open] .primary")
                mary.see("Choose at least one", "dialog[open]")
                mary.js("document.querySelector('#lock-pin').click(), document.querySelector('#lock-passkey').click()")
            tap(mary, "dialog[open] .primary")
            if number == 0:
                self.new_pin(mary, ITEM)
            else:
                # If setting it was cut off, no PIN is right: what helps then is said here too.
                mary.see("remove it then, and set it again", "dialog[open]", 60)
                self.pin(mary, ITEM)
            mary.see("The item has a lock", "#notices", 90)
            mary.see("has a lock of its own", "#item-view")
            mary.js("document.querySelector('#notices').replaceChildren()")
            # The other one is still in the list behind.
            words = (f"{SECRET} note", TEXT) if number == 0 else (SECRET, TEXT)
            expect(not self.leaks(mary, words), f"in the view: {self.leaks(mary, words)}")
            if number == 0:
                self.look(mary, "locked-item")
            tap(mary, "#item-close")
            mary.wait(shown("#folder"))
        mary.wait("[...document.querySelectorAll('#items .title')].filter(e => e.textContent === 'Locked item').length === 2", "two locked items")
        self.look(mary, "locked-list")
        expect(not mary.js("document.querySelector('#items img')"), "the small picture is still there")
        rows = mary.js("[...document.querySelectorAll('#items li')].filter(e => e.textContent.includes('Locked item')).map(e => e.innerText)")
        expect(all(row.split() == ["Locked", "item", "Locked"] for row in rows), f"{rows}")
        for words in (SECRET, TEXT.split()[-1]):
            mary.fill("#search", words)
            mary.wait(shown("#none"), "that nothing is found")
        mary.fill("#search", "")
        for order in ("newest", "size", "expires", "name"):
            mary.choose("#sort", order)
            mary.wait("document.querySelectorAll('#items li').length === 3")
        mary.fill("#search", "")
        expect(not self.leaks(mary), f"{self.leaks(mary)}")

    def item(self, page, number=0):
        """Goes to one of the locked items."""
        self.home(page)
        page.wait("[...document.querySelectorAll('#items .title')].some(e => e.textContent === 'Locked item')")
        page.js(f"[...document.querySelectorAll('#items .title')].filter(e => e.textContent === 'Locked item')[{number}].click()")
        page.wait(shown("#item-acts [data-act='open-pin']"))

    def find(self, page):
        """Opens the locked note with its PIN, whichever of the two it is."""
        for number in (0, 1):
            self.item(page, number)
            self.act_on(page, "open-pin")
            self.pin(page, ITEM)
            page.wait(f"document.querySelector('#item-title').textContent.includes('{SECRET}')", "the item to be open", 60)
            if page.js(f"document.querySelector('#item-title').textContent === '{SECRET} note'"):
                return
        raise Failure("the note is not there")

    def item_pin(self):
        """Its PIN opens one item, until it is left; another PIN does not."""
        mary = self.mary
        self.item(mary)
        self.act_on(mary, "open-pin")
        self.look(mary, "item-pin")
        self.pin(mary, MAIN, "not the PIN")
        expect(not self.leaks(mary), f"{self.leaks(mary)}")
        tap(mary, "dialog[open] [type=button]")
        self.find(mary)
        mary.see(TEXT, "#item-view")
        self.look(mary, "unlocked-item")
        expect(not mary.js("document.querySelector('#item-acts [data-act=lock]')"), "it can be locked twice")
        tap(mary, "#item-close")
        mary.wait(shown("#folder") + " && document.querySelectorAll('#items li').length === 3")
        expect(not self.leaks(mary), f"behind it, {self.leaks(mary)}")
        mary.js("history.back()")
        mary.see("has a lock of its own", "#item-view")
        expect(not self.leaks(mary), f"back again, {self.leaks(mary)}")

    def item_passkey(self):
        """The passkey opens it too; changed while it is open, it stays locked and is what it was changed to."""
        mary = self.mary
        for number in (0, 1):
            self.item(mary, number)
            self.act_on(mary, "open-passkey")
            mary.wait(f"document.querySelector('#item-title').textContent.includes('{SECRET}')", "the item to be open", 90)
            if mary.js(f"document.querySelector('#item-title').textContent === '{SECRET} note'"):
                break
        self.act_on(mary, "edit")
        mary.fill("#note-text", TEXT + ", deeper")
        tap(mary, "dialog[open] .primary")
        self.gone(mary)
        mary.see(TEXT + ", deeper", "#item-view")
        self.home(mary)
        expect(not self.leaks(mary), f"{self.leaks(mary)}")
        self.lock(mary)
        mary.is_recognised(True)
        tap(mary, "#open-passkey")
        mary.wait(OPEN, "the vault to be open", 90)
        mary.wait("document.querySelectorAll('#items li').length === 3")
        expect(not self.leaks(mary), f"opened again, {self.leaks(mary)}")

    def item_routes(self):
        """No request of a page gets at a locked item: not its versions, a copy, the counter, a change or a move."""
        mary = self.mary
        self.item(mary)
        acts = mary.js("[...document.querySelectorAll('#item-acts button')].map(e => e.dataset.act)")
        expect(acts == ["open-passkey", "open-pin", "trash"], f"{acts}")
        expect(not mary.js("document.querySelector('#items [data-act=menu]:not([hidden])')?.closest('li').innerText.includes('Locked')"), "its row can be changed")
        # Deleted and back, it is as closed as before.
        self.act_on(mary, "trash")
        mary.see("Locked item is in the trash", "#notices", 90)
        mary.js("location.hash = 'trash'")
        mary.see("Locked item", "#trashed")
        expect(not self.leaks(mary), f"in the trash: {self.leaks(mary)}")
        tap(mary, "#trashed [data-act=restore]")
        mary.wait(shown("#trash-empty"), "an empty trash", 90)
        mary.js("document.querySelector('#notices').replaceChildren()")
        self.find(mary)
        self.act_on(mary, "unlock")
        tap(mary, "dialog[open] .primary")
        mary.wait("!!document.querySelector('#item-acts [data-act=lock]')", "the lock to be off", 90)
        self.home(mary)
        self.has(mary, f"{SECRET} note")
        # The other one stays locked.
        mary.wait("[...document.querySelectorAll('#items .title')].filter(e => e.textContent === 'Locked item').length === 1")

    def pins_at_once(self):
        """Another device sets a PIN at the same moment: this page stores its own again, in another slot, and both PINs open."""
        mary = self.mary
        self.ways(mary)
        self.other_sets(mary, OTHER)
        tap(mary, "#add-pin-way")
        self.new_pin(mary, MAIN)
        mary.see("The PIN opens your vault", "#notices", 90)
        expect(mary.js("globalThis.otherHasSet === true && globalThis.pinWrites === 2"), f"{mary.js('[globalThis.otherHasSet, globalThis.pinWrites]')}")
        self.has_ways(mary, "PIN", "PIN for “Open to all”", "PIN for locked items")
        self.lock(mary)
        # A session tries only so many PINs: none is tried here that need not be.
        self.open_with(mary, OTHER)
        self.lock(mary)
        self.open_with(mary, MAIN)
        # The same PIN on two devices: the second is told, and what the first has set stays.
        self.ways(mary)
        self.other_sets(mary, "638205", purpose=1)
        self.press_way(mary, "PIN", "change")
        self.new_pin(mary, "946071")
        mary.wait("document.querySelector('#pin-error')?.textContent.includes('Another device has just changed this PIN')", "that it was changed", 90)
        tap(mary, "dialog[open] [type=button]")
        self.gone(mary)
        self.lock(mary)
        self.open_with(mary, "638205")
        for title in ("PIN for “Open to all”", "PIN"):
            self.ways(mary)
            self.press_way(mary, title, "remove")
            tap(mary, "dialog[open] .danger")
            mary.wait(f"![...document.querySelectorAll('#slots .title')].some(e => e.textContent === {json.dumps(title)})", "it to be removed", 90)
        self.home(mary)
        # A session has twenty tries, and then four a minute: the cases that follow have those of another.
        end_session(mary)
        mary.goto(self.stage.url + "/help")
        sign_in(mary, self.stage)
        self.visit(mary)
        tap(mary, "#open-passkey")
        mary.wait(OPEN, "the vault to be open", 90)

    def press_way(self, page, title, act):
        """Presses a button of the way with this title, or of the one at this place in the list."""
        row = f"[{title}]" if isinstance(title, int) else f".find(e => e.querySelector('.title').textContent === {json.dumps(title)})"
        # In one step with the look: a button that is still at work takes no press, and its row may be drawn again.
        press = "b?.checkVisibility() && b.getAttribute('aria-busy') !== 'true' && (b.click(), true)"
        page.wait(f"((b) => {press})([...document.querySelectorAll('#slots li')]{row}?.querySelector('[data-act={act}]'))", f"{act} at {title}")

    def other_sets(self, page, pin, purpose=2):
        """Just before this page stores PIN slots, another device does: for the item "Open to all", or for the vault (1)."""
        page.js("""Promise.all([import('/assets/vault/vault-items.js'), import('/assets/vault/vault-state.js'), import('/assets/vault/pin.js'),
            import('/assets/vault/bytes.js'), import('/assets/shell/api.js'), import('/assets/shell/core.js')]).then(
            ([{ Vault }, { VaultState, root }, { pinFor, writePIN }, { fromHex }, { api }, { b64u }]) => {
                const [{ remember }, send, purpose] = [Vault.prototype, globalThis.fetch, %s];
                let home; [globalThis.otherHasSet, globalThis.pinWrites] = [false, 0];
                Vault.prototype.remember = function (...given) { home = this; return remember.apply(this, given); };
                const counting = async (path, options = {}) => {
                    if (options.method !== 'PUT' || !String(path).endsWith('/api/vault/pins')) return send(path, options);
                    globalThis.pinWrites += 1;
                    if (globalThis.pinWrites > 1) return send(path, options);
                    Vault.prototype.remember = remember;
                    globalThis.fetch = send;
                    const other = new Vault(await VaultState.open(home.compartment), home.limits);
                    const item = other.children(root).find(({ name }) => name === 'Open to all');
                    const node = purpose === 1 ? undefined : b64u(fromHex(item.id));
                    await writePIN(other, await api.get('/api/vault'), %s, {
                        purpose, node, key: other.compartment.key, replaces: pinFor(other, purpose, node)?.reset });
                    [globalThis.otherHasSet, globalThis.fetch] = [true, counting];
                    return send(path, options);
                };
                globalThis.fetch = counting; })"""
                % (purpose, json.dumps(pin)))

    def tier(self):
        """A PIN for some folders: they move behind it, it opens them and nothing else, and the vault opens them too."""
        mary = self.mary
        self.home(mary)
        self.make_folder(mary, "Journey")
        self.follow(mary, "Journey")
        mary.wait("document.querySelector('#path [aria-current]')?.textContent === 'Journey'")
        self.note(mary, "Hotel", "room 12")
        mary.upload("#add input[accept='*/*']", self.file("ticket.txt", b"a ticket"))
        self.has(mary, "ticket.txt")
        self.ways(mary)
        tap(mary, "#add-pin-way")
        self.new_pin(mary, MAIN)
        mary.see("The PIN opens your vault", "#notices", 60)
        tap(mary, "[data-pin=tier]")
        mary.wait(shown("#tier-name"))
        self.look(mary, "tier")
        mary.fill("#tier-name", "On the way")
        mary.js("document.querySelector('dialog[open] fieldset input').click()")
        tap(mary, "dialog[open] .primary")
        # The same PIN again is refused, since it would open two things.
        self.new_pin(mary, MAIN)
        mary.wait("document.querySelector('#pin-error')?.textContent.includes('already')", "that it is taken", 90)
        self.new_pin(mary, TIER)
        mary.see("The PIN opens the folder “On the way”", "#notices", 90)
        self.has_ways(mary, "PIN", "PIN for “On the way”", "PIN for locked items")
        self.look(mary, "ways-main")
        self.home(mary)
        expect(set(self.names(mary)) >= {"On the way", "Open to all"} and "Journey" not in self.names(mary), f"{self.names(mary)}")
        self.follow(mary, "On the way")
        self.has(mary, "Journey")
        self.follow(mary, "Journey")
        self.has(mary, "Hotel")
        self.look(mary, "in-the-tier")
        expect(mary.js("[...document.querySelectorAll('#path li')].map(e => e.textContent)") == ["Vault", "On the way", "Journey"], "the path")
        self.follow(mary, "ticket.txt")
        mary.wait("document.querySelector('#item-view pre')?.textContent === 'a ticket'", "the ticket", 90)
        self.lock(mary)
        self.open_with(mary, TIER)
        self.has(mary, "Journey")
        expect(self.names(mary) == ["Journey"], f"{self.names(mary)}")
        expect("Open to all" not in mary.js("document.documentElement.outerHTML"), "the main vault is in the page")
        self.follow(mary, "Journey")
        self.note(mary, "From the journey", "written there")
        expect([one for one in self.ways(mary) if "PIN" in one] == ["PIN"], f"{self.ways(mary)}")
        self.lock(mary)
        self.open_with(mary, MAIN)
        self.follow(mary, "On the way")
        self.has(mary, "Journey")
        self.follow(mary, "Journey")
        self.has(mary, "From the journey")

    def out_of_tier(self):
        """Something moves out of the folder into the vault, and into it: whole, and it is in one of them alone."""
        mary = self.mary
        self.act(mary, "ticket.txt", "menu")
        mary.choose("#change-folder", "out")
        tap(mary, "dialog[open] .primary")
        self.gone(mary)
        self.home(mary)
        self.has(mary, "ticket.txt")
        self.follow(mary, "ticket.txt")
        mary.wait("document.querySelector('#item-view pre')?.textContent === 'a ticket'", "the ticket", 90)
        self.home(mary)
        self.act(mary, "Open to all", "menu")
        mary.choose("#change-folder", "On the way")
        tap(mary, "dialog[open] .primary")
        self.gone(mary)
        mary.wait("![...document.querySelectorAll('#items .title')].some(e => e.textContent === 'Open to all')", "it to be gone here", 90)
        self.lock(mary)
        self.open_with(mary, TIER)
        self.has(mary, "Open to all")
        expect("ticket.txt" not in self.names(mary), f"{self.names(mary)}")
        mary.fill("#search", "ticket")
        mary.wait(shown("#none"), "that the ticket is not here")
        mary.fill("#search", "")
        self.lock(mary)
        self.open_with(mary, MAIN)

    def search_behind(self):
        """A search finds nothing behind a folder's PIN, and asks the server for nothing, before somebody has opened that folder."""
        mary = self.mary
        self.lock(mary)
        self.open_with(mary, MAIN)
        self.has(mary, "On the way")
        mary.settle()
        since = len(mary.requests)
        mary.fill("#search", "written there")
        mary.see("Folders with a PIN are searched once you have opened them", "#none")
        mary.settle()
        asked_for = [one["url"] for one in mary.requests[since:] if "/api/vault" in one["url"]]
        expect(asked_for == [], f"the search asks for {asked_for}")
        mary.fill("#search", "")
        self.follow(mary, "On the way")
        self.has(mary, "Journey")
        self.home(mary)
        self.has(mary, "On the way")
        mary.fill("#search", "written there")
        self.has(mary, "From the journey")
        mary.see("in On the way / Journey", "#items")
        mary.fill("#search", "nothing like this")
        mary.see("Nothing like that", "#none")
        expect("searched once" not in mary.text("#none"), "a folder that is open is not searched")
        mary.fill("#search", "written there")
        self.follow(mary, "From the journey")
        mary.see("written there", "#item-view")
        expect(mary.js("[...document.querySelectorAll('#path li')].map(e => e.textContent)") == ["Vault", "On the way", "Journey"], "the path")
        tap(mary, "#item-close")
        self.has(mary, "From the journey")
        mary.fill("#search", "")
        self.home(mary)

    def decoy(self):
        """A decoy is offered with what it does not do; opened, its page is the main one's, and asks for the same."""
        mary = self.mary
        self.ways(mary)
        tap(mary, "[data-pin=decoy]")
        mary.see("It does not help against somebody who can use your passkey", "dialog[open]")
        self.look(mary, "decoy")
        mary.fill("#tier-name", "Other things")
        tap(mary, "dialog[open] .primary")
        self.new_pin(mary, DECOY)
        mary.see("The decoy PIN opens “Other things”", "#notices", 90)
        self.has_ways(mary, "PIN", "PIN for “On the way”", "PIN for locked items", "Decoy PIN, opens “Other things”")
        # No PIN is left.
        tap(mary, "[data-pin=tier]")
        mary.see("All four PINs are in use", "#notices", 60)
        seen = {}
        for name, pin in (("main", MAIN), ("decoy", DECOY), ("tier", TIER), ("main again", MAIN)):
            self.visit(mary)
            # When the stream of changes opens, the page looks at its vault again: before anything is counted.
            mary.wait(LIVE, "the stream of changes")
            tap(mary, "#open-pin")
            mary.wait(shown("#pin"))
            mary.settle()
            since = len(mary.requests)
            self.pin(mary, pin)
            mary.wait(OPEN, "the vault to be open", 60)
            mary.wait(DRAWN, "the list to be drawn")
            mary.settle()
            time.sleep(0.5)
            page = mary.js("""[document.querySelector('#room').textContent.replace(/^[^o]* of/, 'of'), document.querySelector('#path').innerText,
                [...document.querySelectorAll('#opened button, #opened a')].filter(e => !e.closest('#items')).map(e => [e.textContent.trim(), e.hidden, e.getAttribute('href')])]""")
            rows = self.ways(mary)
            buttons = mary.js("[...document.querySelectorAll('#ways > .actions button')].map(e => [e.textContent, e.hidden])")
            if name in ("main", "decoy"):
                self.look(mary, f"ways-{name}")
            mary.settle()
            seen[name] = (asked(mary, since), page, buttons, [row for row in rows if "PIN" not in row])
            if name in ("decoy", "tier"):
                expect([row for row in rows if "PIN" in row] == ["PIN"], f"{name}: {rows}")
        # Nor does the slot say it, to somebody who opens it with a program of their own.
        for pin in (MAIN, DECOY, TIER):
            purpose = mary.js(f"""Promise.all([import('/assets/vault/pin.js'), fetch('/api/vault').then(r => r.json())]).then(async ([pins, stored]) => {{
                let found; const opened = await pins.tryPIN('{pin}', stored, (one) => {{ found = one.purpose; return true; }});
                await opened.prove([null, null, null, null]); return found; }})""")
            expect(purpose == 1, f"a slot says that it is for {purpose}")
        normal = re.compile(r"after=[^&]*")
        for name, (requests, page, buttons, rows) in seen.items():
            plain = [(method, normal.sub("after=N", path), size) for method, path, size in requests]
            seen[name] = (plain, page, buttons, rows)
        for name in ("decoy", "tier", "main again"):
            for what, one, other in zip(("requests", "page", "buttons", "ways"), seen["main"], seen[name]):
                expect(one == other, f"{what} of the main vault and of the {name} differ:\n{one}\n{other}")

    def activity(self):
        """The log of the account does not say which PIN is which, or which was used."""
        mary = self.mary
        status, found = api(mary, "GET", "/api/log/mine")
        entries = json.dumps(found)
        expect(status == 200 and "vault" in entries, f"{status} {entries[:200]}")
        for word in ("decoy", "tier", "purpose"):
            expect(word not in entries.lower(), f"{word} is in the activity")
        stored = api(mary, "GET", "/api/vault")[1]
        expect({len(one["sealed"]) for one in stored["pins"]} == {187} and {one["usable"] for one in stored["pins"]} == {True}, f"{stored['pins']}")

    def new_recovery(self, page):
        """Makes a new recovery key on the page, and gives its words."""
        page.js("document.querySelector('#notices')?.replaceChildren()")
        tap(page, "#add-recovery-way")
        page.wait(shown("#recovery-title"), "the recovery key", 90)
        words = page.js("[...document.querySelectorAll('.recovery-words li')].map(e => e.textContent)")
        tap(page, "dialog[open] .primary")
        page.fill("#words", " ".join(words))
        tap(page, "dialog[open] .primary")
        page.see("The new recovery key opens your vault. The old one opens nothing any more", "#notices", 90)
        return words

    def new_keys(self):
        """A new recovery key replaces the old one. Those that are made in the decoy take nothing from the main vault."""
        mary = self.mary

        def once():
            """There is one way of each kind."""
            kinds = ["Recovery key on paper", "Two of three shares"]
            mary.wait(f"(all => {json.dumps(kinds)}.every(kind => all.filter(one => one === kind).length === 1))([...document.querySelectorAll('#slots .title')].map(e => e.textContent))",
                      f"one each of {kinds}", 60)

        self.visit(mary)
        tap(mary, "#open-passkey")
        mary.wait(OPEN, "the vault to be open", 90)
        self.ways(mary)
        old, self.words = self.words, self.new_recovery(mary)
        shares = self.new_shares(mary)
        once()
        self.lock(mary)
        tap(mary, "#open-recovery")
        mary.fill("#words", " ".join(old))
        tap(mary, "dialog[open] .primary")
        mary.wait("document.querySelector('#words-error').textContent.includes('not the one of this vault')", "the old words to be refused", 60)
        mary.fill("#words", " ".join(self.words))
        tap(mary, "dialog[open] .primary")
        mary.wait(OPEN, "the vault to be open", 90)
        self.lock(mary)
        self.open_with(mary, DECOY)
        self.ways(mary)
        first = self.new_recovery(mary)
        second = self.new_recovery(mary)
        self.new_shares(mary)
        once()
        self.lock(mary)
        tap(mary, "#open-recovery")
        mary.fill("#words", " ".join(first))
        tap(mary, "dialog[open] .primary")
        mary.wait("document.querySelector('#words-error').textContent.includes('not the one of this vault')", "the decoy's first words to be refused", 60)
        mary.fill("#words", " ".join(second))
        tap(mary, "dialog[open] .primary")
        mary.wait(OPEN, "the decoy to be open", 90)
        expect("ticket.txt" not in self.names(mary), "the decoy's words open the main vault")
        self.lock(mary)
        self.recover(mary)
        self.has(mary, "ticket.txt")
        self.lock(mary)
        tap(mary, "#open-shares")
        self.type_shares(mary, shares[0], shares[1])
        mary.wait(OPEN, "the vault to be open", 90)
        self.has(mary, "ticket.txt")
        self.ways(mary)
        once()

    def removed_pin(self):
        """A PIN is changed and removed: the old one opens nothing, and what was behind it is still in the vault."""
        mary = self.mary
        self.ways(mary)
        # If setting it was cut off, no PIN is the present one: what helps then is said where it is asked for.
        self.press_way(mary, "PIN for locked items", "change")
        mary.see("remove it then, and set it again", "dialog[open]", 60)
        tap(mary, "dialog[open] [type=button]")
        self.gone(mary)
        self.press_way(mary, "PIN for “On the way”", "change")
        self.new_pin(mary, "804713")
        mary.see("From now on the new PIN", "#notices", 90)
        self.press_way(mary, "Decoy PIN, opens “Other things”", "remove")
        tap(mary, "dialog[open] .danger")
        mary.wait("![...document.querySelectorAll('#slots .title')].some(e => e.textContent.includes('Other things'))", "it to be removed", 90)
        self.lock(mary)
        tap(mary, "#open-pin")
        for pin in (TIER, DECOY):
            self.pin(mary, pin, "not the PIN")
        self.pin(mary, "804713")
        mary.wait(OPEN, "the vault to be open", 60)
        self.has(mary, "Journey")
        self.lock(mary)
        self.open_with(mary, MAIN)
        self.home(mary)
        expect("Other things" in self.names(mary), f"{self.names(mary)}")
        # A folder that a PIN opens is not destroyed by the way; one without is, with what is in it.
        self.act(mary, "On the way", "menu")
        tap(mary, "dialog[open] .danger")
        tap(mary, "dialog[open] form[method=dialog] .danger")
        mary.see("A PIN opens this folder", "dialog[open]", 90)
        tap(mary, "dialog[open] .actions [type=button]:not(.danger)")
        self.act(mary, "Other things", "menu")
        # The network goes in the middle: what is behind the folder is gone, and the folder is still there. It goes, too.
        mary.js("""{ const send = fetch; globalThis.fetch = async (address, ...rest) => {
            if (!String(address?.url ?? address).includes('/changes')) return send(address, ...rest);
            globalThis.fetch = send;
            throw new TypeError('Failed to fetch'); }; 0 }""")
        tap(mary, "dialog[open] .danger")
        tap(mary, "dialog[open] form[method=dialog] .danger")
        mary.wait("!!document.querySelector('dialog[open] .error-text')?.textContent", "the removal to be cut off", 90)
        tap(mary, "dialog[open] .danger")
        tap(mary, "dialog[open] form[method=dialog] .danger")
        mary.wait("![...document.querySelectorAll('#items .title')].some(e => e.textContent === 'Other things')", "it to be destroyed", 90)

    def second_passkey(self):
        """Another device with a passkey of its own opens the vault, once it was added there; removed, it does no more."""
        mary, laptop = self.mary, self.person("laptop")
        front(mary)
        synced = mary.send("WebAuthn.getCredentials", authenticatorId=mary.authenticator)["credentials"]
        for credential in synced:
            laptop.send("WebAuthn.addCredential", authenticatorId=laptop.authenticator, credential=credential)
        sign_in(laptop, self.stage)
        laptop.goto(self.stage.url + "/wallet/devices")
        laptop.wait(shown("#devices-content"))
        tap(laptop, "#add-passkey")
        laptop.wait(shown("#question-value"), "to be asked what the new one is called", 90)
        # From here on the laptop has none but the new one.
        for credential in synced:
            laptop.send("WebAuthn.removeCredential", authenticatorId=laptop.authenticator, credentialId=credential["credentialId"])
        tap(laptop, "dialog[open] .primary")
        laptop.see("The passkey is added", "#notices", 90)
        self.visit(laptop)
        self.recover(laptop)
        before = len(self.ways(laptop))
        tap(laptop, "#add-passkey-way")
        laptop.see("This device opens your vault", "#notices", 90)
        laptop.wait(f"document.querySelectorAll('#slots li').length === {before + 1}", "the new way")
        self.lock(laptop)
        tap(laptop, "#open-passkey")
        laptop.wait(OPEN, "the vault to be open", 90)
        self.has(laptop, "ticket.txt")
        self.lock(laptop)
        # The phone takes it away again.
        front(mary)
        # The copy of the phone's passkey has counted on: a real one counts nothing, or is not copied.
        mary.js("""(async () => { for (let turn = 0; turn < 6; turn += 1) await navigator.credentials.get({ publicKey: {
            challenge: new Uint8Array(32), rpId: 'localhost', userVerification: 'required' } }); })()""")
        self.visit(mary)
        self.open(mary)
        self.ways(mary)
        slots = api(mary, "GET", "/api/vault")[1]["slots"]
        # Not all are shown: the decoy has a recovery key and shares, too.
        passkeys = [one["created"] for one in slots if one["kind"] == "passkey"]
        rows = [number for number, title in enumerate(self.ways(mary)) if title == "A passkey"]
        self.press_way(mary, rows[passkeys.index(max(passkeys))], "remove")
        tap(mary, "dialog[open] .danger")
        until(lambda: len(api(mary, "GET", "/api/vault")[1]["slots"]) == len(slots) - 1, "the way to be removed", 90)
        front(laptop)
        self.visit(laptop)
        tap(laptop, "#open-passkey")
        laptop.see("This passkey does not open the vault", "#notices", 90)
        expect(not laptop.js(OPEN), "it is open")
        self.keep(laptop)

    def warned(self, page):
        """Nine tries are used: the page warns before the tenth, and says what that destroys."""
        page.see("9 of 10 wrong tries are used. One more destroys each PIN", "#closed .notice.warning")
        page.see("An item that opens with a PIN alone is lost then. The other ways to open the vault still work.", "#closed .notice.warning")

    def destroyed(self):
        """Ten wrong PINs, with the waits counted down on the page, and none of the PINs is left; the recovery key opens."""
        mary = self.mary
        front(mary)
        # A session has so many tries, and the cases before have used most of this one's.
        self.keep(mary)
        mary.goto(self.stage.url + "/help")
        end_session(mary)
        sign_in(mary, self.stage)
        self.visit(mary)
        tap(mary, "#open-pin")
        waits = [0, 0, 0, 30, 60, 300, 900, 3_600, 10_800, 43_200]
        for number, wait in enumerate(waits):
            if wait:
                self.pin(mary, "757575", "Too many wrong PINs")
                shown_wait = mary.js("document.querySelector('[role=timer]').textContent")
                digits = [int(part) for part in re.search(r"[\d:]+", shown_wait).group(0).split(":")]
                seconds = sum(value * 60 ** place for place, value in enumerate(reversed(digits)))
                expect(max(0, wait - 120) <= seconds <= wait, f"after {number} tries one waits {wait} s, and the page says {shown_wait}")
                expect(mary.js("document.querySelector('dialog[open] .primary').getAttribute('aria-disabled') === 'true'"), "the button can be pressed")
                # It is grey with the pointer on it, too; afterwards the pointer would give it another colour than its own.
                greys = []
                for x, y in (mary.locate("dialog[open] .primary"), (2, 2)):
                    mary.send("Input.dispatchMouseEvent", type="mouseMoved", x=x, y=y)
                    greys.append(mary.js(SETTLED))
                grey = greys[1]
                expect(greys[0] == grey, f"the button is {greys[0]} under the pointer, and {grey} else")
                if number == 5:
                    self.look(mary, "pin-counts-down")
                self.clock.advance(wait)
                if number == 6:
                    mary.fill("#pin", "111111")
                # Who waits does nothing, for minutes or hours, and finds the dialog as it was; digits do not stay.
                mary.js(f"pass({(wait + 1) * 1000})")
                mary.see("You can try again now", "dialog[open]", 60)
                expect(number != 6 or mary.js("document.querySelector('#pin').value === ''"), "digits have stayed")
                mary.wait(f"{COLOUR} !== {json.dumps(grey)}", "the button to have its own colour again", 60)
                if number == 6:
                    # Once one can go on and nobody does, it is over.
                    mary.js("pass(300000)")
                    mary.see("This was closed while you were away", "#notices", 60)
                    tap(mary, "#open-pin")
            self.pin(mary, f"7575{number:02}", "not the PIN. After ten wrong ones it is destroyed")
            if number == 8:
                # The session ends by itself after twelve hours.
                tap(mary, "dialog[open] [type=button]")
                self.warned(mary)
                self.look(mary, "tries")
                self.clock.advance(30_000)
                mary.goto(self.stage.url + "/help")
                sign_in(mary, self.stage)
                self.visit(mary)
                self.warned(mary)
                waits[9] -= 30_000
                tap(mary, "#open-pin")
        tap(mary, "dialog[open] [type=button]")
        self.clock.advance(130)
        until(lambda: not any(one["usable"] for one in api(mary, "GET", "/api/vault")[1]["pins"]), "the PINs to be destroyed", 60)
        self.visit(mary)
        mary.see("The PINs were destroyed after ten wrong tries", "#closed")
        expect(not mary.js(shown("#open-pin")), "a PIN is still offered")
        words = mary.js("""import('/assets/vault/pin-words.js').then(({ triesWords }) => [0, 1, 6, 7, 8, 9, 10].map((tries) => {
            const { text, isWarning } = triesWords(tries); return [isWarning, text.split('.')[0], /The tenth|One more|Within two/.exec(text)?.[0]]; }))""")
        expect(words == [[False, "", None], [False, "1 wrong PIN was tried since the last right one", None],
                         [False, "6 wrong PINs were tried since the last right one", None],
                         [True, "7 of 10 wrong tries are used", "The tenth"], [True, "8 of 10 wrong tries are used", "The tenth"],
                         [True, "9 of 10 wrong tries are used", "One more"], [True, "All 10 wrong tries are used", "Within two"]], f"{words}")
        self.look(mary, "destroyed")
        self.recover(mary)
        self.has(mary, "ticket.txt")
        self.ways(mary)
        mary.see("Destroyed after ten wrong tries", "#slots")

    def after(self):
        """A destroyed PIN is set again and opens the vault; an item that has a passkey's lock too is not lost."""
        mary = self.mary
        self.press_way(mary, "PIN", "change")
        self.new_pin(mary, MAIN)
        mary.see("The PIN opens your vault", "#notices", 60)
        self.lock(mary)
        self.open_with(mary, MAIN)
        self.item(mary)
        self.act_on(mary, "open-passkey")
        mary.wait(f"document.querySelector('#item-title').textContent === '{SECRET}.png'", "the item to be open", 90)
        self.act_on(mary, "unlock")
        tap(mary, "dialog[open] .primary")
        mary.wait("!!document.querySelector('#item-acts [data-act=lock]')", "the lock to be off", 90)

    def secret(self):
        """No PIN, and nothing that a passkey gave, is in anything that a page sent."""
        self.keep(self.mary)
        joined = "\n".join(self.sent)
        expect(len(self.sent) > 50, f"only {len(self.sent)} bodies were recorded")
        for one in (MAIN, ITEM, TIER, DECOY, OTHER, SECRET, TEXT):
            expect(not re.search(rf"(?<![0-9A-Za-z_-]){one}(?![0-9A-Za-z_-])", joined), f"{one} was sent")


def main():
    pictures = pictures_folder()
    case = Cases()
    clock = Clock()
    with tempfile.TemporaryDirectory() as folder, clock.server() as stage, Chromium() as browser:
        locks = Locks(stage, browser, folder, pictures)
        locks.clock = clock
        run(case, locks)
    return case.end()


def run(case, locks):
    case("an item with a lock shows only the lock", locks.locked_item)
    case("its PIN opens it, until it is left", locks.item_pin)
    case("a passkey opens it too", locks.item_passkey)
    case("no other way leads to it; the lock is taken off", locks.item_routes)
    case("another device sets a PIN at the same moment, and neither is lost", locks.pins_at_once)
    case("a PIN opens some folders alone", locks.tier)
    case("things move in and out of such a folder", locks.out_of_tier)
    case("a search finds nothing behind a folder's PIN before it is open", locks.search_behind)
    case("a decoy looks and asks like the main vault", locks.decoy)
    case("the activity tells no PIN from another", locks.activity)
    case("a new recovery key and new shares, in the vault and in its decoy", locks.new_keys)
    case("a PIN is changed, and removed", locks.removed_pin)
    case("a second passkey opens the vault, and is removed", locks.second_passkey)
    case("ten wrong PINs destroy them; the recovery key opens", locks.destroyed)
    case("a new PIN, and what has a passkey's lock is not lost", locks.after)
    case("no PIN and no name was sent", locks.secret)


if __name__ == "__main__":
    sys.exit(main())
