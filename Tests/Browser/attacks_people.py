"""The people of attacks.py: every text of theirs is markup."""

from attacks_stage import MARKUP, NO_WORKER, api, appoint, ask_for, check, expect, issue, pdf, set_up, sign_up

# Tells the test what the authenticator's secret was, before the page takes it.
LISTEN = """
// Frames without an origin of their own have none.
const prototype = self.PublicKeyCredential?.prototype ?? {};
const original = prototype.getClientExtensionResults;
prototype.getClientExtensionResults = function () {
    const results = original.call(this);
    const first = results.prf?.results?.first;
    if (first) {
        const bytes = ArrayBuffer.isView(first) ? new Uint8Array(first.buffer, first.byteOffset, first.byteLength)
            : new Uint8Array(first);
        self.heardSecret([...bytes].map(b => b.toString(16).padStart(2, '0')).join(''));
    }
    return results;
};
"""


class People:
    """Everybody, with texts of their own that are hostile, and what their authenticators' secrets were."""

    def __init__(self, stage, browser):
        self.stage, self.browser, self.secrets, self.people = stage, browser, set(), []
        self.evil = None

    def person(self, name, worker=False):
        person = self.browser.person(name)
        if not worker:
            person.send("Page.addScriptToEvaluateOnNewDocument", source=NO_WORKER)
        person.send("Runtime.addBinding", name="heardSecret")
        observe = person.observe

        def listen(method, parameters):
            if method == "Runtime.bindingCalled" and parameters["name"] == "heardSecret":
                self.secrets.add(parameters["payload"])
            observe(method, parameters)
        person.observe = listen
        person.send("Page.addScriptToEvaluateOnNewDocument", source=LISTEN)
        person.has_biometrics()
        self.people.append(person)
        return person

    def set_up(self):
        self.owner = self.person("owner")
        set_up(self.owner, self.stage, MARKUP + " Org", MARKUP + " Owner", "owner")

    def appoint(self):
        """An administrator and a member who holds a document."""
        stage = self.stage
        self.admin, self.member = (self.person(name) for name in ("admin", "member"))
        appoint(self.owner, self.admin, stage, MARKUP + " Admin", "admin")
        sign_up(self.member, stage, "member")
        api(self.member, "PATCH", "/api/account", {"name": MARKUP + " Member"})
        device = api(self.member, "GET", "/api/devices")[1]["items"][0]["id"]
        api(self.member, "PATCH", f"/api/devices/{device}", {"name": MARKUP + " Phone"})
        passkey = api(self.member, "GET", "/api/account/passkeys")[1]["items"][0]["id"]
        api(self.member, "PATCH", f"/api/account/passkeys/{passkey}", {"name": MARKUP + " Key"})
        check(self.admin, self.member, stage, MARKUP)
        self.document = issue(
            self.admin, self.member, stage, text=MARKUP, note=MARKUP + " please", file=pdf(MARKUP.replace("/", "") + ".pdf"))
        request = ask_for(self.member, stage, "generic", MARKUP + " again")
        status, _ = api(self.admin, "POST", f"/api/requests/{request}/accept")
        expect(status == 200, f"accepting: {status}")
        status, _ = api(self.admin, "POST", f"/api/requests/{request}/cancel", {"reason": MARKUP + " reason"})
        expect(status == 200, f"cancelling: {status}")

    def someone(self, name, worker=False):
        person = self.person(name, worker)
        sign_up(person, self.stage, name)
        return person

    def clean(self, page, where):
        expect(not page.js("!!(self.owned || document.querySelector('img[src=\"x\"]'))"), f"{where}: markup became an element")
        expect(not page.dialogs, f"{where}: a dialog of the browser opened: {page.dialogs}")
        bad = page.violations()
        expect(not bad, f"{where}: {bad}")
