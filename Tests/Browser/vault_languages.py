#!/usr/bin/env python3
"""Reads the vault's pages and dialogs in German and in Arabic: nothing is cut off, and no English is left.

    COUNTERSIGN=.build/debug/countersign python Tests/Browser/vault_languages.py [--pictures FOLDER] [words of a case …]
"""

import sys
import tempfile

from attacks_stage import Cases, expect, server, shown, tap
from chromium import Chromium
from face import png
from looking import pictures_folder
from vault import CLOSED, OPEN
from vault_locks import MAIN, Locks

# What may be written in Latin letters: what people typed, what programs are called, and units.
LATIN = """(() => { const found = new Set(); const walk = document.createTreeWalker(document.querySelector('dialog[open]') ?? document.querySelector('#main'), NodeFilter.SHOW_TEXT);
for (let node = walk.nextNode(); node; node = walk.nextNode()) {
    if (!node.parentElement.checkVisibility() || node.parentElement.closest('.recovery-words, [dir=auto], script, template, option')) continue;
    for (const word of node.data.replace(/\\u2068[^\\u2069]*\\u2069/g, "").match(/[A-Za-z]{3,}/g) ?? []) if (!%s.includes(word)) found.add(node.data.trim()); }
return [...found]; })()"""
KNOWN = '["PIN", "PINs", "PDF", "AES", "GCM", "KiB", "Example", "University", "Ctrl", "Shift"]'


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
        mary.js("location.hash = 'trash'")
        mary.wait(shown("#trash"))
        self.look(mary, "trash")
        mary.js("document.querySelector('#opened [data-module*=tutorial]').click()")
        mary.wait(shown("#vault-tutorial"))
        self.look(mary, "tutorial")
        self.close(mary)
        tap(mary, "#lock")
        mary.wait(CLOSED)

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
    with tempfile.TemporaryDirectory() as folder, server() as stage, Chromium() as browser:
        reading = Reading(stage, browser, folder, pictures)
        case("a vault with something of every kind", reading.filled)
        case("its pages and dialogs in German", reading.german)
        case("its pages and dialogs in Arabic", reading.arabic)
        case("the wait after wrong PINs in Arabic", reading.waits)
    return case.end()


if __name__ == "__main__":
    sys.exit(main())
