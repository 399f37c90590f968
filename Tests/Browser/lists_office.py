"""The office's lists as files, and what the rows of a list in a form add up to."""

import csv
import shutil
import tempfile
from pathlib import Path

from attacks_stage import (
    NO_WORKER, api, appoint, ask_for, check, expect, front, mistakes, shown, sign_up, tap, visit, write)
from chromium import until_saved

REQUEST = ["id", "type", "state", "member", "member_name", "administrator", "administrator_name", "note", "reason", "created",
           "changed", "document"]
DOCUMENT = ["id", "type", "holder", "holder_name", "issuer", "issuer_name", "issued", "size", "credential_digest", "revoked",
            "reason"]
CERTIFICATION = ["id", "username", "name", "state", "capabilities", "authority_key", "created", "revoked"]
TOTAL = "document.querySelector('#field-credits_total')"
HINT = f"{TOTAL}.closest('.field').querySelector('[role=status]')?.textContent ?? ''"


def read_file(page, folder, name):
    """Presses the page's button, and gives the columns and the rows of the file that comes."""
    file = Path(folder, f"{name}.csv")
    page.downloads(folder)
    page.wait(shown("#csv"), f"the file of {name}", 30)
    tap(page, "#csv")
    until_saved(file, 30)
    with open(file, newline="", encoding="utf-8") as lines:
        found = csv.DictReader(lines, strict=True)
        return list(found.fieldnames), list(found)


class OfficeLists:
    """Needs `stage`, `browser` and `owner` of `Lists`."""

    def office(self):
        """An administrator, a member who was checked and asks for a transcript."""
        people = []
        for name in ("administrator", "member"):
            person = self.browser.person(name, width=1280, height=900)
            person.send("Page.addScriptToEvaluateOnNewDocument", source=NO_WORKER)
            person.has_biometrics()
            people.append(person)
        self.admin, self.member = people
        appoint(self.owner, self.admin, self.stage, "Anna Administrator", "anna")
        sign_up(self.member, self.stage, "mary", "Mary", "Smith")
        check(self.admin, self.member, self.stage, "Smith", given="Mary")
        # Text that begins like a formula stays text in a spreadsheet.
        self.request = ask_for(self.member, self.stage, "transcript", "=1+1, please")

    def office_files(self):
        """After `office`: the files of requests, issued documents and certified administrators, by their buttons."""
        folder = tempfile.mkdtemp()
        for page, path, name, columns, told in (
            (self.admin, "/console", "requests", REQUEST, {
                "id": self.request, "type": "transcript", "state": "pending", "member": "mary", "note": "'=1+1, please"}),
            (self.admin, "/console/documents", "documents", DOCUMENT, {
                "type": "identity", "holder": "mary", "holder_name": "Mary Smith", "issuer": "anna", "revoked": ""}),
            (self.owner, "/console/delegation", "certifications", CERTIFICATION, {
                "username": "anna", "name": "Anna Administrator", "state": "certified"}),
        ):
            front(page)
            visit(page, path, self.stage.url)
            found, rows = read_file(page, folder, name)
            expect(found == columns, f"{name}: {found}")
            expect(len(rows) == 1, f"{name}: {rows}")
            expect({column: rows[0][column] for column in told} == told, f"{name}: {rows}")
        shutil.rmtree(folder)

    def showing_errors(self):
        """After `office`: what is wrong when somebody shows a document, in the summary and beside each field."""
        page = self.member
        document = api(page, "GET", "/api/documents")[1]["items"][0]["id"]
        front(page)
        visit(page, f"/wallet/document#{document}", self.stage.url)
        tap(page, "#open")
        tap(page, "#show")
        page.wait(shown("#choose"), "the form", 30)
        tap(page, "#choose-none")
        page.js("document.querySelector('#nonce').value = 'é'.repeat(260)")
        tap(page, "#choose .primary")
        page.wait(shown("#choose .error-summary"), "the summary", 30)
        found = mistakes(page, "#choose")
        expect(found == ["Say who may see it.", "Too long: 4 characters over.", "Choose at least one thing."], f"{found}")
        expect(page.js("document.activeElement.matches('.error-summary')"), "the summary has no focus")
        # A link leads to its field, also where it lay folded.
        page.js("document.querySelectorAll('#choose .error-summary a')[1].click()")
        expect(page.js("document.activeElement.id") == "nonce", "the link leads elsewhere")
        page.fill("#nonce", "N-1")
        expect(len(mistakes(page, "#choose")) == 2, "the words stay while one types")
        # Any box answers the question that all of them ask.
        tap(page, "#choices label:last-child input")
        expect(mistakes(page, "#choose") == ["Say who may see it."], "the words stay when something is chosen")
        page.fill("#audience", "https://employer.example")
        expect(mistakes(page, "#choose") == [], "the summary stays")
        tap(page, "#choose .primary")
        page.wait(shown("[data-step=preview]"), "what will be seen", 30)

    def totals(self):
        """After `office`: credits are added up while somebody types, and another number stays, with what the rows say."""
        page = self.admin
        write(page, self.stage, self.request, "Mary")
        adds_up = lambda sum: page.wait(f"{TOTAL}.value === '{sum}'", f"{sum} credits", 30)  # noqa: E731
        page.fill("#field-credits_total", "")
        page.fill("#field-courses-1-credits", "7.5")
        adds_up("7.5")
        tap(page, '"Add a row"')
        page.fill("#field-courses-2-code", "M-2")
        page.fill("#field-courses-2-title", "Algebra")
        page.fill("#field-courses-2-credits", "4,25")
        page.fill("#field-courses-2-grade", "A")
        adds_up("11.75")
        expect(page.js(HINT) == "", page.js(HINT))
        # Somebody's own number is theirs, and the form says what the rows make.
        page.fill("#field-credits_total", "12")
        page.wait(f"({HINT}) === 'The rows add up to 11.75.'", "the sum beside another number", 30)
        page.fill("#field-courses-2-credits", "0.5")
        page.wait(f"({HINT}) === 'The rows add up to 8.'", "the sum of other rows", 30)
        expect(page.js(f"{TOTAL}.value") == "12", "the form has changed somebody's own number")
        page.fill("#field-credits_total", "")
        adds_up("8")
        page.wait(f"({HINT}) === ''", "nothing to be said", 30)
        # A row less counts as well.
        tap(page, "#fields tbody tr:last-child button")
        adds_up("7.5")
        tap(page, "#look")
        page.wait(shown("[data-step=preview]"), "what will be signed", 30)
        expect("7.5" in page.text("#preview"), page.text("#preview"))
