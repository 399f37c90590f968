#!/usr/bin/env python3
"""The vault when nobody is there, when something is on its way, and where passkeys have no secrets.

    COUNTERSIGN=.build/debug/countersign python Tests/Browser/vault_away.py [--pictures FOLDER] [words of a case …]

Mary has a phone whose time the test moves; Paula's passkey has no secrets; Firefox and WebKitGTK have no passkeys. One line for each
case.
"""

import hashlib
import json
import sys
import tempfile
import time

from attacks_stage import Cases, api, expect, server, shown, sign_up, tap
from chromium import Chromium, Failure, until, until_saved
from face import png
from fallbacks import FIRST, Fallbacks
from firefox import NO_PASSKEYS, Firefox
from looking import pictures_folder
from vault import CLOSED, OPEN, SHORT_RECORDER, Vault
from vault_locks import MAIN
from vault_stage import CLOCK, agree, make_with_own_keys, sign_up_with_passphrase
from webkit import WebKit

MINUTE = 60_000
SIGHT = "Object.defineProperty(document, 'visibilityState', {{ value: '{}', configurable: true }}), document.dispatchEvent(new Event('visibilitychange'))"
DRAFT = "Draft4711"
# Whether there is a picture behind an address. The policy of the page lets nobody fetch it.
PICTURE = "(address => new Promise(done => {{ const e = new Image(); e.onload = () => done('there'); e.onerror = () => done('gone'); e.src = address; }}))({})"

# Parts of uploads wait until the test lets them through.
GATE = """{ const send = globalThis.fetch; globalThis.gate = { isShut: false, held: [], parts: 0, deleted: 0 };
globalThis.fetch = async (path, options = {}) => {
    const address = String(path);
    if (/uploads\\/[0-9a-f]+\\/parts/.test(address)) {
        gate.parts += 1;
        if (gate.isShut) await new Promise((resolve, reject) => {
            gate.held.push(Object.assign(resolve, { upload: address.split('/parts/')[0] }));
            options.signal?.addEventListener('abort', () => reject(options.signal.reason)); });
    }
    if (options.method === 'DELETE' && address.includes('/uploads/')) gate.deleted += 1;
    return send(path, options); };
globalThis.release = () => { gate.isShut = false; for (const one of gate.held.splice(0)) one(); }; }"""


