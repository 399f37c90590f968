#!/usr/bin/env python3
"""Keeps items of a vault on a device, cuts the network, and opens them: sealed until then, and gone when the session ends.

    COUNTERSIGN=.build/debug/countersign python Tests/Browser/vault_offline.py [--pictures FOLDER] [words of a case …]

Mary has passkeys with secrets; Bea's passkeys have none, so this browser's keys open her vault.
"""

import json
import os
import sys
import tempfile

from attacks_stage import Cases, api, expect, front, server, shown, sign_in, sign_up, tap, visit
from chromium import Chromium, until
from looking import pictures_folder
from vault import CLOSED, MARK, OPEN, SHORT_RECORDER, Vault
from vault_locks import TIER, Locks
from vault_sharing import Sharing
from vault_stage import agree, make_with_own_keys, sign_up_with_passphrase

KEPT = """navigator.serviceWorker.ready.then(async () => navigator.serviceWorker.controller !== null
    && Boolean(await caches.match('/assets/index.json')))"""
# What the browser stores, in caches of ours and in its database, as text.
STORED = """(async () => { let text = ''; const add = (bytes) => { for (let at = 0; at < bytes.length; at += 8192) text += String.fromCharCode(...bytes.subarray(at, at + 8192)); };
    for (const name of await caches.keys()) { if (!name.startsWith('kept ')) continue; const cache = await caches.open(name);
        for (const request of await cache.keys()) { text += request.url; add(new Uint8Array(await (await cache.match(request)).arrayBuffer())); } }
    const open = indexedDB.open('countersign'); await new Promise((done) => { open.onsuccess = done; });
    for (const store of open.result.objectStoreNames) { const all = open.result.transaction(store).objectStore(store).getAll();
        await new Promise((done) => { all.onsuccess = done; }); text += JSON.stringify(all.result); }
    open.result.close(); return text; })()"""
CACHES = "caches.keys().then((names) => names.filter((name) => name.startsWith('kept ')).length)"
PARTS = """(async () => { let count = 0; for (const name of await caches.keys()) { if (!name.startsWith('kept ')) continue;
    count += (await (await caches.open(name)).keys()).length; } return count; })()"""

# How many there have to be: the index, and the parts of the contents that it names.
NAMED = """(async () => { for (const name of await caches.keys()) { if (!name.startsWith('kept ')) continue; const cache = await caches.open(name);
    for (const request of await cache.keys()) { if (!request.url.includes('/kept/index/')) continue;
        const { contents } = await (await cache.match(request)).json();
        return 1 + Object.values(contents).reduce((sum, { length }) => sum + Math.ceil(length / (4 << 20)), 0); } } return 0; })()"""

# The ids of the items that are kept.
LISTED = """(async () => { for (const name of await caches.keys()) { if (!name.startsWith('kept ')) continue; const cache = await caches.open(name);
    for (const request of await cache.keys()) { if (request.url.includes('/kept/index/')) return (await (await cache.match(request)).json()).items; } } return []; })()"""


