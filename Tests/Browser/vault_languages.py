#!/usr/bin/env python3
"""Reads the vault's pages and dialogs in German and in Arabic: nothing is cut off, and no English is left.

    COUNTERSIGN=.build/debug/countersign python Tests/Browser/vault_languages.py [--pictures FOLDER] [words of a case …]
"""

import sys
import tempfile
from pathlib import Path

from attacks_stage import Cases, expect, server, shown, tap
from chromium import Chromium
from face import png
from looking import pictures_folder
from scanning import HEIGHT, WIDTH, write_film
from vault import CLOSED, OPEN
from vault_locks import MAIN, Locks

# What may be written in Latin letters: what people typed, what programs are called, and units.
LATIN = """(() => { const found = new Set(); const walk = document.createTreeWalker(document.querySelector('dialog[open]') ?? document.querySelector('#main'), NodeFilter.SHOW_TEXT);
for (let node = walk.nextNode(); node; node = walk.nextNode()) {
    if (!node.parentElement.checkVisibility() || node.parentElement.closest('.recovery-words, .fingerprint, #people-username, [dir=auto], script, template, option')) continue;
    for (const word of node.data.replace(/\\u2068[^\\u2069]*\\u2069/g, "").match(/[A-Za-z]{3,}/g) ?? []) if (!%s.includes(word)) found.add(node.data.trim()); }
return [...found]; })()"""
KNOWN = '["PIN", "PINs", "PDF", "AES", "GCM", "KiB", "Example", "University", "Ctrl", "Shift", "age", "AGE", "SECRET", "KEY"]'


