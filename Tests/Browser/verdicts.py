#!/usr/bin/env python3
"""What somebody reads who checks a file: today, later, after a revocation, with a question of their own, and without trust.

    COUNTERSIGN=.build/debug/countersign python Tests/Browser/verdicts.py [WORDS OF A CASE ...]

It is the table of docs/documents.md, "Checking", on the page. The page's clock is moved, and never the server's: status
tokens of other days are signed here, with the key of the server that the script has started.
"""

import base64
import json
import sys
import tempfile
from pathlib import Path

from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import decode_dss_signature
from cryptography.hazmat.primitives.hashes import SHA256

from areas import CTRL, OPTIONS
from attacks_stage import (
    NO_WORKER, WEB, Cases, api, appoint, ask_for, check, expect, front, pdf, ready, server, set_up, shown, sign_up, tap, until,
    visit, write)
from chromium import Chromium
from employer_table import as_documented
from faults_lost import NOTICES
from files import saved_file
from looking import examine

EMPLOYER, REFERENCE = "employer.example", "R-2026-11"
HOUR, DAY = 3600, 86_400

# A clock that a test moves, in seconds; and status lists as they will be on that day.
CLOCK = """{
    const Real = Date;
    let moved = 0;
    const now = () => Real.now() + moved * 1000;
    self.moveClock = (seconds) => { moved = seconds; };
    self.Date = new Proxy(Real, {
        construct: (date, given) => new date(...(given.length ? given : [now()])),
        apply: () => new Real(now()).toString(),
        get: (date, name) => (name === 'now' ? now : Reflect.get(date, name)),
    });
    const ask = fetch;
    self.statusLists = {};
    self.fetch = (address, ...rest) => (address in self.statusLists
        ? Promise.resolve(new Response(self.statusLists[address])) : ask(address, ...rest));
}"""
# The page's answer about a file: kind and title of the verdict, the three answers, and everything.
SAID = """(place => place.hidden ? null : {
    kind: document.querySelector('#verdict').className.replace('verdict ', ''),
    title: document.querySelector('#verdict-title').textContent,
    words: document.querySelector('#verdict-words').textContent,
    answers: [...document.querySelectorAll('#answers:not([hidden]) > li')].map(e => e.dataset.result).join(' '),
})(document.querySelector('#result'))"""

YES = ("yes", "Yes, this is genuine", "passed passed passed")
HOLDS_OPEN = ("unsure", "Genuine. Does it still hold?", "passed unknown passed")
BOTH_OPEN = ("unsure", "Genuine. Does it still hold?", "passed unknown unknown")
LAPSED = ("unsure", "Genuine, shown {0} days ago", "passed passed unknown")
REVOKED = ("no", "It was genuine, and no longer holds", "passed failed passed")
REVOKED_LAPSED = ("no", "It was genuine, and no longer holds", "passed failed unknown")
EXPIRED = ("unsure", "Genuine, and its time is over", "passed failed passed")
# Until when the document is valid, in days.
EXPIRES = 120
# Day: offline, online, as of then. On the first day there is nothing to ask for as of then.
NOTHING_HAPPENED = {
    0: (YES, YES, None), 3: (HOLDS_OPEN, YES, YES), 29: (HOLDS_OPEN, YES, YES), 31: (BOTH_OPEN, LAPSED, YES)}
IS_REVOKED = {
    0: (YES, REVOKED, None), 3: (HOLDS_OPEN, REVOKED, YES), 29: (HOLDS_OPEN, REVOKED, YES),
    31: (BOTH_OPEN, REVOKED_LAPSED, YES)}
# A file for a year, and certificates for 90 days, of an administrator: the log proves that it was used in time.
CERTIFICATE_EXPIRED = {100: (HOLDS_OPEN, YES, YES)}
DOCUMENT_EXPIRED = {EXPIRES + 2: (EXPIRED, EXPIRED, None)}
# Without a network nobody can know that it was revoked since.
EXPIRED_AND_REVOKED = {EXPIRES + 2: (EXPIRED, REVOKED, None)}
# A clock that is behind, by what the page hears of it first: certificates, the receipt, the document, what was shown.
FROM_THE_FUTURE = ("certificate_not_yet_valid", "receipt_from_the_future", "credential_from_the_future",
                   "presentation_from_the_future")
