"""Pages of an organisation whose log has witnesses: a policy is followed, and what it asks for is demanded.

    COUNTERSIGN=.build/release/countersign python Tests/Browser/witnesses.py [words of a case …]

The witnesses are real ones. While they are away everything that is done is recorded once, and the pages say so.
"""

import json
import sys
import tempfile
from pathlib import Path

from attacks_stage import (
    Cases, api, ask_for, check, expect, front, issue, prepare_to_sign, ready, server, shown, sign_up, tap, until, visit)
from chromium import Chromium
from faults_lost import NOTICES, LostConnections
from files import saved_file
from organisation import Witness

SIGN_POLICY = """Promise.all([import('/assets/accounts/keys.js'), import('/assets/shell/api.js')])
    .then(async ([keys, {api}]) => {
        const {trust} = await keys.device();
        const statement = await keys.use('Sign the log policy', k => k.jws('countersign-log-policy+jwt', {
            aud: trust.publicURL, iat: Math.floor(Date.now() / 1000), policy: %s, version: %d}, {authority: true}));
        return api.post('/api/log/policy', {statement});
    })"""

# A server that lies: this page gets another answer from one address.
ANSWER = """{ const real = fetch; self.fetch = (path, ...rest) => path === %s
    ? Promise.resolve(new Response(%s, {headers: {'Content-Type': 'application/json'}})) : real(path, ...rest); }"""


