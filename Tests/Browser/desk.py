#!/usr/bin/env python3
"""The desk from the first client to a report that a stranger checks, in a headless Chromium with pens that are trusted events.

    COUNTERSIGN=.build/debug/countersign desk.py [--pictures FOLDER] [WORDS OF A CASE ...]

Replays real movements of a research set where it is at hand, and says loudly where it is not: made-up hands then.
"""

import base64
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

import hand
import research
from attacks_stage import NO_WORKER, Cases, api, expect, fill_name, front, pdf, ready, server, set_up, shown, tap, visit
from chromium import Chromium
from desk_consents import DeskConsents
from desk_pages import DeskPages
from desk_phone import DeskPhone
from looking import examine, pictures_folder

COUNTERSIGN = os.environ["COUNTERSIGN"]
NUMBER = "QX-77 341"
TEXT = {"format": "countersign-text-1", "blocks": [
    {"kind": "heading", "level": 1, "runs": [{"text": "Consent to treatment"}]},
    {"kind": "paragraph", "runs": [{"text": "I, "}, {"field": "given_name"}, {"text": " "}, {"field": "family_name"},
                                   {"text": " ("}, {"field": "number"}, {"text": "), agree."}]}]}


class Movements:
    """A client's signatures and those of somebody who imitates her."""

    def __init__(self, may_be_real):
        self.is_real = may_be_real and research.is_here()
        if self.is_real:
            self.genuine, self.forged = research.read("001")
        else:
            client, forger = hand.Hand(1), hand.Hand(2)
            self.genuine = [client.signature() for _ in range(20)]
            self.forged = [forger.signature() for _ in range(10)]