class Away(Vault):
    recorder = SHORT_RECORDER

    def person(self, name, prf=True):
        person = super().person(name, prf)
        # Bodies of megabytes are not looked at here.
        person.send("Network.enable", maxPostDataSize=1 << 16)
        for source in (CLOCK, GATE):
            person.send("Page.addScriptToEvaluateOnNewDocument", source=source)
        return person

    def key(self, page, name, number, modifiers=0):
        """A key that the browser itself acts on."""
        for kind in ("rawKeyDown", "keyUp"):
            page.send("Input.dispatchKeyEvent", type=kind, key=name, code=name, windowsVirtualKeyCode=number, modifiers=modifiers)

    def again(self, page):
        """Opens the vault, where it is locked."""
        if page.js(CLOSED):
            tap(page, "#open-passkey")
        page.wait(OPEN, "the vault to be open", 90)

    # The vault by itself

    def idle(self):
        """Five minutes without anybody lock it, and not less; a key begins them again."""
        mary = self.mary
        self.words = self.make(mary)
        self.note(mary, "Something", "to be hidden")
        mary.js(f"pass({4 * MINUTE})")
        mary.press("Shift")
        mary.js(f"pass({4 * MINUTE})")
        expect(mary.js(OPEN), "it was locked although somebody was there")
        mary.js(f"pass({MINUTE})")
        mary.wait(CLOSED, "the vault to be locked")
        mary.see("It was locked while you were away", "#closed")
        expect("Something" not in mary.js("document.documentElement.outerHTML"), "something is left")
        self.look(mary, "idle")

    def hidden(self):
        """Out of sight it locks after a minute; back before that it stays open."""
        mary = self.mary
        self.again(mary)
        # All at once: the machine may be busy for seconds between two calls.
        is_open = mary.js(f"[{SIGHT.format('hidden')}, pass({MINUTE - 5000}), {OPEN}, {SIGHT.format('visible')}].at(3)")
        expect(is_open, "it was locked too early")
        mary.js(f"pass({2 * MINUTE})")
        expect(mary.js(OPEN), "it was locked although it is in sight")
        mary.js(SIGHT.format("hidden"))
        mary.js(f"pass({MINUTE})")
        mary.wait(CLOSED, "the vault to be locked")
        mary.js(SIGHT.format("visible"))

    def slept(self):
        """A device or page that sleeps has no timers: the vault locks at the first sign of somebody, and not later."""
        mary = self.mary
        self.again(mary)
        mary.js(f"sleep({4 * MINUTE})")
        mary.press("Shift")
        expect(mary.js(OPEN), "it was locked too early")
        mary.js(f"sleep({5 * MINUTE})")
        mary.press("Shift")
        mary.wait(CLOSED, "the vault to be locked")
        self.again(mary)
        mary.js(SIGHT.format("hidden"))
        mary.js(f"sleep({MINUTE})")
        mary.js(SIGHT.format("visible"))
        mary.wait(CLOSED, "the vault to be locked")

    def begun(self):
        """What has begun before a vault is open ends, too: the words of its first recovery key, and an opening."""
        wendy = self.person("wendy")
        sign_up(wendy, self.stage, "wendy", "Wendy", "White")
        self.visit(wendy)
        # While it is explained, nothing goes on by itself.
        tap(wendy, "#make")
        wendy.wait(shown("#vault-tutorial"), "the tutorial")
        wendy.press("L", "KeyL", 10)
        wendy.wait("!document.querySelector('dialog[open]') && !document.querySelector('#make[aria-busy]')", "the making to end", 60)
        expect(wendy.js(shown("#first")), "the first page")
        def copy():
            """Fifteen minutes for the words: copying them by hand touches nothing here."""
            for minutes in (5, 5, 4):
                wendy.js(f"pass({minutes * MINUTE})")
                expect(wendy.js("document.querySelectorAll('dialog[open] .recovery-words li').length === 24"), "the words were taken away too early")
            wendy.js(f"pass({MINUTE})")
        for end in (copy, lambda: wendy.press("L", "KeyL", 10)):
            tap(wendy, "#make")
            if wendy.wait(f"{shown('#vault-tutorial')} || {shown('#recovery-title')}", "the recovery key", 90) and wendy.js(shown("#vault-tutorial")):
                tap(wendy, "#vault-tutorial .quiet")
            wendy.wait(shown("#recovery-title"), "the recovery key", 90)
            end()
            wendy.wait("!document.querySelector('dialog[open], .recovery-words') && !document.querySelector('#make[aria-busy]')", "the words to be gone", 60)
        wendy.see("closed while you were away", "#notices")
        self.make(wendy)
        tap(wendy, "#lock")
        wendy.wait(CLOSED)
        self.hold(wendy, "/nodes?after=")
        tap(wendy, "#open-passkey")
        self.lock_meanwhile(wendy)
        wendy.wait("!document.querySelector('#open-passkey[aria-busy]')", "the opening to end", 60)
        expect(wendy.js(CLOSED) and not wendy.js(OPEN), "it opened behind the lock")
        self.again(wendy)

    def draft(self):
        """A note that is being written outlives the lock, sealed on this device; it is dropped when it is saved or thrown away."""
        mary = self.mary
        self.again(mary)
        tap(mary, "[data-add=note]")
        mary.fill("#note-name", f"{DRAFT} name")
        mary.fill("#note-text", f"{DRAFT} text")
        mary.js(f"pass({5 * MINUTE})")
        mary.wait(CLOSED, "the vault to be locked")
        # It is sealed first, which takes a moment.
        mary.wait(f"!(document.documentElement.outerHTML + [...document.querySelectorAll('input, textarea')].map(e => e.value).join()).includes({json.dumps(DRAFT)})",
                  "the draft to be out of the page", 60)
        kept = """import('/assets/accounts/store.js').then(s => s.all('settings')).then(all => {
            const texts = []; const walk = (v) => { if (v instanceof Uint8Array) texts.push(String.fromCharCode(...v));
                else if (v && typeof v === 'object') Object.values(v).forEach(walk); else texts.push(String(v)); };
            walk(all); return [texts.some(t => t.includes('Draft4711')), all.filter(one => String(one.key).startsWith('vault draft ')).length]; })"""
        until(lambda: mary.js(kept)[1] > 0, "a sealed draft", 60)
        expect(mary.js(kept) == [False, 1], f"{mary.js(kept)}")
        tap(mary, "#open-passkey")
        mary.see("A note was not saved", "#notices", 90)
        self.look(mary, "draft")
        tap(mary, "#notices .notice > .button:not(.dismiss)")
        mary.wait(f"document.querySelector('#note-text')?.value === '{DRAFT} text' && document.querySelector('#note-name').value === '{DRAFT} name'", "what was typed", 60)
        self.look(mary, "draft-again")
        tap(mary, "dialog[open] .primary")
        self.has(mary, f"{DRAFT} name")
        until(lambda: mary.js(kept)[1] == 0, "the draft to be dropped", 60)
        # Of a note that is there already; locked with the keys, and taken up with its own button.
        self.follow(mary, f"{DRAFT} name")
        tap(mary, "#item-acts [data-act=edit]")
        mary.fill("#note-text", f"{DRAFT} text, and more")
        mary.press("L", "KeyL", modifiers=2 | 8)
        mary.wait(CLOSED, "the vault to be locked")
        self.again(mary)
        self.follow(mary, f"{DRAFT} name")
        tap(mary, "#item-acts [data-act=edit]")
        mary.wait(f"document.querySelector('#note-text')?.value === '{DRAFT} text, and more'", "what was typed", 60)
        tap(mary, "\"Cancel\"")
        tap(mary, "dialog[open] .danger")
        until(lambda: mary.js(kept)[1] == 0, "the draft to be dropped", 60)
        tap(mary, "#item-acts [data-act=edit]")
        mary.wait(f"document.querySelector('#note-text')?.value === '{DRAFT} text'", "what is stored", 60)
        tap(mary, "\"Cancel\"")
        mary.js("location.hash = ''")

    # What is on its way

    def upload(self, name, megabytes):
        """Begins to add a file whose parts do not get through."""
        mary = self.mary
        mary.js("Object.assign(gate, { isShut: true, parts: 0, deleted: 0 })")
        mary.upload("#add input[accept='*/*']", self.file(name, bytes(range(256)) * (megabytes << 12)))
        mary.wait("gate.held.length > 0", "a part to be under way", 90)

    def transfers(self):
        """An upload is paused, resumed and whole; cancelled, nothing of it stays. The vault stays open for it, and only for it."""
        mary = self.mary
        self.again(mary)
        mary.wait(shown("#folder"))
        before = self.names(mary)
        self.upload("long.bin", 17)
        row = "document.querySelector('#transfers li')"
        self.look(mary, "transfer")
        mary.js(f"pass({30 * MINUTE})")
        expect(mary.js(OPEN), "it was locked with a file on its way")
        tap(mary, "#transfers [data-act=pause]")
        mary.see("Paused", "#transfers")
        mary.js("release()")
        mary.settle()
        parts = mary.js("gate.parts")
        expect(parts < 3, f"{parts} parts have begun")
        mary.js("new Promise(done => setTimeout(done, 1500))")
        expect(mary.js("gate.parts") == parts and mary.js(f"{row}.textContent.includes('Paused')"), "it went on by itself")
        tap(mary, "#transfers [data-act=pause]")
        self.has(mary, "long.bin", 60)
        expect(mary.js("gate.parts") >= 3, f"{mary.js('gate.parts')} parts")
        item = mary.js("[...document.querySelectorAll('#items li')].find(e => e.textContent.includes('long.bin')).innerText")
        expect("18 MB" in item, f"{item}")
        # When nothing is on its way any more, it locks as ever.
        mary.js(f"pass({5 * MINUTE})")
        mary.wait(CLOSED, "the vault to be locked")
        self.again(mary)
        self.upload("never.bin", 9)
        tap(mary, "#transfers [data-act=cancel]")
        mary.wait(f"!{row}", "the row to be gone", 60)
        mary.wait("gate.deleted === 1", "what was sent to be taken back", 60)
        mary.js("release()")
        # Paused, it keeps nothing open; locking ends it.
        self.upload("locked.bin", 9)
        tap(mary, "#transfers [data-act=pause]")
        mary.see("Paused", "#transfers")
        mary.js(f"pass({5 * MINUTE})")
        mary.wait(CLOSED, "the vault to be locked")
        mary.wait("gate.deleted === 1", "what was sent to be taken back", 60)
        mary.js("release()")
        self.again(mary)
        self.has(mary, "long.bin")
        expect(set(self.names(mary)) == set(before) | {"long.bin"}, f"{self.names(mary)}")

    def several(self):
        """Two files at once have a row each, and each row shows how much of its file is there."""
        mary = self.mary
        self.again(mary)
        mary.wait(shown("#folder"))
        mary.js("Object.assign(gate, { isShut: true, held: [] })")
        names = ["first.bin", "second.bin"]
        mary.upload("#add input[accept='*/*']", *(self.file(name, bytes(range(256)) * (17 << 12)) for name in names))
        # Two parts of each are under way, of three.
        mary.wait("gate.held.length === 4", "two parts of each file to be under way", 90)
        uploads = mary.js("[...new Set(gate.held.map(({ upload }) => upload))]")
        expect(len(uploads) == 2, f"{uploads}")
        rows = "[...document.querySelectorAll('#transfers li')].map(e => [e.querySelector('.title').textContent, e.querySelector('progress').value])"
        expect(sorted(mary.js(rows)) == [[name, 0] for name in names], f"{mary.js(rows)}")
        mary.see("2 files are being sealed and sent", "#news")
        # One part of one gets through, then one of the other: what comes next is held again.
        for moved, upload in enumerate(uploads, 1):
            mary.js(f"gate.held.find((one) => one.upload === {json.dumps(upload)})()")
            mary.wait(f"{rows}.filter(([, value]) => value > 0 && value < 1).length === {moved}", f"{moved} of two rows to have moved", 60)
            expect(sum(value > 0 for _, value in mary.js(rows)) == moved, f"{mary.js(rows)}")
        self.look(mary, "transfers")
        mary.js("release()")
        for name in names:
            self.has(mary, name, 60)
        mary.wait("!document.querySelector('#transfers li')", "the rows to be gone", 60)

    def late(self):
        """What the lock has ended, and ends late, takes no other file out of the list."""
        mary = self.mary
        self.again(mary)
        mary.js("""{ const draw = globalThis.createImageBitmap; globalThis.createImageBitmap = async (...picture) => {
            globalThis.createImageBitmap = draw;
            await new Promise((come) => { globalThis.letDraw = come; });
            return draw(...picture); }; 0 }""")
        mary.upload("#add input[accept='*/*']", self.file("late.png", png(30, 20)))
        mary.wait("!!globalThis.letDraw", "its picture to be made")
        tap(mary, "#lock")
        mary.wait(CLOSED, "the vault to be locked")
        self.again(mary)
        self.upload("other.bin", 9)
        mary.js("letDraw()")
        mary.js("new Promise(done => setTimeout(done, 1500))")
        rows = mary.js("[...document.querySelectorAll('#transfers li')].map(e => e.textContent)")
        expect(len(rows) == 1 and "other.bin" in rows[0], f"{rows}")
        mary.js("release()")
        self.has(mary, "other.bin", 60)
        expect("late.png" not in self.names(mary), "a file that was ended is there")

    def unsealed(self):
        """A file that cannot be sealed is not added: the page says so, and can try again."""
        mary = self.mary
        self.again(mary)
        mary.js("location.hash = ''")
        self.has(mary, "long.bin")
        before = self.names(mary)
        mary.js("""(() => { const seal = SubtleCrypto.prototype.encrypt;
            SubtleCrypto.prototype.encrypt = () => Promise.reject(new Error('No sealing today.'));
            globalThis.sealAgain = () => { SubtleCrypto.prototype.encrypt = seal; }; })()""")
        mary.upload("#add input[accept='*/*']", self.file("again.bin", bytes(1000)))
        mary.see("again.bin was not added. No sealing today.", "#notices", 60)
        mary.see("No sealing today.", "#transfers")
        expect(self.names(mary) == before, f"{self.names(mary)}")
        mary.js("sealAgain()")
        tap(mary, "#transfers [data-act=pause]")
        self.has(mary, "again.bin", 60)
        mary.wait("!document.querySelector('#transfers li')", "the row to be gone", 60)

    def counter(self):
        """At the counter one file is shown and nothing else can be reached, by key, by pointer or by going back."""
        mary = self.mary
        self.again(mary)
        mary.js("location.hash = ''")
        mary.upload("#add input[accept='*/*']", self.file("ticket.png", png(300, 200)))
        self.has(mary, "ticket.png")
        self.follow(mary, "ticket.png")
        tap(mary, "#item-acts [data-act=present]")
        mary.wait(shown("dialog.counter img"), "the picture", 90)
        self.look(mary, "counter")
        expect(not mary.js(OPEN), "the vault is still open behind it")
        outside = """(() => { const found = new Set();
            for (let x = 4; x < innerWidth; x += 40) for (let y = 4; y < innerHeight; y += 40) {
                const e = document.elementFromPoint(x, y); if (e && !e.closest('dialog.counter')) found.add(e.outerHTML.slice(0, 80)); }
            return [...found]; })()"""
        expect(mary.js(outside) == [], f"{mary.js(outside)}")
        for _ in range(8):
            self.key(mary, "Tab", 9)
            where = mary.js("document.activeElement === document.body || !!document.activeElement.closest('dialog.counter')")
            expect(where, mary.js("document.activeElement.outerHTML.slice(0, 200)"))
        for key, code, modifiers in [("L", "KeyL", 10), ("k", "KeyK", 2), ("f", "KeyF", 2), ("Enter", "Enter", 0), ("ArrowLeft", "ArrowLeft", 0), ("?", "Slash", 8), ("/", "Slash", 0)]:
            if key == "Enter":
                mary.js("document.activeElement.blur()")
            mary.press(key, code, modifiers)
            expect(mary.js("document.querySelectorAll('dialog[open]').length") == 1 and not mary.js(OPEN), f"after {key}")
        hidden = "document.documentElement.outerHTML"
        for name in ("long.bin", "Something"):
            expect(name not in mary.js(hidden), f"{name} is in the page")
        # Back closes it, and behind it is a vault that is locked; each further step shows no more.
        mary.js("history.back()")
        mary.wait(f"!document.querySelector('dialog.counter') && {CLOSED}", "the locked vault", 60)
        for _ in range(6):
            # The step may lead out of the page while it is asked.
            mary.js("history.length > 1 && location.pathname === '/wallet/vault' ? setTimeout(() => history.back(), 20) : 0")
            time.sleep(0.2)
            mary.settle()
            held = mary.wait(f"location.pathname !== '/wallet/vault' ? 'left' : {OPEN} || {hidden}.includes('ticket.png') ? 'open' : 'held'", "the page", 60)
            if held == "left":
                break
            expect(held == "held", "something of the vault is back")
        self.open(mary)
        self.follow(mary, "ticket.png")
        tap(mary, "#item-acts [data-act=present]")
        mary.wait(shown("dialog.counter img"), "the picture", 90)
        self.key(mary, "Escape", 27)
        mary.wait(f"!document.querySelector('dialog.counter') && {CLOSED}", "the locked vault", 60)
        mary.js("history.forward()")
        mary.settle()
        expect(not mary.js(OPEN) and "ticket.png" not in mary.js(hidden), "forward leads into the vault")
        mary.reload()
        mary.wait(CLOSED, "the locked vault", 60)
        # What nobody looks at any more is closed.
        self.open(mary)
        self.follow(mary, "ticket.png")
        tap(mary, "#item-acts [data-act=present]")
        mary.wait(shown("dialog.counter img"), "the picture", 90)
        mary.js(f"pass({4 * MINUTE})")
        expect(mary.js(shown("dialog.counter img")), "it was closed although somebody may look at it")
        mary.js(f"pass({MINUTE})")
        mary.wait(f"!document.querySelector('dialog.counter') && {CLOSED}", "the locked vault", 60)
        # Locked while it is fetched for the counter.
        self.open(mary)
        self.follow(mary, "ticket.png")
        mary.wait(shown("#item-view img"), "the picture", 90)
        self.hold(mary, "/api/vault/contents/")
        tap(mary, "#item-acts [data-act=present]")
        self.lock_meanwhile(mary, "ticket.png")

    def saved(self):
        """A copy that is being saved keeps the vault open, and ends with the lock; the address of one that was saved goes then."""
        mary = self.mary
        folder = self.folder / "copies"
        self.again(mary)
        mary.downloads(folder)
        mary.js("""(() => { globalThis.kept = []; const made = URL.createObjectURL;
            URL.createObjectURL = (blob) => { const address = made.call(URL, blob); kept.push(address); return address; }; })()""")
        self.follow(mary, "ticket.png")
        mary.wait(shown("#item-view img"), "the picture", 90)
        tap(mary, "#item-acts [data-act=save]")
        mary.see("The copy outside the vault is not encrypted", "#notices", 60)
        until_saved(folder / "ticket.png")
        address = json.dumps(mary.js("kept.at(-1)"))
        expect(mary.js(PICTURE.format(address)) == "there", "the copy has no address")
        tap(mary, "#lock")
        mary.wait(CLOSED, "the vault to be locked")
        expect(mary.js(PICTURE.format(address)) == "gone", "the copy is still there behind the lock")
        # Locked while it is fetched; not because nobody is there.
        self.again(mary)
        self.follow(mary, "ticket.png")
        mary.wait(shown("#item-view img"), "the picture", 90)
        self.hold(mary, "/api/vault/contents/")
        tap(mary, "#item-acts [data-act=save]")
        mary.wait("!!globalThis.letCome", "the copy to be under way")
        mary.js(f"pass({30 * MINUTE})")
        expect(mary.js(OPEN), "it was locked with a copy on its way")
        before = mary.js("kept.length")
        self.lock_meanwhile(mary, "ticket.png")
        expect(mary.js("kept.length") == before and len(list(folder.iterdir())) == 1, "a copy was saved behind the lock")
        expect(mary.text("#notices") == "", f"behind the lock it says {mary.text('#notices')}")

    def saved_as_it_grows(self):
        """What is too large for the memory is written as it grows: whole, or after a lock not at all."""
        mary = self.mary
        self.again(mary)
        # A file of 17 MB says that it is larger, and the private folder of the browser is where it goes.
        mary.js("""import('/assets/vault/readable-vault.js').then(({ ReadableVault }) => {
            const { item } = ReadableVault.prototype;
            ReadableVault.prototype.item = function (id) { const one = item.call(this, id); return one?.name === 'long.bin' ? { ...one, size: 6e8 } : one; };
            globalThis.showSaveFilePicker = async ({ suggestedName }) => (await navigator.storage.getDirectory()).getFileHandle(suggestedName, { create: true }); })""")
        written = """(async () => { const found = []; for await (const [name, handle] of (await navigator.storage.getDirectory()).entries()) {
            const digest = await crypto.subtle.digest('SHA-256', await (await handle.getFile()).arrayBuffer());
            found.push([name, [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, '0')).join('')]); } return found; })()"""
        self.follow(mary, "long.bin")
        mary.see("too large to be shown", "#item-view")
        tap(mary, "#item-acts [data-act=save]")
        mary.see("The copy outside the vault is not encrypted", "#notices", 60)
        expect(mary.js(written) == [["long.bin", hashlib.sha256(bytes(range(256)) * (17 << 12)).hexdigest()]], f"{mary.js(written)}")
        mary.js("navigator.storage.getDirectory().then((top) => top.removeEntry('long.bin'))")
        # Held when some of it is written.
        mary.js("""{ const send = globalThis.fetch; let count = 0; delete globalThis.letCome; globalThis.fetch = async (address, ...rest) => {
            if (!String(address).includes('/api/vault/contents/') || (count += 1) < 3) return send(address, ...rest);
            globalThis.fetch = send;
            await new Promise((come) => { globalThis.letCome = come; });
            return send(address, ...rest); }; }""")
        tap(mary, "#item-acts [data-act=save]")
        self.lock_meanwhile(mary, "long.bin")
        until(lambda: mary.js(written) == [], "what was written to be gone", 20)
        expect(mary.text("#notices") == "", f"behind the lock it says {mary.text('#notices')}")
        mary.reload()
        mary.wait(CLOSED, "the locked vault", 60)

    def said_late(self):
        """What is done behind the lock is done, and the page does not say it."""
        mary = self.mary
        self.again(mary)
        self.note(mary, "Locked late", "with a passkey")
        self.follow(mary, "Locked late")
        tap(mary, "#item-acts [data-act=lock]")
        mary.wait(shown("#lock-pin"), "to be asked how")
        mary.js("document.querySelector('#lock-pin').click()")
        self.hold(mary, "/changes")
        tap(mary, "dialog[open] .primary")
        self.lock_meanwhile(mary, "Locked late")
        expect(mary.text("#notices") == "", f"behind the lock it says {mary.text('#notices')}")
        self.again(mary)
        self.has(mary, "Locked item")

    def veiled(self):
        """Small pictures are hidden until they are asked for, and again after a lock."""
        mary = self.mary
        self.again(mary)
        self.has(mary, "ticket.png")
        expect(not mary.js("document.querySelector('#items img')"), "a picture is shown")
        tap(mary, "#opened details.who summary")
        tap(mary, "#veil")
        mary.wait("document.querySelector('#items img')?.naturalWidth > 0", "the picture", 60)
        address = mary.js("document.querySelector('#items img').src")
        expect(mary.js(PICTURE.format(json.dumps(address))) == "there", "the picture has no address")
        veil = "document.querySelector('#veil').textContent"
        expect(mary.js(veil) == "Hide small pictures", f"while they are shown, the button says {mary.js(veil)}")
        tap(mary, "#lock")
        mary.wait(CLOSED)
        expect(mary.js(PICTURE.format(json.dumps(address))) == "gone", "the picture is still there")
        self.again(mary)
        self.has(mary, "ticket.png")
        expect(not mary.js("document.querySelector('#items img')") and mary.js(veil) == "Show small pictures", "a picture is shown")

    # Without secrets of passkeys

    def no_prf(self):
        """A passkey without secrets: this browser's keys open the vault, behind a passphrase."""
        paula = self.person("paula", prf=False)
        sign_up_with_passphrase(paula, self.stage, "paula")
        self.visit(paula)
        make_with_own_keys(paula)
        kinds = [one["kind"] for one in api(paula, "GET", "/api/vault")[1]["slots"]]
        expect(sorted(kinds) == ["device", "recovery"], f"{kinds}")
        self.note(paula, "By my own keys", "read again")
        paula.js("location.hash = 'ways'")
        paula.see("This account’s keys in a browser", "#slots")
        tap(paula, "#lock")
        paula.wait(CLOSED)
        tap(paula, "#open-passkey")
        agree(paula, "#opened")
        self.has(paula, "By my own keys")
        # An item's lock needs a passkey's own secret, and the page says so.
        self.follow(paula, "By my own keys")
        tap(paula, "#item-acts [data-act=lock]")
        paula.wait(shown("#lock-pin"), "to be asked how")
        paula.js("document.querySelector('#lock-pin').click()")
        tap(paula, "dialog[open] .primary")
        paula.see("This passkey gives no secrets in this browser", "#notices", 90)
        paula.see("read again", "#item-view")
        self.keep(paula)


