#!/usr/bin/env python3
"""Signs in on one browser with the wallet of another: paired, scanned, looked at, agreed to or denied, and put in order.

    COUNTERSIGN=.build/release/countersign python Tests/Browser/pico.py [--pictures FOLDER] [words of a case …]

The desk is a browser that nobody is signed in on. The phone is a device of the account. One line for each case.
"""

import base64
import http.client
import json
import os
import re
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from urllib.parse import quote

from attacks_stage import (
    NO_WORKER, Cases, api, end_session, expect, front, mistakes, server, set_up, shown, sign_up, tap, visit)
from chromium import Chromium
from looking import look
from scanning import DRAW, HEIGHT, WIDTH, write_film

CODE = "[data-code]"
CHANGING = """(() => {
    const ask = fetch;
    self.fetch = async (...given) => {
        const answer = await ask(...given);
        if (answer.headers.get('Content-Type') !== 'application/octet-stream') return answer;
        const bytes = new Uint8Array(await answer.arrayBuffer());
        const place = new TextDecoder().decode(bytes).indexOf('encryptedData') + 20;
        bytes[place] = bytes[place] === 65 ? 66 : 65;
        return new Response(bytes, { headers: answer.headers });
    };
})()"""
# The other server's rendezvous: this server's own, whatever the name.
RELAY = """(() => {
    const original = self.fetch, outcomes = { 0: 'taken', 1: 'occupied', 2: 'timed-out', [-1]: 'closed' };
    const b64u = bytes => btoa(String.fromCharCode(...bytes)).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
    self.relayed = [];
    self.fetch = async (url, options) => {
        if (!String(url).endsWith('/api/pico/relay')) return original(url, options);
        const { address, message } = JSON.parse(options.body);
        self.relayed.push(address);
        const body = message && Uint8Array.from(atob(message.replaceAll('-', '+').replaceAll('_', '/')), c => c.charCodeAt(0));
        const answer = await original(new URL(address).pathname, {
            method: body ? 'POST' : 'GET', body, headers: { 'Content-Type': 'application/octet-stream' } });
        const bytes = new Uint8Array(await answer.arrayBuffer());
        return Response.json(answer.headers.get('Content-Type') === 'application/octet-stream'
            ? { outcome: 'message', message: b64u(bytes) } : { outcome: outcomes[JSON.parse(new TextDecoder().decode(bytes)).code] });
    };
})()"""
# Kinds of codes with the words that a page has for them.
COMMITMENT = base64.b64encode(bytes(32)).decode()
TERMINAL = {"ta": "https://host.example/channel/a", "tc": COMMITMENT}
AUTHENTICATION = {"t": "KA", "sc": COMMITMENT, "sa": "https://host.example/channel/a", "ed": "", "td": {}}
NOT_RUN = [
    ({"t": "LP", "sc": COMMITMENT, "td": TERMINAL}, "wants your wallet to type a password"),
    ({"t": "TP", "tn": "A browser", "n": "AAECAwQFBgc=", "td": TERMINAL}, "nothing to pair"),
    (AUTHENTICATION | {"sa": "btspp://0123456789ab:1f"}, "over Bluetooth"),
    (AUTHENTICATION | {"sa": "tcp://127.0.0.1:80"}, "at a port that pages cannot reach"),
    ({"t": "PA"}, "nobody uses any more"),
    ({"t": "KA"}, "not a code to sign in or pair with"),
]

HIDDEN = """(Object.defineProperty(document, 'hidden', { get: () => true, configurable: true }),
    document.dispatchEvent(new Event('visibilitychange')))"""