class Desk(DeskConsents, DeskPhone, DeskPages):
    # Whose signatures are taken, and what is asked beyond their name and number.
    given, family = "Ada", "Lovelace"
    fields = ()

    def __init__(self, stage, browser, pictures=None):
        self.stage, self.browser, self.pictures = stage, browser, pictures
        # No real signature goes into a picture.
        self.movements = Movements(may_be_real=not pictures)
        self.folder = Path(tempfile.mkdtemp(prefix="countersign-desk-"))
        self.people = []

    def person(self, name):
        page = self.browser.person(name, width=1280, height=900)
        page.send("Page.addScriptToEvaluateOnNewDocument", source=NO_WORKER)
        page.has_biometrics()
        self.people.append(page)
        return page

    def run(self, *arguments, status=0):
        outcome = subprocess.run([COUNTERSIGN, *map(str, arguments)], capture_output=True, text=True)
        expect(outcome.returncode == status, f"{arguments[:3]}: {outcome.returncode}\n{outcome.stdout}{outcome.stderr}")
        return outcome.stdout

    # The cases.

    def set_up(self):
        self.owner = self.person("owner")
        set_up(self.owner, self.stage, "Example Clinic", "Olga Owner", "olga")
        self.invite()

    def invite(self):
        """The owner has somebody work at the desk."""
        front(self.owner)
        made = api(self.owner, "POST", "/api/invitations", {"role": "operator", "lifetime": 3600})[1]
        self.operator = self.person("operator")
        self.operator.goto(f"{self.stage.url}/join#{made['code']}")
        self.operator.wait("document.querySelector('#code')?.value.length > 5")
        fill_name(self.operator, "Otto Operator")
        self.operator.fill("#username", "otto")
        tap(self.operator, "#go")
        self.operator.wait("location.pathname !== '/join'", "to have joined", 30)
        ready(self.operator)

    def without_key(self):
        visit(self.operator, "/desk/sign", self.stage.url)
        self.operator.see("forensic key", "main", 30)

    def forensic_key(self):
        passphrase = self.folder / "passphrase"
        passphrase.write_text("a forensic passphrase of many words\n")
        self.key = self.folder / "forensic.key"
        made = json.loads(self.run("admin", "forensic", "make", "--out", self.key, "--passphrase-file", passphrase, "--json"))
        front(self.owner)
        visit(self.owner, "/desk/settings", self.stage.url)
        self.owner.fill("#forensic-key", made["public_key"])
        tap(self.owner, "#set-key")
        self.owner.wait("document.querySelector('#key-badge')?.classList.contains('good')", "the key to be set", 30)

    def documents(self):
        front(self.operator)
        self.text = api(self.operator, "POST", "/api/workspace", {"name": "Consent", "text": json.dumps(TEXT)})[1]["id"]
        self.terms = pdf("terms.pdf", "Terms")
        content = base64.urlsafe_b64encode(Path(self.terms).read_bytes()).decode().rstrip("=")
        status, made = api(self.operator, "POST", "/api/workspace", {"name": "Terms", "pdf": content})
        expect(status == 201 and made["kind"] == "pdf", f"{status} {made}")
        visit(self.operator, "/desk/documents", self.stage.url)
        for name in ("Consent", "Terms"):
            self.operator.see(name, "main", 30)

    def sign_on_pad(self, page, *signatures, picture=None, tool="pen"):
        for number, strokes in enumerate(signatures):
            page.wait(shown("dialog.signing canvas"), "the field")
            hand.write(page, strokes, tool)
            if picture and self.pictures:
                self.take(page, picture)
            tap(page, '"Done"')
            if number < len(signatures) - 1:
                page.see(f"Signature {number + 1} is taken", ".signing-message", 30)

    def enrol(self, checks, end):
        page = self.operator
        visit(page, "/desk/enrol", self.stage.url)
        page.wait(shown("#person"))
        page.fill("#number", NUMBER)
        page.fill("#given", self.given)
        page.fill("#family", self.family)
        tap(page, "#paper-list label")
        tap(page, "#compared")
        if self.fields:
            self.fill_fields(page)
        tap(page, "#next")
        tap(page, "#take-five")
        self.sign_on_pad(page, *self.movements.genuine[:5])
        tap(page, "#take-check")
        # A signature quite unlike the five is sent back twice, as a slip; then the server judges it.
        for strokes in checks:
            page.wait(shown("dialog.signing canvas"), "the field")
            page.js("document.querySelector('.signing-message').textContent = ''")
            self.sign_on_pad(page, strokes)
            doubt = "document.querySelector('.signing-message')?.textContent.includes('not like the others')"
            page.wait(f"{shown(end)} || {doubt}", f"{end} after the check signature, or a doubt", 30)
            if page.js(shown(end)):
                return
        expect(False, f"there is no {end} after {len(checks)} check signatures")

    def forged_check(self):
        self.enrol(self.movements.forged[:3], "[data-step=refused]")
        expect(api(self.operator, "GET", "/api/clients")[1]["items"] == [], "there is a client")

    def enrolled(self):
        """The five stay; only the check is written again."""
        tap(self.operator, "#refused-again")
        if self.operator.js(shown("#take-check")):
            tap(self.operator, "#take-check")
        self.sign_on_pad(self.operator, self.movements.genuine[5])
        self.operator.wait(shown("[data-step=done]"), "the client to be registered", 30)
        clients = api(self.operator, "GET", "/api/clients")[1]["items"]
        expect([one["family_name"] for one in clients] == ["Lovelace"], f"{clients}")
        self.client = clients[0]["id"]

    def read(self, document="Consent"):
        """Up to the document, which operator and client read together."""
        page = self.operator
        visit(page, "/desk/sign", self.stage.url)
        page.wait(shown("#number"))
        page.fill("#number", NUMBER.lower().replace(" ", ""))
        tap(page, "#find")
        page.wait(shown("[data-step=identity]"))
        expect(f"{self.given} {self.family}".strip() in page.text("#client-name"), page.text("#client-name"))
        tap(page, "#sure")
        tap(page, "#is-sure")
        page.wait(shown("#documents li"))
        page.js(f"""[...document.querySelectorAll('#documents li')].find(li => li.innerText.includes({json.dumps(document)}))
            .querySelector('[data-act=choose]').click()""")
        page.wait(shown("[data-step=read]"))

    def compared(self):
        self.operator.wait(f"{shown('[data-step=result]')} && !document.querySelector('#result progress')", "the result", 120)

    def sign(self, strokes, document="Consent", before=None):
        """Up to the result; `before` is what is done where the document is read, before it is signed."""
        page = self.operator
        self.read(document)
        if before:
            before(page)
        tap(page, "#begin")
        page.wait(shown("dialog.signing canvas"), "the field")
        examine(page, "the field to sign in")
        self.sign_on_pad(page, strokes, picture="2-signing")
        self.compared()

    def latest(self):
        return api(self.operator, "GET", "/api/signings")[1]["items"][0]

    def genuine(self):
        self.sign(self.movements.genuine[10])
        expect(self.latest()["state"] == "pending", f"{self.latest()}")
        self.look(self.operator, "the result", "3-result")
        tap(self.operator, "#confirm")
        self.operator.wait(shown("[data-step=done]"), "the transaction to be done", 30)
        self.signing = api(self.operator, "GET", f"/api/signings/{self.latest()['id']}")[1]
        expect(self.signing["state"] == "confirmed", f"{self.signing}")
        expect(self.signing["enrolment"]["paper"] == "Passport" and self.signing["enrolment"]["operator_name"] == "Otto Operator",
               f"{self.signing['enrolment']}")

    def forged(self):
        before = self.latest()["id"]
        self.sign(self.movements.forged[1])
        found = self.latest()
        expect(found["id"] != before and found["state"] == "refused" and not found["is_match"], f"{found}")
        expect(self.operator.js("document.querySelector('#confirm')?.disabled !== false"), "it can be confirmed")
        # A page in the middle of something asks before it is left.
        tap(self.operator, "#stop")

    def replayed(self):
        before = self.latest()["id"]
        self.sign(self.movements.genuine[10])
        self.operator.see("A recording, not a signature", "#result", 30)
        found = api(self.operator, "GET", f"/api/signings/{self.latest()['id']}")[1]
        expect(found["id"] != before and found["state"] == "refused" and "recording" in found["reason"], f"{found}")
        tap(self.operator, "#stop")

    def history(self):
        """The client's page says who did what, when and on which paper; and what was tried in vain."""
        front(self.operator)
        visit(self.operator, f"/desk/client#{self.client}", self.stage.url)
        self.operator.see("Registered", "#history", 30)
        for words in ("Name changed", "by Otto Operator", "Passport", "entry"):
            expect(words in self.operator.text("#history"), f"{words}: {self.operator.text('#history')}")
        tap(self.operator, "#attempts-part summary")
        self.operator.see("the check signature was not like the five", "#attempts", 30)
        acts = api(self.operator, "GET", f"/api/clients/{self.client}/acts")[1]["items"]
        expect([act["kind"] for act in acts] == ["renamed", "fields_changed", "enrolled"], f"{acts}")
        # The organisation's further questions need no identification.
        expect([act["identified"] for act in acts] == [True, False, True], f"{acts}")
        expect(acts[2]["device"], "no device")

    def get(self, path):
        answer = self.owner.js(f"""fetch({json.dumps(path)}, {{headers: {{'Countersign-Session': 'cookie'}}}}).then(async r => {{
            const reader = new FileReader();
            const read = new Promise(done => {{ reader.onload = done }});
            reader.readAsDataURL(await r.blob());
            await read;
            return [r.status, reader.result.split(',')[1]]; }})""")
        expect(answer[0] == 200, f"{path}: {answer[0]}")
        return base64.b64decode(answer[1])

    def report(self):
        front(self.owner)
        path = f"/api/signings/{self.signing['id']}"
        visit(self.owner, f"/desk/transaction#{self.signing['id']}", self.stage.url)
        self.owner.wait(shown("#open-report"), "the report")
        expect("Ada Lovelace" in self.owner.text("main"), "whose it is")
        for name, part in [("report.json", "/report"), ("report.html", "/report.html"), ("document", "/document")]:
            (self.folder / name).write_bytes(self.get(path + part))
        (self.folder / "root.pem").write_bytes(self.get("/organisation/root.pem"))
        log_key = api(self.owner, "GET", "/api/organisation")[1]["log_key"]
        report = self.folder / "report.json"
        flags = ["--trust", self.folder / "root.pem", "--log-key", log_key, "--json"]
        held = json.loads(self.run("signatures", "verify", report, *flags, "--document", self.folder / "document"))
        expect(held["verdict"] == "valid" and held["logged_at"] and held["not_checked"] == [], f"{held}")
        expect(held["record"]["client"]["family_name"] == "Lovelace", f"{held['record']}")
        expect(held["record"]["enrolment"]["paper"] == "Passport" and held["record"]["identified"] is True, f"{held['record']}")
        changed = self.folder / "changed.json"
        text = report.read_text()
        for old, new in [("Lovelace", "Lovelacy"), ('"confirmed"', '"refused"'), ('"is_match":true', '"is_match":false'),
                         (self.signing["digest"], "A" * 43)]:
            expect(old in text, f"{old} is not in the report")
            changed.write_text(text.replace(old, new))
            refused = json.loads(self.run("signatures", "verify", changed, *flags, status=1))
            expect(refused["verdict"] == "not_valid", f"{old}: {refused}")
        self.run("signatures", "verify", report, *flags, "--document", self.folder / "report.html", status=1)
        self.signed_page(path)

    def signed_page(self, path):
        """The page for people has a signature of its own, which the command checks byte for byte."""
        page, signature = self.folder / "report.html", self.folder / "report.html.jws"
        signature.write_bytes(self.get(path + "/report.html.jws"))
        flags = ["--trust", self.folder / "root.pem", "--json"]
        held = json.loads(self.run("signatures", "verify", page, "--signature", signature, *flags))
        expect(held["verdict"] == "valid" and held["not_checked"] == ["log", "document", "drawing"], f"{held}")
        changed = self.folder / "changed.html"
        changed.write_text(page.read_text().replace("Lovelace", "Lovelacy", 1))
        refused = json.loads(self.run("signatures", "verify", changed, "--signature", signature, *flags, status=1))
        expect(refused["verdict"] == "not_valid", f"{refused}")
        inner = self.folder / "report.jws"
        inner.write_text(json.loads((self.folder / "report.json").read_text())["signature"])
        self.run("signatures", "verify", page, "--signature", inner, *flags, status=1)

    def report_page(self):
        """What a court sees loads nothing and runs nothing."""
        page = self.person("court")
        page.goto((self.folder / "report.html").as_uri())
        self.look(page, "the report", "5-report")
        for words in ("Ada Lovelace", "Confirmed", "Comparison score", "Pressure", "How to check this report"):
            page.see(words, "body", 30)
        # A page from a file has no session and no server: only its content counts.
        expect(page.js("performance.getEntriesByType('resource').length") == 0, "the report loads something")
        expect(page.js("document.querySelectorAll('.plot svg').length") == 21, "plots")
        page.complaints.clear()

    def movement(self):
        front(self.owner)
        status, released = api(self.owner, "POST", f"/api/signings/{self.signing['id']}/movement", {"reason": "court order"})
        expect(status == 200, f"{status} {released}")
        sealed, out = self.folder / "movement.jwe", self.folder / "movement.json"
        sealed.write_text(released["sealed"])
        opened = json.loads(self.run(
            "admin", "forensic", "open", sealed, "--key", self.key, "--passphrase-file", self.folder / "passphrase",
            "--out", out, "--json"))
        record = json.loads((self.folder / "report.json").read_text())["report"]["record"]
        expect(opened["movement"] == record["movement"], f"{opened}")
        self.run("signatures", "convert", out, "--to", "json", "--out", self.folder / "again.json")
        expect((self.folder / "again.json").read_bytes().strip() == out.read_bytes().strip(), "another movement")

    def blocked(self):
        front(self.owner)
        visit(self.owner, "/desk/operators", self.stage.url)
        self.owner.see("Otto Operator", "main", 30)
        # The page asks the owner to confirm, and checks the receipt of each entry.
        blocked, unblocked = "is blocked. The log has it.", "can sign in again. The log has it."
        for act, words in (("block", blocked), ("unblock", unblocked), ("block", blocked)):
            front(self.owner)
            # What was said of the act before, and maybe in the same words, is not said of this one.
            self.owner.js("document.querySelector('#notices')?.replaceChildren()")
            tap(self.owner, f"[data-act={act}]:not([hidden])")
            self.owner.wait(shown("dialog[open] .actions button"), "the question")
            if act == "block":
                self.owner.fill("dialog[open] textarea, dialog[open] input", "left us")
            self.owner.js("""[...document.querySelectorAll('dialog[open] button')]
                .find(b => ['Block', 'Unblock'].includes(b.textContent.trim())).click()""")
            self.owner.see(words, "body", 30)
            if act == "block":
                self.operator.goto(self.stage.url + "/desk")
                self.operator.wait("location.pathname === '/sign-in'", "the operator to be out", 30)

    def at_rest(self):
        """No movement, no template, no identity number stands readable anywhere in the data directory."""
        capture = json.loads((self.folder / "movement.json").read_text())
        secrets = [b"QX77341", b"QX-77 341", b"+49 30 1234567", b"countersign-capture-1", b"countersign-signature-template-1"]
        secrets += [json.dumps(sample[:3], separators=(",", ":"))[:-1].encode() for sample in capture["samples"][5:40:5]]
        seen = 0
        for path in Path(self.stage.folder, "data").rglob("*"):
            if path.is_file():
                seen += 1
                content = path.read_bytes()
                for secret in secrets:
                    expect(secret not in content, f"{secret} stands in {path.name}")
        expect(seen > 5, f"only {seen} files")

    def no_complaints(self):
        bad = [f"{page.name}: {line}" for page in self.people for line in page.complaints]
        expect(not bad, "\n".join(bad))