class Elsewhere(Fallbacks):
    """Engines without passkeys: a vault of their own, opened by recovery key and by PIN."""

    def vault(self, engine):
        name = engine.name.lower() + "-vault"
        self.elsewhere(engine)
        self.begin_sign_up(engine, name, "passphrase")
        self.fill(engine, "#passphrase", FIRST)
        self.click(engine, "#go")
        self.wait(engine, "location.pathname === '/wallet'", "the wallet", 60)
        self.wait(engine, "document.documentElement.dataset.state === 'ready'")
        engine.goto(self.stage.url + "/wallet/vault")
        self.wait(engine, shown("#make"))
        self.click(engine, "#make")
        self.until(engine, shown("#recovery-title"))
        words = engine.js("return [...document.querySelectorAll('.recovery-words li')].map(e => e.textContent).join(' ')")
        expect(len(words.split()) == 24, words)
        self.click(engine, "dialog[open] .primary")
        self.wait(engine, shown("#words"))
        self.fill(engine, "#words", words)
        self.click(engine, "dialog[open] .primary")
        self.until(engine, shown("#opened"))
        self.click(engine, "[data-add=note]")
        self.wait(engine, shown("#note-text"))
        self.fill(engine, "#note-name", "Written here")
        self.fill(engine, "#note-text", f"in {engine.name}")
        self.click(engine, "dialog[open] .primary")
        self.wait(engine, "document.querySelector('#items .title')?.textContent === 'Written here'", "the note")
        engine.js("location.hash = 'ways'")
        self.wait(engine, shown("#ways"))
        self.click(engine, "#add-pin-way")
        self.wait(engine, shown("#pin-new"))
        self.fill(engine, "#pin-new", MAIN)
        self.fill(engine, "#pin-again", MAIN)
        self.click(engine, "dialog[open] .primary")
        self.until(engine, "document.querySelector('#notices')?.innerText.includes('The PIN opens your vault')")
        for way, field, typed in (("#open-recovery", "#words", words), ("#open-pin", "#pin", MAIN)):
            self.elsewhere(engine)
            engine.goto(self.stage.url + "/wallet/vault")
            self.wait(engine, shown(way))
            self.click(engine, way)
            self.wait(engine, shown(field))
            self.fill(engine, field, typed)
            self.click(engine, "dialog[open] .primary")
            self.until(engine, shown("#opened"))
            self.wait(engine, "document.querySelector('#items .title')?.textContent === 'Written here'", "the note")
            self.click(engine, "#items .title")
            self.wait(engine, f"document.querySelector('#item-view').innerText.includes('in {engine.name}')", "what is in it")
        self.click(engine, "#lock")
        self.wait(engine, shown("#closed"))
        expect("Written here" not in engine.js("return document.documentElement.outerHTML"), "something is left")

    def until(self, engine, expression):
        """Waits, and types the passphrase whenever it is asked for."""
        def there():
            if engine.js("return " + expression):
                return True
            engine.js(f"""const e = document.querySelector('#prompt-passphrase'); const skip = document.querySelector('#vault-tutorial .quiet');
                skip?.click(); if (e?.checkVisibility() && !e.value && !e.readOnly) {{ e.value = {json.dumps(FIRST)}; e.form.requestSubmit(); }}""")
            return False
        try:
            until(there, expression, 90)
        except Failure as failure:
            raise Failure(f"{failure}\n" + str(engine.js("return location.href + '\\n' + document.body.innerText.slice(0, 800)"))) from None


