"""The people whose accounts are backed up, the services that they sign in to, and what they do on the page of accounts."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path
from urllib.parse import quote

from attacks_stage import NO_WORKER, expect, front, mistakes, set_up, shown, sign_up, tap, visit
from looking import look
from pico_wallet import Wallet

INTEROP = Path(__file__).parents[1] / "Interop/pico"
PHRASE = r"([0-9A-HJKMNP-TV-Z]{4}-){5}[0-9A-HJKMNP-TV-Z]{4}"


class BackupStage:
    def __init__(self, stage, browser, folder, pictures=None):
        self.stage, self.browser, self.folder, self.pictures = stage, browser, Path(folder), pictures
        owner = self.person("owner")
        set_up(owner, stage, "Example University", "Olivia Owner", "owner")
        self.phone, self.laptop = self.person("phone"), self.person("laptop")
        sign_up(self.phone, stage, "mary", "Mary", "Smith")
        sign_up(self.laptop, stage, "bob")
        self.wallet = Wallet(stage, folder)
        self.saved, self.phrase = None, None

    def person(self, name):
        person = self.browser.person(name)
        person.send("Page.addScriptToEvaluateOnNewDocument", source=NO_WORKER)
        person.has_biometrics()
        return person

    def look(self, page, name):
        look(page, name, self.pictures, 1100)

    def service(self, purpose, *words, name="Example computer"):
        """A service of the command line: the process, and its code."""
        files = self.folder / "service"
        process = subprocess.Popen(
            [os.environ["COUNTERSIGN"], "pico-service", purpose, "--channel", self.stage.url, "--identity", f"{files}.key",
             "--pairings", f"{files}.users", "--json", *(["--name", name] if purpose == "pair" else []), *words],
            stdout=subprocess.PIPE, text=True)
        return process, json.loads(process.stdout.readline())["code"]

    def verifier(self, *words):
        """A service in Python: the process, and its code."""
        process = subprocess.Popen(
            [sys.executable, INTEROP / "verifier.py", words[0], self.stage.url, *words[1:]], stdout=subprocess.PIPE, text=True)
        return process, process.stdout.readline().strip()

    def scan(self, page, text):
        front(page)
        visit(page, "/wallet/pico/answer#" + quote(text, safe=""), self.stage.url)

    def sign_in(self, page, process, code):
        """The page signs in to the service; what the service said of it."""
        self.scan(page, code)
        tap(page, "#allow")
        page.wait(shown("#verdict"), "an end", 60)
        expect(page.js(shown("#verdict.yes")), page.text("#verdict"))
        said = process.stdout.readline()
        expect(process.wait(60) == 0, said)
        return said

    def accounts(self, page):
        """The page of accounts, with what it lists."""
        front(page)
        visit(page, "/wallet/pico/accounts", self.stage.url)
        page.wait(shown("[data-step=list]"), "the list")
        return page.js("[...document.querySelectorAll('#accounts > li')].map(e => e.innerText.replace(/\\s+/g, ' '))")

    def to_phrase(self, page):
        """Makes a backup as far as its phrase."""
        tap(page, "#make")
        tap(page, "#make-go")
        page.wait(shown("#phrase"), "the phrase", 60)
        phrase = page.text("#phrase")
        expect(re.fullmatch(PHRASE, phrase), phrase)
        return phrase

    def open(self, page, file, phrase):
        """Opens a file on the page of accounts: until what it brings, or what is wrong."""
        self.accounts(page)
        tap(page, "#take")
        if file:
            page.wait(shown("#file"))
            page.upload("#file", file)
        page.fill("#open-phrase", phrase)
        tap(page, "#open-go")
        page.wait(f"{shown('[data-step=found]')} || {shown('#open-form .error-summary')}", "an outcome", 60)
        return mistakes(page, "#open-form") if page.js(shown("#open-form .error-summary")) else []

    def found(self, page):
        return page.js("[...document.querySelectorAll('#found > li')].map(e => e.innerText.replace(/\\s+/g, ' '))")

    def add(self, page, count):
        tap(page, "#add")
        page.wait(shown("#verdict.yes"), "to be added", 60)
        words = "1 account was added" if count == 1 else f"{count} accounts were added"
        expect(page.text("#over-title") == words, page.text("#over-title"))