class Pico:
    def __init__(self, stage, browser, film, pictures=None):
        self.stage, self.browser, self.film, self.pictures = stage, browser, film, pictures
        owner = self.person("owner")
        set_up(owner, stage, "Example University", "Olivia Owner", "owner")
        self.phone, self.laptop, self.desk = self.person("phone"), self.person("laptop"), self.person("desk", False)
        sign_up(self.phone, stage, "mary", "Mary", "Smith")
        sign_up(self.laptop, stage, "bob")

    def person(self, name, has_biometrics=True):
        person = self.browser.person(name)
        person.send("Page.addScriptToEvaluateOnNewDocument", source=NO_WORKER)
        if has_biometrics:
            person.has_biometrics()
        return person

    def look(self, page, name):
        look(page, name, self.pictures, 1100)

    # The two sides

    def show_code(self, locks=False):
        """The desk shows a code: its text. With `locks` it wants to be locked when the wallet goes."""
        desk = self.desk
        front(desk)
        desk.goto(self.stage.url + "/sign-in")
        if locks:
            tap(desk, "label:has(#elsewhere-stay)")
        tap(desk, "#elsewhere-show")
        desk.wait(f"{shown('#elsewhere-code')} && document.querySelector('#elsewhere {CODE}').textContent.length > 50", "a code")
        return desk.js(f"document.querySelector('#elsewhere {CODE}').textContent")

    def scan(self, page, text):
        """The wallet has a code, as if it had been scanned."""
        front(page)
        visit(page, "/wallet/pico/answer#" + quote(text, safe=""), self.stage.url)

    def wallets(self, page):
        front(page)
        visit(page, "/wallet/pico", self.stage.url)
        return [item["name"] for item in api(page, "GET", "/api/pico/pairings")[1]["items"]]

    def pair_here(self, page):
        self.wallets(page)
        tap(page, "#pair-here")
        page.wait(f"[...document.querySelectorAll('#wallets .badge')].some(e => e.checkVisibility())", "this browser in the list", 30)

    def leave_desk(self):
        """Nobody is signed in at the desk any more."""
        self.desk.goto(self.stage.url + "/help")
        end_session(self.desk)

    # Cases

    def pairing(self):
        """A browser pairs itself, with one touch, and is in the list; then it cannot be paired a second time."""
        phone = self.phone
        expect(self.wallets(phone) == [], "there are wallets already")
        expect(phone.js(shown("#none")) and phone.js(shown("#pair-here")), "the empty page")
        self.look(phone, "no-wallet")
        self.pair_here(phone)
        expect(not phone.js(shown("#pair-here")) and not phone.js(shown("#none")), phone.text("#content"))
        phone.see("not used yet", "#wallets")
        self.look(phone, "paired-here")

    def signing_in(self):
        """The desk shows a code, the phone sees who asks, agrees, and the desk is in. The code counts once."""
        phone, desk = self.phone, self.desk
        text = self.show_code()
        self.look(desk, "code")
        self.scan(phone, text)
        phone.wait(shown("#allow"), "to be asked")
        facts = phone.text("[data-step=ask]")
        for part in ("Example University", "mary", "localhost", "Chrome on Linux"):
            expect(part in facts, f"{part} is not in {facts}")
        expect("127.0.0.1" in facts or "::1" in facts, f"no address in {facts}")
        sizes = phone.js("['#allow', '#deny'].map(s => document.querySelector(s).getBoundingClientRect()).map(r => [r.width, r.height])")
        expect(abs(sizes[0][0] - sizes[1][0]) < 2 and sizes[0][1] == sizes[1][1], f"both answers are {sizes}")
        self.look(phone, "asked")
        desk.see("Your wallet has read the code", "#elsewhere-state", 30)
        expect(not desk.js(shown("#elsewhere-code")), "the code can still be seen")
        self.look(desk, "read")
        expect(api(desk, "GET", "/api/sessions/current")[0] == 401, "somebody is signed in already")
        tap(phone, "#allow")
        phone.wait(shown("#verdict.yes"), "to be signed in there", 30)
        self.look(phone, "signed-in")
        front(desk)
        desk.wait("location.pathname === '/wallet'", "the wallet at the desk", 30)
        session = api(desk, "GET", "/api/sessions/current")[1]
        expect(session["account"]["username"] == "mary" and session.get("device") is None, f"{session}")
        self.wallets(phone)
        expect("not used yet" not in phone.text("#wallets"), phone.text("#wallets"))
        self.leave_desk()
        self.scan(phone, text)
        phone.wait(shown("#verdict.unsure"), "that the code is over")

    def filmed(self):
        """The phone's camera films the desk: the median of five, from the moment when it films to the page at the desk."""
        phone, desk, times = self.phone, self.desk, []
        for _ in range(5):
            text = self.show_code()
            grey, _ = phone.js(f"{DRAW}({json.dumps(text)})")
            write_film(self.film, base64.b64decode(grey))
            front(phone)
            phone.goto(self.stage.url + "/wallet/scan")
            phone.wait("document.querySelector('dialog video')?.videoWidth > 0 || location.pathname === '/wallet/pico/answer'", "the camera")
            began = time.monotonic()
            phone.wait(shown("#allow"), "to be asked", 30)
            asked = time.monotonic()
            tap(phone, "#allow")
            desk.wait("location.pathname === '/wallet'", "the wallet at the desk", 30)
            times.append((asked - began, time.monotonic() - asked))
            write_film(self.film, bytes([200]) * (WIDTH * HEIGHT))
            self.leave_desk()
        to_question, to_page = (statistics.median(part) * 1000 for part in zip(*times))
        print(f"     median: {to_question:.0f} ms from the first frame to the question, {to_page:.0f} ms from the answer to the page")

    def no(self):
        phone, desk = self.phone, self.desk
        self.scan(phone, self.show_code())
        tap(phone, "#deny")
        phone.wait(shown("#verdict.no"), "to have said no", 30)
        self.look(phone, "no")
        front(desk)
        desk.see("The wallet said no", "#elsewhere-state", 30)
        self.look(desk, "denied")
        tap(desk, "#elsewhere-again")
        desk.wait(shown("#elsewhere-code"), "a new code")
        expect(api(desk, "GET", "/api/sessions/current")[0] == 401, "somebody is signed in")

    def cancelled(self):
        """A code that was taken back, and one of a page that was left, sign nobody in."""
        phone, desk = self.phone, self.desk
        text = self.show_code()
        tap(desk, "#elsewhere-cancel")
        desk.wait(shown("#elsewhere-show"))
        expect(desk.js("document.activeElement.id") == "elsewhere-show", "the focus is lost")
        self.scan(phone, text)
        phone.wait(shown("#verdict.unsure"), "that the code is over")
        self.look(phone, "over")
        # The same while the phone asks: a no comes too late, and the page does not say that nobody was signed in.
        self.scan(phone, self.show_code())
        phone.wait(shown("#allow"))
        tap(desk, "#elsewhere-cancel")
        desk.wait(shown("#elsewhere-show"))
        front(phone)
        tap(phone, "#deny")
        phone.wait(shown("#verdict.unsure"), "that the code was over")

    def signed_out(self):
        """A wallet that is signed out signs in first, and comes back with the code."""
        phone = self.phone
        text = self.show_code()
        front(phone)
        phone.goto(self.stage.url + "/help")
        expect(api(phone, "DELETE", "/api/sessions/current")[0] == 204, "the phone is not signed out")
        # Its passkey is offered by itself, and signs in at once.
        phone.goto(self.stage.url + "/wallet/pico/answer#" + quote(text, safe=""))
        phone.wait(shown("#allow"), "to be asked after signing in", 30)
        expect(phone.js("location.hash") == "", "the code is still in the address")
        tap(phone, "#deny")
        phone.wait(shown("#verdict.no"), "to have said no", 30)

    def other_face(self):
        """With another face nothing opens, and nobody is signed in."""
        phone, desk = self.phone, self.desk
        self.scan(phone, self.show_code())
        phone.is_recognised(False)
        tap(phone, "#allow")
        phone.wait("document.querySelector('dialog[open]')?.innerText.length > 0 || document.querySelector('#notices .notice')",
                   "to be told", 30)
        expect(not phone.js(shown("#verdict")), "the page has an outcome")
        expect(api(desk, "GET", "/api/sessions/current")[0] == 401, "somebody is signed in")
        phone.is_recognised(True)

    def not_paired(self):
        """A browser without a pairing says so, and how to pair. The keyboard is enough."""
        laptop = self.laptop
        self.scan(laptop, self.show_code())
        laptop.wait(shown("[data-step=unpaired]"), "that it is not paired")
        self.look(laptop, "unpaired")
        expect(laptop.js("document.querySelector('[data-step=unpaired] a').pathname") == "/wallet/pico", "no way to pair")

    def not_run(self):
        """Every other code is refused with its reason, in one way, and nothing is sent anywhere."""
        phone = self.phone
        for code, words in NOT_RUN:
            sent = len(phone.requests)
            self.scan(phone, json.dumps(code))
            phone.wait(shown("#code-error"), "the reason")
            said = mistakes(phone, "#form")
            expect(len(said) == 1 and words in said[0], f"{code}: {said}")
            channels = [r["url"] for r in phone.requests[sent:] if "/channel/" in r["url"] or "host.example" in r["url"]]
            expect(channels == [], f"{channels}")
        self.look(phone, "refused")
        # A text that was typed is read the same way, and a scanned one comes here.
        phone.fill("#code", "hello")
        tap(phone, "#use")
        expect("not a code" in mistakes(phone, "#form")[0], phone.text("#form"))
        place = phone.js(f"import('/assets/documents/scanned.js').then(m => m.placeOf({json.dumps(json.dumps(AUTHENTICATION))}, location.origin).href)")
        expect(place.startswith("/wallet/pico/answer#%7B"), place)

    def other_server(self):
        """A service that is met at another server: this server takes the messages there. One behind this name is asked instead."""
        phone, verifier = self.phone, Path(__file__).parents[1] / "Interop/pico/verifier.py"
        environment = os.environ | {"SHOWN_BASE": "https://service.example"}
        with tempfile.TemporaryDirectory() as folder:
            def service(*words):
                process = subprocess.Popen(
                    [sys.executable, verifier, words[0], self.stage.url, f"{folder}/state", *words[1:]], env=environment,
                    stdout=subprocess.PIPE, text=True)
                return process, process.stdout.readline().strip()

            # Nobody has such a name: nothing is paired, and the key is forgotten.
            unmet, text = service("pair", "p256", "ada")
            self.scan(phone, text)
            phone.wait(shown("#pair"), "the pairing")
            expect("service.example" in phone.text("#pair-facts"), phone.text("#pair-facts"))
            tap(phone, "#pair")
            phone.wait(shown("#verdict.no"), "that it failed", 30)
            expect("no public server of the name service.example" in phone.text("#over-text"), phone.text("#over-text"))
            unmet.kill()
            for words, button, end in (("pair", "p256", "ada"), "#pair", "paired"), (("auth",), "#allow", "signed_in"):
                process, text = service(*words)
                self.scan(phone, text)
                phone.wait(shown(button), "the question")
                phone.js(RELAY)
                self.look(phone, f"elsewhere-{end}")
                tap(phone, button)
                phone.wait(shown("#verdict.yes"), end, 30)
                expect(process.wait(30) == 0 and end in json.loads(process.stdout.read()), end)
                expect(phone.js("self.relayed.every(one => one.startsWith('https://service.example/channel/'))"), "asked elsewhere")

    def strangers(self):
        """Who knows the channel can write there. The server goes on, and the wallet tells its key to nobody."""
        phone, desk = self.phone, self.desk
        text = self.show_code()
        self.scan(phone, text)
        phone.wait(shown("#allow"))
        channel = re.search(r"/channel/[0-9A-Za-z_-]+", text).group(0)
        connection = http.client.HTTPConnection("localhost", self.stage.port, timeout=60)
        message = json.dumps({"sessionId": 0, "encryptedData": "AAAA", "iv": "AAAA"}).encode()
        body = len(message).to_bytes(4, "big") + message
        connection.request("POST", channel, body, {"Content-Type": "application/octet-stream"})
        expect(connection.getresponse().read() == b'{"status":"ok","code":0}\n', "nobody has read it")
        # Every message to the wallet comes with one byte changed.
        phone.js(CHANGING)
        sent = len(phone.requests)
        tap(phone, "#allow")
        phone.wait(shown("#verdict.no"), "that it failed", 30)
        written = [r for r in phone.requests[sent:] if "/channel/" in r["url"] and r["method"] == "POST"]
        expect(len(written) == 1, f"{len(written)} messages were written")
        self.look(phone, "changed")
        expect(api(desk, "GET", "/api/sessions/current")[0] == 401, "somebody is signed in")
        # The code still counts for a wallet whose messages arrive whole.
        self.scan(phone, text)
        tap(phone, "#allow")
        phone.wait(shown("#verdict.yes"), "to be signed in there", 30)
        desk.wait("location.pathname === '/wallet'", "the wallet at the desk", 30)
        self.leave_desk()

    def another_wallet(self):
        """The phone shows a code that the laptop's wallet pairs with: the fingerprints are the same."""
        phone, laptop = self.phone, self.laptop
        self.wallets(phone)
        tap(phone, "#pair-other")
        phone.wait(shown("dialog[open] #question-value"))
        self.look(phone, "name")
        phone.fill("#question-value", "Mary's laptop")
        tap(phone, "dialog[open] .actions .primary")
        phone.wait(f"{shown('#offer-code')} && document.querySelector('#offer {CODE}').textContent.length > 50", "the code")
        self.look(phone, "offer")
        fingerprint = phone.text("#offer-fingerprint")
        expect(re.fullmatch(r"([0-9A-Z]{5}\s){3}[0-9A-Z]{5}", fingerprint), fingerprint)
        self.scan(laptop, phone.js(f"document.querySelector('#offer {CODE}').textContent"))
        laptop.wait(shown("#pair"), "the pairing")
        expect(" ".join(fingerprint.split()) in " ".join(laptop.text("#pair-facts").split()), laptop.text("#pair-facts"))
        self.look(laptop, "pair")
        tap(laptop, "#pair")
        laptop.wait(shown("#verdict.yes"), "to be paired", 30)
        self.look(laptop, "paired")
        front(phone)
        phone.see("Mary's laptop", "#wallets", 30)
        expect(not phone.js(shown("#offer-code")), "the code is still there")
        phone.see("somebody else has scanned", "#offer-state")
        self.look(phone, "offer-paired")
        tap(phone, "#offer-close")
        # Somebody passes messages on: the server does not know their channel.
        self.scan(laptop, re.sub(r"/channel/[0-9a-f]+", "/channel/between", self.show_code()))
        laptop.wait(shown("#verdict.unsure"), "that nobody is known there")
        # The wallet of another account of this server signs in as the person who paired it.
        self.scan(laptop, self.show_code())
        laptop.wait(shown("#allow"))
        tap(laptop, "#allow")
        self.desk.wait("location.pathname === '/wallet'", "the wallet at the desk", 30)
        expect(api(self.desk, "GET", "/api/sessions/current")[1]["account"]["username"] == "mary", "somebody else is signed in")

    def sign_in_here(self):
        """The desk's page shows a code, and the phone agrees."""
        phone, desk = self.phone, self.desk
        tap(desk, "#elsewhere-show")
        desk.wait(f"{shown('#elsewhere-code')} && document.querySelector('#elsewhere {CODE}').textContent.length > 50", "a code")
        self.scan(phone, desk.js(f"document.querySelector('#elsewhere {CODE}').textContent"))
        phone.wait(shown("#allow"), "to be asked")
        tap(phone, "#allow")
        desk.wait("location.pathname === '/wallet/documents'", "the page at the desk that was locked", 30)

    def staying(self):
        """A session that is open only while the wallet answers: it says so, pauses, goes on, hides, and ends it."""
        phone, desk = self.phone, self.desk
        self.scan(phone, self.show_code(locks=True))
        tap(phone, "#allow")
        phone.wait(shown("#pause"), "to be told that it stays", 30)
        front(desk)
        desk.wait("location.pathname === '/wallet' && document.documentElement.dataset.state === 'ready'", "the wallet at the desk", 30)
        held = api(desk, "GET", "/api/sessions/current")[1]["session"]["id"]
        self.look(phone, "stay")
        front(phone)
        tap(phone, "#pause")
        phone.see("Paused", "#stay-state", 30)
        self.look(phone, "paused")
        desk.wait(shown("#locked"), "to be locked", 30)
        expect(api(desk, "GET", "/api/sessions/current")[0] == 423, "the session is open")
        expect(not desk.js("document.querySelector('main').checkVisibility({visibilityProperty: true})"), "the page can be read")
        front(desk)
        desk.press("Escape")
        expect(desk.js(shown("#locked")), "Escape opens it")
        self.look(desk, "locked")
        # The next page of the desk goes on with the same session, and is locked too.
        desk.reload()
        desk.wait(shown("#locked"), "to be locked after a reload", 60)
        front(phone)
        tap(phone, "#resume")
        phone.wait(shown("#pause"), "to go on", 30)
        desk.wait(f"!({shown('#locked')})", "to be open again", 30)
        expect(api(desk, "GET", "/api/sessions/current")[0] == 200, "the session is not open again")
        front(desk)
        visit(desk, "/wallet/documents", self.stage.url)
        front(phone)
        # Another tab is in front of the wallet's page: nobody sees it.
        phone.js(HIDDEN)
        phone.see("Paused", "#stay-state", 30)
        phone.js(HIDDEN.replace("true", "false"))
        phone.wait(shown("#pause"), "to go on by itself", 30)
        tap(phone, "#end")
        phone.wait(shown("#verdict.yes"), "to have ended it", 30)
        self.look(phone, "ended")
        desk.wait(shown("#locked a"), "that it is lost", 30)
        self.look(desk, "lost")
        expect(api(desk, "GET", "/api/sessions/current")[0] in (401, 423), "the session is open")
        front(desk)
        tap(desk, "#locked a")
        desk.wait("location.pathname === '/sign-in'", "to sign in again")
        expect(desk.js("localStorage.getItem('held-session')") is None, "it is still held")
        # A new scan of the same person replaces it.
        desk.see("the session was locked", "#reason")
        self.sign_in_here()
        sessions = [one["id"] for one in api(desk, "GET", "/api/sessions")[1]["items"]]
        expect(held not in sessions, "the locked session is still there")

    def tabs(self):
        """A held session in two tabs: both lock and open with the wallet, and one that stays goes on without the other."""
        phone, desk = self.phone, self.desk
        self.leave_desk()
        self.scan(phone, self.show_code(locks=True))
        tap(phone, "#allow")
        phone.wait(shown("#pause"), "to be told that it stays", 30)
        desk.wait("location.pathname === '/wallet' && document.documentElement.dataset.state === 'ready'", "the wallet at the desk", 30)
        first = desk.tab()
        first.goto(self.stage.url + "/wallet/devices")
        first.wait("document.documentElement.dataset.state === 'ready'", "another tab", 30)
        front(phone)
        tap(phone, "#pause")
        for page in (desk, first):
            page.wait(shown("#locked"), f"{page.name} to be locked", 30)
        expect(not first.js("document.querySelector('main').checkVisibility({visibilityProperty: true})"), "the other tab can be read")
        tap(phone, "#resume")
        for page in (desk, first):
            page.wait(f"!({shown('#locked')})", f"{page.name} to be open again", 30)
        # The page that was signed in goes to another site: the other tab holds the session now.
        desk.goto("about:blank")
        time.sleep(25)
        expect(api(first, "GET", "/api/sessions/current")[0] == 200, "the tab that is left is locked")
        phone.see("stays open", "#stay-state", 5)
        tap(phone, "#end")
        first.wait(shown("#locked a"), "that it is lost", 30)
        front(first)
        tap(first, "#locked a")
        first.wait("location.pathname === '/sign-in'", "to sign in again")
        expect(first.js("new URLSearchParams(location.search).get('next')") == "/wallet/devices", "it does not lead back")
        first.close()

    def in_order(self):
        """A wallet is renamed and removed; what it had opened is over, and it signs in no more."""
        phone, laptop, desk = self.phone, self.laptop, self.desk
        self.wallets(phone)
        tap(phone, "#wallets li:has([aria-label*=\"Mary's laptop\"]) [data-act=rename]")
        phone.fill("#question-value", "The old laptop")
        tap(phone, "dialog[open] .actions .primary")
        phone.see("The old laptop", "#wallets", 30)
        tap(phone, "#wallets li:has([aria-label*='The old laptop']) [data-act=remove]")
        phone.wait("document.activeElement.textContent === 'Keep it'", "the safe answer to have the focus")
        self.look(phone, "remove")
        tap(phone, "dialog[open] .actions .danger")
        phone.wait("!document.querySelector('#wallets').innerText.includes('The old laptop')", "the wallet to be gone", 30)
        desk.wait("fetch('/api/sessions/current').then(r => r.status === 401)", "its session to be over", 30)
        self.scan(laptop, self.show_code())
        tap(laptop, "#allow")
        laptop.wait(shown("#verdict.no"), "to be refused", 30)
        expect("did not accept this wallet" in laptop.text("#over-text"), laptop.text("#over-text"))
        self.look(laptop, "rejected")


