"""Where somebody signs, and a photograph of them: kept if the organisation and the signer allow it."""

import base64
import json

from attacks_stage import expect, front, posted, shown, tap, visit

PLACE = {"latitude": 52.520008, "longitude": 13.404954, "accuracy": 12}
SWITCHES = ("takes_place", "takes_photographs")
# What a page asks a device for, before any module of it runs; and the streams that it got.
ASKED = """{
    self.__asked = [];
    self.__streams = [];
    const film = self.MediaDevices?.prototype.getUserMedia;
    if (film) MediaDevices.prototype.getUserMedia = async function (wanted) {
        self.__asked.push('camera');
        const stream = await film.call(this, wanted);
        self.__streams.push(stream);
        return stream;
    };
    const locate = Geolocation.prototype.getCurrentPosition;
    Geolocation.prototype.getCurrentPosition = function (...given) {
        self.__asked.push('place');
        return locate.apply(this, given);
    };
}"""
IS_OFF = "self.__streams.every(stream => stream.getTracks().every(track => track.readyState === 'ended'))"


class DeskConsents:
    """With `operator`, `owner`, `stage`, in a browser whose camera is made up; after a client is registered."""

    def consented(self):
        page = self.operator
        page.send("Page.addScriptToEvaluateOnNewDocument", source=ASKED)
        page.send("Emulation.setGeolocationOverride", **PLACE)
        self.browser.send("Browser.grantPermissions", browserContextId=page.context, origin=self.stage.url, permissions=["geolocation"])
        self.allow(True)
        front(page)
        self.sign(self.movements.genuine[14], before=self.agree)
        self.decided(page)
        sent = json.loads(posted(page, "/api/signings")[-1])
        expect(sent.get("place") == {"latitude": 52520008, "longitude": 13404954, "accuracy": 12}, f"{sent.get('place')}")
        self.both_told(self.latest(), sent.get("photograph", ""))
        # The organisation takes them no longer, and nobody is asked.
        self.allow(False)
        front(page)
        self.sign(self.movements.genuine[15], before=self.not_asked)
        self.decided(page)
        expect(page.js("self.__asked") == [], f"the page asked for {page.js('self.__asked')}")
        sent = json.loads(posted(page, "/api/signings")[-1])
        expect("place" not in sent and "photograph" not in sent, f"it was sent: {sorted(sent)}")
        report = self.get(f"/api/signings/{self.latest()['id']}/report.html").decode()
        expect("Place, as the device gave it" not in report and "Photograph" not in report, "the report tells of them")

    def allow(self, wanted):
        """The main administrator says in the settings whether the desk may ask for them."""
        page = self.owner
        front(page)
        visit(page, "/desk/settings", self.stage.url)
        page.wait(shown("#form"), "the settings", 30)
        for name in SWITCHES:
            expect(page.js(f"document.querySelector('[name={name}]').checked") is not wanted, f"{name} is so already")
            tap(page, f"[name={name}]")
        tap(page, "#save")
        page.see("Saved.", "#notices", 30)

    def agree(self, page):
        """The signer says yes to both, sees what the camera sees, and then what is kept."""
        expect(page.js("self.__asked") == [], f"asked for before anybody agreed: {page.js('self.__asked')}")
        expect(not page.js("document.querySelector('#place').checked || document.querySelector('#photograph').checked"), "it is ticked")
        tap(page, "#place")
        page.see("52.52001, 13.40495, within 12 m.", "#place-state", 30)
        tap(page, "#photograph")
        page.see("The camera is on.", "#photograph-state", 30)
        # It takes its room only now, and moves what is below it.
        page.wait("document.querySelector('#preview').videoWidth > 0", "the picture of the camera", 30)
        # Who agreed and has no photograph yet is reminded, before anybody signs.
        tap(page, "#begin")
        page.see("Take the photograph first, or clear the box.", "#photograph-state", 30)
        expect(not page.js("!!document.querySelector('dialog.signing')"), "one signs without the photograph")
        tap(page, "#shoot")
        page.see("The camera is off.", "#photograph-state", 30)
        page.wait(f"document.querySelector('#shot').naturalWidth > 100 && {shown('#shot')}", "the photograph", 30)
        expect(page.js(IS_OFF), "the camera is still on")
        expect(page.js("self.__asked") == ["place", "camera"], f"{page.js('self.__asked')}")

    def not_asked(self, page):
        for selector in ("#consents", "#place", "#photograph"):
            expect(not page.js(shown(selector)), f"{selector} is shown")

    def decided(self, page):
        tap(page, "#confirm")
        page.wait(shown("[data-step=done]"), "the transaction to be done", 30)

    def both_told(self, signing, photograph):
        """The report that the transaction's page opens has the place, and the very photograph."""
        page = self.owner
        front(page)
        visit(page, f"/desk/transaction#{signing['id']}", self.stage.url)
        page.wait(shown("#open-report"), "the report")
        opened = page.tab()
        opened.goto(page.js("document.querySelector('#open-report').href"))
        opened.see("52.52001°, 13.40495°, within 12 m", "body", 30)
        opened.see("Taken with the signer's consent.", "body", 30)
        picture = "document.querySelector('img[src^=\"data:image/jpeg\"]')"
        opened.wait(f"{picture}?.naturalWidth > 100", "the photograph in the report", 30)
        kept = base64.b64decode(opened.js(f"{picture}.src.split(',')[1]"))
        expect(kept == base64.urlsafe_b64decode(photograph + "=="), "another photograph than the one that was seen")
        opened.close()
        front(page)