VERDICT = """import('/assets/verification/verdict-words.js').then(({verdict}) => verdict({verdict: 'not_valid',
    answers: [%s].map(([question, answer, reason]) => ({question, answer, reason})),
    checks: [%s].map(([name, reason]) => ({name, reason, result: 'failed', words: '…'}))}, 0)).then(v => v.kind + ': ' + v.title)"""
# The result of typing the fingerprint.
TRUST = """import('/assets/verification/anchor.js').then(a => a.rootOfServer().then(root => a.pin(root, 'typed')))"""
# The day of the page's clock, in its words.
TODAY = """import('/assets/shell/translate.js').then(({locale}) => new Date().toLocaleDateString(locale, {dateStyle: 'long'}))"""
PNG = WEB / "shell/icon-192.png"


class Verdicts:
    def __init__(self, stage, browser):
        self.stage, self.browser, self.people, self.picture = stage, browser, [], None
        self.folder = Path(tempfile.mkdtemp(prefix="countersign-verdicts-"))

    def person(self, name):
        person = self.browser.person(name)
        person.send("Page.addScriptToEvaluateOnNewDocument", source=NO_WORKER + CLOCK)
        person.has_biometrics()
        self.people.append(person)
        return person

    # Before there is a document.

    def pasted_link(self):
        """The tab shows the page already; the link is pasted into its address, and then another."""
        page = self.person("sets up")
        page.goto(self.stage.url + "/setup")
        page.wait("document.querySelector('#go')?.checkVisibility()", "the form")
        expect(page.js("document.querySelector('#code').value") == "", "there is a code without a link")
        page.js("self.isTheSamePage = true")
        for link in (self.stage.setup_link[:-4] + "ZZZZ", self.stage.setup_link):
            page.send("Page.navigate", url=link)
            code = link.split("#")[1]
            page.wait(f"document.querySelector('#code').value === {json.dumps(code)}", f"the code {code}", 30)
        expect(page.js("self.isTheSamePage"), "the page was loaded again, so that nothing was tested")
        # A name that is too long is kept, and the page says by how much.
        page.fill("#organisation", "ü" * 204)
        tap(page, "#go")
        page.wait("document.querySelector('#organisation-error').textContent === 'Too long: 4 characters over.'", "by how much", 30)
        expect(page.js("document.querySelector('#organisation').value.length") == 204, "the name was cut")
        page.close()

    def prepare(self):
        """A degree with a PDF, shown three times: for 30 days, for a year with a reference, and by a link."""
        self.owner, self.admin, self.member = (self.person(name) for name in ("owner", "admin", "member"))
        set_up(self.owner, self.stage, "Example University", "Olivia Owner", "owner")
        appoint(self.owner, self.admin, self.stage, "Grace Hopper", "admin")
        sign_up(self.member, self.stage, "ada", "Ada", "Lovelace")
        check(self.admin, self.member, self.stage, "Lovelace", given="Ada")
        self.request = ask_for(self.member, self.stage, "degree", "For my next employer")
        self.original = pdf("degree.pdf", "Degree")
        write(self.admin, self.stage, self.request, "Mathematics", self.original)
        self.admin.js(f"""document.querySelector('#expires').valueAsNumber = Date.now() + {EXPIRES * DAY * 1000},
            document.querySelector('#expires').dispatchEvent(new Event('input', {{bubbles: true}}))""")
        tap(self.admin, "#look")
        tap(self.admin, "#sign")
        self.admin.wait(shown("[data-step=done]"), "the document to be sent", 40)
        self.document = api(self.member, "GET", f"/api/requests/{self.request}")[1]["document"]
        front(self.member)
        visit(self.member, f"/wallet/document#{self.document}", self.stage.url)
        tap(self.member, "#open")
        self.member.wait(shown("[data-step=read]"))
        self.plain = self.present()
        self.numbered = self.present(reference=REFERENCE, lifetime=365 * DAY)
        self.member.downloads(self.folder)
        tap(self.member, "#file [data-save]")
        self.saved = saved_file(self.folder, "*.pdf")
        self.employer = self.opens("employer")
        self.employer.js(TRUST)
        self.employer.reload()
        self.employer.see("because you typed its fingerprint", "#anchors")

    def open_again(self):
        """A document closes once its page was out of sight for five minutes, and all others take longer on a busy machine."""
        front(self.member)
        self.member.wait(f"{shown('#open')} || {shown('[data-step=read]')}", "the document")
        if not self.member.js(shown("[data-step=read]")):
            tap(self.member, "#open")
            self.member.wait(shown("[data-step=read]"), "the document to be open")

    def choose(self, way="file", reference="", lifetime=30 * DAY):
        member = self.member
        self.open_again()
        tap(member, "#show")
        member.fill("#audience", EMPLOYER)
        if reference:
            member.js("document.querySelector('#nonce-part').open = true")
            member.fill("#nonce", reference)
        tap(member, "#choose-all")
        expect("January 2, 2000" in member.text("#choices"), f"a day is not in words: {member.text('#choices')}")
        member.js(f"document.querySelector('#choose input[name=way][value={way}]').click()")
        if way == "file":
            member.choose("#good-for", str(lifetime))
        tap(member, "#choose button[type=submit]")
        tap(member, "#sign")
        member.wait(shown("[data-step=done]"), "what is shown", 40)

    def present(self, **choice):
        """The file that a holder gives away."""
        self.choose(**choice)
        folder = Path(tempfile.mkdtemp(prefix="countersign-file-"))
        self.member.downloads(folder)
        tap(self.member, "#save")
        file = saved_file(folder, "*.countersign")
        tap(self.member, "#finish")
        self.member.wait(shown("[data-step=read]"))
        return file

    # The text that a person reads.

    def opens(self, name):
        page = self.person(name)
        page.goto(self.stage.url + "/verify")
        page.wait("document.querySelector('#trust').dataset.drawn === ''", "the page")
        return page

    def give(self, page, *files, seconds=0):
        """Gives files to a page whose clock is so much ahead, and waits for what it says."""
        page.js(f"moveClock({seconds}), document.querySelector('#result').hidden = true")
        if page.js(shown("#another")):
            page.js("document.querySelector('#another').click()")
        page.upload("#file-input", *files)

    def reads(self, page, kind, title, answers=None, words=""):
        """Waits for this verdict, and fails with what the page says instead."""
        def holds():
            said = page.js(SAID)
            if said and (said["kind"], said["title"]) == (kind, title) and words in said["words"]:
                return answers is None or said["answers"] == answers
            return False
        try:
            until(holds, "the verdict", 30)
        except AssertionError:
            expect(False, f"“{title}” ({kind}; {answers}; {words}) is awaited, and it says: {page.js(SAID)} {page.js(NOTICES)}")

    def presses(self, page, name):
        page.wait(shown(f"#result [data-{name}]"), f"the button {name}", 30)
        # The answer of before may read as the one that is awaited.
        page.js(f"document.querySelector('#result').hidden = true, document.querySelector('#result [data-{name}]').click()")

    def not_trusted(self):
        """Grey until the person has compared; and not yet yes, for nobody has said who they are."""
        page = self.opens("compares")
        self.give(page, self.plain)
        self.reads(page, "unsure unconfirmed", "Not confirmed yet", "", "Anybody can write that.")
        page.see("Ada", "#fields")
        page.see("Nobody has confirmed this yet.", "#result")
        expect(not page.js(shown("#asked")), "it asks before it knows the organisation")
        groups = page.text("#comparing .fingerprint").split()
        expect([len(group) for group in groups] == [5] * 4, f"there are no four groups to compare: {groups}")
        published = self.person("reads what is published")
        published.goto(self.stage.url + "/verifiers")
        expect(" ".join(groups) in " ".join(published.text().split()), "the organisation publishes other groups")
        self.presses(page, "same")
        self.reads(page, "unsure", "Genuine. Was it shown to you?", "passed passed unknown")
        page.see("because you compared its fingerprint", "#anchors")
        self.presses(page, "not-mine")
        self.reads(page, "no", "Genuine, but not shown to you", words="and was passed on")
        self.presses(page, "mine")
        self.reads(page, *YES)

    def trusted_again(self):
        """Who removes an organisation can undo it: it is in the list again, with the same day and reason, and counts again."""
        page = self.opens("removes")
        page.js(f"moveClock({-40 * DAY})")
        then = page.js(TODAY)
        page.js(TRUST)
        page.reload()
        # On the day of then: of today, nobody could tell it from one that is made up when the list is drawn.
        page.see(f"Added on {then}, because you typed its fingerprint.", "#anchors")
        kept = page.text("#anchors")
        self.give(page, self.plain)
        self.reads(page, "unsure", "Genuine. Was it shown to you?", "passed passed unknown")
        tap(page, "#anchors [data-remove]")
        self.reads(page, "unsure unconfirmed", "Not confirmed yet")
        page.see("You no longer trust Example University.", "#notices", 30)
        tap(page, '"Undo"')
        self.reads(page, "unsure", "Genuine. Was it shown to you?", "passed passed unknown")
        expect(page.text("#anchors") == kept, f"it is trusted otherwise than before: {page.text('#anchors')}")
        page.close()

    def code(self):
        """The code that /verifiers shows, as a picture."""
        if self.picture:
            return self.picture
        page = self.person("takes a picture")
        page.goto(self.stage.url + "/verifiers")
        page.wait("document.querySelector('#root-code svg')", "the code")
        page.settle()
        x, y, width, height = page.js("""(r => [r.x + scrollX, r.y + scrollY, r.width, r.height])(
            document.querySelector('#root-code svg').getBoundingClientRect())""")
        self.picture = picture = self.folder / "root-code.png"
        # With some of the paper around it.
        picture.write_bytes(base64.b64decode(page.send("Page.captureScreenshot", format="png", captureBeyondViewport=True, clip={
            "x": x - 24, "y": y - 24, "width": width + 48, "height": height + 48, "scale": 3})["data"]))
        page.close()
        return picture

    def scans(self, page):
        picture = self.code()
        front(page)
        page.js("document.querySelector('#pinning').open = true")
        tap(page, "#pin-scan")
        page.upload("dialog.scan input[type=file]", picture)
        # A picture may have come from anywhere: what is in it is compared.
        page.wait(shown("#candidate"), "the organisation to be compared", 30)
        tap(page, "#candidate .primary")
        page.see("because you compared its fingerprint", "#anchors", 30)

    def labelled(self):
        """Labels in another language, where the reader wants them; what was signed stays as it is."""
        page = self.opens("reads German")
        self.give(page, self.plain)
        self.reads(page, "unsure unconfirmed", "Not confirmed yet")
        rows = "[...document.querySelectorAll('#fields dt')].map(e => e.textContent)"
        values = "[...document.querySelectorAll('#fields dd')].map(e => e.textContent)"
        page.wait(f"{rows}.includes('Family name')", "labels in the language of the page", 30)
        offered = page.js("[...document.querySelector('#label-language').options].map(e => `${e.value} ${e.text}`)")
        expect(sorted(offered) == ["ar العربية", "de Deutsch", "en English"], f"{offered}")
        expect(page.js("document.querySelector('#label-language').value") == "en", "it begins with another language than the page's")
        signed, names = page.js(values), page.js(rows)
        for tag, label, title in (("de", "Familienname", "Abschlusszeugnis"), ("ar", "اسم العائلة", "شهادة التخرّج")):
            page.choose("#label-language", tag)
            page.wait(f"{rows}.includes({json.dumps(label)})", f"the label {label}", 30)
            expect(page.text("#said-title") == title, page.text("#said-title"))
            expect(page.js("document.querySelector('#fields dt bdi').lang") == tag, "a label is read out as English")
            expect(page.js(values) == signed and len(page.js(rows)) == len(names), "what was signed is shown otherwise")
            examine(page, f"labels in {tag}")
        # The next check is read in the same language.
        self.give(page, self.numbered)
        self.reads(page, "unsure unconfirmed", "Not confirmed yet")
        page.wait(f"{rows}.includes('اسم العائلة')", "the labels that were chosen", 30)
        page.choose("#label-language", "en")
        page.wait(f"JSON.stringify({rows}) === {json.dumps(json.dumps(names, separators=(',', ':')))}", "the labels as before", 30)
        # The page as one file has all languages in it.
        page.goto((WEB / "verification/countersign-verify.html").as_uri())
        page.wait("document.querySelector('#trust').dataset.drawn === ''", "the page as one file")
        self.give(page, self.plain)
        self.reads(page, "unsure unconfirmed", "Not confirmed yet")
        page.choose("#label-language", "de")
        page.wait(f"{rows}.includes('Familienname')", "the labels in the page as one file", 30)
        page.close()

    def by_code(self):
        """A picture of the organisation's own code brings its root and the key of its log, and is compared."""
        page = self.opens("scans")
        self.give(page, self.plain)
        self.reads(page, "unsure unconfirmed", "Not confirmed yet")
        self.scans(page)
        self.reads(page, "unsure", "Genuine. Was it shown to you?", "passed passed unknown")
        expect("Receipts are checked with the key of its log." in page.js("document.querySelector('#anchors').textContent"),
               "the code does not bring the key of the log")
        self.presses(page, "mine")
        self.reads(page, *YES)

    def shared_by_code(self):
        """The same on the page of a link."""
        front(self.member)
        self.choose(way="link")
        link, code = self.member.text("#link-text").strip(), self.member.text("#link-code").strip()
        tap(self.member, "#finish")
        page = self.person("has a link")
        page.goto(link)
        page.fill("#code", code)
        tap(page, "#code-form .primary")
        self.reads(page, "unsure unconfirmed", "Not confirmed yet")
        self.scans(page)
        self.reads(page, "unsure", "Genuine. Was it shown to you?", "passed passed unknown")
        self.presses(page, "mine")
        self.reads(page, *YES)

    # The table.

    def says_who(self, audience=EMPLOYER, reference="", age=""):
        """The stricter question of the person."""
        page = self.employer
        page.js("document.querySelector('#expecting').open = true")
        page.fill("#audience", audience)
        page.fill("#nonce", reference)
        page.choose("#maximum-age", age)
        page.js("document.querySelector('#result').hidden = true, document.querySelector('#expected .button').click()")

    def status_on(self, page, file, seconds):
        """The status lists of a file as the server would sign them so much later."""
        bundle = json.loads(file.read_text())
        addresses = {payload_of(token)["sub"] for token in bundle["status"]}
        for address in addresses:
            token = page.js(f"fetch({json.dumps(address.replace(self.stage.url, ''))}, {{cache: 'no-store'}}).then(r => r.text())")
            later = self.signed_later(token.strip(), seconds)
            page.js(f"statusLists[{json.dumps(address)}] = {json.dumps(later)}")

    def signed_later(self, token, seconds):
        header, payload = token.split(".")[0], payload_of(token)
        payload |= {"iat": payload["iat"] + seconds, "exp": payload["exp"] + seconds}
        secret = int(Path(self.stage.folder, "data/keys/status").read_text(), 16)
        body = f"{header}.{encoded(json.dumps(payload).encode())}"
        signature = ec.derive_private_key(secret, ec.SECP256R1()).sign(body.encode(), ec.ECDSA(SHA256()))
        return body + "." + encoded(b"".join(part.to_bytes(32, "big") for part in decode_dss_signature(signature)))

    def table(self, rows, file):
        page = self.employer
        front(page)
        self.says_who()
        for day, (offline, online, then) in rows.items():
            self.give(page, file, seconds=day * DAY)
            self.reads(page, *named(offline, day))
            if then:
                self.presses(page, "as-of")
                self.reads(page, *named(then, day))
                page.see("Later events do not count.", "#result", 30)
                self.presses(page, "now")
                self.reads(page, *named(offline, day))
            else:
                expect(not page.js(shown("#result [data-as-of]")), "there is something to ask for as of then")
            self.status_on(page, file, day * DAY)
            self.presses(page, "live")
            self.reads(page, *named(online, day))
            page.js("statusLists = {}")

    def replaced(self):
        """What was asked for one file, and answered late, does not count for the next."""
        page = self.employer
        front(page)
        self.says_who()
        self.give(page, self.plain)
        self.reads(page, *YES)
        lists = [payload_of(token)["sub"] for token in json.loads(self.plain.read_text())["status"]]
        page.js(f"""(() => {{ const ask = fetch; self.late = []; self.fetch = (...all) => ({json.dumps(lists)}.includes(all[0])
            ? new Promise(done => {{ late.push(() => {{ self.fetch = ask; done(ask(...all)); }}); }}) : ask(...all)); }})()""")
        self.presses(page, "live")
        page.wait("late.length > 0", "the question")
        self.give(page, self.numbered)
        self.reads(page, *YES)
        page.js("late.forEach(answer => answer())")
        page.settle()
        expect(page.js(shown("#result [data-live]")), "the next file counts as asked for")

    def behind(self):
        """A clock that is behind accuses nobody: neither of certificates that begin later, nor of what was shown later."""
        page, advice = self.employer, "Is the clock of this device right?"
        front(page)
        self.says_who()
        self.give(page, self.plain, seconds=-DAY)
        self.reads(page, "unsure", "We can't confirm this yet", words=advice)
        front(self.member)
        self.member.js(f"moveClock({HOUR})")
        ahead = self.present()
        self.member.js("moveClock(0)")
        front(page)
        self.give(page, ahead)
        self.reads(page, "unsure", "We can't confirm this yet", words=advice)
        expect(not page.js(shown("#result [data-show=refused]")), "it says that it is not to be relied on")
        # A log and a certificate that are older than the receipt cannot be made here, where all are young.
        for reason in FROM_THE_FUTURE:
            question = "genuine" if reason.startswith(("certificate", "receipt")) else "holds"
            found = page.js(VERDICT % (self.no(question, reason), f"['one', '{reason}']"))
            expect(found == "unsure: We can't confirm this yet", f"{reason}: {found}")
            found = page.js(VERDICT % (self.no("holds", "credential_revoked"), f"['one', '{reason}'], ['other', 'credential_revoked']"))
            expect(found.startswith("no: "), f"{reason} hides a revocation: {found}")

    @staticmethod
    def no(question, reason):
        return ", ".join(str([one, "no", reason] if one == question else [one, "yes", "…"]) for one in ("genuine", "holds", "shown"))

    # Files of other kinds.

    def other_files(self):
        """A PDF or picture alone shows nothing; beside its file it is known again."""
        page = self.employer
        front(page)
        self.says_who()
        for file in (self.saved, PNG):
            self.give(page, file)
            self.reads(page, "unsure", "This is not a Countersign file", words="Look for one that ends in .countersign.")
            page.see("give that one first and this one after it", "#verdict")
        stranger = self.opens("trusts nobody")
        self.give(stranger, self.saved)
        self.reads(stranger, "unsure", "This is not a Countersign file", "", "Look for one that ends in .countersign.")
        front(page)
        expect(self.saved.read_bytes() == self.original.read_bytes(), "the PDF is not the one that was signed")
        self.give(page, self.saved, self.plain)
        page.see("of this file, byte for byte.", "#notices", 30)
        self.reads(page, *YES)
        changed = self.folder / "changed.pdf"
        changed.write_bytes(self.saved.read_bytes() + b"\n")
        page.upload("#file-input", changed)
        page.see("changed.pdf is not the document in this file.", "#notices", 30)

    # The person's own question.

    def stricter(self):
        page = self.employer
        front(page)
        self.says_who()
        self.give(page, self.numbered)
        self.reads(page, *YES)
        self.says_who("somebody.example")
        self.reads(page, "no", "Genuine, but not shown to you", "passed passed failed", "made to be shown to somebody else")
        page.see("somebody.example", "#expectation")
        self.says_who(reference="R-2025-01")
        self.reads(page, "no", "Genuine, but not shown to you", "passed passed failed", "It does not answer your reference")
        self.says_who(reference=REFERENCE)
        self.reads(page, *YES)
        page.see("Reference it answers", "#facts")
        self.says_who(age=str(HOUR))
        self.reads(page, *YES)
        page.see("an hour old", "#expectation")

    def too_old(self):
        """The person's own limit is stricter than the holder's year."""
        page = self.employer
        front(page)
        for hours, age, title in ((2, HOUR, "Genuine, shown earlier today"), (49, DAY, "Genuine, shown 2 days ago")):
            self.says_who(age=str(age))
            self.give(page, self.numbered, seconds=hours * HOUR)
            self.status_on(page, self.numbered, hours * HOUR)
            self.presses(page, "live")
            self.reads(page, "unsure", title, "passed passed unknown", "Ask the holder for a new one, or allow more time.")
            self.says_who()
            self.reads(page, *YES)
            page.js("statusLists = {}")

    # The holder, and the office.

    def warned(self):
        """A file that goes along says what its fields say."""
        member, warning = self.member, shown("#choices-warning")
        self.open_again()
        tap(member, "#show")
        hidden = member.js("document.querySelector('#choices input').value")
        tap(member, "#choose-all")
        expect(not member.js(warning), "it warns though everything is shown")
        tap(member, f"#choices input[value={hidden}]")
        member.wait(warning, "the warning", 30)
        expect("The file shows all that is in it" in member.text("#choices-warning"), member.text("#choices-warning"))
        member.resize(390, 844, True)
        mark = member.js("(warning => warning.firstElementChild.getBoundingClientRect().left - warning.getBoundingClientRect().left)"
                         "(document.querySelector('#choices-warning'))")
        expect(mark > 30, "the words of the warning are not beside its mark")
        member.resize(1280, 900)
        tap(member, "#choices input[value=document]")
        member.wait(f"!({warning})", "the warning to go with the file", 30)
        tap(member, "#choices input[value=document]")
        member.wait(warning, "the warning", 30)
        tap(member, "#choose-none")
        member.wait(f"!({warning})", "the warning to go with everything", 30)
        tap(member, "#choose [data-back]")

    def found(self):
        """The palette finds requests and documents by the name of their member, and leads to them."""
        for title, path, detail in (("Degree certificate for Ada Lovelace", "/console", "Signed"),
                                    ("Degree certificate of Ada Lovelace", "/console/documents", "Revoked")):
            front(self.admin)
            visit(self.admin, "/console/members", self.stage.url)
            self.admin.press("k", code="KeyK", modifiers=CTRL)
            self.admin.wait("document.querySelector('.palette')?.open === true", "the palette", 30)
            self.admin.send("Input.insertText", text="lovela")
            self.admin.wait(f"{OPTIONS}.some(e => e.startsWith({json.dumps(title)}))", f"{title} among {self.admin.js(OPTIONS)}", 30)
            self.admin.js(f"""[...document.querySelectorAll('.palette [role=option]')].find(e =>
                e.firstElementChild.textContent.startsWith({json.dumps(title)})).click()""")
            self.admin.wait(f"location.pathname === '{path}' && location.search.includes('ada')", path, 30)
            ready(self.admin)
            self.admin.see("Lovelace", "#list", 30)

    def revoke(self):
        status, _ = api(self.admin, "POST", f"/api/documents/{self.document}/revoke", {"reason": "It was signed by mistake."})
        expect(status == 200, f"the document is not revoked: {status}")

    def no_complaints(self):
        bad = [f"{page.name}: {line}" for page in self.people for line in page.complaints]
        expect(not bad, "\n".join(bad))


