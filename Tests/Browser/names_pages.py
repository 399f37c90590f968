"""Names on the way from a check to a document, a link and a signature at the desk: long ones, shared ones, changed ones."""

from attacks_stage import api, ask_for, expect, fill_fields, front, shown, tap, visit, write
from desk import Desk
from files import saved_file
from walk_degree import load_core, verdict

# What a document says beside the name.
SAID = {"student_number": "S-1001", "programme": "الرياضيات التطبيقية", "credits_total": "30", "grade_average": "1.3",
        "courses-1-code": "M-1", "courses-1-title": "الجبر", "courses-1-credits": "30", "courses-1-grade": "A"}


class NamesOnPages:
    """Needs `stage`, `browser`, `owner`, `admin`, `person` and `look` of `Names`."""

    def open_desk(self):
        """At once: inviting somebody needs an owner who has just signed in."""
        self.desk = Desk(self.stage, self.browser)
        self.desk.owner = self.owner
        self.desk.invite()

    def in_office(self):
        """Three of one name, one who married and a name of eighty letters, beside each other in the office."""
        self.members()
        expect(len(self.admin.js("[...document.querySelectorAll('#list [data-key]')].map(e => e.dataset.key)")) >= 6, "too few people")
        self.look(self.admin, "people")
        self.members("?q=mary0")
        tap(self.admin, "#list [data-fold] summary")
        self.admin.wait("document.querySelector('#list [data-devices] li')", "what belongs to a member")
        self.look(self.admin, "member")

    def through_a_check(self, member, name):
        """The administrator's page and the member's while a name of eighty letters is checked, and the paper agrees."""
        front(member)
        visit(member, "/wallet/identity", self.stage.url)
        tap(member, "[data-step]:not([hidden]) [data-begin]")
        member.wait(shown("[data-step=code]"))
        member.wait("document.querySelector('#code-text').textContent", "the code")
        code = member.js("document.querySelector('#code-text').textContent")
        front(self.admin)
        visit(self.admin, "/console/check", self.stage.url)
        self.admin.fill("#code", code)
        tap(self.admin, "#read")
        self.admin.wait(shown("#begin"))
        self.look(self.admin, "check-person")
        tap(self.admin, "#begin")
        front(member)
        tap(member, "#answer")
        member.wait(shown("#digits"))
        front(self.admin)
        tap(self.admin, "#agree")
        self.admin.wait(shown("[data-step=identify]"))
        tap(self.admin, "#papers label")
        fill_fields(self.admin, name)
        tap(self.admin, "#look")
        self.look(self.admin, "check-preview")
        tap(self.admin, "#sign")
        self.admin.wait(shown("[data-step=done]"), "the check to end")
        self.look(self.admin, "check-done")
        front(member)
        member.wait("document.documentElement.dataset.state === 'ready'")
        self.look(member, "check-member")

    def document(self, name):
        """A transcript for the name of eighty letters: asked for, signed, opened, shown by link and checked."""
        member = self.arabic
        self.through_a_check(member, name)
        request = ask_for(member, self.stage, "transcript", "من فضلكم")
        front(self.admin)
        visit(self.admin, "/console", self.stage.url)
        self.look(self.admin, "inbox")
        write(self.admin, self.stage, request, name)
        for field, value in SAID.items():
            self.admin.fill(f"#field-{field}", value)
        self.look(self.admin, "issue")
        tap(self.admin, "#look")
        self.admin.wait(shown("[data-step=preview]"))
        self.look(self.admin, "issue-preview")
        tap(self.admin, "#sign")
        self.admin.wait(shown("[data-step=done]"), "the document to be sent", 40)
        visit(self.admin, "/console/documents", self.stage.url)
        self.look(self.admin, "issued")
        document = api(member, "GET", f"/api/requests/{request}")[1]["document"]
        front(member)
        for path, title in (("/wallet", "home"), ("/wallet/documents", "documents")):
            visit(member, path, self.stage.url)
            self.look(member, title)
        visit(member, f"/wallet/document#{document}", self.stage.url)
        tap(member, "#open")
        member.see("S-1001")
        self.look(member, "document")
        self.shared(member, name)

    def shared(self, member, name):
        """By link, with the fields that have the name; then the same on the page that verifies."""
        tap(member, "#show")
        member.fill("#audience", "https://employer.example")
        for field in ("family_name", "programme"):
            if not member.js(f"document.querySelector('#choices input[value={field}]').checked"):
                member.click(f"#choices input[value={field}]")
        member.click("#choose input[name=way][value=link]")
        tap(member, "#choose .primary")
        tap(member, "#sign")
        member.wait("document.querySelector('#link-text').textContent", "the link", 30)
        link, code = member.text("#link-text").strip(), member.text("#link-code").strip()
        employer = self.person("employer")
        employer.goto(link)
        employer.fill("#code", code)
        tap(employer, "#code-form .primary")
        verdict(employer, "unsure")
        employer.see(name.split()[0], "#fields")
        self.look(employer, "shared")
        employer.downloads(self.folder)
        tap(employer, "#keep")
        file = saved_file(self.folder, "shared.countersign")
        employer.goto(f"{self.stage.url}/verify")
        load_core(employer)
        employer.upload("#file-input", file)
        verdict(employer, "unsure")
        self.look(employer, "verify")

    def at_desk(self, name):
        """A client of that name: in the list, on their own page, in a transaction and on the copy."""
        desk = self.desk
        desk.given, desk.family = name.split(maxsplit=1)
        desk.forensic_key()
        desk.documents()
        desk.enrol([desk.movements.genuine[5]], "[data-step=done]")
        operator = desk.operator
        self.look(operator, "desk-enrolled")
        client = api(operator, "GET", "/api/clients")[1]["items"][0]["id"]
        desk.sign(desk.movements.genuine[10])
        self.look(operator, "desk-result")
        tap(operator, "#confirm")
        operator.wait(shown("[data-step=done]"), "the transaction to be done", 30)
        for path, title in (("/desk", "desk"), ("/desk/clients", "desk-clients"), (f"/desk/client#{client}", "desk-client"),
                            ("/desk/transactions", "desk-transactions"),
                            (f"/desk/transaction#{desk.latest()['id']}", "desk-transaction")):
            visit(operator, path, self.stage.url)
            operator.settle()
            self.look(operator, title)
