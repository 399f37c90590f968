#!/usr/bin/env python3
"""Names of people as pages show them: three who share one, one who marries, and names in many scripts.

    COUNTERSIGN=.build/debug/countersign names.py [--pictures FOLDER] [WORDS OF A CASE ...]
"""

import json
import sys
import tempfile
from pathlib import Path

from attacks_stage import NO_WORKER, Cases, api, appoint, check, expect, front, mistakes, ready, server, set_up, shown, sign_up, tap, visit
from chromium import Chromium
from looking import examine, pictures_folder, ways
from names_pages import NamesOnPages

# Eighty letters, as a name with the father's, grandfather's and great-grandfather's names can have.
ARABIC = " ".join(["عبد الرحمن", "محمد", "الهاشمي", "المكي", "أحمد", "العباسي", "البغدادي", "الخزرجي", "النعماني", "عمر", "الشامي"])
TITLES = "[...document.querySelectorAll('#list .title')].map(e => e.textContent)"


class Names(NamesOnPages):
    def __init__(self, stage, browser, pictures=None):
        self.stage, self.browser, self.pictures = stage, browser, pictures
        self.folder = Path(tempfile.mkdtemp(prefix="countersign-names-"))

    def person(self, name):
        person = self.browser.person(name, width=1280, height=900)
        person.send("Page.addScriptToEvaluateOnNewDocument", source=NO_WORKER)
        person.has_biometrics()
        return person

    def set_up(self):
        self.owner, self.admin = self.person("owner"), self.person("administrator")
        organisation = "Staatliche Hochschule für Musik und Darstellende Kunst Stuttgart und Freiburg"
        set_up(self.owner, self.stage, organisation, "Grace Hopper", "grace")
        self.open_desk()
        appoint(self.owner, self.admin, self.stage, "Anna Administrator", "anna")
        expect(organisation in self.owner.text("body"), "the organisation's name is not whole")
        self.marys = [self.person(f"mary{number}") for number in range(3)]
        for number, mary in enumerate(self.marys):
            sign_up(mary, self.stage, f"mary{number}", "Mary", "Smith")

    def members(self, query=""):
        front(self.admin)
        visit(self.admin, f"/console/members{query}", self.stage.url)
        self.admin.wait("document.querySelectorAll('#list .title').length > 0", "the members")

    def one_name(self):
        """Three of one name stand in the list as three, each with the username."""
        self.members("?q=smith")
        self.look(self.admin, "namesakes")
        rows = self.admin.js("[...document.querySelectorAll('#list [data-key]')].map(e => e.innerText)")
        expect(len(rows) == 3 and all("Mary Smith" in row for row in rows), rows)
        expect(all(any(f"mary{number}" in row for row in rows) for number in range(3)), rows)

    def checked(self):
        """After the check the paper's name is the account's, in the administrator's list and in the wallet."""
        mary = self.marys[0]
        check(self.admin, mary, self.stage, "Smith-Młynarczyk", given="Maryam")
        expect("Maryam Smith-Młynarczyk is verified" in self.admin.text("#done-text"), self.admin.text("#done-text"))
        self.members("?q=mary0")
        expect(self.admin.js(TITLES) == ["Maryam Smith-Młynarczyk"], self.admin.js(TITLES))
        front(mary)
        visit(mary, "/wallet/devices", self.stage.url)
        mary.wait("document.querySelector('#own-name').textContent", "the name")
        expect(mary.text("#own-name") == "Maryam Smith-Młynarczyk", mary.text("#own-name"))
        expect(not mary.js(shown("#rename-self")), "a checked name can be changed")
        status = api(mary, "PATCH", "/api/account", {"name": "Somebody"})[0]
        expect(status == 409, f"the server lets a checked name be changed: {status}")

    def married(self):
        """A second check, with another name on the paper: from then on that is the name."""
        check(self.admin, self.marys[0], self.stage, "Jones", given="Maryam")
        self.members("?q=mary0")
        expect(self.admin.js(TITLES) == ["Maryam Jones"], self.admin.js(TITLES))

    def changed(self):
        """Whoever was not checked changes the name in its parts."""
        mary = self.marys[1]
        front(mary)
        visit(mary, "/wallet/devices", self.stage.url)
        tap(mary, "#rename-self")
        mary.wait(shown("#question-given_name"))
        expect(mary.js("document.querySelector('#question-family_name').value") == "Smith", "the parts are not filled in")
        # What is wrong is said in the form, which stays with what was typed.
        for given, family, words in (("م" * 81, "Smith", "Too long: 1 character over."), ("", "", "Say your name.")):
            mary.fill("#question-given_name", given)
            mary.fill("#question-family_name", family)
            tap(mary, "dialog[open] .primary")
            mary.wait(shown("dialog[open] .error-summary"), "the summary", 30)
            found = mistakes(mary, "dialog[open] form")
            expect(found == [words], f"{found}")
        mary.fill("#question-given_name", "")
        mary.fill("#question-family_name", "Suharto")
        tap(mary, "dialog[open] .primary")
        mary.wait("document.querySelector('#own-name').textContent === 'Suharto'", "the new name")

    def scripts(self):
        """Names of eighty letters, of one word, without spaces and in many scripts fit on phone and desktop."""
        for username, given, family in (
                ("arabic", "", ARABIC[:80].strip()), ("single", "Pelé", ""), ("japanese", "花子", "山田"),
                ("wide", "Wolfeschlegelsteinhausenbergerdorff", "x" * 80)):
            person = self.person(username)
            if username == "arabic":
                self.arabic = person
            sign_up(person, self.stage, username, given, family)
            expect(api(person, "GET", "/api/account")[1]["name"], "no name")
            for path in ("/wallet", "/wallet/devices", "/wallet/identity"):
                visit(person, path, self.stage.url)
                ready(person)
                self.look(person, f"{username}-{path.split('/')[-1]}")
        self.members()
        expect("山田花子" in self.admin.js(TITLES), "family name first, without a space")
        self.look(self.admin, "members")

    def too_long(self):
        """Eighty-one letters are told apart from eighty, before anything is sent."""
        person = self.person("too-long")
        person.goto(self.stage.url + "/sign-up")
        person.wait("document.querySelector('#go')?.textContent.includes('passkey')")
        person.fill("#family_name", "م" * 81)
        person.fill("#username", "too-long")
        tap(person, "#go")
        person.wait("document.querySelector('#family_name-error').textContent === 'Too long: 1 character over.'", "the mistake")
        # Letters count as people see them: with a mark on each, eighty are still eighty, and none is cut off.
        marked = "م\u064e" * 80
        person.fill("#username", "")
        # With two marks on each they are eighty too, but the server takes no more than 160 letters and marks together.
        # What can be composed counts as one.
        for typed, words in (
                (marked, ""), (marked + "م" * 4, "Too long: 4 characters over."),
                ("م\u064e\u0651" * 80, "Too many accents and marks on the letters: 80 over."), ("e\u0301\u0331" * 80, "")):
            person.fill("#family_name", typed)
            tap(person, "#go")
            person.wait(f"document.querySelector('#family_name-error').textContent === {json.dumps(words)}"
                        " && document.querySelector('#username-error').textContent !== ''", f"“{words}” for the name")
            expect(person.js("document.querySelector('#family_name').value") == typed, "the name was cut")
        person.fill("#family_name", "")
        tap(person, "#go")
        person.wait("document.querySelector('#given_name-error').textContent === 'Say your name.'", "the mistake")
        self.look(person, "sign-up")

    def look(self, page, name):
        for width, scheme in ways(name, every=self.pictures):
            page.resize(width, 900, width == 390)
            page.scheme(scheme, "reduce")
            examine(page, f"{name}, {width} px, {scheme}")
            wide = page.js("[...document.querySelectorAll('h1, h2, p, dd, li')].filter(e => e.checkVisibility()"
                           " && !e.closest('[hidden], .menu') && e.getBoundingClientRect().right > Math.round(innerWidth * visualViewport.scale) + 1)"
                           ".map(e => e.innerText)")
            expect(not wide, f"{name}, {width} px: wider than the screen: {wide}")
            if self.pictures:
                page.js("scrollTo(0, 0)")
                page.picture(self.pictures / f"{name}-{width}-{scheme}.png")
        page.scheme("light")
        page.resize(1280, 900)


def main():
    pictures = pictures_folder()
    case = Cases()
    with server() as stage, Chromium() as browser:
        names = Names(stage, browser, pictures)
        names.set_up()
        case("three who share a name are told apart", names.one_name)
        case("after the check the paper's name is the account's", names.checked)
        case("who marries is checked again, and has the new name", names.married)
        case("a name that was not checked is changed in its parts", names.changed)
        case("long, single and other scripts' names fit everywhere", names.scripts)
        case("names on the pages of the office", names.in_office)
        case("a name of eighty letters on its way to a document and a link", names.document, ARABIC[:80].strip())
        case("a name of eighty letters at the desk", names.at_desk, ARABIC[:80].strip())
        case("a name that is too long, or missing, is said at its field", names.too_long)
    return case.end()


if __name__ == "__main__":
    sys.exit(main())
