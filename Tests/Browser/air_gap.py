"""A phone without a network reads what a service asks from codes, signs, and shows its answer as a code for another device.

    COUNTERSIGN=.build/debug/countersign python Tests/Browser/air_gap.py [words of a case …]

The camera films a file. The service is this program, by the HTTP interface alone.
"""

import base64
import json
import sys
import tempfile
from pathlib import Path

from approvals import Service
from attacks_stage import NO_WORKER, Cases, api, expect, front, mistakes, server, set_up, shown, sign_up, tap, visit
from chromium import Chromium, until
from faults_network import Network

WIDTH, HEIGHT = 720, 720
# What a screen shows, as grey pixels: the codes of texts, or the code that a page shows.
GREY = """
    const grey = (size, path) => {
        const canvas = new OffscreenCanvas(%d, %d), pen = canvas.getContext('2d');
        pen.fillStyle = '#e8e8e8'; pen.fillRect(0, 0, canvas.width, canvas.height);
        pen.scale(canvas.width / size, canvas.height / size); pen.fillStyle = '#222'; pen.fill(new Path2D(path));
        const { data } = pen.getImageData(0, 0, canvas.width, canvas.height);
        let text = ''; for (let i = 0; i < data.length; i += 4) text += String.fromCharCode(data[i]);
        return btoa(text);
    };""" % (WIDTH, HEIGHT)
TEXTS = "(async (texts) => {" + GREY + """
    const { call } = await import('/assets/shell/core.js');
    const all = [];
    for (const text of texts) {
        const { value } = await call('qr', { text, level: 'L' });
        all.push(grey(value.size, value.path));
    }
    return all; })"""
SHOWN = "(() => {" + GREY + """
    const image = document.querySelector('#carry-code svg');
    return grey(image.viewBox.baseVal.width, image.querySelector('path').getAttribute('d')); })()"""
# Everything that the pages need lies in the worker's cache.
KEPT = """navigator.serviceWorker.ready.then(async () => navigator.serviceWorker.controller !== null
    && (await Promise.all((await caches.keys()).map(async n => (await caches.open(n)).match('/assets/index.json')))).some(Boolean))"""