class Offline(Vault):
    # What people do there, they do here too.
    make_folder, new_pin = Locks.make_folder, Locks.new_pin
    dialog, enter, person_found, press_in, row = Sharing.dialog, Sharing.enter, Sharing.person_found, Sharing.press_in, Sharing.row

    def __init__(self, *arguments):
        super().__init__(*arguments)
        self.words = self.make(self.mary)
        self.big = os.urandom(9_000_000)

    def person(self, name, prf=True):
        person = self.browser.person(name)
        person.send("Page.addScriptToEvaluateOnNewDocument", source=SHORT_RECORDER)
        person.has_biometrics(prf=prf)
        # Parts of files are large: they are not told to this program.
        person.send("Network.enable", maxPostDataSize=4096)
        return person

    def keep(self, page):
        if page.js("location.protocol") != "chrome-error:":
            super().keep(page)

    def ready(self, page):
        """Waits until the pages are kept by the worker, and takes a new page that it minds."""
        page.wait(KEPT, "the service worker to have kept the pages", 120)

    def keep_item(self, page, name):
        self.follow(page, name)
        page.wait(shown("#item") + " && !document.querySelector('#item-view progress')", "the item", 60)
        tap(page, '"Keep on this device"')
        page.wait(shown("dialog.carry .primary"))
        tap(page, "dialog.carry .primary")

    def done(self, page, words="without a network"):
        page.wait(f"document.querySelector('dialog.carry[open]')?.innerText.includes({json.dumps(words)}) || document.querySelector('dialog.carry[open] .error-text')?.textContent", words, 60)
        said = page.js("document.querySelector('dialog.carry[open]').innerText")
        tap(page, "dialog.carry form > .actions button")
        page.wait("!document.querySelector('dialog.carry[open]')")
        return said

    def cut(self, page):
        """No network, for the page and its worker; the page is loaded again."""
        front(page)
        page.offline()
        page.reload()
        page.wait(f"document.documentElement.dataset.state === 'ready' && {CLOSED}", "the locked vault", 60)

    def open_here(self, page):
        front(page)
        tap(page, "#open-passkey")
        page.wait(OPEN, "the vault to be open", 60)

    def back(self, page):
        page.offline(False)

    # Cases

    def kept(self):
        """A file and a folder are kept; what is stored here is sealed."""
        mary = self.mary
        self.ready(mary)
        tap(mary, "[data-add=folder]")
        mary.fill("#question-value", f"{MARK} Travel")
        tap(mary, "dialog[open] .primary")
        self.has(mary, f"{MARK} Travel")
        mary.upload("#add input[accept='*/*']", self.file(f"{MARK}.txt", f"{MARK} text".encode()), self.file("big.bin", self.big))
        self.has(mary, "big.bin", 120)
        self.note(mary, f"{MARK} at home", "stays at the server")
        self.follow(mary, f"{MARK} Travel")
        mary.wait("location.hash.startsWith('#folder=')")
        mary.upload("#add input[accept='*/*']", self.file("ticket.txt", f"{MARK} ticket".encode()))
        self.has(mary, "ticket.txt")
        self.note(mary, "Booking", f"{MARK} number")
        mary.js("location.hash = '#kept'")
        mary.see("Nothing is kept here yet", "#kept")
        self.look(mary, "kept-none")
        tap(mary, "#kept-folder")
        mary.choose("#kept-place", f"{MARK} Travel")
        tap(mary, "dialog.carry .primary")
        said = self.done(mary)
        expect("3 items open on this device" in said, said)
        mary.js("location.hash = ''")
        self.has(mary, "big.bin")
        self.follow(mary, "big.bin")
        mary.wait(shown("#item") + " && !document.querySelector('#item-view progress')", "the item", 60)
        tap(mary, '"Keep on this device"')
        mary.wait(shown("dialog.carry .primary"))
        self.look(mary, "keep")
        tap(mary, "dialog.carry .primary")
        self.done(mary)
        mary.js("location.hash = '#kept'")
        mary.see("big.bin", "#kept-items")
        mary.see("on this device, as it was on", "#kept-room")
        self.look(mary, "kept")
        mary.js("location.hash = ''")
        self.has(mary, "big.bin")
        mary.see("On this device", "#items")
        stored = mary.js(STORED)
        expect("/kept/index/" in stored and len(stored) > 9_000_000, f"{len(stored)} bytes are stored")
        expect(MARK not in stored and "ticket" not in stored and "Booking" not in stored, "something is stored in the clear")

    def without_network(self):
        """The network is cut: the vault opens to the face and shows what is kept, and nothing else."""
        mary = self.mary
        self.cut(mary)
        expect(not mary.js(shown("#open-pin")), "a PIN is offered")
        mary.see("A PIN does not work without a network", "#closed")
        self.look(mary, "offline-locked")
        self.open_here(mary)
        mary.wait("document.querySelectorAll('#items .title').length === 2", "what is kept", 60)
        expect(self.names(mary) == [f"{MARK} Travel", "big.bin"], f"{self.names(mary)}")
        mary.see("Without a network you see what is kept", "#offline-note")
        for part in ("#add", "[data-carry]", "#items [data-act=menu]", "a[href='#ways']"):
            expect(not mary.js(shown(part)), f"{part} is shown")
        self.look(mary, "offline")
        self.takes_nothing(mary)
        self.follow(mary, f"{MARK} Travel")
        self.has(mary, "ticket.txt")
        self.follow(mary, "ticket.txt")
        mary.wait(f"document.querySelector('#item-view pre')?.textContent === '{MARK} ticket'", "the ticket", 60)
        expect(mary.js("[...document.querySelectorAll('#item-acts button')].map(b => b.textContent).join()") == "Save a copy,Show at the counter",
               mary.text("#item-acts"))
        self.look(mary, "offline-item")
        # A folder of which nothing is here: nobody can add to it now.
        mary.js("location.hash = 'folder=' + 'a'.repeat(32)")
        mary.see("Nothing here yet", "#none")
        expect("Photograph" not in mary.text("#none"), mary.text("#none"))
        mary.js("history.go(-2)")
        self.has(mary, "Booking")
        self.follow(mary, "Booking")
        mary.see(f"{MARK} number", "#item-view")
        mary.js("location.hash = ''")
        self.has(mary, "big.bin")
        self.follow(mary, "big.bin")
        mary.wait(f"{shown('#item')} && !document.querySelector('#item-view progress')", "it to be opened", 60)
        mary.downloads(self.folder / "saved")
        tap(mary, "#item-acts button")
        saved = self.folder / "saved" / "big.bin"
        until(lambda: saved.exists() and saved.stat().st_size == len(self.big), "it to be saved", 60)
        expect(saved.read_bytes() == self.big, "another content")
        mary.press("L", "KeyL", modifiers=2 | 8)
        mary.wait(CLOSED, "the vault to be locked")
        expect(MARK not in mary.js("document.documentElement.outerHTML"), "something is left")

    def recovery(self):
        """The recovery key opens it without a network too."""
        mary = self.mary
        self.recover(mary)
        self.has(mary, "big.bin")

    def connection_back(self):
        """The connection is back: all of it is there, and what changed elsewhere comes to this device."""
        mary = self.mary
        self.back(mary)
        self.has(mary, f"{MARK} at home", 60)
        expect(not mary.js(shown("#offline-note")), "it still says that there is no network")
        self.follow(mary, f"{MARK} Travel")
        self.has(mary, "ticket.txt")
        # As another device would: a note in the kept folder changes, a file comes, another goes.
        self.follow(mary, "Booking")
        tap(mary, "#item-acts button")
        mary.fill("#note-text", f"{MARK} number two")
        tap(mary, "dialog[open] .primary")
        mary.wait("!document.querySelector('dialog[open]')", "the change", 60)
        mary.js("history.back()")
        self.has(mary, "ticket.txt")
        mary.upload("#add input[accept='*/*']", self.file("added.txt", b"added later"))
        self.has(mary, "added.txt")
        added, ticket = self.id_of(mary, "added.txt"), self.id_of(mary, "ticket.txt")
        self.follow(mary, "ticket.txt")
        tap(mary, "#item-acts .danger")
        mary.wait("!location.hash.startsWith('#item')", "it to be in the trash", 60)
        # What came, what changed and what went is followed at once, without another visit.
        mary.wait(f"{LISTED}.then(items => items.includes('{added}') && !items.includes('{ticket}'))", "what is kept to follow", 60)
        mary.wait(f"{PARTS}.then(async n => n === await {NAMED})", "the old parts to go", 60)
        self.cut(mary)
        self.open_here(mary)
        # The address still names the folder: it is what shows.
        self.has(mary, "added.txt")
        expect(self.names(mary) == ["added.txt", "Booking"], f"{self.names(mary)}")
        self.follow(mary, "added.txt")
        mary.wait("document.querySelector('#item-view pre')?.textContent === 'added later'", "the new one", 60)
        mary.js("history.back()")
        self.has(mary, "Booking")
        self.follow(mary, "Booking")
        mary.see(f"{MARK} number two", "#item-view")

    def removed(self):
        """An item is removed from this device, without a network too, and stays in the vault."""
        mary = self.mary
        mary.js("location.hash = '#kept'")
        mary.see("big.bin", "#kept-items")
        expect(mary.js(PARTS) == mary.js(NAMED), "there are other parts than the index names")
        before = mary.js(PARTS)
        self.press_in(mary, "#kept-items", "big.bin", "remove")
        mary.see("big.bin is on this device no more", "#notices")
        expect(mary.js(PARTS) == mary.js(NAMED) <= before - 3, f"{before} parts, and then {mary.js(PARTS)} of {mary.js(NAMED)}")
        self.back(mary)
        mary.wait(f"!{shown('#offline-note')}", "the connection", 60)
        mary.js("location.hash = ''")
        self.has(mary, "big.bin")

    def no_room(self):
        """A browser without room says so, and keeps nothing of it."""
        mary = self.mary
        before = mary.js(PARTS)
        # A browser in a test has the machine's whole disk: how much there is, it is told to say.
        mary.js("(globalThis.estimates = navigator.storage.estimate, navigator.storage.estimate = async () => ({ quota: 30 << 20, usage: 10 << 20 }), 1)")
        self.keep_item(mary, "big.bin")
        said = self.done(mary)
        expect("too little room" in said and "Nothing was kept" in said, said)
        # The browser says that there is room, and there is none: the second part is refused.
        mary.js("(navigator.storage.estimate = async () => ({ quota: 1e12, usage: 0 }), globalThis.puts = Cache.prototype.put,"
                " Cache.prototype.put = function (request, response) { return String(request).endsWith('/1')"
                " ? Promise.reject(new DOMException('No room', 'QuotaExceededError')) : globalThis.puts.call(this, request, response); }, 1)")
        tap(mary, '"Keep on this device"')
        tap(mary, "dialog.carry .primary")
        said = self.done(mary)
        expect("no room left" in said, said)
        mary.js("(navigator.storage.estimate = globalThis.estimates, Cache.prototype.put = globalThis.puts, 1)")
        expect(mary.js(PARTS) == before, "something of it was kept")
        mary.js("location.hash = '#kept'")
        mary.see("Travel", "#kept-items")
        expect("big.bin" not in mary.text("#kept-items"), "the list says that it is kept")

    def changed_at_server(self):
        """A content that does not open is not kept: whatever the server sends, what is kept opens."""
        mary = self.mary
        mary.js("location.hash = ''")
        self.has(mary, "big.bin")
        before = mary.js(PARTS)
        mary.js("""(() => { const send = globalThis.fetch; globalThis.fetch = async (path, options) => { const answer = await send(path, options);
            if (!String(path).includes('/api/vault/contents/')) return answer; const bytes = new Uint8Array(await answer.arrayBuffer());
            bytes[bytes.length - 100] ^= 1; return new Response(bytes, { status: answer.status, headers: answer.headers }); }; })()""")
        self.follow(mary, "big.bin")
        mary.wait(shown("#item"))
        tap(mary, '"Keep on this device"')
        tap(mary, "dialog.carry .primary")
        said = self.done(mary)
        expect("was changed at the server" in said, said)
        expect(mary.js(PARTS) == before, "something of it was kept")
        self.visit(mary)

    def not_kept(self):
        """Of a folder that is kept, an item with a lock of its own, a shared folder and one that a PIN opens are not kept."""
        mary = self.mary
        bob = self.person("bob")
        sign_up(bob, self.stage, "bob", "Bob", "Jones")
        self.make(bob)
        self.open(mary)
        self.make_folder(mary, "Mixed")
        mixed = self.id_of(mary, "Mixed")
        self.enter(mary, "Mixed")
        self.note(mary, "Like any other", "kept with its folder")
        plain = self.id_of(mary, "Like any other")
        # An item gets a lock of its own.
        self.note(mary, "Own lock", "behind a lock")
        self.follow(mary, "Own lock")
        tap(mary, "#item-acts [data-act=lock]")
        mary.wait(shown("#lock-pin"), "to be asked how", 60)
        mary.js("document.querySelector('#lock-pin').click()")
        tap(mary, "dialog[open] .primary")
        mary.wait(shown("#item-acts [data-act=open-passkey]"), "the item to be locked", 60)
        expect(not mary.js(shown("#item-acts [data-act=keep]")), "it is offered to keep a locked item")
        tap(mary, "#item-close")
        self.has(mary, "Locked item")
        # A folder in it is shared.
        self.make_folder(mary, "Flat")
        self.enter(mary, "Flat")
        self.note(mary, "Lease", "seen by Bob")
        mary.js(f"location.hash = '#folder={mixed}'")
        self.act(mary, "Flat", "menu")
        tap(mary, '"Share"')
        self.dialog(mary, "Share Flat")
        self.person_found(mary, "bob", "reader", "Bob Jones")
        tap(mary, "dialog[open] .primary")
        mary.see("Bob Jones can open Flat from now on", "#notices", 60)
        # The folder that is shared is another one from now on.
        mary.see("Shared folder", "#items")
        self.enter(mary, "Flat")
        self.follow(mary, "Lease")
        mary.see("seen by Bob", "#item-view")
        expect(not mary.js(shown("#item-acts [data-act=keep]")), "it is offered to keep an item of a shared folder")
        # A PIN opens another one. The page leaves such a folder at the top; a program may put it elsewhere.
        mary.js("location.hash = 'ways'")
        mary.wait(shown("#ways") + " && document.querySelectorAll('#slots li').length > 1", "the ways in", 60)
        mary.settle()
        tap(mary, "[data-pin=tier]")
        mary.fill("#tier-name", "On the way")
        tap(mary, "dialog[open] .primary")
        self.new_pin(mary, TIER)
        mary.see("The PIN opens the folder “On the way”", "#notices", 60)
        mary.js("location.hash = ''")
        self.enter(mary, "On the way")
        self.note(mary, "Hotel", "behind a PIN")
        mary.js("location.hash = ''")
        self.act(mary, "On the way", "menu")
        mary.choose("#change-folder", "Mixed")
        tap(mary, "dialog[open] .primary")
        mary.wait("!document.querySelector('dialog[open]')", "the change", 60)
        self.has_not(mary, "On the way")
        self.enter(mary, "Mixed")
        self.has(mary, "On the way")
        expect(set(self.names(mary)) == {"Like any other", "Locked item", "Flat", "On the way"}, f"{self.names(mary)}")
        # The folder is kept.
        before = set(mary.js(LISTED))
        mary.js("location.hash = '#kept'")
        tap(mary, "#kept-folder")
        mary.wait(shown("#kept-place"), "to be asked which folder", 60)
        places = mary.js("[...document.querySelectorAll('#kept-place option')].map(e => e.textContent)")
        expect("Mixed" in places and not any("Flat" in one or "On the way" in one for one in places), f"{places}")
        mary.choose("#kept-place", "Mixed")
        tap(mary, "dialog.carry .primary")
        self.done(mary)
        more = set(mary.js(LISTED)) - before
        expect(more == {mixed, plain}, f"{len(more)} are kept more than before, not the folder and the one note in it")
        # Nor do they open without a network.
        self.cut(mary)
        self.open_here(mary)
        mary.js("location.hash = ''")
        self.enter(mary, "Mixed")
        self.has(mary, "Like any other")
        expect(self.names(mary) == ["Like any other"], f"{self.names(mary)}")
        for words in ("Flat", "On the way"):
            mary.fill("#search", words)
            mary.wait(f"document.querySelector('#search').value === {json.dumps(words)} && {shown('#none')}", f"{words} not to be found", 60)
            # So that what is not found next is not taken for this.
            mary.fill("#search", "any other")
            self.has(mary, "Like any other")
        mary.fill("#search", "")
        self.follow(mary, "Like any other")
        mary.see("kept with its folder", "#item-view")
        self.back(mary)
        mary.wait(f"!{shown('#offline-note')}", "the connection", 60)
        mary.js("location.hash = ''")
        self.has(mary, "big.bin")

    def keys_of_browser(self):
        """Where passkeys have no secrets, this browser's keys open what is kept."""
        bea = self.person("bea", prf=False)
        sign_up_with_passphrase(bea, self.stage, "bea")
        self.visit(bea)
        make_with_own_keys(bea)
        self.ready(bea)
        self.note(bea, "Of Bea", "kept here")
        self.keep_item(bea, "Of Bea")
        self.done(bea)
        self.cut(bea)
        tap(bea, "#open-passkey")
        agree(bea, "#opened")
        # The address still names the note: it is what shows.
        bea.see("kept here", "#item-view")
        self.back(bea)

    def expired(self):
        """A session that is over takes what is kept with it; who signs in again finds what they chose fetched again."""
        mary = self.mary
        front(mary)
        before = sorted(mary.js(LISTED))
        expect(len(before) > 0, "nothing was kept")
        self.keep(mary)
        mary.send("Network.clearBrowserCookies")
        mary.reload()
        mary.wait("location.pathname === '/sign-in'", "to be signed out", 60)
        mary.wait(f"{CACHES}.then(n => n === 0)", "it to be gone", 60)
        sign_in(mary, self.stage)
        self.open(mary)
        mary.wait(f"{LISTED}.then(items => items.sort().join() === {json.dumps(','.join(before))})", "what was chosen to be here again", 60)

    def signed_out(self):
        """Signing out leaves nothing of it, and what was chosen is forgotten."""
        mary = self.mary
        front(mary)
        expect(mary.js(CACHES) == 1, "nothing was kept")
        visit(mary, "/wallet", self.stage.url)
        # The button works once the page knows who is signed in.
        mary.wait("document.querySelector('[data-account]')?.textContent === 'mary'", "the session", 60)
        mary.js("document.querySelector('[data-sign-out]').click()")
        mary.wait("location.pathname === '/'", "to be signed out", 60)
        mary.wait(f"{CACHES}.then(n => n === 0)", "it to be gone", 60)
        sign_in(mary, self.stage)
        self.open(mary)
        mary.js("location.hash = '#kept'")
        mary.see("Nothing is kept here yet", "#kept")

    def revoked(self):
        """The session of a device that was revoked ends, and with it what is kept there; also after two wrong faces."""
        mary = self.mary
        mary.js("location.hash = ''")
        self.has(mary, "big.bin")
        self.keep_item(mary, "big.bin")
        self.done(mary)
        expect(mary.js(CACHES) == 1, "nothing was kept")
        other = self.person("mary's laptop")
        for credential in mary.send("WebAuthn.getCredentials", authenticatorId=mary.authenticator)["credentials"]:
            other.send("WebAuthn.addCredential", authenticatorId=other.authenticator, credential=credential)
        sign_in(other, self.stage)
        device = api(other, "GET", "/api/devices")[1]["items"][0]
        other.js("import('/assets/accounts/keys.js').then(k => k.confirm('Revoke'))")
        status, _ = api(other, "POST", f"/api/devices/{device['id']}/revoke", {"reason": "lost"})
        expect(status == 200, f"revoking answers {status}")
        front(mary)
        mary.reload()
        mary.wait("location.pathname === '/sign-in'", "to be signed out", 60)
        mary.wait(f"{CACHES}.then(n => n === 0)", "it to be gone", 60)

    def another(self):
        """Another account that begins in this browser, before the first one has left, leaves nothing of what that one kept."""
        mary = self.mary
        sign_in(mary, self.stage)
        self.open(mary)
        mary.wait(f"{CACHES}.then(n => n === 1)", "what was chosen to be here again", 60)
        sign_up(mary, self.stage, "zoe", "Zoe", "Young")
        mary.wait(f"{CACHES}.then(n => n === 0)", "it to be gone", 60)

    def wrong_faces(self):
        """Two wrong faces without a network end the session, and what was kept is gone."""
        eve = self.person("eve")
        sign_up(eve, self.stage, "eve", "Eve", "Smith")
        self.make(eve)
        self.ready(eve)
        self.note(eve, "Kept", "kept here")
        self.keep_item(eve, "Kept")
        self.done(eve)
        self.cut(eve)
        eve.is_recognised(False)
        tap(eve, "#open-passkey")
        eve.wait("document.querySelector('dialog[open] .error-text')?.textContent.length > 0", "to be told", 60)
        expect(eve.js(CACHES) == 1, "one wrong face is enough")
        tap(eve, "dialog[open] .primary")
        eve.wait(f"{CACHES}.then(n => n === 0)", "it to be gone", 60)
        expect(not eve.js(OPEN), "it is open")
        self.back(eve)


def main():
    pictures = pictures_folder()
    case = Cases()
    with tempfile.TemporaryDirectory() as folder, server() as stage, Chromium() as browser:
        run(case, Offline(stage, browser, folder, pictures))
    return case.end()


def run(case, offline):
    case("items are kept on this device, sealed", offline.kept)
    case("without a network they open to the face", offline.without_network)
    case("the recovery key opens them too", offline.recovery)
    case("the connection is back, and what is kept follows", offline.connection_back)
    case("removed from this device", offline.removed)
    case("no room", offline.no_room)
    case("what was changed at the server is not kept", offline.changed_at_server)
    case("a lock of its own, a shared folder and a PIN's folder are not kept", offline.not_kept)
    case("this browser's keys open them too", offline.keys_of_browser)
    case("an expired session leaves nothing until the next one", offline.expired)
    case("signing out leaves nothing", offline.signed_out)
    case("a revoked device keeps nothing", offline.revoked)
    case("another account leaves nothing of the first", offline.another)
    case("two wrong faces leave nothing", offline.wrong_faces)


if __name__ == "__main__":
    sys.exit(main())
