#!/usr/bin/env python3
"""Scans codes with a camera that films a file, from pictures and pasted, where pages ask for a code.

    COUNTERSIGN=.build/debug/countersign scanning.py [--pictures FOLDER] [WORDS OF A CASE ...]
"""

import base64
import json
import sys
import tempfile
from pathlib import Path

from attacks_stage import (
    NO_WORKER, Cases, api, appoint, code_of, expect, fill_name, front, ready, server, set_up, shown, sign_up, tap, visit)
from chromium import Chromium
from looking import look, pictures_folder

WIDTH, HEIGHT = 640, 480
# Keeps every stream that a page got, to see whether its camera was given back.
STREAMS = """
self.__streams = [];
const ask = self.MediaDevices?.prototype.getUserMedia;
if (ask) MediaDevices.prototype.getUserMedia = async function (wanted) {
    const stream = await ask.call(this, wanted);
    self.__streams.push(stream);
    return stream;
};
"""
BEGIN = "[data-step]:not([hidden]) [data-begin]"
REFUSED = """
if (self.MediaDevices) MediaDevices.prototype.getUserMedia = () => Promise.reject(new DOMException('refused', 'NotAllowedError'));
"""
# A code as a camera sees it: a little turned, on paper. As grey pixels and as a PNG.
DRAW = """(async (text) => {
    const { call } = await import('/assets/shell/core.js');
    const { value } = await call('qr', { text, level: 'M' });
    const canvas = new OffscreenCanvas(%d, %d), pen = canvas.getContext('2d');
    pen.fillStyle = '#e8e8e8'; pen.fillRect(0, 0, canvas.width, canvas.height);
    pen.translate(canvas.width / 2, canvas.height / 2); pen.rotate(0.12);
    pen.scale(400 / value.size, 400 / value.size); pen.translate(-value.size / 2, -value.size / 2);
    pen.fillStyle = '#222'; pen.fill(new Path2D(value.path));
    const { data } = pen.getImageData(0, 0, canvas.width, canvas.height);
    let grey = ''; for (let i = 0; i < data.length; i += 4) grey += String.fromCharCode(data[i]);
    const png = new Uint8Array(await (await canvas.convertToBlob()).arrayBuffer());
    return [btoa(grey), btoa(String.fromCharCode(...png))];
})""" % (WIDTH, HEIGHT)
RELEASED = "self.__streams.length > 0 && self.__streams.every(s => s.getTracks().every(t => t.readyState === 'ended'))"