class AirGap:
    def __init__(self, stage, browser, film):
        self.stage, self.browser, self.film = stage, browser, film
        owner = browser.person("owner")
        owner.send("Page.addScriptToEvaluateOnNewDocument", source=NO_WORKER)
        owner.has_biometrics()
        set_up(owner, stage, "Example University", "Olivia Owner", "owner")
        status, added = api(owner, "POST", "/api/services", {"domain": "bank.example", "name": "Example Bank"})
        expect(status == 201, f"{added}")
        self.service = Service(stage.url, added["api_key"])
        self.phone = browser.person("phone", width=390, height=844)
        self.phone.has_biometrics()
        sign_up(self.phone, stage, "member")
        self.enrol()
        self.phone.wait(KEPT, "the worker to have everything", 120)

    def enrol(self):
        phone, service = self.phone, self.service
        offer = service.enrol("customer 1")
        visit(phone, "/wallet/approvals/add", self.stage.url)
        phone.wait(shown("#form"))
        phone.fill("#code", offer["link"])
        tap(phone, "#form button[type=submit]")
        tap(phone, "#accept")
        phone.wait("document.querySelector('#digits').textContent.length === 6")
        service("POST", f"/api/service/enrolments/{offer['id']}/confirm",
                {"session": "session of customer 1", "code": phone.text("#digits")})
        phone.wait(shown("[data-step=over]"))

    def codes(self, asked):
        """What the service's page would show of a question: one code, or several in turn."""
        links = asked.get("parts") or [asked["link"]]
        page = self.browser.person("page of the service")
        page.send("Page.addScriptToEvaluateOnNewDocument", source=NO_WORKER)
        page.goto(self.stage.url + "/verify")
        pictures = [base64.b64decode(one) for one in page.js(f"{TEXTS}({json.dumps(links)})")]
        page.close()
        return links, pictures

    def read(self):
        """Several codes in front of a phone without a network; every word of the question is there."""
        phone = self.phone
        self.text = " ".join(f"Clause {number}: the tenant pays on day {number % 28 + 1}." for number in range(90))
        self.asked = self.service.pay("customer 1", action="agree", fields=[{"type": "text", "text": self.text}])
        expect("code" in self.asked and "link" not in self.asked, f"{self.asked}")
        links, pictures = self.codes(self.asked)
        expect(len(links) > 3 and all("/" in link for link in links), f"{len(links)} codes")
        write_film(self.film, pictures)
        front(phone)
        phone.offline()
        visit(phone, "/wallet/approvals/add", self.stage.url)
        tap(phone, "#scan")
        phone.wait(shown("[data-step=read]"), "the question to be read", 120)
        expect(self.text in phone.text("#lines"), phone.text("#lines")[:400])

    def sign(self):
        phone = self.phone
        tap(phone, "#allow")
        expect(mistakes(phone, "#form") == ["Type the 4 digits that the page shows."], "no code at all")
        phone.fill("#code", self.asked["code"])
        tap(phone, "#allow")
        phone.wait("!!document.querySelector('#carry-code svg')", "the answer as a code", 60)
        expect("/hand-in" in phone.text("#carry-where"), phone.text("#carry-where"))
        expect(self.service.state(self.asked)["state"] == "pending", "the answer came through the air")
        write_film(self.film, [base64.b64decode(phone.js(SHOWN))])

    def hand_in(self):
        """A browser in which nobody is signed in hands the answer in; handed in again, it changes nothing."""
        other = self.other = self.browser.person("another device")
        other.send("Page.addScriptToEvaluateOnNewDocument", source=NO_WORKER)
        for _ in range(2):
            visit(other, "/hand-in", self.stage.url)
            tap(other, "#scan")
            other.wait(shown("#verdict.yes"), "the answer to be handed in", 60)
            expect(self.service.state(self.asked)["state"] == "approved", f"{self.service.state(self.asked)}")

    def refused(self):
        """What is no answer, and a spoilt one, are refused with words."""
        other = self.other
        visit(other, "/hand-in", self.stage.url)
        for text, words in (("hello", "not an answer"), (self.service.enrol("customer 2")["link"], "not an answer")):
            # What was said of the one before it says nothing of this one.
            other.js("document.querySelector('#code-error').textContent = ''")
            other.fill("#code", text)
            tap(other, "#form button[type=submit]")
            other.wait(f"document.querySelector('#code-error').textContent.includes({json.dumps(words)})", words)

    def back(self):
        """With the network back, the phone shows what came of it; and it can send a later answer by itself."""
        phone = self.phone
        front(phone)
        phone.offline(False)
        phone.wait(shown("#verdict.yes"), "the outcome", 60)
        second = self.service.pay("customer 1")
        links, pictures = self.codes(second)
        expect(len(links) == 1, f"{len(links)} codes")
        write_film(self.film, pictures)
        front(phone)
        phone.offline()
        visit(phone, "/wallet/scan", self.stage.url)
        phone.wait(shown("[data-step=read]"), "the question to be read", 120)
        tap(phone, "#deny")
        phone.click("[name=reason][value=not-me]")
        tap(phone, "#deny-now")
        phone.wait("!!document.querySelector('#carry-code svg')", "the answer as a code", 60)
        phone.offline(False)
        phone.wait(shown("#verdict.no"), "the outcome", 60)
        until(lambda: self.service.state(second)["state"] == "denied", "the denial at the service")

    def receipt(self):
        """The page that checks receipts opens without a network, and checks."""
        phone = self.phone
        front(phone)
        phone.offline()
        visit(phone, "/receipt", self.stage.url)
        phone.wait(shown("#form"), "the page")
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder, "none.approval")
            file.write_bytes(b"hello")
            phone.upload("#file", str(file))
            tap(phone, "#form button[type=submit]")
            phone.wait(shown("#verdict.no"), "a verdict", 60)
        phone.offline(False)

    def filled_in(self):
        """A page that shows the question with its code is filmed, and nothing is typed; a link with a code fills nothing in."""
        phone = self.phone
        asked = self.service.pay("customer 1")
        text = f"{asked['link']}#{asked['code']}"
        visit(phone, "/wallet/approvals/add", self.stage.url)
        phone.wait(shown("#form"))
        phone.fill("#code", "web+" + text)
        tap(phone, "#form button[type=submit]")
        phone.wait(shown("[data-step=read]"), "the question of the link")
        expect(phone.js("document.querySelector('#code').value") == "", "a link fills the code in")
        pictures = [base64.b64decode(one) for one in phone.js(f"{TEXTS}({json.dumps([text])})")]
        for place in ("/wallet/scan", "/wallet/approvals/add"):
            write_film(self.film, pictures)
            visit(phone, place, self.stage.url)
            if place != "/wallet/scan":
                tap(phone, "#scan")
            phone.wait(shown("[data-step=read]"), "the question to be read", 120)
            phone.wait(f"document.querySelector('#code').value === {json.dumps(asked['code'])}", "the code to be there")
            # Once: opened again, the address is a link like any other.
            phone.reload()
            phone.wait(f"{shown('[data-step=read]')} && document.querySelector('#code').value === ''", "the reload")
        code_is_there = f"document.querySelector('#code')?.value === {json.dumps(asked['code'])}"
        write_film(self.film, pictures)
        visit(phone, "/wallet/scan", self.stage.url)
        phone.wait(code_is_there, "the code to be there", 120)
        # It is for this question alone, and goes with it.
        phone.js(f"location.hash = '{'0' * 32}'")
        phone.wait(f"{shown('[data-step=missing]')} && document.querySelector('#code').value === ''", "another question, without the code")
        write_film(self.film, pictures)
        visit(phone, "/wallet/scan", self.stage.url)
        phone.wait(code_is_there, "the code to be there", 120)
        tap(phone, "#allow")
        phone.wait(shown("#verdict.yes"), "the outcome", 60)
        expect(self.service.state(asked)["state"] == "approved", f"{self.service.state(asked)}")

    def away(self):
        """A network is there and does not lead to the server: the signed answer becomes a code, and is kept until it is taken."""
        phone = self.phone
        asked = self.service.pay("customer 1")
        visit(phone, f"/wallet/approval#{asked['id']}", self.stage.url)
        phone.wait(shown("[data-step=read]"), "the question to be read")
        phone.fill("#code", asked["code"])
        network = Network(phone)
        network.lose("^POST /api/approvals/answers", "before", times=99)
        tap(phone, "#allow")
        phone.wait("!!document.querySelector('#carry-code svg')", "the answer as a code", 60)
        expect(self.service.state(asked)["state"] == "pending", f"{self.service.state(asked)}")
        network.heal()
        for status, kind in ((503, "busy"), (429, "too-many-requests")):
            network.lose("^POST /api/approvals/answers", "before", refused=(status, kind, 1))
            tap(phone, "#send")
            phone.wait("document.querySelector('#notices').textContent.includes('It still cannot be sent.')", kind)
            expect(phone.js(shown("[data-step=carry]")), f"the answer is lost by {kind}")
            phone.js("document.querySelector('#notices').replaceChildren()")
        tap(phone, "#send")
        phone.wait(shown("#verdict.yes"), "the outcome", 60)
        expect(self.service.state(asked)["state"] == "approved", f"{self.service.state(asked)}")
        network.end()


