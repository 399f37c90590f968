"""Pages of the desk as people use them: a text is written, transactions are looked for, papers are taken away."""

import base64
import sqlite3
import subprocess
from pathlib import Path

import files
import hand
from attacks_stage import api, expect, front, mistakes, ready, shown, tap, until, visit
from chromium import Failure
from desk_fields import DeskFields
from desk_layout import DeskLayout
from lists_office import read_file
from looking import examine, take_picture, ways

TABLET = {"width": 1024, "height": 768}
CLIENT = ["id", "given_name", "family_name", "tool", "created", "enrolled", "needs_second_sitting", "second_sitting_from",
          "has_changed_hand", "signings", "last_signing"]
TRANSACTION = ["id", "state", "client", "client_name", "operator_id", "operator_name", "document_name", "created", "decided",
               "is_match"]
# What a page says of the moment.
SEEN = {"identified": True, "device": "a script"}


class DeskPages(DeskLayout, DeskFields):
    """With `operator`, `owner`, `folder`, `stage`; after `genuine`, `signing` is a confirmed transaction."""

    def look(self, page, name, picture=None):
        """What must hold of every page, as phone, tablet and desktop show it."""
        viewport, heights = page.viewport, {390: 844, 820: 1180, 1280: 900}
        for width, scheme in ways(name, tuple(heights)):
            page.resize(width, heights[width], width < 500)
            page.scheme(scheme, "reduce")
            examine(page, f"{name}, {width} px, {scheme}")
        page.scheme("light")
        if picture and self.pictures:
            page.viewport = TABLET
            take_picture(page, self.pictures / f"desk-{picture}.png")
            page.viewport = viewport
        page.resize(**viewport)

    def take(self, page, picture):
        """A picture in the middle of something: nothing changes its size."""
        path = self.pictures / f"desk-{picture}.png"
        page.js("new Promise(done => requestAnimationFrame(() => setTimeout(done, 250)))")
        page.picture(path, whole=False)
        files.shrink(path)

    def goes_on(self):
        """A hundred failed tries stand on the page; more come at a press, and the focus goes on with them."""
        front(self.operator)
        database = sqlite3.connect(Path(self.stage.folder, "data", "countersign.sqlite"), timeout=30)
        with database:
            operator, now = database.execute("SELECT operator, time FROM desk_attempts").fetchone()
            database.executemany(
                "INSERT INTO desk_attempts (id, subject, act, why, operator, time, last, count) VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
                [(f"made-up-{number}", self.client, "signing", "unreadable", operator, at, at, 1)
                 for number, at in ((number, now - number * 3600) for number in range(1, 151))])
        try:
            for path in (f"/desk/client#{self.client}", "/desk"):
                visit(self.operator, path, self.stage.url)
                ready(self.operator)
                tap(self.operator, "#attempts-part summary")
                rows = "document.querySelectorAll('#attempts li').length"
                self.operator.wait(f"{rows} === 100", "the first hundred", 30)
                expect(self.operator.js(shown("#attempts + .onward button")), "no button")
                if self.pictures and path == "/desk":
                    self.operator.js("document.querySelector('#attempts + .onward').scrollIntoView({block: 'end'})")
                    self.take(self.operator, "attempts")
                tap(self.operator, "#attempts + .onward button")
                self.operator.wait(f"{rows} > 150", "all of them", 30)
                expect(not self.operator.js(shown("#attempts + .onward button")), "there are no more")
                focused = "[...document.querySelectorAll('#attempts li')].findIndex((row) => row.contains(document.activeElement))"
                expect(self.operator.js(focused) == 100, "the focus stayed")
                self.narrowed(rows, path == "/desk")
        finally:
            with database:
                database.execute("DELETE FROM desk_attempts WHERE id LIKE 'made-up-%'")
            database.close()

    def narrowed(self, rows, has_names):
        """After `goes_on`: the tries at one act, as the server counts them; at all desks by the client's name too."""
        page, tools = self.operator, ":has(+ #attempts)"
        counted = {one["show"]: one["total"] for one in api(
            page, "GET", f"/api/desk/attempts{'' if has_names else f'?client={self.client}'}")[1]["counts"]}
        expect(counted["signing"] >= 150 and counted["enrolment"] >= 1, f"{counted}")
        page.choose(f"{tools} select", "enrolment")
        page.wait(f"{rows} === {counted['enrolment']}", "the tries to register", 30)
        file = page.js(f"document.querySelector('{tools} a').getAttribute('href')")
        expect("show=enrolment" in file and file.endswith("format=csv"), file)
        page.choose(f"{tools} select", "all")
        page.wait(f"{rows} === 100", "the first hundred of all", 30)
        expect(page.js(shown(f"{tools} input")) == has_names, "a search by name")
        if not has_names:
            return
        page.fill(f"{tools} input", "nobody of this name")
        page.see("Nothing found", f"{tools} [role=status]", 30)
        page.fill(f"{tools} input", (self.family or self.given)[:4])
        page.wait(f"{rows} === 100", "the first hundred of the client", 30)

    def looked_at(self):
        """Every page of the desk with something in it, by those who may see it."""
        found = []
        client = api(self.operator, "GET", "/api/clients")[1]["items"][0]["id"]
        for page, paths in (
                (self.operator, ["/desk", "/desk/clients", f"/desk/client#{client}", "/desk/enrol", "/desk/documents",
                                 f"/desk/document#{self.text}", "/desk/document#new", "/desk/sign", "/desk/transactions"]),
                (self.owner, ["/desk", "/desk/operators", "/desk/settings", f"/desk/transaction#{self.signing['id']}"])):
            front(page)
            for path in paths:
                visit(page, path, self.stage.url)
                page.settle()
                name = path.split("#")[0]
                try:
                    self.look(page, name, {"/desk": "1-dashboard", "/desk/transaction": "4-transaction"}.get(name)
                              if page is self.owner else None)
                except Failure as failure:
                    found.append(str(failure))
        expect(not found, "\n".join(found))

    def duplicated(self):
        """After `written`: what a client will read is looked at, and another template begins with the same words."""
        page = self.operator
        front(page)
        visit(page, f"/desk/document#{self.text}", self.stage.url)
        tap(page, "#preview")
        page.wait("document.querySelector('dialog.preview')?.open", "the preview", 30)
        self.look(page, "preview")
        shown_text = page.text("dialog.preview .paper")
        expect("Ada" in shown_text and "[data-field]" not in shown_text, shown_text)
        expect(page.js("!document.querySelector('dialog.preview [data-field]')"), "a place without a value")
        page.click('"Close"')
        page.wait("!document.querySelector('dialog.preview')", "the preview to go")
        visit(page, "/desk/documents", self.stage.url)
        name = api(page, "GET", f"/api/workspace/{self.text}")[1]["name"]
        before = api(page, "GET", "/api/workspace")[1]["items"]
        tap(page, f"[data-key='{self.text}'] [data-act=duplicate]")
        page.see(f"“Copy of {name}” is made.", "#notices", 30)
        after = api(page, "GET", "/api/workspace")[1]["items"]
        made = next(one for one in after if one["name"] == f"Copy of {name}")
        texts = [api(page, "GET", f"/api/workspace/{one}")[1]["text"] for one in (self.text, made["id"])]
        expect(len(after) == len(before) + 1 and texts[0] == texts[1], f"{texts}")
        tap(page, f"[data-key='{made['id']}'] [data-act=delete]")
        page.wait(f"!document.querySelector(\"[data-key='{made['id']}']\")", "the copy to be deleted", 30)
        # On a phone the words have the row, and the button has the next one.
        page.resize(390, 844, True)
        wide = page.js("(e => e.getBoundingClientRect().width)(document.querySelector('#notices .notice:last-child > p'))")
        page.resize(1280, 900)
        expect(wide > 190, f"the words of a message have {wide} px")
        # Nobody was asked: it can be taken back, as a template of its own.
        page.click('"Undo"')
        back = until(lambda: [one for one in api(page, "GET", "/api/workspace")[1]["items"]
                              if one["name"] == made["name"]], "the copy again", 30)
        expect(back[0]["id"] != made["id"], "the log says that it is gone")
        expect(api(page, "GET", f"/api/workspace/{back[0]['id']}")[1]["text"] == texts[0], "its words are others")
        page.wait(f"!!document.querySelector(\"[data-key='{back[0]['id']}']\")", "the copy in the list", 30)
        tap(page, f"[data-key='{back[0]['id']}'] [data-act=delete]")
        page.wait(f"!document.querySelector(\"[data-key='{back[0]['id']}']\")", "the copy to be deleted again", 30)

    def contested(self):
        """After `written`: of two who change one template the second is asked, and nothing of either is lost."""
        page = self.operator
        front(page)
        text = api(page, "GET", f"/api/workspace/{self.text}")[1]["text"]
        made = api(page, "POST", "/api/workspace", {"name": "Terms", "text": text})[1]
        visit(page, f"/desk/document#{made['id']}", self.stage.url)
        page.wait("document.querySelector('#name').value === 'Terms'", "the template", 30)
        theirs = {"name": "Terms of theirs", "text": text, "version": made["version"]}
        expect(api(page, "PUT", f"/api/workspace/{made['id']}", theirs)[0] == 200, "the first is refused")
        page.fill("#name", "Terms of mine")
        tap(page, "#save")
        page.wait("!!document.querySelector('dialog[open] #conflict-name')", "the question", 30)
        page.fill("#conflict-name", " ")
        tap(page, "dialog[open] .primary")
        expect(mistakes(page, "dialog[open] form") == ["Fill in “Name for yours”."], "an empty name is taken")
        page.fill("#conflict-name", "Terms of ours")
        tap(page, "dialog[open] .primary")
        page.wait(f"location.hash.length > 10 && !location.hash.includes('{made['id']}')", "the second template", 30)
        both = {one["name"]: one["id"] for one in api(page, "GET", "/api/workspace")[1]["items"] if one["name"].startswith("Terms of")}
        expect(set(both) == {"Terms of theirs", "Terms of ours"}, f"{both}")
        for one in both.values():
            api(page, "DELETE", f"/api/workspace/{one}")

    def copied(self):
        """After `genuine`: the copy has the words that were signed, the signature, and what proves it; printed, nothing else."""
        page = self.operator
        front(page)
        visit(page, f"/desk/transaction#{self.signing['id']}", self.stage.url)
        tap(page, "#copy")
        page.wait("location.pathname === '/desk/copy'", "the copy", 30)
        page.wait("!document.querySelector('#print')?.disabled && " + shown("#content"), "the copy to be ready", 30)
        for words in ("Consent to treatment", "Lovelace", "Evidence", "Otto Operator"):
            expect(words in page.text("main"), f"{words}: {page.text('main')}")
        page.wait("document.querySelector('#signature img').naturalWidth > 100", "the signature", 30)
        self.look(page, "copy", "7-copy")
        pdf = base64.b64decode(page.send("Page.printToPDF")["data"])
        path = self.folder / "copy.pdf"
        path.write_bytes(pdf)
        text = subprocess.run(["pdftotext", "-layout", path, "-"], capture_output=True, text=True, check=True).stdout
        pages = text.split("\f")
        expect(len(pages) == 3 and "Consent to treatment" in pages[0] and "Evidence" in pages[1], f"{len(pages)}: {text}")
        expect("Sign out" not in text and "Templates" not in text, text)

    def copied_pdf(self):
        """A PDF stays byte for byte what was signed: the copy has it to save, and the signature and evidence beside it."""
        page = self.operator
        self.sign(self.movements.genuine[13], "Terms")
        tap(page, "#confirm")
        page.wait(shown("[data-step=done]"), "the transaction to be done", 30)
        found = self.latest()
        expect(found["state"] == "confirmed", f"{found}")
        visit(page, f"/desk/transaction#{found['id']}", self.stage.url)
        tap(page, "#copy")
        page.wait(f"{shown('#content')} && {shown('#is-pdf')} && !{shown('#paper')}", "the PDF to be offered", 30)
        page.wait("document.querySelector('#signature img').naturalWidth > 100", "the signature", 30)
        for words in ("Terms", "Lovelace", "Evidence", "Otto Operator"):
            expect(words in page.text("main"), f"{words}: {page.text('main')}")
        self.look(page, "copy of a PDF")
        page.downloads(self.folder)
        tap(page, "#save")
        saved = self.folder / "Terms.pdf"
        until(lambda: saved.exists() and saved.read_bytes() == Path(self.terms).read_bytes(), "the PDF as it was signed", 30)

    def sent(self):
        """After `copied`: the copy as a link. The client's phone opens it with the code, and no more once it is stopped."""
        page = self.operator
        tap(page, "#make-link")
        page.wait(shown("#link-made"), "the link", 30)
        link, code = page.js("['#link-text', '#link-code'].map(place => document.querySelector(place).textContent)")
        self.look(page, "copy with a link", "8-copy-link")
        stored = b"".join(path.read_bytes() for path in Path(self.stage.folder, "data").rglob("*") if path.is_file())
        for secret in (link.split("#")[1], code):
            expect(secret.encode() not in stored, "key or code stands in the data directory")
        client = self.person("client")
        client.resize(390, 844, True)
        client.goto(link)
        client.fill("#code", "AAAA-AAAA")
        tap(client, "#code-form .primary")
        client.see("not the link's code", "#code-error", 30)
        client.fill("#code", code)
        tap(client, "#code-form .primary")
        client.wait(shown("#content"), "the copy", 30)
        for words in ("Consent to treatment", "Lovelace", "Evidence", "Otto Operator", "2 times more"):
            expect(words in client.text("main"), f"{words}: {client.text('main')}")
        client.wait("document.querySelector('#signature img').naturalWidth > 100", "the signature", 30)
        self.look(client, "a client's copy", "9-client-copy")
        front(page)
        visit(page, f"/desk/transaction#{self.signing['id']}", self.stage.url)
        page.see("Opened 1 time of 3", "#links", 30)
        tap(page, "#links button")
        tap(page, '"Stop it"')
        page.see("Stopped", "#links", 30)
        front(client)
        client.js("sessionStorage.clear()")
        client.goto("about:blank")
        client.goto(link)
        client.fill("#code", code)
        tap(client, "#code-form .primary")
        client.wait(shown("[data-state=over]"), "that the link is over", 30)

    def too_early(self):
        """A second sitting is for another visit: the page says from when, and the server takes none before, nor without a paper."""
        page = self.operator
        front(page)
        visit(page, f"/desk/client#{self.client}", self.stage.url)
        page.see("It is for another visit: possible from", "#due", 30)
        expect(not page.js(shown("#take-three")), "a second sitting is offered right after the first")
        path, three = f"/api/clients/{self.client}/sitting", ["{}", "{}", "{}"]
        status, refused = api(page, "POST", path, {"paper": "Passport", "circumstances": SEEN, "signatures": three})
        expect(status == 409 and "12 hours" in refused["detail"], f"{status} {refused}")
        status, refused = api(page, "POST", path, {"circumstances": SEEN, "signatures": three})
        expect(status in (400, 422), f"without a paper: {status} {refused}")

    def renamed(self):
        """Another name, after a paper was seen: nothing goes on before everything is filled in."""
        page = self.operator
        front(page)
        visit(page, f"/desk/client#{self.client}", self.stage.url)
        page.wait(shown("#naming"), "the client")
        tap(page, "#naming summary")
        tap(page, "#rename")
        page.wait(shown("#identifying"), "the question")
        self.look(page, "another name")
        tap(page, "#identify-yes")
        page.wait(shown("#identify-form .error-summary"), "the summary", 30)
        expect(len(mistakes(page, "#identify-form")) == 3, f"{mistakes(page, '#identify-form')}")
        page.fill("#given", "Augusta Ada")
        tap(page, "#identify-yes")
        page.see("Choose the ID document that you see", "#identifying", 30)
        tap(page, "#identifying #paper-list label")
        tap(page, "#compared")
        page.fill("#reason", "The paper has both given names")
        tap(page, "#identify-yes")
        page.wait("!document.querySelector('#identifying').open", "the name to be changed", 30)
        page.see("Augusta Ada Lovelace", "#name", 30)
        changed = api(page, "GET", f"/api/clients/{self.client}")[1]
        expect(changed["given_name"] == "Augusta Ada" and changed["paper"] == "Passport", f"{changed}")

    def written(self):
        """A text with the editor's tools, by mouse and keyboard; what is undone is gone; saved, it is there again."""
        page = self.operator
        front(page)
        visit(page, "/desk/document#new", self.stage.url)
        page.wait(shown("#text"), "the editor")
        # Without a name and words: both are said, in the summary and beside the fields, until they are there.
        tap(page, "#save")
        page.wait(shown("#form .error-summary"), "the summary", 30)
        found = mistakes(page, "#form")
        expect(len(found) == 2 and found[0].startswith("Give it a name") and found[1].startswith("Write something"), f"{found}")
        expect(page.js("document.activeElement.matches('.error-summary')"), "the summary has no focus")
        page.js("document.querySelectorAll('#form .error-summary a')[1].click()")
        expect(page.js("document.activeElement.id") == "text", "the link leads elsewhere")
        page.fill("#name", "Loan of a tablet")
        expect(mistakes(page, "#form") == found[1:], "the words stay while one types")
        tap(page, "#text")
        # A tool changes the text without an event.
        page.choose("#level", "1")
        expect(mistakes(page, "#form") == [], "the summary stays")
        page.send("Input.insertText", text="Loan")
        page.press("Enter")
        page.send("Input.insertText", text="Lent to ")
        tap(page, "#tools summary")
        tap(page, '#fields [data-value="family_name"]')
        page.send("Input.insertText", text=", to be given back.")
        tap(page, '[data-command="bold"]')
        page.send("Input.insertText", text=" Mistyped")
        tap(page, '[data-command="undo"]')
        page.wait("!document.querySelector('#text').innerText.includes('Mistyped')", "the mistake to be undone", 30)
        tap(page, "#save")
        page.wait("location.hash.length > 10 && !location.hash.includes('new')", "to be saved", 30)
        kept = api(page, "GET", f"/api/workspace/{page.js('location.hash.slice(1)')}")[1]
        for part in ("Loan", "Lent to ", "family_name", ", to be given back.", '"level":1'):
            expect(part in kept["text"], f"{part} is not in {kept['text']}")
        expect("Mistyped" not in kept["text"], kept["text"])
        page.reload()
        page.see("to be given back", "#text", 30)

    def found(self):
        """The list of transactions: filters, their empty state, and the way to one."""
        page = self.operator
        front(page)
        visit(page, "/desk/transactions", self.stage.url)
        rows = "document.querySelectorAll('#rows tr').length"
        page.wait(f"{rows} >= 3", "the transactions", 30)
        page.choose("#state", "confirmed")
        confirmed = sum(one["state"] == "confirmed" for one in api(page, "GET", "/api/signings")[1]["items"])
        page.wait(f"{rows} === {confirmed}", "those that are confirmed", 30)
        page.reload()
        ready(page)
        page.wait(f"{rows} === {confirmed}", "the filter to be remembered", 30)
        page.fill("#search", "nobody of that name")
        page.wait(shown("#none"), "that there is nothing", 30)
        tap(page, "[data-act=show-all]")
        page.wait(f"{rows} >= 3", "all of them", 30)
        tap(page, f'#rows a[href$="{self.signing["id"]}"]')
        page.wait(shown("#facts"), "the transaction", 30)
        page.see("Ada Lovelace", "main", 30)
        expect(not page.js(shown("#report-part")), "an operator is offered a report")

    def saved_lists(self):
        """After `genuine`: the files of clients and transactions, by their buttons; the file has what the page shows."""
        page, folder = self.operator, self.folder / "lists"
        front(page)
        visit(page, "/desk/clients", self.stage.url)
        found, rows = read_file(page, folder, "clients")
        # What the organisation asks besides (`asked`) comes last; a number that begins with + is no formula.
        expect(found == [*CLIENT, "Telephone", "Plan"], f"{found}")
        expect(rows[0]["Telephone"] == "'+49 30 1234567", f"{rows}")
        told = [(row["id"], row["given_name"], row["family_name"]) for row in rows]
        expect(told == [(self.client, "Augusta Ada", "Lovelace")] and int(rows[0]["signings"]) >= 3, f"{rows}")
        visit(page, "/desk/transactions?state=confirmed", self.stage.url)
        page.wait("document.querySelectorAll('#rows tr').length > 0", "the transactions", 30)
        found, rows = read_file(page, folder, "transactions")
        expect(found == TRANSACTION, f"{found}")
        told = [(row["id"], row["client_name"], row["operator_name"], row["document_name"]) for row in rows]
        expect((self.signing["id"], "Augusta Ada Lovelace", "Otto Operator", "Consent") in told, f"{rows}")
        expect({row["state"] for row in rows} == {"confirmed"}, f"the file has more than the page asks for: {rows}")

    def palette(self):
        """Ctrl K finds a client and a transaction by the client's name, and leads to them."""
        page = self.operator
        client = api(page, "GET", "/api/clients")[1]["items"][0]["id"]
        for path, words in ((f"/desk/client#{client}", "Augusta Ada Lovelace"),
                            (f"/desk/transaction#{self.signing['id']}", "“Consent”, Augusta Ada Lovelace")):
            front(page)
            visit(page, "/desk", self.stage.url)
            page.press("k", code="KeyK", modifiers=2)
            page.wait("document.querySelector('.palette')?.open === true", "the palette", 30)
            page.send("Input.insertText", text="lovel")
            option = f"document.querySelector('.palette [role=option][href=\"{path}\"]')"
            page.wait(option, path, 30)
            expect(page.js(f"{option}.firstElementChild.textContent") == words, page.js(f"{option}.textContent"))
            page.js(f"{option}.click()")
            page.wait(f"location.pathname + location.hash === '{path}'", path, 30)
            page.see("Ada Lovelace", "main", 30)

    def taken_away(self):
        """The report in a tab, and the sealed movement with a reason; the page checks the log's receipt."""
        page = self.owner
        front(page)
        visit(page, f"/desk/transaction#{self.signing['id']}", self.stage.url)
        page.see("Checked in this browser", "#receipt-text", 30)
        page.wait(shown("#open-report"), "the report")
        opened = page.tab()
        opened.goto(page.js("document.querySelector('#open-report').href"))
        opened.see("How to check this report", "body", 30)
        expect(opened.js("performance.getEntriesByType('resource').length") == 0, "the report loads something")
        opened.close()
        front(page)
        folder = self.folder / "downloads"
        page.downloads(folder)
        tap(page, "#release")
        page.fill("#question-reason", "asked for by a court")
        tap(page, "dialog[open] .button.primary")
        file = folder / "movement.jwe"
        saved = until(lambda: file.exists() and file.read_text(), "the sealed movement to be saved")
        expect(saved.count(".") == 4, "no sealed message")

    def counted(self):
        """From a client who is unknown to a confirmed signature, in few actions: Done after each signature counts as well."""
        page, visitor = self.operator, hand.Hand(7)
        front(page)
        before = page.actions + page.biometrics
        page.follow(f"{self.stage.url}/desk/enrol")
        ready(page)
        page.wait(shown("#person"))
        for field, text in (("#number", "N-1815"), ("#given", "Nora"), ("#family", "Newcomer")):
            page.fill(field, text)
        for act in ("#paper-list label", "#compared"):
            tap(page, act)
        # What else the organisation asks (`asked`).
        page.fill("#own-fields input", "+44 20 7946 0018")
        for act in ("#next", "#take-five"):
            tap(page, act)
        self.sign_on_pad(page, *[visitor.signature() for _ in range(5)])
        tap(page, "#take-check")
        self.sign_on_pad(page, visitor.signature())
        page.wait(shown("[data-step=done]"), "the client to be registered", 30)
        tap(page, "#sign")
        for act in ("#sure", "#is-sure"):
            tap(page, act)
        page.wait(shown("#documents li"))
        page.js("document.querySelector('#documents [data-act=choose]').id = 'first-choice'")
        tap(page, "#first-choice")
        tap(page, "#begin")
        self.sign_on_pad(page, visitor.signature())
        page.wait(f"{shown('[data-step=result]')} && !document.querySelector('#result progress')", "the result", 120)
        tap(page, "#confirm")
        page.wait(shown("[data-step=done]"), "the transaction to be done", 30)
        needed = page.actions + page.biometrics - before
        print(f"   {needed} actions", flush=True)
        expect(needed <= 25, f"{needed} actions to enrol somebody and have a first document signed")
