"""Signing on a phone: the operator's page shows a code, the phone reads the document and signs, and the desk goes on."""

import json

from attacks_stage import api, expect, front, posted, shown, tap, until
from looking import examine

CONTRACT = "Long contract"
TEXT = {"format": "countersign-text-1", "blocks": [
    {"kind": "heading", "level": 1, "runs": [{"text": "A long contract"}]},
    {"kind": "paragraph", "runs": [{"text": "I, "}, {"field": "given_name"}, {"text": " "}, {"field": "family_name"},
                                   {"text": ", agree."}]},
    *({"kind": "paragraph", "runs": [{"text": f"Clause {number}."}]} for number in range(60))]}


class DeskPhone:
    """With `operator`, `stage`, `movements`, `pictures`; after a client is registered who signs with a pen."""

    def phone(self):
        page = self.operator
        front(page)
        status, made = api(page, "POST", "/api/workspace", {"name": CONTRACT, "text": json.dumps(TEXT)})
        expect(status == 201, f"{status} {made}")
        before = [one["id"] for one in api(page, "GET", "/api/signings")[1]["items"]]
        self.read(CONTRACT)
        tap(page, "#begin")
        page.wait(shown("dialog.signing canvas"), "the field")
        tap(page, '"Sign on a phone"')
        first = self.address()
        page.see("Waiting for the phone", ".signing-phone", 30)
        examine(page, "a code for a phone")
        # A finger on the phone is not what the client enrolled with: nothing is recorded, and the desk offers another code.
        phone = self.person("phone")
        phone.resize(390, 844, True)
        self.sign_there(phone, first, "touch")
        front(page)
        page.see("Show a new code for it", ".signing-phone", 30)
        expect(not page.js(shown(".signing-phone .qr")), "a code that was used is still shown")
        expect([one["id"] for one in api(page, "GET", "/api/signings")[1]["items"]] == before, "a transaction is recorded")
        tap(page, '"Show a new code"')
        second = self.address(other=first)
        # The first one is of no use any more.
        front(phone)
        open_address(phone, first)
        phone.see("Nobody knows this code", "main", 30)
        self.sign_there(phone, second, "pen")
        front(page)
        self.compared()
        expect(not page.js(shown("dialog.signing")), "the code is still shown")
        found = self.latest()
        expect(found["id"] not in before and found["state"] == "pending" and found["document_name"] == CONTRACT, f"{found}")
        # What the phone wrote, and nothing else, is what was compared.
        written, sent = (json.loads(posted(one, path)[-1]) for one, path in (
            (phone, "/api/handover/captures"), (page, "/api/signings")))
        expect(sent["capture"] == written["captures"][0] and sent["device"] == written["device"], "another signature was sent")
        # The desk has them, and lets the server forget both.
        handovers = {r["url"].removeprefix(self.stage.url) for r in page.requests if "/api/handovers/" in r["url"]}
        expect(len(handovers) == 2, f"{handovers}")
        for path in handovers:
            until(lambda: api(page, "GET", path)[0] == 404, f"{path} to be forgotten", 30)
        tap(page, "#confirm")
        page.wait(shown("[data-step=done]"), "the transaction to be done", 30)
        expect(self.latest()["state"] == "confirmed", f"{self.latest()}")

    def address(self, other=""):
        """What the code says that the operator's page shows, once it shows another one than before."""
        text = "document.querySelector('#signing-address').textContent"
        self.operator.wait(f"{shown('.signing-phone .qr')} && {text} && {text} !== {json.dumps(other)}", "a code", 30)
        self.operator.wait("document.querySelector('.signing-phone .qr').childElementCount > 0", "the code to be drawn", 30)
        return self.operator.js(text)

    def sign_there(self, phone, address, tool):
        """Opens what the code says, reads the document to its end, and signs."""
        front(phone)
        open_address(phone, address)
        phone.see(CONTRACT, "main", 30)
        self.read_through(phone)
        self.operator.wait("document.querySelector('.signing-phone').innerText.includes('The phone has opened it')", "the desk to know", 30)
        tap(phone, "#begin")
        self.sign_on_pad(phone, self.movements.genuine[11], picture="6-phone" if tool == "pen" else None, tool=tool)
        phone.see("Done", "main", 30)

    def read_through(self, phone):
        """The document is longer than the screen of a phone: signing waits for its end."""
        frame = "document.querySelector('#document-view iframe')"
        phone.wait(f"{frame}?.contentDocument?.body?.innerText.includes('Augusta')", "the document, with the client's name", 30)
        expect(phone.js("document.querySelector('#begin').disabled"), "signing begins before the document was read")
        phone.see("Read the document to its end", "#unread")
        examine(phone, "a phone that reads")
        if self.pictures:
            self.take(phone, "6-phone-reads")
        expect(phone.js(f"{frame}.getAttribute('sandbox')") == "allow-same-origin", "scripts may run in it")
        phone.js(f"{frame}.contentWindow.scrollTo(0, 1e6)")
        phone.wait("!document.querySelector('#begin').disabled", "signing to begin", 30)


def open_address(page, address):
    """As scanning does: a page of its own, also when only the code differs."""
    page.goto("about:blank")
    page.goto(address)