def write_film(path, pictures):
    """YUV4MPEG2 without colour, each picture for 0.4 s; the browser begins again at the end."""
    colourless = bytes([128]) * (WIDTH * HEIGHT // 2)
    frames = b"".join(6 * (b"FRAME\n" + grey + colourless) for grey in pictures)
    path.write_bytes(b"YUV4MPEG2 W%d H%d F15:1 Ip A1:1 C420jpeg\n" % (WIDTH, HEIGHT) + frames)


def main():
    case = Cases()
    with tempfile.TemporaryDirectory() as folder:
        film = Path(folder, "film.y4m")
        write_film(film, [bytes([200]) * (WIDTH * HEIGHT)])
        flags = ["--use-fake-device-for-media-stream", "--use-fake-ui-for-media-stream",
                 f"--use-file-for-fake-video-capture={film}"]
        with server() as stage, Chromium(*flags) as browser:
            gap = AirGap(stage, browser, film)
            case("a code that is filmed with its question needs no typing", gap.filled_in)
            case("an answer is not lost by a network that does not lead to the server", gap.away)
            case("a phone without a network reads a question from several codes", gap.read)
            case("it signs, and shows its answer as a code", gap.sign)
            case("another device hands it in, once and again", gap.hand_in)
            case("what is no answer is refused", gap.refused)
            case("with the network back it shows the outcome, and sends by itself", gap.back)
            case("receipts are checked without a network", gap.receipt)
    return case.end()


if __name__ == "__main__":
    sys.exit(main())
