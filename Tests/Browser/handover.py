"""A person's second device asks the first for its word, and answers a service too: compared, signed, given up, denied.

    COUNTERSIGN=.build/release/countersign python Tests/Browser/handover.py [--pictures FOLDER] [words of a case …]

The service is a program that knows an address and an API key. One line for each case.
"""

import sys

from approvals import Service
from attacks_stage import NO_WORKER, Cases, api, expect, front, server, set_up, shown, sign_up, tap, visit
from chromium import Chromium
from looking import look, pictures_folder

ASKING = "[data-step=lost]"


class Handover:
    def __init__(self, stage, browser, pictures):
        self.stage, self.browser, self.pictures = stage, browser, pictures
        owner = self.person("owner")
        set_up(owner, stage, "Example University", "Olivia Owner", "owner")
        made = api(owner, "POST", "/api/services", {"domain": "bank.example", "name": "Example Bank"})[1]
        expect("api_key" in made, f"{made}")
        self.service = Service(stage.url, made["api_key"])
        self.laptop, self.phone = self.person("laptop"), self.person("phone")
        sign_up(self.laptop, stage, "member")
        self.add_device()

    def person(self, name):
        person = self.browser.person(name)
        person.send("Page.addScriptToEvaluateOnNewDocument", source=NO_WORKER)
        person.has_biometrics()
        return person

    def add_device(self):
        """The phone becomes a device of the laptop's account."""
        phone, laptop = self.phone, self.laptop
        phone.goto(self.stage.url + "/add-device")
        phone.fill("#username", "member")
        phone.fill("#device", "Mary's phone")
        tap(phone, "#go")
        phone.wait(shown("#waiting"), "the code of the new device", 60)
        front(laptop)
        laptop.follow(phone.js("document.querySelector('#link').textContent"))
        laptop.wait(shown("#decide"), "to be asked about the device", 60)
        tap(laptop, "#endorse")
        laptop.see("The device is added", "#over", 60)
        front(phone)
        phone.see("This device is yours", "#over", 60)

    def accept(self, page):
        """The device takes an offer as far as its own key."""
        front(page)
        offer = self.service.enrol("customer 1")
        visit(page, "/wallet/approvals/add", self.stage.url)
        page.wait(shown("#form"))
        page.fill("#code", offer["link"])
        tap(page, "#form button[type=submit]")
        tap(page, "#accept")
        return offer

    def confirm(self, page, offer):
        """The service's page and the device show the same, and the person says so."""
        page.wait(shown("[data-step=compare]"), "the digits to compare with the service")
        page.wait("document.querySelector('#digits').textContent.length === 6")
        digits = page.text("#digits")
        confirmed = self.service("POST", f"/api/service/enrolments/{offer['id']}/confirm",
                                 {"session": "session of customer 1", "code": digits})
        expect(confirmed.get("state") == "completed", f"{confirmed}")
        page.wait(shown("[data-step=over] .verdict, #verdict.yes"))
        return digits

    def ask(self):
        offer = self.accept(self.phone)
        self.phone.wait(shown("#word-where"), "to be told where to agree", 60)
        return offer

    def look(self, page, name):
        look(page, name, self.pictures)

    def open(self, offer):
        """The older device finds the request in its list, and opens it."""
        laptop = self.laptop
        front(laptop)
        visit(laptop, "/wallet/approvals", self.stage.url)
        laptop.see("Let", "#handovers", 60)
        expect("Mary's phone" in laptop.text("#handovers") and "Example Bank" in laptop.text("#handovers"),
               laptop.text("#handovers"))
        self.look(laptop, "list")
        tap(laptop, f"#handovers a[href$='{offer['id']}']")
        laptop.wait(shown("#claim"), "the request")

    def first(self):
        offer = self.accept(self.laptop)
        self.confirm(self.laptop, offer)

    def agreed(self):
        """Both show the same digits, the laptop agrees, the phone signs too, and answers a question."""
        phone, laptop, service = self.phone, self.laptop, self.service
        offer = self.ask()
        expect(not phone.js(shown("#word-digits")) and not phone.js(shown("#recovery-code")), phone.text(ASKING))
        self.look(phone, "asking")
        # A page that was closed goes on.
        visit(phone, "/wallet/approvals/add", self.stage.url)
        phone.wait(shown("#word-where"), "to go on asking")
        visit(phone, "/wallet/approvals", self.stage.url)
        expect(not phone.js(shown("#handovers-part")), "a device asks itself")
        visit(phone, "/wallet/approvals/add", self.stage.url)
        self.open(offer)
        sizes = laptop.js("['#claim', '[data-act=deny]'].map(s => document.querySelector(s).getBoundingClientRect()).map(r => [r.width, r.height])")
        expect(abs(sizes[0][0] - sizes[1][0]) < 2 and sizes[0][1] == sizes[1][1], f"Compare and Deny are {sizes}")
        self.look(laptop, "read")
        tap(laptop, "#claim")
        laptop.wait(shown("#digits"), "the digits")
        digits = laptop.text("#digits")
        self.look(laptop, "compare")
        front(phone)
        phone.wait("document.querySelector('#word-digits').textContent.length === 6", "the digits on the phone")
        expect(phone.text("#word-digits") == digits, f"{phone.text('#word-digits')} and {digits}")
        self.look(phone, "digits")
        # Looked at again, the same.
        front(laptop)
        laptop.reload()
        laptop.wait(shown("#digits"), "the digits again")
        expect(laptop.text("#digits") == digits, laptop.text("#digits"))
        tap(laptop, "#agree")
        laptop.wait(shown("#verdict.yes"), "to have agreed", 60)
        self.look(laptop, "agreed")
        front(phone)
        phone.wait(shown("#word-go"), "the other device's word", 60)
        self.look(phone, "word")
        tap(phone, "#word-go")
        expect(self.confirm(phone, offer) == digits, "the service's digits are others")
        asked = service.pay("customer 1")
        visit(phone, f"/wallet/approval#{asked['id']}", self.stage.url)
        phone.fill("#code", asked["code"])
        tap(phone, "#allow")
        phone.wait(shown("#verdict.yes"), "the answer", 60)
        expect(service.state(asked)["state"] == "approved", f"{service.state(asked)}")
        self.remove("Mary's phone")

    def remove(self, name):
        """The phone has no key for the service any more."""
        items = api(self.laptop, "GET", "/api/approvals/devices")[1]["items"]
        status, _ = api(self.laptop, "DELETE", f"/api/approvals/devices/{next(one['id'] for one in items if one['name'] == name)}")
        expect(status == 200, f"{status}")

    def again(self):
        """The phone asks again while the laptop compares: the laptop has to look again."""
        phone, laptop = self.phone, self.laptop
        offer = self.ask()
        self.open(offer)
        tap(laptop, "#claim")
        laptop.wait(shown("#digits"))
        front(phone)
        tap(phone, "#word-again")
        front(laptop)
        laptop.wait(shown("#claim"), "to look again", 60)
        laptop.see("has asked again", "#notices")
        # A device that gives up asks nobody any more.
        front(phone)
        tap(phone, "#word-give-up")
        phone.wait("location.pathname === '/wallet/approvals'", "the list")
        front(laptop)
        laptop.wait(shown("#verdict.unsure"), "nothing to wait", 60)

    def denied(self):
        """Denied on the laptop: the phone is told, and asks no more with this code. A third device, without a key, is told where."""
        phone, laptop = self.phone, self.laptop
        offer = self.ask()
        self.open(offer)
        tap(laptop, "#claim")
        laptop.wait(shown("#digits"))
        tap(laptop, "[data-step=compare] [data-act=deny]")
        laptop.wait(shown("#verdict.no"), "to have denied")
        self.look(laptop, "denied")
        front(phone)
        phone.wait(shown("#verdict.no"), "to be told", 60)
        expect("denied" in phone.text("#over-text"), phone.text("#over-text"))
        self.look(phone, "refused")
        expect(api(laptop, "GET", "/api/approvals/handovers")[1]["items"] == [], "it still waits")

    def elsewhere(self):
        """A browser without a key for the service says on which device to agree, and can deny."""
        offer = self.accept(self.laptop_as_new())
        phone = self.phone
        self.tablet.wait(shown("#word-where"), "to be told where", 60)
        expect(self.tablet.text("#word-where").startswith("Open Countersign on "), self.tablet.text("#word-where"))
        front(phone)
        visit(phone, f"/wallet/approvals/handover#{offer['id']}", self.stage.url)
        phone.wait(shown("#elsewhere"), "where to agree")
        expect(not phone.js(shown("#claim")), "the phone can agree without a key")
        self.look(phone, "elsewhere")
        tap(phone, "[data-step=read] [data-act=deny]")
        phone.wait(shown("#verdict.no"))
        front(self.tablet)
        self.tablet.wait(shown("#verdict.no"), "to be told", 60)

    def laptop_as_new(self):
        """A third device of the account."""
        self.tablet, phone = self.person("tablet"), self.phone
        self.phone = self.tablet
        self.add_device()
        self.phone = phone
        return self.tablet


def main():
    pictures = pictures_folder()
    case = Cases()
    with server() as stage, Chromium() as browser:
        handover = Handover(stage, browser, pictures)
        case("the first device needs no other", handover.first)
        case("a second one asks, is compared and agreed to, and answers", handover.agreed)
        case("it asks again, and gives up", handover.again)
        case("it is denied", handover.denied)
        case("a device without a key says where to agree, and denies", handover.elsewhere)
    return case.end()


if __name__ == "__main__":
    sys.exit(main())
