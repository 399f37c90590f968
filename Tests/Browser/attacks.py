"""Attacks on the pages, in a real browser against a real server.

    COUNTERSIGN=.build/release/countersign python Tests/Browser/attacks.py [words of a case …]

One line for each case; the exit code is 0 when all attacks failed.
"""

import base64
import json
import sys
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from attacks_stage import (
    KEYS, MARKUP, NO_WORKER, Cases, Failure, api, appoint, ask_for, check, expect, front, issue, outcome_or_complaint, pdf, posted,
    ready, server, set_up, sign_in, sign_out, sign_up, start_use, tap, until, used, visit)
from chromium import Chromium

PASSKEYS = "import('/assets/accounts/passkeys.js')"

# Tells the test what the authenticator's secret was, before the page takes it.
LISTEN = """
const original = PublicKeyCredential.prototype.getClientExtensionResults;
PublicKeyCredential.prototype.getClientExtensionResults = function () {
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


def raw_assertion(options):
    """What an authenticator answers, asked without the pages' modules."""
    return f"""import('/assets/shell/core.js').then(async ({{b64u, fromB64u}}) => {{
        const {{ rawId, response: r }} = await navigator.credentials.get({{ publicKey: {{
            rpId: {json.dumps(options["rp_id"])}, challenge: fromB64u({json.dumps(options["challenge"])}),
            userVerification: 'required' }} }});
        const text = buffer => b64u(new Uint8Array(buffer));
        return {{ id: text(rawId), client_data: text(r.clientDataJSON), authenticator_data: text(r.authenticatorData),
            signature: text(r.signature), user_handle: text(r.userHandle) }}; }})"""


