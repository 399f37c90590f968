#!/usr/bin/env python3
"""Keeps papers, photos and notes in a vault: made, filled in four ways, put in order, locked and opened; and looks for them
where they must not be.

    COUNTERSIGN=.build/debug/countersign python Tests/Browser/vault.py [--pictures FOLDER] [words of a case …]

Mary has a phone with passkeys that have secrets. One line for each case.
"""

import base64
import datetime
import json
import re
import sqlite3
import sys
import tempfile
import time
import urllib.parse
from datetime import date, timedelta
from pathlib import Path

from attacks_stage import NO_WORKER, Cases, api, expect, front, pdf, server, set_up, shown, sign_in, sign_up, tap
from chromium import IN_SIGHT, Chromium
from face import png
from looking import look, pictures_folder
from scanning import HEIGHT, WIDTH, write_film

MARK = "Canary4711"
# One word of 65 letters, as people name files.
LONG = "Rindfleischetikettierungsueberwachungsaufgabenuebertragungsgesetz"


def recorder(most="Infinity"):
    """What keeps every body that a page sends, as it goes out: whole, or its first bytes where files are large."""
    return """{ const send = globalThis.fetch; globalThis.sent = [];
const read = (body) => {
    if (typeof body === 'string') return body;
    if (!ArrayBuffer.isView(body) && !(body instanceof ArrayBuffer)) return 'not recorded: ' + Object.prototype.toString.call(body);
    const bytes = ArrayBuffer.isView(body) ? new Uint8Array(body.buffer, body.byteOffset, body.byteLength) : new Uint8Array(body);
    let text = '';
    // In pieces: a call takes only so many arguments.
    for (let at = 0, end = Math.min(bytes.length, MOST); at < end; at += 8192) text += String.fromCharCode(...bytes.subarray(at, Math.min(at + 8192, end)));
    return text; };
globalThis.fetch = (path, options = {}) => {
    if (options.body) globalThis.sent.push(read(options.body));
    return send(path, options); }; }""".replace("MOST", str(most))


RECORDER = recorder()
# For those who send megabytes, and do not look for them.
SHORT_RECORDER = recorder(60_000)
OPEN = shown("#opened")
CLOSED = shown("#closed")
# The vault can be seen before what is in it: the button that opened it is at work until the list is drawn.
# The entries of the menu "More": where the words of each begin, how high each is, and whether the list has bullets.
ENTRIES = """(() => {
    const entries = [...document.querySelectorAll('#opened .menu :is(a, button)')].filter(e => e.checkVisibility());
    const places = entries.map(entry => {
        const range = document.createRange();
        range.selectNodeContents(entry);
        // A line of its own for each, if the words take more than one: all of them begin at the same place.
        return [...range.getClientRects()].map(({ left, right }) => Math.round(document.documentElement.dir === 'rtl' ? right : left));
    });
    const menu = document.querySelector('#opened .menu');
    const { left, right } = menu.getBoundingClientRect();
    return {
        begins: [...new Set(places.flat())], heights: entries.map(e => e.getBoundingClientRect().height), count: entries.length,
        bullets: getComputedStyle(menu).listStyleType, out: left < 0 || right > innerWidth };
})()"""
DRAWN = "!document.querySelector('#make[aria-busy], #open-passkey[aria-busy], #open-pin[aria-busy], #open-recovery[aria-busy], #items[aria-busy=true]')"