class Scanning:
    def __init__(self, stage, browser, film, folder, pictures=None):
        self.stage, self.browser, self.film, self.folder, self.pictures = stage, browser, film, folder, pictures

    def person(self, name):
        person = self.browser.person(name, width=1280, height=900)
        person.send("Page.addScriptToEvaluateOnNewDocument", source=NO_WORKER + STREAMS)
        person.has_biometrics()
        return person

    def set_up(self):
        self.owner, self.admin, self.member = self.person("owner"), self.person("administrator"), self.person("member")
        set_up(self.owner, self.stage, "Purple University", "Grace Hopper", "grace")
        # At once: inviting somebody needs an owner who has just signed in.
        self.invitation = api(self.owner, "POST", "/api/invitations", {"role": "operator", "lifetime": 3600})[1]["code"]
        appoint(self.owner, self.admin, self.stage, "Anna Administrator", "anna")
        sign_up(self.member, self.stage, "mary", "Mary", "Smith")

    def draw(self, page, text, is_filmed=True):
        """Puts a code of a text before the camera; the path of a picture of it."""
        grey, png = (base64.b64decode(part) for part in page.js(f"{DRAW}({json.dumps(text)})"))
        if is_filmed:
            write_film(self.film, grey)
        path = self.folder / "code.png"
        path.write_bytes(png)
        return path

    def fingerprint_link(self):
        root = self.owner.js("fetch('/api/organisation').then(r => r.json()).then(o => o.root_fingerprint)")
        return f"{self.stage.url}/verify#anchor={root}"

    def check(self):
        """The administrator scans the member's code, and the camera goes off."""
        front(self.member)
        self.show_code()
        front(self.admin)
        visit(self.admin, "/console/check", self.stage.url)
        tap(self.admin, "#scan")
        self.admin.wait(shown("[data-step=meet]"), "the code to be read")
        expect("Mary Smith" in self.admin.text("#meet-name"), self.admin.text("#meet-name"))
        self.admin.wait(RELEASED, "the camera to be given back")
        expect(not self.admin.js("!!document.querySelector('dialog.scan')"), "the dialog is still there")

    def show_code(self):
        """The member's code stands before the camera; a check that still waits for an administrator has it at once."""
        visit(self.member, "/wallet/identity", self.stage.url)
        self.member.wait(f"{shown('[data-step=code]')} || {shown(BEGIN)}", "the code, or the button for one")
        if self.member.js(shown(BEGIN)):
            tap(self.member, BEGIN)
            self.member.wait(shown("[data-step=code]"))
        self.draw(self.member, code_of(self.member))

    def verify(self):
        """A verifier who scans an organisation's code has compared by that, and trusts it."""
        self.draw(self.owner, self.fingerprint_link())
        verifier = self.verifier = self.person("verifier")
        verifier.goto(self.stage.url + "/verify")
        tap(verifier, "#pin-scan")
        verifier.see("because you scanned its code", "#anchors")
        verifier.see("Purple University", "#anchors")
        verifier.wait(RELEASED, "the camera to be given back")

    def picture(self):
        """Without a code before the camera a picture file does, but proves nothing; one without a code says so."""
        picture = self.draw(self.owner, self.fingerprint_link(), is_filmed=False)
        write_film(self.film, bytes([200]) * (WIDTH * HEIGHT))
        page = self.person("with a picture")
        page.goto(self.stage.url + "/verify")
        tap(page, "#pin-scan")
        page.see("Hold the code in front of the camera.", "dialog.scan")
        self.look(page, "scan")
        page.upload("dialog.scan input[type=file]", Path(__file__).resolve().parents[2] / "Web/shell/icon-192.png")
        page.see("There is no QR code in this picture.", "dialog.scan")
        page.upload("dialog.scan input[type=file]", Path(__file__))
        page.see("The browser cannot open this file as a picture.", "dialog.scan")
        page.upload("dialog.scan input[type=file]", picture)
        page.wait(shown("#candidate"), "the organisation to be compared")
        page.wait(RELEASED, "the camera to be given back")

    def refused(self):
        """Without permission the dialog says what to do; pasting works, and so do Escape and Cancel."""
        page = self.person("refuses")
        # The fake camera asks nobody, so the browser's answer is made here.
        page.send("Page.addScriptToEvaluateOnNewDocument", source=REFUSED)
        page.goto(self.stage.url + "/verify")
        tap(page, "#pin-scan")
        page.see("The browser does not give this page the camera.", "dialog.scan")
        self.look(page, "scan-refused")
        escape(page)
        page.wait("!document.querySelector('dialog.scan')", "Escape to close it")
        tap(page, "#pin-scan")
        tap(page, "\"Cancel\"")
        page.wait("!document.querySelector('dialog.scan')", "Cancel to close it")
        expect(page.text("#pin-digits-error") == "", page.text("#pin-digits-error"))
        tap(page, "#pin-scan")
        tap(page, "\"Use the text\"")
        page.see("Nothing was pasted.", "dialog.scan")
        page.fill("#scan-text", "https://elsewhere.example/")
        tap(page, "\"Use the text\"")
        page.see("This code names no organisation.", "#pin-digits-error")
        tap(page, "#pin-scan")
        page.fill("#scan-text", self.fingerprint_link())
        tap(page, "\"Use the text\"")
        page.wait(shown("#candidate"), "the organisation to be compared")

    def gives_up(self):
        """Whoever closes the dialog keeps no camera, and nothing is read."""
        write_film(self.film, bytes([200]) * (WIDTH * HEIGHT))
        page = self.person("gives up")
        page.goto(self.stage.url + "/verify")
        tap(page, "#pin-scan")
        page.see("Hold the code in front of the camera.", "dialog.scan")
        escape(page)
        page.wait(f"!document.querySelector('dialog.scan') && {RELEASED}", "the camera to be given back")

    def anywhere(self):
        """From the phone's bar a code before the camera goes to its place, and so does the picture of another."""
        front(self.member)
        self.show_code()
        front(self.admin)
        self.admin.resize(390, 844, True)
        visit(self.admin, "/wallet", self.stage.url)
        # An earlier check may still be under way: a code goes before it.
        tap(self.admin, ".places > ul > li > a[href='/wallet/scan']")
        self.admin.wait("location.pathname === '/console/check'", "the code to be taken to the check")
        self.admin.wait(shown("[data-step=meet]"), "the code to be read")
        expect("Mary Smith" in self.admin.text("#meet-name"), self.admin.text("#meet-name"))
        self.admin.resize(1280, 900)
        write_film(self.film, bytes([200]) * (WIDTH * HEIGHT))
        picture = self.draw(self.owner, self.fingerprint_link(), is_filmed=False)
        visit(self.admin, "/wallet/scan", self.stage.url)
        self.admin.see("Hold the code in front of the camera.", "dialog.scan")
        self.look(self.admin, "scan-anything")
        self.admin.upload("dialog.scan input[type=file]", picture)
        self.admin.wait("location.pathname === '/verify'", "the root to be taken to its page")
        self.admin.wait(shown("#candidate"), "the organisation to be compared")

    def invited(self):
        """Whoever is invited scans the invitation's link, and its code stands in the form."""
        self.draw(self.owner, f"{self.stage.url}/join#{self.invitation}")
        page = self.person("invited")
        page.goto(self.stage.url + "/join")
        expect(page.js("document.querySelector('#code').value") == "", "there is a code before one was scanned")
        tap(page, "#scan")
        page.wait(f"document.querySelector('#code').value === {json.dumps(self.invitation)}", "the code in the form")
        page.wait(f"!document.querySelector('dialog.scan') && {RELEASED}", "the camera to be given back")
        fill_name(page, "Otto Operator")
        page.fill("#username", "otto")
        tap(page, "#go")
        page.wait("location.pathname !== '/join'", "to have joined")
        ready(page)
        self.operator = page

    def device_added(self):
        """The device that has keys scans the new one's code, and is asked about that very device."""
        new = self.person("new device")
        new.goto(self.stage.url + "/add-device")
        new.fill("#username", "mary")
        new.fill("#device", "Mary's tablet")
        tap(new, "#go")
        drawn = "['#waiting-key', '#link'].every(place => document.querySelector(place).textContent)"
        new.wait(f"{shown('#waiting')} && {drawn}", "the code of the new device")
        key = new.text("#waiting-key")
        self.draw(new, new.js("document.querySelector('#link').textContent"))
        front(self.member)
        visit_add_device(self.member, self.stage.url)
        tap(self.member, "#scan")
        self.member.wait(f"{shown('#decide')} && document.querySelector('#decide-key').textContent", "to be asked about the device")
        asked = [self.member.text(place) for place in ("#decide-device", "#decide-username", "#decide-key")]
        expect(asked == ["Mary's tablet", "mary", key], f"{asked}")
        tap(self.member, "#endorse")
        self.member.see("The device is added", "#over")
        front(new)
        new.see("This device is yours", "#over")

    def signs_here(self):
        """A phone whose code is over scans the desk's next one; another organisation's code is not taken."""
        made = api(self.operator, "POST", "/api/handovers", {"title": "Consent", "count": 1})[1]
        self.draw(self.owner, "https://other.example/sign-here#code")
        phone = self.person("phone")
        phone.goto(self.stage.url + "/sign-here")
        phone.see("The link is not whole")
        tap(phone, "#scan")
        phone.see("This is not the code of a desk here.", "#notices")
        phone.wait(f"!document.querySelector('dialog.scan') && {RELEASED}", "the camera to be given back")
        expect(phone.js("location.pathname + location.hash") == "/sign-here", phone.js("location.href"))
        self.draw(self.owner, made["address"])
        tap(phone, "#scan")
        phone.wait(shown("[data-step=task]"), "what is to be signed")
        expect(phone.text("#title") == "Consent", phone.text("#title"))

    def places(self):
        """Every kind of code goes to its own page; what is not ours goes nowhere, and the page says whose it is."""
        root = self.owner.js("fetch('/api/organisation').then(r => r.json()).then(o => o.root_fingerprint)")
        ours, other = self.stage.url, "https://other.example"
        tried = [
            (f"{ours}/add-device#kQ2-7c9", "/add-device#kQ2-7c9"), (f"{ours}/s/AbC-1#key", "/s/AbC-1#key"),
            (f"{ours}/copy/AbC-1#key", "/copy/AbC-1#key"), (f"{ours}/sign-here#code", "/sign-here#code"),
            (f"{ours}/join#CK5A-YNXT-7AQT-T828-DC8Y", "/join#CK5A-YNXT-7AQT-T828-DC8Y"),
            ("ck5a-ynxt-7aqt-t828-dc8y", "/join#CK5A-YNXT-7AQT-T828-DC8Y"), (f" {ours}/add-device\n", "/add-device"),
            ("countersign-enrol:a/b", "/console/check#countersign-enrol%3Aa%2Fb"),
            (f"{ours}/console/check#c", "/console/check#c"), (f"{other}/verify#anchor={root}", f"/verify#anchor={root}"),
            (root, f"/verify#anchor={root}"), (f"{root[:32]} {root[32:].upper()}", f"/verify#anchor={root}"),
        ]
        foreign = [
            (f"{other}/s/AbC-1#key", {"elsewhere": f"{other}/s/AbC-1#key", "host": "other.example"}),
            (f"{other}/join#code", {"elsewhere": f"{other}/join#code", "host": "other.example"}),
            (f"{other}/", {"host": "other.example"}), (f"{ours}/api/session", {"host": ours.split("//")[1]}),
            (f"{ours}/s/a/../../api#x", {"host": ours.split("//")[1]}), ("javascript:alert(1)//#anchor=1", {}),
            ("WIFI:S:home;;", {}), (f"{ours.replace('//', '//me@')}/join#code", {}), ("https://", {}), ("", {}),
        ]
        found = self.owner.js(
            "(async (texts) => { const { placeOf } = await import('/assets/documents/scanned.js');"
            f" return texts.map(text => placeOf(text, location.origin)); }})({json.dumps([text for text, _ in tried + foreign])})")
        for (text, wanted), place in zip(tried, found):
            expect(place == {"href": wanted}, f"{text!r}: {place}")
        for (text, wanted), place in zip(foreign, found[len(tried):]):
            expect(place == wanted, f"{text!r}: {place}")

    def foreign(self):
        """By keyboard, and what is not ours: the page stays, says so, and opens nothing by itself."""
        page = self.member
        front(page)
        visit(page, "/wallet", self.stage.url)
        page.press("k", code="KeyK", modifiers=2)
        page.wait("document.querySelector('.palette')?.open === true", "the palette")
        page.send("Input.insertText", text="scan")
        page.wait("document.querySelector('.palette [role=option]')?.textContent.includes('Scan')", "the place in the palette")
        page.press("Enter")
        page.wait("location.pathname === '/wallet/scan' && !!document.querySelector('dialog.scan')", "the dialog")
        escape(page)
        page.wait("!document.querySelector('dialog.scan')", "Escape to close it")
        for text, title, link in (
            ("https://elsewhere.example/pay", "This is not one of our codes", None),
            ("https://other.example/s/AbC#key", "This code belongs to another server", "https://other.example/s/AbC#key"),
            ("<img src=x onerror=top.owned=1>", "This is not one of our codes", None),
        ):
            tap(page, "#scan")
            page.see("Hold the code in front of the camera.", "dialog.scan")
            page.fill("#scan-text", text)
            tap(page, "\"Use the text\"")
            page.see(title, "#foreign")
            expect(page.text("#foreign-says") == text, page.text("#foreign-says"))
            shows = page.js("(e => e.hidden ? null : e.href)(document.querySelector('#foreign-link'))")
            expect(shows == link, f"{text}: {shows}")
            expect(page.js("location.pathname") == "/wallet/scan", "the page was left")
            expect(page.js("document.activeElement.id") == "foreign-title", "the focus is not on what was found")
        expect(page.js("top.owned ?? 0") == 0, "markup in a code was run")
        self.look(page, "scan-foreign")

    def policies(self):
        """Pages that scan may ask for the camera, and no others."""
        policy = ("Promise.all(%s.map(p => fetch(p).then(r => r.headers.get('Permissions-Policy'))))")
        scans = ["/verify", "/join", "/add-device", "/console/check", "/sign-here", "/wallet/scan"]
        others = ["/", "/wallet", "/console", "/sign-in", "/sign-up", "/wallet/documents"]
        for path, found in zip(scans, self.owner.js(policy % json.dumps(scans))):
            expect("camera=(self), geolocation=()" in found, f"{path}: {found}")
        for path, found in zip(others, self.owner.js(policy % json.dumps(others))):
            expect("camera=(), geolocation=()" in found, f"{path}: {found}")
        for time in ("first", "second"):
            # The second time the server says that the browser's copy is still good, and with which headers.
            worker = self.owner.js(
                "fetch('/assets/scanner/scan-worker.js', { cache: 'no-cache' }).then(r => r.headers.get('Content-Security-Policy'))")
            expect("default-src 'none'" in worker and "connect-src 'self'" in worker, f"the worker's {time} policy: {worker}")

    def look(self, page, name):
        look(page, name, self.pictures)