def named(verdict, days):
    kind, title, answers = verdict
    return kind, title.replace("{0}", str(days)), answers


def encoded(content):
    return base64.urlsafe_b64encode(content).decode().rstrip("=")


def payload_of(token):
    return json.loads(base64.urlsafe_b64decode(token.split(".")[1] + "=="))


def main():
    case = Cases()
    with server() as stage, Chromium() as browser:
        verdicts = Verdicts(stage, browser)
        case("a set-up link works in a tab that shows the page already", verdicts.pasted_link)
        verdicts.prepare()
        case("not trusted: grey until the fingerprint is compared, and no yes before one says who one is", verdicts.not_trusted)
        case("labels are read in any language that they have", verdicts.labelled)
        case("not trusted any more, and trusted again by Undo", verdicts.trusted_again)
        case("not trusted: the code that the organisation publishes confirms, as a picture", verdicts.by_code)
        case("not trusted: the same on the page of a link", verdicts.shared_by_code)
        case("nothing happened: on the same day, after 3, 29 and 31 days", verdicts.table, NOTHING_HAPPENED, verdicts.plain)
        case("an answer about one file that comes late is not about the next", verdicts.replaced)
        case("the issuer's certificate has expired: after 100 days", verdicts.table, CERTIFICATE_EXPIRED, verdicts.numbered)
        case("every cell of the documented table, with the certificate that expires on the 20th day", as_documented, verdicts.employer)
        case("the document has expired", verdicts.table, DOCUMENT_EXPIRED, verdicts.numbered)
        case("the clock of the device is behind", verdicts.behind)
        case("a PDF and a picture are not such files, and the PDF is known again beside its file", verdicts.other_files)
        case("one's own question: a wrong name, a wrong reference", verdicts.stricter)
        case("one's own question: too old", verdicts.too_old)
        case("a file that goes along while a field is hidden warns", verdicts.warned)
        verdicts.revoke()
        case("the document is revoked: on the same day, after 3, 29 and 31 days", verdicts.table, IS_REVOKED, verdicts.plain)
        case("a revocation counts more than a time that is over", verdicts.table, EXPIRED_AND_REVOKED, verdicts.numbered)
        case("the palette finds a request and an issued document", verdicts.found)
        case("no uncaught exception and no violation of a policy", verdicts.no_complaints)
    return case.end()


if __name__ == "__main__":
    sys.exit(main())
