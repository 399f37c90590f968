#!/usr/bin/env python3
"""The four tasks of the original's user test, done here, with the number of actions that each takes.

    COUNTERSIGN=.build/debug/countersign python Tests/Browser/vault_tasks.py

Testers of FileSafe were to log in; to add something in each of four ways, encrypt it and save it; to look at what they saved in
folders; and to log out and in again and find it all. An action is a press, a field that is filled in, a choice, or a look at the
device (face, finger or PIN). `docs/vault.md` has the numbers that this prints.
"""

import sys
import tempfile
from pathlib import Path

from attacks_stage import Cases, expect, front, pdf, server, set_up, shown, tap
from chromium import Chromium, Failure
from face import png
from scanning import HEIGHT, WIDTH, write_film
from vault import CLOSED, MARK, OPEN, Vault

DOCS = Path(__file__).resolve().parents[2] / "docs/vault.md"


class Tasks(Vault):
    def __init__(self, stage, browser, folder):
        self.stage, self.browser, self.folder, self.pictures, self.sent = stage, browser, Path(folder), None, []
        owner = self.person("owner")
        set_up(owner, stage, "Example University", "Olivia Owner", "owner")
        self.mary = self.person("mary")
        self.counts = []

    def counted(self, name, act):
        """Does a task and remembers its actions; looks at the device count too."""
        mary = self.mary
        looks = self.looks()
        mary.actions = 0
        act(mary)
        count = mary.actions + self.looks() - looks
        self.counts.append((name, count))
        print(f"     {name}: {count} actions", flush=True)

    def looks(self):
        """How often the device was asked for a passkey, its making included."""
        return self.mary.biometrics

    def log_in(self):
        def act(mary):
            mary.goto(self.stage.url + "/sign-up")
            mary.wait("document.querySelector('#go')?.textContent.includes('passkey')")
            mary.fill("#given_name", "Mary")
            mary.fill("#family_name", "Smith")
            mary.fill("#username", "mary")
            tap(mary, "#go")
            mary.wait("location.pathname === '/wallet'", "the wallet", 60)
            # The wallet's own tutorial comes once, and is passed over.
            tap(mary, "#tutorial .quiet")
            mary.wait("!document.querySelector('#tutorial')")
        self.counted("log in for the first time", act)

    def add(self):
        def make(mary):
            self.to_vault(mary)
            mary.wait(shown("#make"), "the vault's page", 60)
            tap(mary, "#make")
            tap(mary, "#vault-tutorial .quiet")
            mary.wait(shown("#recovery-title"), "the recovery key", 60)
            words = mary.js("[...document.querySelectorAll('.recovery-words li')].map(e => e.textContent)")
            tap(mary, "dialog[open] .primary")
            mary.fill("#words", " ".join(words))
            tap(mary, "dialog[open] .primary")
            mary.wait(OPEN, "the vault to be open", 60)

        def photo(mary):
            tap(mary, "[data-add=camera]")
            mary.wait("document.querySelector('dialog video')?.videoWidth > 0", "the camera", 60)
            tap(mary, "dialog[open] .primary")
            mary.wait(shown(".crop-corner"), "the corners", 60)
            tap(mary, "dialog[open] .primary")
            mary.wait("document.querySelectorAll('#items li').length === 1 && !document.querySelector('#transfers li')", "the photo", 60)

        def picture(mary):
            tap(mary, "[data-add=photos]")
            mary.upload("#add input[accept='image/*']", self.file("holiday.png", png(300, 200)))
            mary.wait("document.querySelectorAll('#items li').length === 2 && !document.querySelector('#transfers li')", "the picture", 60)

        def file(mary):
            tap(mary, "[data-add=files]")
            mary.upload("#add input[accept='*/*']", pdf(f"{MARK}.pdf"))
            self.has(mary, f"{MARK}.pdf")

        self.counted("make the vault, with its recovery key (once)", make)
        self.mary.see("Encrypted on this device before it is sent", "#sealing")
        self.counted("add a photo from the camera", photo)
        self.counted("add a photo that is there", picture)
        self.counted("add a file", file)
        self.counted("write a note and give it a name", lambda mary: self.note(mary, "Shopping", "apples"))

    def folders(self):
        def act(mary):
            tap(mary, "[data-add=folder]")
            mary.fill("#question-value", "Travel")
            tap(mary, "dialog[open] .primary")
            self.has(mary, "Travel")
            tap(mary, f'[data-key="{self.id_of(mary, MARK + ".pdf")}"] [data-act=menu]')
            mary.wait(shown("#change-folder"))
            mary.choose("#change-folder", "Travel")
            tap(mary, "dialog[open] .primary")
            mary.wait("!document.querySelector('dialog[open]')", "the change", 60)

        def look(mary):
            tap(mary, f'[data-key="{self.id_of(mary, "Travel")}"] .title')
            self.has(mary, f"{MARK}.pdf")
            tap(mary, f'[data-key="{self.id_of(mary, MARK + ".pdf")}"] .title')
            mary.wait("document.querySelector('#item-view iframe')", "the file", 60)
        self.counted("make a folder and put a file into it", act)
        self.counted("open the folder and look at the file", look)

    def to_vault(self, page):
        """By the bar of places; on a phone the vault is under its last one."""
        link = ".places a[href='/wallet/vault']"
        page.wait(f"!!document.querySelector({link!r})", "the bar", 60)
        if not page.js(shown(link)):
            tap(page, ".places summary")
        tap(page, link)

    def again(self):
        def act(mary):
            front(mary)
            # The person's own menu is at the top of each page.
            mary.js("document.querySelectorAll('details.who[open]').forEach(e => { e.open = false })")
            self.sign_out(mary)
            mary.wait("location.pathname === '/'", "to be signed out", 60)
            tap(mary, "header a[href^='/sign-in'], a[href^='/sign-in']")
            mary.wait(f"location.pathname === '/sign-in' && {shown('#passkey')} || location.pathname.startsWith('/wallet')", "signing in", 60)
            try:
                mary.wait("location.pathname !== '/sign-in'", seconds=20)
            except Failure:
                # It may be under way this very moment: then the button goes before it is pressed.
                mary.wait("(document.querySelector('#passkey')?.click(), true)", "the button or another page")
            # The button, or the passkey in the list of the field: a press too.
            mary.actions += 1
            mary.wait("location.pathname.startsWith('/wallet')", "to be signed in", 60)
            mary.wait("document.readyState === 'complete'")
            if mary.js("location.pathname") != "/wallet/vault":
                self.to_vault(mary)
            mary.wait(CLOSED, "the locked vault", 60)
            tap(mary, "#open-passkey")
            mary.wait(OPEN, "the vault to be open", 60)
            self.has(mary, "Travel")
        self.counted("log out, log in again, and find it all", act)

    def sign_out(self, page):
        page.wait("document.querySelector('[data-account]')?.textContent === 'mary'", "the session", 60)
        tap(page, "details.who > summary")
        tap(page, "[data-sign-out]")

    def said(self):
        """The page about the vault has the same numbers."""
        text = DOCS.read_text()
        for name, count in self.counts:
            expect(f"| {name} | {count} |" in text, f"docs/vault.md does not say: | {name} | {count} |")


def main():
    case = Cases()
    with tempfile.TemporaryDirectory() as folder:
        film = Path(folder, "film.y4m")
        write_film(film, bytes([200]) * (WIDTH * HEIGHT))
        flags = ["--use-fake-device-for-media-stream", "--use-fake-ui-for-media-stream", f"--use-file-for-fake-video-capture={film}"]
        with server() as stage, Chromium(*flags, whole=True) as browser:
            tasks = Tasks(stage, browser, folder)
            case("log in", tasks.log_in)
            case("add in four ways, encrypt and save", tasks.add)
            case("look at it in folders", tasks.folders)
            case("log out and in again", tasks.again)
            case("docs/vault.md says so", tasks.said)
    return case.end()


if __name__ == "__main__":
    sys.exit(main())
