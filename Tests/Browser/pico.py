#!/usr/bin/env python3
"""Signs in on one browser with the wallet of another: paired, scanned, looked at, agreed to or denied, and put in order.

    COUNTERSIGN=.build/release/countersign python Tests/Browser/pico.py [--pictures FOLDER] [words of a case …]

The desk is a browser that nobody is signed in on. The phone is a device of the account. One line for each case.
"""

import base64
import json
import re
import statistics
import sys
import tempfile
import time
from pathlib import Path
from urllib.parse import quote

from attacks_stage import (
    NO_WORKER, Cases, api, end_session, expect, front, server, set_up, shown, sign_up, tap, visit)
from chromium import Chromium
from looking import look, pictures_folder
from pico_held import CODE, Held
from pico_old import Old
from pico_services import Services
from scanning import DRAW, HEIGHT, WIDTH, write_film


class Pico(Held, Old, Services):
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
        page.wait(f"[...document.querySelectorAll('#wallets .badge')].some(e => e.checkVisibility())", "this browser in the list", 60)

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
        phone.wait(f"!{shown('#pair-here')} && !{shown('#none')}", "the buttons to be gone", 60)
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
        desk.see("Your wallet has read the code", "#elsewhere-state", 60)
        expect(not desk.js(shown("#elsewhere-code")), "the code can still be seen")
        self.look(desk, "read")
        expect(api(desk, "GET", "/api/sessions/current")[0] == 401, "somebody is signed in already")
        tap(phone, "#allow")
        phone.wait(shown("#verdict.yes"), "to be signed in there", 60)
        self.look(phone, "signed-in")
        front(desk)
        desk.wait("location.pathname === '/wallet'", "the wallet at the desk", 60)
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
            phone.wait(shown("#allow"), "to be asked", 60)
            asked = time.monotonic()
            tap(phone, "#allow")
            desk.wait("location.pathname === '/wallet'", "the wallet at the desk", 60)
            times.append((asked - began, time.monotonic() - asked))
            write_film(self.film, bytes([200]) * (WIDTH * HEIGHT))
            self.leave_desk()
        to_question, to_page = (statistics.median(part) * 1000 for part in zip(*times))
        print(f"     median: {to_question:.0f} ms from the first frame to the question, {to_page:.0f} ms from the answer to the page")

    def no(self):
        phone, desk = self.phone, self.desk
        self.scan(phone, self.show_code())
        tap(phone, "#deny")
        phone.wait(shown("#verdict.no"), "to have said no", 60)
        self.look(phone, "no")
        front(desk)
        desk.see("The wallet said no", "#elsewhere-state", 60)
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
        phone.wait(shown("#allow"), "to be asked after signing in", 60)
        expect(phone.js("location.hash") == "", "the code is still in the address")
        tap(phone, "#deny")
        phone.wait(shown("#verdict.no"), "to have said no", 60)

    def other_face(self):
        """With another face nothing opens, and nobody is signed in."""
        phone, desk = self.phone, self.desk
        self.scan(phone, self.show_code())
        phone.is_recognised(False)
        tap(phone, "#allow")
        phone.wait("document.querySelector('dialog[open]')?.innerText.length > 0 || document.querySelector('#notices .notice')",
                   "to be told", 60)
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
        laptop.wait(shown("#verdict.yes"), "to be paired", 60)
        self.look(laptop, "paired")
        front(phone)
        phone.see("Mary's laptop", "#wallets", 60)
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
        self.desk.wait("location.pathname === '/wallet'", "the wallet at the desk", 60)
        expect(api(self.desk, "GET", "/api/sessions/current")[1]["account"]["username"] == "mary", "somebody else is signed in")

    def in_order(self):
        """A wallet is renamed and removed; what it had opened is over, and it signs in no more."""
        phone, laptop, desk = self.phone, self.laptop, self.desk
        self.wallets(phone)
        tap(phone, "#wallets li:has([aria-label*=\"Mary's laptop\"]) [data-act=rename]")
        phone.fill("#question-value", "The old laptop")
        tap(phone, "dialog[open] .actions .primary")
        phone.see("The old laptop", "#wallets", 60)
        tap(phone, "#wallets li:has([aria-label*='The old laptop']) [data-act=remove]")
        phone.wait("document.activeElement.textContent === 'Keep it'", "the safe answer to have the focus")
        self.look(phone, "remove")
        tap(phone, "dialog[open] .actions .danger")
        phone.wait("!document.querySelector('#wallets').innerText.includes('The old laptop')", "the wallet to be gone", 60)
        desk.wait("fetch('/api/sessions/current').then(r => r.status === 401)", "its session to be over", 60)
        self.scan(laptop, self.show_code())
        tap(laptop, "#allow")
        laptop.wait(shown("#verdict.no"), "to be refused", 60)
        expect("did not accept this wallet" in laptop.text("#over-text"), laptop.text("#over-text"))
        self.look(laptop, "rejected")


def main():
    pictures = pictures_folder()
    case = Cases()
    with tempfile.TemporaryDirectory() as folder:
        film = Path(folder, "film.y4m")
        write_film(film, bytes([200]) * (WIDTH * HEIGHT))
        flags = ["--use-fake-device-for-media-stream", "--use-fake-ui-for-media-stream",
                 f"--use-file-for-fake-video-capture={film}"]
        with server() as stage, Chromium(*flags, whole=True) as browser:
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
    case("a service on an old curve is refused without a mark", pico.unmarked)
    case("a service that was marked as old is signed in to", pico.marked)
    case("accounts at old services are listed as such", pico.listed)
    case("a service that answers on another curve is refused", pico.other_curve)
    case("a stranger on the channel learns nothing", pico.strangers)
    case("a session stays open while the wallet answers", pico.staying)
    case("a held session locks and opens in every tab", pico.tabs)
    case("a locked session is signed out at its own screen", pico.ended_here)
    case("another wallet pairs", pico.another_wallet)
    case("wallets are renamed and removed", pico.in_order)
    # It ends the session: the last one.
    case("another face opens nothing", pico.other_face)


if __name__ == "__main__":
    sys.exit(main())