class Attacks:
    def __init__(self, stage, browser):
        self.stage, self.browser, self.secrets, self.people = stage, browser, set(), []
        self.evil = None

    # The people, every text of theirs hostile.

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

    # Markup.

    def clean(self, page, where):
        expect(not page.js("!!(self.owned || document.querySelector('img[src=\"x\"]'))"), f"{where}: markup became an element")
        expect(not page.dialogs, f"{where}: a dialog of the browser opened: {page.dialogs}")
        bad = page.violations()
        expect(not bad, f"{where}: {bad}")

    def markup_in_pages(self, person, paths, wanted):
        front(person)
        for path in paths:
            visit(person, path, self.stage.url)
            if path in wanted:
                person.see(MARKUP, "body")
            self.clean(person, path)

    def markup_in_lists(self):
        self.markup_in_pages(self.owner, [
            "/console", "/console/members", "/console/delegation", "/console/documents", "/console/log",
            "/console/settings"], {"/console/members", "/console/delegation", "/console/documents"})
        self.markup_in_pages(self.admin, ["/console", "/console/check", "/console/documents", "/console/log"], {
            "/console/documents"})
        visit(self.admin, "/console", self.stage.url)
        self.admin.js("[...document.querySelectorAll('#kinds button')].at(-1).click()")
        self.admin.see(MARKUP + " reason")
        self.clean(self.admin, "/console, all requests")
        self.markup_in_pages(self.member, [
            "/wallet", "/wallet/documents", "/wallet/requests", "/wallet/identity", "/wallet/devices", "/wallet/log"], {
            "/wallet/documents", "/wallet/requests", "/wallet/identity", "/wallet/devices"})
        for path in ("/", "/help", "/privacy", "/verify", "/sign-up", "/sign-in", "/join", "/setup"):
            page = self.member.tab()
            page.goto(self.stage.url + path)
            page.wait("document.readyState === 'complete'")
            self.clean(page, path)
            page.close()

    def markup_in_a_document(self):
        person = self.member
        front(person)
        visit(person, f"/wallet/document#{self.document}", self.stage.url)
        tap(person, "#open")
        person.see(MARKUP, "#fields")
        person.see("<img src=x", "#file")
        self.clean(person, "the open document")
        tap(person, "#show")
        person.fill("#audience", MARKUP)
        tap(person, "#choose button[type=submit]")
        person.wait("document.querySelector('[data-step=preview]')?.checkVisibility() || "
                    "document.querySelector('#audience-error')?.textContent")
        self.clean(person, "the preview of what is shown")
        if person.js("document.querySelector('[data-step=preview]').checkVisibility()"):
            tap(person, "#sign")
            person.wait("document.querySelector('[data-step=done]')?.checkVisibility()")
            self.clean(person, "what was shown")

    # Forged and diverted passkeys.

    def someone(self, name, worker=False):
        person = self.person(name, worker)
        sign_up(person, self.stage, name)
        return person

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
        person.js(f"{KEYS}.then(() => 1)")
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

    # Sessions and what is left behind.

    def fixation(self):
        person = self.person("fixed")
        person.goto(self.stage.url + "/help")
        # What an attacker who can set cookies for this host would plant.
        person.send("Network.setCookie", name="countersign", value="A" * 43, url=self.stage.url, path="/", httpOnly=True)
        sign_up(person, self.stage, "fixed")
        names = [(c["name"], c["value"], c["httpOnly"], c["sameSite"]) for c in
                 person.send("Network.getCookies", urls=[self.stage.url])["cookies"]]
        expect(len(names) == 1 and names[0][1] != "A" * 43, f"cookies: {names}")
        expect(names[0][2] and names[0][3] == "Strict", f"cookies: {names}")
        expect("countersign=" not in person.js("document.cookie"), "scripts can read the session")
        # The attacker's own session in place of hers: her keys must not work for it.
        attacker = self.someone("planter")
        theirs = attacker.send("Network.getCookies", urls=[self.stage.url])["cookies"][0]["value"]
        front(person)
        person.send("Network.setCookie", name="countersign", value=theirs, url=self.stage.url, path="/", httpOnly=True)
        person.goto(self.stage.url + "/help")
        start_use(person)
        said = outcome_or_complaint(person)
        expect(not person.js("self.opened"), f"keys of one account used in another's session: {said}")

    def after_sign_out(self):
        person = self.someone("leaving-person", worker=True)
        visit(person, "/wallet/devices", self.stage.url)
        person.see("leaving-person")
        visit(person, "/wallet/requests", self.stage.url)
        front(person)
        sign_out(person)
        person.goto(self.stage.url + "/")
        person.js("setTimeout(() => history.back(), 10)")
        person.wait("location.pathname === '/sign-in'", "to be sent to sign in")
        expect(not person.js("!!document.querySelector('#devices-content:not([hidden]), #content:not([hidden])')"),
               "the page of before shows data")
        left = person.js("""import('/assets/accounts/store.js').then(s => s.all('settings'))
            .then(all => all.map(({key}) => String(key)).filter(k => k.startsWith('seen ') || k === 'current'))""")
        expect(not left, f"left in the browser: {left}")
        # Another account in the same browser sees nothing of it, with the network and without.
        sign_up(person, self.stage, "next-person")
        for path in ("/wallet", "/wallet/documents", "/wallet/requests", "/wallet/devices", "/wallet/log"):
            visit(person, path, self.stage.url)
            expect("leaving-person" not in person.text("body"), f"{path} shows the other account")
        cached = person.js("""(async () => { const bad = []; for (const name of await caches.keys()) {
            const cache = await caches.open(name); for (const request of await cache.keys()) {
                const text = await (await cache.match(request)).text();
                if (/leaving-person|next-person/.test(text) || new URL(request.url).pathname.startsWith('/api/')) bad.push(request.url);
            } } return bad })()""")
        expect(not cached, f"account data in the worker's cache: {cached}")

    def at_rest(self):
        person = self.someone("keeper")
        start_use(person)
        expect(used(person) == [64], "the keys do not open")
        found = person.js("""(async () => {
            const hex = bytes => [...new Uint8Array(bytes.buffer ?? bytes)].map(b => b.toString(16).padStart(2, '0')).join('');
            const keys = [], bytes = [];
            const walk = v => { if (v instanceof CryptoKey) keys.push(v.type + ' ' + v.extractable);
                else if (v instanceof Uint8Array || v instanceof ArrayBuffer) bytes.push(hex(v));
                else if (v && typeof v === 'object') Object.values(v).forEach(walk); };
            for (const { name } of await indexedDB.databases()) {
                const db = await new Promise(r => { const q = indexedDB.open(name); q.onsuccess = () => r(q.result); });
                for (const store of db.objectStoreNames) walk(await new Promise(r => {
                    const q = db.transaction(store).objectStore(store).getAll(); q.onsuccess = () => r(q.result); }));
                db.close();
            }
            return { keys, bytes, local: Object.keys(localStorage), session: Object.keys(sessionStorage) };
        })()""")
        expect(not found["keys"], f"keys that need nobody: {found['keys']}")
        expect(not any(s in b for s in self.secrets for b in found["bytes"]), "the authenticator's secret is stored")
        # A PKCS #8 key of P-256 begins with a sequence, version 0, and the algorithm's name.
        expect(not any("020100301306072a8648ce3d0201" in b for b in found["bytes"]), "a private key lies unwrapped")
        expect(not found["local"], f"local storage: {found['local']}")
        start_use(person)
        used(person)
        expect(person.js(f"""{KEYS}.then(k => k.use('Keep it', async k => {{ self.kept = k }}))
            .then(() => self.kept.sign(new Uint8Array(1))).then(() => 'signed', e => e.kind)""") == "locked",
            "what use() handed out works after it")

    # Addresses.

    def redirects(self):
        person = self.someone("redirected")
        host = f"localhost:{self.evil.port}"
        for wanted in (f"//{host}/x", f"http://{host}/x", f"/\\{host}/x", f"/.//{host}/x", f"/wallet/..//{host}/x",
                       f"/%2e//{host}/x", f"/\t/{host}/x", f"/./\\{host}/x", f"\t//{host}/x",
                       "javascript:self.owned=1", "data:text/html,x"):
            sign_out(person)
            query = person.js(f"encodeURIComponent({json.dumps(wanted)})")
            sign_in(person, self.stage, f"/sign-in?next={query}#a-code")
            where = person.js("location.origin")
            expect(where == self.stage.url, f"{wanted!r} led to {person.js('location.href')}")
            expect(not self.evil.asked, f"{wanted!r} asked {self.evil.asked}")
            expect(not person.js("!!self.owned"), f"{wanted!r} ran")
            person.goto(self.stage.url + "/sign-in?next=" + query)
            person.wait("document.querySelector('#here:not([hidden]) a')")
            link = person.js("document.querySelector('#here a').href")
            expect(link.startswith(self.stage.url + "/"), f"{wanted!r} became a link to {link}")

    def garbage(self):
        person = self.someone("garbled")
        junk = ["%E0%A4%A", MARKUP, "../../../x", "a" * 100_000, "%00", "eyJhIjoxfQ", "countersign-enrol:AAAA", "__proto__"]
        for path in ("/join", "/setup", "/add-device", "/verify", "/s/AAAA", "/wallet/document", "/wallet/requests", "/sign-in"):
            for word in junk:
                page = person.tab()
                page.goto(f"{self.stage.url}{path}#{word}")
                page.wait("document.readyState === 'complete' && document.body.innerText.length > 50")
                self.clean(page, f"{path}#{word[:30]}")
                page.close()
        front(self.admin)
        for path in ("/console/check", "/console/issue"):
            for word in junk:
                self.admin.goto("about:blank")
                self.admin.goto(f"{self.stage.url}{path}#{word}")
                ready(self.admin)
                self.clean(self.admin, f"{path}#{word[:30]}")

    # Other origins. `localhost` with another port is the same site, so the cookie comes along; 127.0.0.1 is another site.

    def state(self, person):
        paths = ("/api/account", "/api/sessions", "/api/devices", "/api/requests", "/api/shares", "/api/account/passkeys")
        answers = {}
        for path in paths:
            status, answer = api(person, "GET", path)
            expect(status == 200, f"{path}: {status}")
            for item in answer.get("items", []):
                item.pop("last_used", None)
                item.pop("seen", None)
            answers[path] = answer
        return json.dumps(answers, sort_keys=True)

    def other_origin(self, host):
        person = self.someone("visitor-" + host.replace(".", "-"))
        before, api_url = self.state(person), self.stage.url
        page = person.tab()
        page.goto(f"http://{host}:{self.evil.port}/page")
        session = api(person, "GET", "/api/sessions/current")[1]["session"]["id"]
        posts = {"/api/requests": {"type": "generic", "note": "evil"}, "/api/account/ceremonies": {},
                 "/api/account/passphrase": {"passphrase": "evil evil evil"}, "/api/sessions/passkey": {},
                 "/api/enrolments": {}, "/api/invitations": {"role": "operator", "lifetime": 3600}}
        for path, body in posts.items():
            for kind in ("application/json", "text/plain"):
                for mode in ("cors", "no-cors"):
                    for extra in ({}, {"Countersign-Session": "cookie"}):
                        said = page.js(f"""fetch({json.dumps(api_url + path)}, {{method: 'POST', mode: '{mode}',
                            credentials: 'include', headers: {json.dumps({'Content-Type': kind} | extra)},
                            body: {json.dumps(json.dumps(body))}}}).then(async r => r.type + r.status + await r.text(), e => e.name)""")
                        expect(said in ("TypeError", "opaque0"), f"{path} {kind} {mode}: {said}")
            page.js(f"""new Promise(done => {{ const f = document.createElement('form'), i = document.createElement('iframe');
                i.name = 'sink'; document.body.append(i); f.target = 'sink'; f.method = 'post'; f.enctype = 'text/plain';
                f.action = {json.dumps(api_url + path)}; const x = document.createElement('input');
                x.name = {json.dumps(json.dumps(body)[:-1] + ', "a": "')}; x.value = 'b"}}'; f.append(x); document.body.append(f);
                i.onload = () => {{ i.remove(); f.remove(); done(1) }}; f.submit(); setTimeout(done, 3000) }})""")
        said = page.js(f"""fetch({json.dumps(api_url)} + '/api/sessions/{session}', {{method: 'DELETE', credentials: 'include',
            headers: {{'Countersign-Session': 'cookie'}}}}).then(r => r.type + r.status, e => e.name)""")
        expect(said == "TypeError", f"deleting: {said}")
        for path in ("/api/account", "/api/documents", "/log/checkpoint"):
            said = page.js(f"""fetch({json.dumps(api_url + path)}, {{credentials: 'include'}})
                .then(async r => r.type + await r.text(), e => e.name)""")
            expect(said == "TypeError" or path.startswith("/log/"), f"{path} can be read: {said}")
            for tag in ("img", "script", "iframe", "object", "link"):
                page.js(f"""new Promise(done => {{ const e = document.createElement('{tag}'); e.onload = e.onerror = () => done(1);
                    if ('{tag}' === 'link') {{ e.rel = 'stylesheet'; e.href = {json.dumps(api_url + path)} }}
                    else e['{tag}' === 'object' ? 'data' : 'src'] = {json.dumps(api_url + path)};
                    document.body.append(e); setTimeout(done, 500) }})""")
        self.framing(page)
        self.opening(page)
        said = page.js(f"""new Promise(done => {{ const s = new EventSource({json.dumps(api_url)} + '/api/events',
            {{withCredentials: true}}); s.onopen = () => done('open'); s.onerror = () => done('refused'); }})""")
        expect(said == "refused", f"live updates: {said}")
        page.close()
        front(person)
        expect(self.state(person) == before, "something was done")

    def framing(self, page):
        page.js("document.querySelectorAll('iframe, object').forEach(e => e.remove())")
        for path in ("/", "/wallet", "/sign-in", "/add-device", "/console", "/api/account", "/verify"):
            page.js(f"""new Promise(done => {{ const f = document.createElement('iframe'); f.src = {json.dumps(self.stage.url + path)};
                f.onload = () => done(1); document.body.append(f); setTimeout(done, 2000) }})""")
            frames = page.send("Page.getFrameTree")["frameTree"].get("childFrames", [])
            urls = [f["frame"].get("unreachableUrl") and "refused" or f["frame"]["url"] for f in frames]
            # A frame of another site has a process of its own; a refused one keeps its address and shows an error page.
            urls += [self.address_in(t["targetId"]) for t in self.browser.send("Target.getTargets")["targetInfos"]
                     if t["type"] == "iframe"]
            ok = all(url == "refused" or url.startswith(("chrome-error:", "about:")) for url in urls)
            expect(ok, f"{path} is framed: {urls}")
            page.js("document.querySelectorAll('iframe').forEach(e => e.remove())")

    def address_in(self, target):
        session = self.browser.send("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        answer = self.browser.send("Runtime.evaluate", session, expression="location.href", returnByValue=True)
        self.browser.send("Target.detachFromTarget", sessionId=session)
        return answer["result"]["value"]

    def opening(self, page):
        for path in ("/wallet/devices", "/sign-in", "/"):
            page.js(f"(self.opened = open({json.dumps(self.stage.url + path)}, '_blank'), 1)")
            said = until(lambda: page.js("""(() => { if (!self.opened) return 'blocked'; if (self.opened.closed) return 'severed';
                try { self.opened.document.body; return '' } catch (e) { return '' } })()"""), f"{path} to be severed", 10)
            expect(said in ("severed", "blocked"), said)
        for target in self.browser.send("Target.getTargets")["targetInfos"]:
            if target["type"] == "page" and target.get("openerId") == page.target:
                self.browser.send("Target.closeTarget", targetId=target["targetId"])

    # At the end, over everything that was sent.

    def secrets_sent(self):
        expect(self.secrets, "no secret was heard, so nothing was tested")
        spelled = set()
        for secret in self.secrets:
            raw = bytes.fromhex(secret)
            standard = base64.b64encode(raw).decode()
            spelled |= {secret, secret.upper(), standard.rstrip("="), base64.urlsafe_b64encode(raw).decode().rstrip("="),
                        ",".join(map(str, raw)), ", ".join(map(str, raw))}
        count = 0
        for person in self.people:
            for request in person.requests:
                body = request.get("postData", "")
                if request.get("hasPostData") and not body:
                    try:
                        body = person.send("Network.getRequestPostData", requestId=request["id"])["postData"]
                    except Failure:
                        body = ""
                sent = request["url"] + json.dumps(request["headers"]) + body
                count += 1
                expect(not any(word in sent for word in spelled), f"a secret in {request['method']} {request['url']}")
                expect("clientExtensionResults" not in body, f"extension results in {request['url']}")
        expect(count > 500, f"only {count} requests were seen")

    def no_complaints(self):
        bad = [f"{person.name}: {line}" for person in self.people for line in person.complaints]
        expect(not bad, "\n".join(bad))


class Evil:
    """A page of somebody else, on every name of this machine."""

    def __init__(self):
        evil = self
        self.asked = []

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self):
                if self.path not in ("/page", "/favicon.ico"):
                    evil.asked.append(self.path)
                body = b"<!doctype html><title>Elsewhere</title><body>Elsewhere"
                self.send_response(200)
                self.send_header("Content-Type", "text/html")
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *_):
                pass
        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.port = self.server.server_address[1]
        threading.Thread(target=self.server.serve_forever, daemon=True).start()