def main():
    pictures = pictures_folder()
    case = Cases()
    with tempfile.TemporaryDirectory() as folder, server() as stage, Chromium() as browser:
        away = Away(stage, browser, folder, pictures)
        case("five minutes without anybody lock it", away.idle)
        case("out of sight it locks after a minute", away.hidden)
        case("a device that slept finds it locked", away.slept)
        case("what has begun before a vault is open ends", away.begun)
        case("a note that is being written outlives the lock", away.draft)
        case("an upload is paused, resumed and cancelled", away.transfers)
        case("two files at once show how far each is", away.several)
        case("a file that the lock has ended, late", away.late)
        case("a file that cannot be sealed is not added, and the page says so", away.unsealed)
        case("at the counter nothing else can be reached", away.counter)
        case("the lock ends a copy that is being saved", away.saved)
        case("the lock ends a large copy, and leaves nothing of it", away.saved_as_it_grows)
        case("what is done behind the lock is not said", away.said_late)
        case("small pictures are hidden until they are asked for", away.veiled)
        case("a passkey without secrets: this browser's keys open it", away.no_prf)
        elsewhere = Elsewhere(stage)
        for make in (lambda: Firefox(NO_PASSKEYS), WebKit):
            with make() as engine:
                case(f"{engine.name}: opened by recovery key and by PIN", elsewhere.vault, engine)
    return case.end()


if __name__ == "__main__":
    sys.exit(main())