class Vault:
    recorder = RECORDER

    def __init__(self, stage, browser, folder, pictures=None):
        self.stage, self.browser, self.folder, self.pictures = stage, browser, Path(folder), pictures
        self.owner = self.person("owner")
        set_up(self.owner, stage, "Example University", "Olivia Owner", "owner")
        self.mary = self.person("mary")
        sign_up(self.mary, stage, "mary", "Mary", "Smith")
        self.words = None
        self.sent = []

    def person(self, name, prf=True):
        person = self.browser.person(name)
        # A vault out of sight locks after a minute: vault_away.py shows that.
        person.send("Page.addScriptToEvaluateOnNewDocument", source=NO_WORKER + self.recorder + IN_SIGHT)
        person.has_biometrics(prf=prf)
        return person

    def look(self, page, name):
        look(page, name, self.pictures, 1100)

    def file(self, name, content):
        path = self.folder / name
        path.write_bytes(content)
        return str(path)

    # The page

    def visit(self, page):
        front(page)
        if page.js("location.pathname") == "/wallet/vault":
            self.keep(page)
        page.goto(self.stage.url + "/wallet/vault")
        page.wait("document.documentElement.dataset.state === 'ready'", "the page to be ready")

    def keep(self, page):
        """Remembers what this page has sent: the next one begins without it."""
        self.sent += page.js("globalThis.sent ?? []")

    def open(self, page):
        self.visit(page)
        tap(page, "#open-passkey")
        page.wait(OPEN, "the vault to be open", 90)

    def make(self, page):
        """From the empty page to the open vault; gives the words of the recovery key."""
        self.visit(page)
        tap(page, "#make")
        if page.wait(f"{shown('#vault-tutorial')} || {shown('#recovery-title')}") and page.js(shown("#vault-tutorial")):
            tap(page, "#vault-tutorial .quiet")
        page.wait(shown("#recovery-title"), "the recovery key", 90)
        words = page.js("[...document.querySelectorAll('.recovery-words li')].map(e => e.textContent)")
        tap(page, "dialog[open] .primary")
        page.wait(shown("#words"), "to be asked for the words")
        page.fill("#words", " ".join(words))
        tap(page, "dialog[open] .primary")
        page.wait(OPEN, "the vault to be open", 90)
        return words

    def names(self, page):
        page.wait(DRAWN, "the list to be drawn")
        return page.js("[...document.querySelectorAll('#items .title')].map(e => e.textContent)")

    def has(self, page, name, seconds=60):
        page.wait(f"[...document.querySelectorAll('#items .title')].some(e => e.textContent === {json.dumps(name)})", f"{name} in the list", seconds)

    def has_not(self, page, name, seconds=60):
        page.wait(f"{DRAWN} && ![...document.querySelectorAll('#items .title')].some(e => e.textContent === {json.dumps(name)})", f"{name} to be gone from the list", seconds)

    def act(self, page, name, button):
        """Presses a button of the row of an item, once it is there and not at work any more."""
        find = f"""[...document.querySelectorAll('#items li')].find(e => e.querySelector('.title')?.textContent === {json.dumps(name)})
            ?.querySelector('[data-act={button}]')"""
        page.wait(f"(e => !!e && !e.hasAttribute('aria-busy'))({find})", f"{button} of {name}")
        page.js(f"{find}.click()")

    def id_of(self, page, name):
        self.has(page, name)
        return page.js(f"[...document.querySelectorAll('#items li')].find(e => e.querySelector('.title').textContent === {name!r}).dataset.key")

    def follow(self, page, name):
        self.has(page, name)
        page.js(f"[...document.querySelectorAll('#items .title')].find(e => e.textContent === {json.dumps(name)}).click()")

    def note(self, page, name, text):
        tap(page, "[data-add=note]")
        page.wait(shown("#note-text"))
        page.fill("#note-name", name)
        page.fill("#note-text", text)
        tap(page, "dialog[open] .primary")
        self.has(page, name)

    def hold(self, page, path):
        """Holds what this page asks for next under a path, until `letCome`; `lock_meanwhile` locks before that."""
        page.js(f"""{{ const send = globalThis.fetch; globalThis.fetch = async (address, ...rest) => {{
            if (!String(address?.url ?? address).includes({json.dumps(path)})) return send(address, ...rest);
            globalThis.fetch = send;
            await new Promise((come) => {{ globalThis.letCome = come; }});
            return send(address, ...rest); }}; delete globalThis.letCome; 0 }}""")

    def lock_meanwhile(self, page, *names):
        """Locks while something is held, and lets it come: nothing comes up, and no name is in the page."""
        page.wait("!!globalThis.letCome", "something to be held")
        page.press("L", "KeyL", 10)
        page.wait(CLOSED, "the vault to be locked")
        page.js("letCome()")
        page.settle()
        time.sleep(1)
        expect(page.js(CLOSED) and not page.js("document.querySelector('dialog[open]')"), "something came up behind the lock")
        left = page.js("document.documentElement.outerHTML")
        for name in names:
            expect(name not in left, f"{name} is in the page")

    def paste(self, page, picture, into="body"):
        """Pastes a picture, as a browser tells a page of it."""
        page.js(f"""{{ const data = new DataTransfer();
            data.items.add(new File([Uint8Array.from(atob('{base64.b64encode(picture).decode()}'), (one) => one.charCodeAt(0))], 'image.png', {{ type: 'image/png' }}));
            document.querySelector({json.dumps(into)}).dispatchEvent(new ClipboardEvent('paste', {{ clipboardData: data, bubbles: true, cancelable: true }})); }}""")

    def takes_nothing(self, page):
        """What is dropped or pasted where nobody may add anything comes to nothing, and no request is sent for it."""
        page.js("document.querySelector('#notices')?.replaceChildren()")
        before, since = self.names(page), len(page.requests)
        page.drop("#folder", self.file("dropped.txt", b"not for here"))
        self.paste(page, png(50, 30))
        page.settle()
        time.sleep(1)
        sent = [one["url"] for one in page.requests[since:] if "/uploads" in one["url"]]
        expect(sent == [] and not page.js("document.querySelector('#transfers li')") and page.text("#notices") == "",
               f"{sent} {page.text('#transfers')} {page.text('#notices')}")
        expect(self.names(page) == before, f"{self.names(page)}")

    def recover(self, page):
        """Opens the vault with the recovery key."""
        tap(page, "#open-recovery")
        page.fill("#words", " ".join(self.words))
        tap(page, "dialog[open] .primary")
        page.wait(OPEN, "the vault to be open", 90)

    def escape(self, page):
        """Presses Escape as the browser itself hears it."""
        for kind in ("rawKeyDown", "keyUp"):
            page.send("Input.dispatchKeyEvent", type=kind, key="Escape", code="Escape", windowsVirtualKeyCode=27)

    def focused(self, page, selector):
        """The focus is there, and stays."""
        for _ in range(2):
            page.wait(f"document.activeElement.matches({json.dumps(selector)})", f"the focus at {selector}", 20)
            page.settle()

    def asks_for(self, page, field, label, words=None):
        """A field that is left empty is told in a summary and beside it, and not by the browser; the words go with the first letter."""
        words = words or f"Fill in “{label}”."
        page.fill(field, " ")
        tap(page, "dialog[open] .primary")
        page.wait(f"document.querySelector('{field}-error')?.textContent === {json.dumps(words)}", f"{words} beside {field}", 20)
        page.see("1 answer is missing", "dialog[open] .error-summary")
        page.see(words, "dialog[open] .error-summary li")
        self.focused(page, "dialog[open] .error-summary")
        expect(page.js(f"document.querySelector('{field}').getAttribute('aria-describedby').split(' ').includes('{field[1:]}-error')"), f"{field} is not described")
        if label == "Name" and field == "#change-name":
            self.look(page, "left-empty")
        # Empty altogether, too: a browser that asks says it in its own way, and the form is not sent.
        page.fill(field, "")
        tap(page, "dialog[open] .primary")
        page.wait(f"document.querySelector('{field}-error').textContent === {json.dumps(words)} && document.activeElement.matches('.error-summary')", f"{words} again", 20)
        page.fill(field, "Something")
        page.wait(f"document.querySelector('{field}-error').textContent === '' && !document.querySelector('dialog[open] .error-summary').checkVisibility()", "the words to go", 20)

    def titled(self, page, view=""):
        """The title says which view it is and no name: a browser keeps it."""
        own = "Vault · Example University"
        page.wait(f"document.title === {json.dumps(f'{view} · {own}' if view else own)}", f"the title of {view or 'the vault'}", 10)

    # Cases

    def first(self):
        """What a person meets first; a mistake in the words is told, and the vault is made once they are right."""
        mary = self.mary
        self.visit(mary)
        expect(mary.js(shown("#first")) and not mary.js(OPEN), "the first page")
        self.look(mary, "first")
        tap(mary, "#make")
        mary.wait(shown("#vault-tutorial"), "the tutorial")
        for _ in range(5):
            tap(mary, "#vault-tutorial .primary")
        mary.see("Deleted means gone", "#vault-tutorial")
        mary.see("21 days later no backup of the server opens them either", "#vault-tutorial")
        tap(mary, "#vault-tutorial .primary")
        mary.wait(shown("#recovery-title"), "the recovery key", 90)
        # Cancelled and begun again, it comes without the tutorial.
        tap(mary, "dialog[open] .actions .button:nth-child(2)")
        mary.wait("!document.querySelector('dialog[open]') && !document.querySelector('#make[aria-busy]')", "the first page again")
        tap(mary, "#make")
        mary.wait(f"{shown('#vault-tutorial')} || {shown('#recovery-title')}", "the recovery key", 90)
        expect(not mary.js(shown("#vault-tutorial")), "the tutorial comes a second time")
        self.look(mary, "recovery-key")
        self.words = mary.js("[...document.querySelectorAll('.recovery-words li')].map(e => e.textContent)")
        expect(len(self.words) == 24, f"{self.words}")
        self.on_paper(mary)
        tap(mary, "dialog[open] .primary")
        for typed, complaint in [(self.words[:23], "you typed 23"), (self.words[:23] + ["xylo"], "in no recovery key"),
                                 ([self.words[1], self.words[0]] + self.words[2:], "another one, or two are swapped")]:
            if typed == self.words:
                continue
            mary.fill("#words", " ".join(typed))
            tap(mary, "dialog[open] .primary")
            mary.wait(f"document.querySelector('#words-error').textContent.includes({json.dumps(complaint)})", complaint)
        # Escape does not end it without a word: nothing would open with what is on the paper.
        for _ in range(3):
            self.escape(mary)
            mary.see("The words on your paper open nothing", "dialog[open]:has(#question)")
            self.escape(mary)
            mary.wait("document.querySelectorAll('dialog[open]').length === 1")
        expect(mary.js(shown("#words")), "the words are asked for no more")
        mary.fill("#words", ", ".join(word[:4] for word in self.words).upper())
        tap(mary, "dialog[open] .primary")
        mary.wait(OPEN, "the vault to be open", 90)
        mary.see("Nothing here yet", "#none")
        self.look(mary, "empty")

    def on_paper(self, page):
        """Printed, the words are there, and neither the buttons nor the page behind them."""
        seen = "(selector) => [...document.querySelectorAll(selector)].filter(e => e.checkVisibility() && e.getBoundingClientRect().height > 0).map(e => e.textContent)"
        buttons = page.js(f"({seen})('dialog[open] button')")
        expect(len(buttons) == 3, f"on the screen are {buttons}")
        page.send("Emulation.setEmulatedMedia", media="print")
        try:
            page.wait("matchMedia('print').matches", "the page as it is printed")
            words = page.js(f"({seen})('dialog[open] .recovery-words li')")
            expect(words == self.words, f"printed are {words}")
            left = page.js(f"({seen})('dialog[open] button, body > :not(dialog)')")
            expect(left == [], f"printed are {left}")
        finally:
            page.send("Emulation.setEmulatedMedia", media="")

    def four_ways(self):
        """A photo by camera, a picture, a PDF and a text, and a note; each is seen again as it was."""
        mary = self.mary
        tap(mary, "[data-add=camera]")
        mary.wait("document.querySelector('dialog video')?.videoWidth > 0", "the camera", 90)
        tap(mary, "dialog[open] .primary")
        mary.wait(shown(".crop-corner"), "the corners", 90)
        self.look(mary, "crop")
        mary.js("document.querySelector('.crop-corner.top.left').focus()")
        for _ in range(5):
            mary.press("ArrowRight")
        self.drag_corner(mary, 0.8, 0.6)
        tap(mary, "dialog[open] .primary")
        mary.wait("document.querySelectorAll('#items li').length === 1 && !document.querySelector('#transfers li')", "the photo", 60)
        photo = self.names(mary)[0]
        self.dated(photo)
        mary.upload("#add input[accept='image/*']", self.file(f"{MARK}-photo.png", png(300, 200)))
        mary.upload("#add input[accept='*/*']", self.file(f"{MARK}.pdf", Path(pdf(text=MARK)).read_bytes()), self.file(f"{MARK}.txt", f"{MARK} text".encode()))
        self.has(mary, f"{MARK}.pdf")
        self.has(mary, f"{MARK}.txt")
        tap(mary, "[data-add=note]")
        mary.wait(shown("#note-text"))
        self.dated(mary.js("document.querySelector('#note-name').value"))
        tap(mary, "\"Cancel\"")
        mary.wait("!document.querySelector('dialog[open]') && !document.querySelector('[data-add=note][aria-busy]')", "the dialog to be closed")
        self.note(mary, f"{MARK} note", f"{MARK} is written here")
        mary.wait("!document.querySelector('#transfers li')", "everything to be added", 60)
        mary.wait("document.querySelectorAll('#items .title').length === 5", "five in the list")
        self.look(mary, "filled")
        for name, seen in [(f"{MARK}.pdf", "document.querySelector('#item-view iframe')"), (f"{MARK}.txt", f"document.querySelector('#item-view pre')?.textContent === '{MARK} text'"),
                           (f"{MARK} note", f"document.querySelector('#item-view').textContent.includes('{MARK} is written here')"),
                           (photo, "document.querySelector('#item-view img')?.naturalWidth > 0")]:
            self.follow(mary, name)
            mary.wait(f"{shown('#item')} && !!({seen})", f"{name} to be seen", 90)
            if name == photo:
                self.look(mary, "photo")
                expect("Earlier states" in mary.text("#item-acts"), "the whole photo is not kept")
            tap(mary, "#item-close")
            mary.wait(shown("#folder"))

    def drag_corner(self, page, right, bottom):
        """Drags the bottom right corner of the part that is chosen to a place, in shares of the picture, with the mouse."""
        # Once it moves no more, which is where it can be pressed.
        left, top, width, height = page.wait("""(async () => {
            const corner = document.querySelector('.crop-corner.bottom.right');
            corner.scrollIntoView({ block: 'center', behavior: 'instant' });
            const place = () => (({ x, y, width, height }) => [x, y, width, height])(document.querySelector('.crop canvas').getBoundingClientRect());
            const before = place();
            await new Promise(done => setTimeout(done, 200));
            const [x, y, width, height] = place();
            return before.join() === place().join() && document.elementFromPoint(x + width - 4, y + height - 4) === corner && [x, y, width, height];
        })()""", "the corner to be where it can be pressed", 20)
        # The corner's middle is at the edge of what can be pressed.
        places = [("mousePressed", left + width - 4, top + height - 4), ("mouseMoved", left + width * 0.9, top + height * 0.9),
                  ("mouseMoved", left + width * right, top + height * bottom), ("mouseReleased", left + width * right, top + height * bottom)]
        for kind, x, y in places:
            page.send("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left", buttons=int(kind != "mouseReleased"), clickCount=1)
        sides = page.js("['--left', '--top', '--right', '--bottom'].map(side => parseFloat(document.querySelector('.crop').style.getPropertyValue(side)))")
        wanted = [5, 0, 100 - 100 * right, 100 - 100 * bottom]
        expect(all(abs(is_ - to) < 1 for is_, to in zip(sides, wanted)), f"dragged, the part begins at {sides} % instead of {wanted}")

    def dated(self, name):
        """What has no name yet is called by the day and time at which it came."""
        try:
            called = datetime.datetime.strptime(name.replace("\u202f", " "), "%b %d, %Y, %I:%M %p")
        except ValueError:
            called = datetime.datetime.min
        expect(abs(datetime.datetime.now() - called) < timedelta(minutes=5), f"it is called {name}")

    def earlier(self):
        """The whole photo is put back; the cropped one is kept, and a copy of it can be saved."""
        mary = self.mary
        photo = next(one for one in self.names(mary) if MARK not in one)
        width = "document.querySelector('#item-view img')?.naturalWidth"
        mary.js("""(() => { globalThis.kept = []; const made = URL.createObjectURL;
            URL.createObjectURL = (blob) => { kept.push(blob); return made.call(URL, blob); }; })()""")
        self.follow(mary, photo)
        mary.wait(f"{width} > 0")
        cropped = mary.js(width)
        tap(mary, "#item-acts [data-act=versions]")
        mary.wait("document.querySelectorAll('dialog[open] li').length === 1", "one earlier state")
        said = mary.text("dialog[open] li")
        year = str(datetime.date.today().year)
        expect(year in said and re.search(r"\d (byte|kB|MB)", said) and "Invalid" not in said and "NaN" not in said, f"the earlier state has no date or no size: {said}")
        self.look(mary, "versions")
        tap(mary, "dialog[open] li button:first-child")
        mary.wait("kept.length === 2", "a copy", 90)
        whole = mary.js("createImageBitmap(kept[1]).then(image => image.width)")
        # From the left by keys, from the right by the mouse.
        expect(abs(cropped / whole - 0.75) < 0.02, f"of {whole} pixels the cropped photo has {cropped}")
        tap(mary, "dialog[open] li button:last-child")
        mary.see("is as it was", "#notices", 60)
        tap(mary, "#notices .dismiss")
        mary.wait(f"{width} === {whole}", "the whole photo", 90)
        tap(mary, "#item-acts [data-act=versions]")
        mary.wait("document.querySelectorAll('dialog[open] li').length === 2", "two earlier states")
        tap(mary, "dialog[open] .actions > .button:not(.quiet)")
        tap(mary, "#item-close")
        mary.wait(shown("#folder"))

    def in_order(self):
        """A folder, a rename, a move, tags, a reminder; search and sort."""
        mary = self.mary
        tap(mary, "[data-add=folder]")
        mary.fill("#question-value", "Travel")
        tap(mary, "dialog[open] .primary")
        self.has(mary, "Travel")
        self.act(mary, f"{MARK}.pdf", "menu")
        mary.wait(shown("#change-name"))
        self.look(mary, "change")
        mary.fill("#change-name", "Pass of Mary")
        # However often Escape is pressed, it only opens and closes the question.
        for _ in range(3):
            self.escape(mary)
            mary.see("Throw away what you typed?", "dialog[open]:has(#question)")
            self.escape(mary)
            mary.wait("document.querySelectorAll('dialog[open]').length === 1")
        expect(mary.js("document.querySelector('#change-name').value") == "Pass of Mary", "what was typed is gone")
        mary.choose("#change-folder", "Travel")
        mary.fill("#change-tags", "#border, identity")
        mary.js("(e => { e.value = '2026-12-24'; e.dispatchEvent(new Event('input')) })(document.querySelector('#change-expires'))")
        tap(mary, "dialog[open] .primary")
        mary.wait("!document.querySelector('dialog[open]')", "the change", 90)
        self.has_not(mary, f"{MARK}.pdf")
        expect("Pass of Mary" not in self.names(mary), f"{self.names(mary)}")
        self.follow(mary, "Travel")
        # Renamed again, where it is looked at.
        self.follow(mary, "Pass of Mary")
        tap(mary, "#item-acts [data-act=change]")
        mary.fill("#change-name", "Passport")
        tap(mary, "dialog[open] .primary")
        mary.wait(f"!document.querySelector('dialog[open]') && {shown('#item')} && document.querySelector('#item-title').textContent === 'Passport'",
                  "its new name", 90)
        tap(mary, "#item-close")
        self.has(mary, "Passport")
        expect(self.names(mary) == ["Passport"], f"{self.names(mary)}")
        expect("Expire" in mary.text("#items") and "#border" in mary.text("#items"), mary.text("#items"))
        mary.fill("#search", "writ")
        self.has(mary, f"{MARK} note")
        mary.fill("#search", "identity pass")
        self.has(mary, "Passport")
        expect(self.names(mary) == ["Passport"], f"{self.names(mary)}")
        mary.see("in Travel", "#items")
        mary.fill("#search", "nothing like this")
        mary.see("No name, tag or note here", "#none")
        expect("are searched" not in mary.text("#none"), "there are no folders that are not searched")
        mary.fill("#search", "")
        mary.js("location.hash = ''")
        self.has(mary, "Travel")
        mary.choose("#sort", "size")
        mary.wait("document.querySelector('#items .title')?.textContent !== 'Travel'", "another order")
        mary.choose("#sort", "name")
        mary.wait("document.querySelector('#items .title')?.textContent === 'Travel'", "the order of names", 60)

    def left_empty(self):
        """What a form lacks is told by the page. Escape, however often, throws nothing away that was typed."""
        mary = self.mary
        tap(mary, "[data-add=folder]")
        self.asks_for(mary, "#question-value", "Name")
        tap(mary, "dialog[open] [type=button]")
        mary.wait("!document.querySelector('dialog[open]') && !document.querySelector('[data-add=folder][aria-busy]')", "the dialog to be closed")
        tap(mary, "[data-add=note]")
        mary.wait(shown("#note-text"))
        self.asks_for(mary, "#note-name", "Name")
        for _ in range(3):
            self.escape(mary)
            mary.see("Throw away what you typed?", "dialog[open]:has(#question)")
            self.escape(mary)
            mary.wait("document.querySelectorAll('dialog[open]').length === 1")
        expect(mary.js("document.querySelector('#note-name').value") == "Something", "what was typed is gone")
        self.escape(mary)
        tap(mary, "dialog[open]:has(#question) .danger")
        mary.wait("!document.querySelector('dialog[open]') && !document.querySelector('[data-add=note][aria-busy]')", "the dialog to be closed")
        # Thrown away on purpose, it is not offered again.
        self.open(mary)
        mary.settle()
        expect("was not saved" not in mary.text("#notices"), "a draft was kept")
        self.act(mary, f"{MARK} note", "menu")
        mary.wait(shown("#change-name"))
        self.asks_for(mary, "#change-name", "Name")
        # Half a date is as good as none to a page that takes it, and would take a reminder away.
        mary.js("document.querySelector('#change-expires').focus()")
        mary.send("Input.dispatchKeyEvent", type="keyDown", key="1", code="Digit1", text="1")
        mary.wait("document.querySelector('#change-expires').validity.badInput", "half a date", 20)
        tap(mary, "dialog[open] .primary")
        mary.see("Write a day that exists", "#change-expires-error")
        mary.see("There is a problem", "dialog[open] .error-summary")
        tap(mary, "dialog[open] .actions > .button:not(.quiet, .primary)")
        tap(mary, "dialog[open]:has(#question) .danger")
        mary.wait("!document.querySelector('dialog[open]')", "the dialog to be closed")
        self.has(mary, f"{MARK} note")
        mary.js("location.hash = 'ways'")
        tap(mary, "[data-pin=tier]")
        mary.wait(shown("#tier-name"))
        self.asks_for(mary, "#tier-name", "Name of the folder in your vault")
        tap(mary, "dialog[open] [type=button]")
        mary.wait("!document.querySelector('dialog[open]')", "the dialog to be closed")
        mary.js("location.hash = ''")

    def fields(self):
        """A note has fields: each hidden until it is shown, and copied; in the text they are lines, and a note without them is as it was."""
        mary = self.mary
        hidden = lambda text: text not in mary.js("document.documentElement.outerHTML + [...document.querySelectorAll('input, textarea')].map(e => e.value).join()")
        tap(mary, "[data-add=note]")
        mary.fill("#note-name", "Bank")
        tap(mary, "\"Add a field\"")
        self.focused(mary, "#note-field-1")
        mary.fill("#note-field-1", "PIN")
        mary.fill("#note-value-1", "9137 24")
        tap(mary, "\"Add a field\"")
        mary.fill("#note-value-2", "DE02 1203 0000")
        mary.fill("#note-text", "Ask for Mrs Miller.")
        for name, words in (("", "Fill in “Name of the field”."), ("Account: number", "Give it a name without a colon.")):
            mary.fill("#note-field-2", name)
            tap(mary, "dialog[open] .primary")
            mary.wait(f"document.querySelector('#note-field-2-error').textContent === {json.dumps(words)}", words, 20)
            mary.see(words, "dialog[open] .error-summary li")
        mary.fill("#note-field-2", "Account number")
        self.look(mary, "note-fields")
        tap(mary, "dialog[open] .primary")
        self.has(mary, "Bank")
        mary.wait("!document.querySelector('dialog')", "the dialog to go", 20)
        expect(hidden("9137 24") and hidden("DE02 1203"), "a value is in the list")
        # As it is in the text, and as other programs read it.
        mary.fill("#search", "pin:: 9137 24 account number:: de02")
        self.has(mary, "Bank")
        stored = mary.js("""import('/assets/vault/note-fields.js').then(({ composed }) => composed({
            fields: [{ name: 'PIN', value: '9137 24' }, { name: 'Account number', value: 'DE02' }], rest: 'Ask.' }))""")
        expect(stored == "PIN:: 9137 24\nAccount number:: DE02\n\nAsk.", stored)
        mary.fill("#search", "")
        self.follow(mary, "Bank")
        mary.see("Ask for Mrs Miller.", "#item-view")
        self.look(mary, "note-fields-hidden")
        expect(mary.js("[...document.querySelectorAll('#item-view dt')].map(e => e.textContent)") == ["PIN", "Account number"], "the names")
        expect(hidden("9137 24") and hidden("DE02 1203"), "a value is in the page")
        tap(mary, "#item-view dd button")
        mary.see("9137 24", "#item-view")
        expect(hidden("DE02 1203"), "the other one is shown, too")
        tap(mary, "#item-view dd button")
        expect(hidden("9137 24"), "it stays when it is hidden")
        mary.js("(navigator.clipboard.writeText = async (text) => { globalThis.copied = text; }, 0)")
        tap(mary, "#item-view div:nth-of-type(2) dd button:last-child")
        mary.wait("globalThis.copied === 'DE02 1203 0000'", "the copy", 20)
        expect(hidden("DE02 1203"), "it is shown when it is copied")
        # Opened and left as it was, it asks nothing.
        tap(mary, "#item-acts [data-act=edit]")
        mary.wait("document.querySelector('#note-value-1')?.value === '9137 24' && document.querySelector('#note-text').value === 'Ask for Mrs Miller.'", "the fields")
        self.escape(mary)
        # It closes at once, and goes with an event that comes a moment later.
        mary.wait("!document.querySelector('dialog')", "the dialog to go", 20)
        expect(hidden("9137 24"), "it stays in the page")
        tap(mary, "#item-acts [data-act=edit]")
        tap(mary, "dialog[open] fieldset .danger")
        mary.fill("#note-text", "")
        tap(mary, "dialog[open] .primary")
        mary.wait("!document.querySelector('dialog[open]') && document.querySelectorAll('#item-view dt').length === 1", "one field", 60)
        expect("empty" not in mary.text("#item-view"), "the note is called empty")
        tap(mary, "#item-view dd button")
        mary.see("DE02 1203 0000", "#item-view")
        mary.press("L", "KeyL", modifiers=2 | 8)
        mary.wait(CLOSED, "the vault to be locked")
        expect(hidden("DE02 1203"), "a value is behind the lock")
        self.open(mary)
        # A text of before is no field.
        self.note(mary, "As before", "PIN: 1\nstd::string x\nf :: Int -> Int")
        self.follow(mary, "As before")
        mary.see("f :: Int -> Int", "#item-view .as-written")
        expect(not mary.js("document.querySelector('#item-view dl')"), "it has fields")
        for name in ("As before", "Bank"):
            mary.js("location.hash = ''")
            self.follow(mary, name)
            mary.wait(f"document.querySelector('#item-title').textContent === {json.dumps(name)}", name)
            tap(mary, "#item-acts .danger")
            self.has_not(mary, name)
            tap(mary, "#notices .notice[data-words*=trash] .dismiss")
        mary.js("location.hash = 'trash'")
        for _ in range(2):
            mary.wait("!document.querySelector('#trashed [aria-busy]')")
            tap(mary, "#trashed [data-act=remove]")
            tap(mary, "dialog[open] .danger")
            mary.wait("!document.querySelector('dialog[open]')", "it to be destroyed")
        mary.wait(shown("#trash-empty"), "an empty trash", 60)
        mary.js("location.hash = ''")

    def four_orders(self):
        """The four orders, of which no two are the same here; and a first page of what never expires leaves nothing out."""
        mary = self.mary
        tap(mary, "[data-add=folder]")
        mary.fill("#question-value", "In four orders")
        tap(mary, "dialog[open] .primary")
        self.follow(mary, "In four orders")
        mary.wait("document.querySelector('#path [aria-current]')?.textContent === 'In four orders'", "the folder", 60)
        # One after the other, so that each is newer than the one before it.
        for name, size, day in [("Part 2.txt", 20, "2031-02-01"), ("Part 30.txt", 30, "2031-03-01"), ("Part 10.txt", 10, "2031-01-01")]:
            mary.upload("#add input[accept='*/*']", self.file(name, b"x" * size))
            self.has(mary, name)
            mary.wait("!document.querySelector('#transfers li')", f"{name} to be added", 60)
            self.act(mary, name, "menu")
            mary.wait(shown("#change-expires"), "the item to be changed", 60)
            mary.js(f"(e => {{ e.value = '{day}'; e.dispatchEvent(new Event('input')) }})(document.querySelector('#change-expires'))")
            tap(mary, "dialog[open] .primary")
            mary.wait("!document.querySelector('dialog[open]')", "the change", 60)
        # A folder comes first by name and by age, and last where it has nothing to be compared by.
        tap(mary, "[data-add=folder]")
        mary.fill("#question-value", "Within")
        tap(mary, "dialog[open] .primary")
        self.has(mary, "Within")
        # At first it is in the order of names: that one is tried last.
        for order, names in [("newest", ["Within", "Part 10.txt", "Part 30.txt", "Part 2.txt"]),
                             ("size", ["Part 30.txt", "Part 2.txt", "Part 10.txt", "Within"]),
                             ("expires", ["Part 10.txt", "Part 2.txt", "Part 30.txt", "Within"]),
                             ("name", ["Within", "Part 2.txt", "Part 10.txt", "Part 30.txt"])]:
            mary.choose("#sort", order)
            mary.wait(f"{DRAWN} && [...document.querySelectorAll('#items .title')].map(e => e.textContent).join() === {json.dumps(','.join(names))}",
                      f"the order {order}", 60)
        expect(self.badges(mary) == {}, f"years before, {self.badges(mary)}")
        first = mary.js("""Promise.all([import('/assets/vault/listing.js'), import('/assets/vault/finding.js')]).then(
            ([{ order }, { first }]) => first([{ name: 'a' }, { name: 'b' }, { name: 'c' }], 2, order('expires')).map(({ name }) => name))""")
        expect(first == ["a", "b"], f"of three that never expire, a page of two has {first}")
        self.destroy_folder(mary, "In four orders")

    def destroy_folder(self, page, name):
        """The cases after this one find the vault as it was."""
        page.js("location.hash = ''")
        self.act(page, name, "menu")
        tap(page, "dialog[open] .danger")
        page.wait("!document.querySelector('dialog[open]')", "the change", 60)
        page.see(f"{name} is in the trash", "#notices", 60)
        tap(page, "#notices .notice[data-words*=trash] .dismiss")
        page.js("location.hash = 'trash'")
        tap(page, "#trashed [data-act=remove]")
        tap(page, "dialog[open] .danger")
        page.wait(shown("#trash-empty"), "an empty trash", 60)
        page.js("location.hash = ''")

    def badges(self, page):
        """What the rows say of days, by name."""
        page.wait(DRAWN, "the list to be drawn")
        return page.js("""Object.fromEntries([...document.querySelectorAll('#items li')].filter(e => e.querySelector('.badge').checkVisibility())
            .map(e => [e.querySelector('.title').textContent, e.querySelector('.badge').textContent]))""")

    def reminded(self):
        """A reminder comes 60 days before, speaks of the day that was chosen wherever one is, and deletes nothing when the day is over."""
        mary = self.mary
        mary.send("Emulation.setTimezoneOverride", timezoneId="America/Los_Angeles")
        self.open(mary)
        tap(mary, "[data-add=folder]")
        mary.fill("#question-value", "Reminders")
        tap(mary, "dialog[open] .primary")
        self.follow(mary, "Reminders")
        mary.wait("document.querySelector('#path [aria-current]')?.textContent === 'Reminders'", "the folder", 60)
        today, said = datetime.datetime.now(datetime.timezone.utc).date(), {}
        for name, days, words in [("Past", -1, "Expired"), ("Today", 0, "Expires"), ("Soon", 59, "Expires"), ("Later", 61, None)]:
            chosen = today + timedelta(days=days)
            if words:
                said[name] = f"{words} on {chosen:%B} {chosen.day}, {chosen.year}"
            self.note(mary, name, "has a day")
            self.act(mary, name, "menu")
            mary.wait(shown("#change-expires"), "the item to be changed", 60)
            mary.js(f"(e => {{ e.value = '{chosen}'; e.dispatchEvent(new Event('input')) }})(document.querySelector('#change-expires'))")
            tap(mary, "dialog[open] .primary")
            mary.wait("!document.querySelector('dialog[open]')", "the change", 60)
        mary.wait("[...document.querySelectorAll('#items .badge')].filter(e => e.checkVisibility()).length >= 3", "the reminders", 60)
        expect(self.badges(mary) == said, f"{self.badges(mary)} instead of {said}")
        expect(set(self.names(mary)) == {"Past", "Today", "Soon", "Later"}, f"{self.names(mary)}")
        self.look(mary, "reminders")
        # The view says both, and what has expired opens as before.
        for name, words in (("Later", f"{chosen:%B} {chosen.day}, {chosen.year}"), ("Past", said["Past"])):
            self.follow(mary, name)
            mary.see("has a day", "#item-view")
            mary.see(words, "#item-facts")
            tap(mary, "#item-close")
        mary.send("Emulation.setTimezoneOverride", timezoneId="")
        self.open(mary)
        self.destroy_folder(mary, "Reminders")

    def arrives(self):
        """The focus is where each step leads, and a list is found again as it was left."""
        mary = self.mary
        self.follow(mary, "Travel")
        self.focused(mary, "#path [aria-current]")
        self.titled(mary, "Folder")
        for view, words in [("people", "Other people"), ("inbox", "Inbox"), ("emergency", "Emergency contacts"), ("ways", "Ways to open it"),
                            ("trash", "Trash"), ("kept", "On this device")]:
            mary.js(f"document.querySelector('#opened .menu a[href^=\"#{view}\"]').click()")
            self.focused(mary, f"#{view}-title")
            self.titled(mary, words)
        mary.js("document.querySelector('#path a').click()")
        self.focused(mary, "#path [aria-current]")
        self.titled(mary)
        tap(mary, "[data-add=folder]")
        mary.fill("#question-value", "Long")
        tap(mary, "dialog[open] .primary")
        self.follow(mary, "Long")
        self.focused(mary, "#path [aria-current]")
        mary.upload("#add input[accept='*/*']", *[self.file(f"Sheet {number}.txt", b"sheet") for number in range(10, 30)])
        for number in range(10, 30):
            self.has(mary, f"Sheet {number}.txt")
        mary.wait("!document.querySelector('#transfers li')", "everything to be added", 60)
        self.hold_on(mary, "Sheet 25.txt", lambda: tap(mary, "#item-close"))
        self.hold_on(mary, "Sheet 26.txt", lambda: mary.js("history.back()"))
        # Deleted, the next one is in its place.
        self.follow(mary, "Sheet 25.txt")
        tap(mary, "#item-acts .danger")
        self.has_not(mary, "Sheet 25.txt")
        mary.wait("document.activeElement.textContent === 'Sheet 26.txt'", "the focus at the next row", 20)
        tap(mary, "#notices .notice[data-words*=trash] .dismiss")
        mary.js("location.hash = ''")
        self.act(mary, "Long", "menu")
        tap(mary, "dialog[open] .danger")
        mary.wait("!document.querySelector('dialog[open]')", "the change", 60)
        tap(mary, "#notices .notice[data-words*=trash] .dismiss")
        mary.js("location.hash = 'trash'")
        # What had the focus goes with its row.
        tap(mary, "#trashed [data-act=remove]")
        tap(mary, "dialog[open] .danger")
        mary.wait(shown("#trash-empty"), "an empty trash", 60)
        self.focused(mary, "#trash-title")
        mary.js("location.hash = ''")
        self.has(mary, "Travel")

    def hold_on(self, page, name, close):
        """Opens an item far down in a list on a phone, and closes it: the list is where it was."""
        page.resize(390, 500)
        page.js(f"""[...document.querySelectorAll('#items .title')].find(e => e.textContent === {json.dumps(name)})
            .scrollIntoView({{ block: 'center', behavior: 'instant' }})""")
        # Not in the middle: a browser puts there what gets the focus out of sight.
        page.js("scrollBy({ top: 120, behavior: 'instant' })")
        before = page.js("scrollY")
        expect(before > 300, f"the list is only {before} down")
        self.follow(page, name)
        self.focused(page, "#item-title")
        self.titled(page, "Item")
        page.wait("!!document.querySelector('#item-view pre')", f"{name} to be seen", 60)
        close()
        page.wait(f"document.activeElement.textContent === {json.dumps(name)}", f"the focus at {name}", 20)
        page.settle()
        after = page.js("scrollY")
        expect(abs(after - before) < 3, f"the list was {before} down, and is {after} down")
        self.titled(page, "Folder")
        page.resize(1280, 900)

    def far(self):
        """A reminder at a time that no calendar has, as somebody else may write it: the item can be changed, and keeps it."""
        mary = self.mary
        self.note(mary, "Far away", "some day")
        # 9e15 ms is a time that metadata may have, and no date.
        mary.js("{ const parse = Date.parse; Date.parse = (text) => (text === '2026-12-24' ? 9e15 : parse(text)); 0 }")
        self.act(mary, "Far away", "menu")
        mary.js("(e => { e.value = '2026-12-24'; e.dispatchEvent(new Event('input')) })(document.querySelector('#change-expires'))")
        tap(mary, "dialog[open] .primary")
        mary.wait("!document.querySelector('dialog[open]')", "the change", 90)
        self.act(mary, "Far away", "menu")
        mary.wait(shown("#change-name"), "the item to be changed")
        mary.fill("#change-name", "Still far away")
        tap(mary, "dialog[open] .primary")
        self.has(mary, "Still far away")
        self.follow(mary, "Still far away")
        mary.see("Expires", "#item-facts")
        tap(mary, "#item-acts .danger")
        mary.see("is in the trash", "#notices")
        tap(mary, "#notices .notice[data-words*=trash] .dismiss")
        mary.js("location.hash = 'trash'")
        tap(mary, "#trashed [data-act=remove]")
        tap(mary, "dialog[open] .danger")
        mary.wait(shown("#trash-empty"), "an empty trash", 90)
        mary.js("location.hash = ''")

    def locked(self):
        """Locked, nothing of it is left in the page; it opens to the face, as it was."""
        mary = self.mary
        self.follow(mary, f"{MARK}.txt")
        mary.wait("document.querySelector('#item-view pre')")
        tap(mary, "#item-acts .danger")
        mary.see(f"{MARK}.txt is in the trash", "#notices")
        tap(mary, "#notices .notice[data-words*=trash] .button:not(.dismiss)")
        mary.wait("!document.querySelector('#notices .notice[data-words*=trash]')", "it to be taken back")
        mary.js("import('/assets/shell/dom.js').then(d => d.notice('info', 'Canary4711 in a message'))")
        mary.see("Canary4711 in a message", "#notices")
        mary.press("L", "KeyL", modifiers=2 | 8)
        mary.wait(CLOSED, "the vault to be locked")
        expect(MARK not in mary.js("document.documentElement.outerHTML") and "Travel" not in mary.js("document.body.textContent"), "something is left")
        expect(mary.js("location.hash") == "", "the address says where somebody was")
        self.titled(mary)
        self.focused(mary, "#closed-title")
        self.look(mary, "locked")
        tap(mary, "#open-passkey")
        mary.wait(OPEN, "the vault to be open", 90)
        self.focused(mary, "#path [aria-current]")
        self.has(mary, "Travel")

    def two_devices(self):
        """Two pages change the vault at once: nothing is lost, and of a note that both changed both texts are kept."""
        mary = self.mary
        other = mary.tab()
        other.send("Page.addScriptToEvaluateOnNewDocument", source=NO_WORKER + RECORDER + IN_SIGHT)
        # Its passkeys are another's: a virtual authenticator belongs to one tab.
        self.visit(other)
        self.recover(other)
        self.note(other, "From the other", "one")
        front(mary)
        self.note(mary, "From here", "two")
        self.has(mary, "From the other")
        front(other)
        self.note(other, "Again from the other", "three")
        self.has(other, "From here")
        self.follow(other, "From here")
        tap(other, "#item-acts button:first-child")
        other.wait(shown("#note-text"))
        front(mary)
        self.follow(mary, "From here")
        tap(mary, "#item-acts button:first-child")
        mary.fill("#note-text", "two, changed first")
        tap(mary, "dialog[open] .primary")
        mary.wait("!document.querySelector('dialog[open]')", "the change", 90)
        front(other)
        other.fill("#note-text", "two, changed second")
        tap(other, "dialog[open] .primary")
        other.wait("document.querySelector('dialog[open] .error-text')?.textContent.includes('changed here')", "the conflict", 90)
        tap(other, "\"Cancel\"")
        tap(other, "dialog[open] .danger")
        other.goto("about:blank")
        front(mary)
        mary.js("location.hash = ''")
        self.open(mary)
        self.has(mary, "From here (changed here)")
        texts = set(self.names(mary))
        expect({"From here", "From here (changed here)", "From the other", "Again from the other"} <= texts, f"{texts}")

    def seen_meanwhile(self):
        """What another tab sees while an answer is on its way makes that answer no older state: nobody is accused of it."""
        mary = self.mary
        other = mary.tab()
        other.send("Page.addScriptToEvaluateOnNewDocument", source=NO_WORKER + RECORDER + IN_SIGHT)
        self.visit(other)
        self.recover(other)
        front(mary)
        mary.js("""{ const send = globalThis.fetch; globalThis.fetch = async (address, ...rest) => {
            const answer = await send(address, ...rest);
            if (!String(address?.url ?? address).includes('/changes')) return answer;
            globalThis.fetch = send;
            await new Promise((come) => { globalThis.letCome = come; });
            return answer; }; delete globalThis.letCome; 0 }""")
        tap(mary, "[data-add=note]")
        mary.fill("#note-name", "Of this tab")
        mary.fill("#note-text", "one")
        tap(mary, "dialog[open] .primary")
        mary.wait("!!globalThis.letCome", "the answer to be held", 60)
        front(other)
        self.note(other, "Of the other tab", "two")
        front(mary)
        mary.js("letCome()")
        mary.wait("!document.querySelector('dialog[open]')", "the note to be stored", 60)
        self.has(mary, "Of this tab")
        self.keep(other)
        other.close()
        self.open(mary)
        self.has(mary, "Of the other tab")

    def rolled_back(self):
        """A server that answers with an older item in the trash, for which no head vouches, is found out at the next opening."""
        mary = self.mary
        self.note(mary, "Taken back", "first")
        item = self.id_of(mary, "Taken back")
        mary.js("""{ const send = globalThis.fetch; globalThis.older = null; globalThis.isHostile = false;
            globalThis.fetch = async (address, ...rest) => {
                const answer = await send(address, ...rest);
                if (!/\\/nodes\\?after=/.test(String(address)) || !answer.ok) return answer;
                const page = await answer.json();
                for (const one of page.items.filter(({ id }) => id === %s)) {
                    if (isHostile) Object.assign(one, { ...older, trashed: one.trashed });
                    else older ??= { ...one };
                }
                return new Response(JSON.stringify(page), { status: answer.status, headers: answer.headers }); }; 0 }""" % json.dumps(item))
        tap(mary, "#lock")
        mary.wait(CLOSED)
        tap(mary, "#open-passkey")
        mary.wait(OPEN, "the vault to be open", 90)
        expect(mary.js("older?.revision") == 1, f"{mary.js('older')}")
        self.has(mary, "Taken back")
        self.follow(mary, "Taken back")
        tap(mary, "#item-acts [data-act=edit]")
        mary.fill("#note-text", "second")
        tap(mary, "dialog[open] .primary")
        mary.see("second", "#item-view", 90)
        tap(mary, "#item-acts .danger")
        mary.see("is in the trash", "#notices", 60)
        mary.js("isHostile = true")
        tap(mary, "#lock")
        mary.wait(CLOSED)
        tap(mary, "#open-passkey")
        mary.see("an older state of your vault than this device has seen", "#notices", 90)
        expect(mary.js(CLOSED), "it is open")
        mary.js("[isHostile = false, document.querySelector('#notices .dismiss').click()]")
        tap(mary, "#open-passkey")
        mary.wait(OPEN, "the vault to be open", 90)
        mary.js("location.hash = 'trash'")
        tap(mary, "#trashed [data-act=remove]")
        tap(mary, "dialog[open] .danger")
        mary.wait(shown("#trash-empty"), "an empty trash", 90)
        mary.js("location.hash = ''")

    def slow(self):
        """An act that ends behind the lock names nothing, in the page or in its address."""
        mary = self.mary
        self.note(mary, "Slowly gone", "text")
        self.follow(mary, "Slowly gone")
        mary.wait(shown("#item-acts .danger"))
        self.hold(mary, "/changes")
        tap(mary, "#item-acts .danger")
        self.lock_meanwhile(mary, "Slowly gone")
        expect(mary.js("location.hash") == "", "the address says where somebody was")
        tap(mary, "#open-passkey")
        mary.wait(OPEN, "the vault to be open", 90)
        mary.js("location.hash = 'trash'")
        mary.see("Slowly gone", "#trashed")
        tap(mary, "#trashed [data-act=remove]")
        tap(mary, "dialog[open] .danger")
        mary.wait(shown("#trash-empty"), "an empty trash", 90)
        mary.js("location.hash = ''")

    def deleted(self):
        """Into the trash and back; destroyed, it is gone."""
        mary = self.mary
        self.act(mary, "Travel", "menu")
        tap(mary, "dialog[open] .danger")
        mary.wait("!document.querySelector('dialog[open]')", "the change", 90)
        mary.see("is in the trash", "#notices")
        mary.wait("![...document.querySelectorAll('#items .title')].some(e => e.textContent === 'Travel')", "it to be gone from the list", 90)
        mary.js("location.hash = 'trash'")
        mary.see("Travel", "#trashed")
        expect("Passport" not in mary.text("#trashed"), "what is in the folder is listed besides")
        self.look(mary, "trash")
        tap(mary, "#trashed [data-act=restore]")
        mary.wait(shown("#trash-empty"), "an empty trash", 90)
        mary.js("location.hash = ''")
        self.has(mary, "Travel")
        self.act(mary, "From the other", "menu")
        tap(mary, "dialog[open] .danger")
        mary.wait("!document.querySelector('dialog[open]')", "the change", 90)
        mary.js("location.hash = 'trash'")
        tap(mary, "#trashed [data-act=remove]")
        tap(mary, "dialog[open] .danger")
        mary.wait(shown("#trash-empty"), "an empty trash", 90)
        # Its id stays, so that other devices learn of it, and nothing else.
        database = sqlite3.connect(f"file:{self.stage.folder}/data/countersign.sqlite?mode=ro", uri=True)
        gone = database.execute("SELECT place, wrapped, metadata FROM vault_nodes WHERE removed IS NOT NULL").fetchall()
        database.close()
        expect(gone and all(row == ("", "", "") for row in gone), f"the server still has {gone}")
        mary.js("location.hash = ''")

    def pin(self):
        """A PIN is set, opens the vault, and waits after three wrong ones; common ones are refused."""
        mary = self.mary
        mary.js("location.hash = 'ways'")
        mary.wait(shown("#ways"))
        self.look(mary, "ways")
        tap(mary, "#add-pin-way")
        for pin, again, complaint in [("12345", "12345", "at least six"), ("123456", "123456", "Many people"), ("483920", "483921", "not the same")]:
            mary.fill("#pin-new", pin)
            mary.fill("#pin-again", again)
            tap(mary, "dialog[open] .primary")
            mary.wait(f"document.querySelector('#pin-error').textContent.includes({json.dumps(complaint)})", complaint, 90)
        hidden = "['#pin', '#pin-new', '#pin-again'].every(one => (document.querySelector(one)?.type ?? 'password') === 'password')"
        expect(mary.js(hidden), "the digits of the new PIN are shown")
        mary.fill("#pin-again", "483920")
        tap(mary, "dialog[open] .primary")
        mary.see("The PIN opens your vault", "#notices", 60)
        tap(mary, "#lock")
        mary.wait(CLOSED)
        tap(mary, "#open-pin")
        mary.fill("#pin", "483921")
        expect(mary.js(hidden), "the digits of the PIN are shown")
        tap(mary, "dialog[open] .primary")
        mary.wait("document.querySelector('#pin-error').textContent.includes('not the PIN')", "that it is wrong", 60)
        mary.fill("#pin", "483920")
        tap(mary, "dialog[open] .primary")
        mary.wait(OPEN, "the vault to be open", 60)
        self.has(mary, "Travel")
        tap(mary, "#lock")
        mary.wait(CLOSED)
        tap(mary, "#open-pin")
        for pin in ("111222", "222111", "929394"):
            mary.fill("#pin", pin)
            tap(mary, "dialog[open] .primary")
            mary.wait("document.querySelector('#pin-error').textContent.includes('not the PIN')", "that it is wrong", 60)
        mary.fill("#pin", "483920")
        tap(mary, "dialog[open] .primary")
        mary.wait("document.querySelector('#pin-error').textContent.includes('Too many')", "to wait", 60)
        self.look(mary, "pin-waits")
        tap(mary, "dialog[open] [type=button]")

    def recovered(self):
        """Another browser of the same person, whose passkey has no secret there, opens the vault with the words."""
        mary, laptop = self.mary, self.browser.person("laptop")
        laptop.send("Page.addScriptToEvaluateOnNewDocument", source=NO_WORKER + RECORDER)
        laptop.has_biometrics()
        # The passkey is synchronised to it, without the secret.
        for credential in mary.send("WebAuthn.getCredentials", authenticatorId=mary.authenticator)["credentials"]:
            laptop.send("WebAuthn.addCredential", authenticatorId=laptop.authenticator, credential=credential)
        sign_in(laptop, self.stage)
        self.visit(laptop)
        self.recover(laptop)
        self.has(laptop, "Travel")
        laptop.js("location.hash = 'ways'")
        laptop.see("Recovery key on paper", "#slots")
        # The copy of the passkey has no secret, and this browser no keys: it cannot be a way itself, and says what to do.
        tap(laptop, "#add-passkey-way")
        laptop.see("Add it under Devices", "#notices", 90)
        self.keep(laptop)

    def canary(self):
        """Nothing of what went in is in what the browser sent, in the data of the server or in its log."""
        self.keep(self.mary)
        names = [MARK, "Passport", "Travel", "identity", "is written here"]
        wanted = [form for name in names for form in (name, urllib.parse.quote(name), base64.b64encode(name.encode()).decode().rstrip("="))]
        joined = "\n".join(self.sent)
        expect(len(self.sent) > 20, f"only {len(self.sent)} bodies were recorded")
        for one in wanted:
            expect(one not in joined, f"{one} was sent")
        for path in Path(self.stage.folder).rglob("*"):
            if path.is_file():
                content = path.read_bytes()
                for one in wanted:
                    if one in ("identity", "Travel"):
                        continue
                    expect(one.encode() not in content, f"{one} is in {path.name}")
        lines = "".join(self.stage.lines)
        for one in (MARK, "Passport"):
            expect(one not in lines, f"{one} is in the log")

    def menu(self, page):
        """The menu "More": entries of one height that begin at one place, on a phone and on a wide screen."""
        for width in (390, 1280):
            page.resize(width, 900, width == 390)
            page.js("{ document.querySelector('#opened details.who').open = true; scrollTo(0, 0); }")
            found = page.js(ENTRIES)
            expect(found["count"] > 9 and len(found["begins"]) == 1, f"at {width} px the entries begin at {found['begins']}")
            expect(min(found["heights"]) >= 44, f"at {width} px the entries are so high: {found['heights']}")
            expect(found["bullets"] == "none" and not found["out"], f"at {width} px: {found}")
        self.look(page, "menu")
        page.js("document.querySelector('#opened details.who').open = false")

    def menu_closes(self):
        """What is pressed in the menu closes it; a dialog covers no open menu, and gives the focus back to where it was opened."""
        mary = self.mary
        self.open(mary)
        self.menu(mary)
        is_open = "document.querySelector('#opened details.who').open"
        for entry, there in [("a[href='#kept']", shown("#kept")), ("[data-module*=feedback]", shown("#feedback-text")), ("[data-carry=exportItems]", "!!document.querySelector('dialog[open]')")]:
            tap(mary, "#opened details.who summary")
            tap(mary, f"#opened .menu {entry}")
            mary.wait(there, f"what {entry} leads to", 60)
            expect(not mary.js(is_open), f"the menu is open behind what {entry} leads to")
            if mary.js("!!document.querySelector('dialog[open]')"):
                tap(mary, "dialog[open] form > .actions [type=button]")
                mary.wait("!document.querySelector('dialog[open]')", "the dialog to close")
                expect(mary.js("document.activeElement.matches('#opened details.who summary')"), f"the focus after {entry}: {mary.js('document.activeElement.outerHTML.slice(0, 200)')}")
        mary.js("location.hash = ''")
        mary.wait(shown("#folder"))

    def long_names(self):
        """A name that is one word of 65 letters stays on a phone: in the list, as a title, in the path, and in messages."""
        mary = self.mary
        self.open(mary)
        tap(mary, "[data-add=folder]")
        mary.fill("#question-value", LONG)
        tap(mary, "dialog[open] .primary")
        self.follow(mary, LONG)
        mary.wait(f"document.querySelector('#path [aria-current]')?.textContent === '{LONG}'", "the folder", 60)
        self.note(mary, LONG, "short")
        mary.resize(390, 844, True)
        self.on_screen(mary, "#path li", "#items .title")
        self.act(mary, LONG, "menu")
        mary.wait(shown("#change-expires"))
        mary.js(f"(e => {{ e.value = '{date.today() + timedelta(days=30)}'; e.dispatchEvent(new Event('input')) }})(document.querySelector('#change-expires'))")
        tap(mary, "dialog[open] .primary")
        mary.wait("!document.querySelector('dialog[open]')", "the change", 60)
        self.look(mary, "long-name-list")
        mary.resize(390, 844, True)
        begins = mary.js("""[...document.querySelectorAll('#items li')].map(row => ['.title', '.badge', '.actions .button'].map(one => {
            const range = document.createRange();
            const part = row.querySelector(one);
            if (!part.matches('.badge')) range.selectNodeContents(part); else range.selectNode(part);
            return Math.round(range.getBoundingClientRect().left); }))""")
        expect(begins and all(len(set(one)) == 1 for one in begins), f"title, badge and button begin at {begins}")
        self.follow(mary, LONG)
        mary.wait(shown("#item-acts .danger"))
        self.on_screen(mary, "#path li", "#item-title")
        self.look(mary, "long-name")
        mary.resize(390, 844, True)
        tap(mary, "#item-acts .danger")
        mary.see("is in the trash", "#notices", 60)
        self.on_screen(mary, "#notices .notice", "#notices p", "#notices .button")
        corner = mary.js("""[...document.querySelectorAll('#notices .notice')].map(notice => {
            const [box, words, cross] = [notice, ...notice.querySelectorAll('p, .dismiss')].map(one => one.getBoundingClientRect());
            return cross.top - box.top < 16 && cross.left >= words.right - 1 && box.right - cross.right < 16; })""")
        expect(corner and all(corner), "the cross of a message is not in its corner")
        mary.js("location.hash = 'trash'")
        mary.wait(shown("#trashed .title"))
        self.on_screen(mary, "#trash-title", "#trashed .title")
        if self.pictures:
            mary.picture(self.pictures / "long-name-notice-390.png", whole=False)
        mary.js("document.querySelector('#notices .dismiss').click()")
        tap(mary, "#trashed [data-act=remove]")
        tap(mary, "dialog[open] .danger")
        mary.wait(shown("#trash-empty"), "an empty trash", 60)
        mary.resize(1280, 900)
        mary.js("location.hash = ''")

    def on_screen(self, page, *selectors):
        """All of these can be seen, and nothing of them is beside the screen, which is as wide as it should be."""
        for selector in selectors:
            found = page.js(f"""[...document.querySelectorAll({json.dumps(selector)})].filter(e => e.checkVisibility()).map(e => {{
                const range = document.createRange();
                range.selectNodeContents(e);
                return [e, range].map(one => one.getBoundingClientRect()).flatMap(({{ left, right }}) => [left, right]); }})""")
            expect(found and all(-1 <= edge <= 391 for edges in found for edge in edges), f"{selector} is from {found} on a screen of {page.js('innerWidth')}")

    def dropped(self):
        """A file that is dropped and a picture that is pasted are added to the folder that is looked at; in a field, pasting is the field's."""
        mary = self.mary
        tap(mary, "[data-add=folder]")
        mary.fill("#question-value", "By hand")
        tap(mary, "dialog[open] .primary")
        self.follow(mary, "By hand")
        mary.wait("document.querySelector('#path [aria-current]')?.textContent === 'By hand'", "the folder", 60)
        mary.drop("#folder", self.file("dropped.txt", b"let go of here"))
        self.has(mary, "dropped.txt")
        self.paste(mary, png(40, 30), "#search")
        self.paste(mary, png(50, 30))
        mary.wait("document.querySelectorAll('#items li').length === 2 && !document.querySelector('#transfers li')", "the picture", 60)
        mary.settle()
        pasted = next(one for one in self.names(mary) if one != "dropped.txt")
        expect(len(self.names(mary)) == 2 and any(character.isdigit() for character in pasted), f"{self.names(mary)}")
        self.follow(mary, "dropped.txt")
        mary.wait("document.querySelector('#item-view pre')?.textContent === 'let go of here'", "the file", 60)
        tap(mary, "#item-close")
        self.follow(mary, pasted)
        mary.wait("document.querySelector('#item-view img')?.naturalWidth === 50", "the picture", 60)
        tap(mary, "#item-close")
        # What is dropped on a field of a dialog is the field's.
        tap(mary, "#opened details.who summary")
        tap(mary, "[data-carry=importItems]")
        mary.drop("#import-file", self.file("for the field.age", b"not for the folder"))
        mary.wait("document.querySelector('#import-file').files[0]?.name === 'for the field.age'", "the file in its field", 20)
        mary.drop("dialog[open] h2", self.file("beside it.txt", b"not for the folder"))
        self.paste(mary, png(60, 30))
        mary.settle()
        tap(mary, "dialog[open] form > .actions [type=button]")
        mary.wait("!document.querySelector('dialog[open]')", "the dialog to close")
        time.sleep(1)
        expect(set(self.names(mary)) == {"dropped.txt", pasted} and not mary.js("document.querySelector('#transfers li')"), f"{self.names(mary)}")
        mary.js("location.hash = ''")
        self.has(mary, "By hand")

    def questions(self):
        """The page of questions and answers, and of privacy."""
        mary = self.mary
        mary.goto(self.stage.url + "/wallet/vault/help")
        mary.wait(shown("#questions") + " && getComputedStyle(document.querySelector('#questions')).visibility === 'visible'", "the questions")
        expect(mary.js(shown("#privacy")) and "The server knows that you have a vault" in mary.text("main"), "no privacy in short")
        mary.js("document.querySelector('#privacy').closest('section').querySelector('details').open = true")
        mary.see("Your device encrypts everything before it is sent", "main")
        self.look(mary, "questions")
        mary.js("[...document.querySelectorAll('details.fold')].find(e => e.textContent.includes('if I lose my device')).open = true")
        mary.see("The recovery key alone does not sign you in", "main")
        mary.js("document.querySelectorAll('details.fold').forEach(e => { e.open = true })")
        mary.see("A browser tells this page only that it was not allowed, and not why", "main")
        expect(mary.text("main").count("21 days later no backup of the server opens it either") == 2, "how long backups open what was deleted")
        tap(mary, "[data-module='/assets/vault/tutorial.js']")
        mary.see("Sealed before it leaves", "#vault-tutorial")
        tap(mary, "#vault-tutorial .quiet")

    def other_face(self):
        """With another face nothing opens; the second failure ends the session."""
        mary = self.mary
        self.visit(mary)
        mary.is_recognised(False)
        tap(mary, "#open-passkey")
        # A browser says only “not allowed”: the page names no cause, and the help says why it cannot.
        mary.see("Nothing happened. Try again, or sign in another way. One attempt is left.", "dialog[open] .error-text", 90)
        expect(not mary.js(OPEN), "it is open")
        tap(mary, "dialog[open] .primary")
        mary.wait("location.pathname === '/sign-in' || document.querySelector('dialog[open]')?.innerText.includes('Sign in')", "the session to be over", 90)
        mary.wait("fetch('/api/sessions/current').then(r => r.status === 401)", "the session to be over", 90)


