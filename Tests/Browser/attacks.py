"""Attacks on the pages, in a real browser against a real server.

    COUNTERSIGN=.build/release/countersign python Tests/Browser/attacks.py [words of a case …]

One line for each case; the exit code is 0 when all attacks failed.
"""

import base64
import json
import sys

from attacks_elsewhere import Evil, ForeignPages
from attacks_passkeys import PasskeyAttacks
from attacks_stage import (
    KEYS, MARKUP, Cases, Failure, expect, front, leave, outcome_or_complaint, ready, server, shown, sign_in, sign_out,
    sign_up, start_use, tap, used, visit)
from chromium import Chromium


# What a page finds of the previous person when it begins, as a promise.
LEFT = """self.left = new Promise((resolve, reject) => {
    const opening = indexedDB.open("countersign");
    opening.onerror = () => reject(opening.error);
    opening.onupgradeneeded = () => opening.transaction.abort();
    opening.onsuccess = () => {
        const keys = opening.result.transaction("settings").objectStore("settings").getAllKeys();
        keys.onsuccess = () => {
            opening.result.close();
            resolve(keys.result.map(String).filter(key => key.startsWith("seen ") || key === "current"));
        };
    };
}); self.left.catch(() => {})"""


class Attacks(PasskeyAttacks, ForeignPages):
    # Markup.

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
        page = self.member.tab()
        for path in ("/", "/help", "/privacy", "/verify", "/sign-up", "/sign-in", "/join", "/setup"):
            page.goto(self.stage.url + path)
            page.wait("document.readyState === 'complete'")
            page.settle()
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
        tap(person, "#choose-all")
        self.clean(person, "the choice of what to show")
        tap(person, "#choose button[type=submit]")
        person.wait(shown("[data-step=preview]"))
        person.see(MARKUP, "#preview")
        person.see(MARKUP, "#preview-fields")
        self.clean(person, "the preview of what is shown")
        tap(person, "#sign")
        person.wait(shown("[data-step=done]"), "what is shown")
        person.see(MARKUP, "#file-done")
        self.clean(person, "what was shown")

    # Sessions and what is left behind.

    def fixation(self):
        person = self.person("fixed")
        person.goto(self.stage.url + "/help")
        # The cookies that an attacker who can set them for this host would plant.
        person.send("Network.setCookie", name="countersign", value="A" * 43, url=self.stage.url, path="/", httpOnly=True)
        sign_up(person, self.stage, "fixed")
        names = [(c["name"], c["value"], c["httpOnly"], c["sameSite"]) for c in
                 person.send("Network.getCookies", urls=[self.stage.url])["cookies"]]
        expect(len(names) == 1 and names[0][1] != "A" * 43, f"cookies: {names}")
        expect(names[0][2] and names[0][3] == "Strict", f"cookies: {names}")
        expect("countersign=" not in person.js("document.cookie"), "scripts can read the session")
        # The attacker's own session in place of the victim's: the victim's keys must not work for it.
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
        # What is there when the next page begins, before that page can tidy up: its scripts open the database later.
        person.send("Page.addScriptToEvaluateOnNewDocument", source=LEFT)
        leave(person)
        # Live updates end with the session, and this page with them.
        person.wait("location.pathname === '/sign-in' && document.readyState === 'complete'", "to be sent to sign in")
        left = person.js("self.left")
        expect(isinstance(left, list) and not left, f"left in the browser: {left}")
        person.goto(self.stage.url + "/")
        person.js("setTimeout(() => history.go(-2), 10)")
        person.wait("location.pathname === '/sign-in' && location.search.includes('devices')", "to be sent there again")
        expect(not person.js("!!document.querySelector('#devices-content:not([hidden]), #content:not([hidden])')"),
               "the page of before shows data")
        left = person.js("self.left")
        expect(isinstance(left, list) and not left, f"left in the browser later: {left}")
        # Another account in the same browser sees nothing of it, with the network and without.
        person.goto(self.stage.url + "/sign-up")
        person.is_touched(True)
        sign_up(person, self.stage, "next-person")
        for path in ("/wallet", "/wallet/documents", "/wallet/requests", "/wallet/devices", "/wallet/log"):
            visit(person, path, self.stage.url)
            expect("leaving-person" not in person.text("body"), f"{path} shows the other account")
        expect(person.js("self.left"), "this looks where nothing is ever kept")
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
            # Nobody touches the authenticator: autofill would sign in again, and lead away from the page or the next one.
            person.is_touched(False)
            person.goto(self.stage.url + "/sign-in?next=" + query)
            link = person.wait("document.querySelector('#here:not([hidden]) a')?.href")
            person.goto(self.stage.url + "/help")
            person.is_touched(True)
            expect(link.startswith(self.stage.url + "/"), f"{wanted!r} became a link to {link}")

    def garbage(self):
        person = self.someone("garbled")
        junk = ["%E0%A4%A", MARKUP, "../../../x", "a" * 100_000, "%00", "eyJhIjoxfQ", "countersign-enrol:AAAA", "__proto__"]
        page = person.tab()
        # Another path each time: if only the fragment differs, nothing is loaded again.
        for word in junk:
            for path in ("/join", "/setup", "/add-device", "/verify", "/s/AAAA", "/wallet/document", "/wallet/requests", "/sign-in"):
                page.goto(f"{self.stage.url}{path}#{word}")
                page.wait("document.readyState === 'complete' && document.body.innerText.length > 50")
                # A module handles the fragment after the page has loaded.
                page.settle()
                self.clean(page, f"{path}#{word[:30]}")
        page.close()
        front(self.admin)
        for word in junk:
            for path in ("/console/check", "/console/issue"):
                self.admin.goto(f"{self.stage.url}{path}#{word}")
                ready(self.admin)
                self.clean(self.admin, f"{path}#{word[:30]}")

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
