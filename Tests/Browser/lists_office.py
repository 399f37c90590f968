"""The office's lists as files, what the rows of a list in a form add up to, and who of two handles a request."""

import csv
import json
import shutil
import tempfile
from pathlib import Path

from attacks_stage import (
    NO_WORKER, api, appoint, ask_for, check, expect, front, mistakes, shown, sign_up, tap, visit, write)
from chromium import until_saved
from looking import examine

REQUEST = ["id", "type", "state", "member", "member_name", "administrator", "administrator_name", "note", "reason", "created",
           "changed", "document"]
DOCUMENT = ["id", "type", "holder", "holder_name", "issuer", "issuer_name", "issued", "size", "credential_digest", "revoked",
            "reason"]
INVITATION = ["id", "role", "recipient", "created", "expires", "used"]
LINK = ["id", "document", "created", "expires", "views", "maximum_views", "stopped", "stopped_by"]
CERTIFICATION = ["id", "username", "name", "state", "capabilities", "authority_key", "created", "revoked"]
TOTAL = "document.querySelector('#field-credits_total')"
HINT = f"{TOTAL}.closest('.field').querySelector('[role=status]')?.textContent ?? ''"


def read_file(page, folder, name, button="#csv"):
    """Presses the page's button, and gives the columns and the rows of the file that comes."""
    file = Path(folder, f"{name}.csv")
    page.downloads(folder)
    page.wait(shown(button), f"the file of {name}", 30)
    tap(page, button)
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

    def invited(self):
        """After `office`: what narrows the list of invitations, which stands beside the one of administrators."""
        page = self.owner
        for name in ("=Åsa Öberg", "Bo Lind"):
            made = api(page, "POST", "/api/invitations", {"role": "operator", "lifetime": 3600, "recipient": name})
            expect(made[0] == 201, f"{made}")
        front(page)
        visit(page, "/console/delegation", self.stage.url)
        tools, rows = ":has(+ #invitations)", "document.querySelectorAll('#invitations > li').length"
        number = len(api(page, "GET", "/api/invitations")[1]["items"])
        page.wait(f"{rows} === {number}", "all invitations", 30)
        page.see(f"{number} invitations", f"{tools} [role=status]", 30)
        options = page.js(f"[...document.querySelectorAll('{tools} option')].map(e => e.textContent)")
        expect(options == [f"All ({number})", "Not used yet (2)", f"Used ({number - 2})", "Expired (0)"], f"{options}")
        page.choose(f"{tools} select", "open")
        page.wait(f"{rows} === 2", "those that nobody has used", 30)
        page.fill(f"{tools} input", "oberg asa")
        page.wait(f"{rows} === 1", "the one", 30)
        page.see("For =Åsa Öberg", "#invitations", 30)
        folder = tempfile.mkdtemp()
        found, lines = read_file(page, folder, "invitations", f"{tools} a")
        shutil.rmtree(folder)
        expect(found == INVITATION, f"{found}")
        expect([(line["role"], line["recipient"], line["used"]) for line in lines] == [("operator", "'=Åsa Öberg", "")], f"{lines}")
        examine(page, "invitations")
        page.fill(f"{tools} input", "nobody")
        page.see("Nothing found", f"{tools} [role=status]", 30)
        expect(page.js(shown("#invitations-title")), "the title of a list that is only narrowed is gone")

    def own_links(self):
        """After `office`: the member's links to a document: one works, one was stopped, one got five wrong codes."""
        page = self.member
        document = api(page, "GET", "/api/documents")[1]["items"][0]["id"]
        made = []
        for _ in range(3):
            status, link = api(page, "POST", "/api/shares", {
                "sealed": "A" * 64, "lifetime": 3600, "maximum_views": 3, "document": document})
            expect(status == 201, f"{status} {link}")
            made.append(link["id"])
        expect(api(page, "DELETE", f"/api/shares/{made[0]}")[0] == 204, "not stopped")
        for _ in range(5):
            expect(api(page, "POST", f"/api/shares/{made[2]}/open", {"code": "AAAA-AAAA"})[0] == 403, "another code opens it")
        front(page)
        visit(page, "/wallet/shared", self.stage.url)
        rows = "[...document.querySelectorAll('#links > li')].map(e => e.dataset.key).join(' ')"
        page.see("3 links", "#place", 30)
        tabs = page.js("[...document.querySelectorAll('#kinds button')].map(e => e.innerText.replace(/\\s+/g, ' '))")
        expect(tabs == ["All 3", "Works 1", "Ended 2"], f"{tabs}")
        tap(page, "#kinds [data-kind=ended]")
        page.wait("document.querySelectorAll('#links > li').length === 2", "those that have ended", 30)
        for which, word in ((0, "Stopped"), (2, "Wrong codes")):
            page.see(word, f"#links [data-key='{made[which]}'] .badge")
        tap(page, "#kinds [data-kind=open]")
        page.wait(f"{rows} === '{made[1]}'", "the one that works", 30)
        folder = tempfile.mkdtemp()
        found, lines = read_file(page, folder, "links")
        shutil.rmtree(folder)
        expect(found == LINK, f"{found}")
        expect([(line["id"], line["document"], line["views"], line["stopped"]) for line in lines]
               == [(made[1], document, "0", "")], f"{lines}")
        examine(page, "links")
        # Stopped here, it leaves the part of those that work.
        tap(page, "#links button")
        tap(page, '"Stop it"')
        page.see("No link of yours is in this state.", "#none", 30)
        # The document's page has its links, too.
        visit(page, f"/wallet/document#{document}", self.stage.url)
        tools = ":has(+ #links)"
        page.wait(shown(f"{tools} select"), "what narrows the links", 30)
        page.see("3 links", f"{tools} [role=status]", 30)
        page.choose(f"{tools} select", "open")
        page.see("Nothing found", f"{tools} [role=status]", 30)

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
        # Words break nowhere, though values may anywhere.
        high = page.js("[...document.querySelectorAll('#fields td .button')].map(e => e.getBoundingClientRect().height)")
        expect(len(high) == 2 and max(high) < 48, f"the words of buttons beside a row are broken: {high}")
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

    def assigned(self):
        """After `office`: one of two administrators gives a request to the other, whose open page shows it, and takes it back."""
        other = self.browser.person("another administrator", width=1280, height=900)
        other.send("Page.addScriptToEvaluateOnNewDocument", source=NO_WORKER)
        other.has_biometrics()
        appoint(self.owner, other, self.stage, "Beth Brown", "beth")
        request = ask_for(self.member, self.stage, "generic", "Whoever has time")
        for page in (other, self.admin):
            front(page)
            visit(page, "/console", self.stage.url)
            self.handled(page, request, "Pending", "", ["accept", "assign", "cancel"])
            page.js("self.isTheSamePage = true")
        signs, waits = ["sign", "assign", "cancel"], ["assign", "cancel"]
        anna, beth = "Anna Administrator (anna)", "Beth Brown (beth)"
        self.assign(request, [f"{anna}: you", beth], "beth")
        self.handled_by(beth, request, (other, signs), (self.admin, waits))
        self.not_signed(request)
        # Who handles it already is no choice.
        self.assign(request, [f"{anna}: you"], "anna")
        self.handled_by(anna, request, (other, waits), (self.admin, signs))
        other.close()

    def assign(self, request, choices, username):
        """Presses the button in the row of the request, and chooses somebody of those who are offered."""
        page = self.admin
        front(page)
        tap(page, f'[data-key="{request}"] [data-act=assign]')
        page.wait(shown("dialog[open] #choice"), "who may handle it", 30)
        offered = page.js("[...document.querySelectorAll('#choice option')].map(e => e.textContent)")
        expect(sorted(offered) == choices, f"{offered} are offered")
        page.choose("#choice", username)
        tap(page, "dialog[open] .button.primary")

    def handled_by(self, name, request, *pages):
        """Both pages say so, and nobody has loaded them again."""
        self.admin.see(f"{name} handles it now.", "#notices", 30)
        for page, acts in pages:
            front(page)
            self.handled(page, request, "Accepted", f" · in the hands of {name}", acts)
            expect(page.js("self.isTheSamePage"), f"{page.name}: the page was loaded again")

    def handled(self, page, request, state, who, acts):
        """Waits until the row says of the request in which state it is, who handles it, and what may be done."""
        said = f"""(row => row && [
            row.querySelector('[data-badge]').textContent, row.querySelector('[data-text=handler]').textContent,
            ...[...row.querySelectorAll('[data-act]')].filter(e => e.checkVisibility()).map(e => e.dataset.act),
        ])(document.querySelector('[data-key="{request}"]'))"""
        wanted = json.dumps([state, who, *acts], separators=(",", ":"), ensure_ascii=False)
        page.wait(f"JSON.stringify({said}) === {json.dumps(wanted)}", f"{wanted} of the request", 30)

    def not_signed(self, request):
        """In a second tab, its address leads to no form while somebody else handles the request."""
        tab = self.admin.tab()
        tab.send("Page.addScriptToEvaluateOnNewDocument", source=NO_WORKER)
        visit(tab, f"/console/issue#{request}", self.stage.url)
        tab.see("Somebody else handles this request", "main", 30)
        tab.see("It is in the hands of Beth Brown (beth).", "main", 30)
        expect(not tab.js(shown("#look")), "there is a form")
        tab.close()