def visit_add_device(page, origin):
    """Opens the page of somebody who has keys; it is never marked as ready."""
    page.goto(origin + "/add-device")
    page.wait(shown("#have-keys"), "how to begin on the new device")


def escape(page):
    for kind in ("rawKeyDown", "keyUp"):
        page.send("Input.dispatchKeyEvent", type=kind, key="Escape", code="Escape", windowsVirtualKeyCode=27)


def write_film(path, grey):
    """Two frames of YUV4MPEG2, without colour; the browser begins again at the end."""
    colourless = bytes([128]) * (WIDTH * HEIGHT // 2)
    frame = b"FRAME\n" + grey + colourless
    path.write_bytes(b"YUV4MPEG2 W%d H%d F15:1 Ip A1:1 C420jpeg\n" % (WIDTH, HEIGHT) + 2 * frame)


def main():
    pictures = pictures_folder()
    case = Cases()
    with tempfile.TemporaryDirectory() as folder:
        film = Path(folder, "film.y4m")
        write_film(film, bytes([200]) * (WIDTH * HEIGHT))
        flags = ["--use-fake-device-for-media-stream", "--use-fake-ui-for-media-stream",
                 f"--use-file-for-fake-video-capture={film}"]
        with server() as stage, Chromium(*flags) as browser:
            scanning = Scanning(stage, browser, film, Path(folder), pictures)
            scanning.set_up()
            case("the identity check begins with a scanned code", scanning.check)
            case("an organisation is pinned by its code", scanning.verify)
            case("a picture file does as well", scanning.picture)
            case("without permission the dialog says what to do", scanning.refused)
            case("the camera is given back when somebody gives up", scanning.gives_up)
            case("an invitation is scanned", scanning.invited)
            case("a new device's code is scanned", scanning.device_added)
            case("the desk's code is scanned by a phone", scanning.signs_here)
            case("the wallet's Scan takes any code to its place", scanning.anywhere)
            case("each kind of code has a place, and others have none", scanning.places)
            case("what is not ours is said to be foreign", scanning.foreign)
            case("only pages that scan may ask for the camera", scanning.policies)
    return case.end()


if __name__ == "__main__":
    sys.exit(main())