def main():
    pictures = pictures_folder()
    case = Cases()
    # A camera that is made up, and asks nobody.
    flags = ["--use-fake-device-for-media-stream", "--use-fake-ui-for-media-stream"]
    with server() as stage, Chromium(*flags) as browser:
        desk = Desk(stage, browser, pictures)
        if not desk.movements.is_real:
            print(f"NOT WITH REAL MOVEMENTS: {research.FILE.name} is not at hand, or pictures are made", flush=True)
        case("an organisation, and an operator by invitation", desk.set_up)
        case("without a forensic key nobody signs, and the page says what to do", desk.without_key)
        case("the main administrator sets a forensic key that was made elsewhere", desk.forensic_key)
        case("a text and a PDF in the workspace", desk.documents)
        case("a text is written with the editor, and is there again", desk.written)
        case("a template is shown with made-up values, and duplicated", desk.duplicated)
        case("two change one template, and both versions stay", desk.contested)
        case("the main administrator says what is asked of clients", desk.asked)
        case("a forger's check signature registers nobody", desk.forged_check)
        case("five signatures and a check register a client", desk.enrolled)
        case("what is asked is on the client's page and in a text", desk.in_text)
        case("a second sitting is for another visit, and with a paper", desk.too_early)
        case("a client's name is changed after a paper was seen", desk.renamed)
        case("a genuine signature on a document is confirmed", desk.genuine)
        case("a skilled forgery of the same client is refused", desk.forged)
        case("the same movement again is refused as a recording", desk.replayed)
        case("the client takes a copy home", desk.copied)
        case("the client opens a copy by link and code, until it is stopped", desk.sent)
        case("the copy of a PDF has the signature beside the PDF", desk.copied_pdf)
        case("the client's page shows who enrolled them, on which paper, and what failed", desk.history)
        case("failed tries beyond a hundred come at a press", desk.goes_on)
        case("its report is verified offline, and refused after any change", desk.report)
        case("the report for people loads and runs nothing", desk.report_page)
        case("report and sealed movement are taken away in the page, which checks the receipt", desk.taken_away)
        case("the raw movement opens with the forensic key only", desk.movement)
        case("transactions are looked for and found", desk.found)
        case("the lists of clients and transactions are saved as files", desk.saved_lists)
        case("the palette finds a client and a transaction", desk.palette)
        case("a text with logo, page break and place is signed, and printed with the signature there", desk.placed)
        case("place and photograph are kept if organisation and signer allow them, and else not asked for", desk.consented)
        case("every page holds on phone, tablet and desktop, light and dark", desk.looked_at)
        case("a phone signs for the desk, and the transaction goes on there", desk.phone)
        case("a client is enrolled and signs a first document in at most 25 actions", desk.counted)
        case("nothing of it stands readable in the data directory", desk.at_rest)
        case("a blocked operator is out at once", desk.blocked)
        case("no uncaught exception and no violation of a policy", desk.no_complaints)
    return case.end()


if __name__ == "__main__":
    sys.exit(main())