class Witnessed(LostConnections):
    def prepare(self):
        """Everybody is signed in, and a document is issued, before there is a policy."""
        self.set_up()
        self.appoint()
        self.visitor = self.person("visitor")
        sign_up(self.visitor, self.stage, "visitor")
        self.before = api(self.member, "GET", "/api/log/mine")[1]
        self.old_organisation = api(self.member, "GET", "/api/organisation")[1]
        self.old_file = self.made_file()
        key = self.old_organisation["log_key"]
        self.witnesses = [Witness(f"w{number}.example/log", key) for number in (1, 2)]
        self.policy = f"log {key}\n" + "".join(
            f"witness w{number} {one.key} {one.url}\n" for number, one in enumerate(self.witnesses, 1)
        ) + "group enough 2 w1 w2\nquorum enough\n"

    def close(self):
        for witness in getattr(self, "witnesses", []):
            witness.close()

    def made_file(self):
        """A file for a verifier, of the member's document."""
        folder = Path(tempfile.mkdtemp(prefix="countersign-file-"))
        self.open_document(self.member)
        self.to_preview(self.member)
        tap(self.member, "#sign")
        self.member.wait(shown("[data-step=done]"), "what is shown", 30)
        self.member.downloads(folder)
        tap(self.member, "#save")
        return saved_file(folder, "*.countersign")

    def log_page(self, page, path):
        front(page)
        visit(page, path, self.stage.url)
        page.wait("!['Checking', ''].includes(document.querySelector('#audit-badge')?.textContent ?? '')", "the check")
        return page.text("main")

    # With the witnesses there.

    def followed(self):
        front(self.owner)
        visit(self.owner, "/console/settings", self.stage.url)
        self.owner.js(SIGN_POLICY % (json.dumps(self.policy), 1))
        for page, path in ((self.member, "/wallet/log"), (self.admin, "/console/log"), (self.owner, "/console/log")):
            said = self.log_page(page, path)
            expect("All good" in said, f"{page.name}, signed in since before the policy: {said[:900]}")
            expect("Witnessed by w1.example/log, w2.example/log" in said, f"{page.name}: no witnesses: {said[:900]}")
            versions = page.js("import('/assets/accounts/keys.js').then(k => k.device()).then(d => d.trust.policyVersion)")
            expect(versions == 1, f"{page.name} follows version {versions}")
        visit(self.owner, "/console/settings", self.stage.url)
        self.owner.see("Log policy, version 1")
        expect(self.owner.js("document.querySelector('#policy-text').textContent") == self.policy, "it is not the policy")

    def receipted(self):
        """An act under the policy, with its receipt."""
        issue(self.admin, self.member, self.stage, note=self.note())
        self.admin.see("checked against the log key of this browser")

    def unwitnessed_receipt(self):
        """The server shows receipts that too few have signed."""
        page = self.member.tab()
        page.send("Page.addScriptToEvaluateOnNewDocument",
                  source=ANSWER % (json.dumps("/api/log/mine"), json.dumps(json.dumps(self.before))))
        said = self.log_page(page, "/wallet/log")
        expect("A receipt is not good" in said and "All good" not in said, f"it is believed: {said[:900]}")
        old = next(one for one in self.before["items"] if one["type"] == "document.issued")
        words = page.js(f"""Promise.all([import('/assets/transparency/receipts.js'), import('/assets/accounts/keys.js')])
            .then(async ([r, k]) => r.verifyReceipt((await k.device()).trust, {json.dumps(old["receipt"])}, 'document.issued'))
            .then(() => 'believed', e => e.message)""")
        expect(words.startswith("Fewer witnesses have signed"), words)
        page.close()

    def withdrawn_policy(self):
        """The server shows itself as it was before the policy."""
        page = self.member.tab()
        page.send("Page.addScriptToEvaluateOnNewDocument",
                  source=ANSWER % (json.dumps("/api/organisation"), json.dumps(json.dumps(self.old_organisation))))
        said = self.log_page(page, "/wallet/log")
        expect("another organisation or log than the pinned one" in said and "Not good" in said, f"it is believed: {said[:900]}")
        page.close()

    def older_signer(self):
        """The server shows a newer policy than is known, signed under an older certificate than the known one."""
        change = """import('/assets/accounts/records.js').then(r => r.currentRecord().then(({id, trust}) =>
            r.changeRecord(id, {trust: {...trust, policyVersion: trust.policyVersion + %d,
                policyCertified: trust.policyCertified + %d}}))).then(() => true)"""
        # Known are a version and a certificate of another order than the server's.
        self.member.js(change % (-1, 1))
        said = self.log_page(self.member, "/wallet/log")
        expect("another organisation or log than the pinned one" in said and "Not good" in said, f"it is believed: {said[:900]}")
        self.member.js(change % (0, -1))
        said = self.log_page(self.member, "/wallet/log")
        expect("All good" in said, f"it is not followed: {said[:900]}")

    def verified(self):
        """Who pins the policy is told yes with witnesses, and not without them."""
        new_file = self.made_file()
        page = self.person("verifier")
        page.goto(self.stage.url + "/verify")
        page.wait("document.querySelector('#pinning')?.open", "the panel")
        page.fill("#pin-digits", api(page, "GET", "/api/organisation")[1]["root_fingerprint"])
        page.fill("#pin-log", "witness without a log")
        tap(page, '"Trust this organisation"')
        page.wait("document.querySelector('#pin-log-error').textContent", "to be told that it is no policy")
        page.fill("#pin-log", self.policy.strip())
        tap(page, '"Trust this organisation"')
        page.see("You trust Example University (")
        tap(page, "#anchors summary")
        page.see("Receipts count when as many witnesses have signed as its log policy asks for.")
        for file, kind in ((new_file, "yes"), (self.old_file, "unsure")):
            page.upload("#file-input", file)
            if kind == "yes":
                page.wait("document.querySelector('#asked:not([hidden]) [data-mine]')", "to be asked")
                tap(page, "[data-mine]")
            page.wait(f"document.querySelector('#verdict.{kind}') && !document.querySelector('#result').hidden", kind)
            if kind == "yes":
                tap(page, "#another")
        page.see("Fewer witnesses have signed the receipt than you ask for.", "#verdict")

    # While they are away.

    def away(self):
        for witness in self.witnesses:
            witness.stop()

    def issued_while_away(self):
        note = self.note()
        request = ask_for(self.member, self.stage, "generic", note)
        prepare_to_sign(self.admin, self.stage, request, note)
        self.away()
        tap(self.admin, "#sign")
        self.admin.see("Signed and sent, the receipt comes later", seconds=60)
        self.admin.see("Do not do it again")
        expect(not self.admin.js(shown("#sign")), "it can be signed once more")
        expect(api(self.member, "GET", f"/api/requests/{request}")[1]["state"] == "issued", "it was not sent")

    def checked_while_away(self):
        check(self.admin, self.visitor, self.stage, end="[data-step=over]")
        self.admin.see("Checked and signed, the receipt comes later")
        expect(api(self.visitor, "GET", "/api/account")[1]["is_verified"], "she is not verified")

    def erased_while_away(self):
        front(self.owner)
        visit(self.owner, "/console/members", self.stage.url)
        self.owner.js("""[...document.querySelectorAll('#list > li')].find(li => li.innerText.includes('visitor'))
            .querySelector('[data-fold]').id = 'the-fold'""")
        tap(self.owner, "#the-fold summary")
        tap(self.owner, "#the-fold [data-act=erase]")
        self.owner.wait(shown("#erase"))
        self.owner.fill("#erase-name", "visitor")
        tap(self.owner, "#erase-yes")
        self.owner.wait(f"({NOTICES}).includes('The person is erased.')", "to be told", 40)
        said = self.owner.js(NOTICES)
        expect("It is recorded that the person was erased" in said and "The log proves" not in said, said)
        self.owner.wait("!document.querySelector('#list').innerText.includes('visitor')", "the row to go")

    def pages_while_away(self):
        for path in ("/wallet", "/wallet/documents"):
            front(self.member)
            visit(self.member, path, self.stage.url)
            self.member.see("too few of the witnesses who sign the log answer now")
            # Documents seen earlier are still there.
            self.member.see("Other document")
        said = self.log_page(self.member, "/wallet/log")
        expect("The log waits for its witnesses" in said and "Could not tell" in said, said[:900])
        front(self.admin)
        visit(self.admin, "/console/documents", self.stage.url)
        self.admin.see("The log waits for its witnesses")

    def signed_up_while_away(self):
        person = self.person("newcomer")
        person.goto(self.stage.url + "/sign-up")
        person.wait("document.querySelector('#go')?.textContent.includes('passkey')")
        person.fill("#given_name", "Nina")
        person.fill("#username", "newcomer")
        tap(person, "#go")
        for _ in range(2):
            # Again while they are still away: nothing is done twice, and nothing goes wrong.
            person.wait(f"({NOTICES}).includes('Press the button again in a few minutes')", "to be told", 40)
            expect(person.text("#go") == "Check whether it worked", person.text("#go"))
            person.js("document.querySelector('#notices').replaceChildren()")
            tap(person, "#go")
        person.wait(f"({NOTICES}).includes('Press the button again in a few minutes')", "to be told", 40)
        self.newcomer = person

    def back(self):
        for witness in self.witnesses:
            witness.start()
        # The server asks them again by itself.
        until(lambda: api(self.member, "GET", "/api/documents")[0] == 200, "the receipts", 90)
        front(self.newcomer)
        tap(self.newcomer, "#go")
        self.newcomer.wait("location.pathname === '/wallet'", "the wallet", 40)
        ready(self.newcomer)
        self.one_account(self.newcomer)
        front(self.member)
        visit(self.member, "/wallet/documents", self.stage.url)
        self.member.wait("document.querySelectorAll('#documents > li').length === 4", "four documents, none of them twice")
        self.member.wait(f"!{shown('#age')}", "it to be called old no more", 30)
        said = self.log_page(self.member, "/wallet/log")
        expect("All good" in said, said[:900])

    def no_complaints(self):
        bad = [f"{page.name}: {line}" for page in self.people for line in page.complaints]
        expect(not bad, "\n".join(bad))