class Reading(Locks):
    language = "en"

    def choose(self, page, code):
        self.language = code
        page.goto(self.stage.url + "/wallet/vault/help")
        page.js(f"""(e => {{ e.value = '{code}'; e.dispatchEvent(new Event('change')); }})(document.querySelector('[data-language]'))""")
        page.wait(f"document.documentElement.lang === '{code}' && document.readyState === 'complete'", f"the page in {code}", 60)

    def look(self, page, name):
        super().look(page, f"{name}-{self.language}")
        if self.language == "ar":
            english = page.js(LATIN % KNOWN)
            expect(not english, f"{name}: {english}")

    def close(self, page):
        page.js("document.querySelectorAll('dialog[open]').forEach(e => e.close())")

    def filled(self):
        """In English first: a vault with something of every kind."""
        mary = self.mary
        self.words = self.make(mary)
        self.make_folder(mary, "Reise 2027")
        self.note(mary, "ملاحظة", "نص")
        self.note(mary, "Notiz", "Text")
        mary.upload("#add input[accept='*/*']", self.file("passport.png", png(300, 200)))
        self.has(mary, "passport.png")
        self.photo(mary)
        self.follow(mary, "Notiz")
        self.act_on(mary, "lock")
        mary.wait(shown("#lock-pin"), "to be asked how")
        mary.js("document.querySelector('#lock-pin').click()")
        tap(mary, "dialog[open] .primary")
        mary.see("The item has a lock", "#notices", 60)
        self.ways(mary)
        tap(mary, "#add-pin-way")
        self.new_pin(mary, MAIN)
        mary.see("The PIN opens your vault", "#notices", 60)

    def photo(self, page):
        """A photo that was cropped: it has an earlier state."""
        before = self.names(page)
        tap(page, "[data-add=camera]")
        page.wait("document.querySelector('dialog video')?.videoWidth > 0", "the camera", 90)
        tap(page, "dialog[open] .primary")
        page.wait(shown(".crop-corner"), "the corners", 90)
        page.js("document.querySelector('.crop-corner.top.left').focus()")
        page.press("ArrowRight")
        tap(page, "dialog[open] .primary")
        page.wait(f"document.querySelectorAll('#items li').length === {len(before) + 1} && !document.querySelector('#transfers li')", "the photo", 60)
        self.cropped = next(one for one in self.names(page) if one not in before)

    def dialogs(self, page, buttons, ready="dialog[open] h2"):
        """Reads the dialogs of some buttons, by what they are called in pictures."""
        for name, button in buttons.items():
            tap(page, button)
            page.wait(shown(ready), f"the dialog {name}")
            page.settle()
            self.look(page, name)
            self.close(page)
            page.wait(f"!document.querySelector('dialog[open]') && !document.querySelector('{button}[aria-busy]')", f"the dialog {name} to close")

    def read(self, code):
        mary = self.mary
        self.choose(mary, code)
        self.look(mary, "questions")
        self.visit(mary)
        self.look(mary, "locked")
        tap(mary, "#open-pin")
        mary.wait(shown("#pin"))
        self.look(mary, "pin")
        self.close(mary)
        tap(mary, "#open-passkey")
        mary.wait(OPEN, "the vault to be open", 90)
        self.has(mary, "passport.png")
        self.look(mary, "list")
        self.menu(mary)
        tap(mary, "[data-add=note]")
        mary.wait(shown("#note-text"))
        self.look(mary, "note")
        self.close(mary)
        self.act(mary, "passport.png", "menu")
        mary.wait(shown("#change-name"))
        self.look(mary, "change")
        self.close(mary)
        self.follow(mary, "passport.png")
        mary.wait("document.querySelector('#item-view img')?.naturalWidth > 0", "the picture", 90)
        self.look(mary, "item")
        self.act_on(mary, "lock")
        mary.wait(shown("#lock-pin"))
        self.look(mary, "lock")
        self.close(mary)
        self.dialogs(mary, {name: f"#item-acts [data-act={name}]" for name in ("share", "link", "keep")})
        mary.js("location.hash = ''")
        self.follow(mary, self.cropped)
        mary.wait("document.querySelector('#item-view img')?.naturalWidth > 0", "the photo", 90)
        self.dialogs(mary, {"versions": "#item-acts [data-act=versions]"}, "dialog[open] li")
        mary.js("location.hash = ''")
        mary.wait("!!document.querySelector('#items [data-act=menu][hidden]')", "the locked item", 60)
        mary.js("document.querySelector('#items [data-act=menu][hidden]').closest('li').querySelector('.title').click()")
        mary.wait(shown("#item-acts [data-act=open-passkey]"))
        self.look(mary, "locked-item")
        mary.js("location.hash = 'ways'")
        mary.wait(shown("[data-pin=tier]"))
        self.look(mary, "ways")
        for kind in ("tier", "decoy"):
            tap(mary, f"[data-pin={kind}]")
            mary.wait(shown("#tier-name"))
            self.look(mary, kind)
            self.close(mary)
        self.dialogs(mary, {"new-pin": "#slots [data-act=change]"}, "#pin-new")
        self.others(mary)
        mary.js("location.hash = 'trash'")
        mary.wait(shown("#trash"))
        self.look(mary, "trash")
        mary.js("document.querySelector('#opened [data-module*=tutorial]').click()")
        mary.wait(shown("#vault-tutorial"))
        self.look(mary, "tutorial")
        self.close(mary)
        tap(mary, "#lock")
        mary.wait(CLOSED)

    def others(self, page):
        """What there is about other people, what is kept on this device, and how things go out and come in."""
        for view, buttons in {"people": {}, "inbox": {"caretaker": "#add-caretaker"}, "emergency": {"contact": "#add-contact"},
                              "kept": {}}.items():
            page.js(f"location.hash = '{view}'")
            page.wait(shown(f"#{view}"), view)
            page.settle()
            self.look(page, view)
            self.dialogs(page, buttons)
        for name in ("exportItems", "importItems"):
            page.js("document.querySelector('#opened details.who').open = true")
            tap(page, f"[data-carry={name}]")
            page.wait(shown("dialog.carry"), f"the dialog {name}")
            self.look(page, {"exportItems": "take-out", "importItems": "bring-in"}[name])
            self.close(page)
            page.js("document.querySelector('#opened details.who').open = false")

    def german(self):
        """In German."""
        self.read("de")

    def arabic(self):
        """In Arabic, from right to left; no English word is left."""
        self.read("ar")

    def waits(self):
        """The wait after wrong PINs, in Arabic."""
        mary = self.mary
        tap(mary, "#open-pin")
        for pin in ("747472", "747473", "747474", "747475"):
            mary.wait("!document.querySelector('#pin').value && !document.querySelector('dialog[open] [aria-busy]')")
            mary.fill("#pin", pin)
            tap(mary, "dialog[open] .primary")
            mary.wait("!document.querySelector('dialog[open] [aria-busy]') && document.querySelector('#pin-error').textContent.length > 0", "an answer", 60)
        mary.wait(shown("[role=timer]"), "the time to wait", 60)
        self.look(mary, "waits")
        self.close(mary)


def main():
    pictures = pictures_folder()
    case = Cases()
    with tempfile.TemporaryDirectory() as folder:
        film = Path(folder, "film.y4m")
        write_film(film, bytes([200]) * (WIDTH * HEIGHT))
        flags = ["--use-fake-device-for-media-stream", "--use-fake-ui-for-media-stream", f"--use-file-for-fake-video-capture={film}"]
        with server() as stage, Chromium(*flags, whole=True) as browser:
            reading = Reading(stage, browser, folder, pictures)
            case("a vault with something of every kind", reading.filled)
            case("its pages and dialogs in German", reading.german)
            case("its pages and dialogs in Arabic", reading.arabic)
            case("the wait after wrong PINs in Arabic", reading.waits)
    return case.end()


if __name__ == "__main__":
    sys.exit(main())
