"""Forged, recorded and diverted answers of authenticators."""

import json

from attacks_people import People
from attacks_stage import (
    KEYS, api, expect, front, outcome_or_complaint, posted, sign_in, sign_out, sign_up, start_use, tap, used, visit)

PASSKEYS = "import('/assets/accounts/passkeys.js')"


def raw_assertion(options):
    """What an authenticator answers, asked without the pages' modules."""
    return f"""import('/assets/shell/core.js').then(async ({{b64u, fromB64u}}) => {{
        const {{ rawId, response: r }} = await navigator.credentials.get({{ publicKey: {{
            rpId: {json.dumps(options["rp_id"])}, challenge: fromB64u({json.dumps(options["challenge"])}),
            userVerification: 'required' }} }});
        const text = buffer => b64u(new Uint8Array(buffer));
        return {{ id: text(rawId), client_data: text(r.clientDataJSON), authenticator_data: text(r.authenticatorData),
            signature: text(r.signature), user_handle: text(r.userHandle) }}; }})"""


class PasskeyAttacks(People):
    """Each person has an account of her own: an attack may end a session, and two may lock the keys."""

    def forged_sign_in(self, bit):
        person = self.someone(f"forger-{bit.lower()}")
        sign_out(person)
        person.forges(**{bit: True})
        options = api(person, "POST", "/api/passkeys/sign-in", {})[1]
        # Past the page's own check, so that the server has to see it.
        status, answer = api(person, "POST", "/api/sessions/passkey", {"assertion": person.js(raw_assertion(options))})
        expect(status == 401 and answer["type"].endswith("/sign-in-failed"), f"{status} {answer}")
        expect(api(person, "GET", "/api/sessions/current")[0] == 401, "there is a session")
        person.forges(**{bit: False})
        sign_in(person, self.stage)
        expect(api(person, "GET", "/api/sessions/current")[0] == 200, "the honest one was refused after it")

    def forged_unlock(self, bit):
        person = self.someone(f"unlocker-{bit.lower()}")
        person.forges(**{bit: True})
        visit(person, "/wallet/devices", self.stage.url)
        start_use(person)
        first = outcome_or_complaint(person)
        expect("One attempt is left" in first, f"after the first: {first}")
        expect(not person.js("self.opened"), "the keys were handed out")
        tap(person, '"Try again"')
        person.see("session has ended", "dialog[open]")
        expect(not person.js("self.opened"), "the keys were handed out")
        status = api(person, "GET", "/api/sessions/current")[0]
        expect(status == 401, f"the session goes on: {status}")

    def unverified_offline(self):
        person = self.someone("offliner")
        visit(person, "/wallet/devices", self.stage.url)
        # Loaded now, because this page has no service worker that would keep it.
        person.js("import('/assets/accounts/opening.js').then(() => 1)")
        person.offline()
        start_use(person)
        expect(used(person) == [64], "the keys do not open without a network")
        for bit in ("isBadUV", "isBadUP"):
            person.forges(**{bit: True})
            start_use(person)
            said = outcome_or_complaint(person)
            expect(not person.js("self.opened"), f"{bit}: the keys opened without a network: {said}")
            person.js("document.querySelector('dialog[open]')?.remove()")
            person.forges(**{bit: False})
            start_use(person)
            expect(used(person) == [64], f"the keys do not open after {bit}")

    def replays(self):
        person, thief = self.someone("victim"), self.person("thief")
        sign_out(person)
        sign_in(person, self.stage)
        body = posted(person, "/api/sessions/passkey")[-1]
        thief.goto(self.stage.url + "/help")
        status, answer = api(thief, "POST", "/api/sessions/passkey", body)
        expect(status == 401 and answer["type"].endswith("/sign-in-failed"), f"sign-in again: {status} {answer}")
        expect(api(thief, "GET", "/api/sessions/current")[0] == 401, "the thief is signed in")
        front(person)
        visit(person, "/wallet/devices", self.stage.url)
        person.js(f"{KEYS}.then(k => k.confirm('Once'))")
        body = posted(person, "/api/account/confirmations")[-1]
        status, answer = api(person, "POST", "/api/account/confirmations", body)
        expect(status == 403 and answer["type"].endswith("/confirmation-failed"), f"confirmation again: {status} {answer}")
        status, answer = api(person, "POST", "/api/account/confirmations", body)
        expect(status == 401, f"two in a row, and the session goes on: {status} {answer}")

    def bearer(self, person):
        """A second session of the same person, by its token."""
        options = api(person, "POST", "/api/passkeys/sign-in", {})[1]
        assertion = person.js(f"{PASSKEYS}.then(p => p.assert({json.dumps(options)})).then(a => a.assertion)")
        status, answer = api(person, "POST", "/api/sessions/passkey", {"assertion": assertion}, {
            "Countersign-Session": "none"}, "omit")
        expect(status == 201 and answer["token"], f"{status} {answer}")
        return {"Authorization": f"Bearer {answer['token']}"}

    def other_session(self):
        person = self.someone("doubled")
        visit(person, "/wallet/devices", self.stage.url)
        token = self.bearer(person)
        options = api(person, "POST", "/api/account/ceremonies", {})[1]
        assertion = person.js(f"{PASSKEYS}.then(p => p.assert({json.dumps(options)})).then(a => a.assertion)")
        status, answer = api(
            person, "POST", "/api/account/confirmations", {"assertion": assertion}, token, "omit")
        expect(status == 403 and answer["type"].endswith("/confirmation-failed"), f"{status} {answer}")
        status, _ = api(person, "POST", "/api/account/confirmations", {"assertion": assertion})
        expect(status == 200, f"the session that asked is refused: {status}")

    def other_user(self):
        person = self.someone("first-of-two")
        sign_out(person)
        sign_up(person, self.stage, "second-of-two")
        records = person.js("import('/assets/accounts/records.js').then(r => r.allRecords())"
                            ".then(all => all.map(r => [r.username, r.passkeys[0].id]))")
        other = dict(records)["first-of-two"]
        options = api(person, "POST", "/api/account/ceremonies", {})[1]
        expect(all(one["id"] != other for one in options["credentials"]), "the server lists another's passkey")
        options["credentials"] = [{"id": other, "transports": []}]
        assertion = person.js(f"{PASSKEYS}.then(p => p.assert({json.dumps(options)})).then(a => a.assertion)")
        status, answer = api(person, "POST", "/api/account/confirmations", {"assertion": assertion})
        expect(status == 403 and answer["type"].endswith("/confirmation-failed"), f"{status} {answer}")

    def extension_results(self):
        person = self.someone("leaker")
        for path, more in (("/api/sessions/passkey", {}), ("/api/account/confirmations", {})):
            ask = "/api/passkeys/sign-in" if "sessions" in path else "/api/account/ceremonies"
            options = api(person, "POST", ask, {})[1]
            assertion = person.js(f"{PASSKEYS}.then(p => p.assert({json.dumps(options)})).then(a => a.assertion)")
            for body in ({"assertion": assertion | {"client_extension_results": {"prf": {}}}},
                         {"assertion": assertion, "client_extension_results": {"prf": {}}}):
                status, answer = api(person, "POST", path, body | more)
                expect(status in (400, 422) and answer["type"].endswith("/unknown-member"), f"{path}: {status} {answer}")