def main():
    case = Cases()
    with server() as stage, Chromium() as browser:
        witnessed = Witnessed(stage, browser)
        try:
            witnessed.prepare()
            case("a new log policy is followed by everybody who is signed in", witnessed.followed)
            case("an act is done, and its receipt bears the witnesses' signatures", witnessed.receipted)
            case("receipts that too few witnesses have signed are refused", witnessed.unwitnessed_receipt)
            case("a server without its policy is refused", witnessed.withdrawn_policy)
            case("a newer policy under an older certificate is refused", witnessed.older_signer)
            case("a verifier with the policy: yes with witnesses, could not tell without", witnessed.verified)
            case("witnesses away: a document is sent once, and the page says what is missing", witnessed.issued_while_away)
            case("witnesses away: a person is checked face to face", witnessed.checked_while_away)
            case("witnesses away: a person is erased", witnessed.erased_while_away)
            case("witnesses away: lists show what was seen, and why", witnessed.pages_while_away)
            case("witnesses away: signing up", witnessed.signed_up_while_away)
            case("witnesses back: everything is there, with receipts", witnessed.back)
            case("no uncaught exception and no violation of a policy", witnessed.no_complaints)
        finally:
            witnessed.close()
    return case.end()


if __name__ == "__main__":
    sys.exit(main())