def main():
    case = Cases()
    with server() as stage, Chromium() as browser:
        attacks = Attacks(stage, browser)
        attacks.evil = Evil()
        attacks.set_up()
        for bit in ("isBogusSignature", "isBadUV", "isBadUP"):
            case(f"forged sign-in is refused: {bit}", attacks.forged_sign_in, bit)
            case(f"forged confirmations are counted, two end the session: {bit}", attacks.forged_unlock, bit)
        case("keys stay locked without a network when nobody was verified", attacks.unverified_offline)
        case("a recorded sign-in and confirmation are refused", attacks.replays)
        case("a challenge of another session is refused", attacks.other_session)
        case("another user's passkey does not confirm", attacks.other_user)
        case("results of extensions are refused", attacks.extension_results)
        case("a planted session is replaced, and opens no keys", attacks.fixation)
        case("nothing is shown or left after signing out", attacks.after_sign_out)
        case("nothing usable lies in the browser's storage", attacks.at_rest)
        case("foreign addresses after signing in are not followed", attacks.redirects)
        case("another origin of this site does and reads nothing", attacks.other_origin, "localhost")
        case("another site does and reads nothing", attacks.other_origin, "127.0.0.1")
        case("markup: everybody's names, a check, a document, a request", attacks.appoint)
        case("markup in every list is text", attacks.markup_in_lists)
        case("markup in a document is text", attacks.markup_in_a_document)
        case("markup and garbage in fragments do nothing", attacks.garbage)
        case("no authenticator's secret in any request", attacks.secrets_sent)
        case("no uncaught exception and no violation of a policy", attacks.no_complaints)
    return case.end()


if __name__ == "__main__":
    sys.exit(main())