def main():
    pictures = None
    if "--pictures" in sys.argv:
        index = sys.argv.index("--pictures")
        pictures = Path(sys.argv[index + 1])
        pictures.mkdir(parents=True, exist_ok=True)
        del sys.argv[index:index + 2]
    case = Cases()
    with tempfile.TemporaryDirectory() as folder:
        film = Path(folder, "film.y4m")
        write_film(film, bytes([200]) * (WIDTH * HEIGHT))
        flags = ["--use-fake-device-for-media-stream", "--use-fake-ui-for-media-stream",
                 f"--use-file-for-fake-video-capture={film}"]
        with server() as stage, Chromium(*flags) as browser:
            run(case, Pico(stage, browser, film, pictures))
    return case.end()


def run(case, pico):
    case("a browser pairs itself", pico.pairing)
    case("the desk is signed in by the phone", pico.signing_in)
    case("the phone's camera films the code", pico.filmed)
    case("the phone says no", pico.no)
    case("a code that was taken back is over", pico.cancelled)
    case("a wallet that is signed out comes back with the code", pico.signed_out)
    case("a browser that is not paired says so", pico.not_paired)
    case("other codes are refused with a reason", pico.not_run)
    case("a service behind another server is reached through this one", pico.other_server)
    case("a stranger on the channel learns nothing", pico.strangers)
    case("a session stays open while the wallet answers", pico.staying)
    case("a held session locks and opens in every tab", pico.tabs)
    case("another wallet pairs", pico.another_wallet)
    case("wallets are renamed and removed", pico.in_order)
    # It ends the session: the last one.
    case("another face opens nothing", pico.other_face)


if __name__ == "__main__":
    sys.exit(main())