def main():
    pictures = pictures_folder()
    case = Cases()
    with tempfile.TemporaryDirectory() as folder:
        film = Path(folder, "film.y4m")
        write_film(film, bytes([200]) * (WIDTH * HEIGHT))
        flags = ["--use-fake-device-for-media-stream", "--use-fake-ui-for-media-stream", f"--use-file-for-fake-video-capture={film}"]
        with server() as stage, Chromium(*flags, whole=True) as browser:
            run(case, Vault(stage, browser, folder, pictures))
    return case.end()


def run(case, vault):
    case("the vault is made, with its recovery key", vault.first)
    case("things go in in four ways, and are seen again", vault.four_ways)
    case("an earlier state is put back", vault.earlier)
    case("folders, names, tags and reminders; search and sort", vault.in_order)
    case("a field that is left empty, and Escape from a note", vault.left_empty)
    case("a note with fields", vault.fields)
    case("the list in four orders", vault.four_orders)
    case("a reminder comes 60 days before, and nothing is deleted", vault.reminded)
    case("each step has the focus, and a list is found as it was left", vault.arrives)
    case("a reminder at no time", vault.far)
    case("locked, nothing is left; it opens to the face", vault.locked)
    case("two devices change it at once", vault.two_devices)
    case("what another tab has seen meanwhile is no older state", vault.seen_meanwhile)
    case("an older item in the trash is found out", vault.rolled_back)
    case("an act that ends behind the lock", vault.slow)
    case("trash, back, and destroyed", vault.deleted)
    case("the menu is in line, and closes when something is pressed", vault.menu_closes)
    case("a long name stays on a phone", vault.long_names)
    case("what is dropped or pasted is added", vault.dropped)
    case("another browser opens it with the recovery key", vault.recovered)
    case("a PIN opens it, and waits after three wrong ones", vault.pin)
    case("nothing of it is with the server", vault.canary)
    case("questions and answers", vault.questions)
    # It ends the session: the last one.
    case("another face opens nothing", vault.other_face)


if __name__ == "__main__":
    sys.exit(main())
