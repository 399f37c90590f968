"""What the organisation asks of its clients beyond name and number: settings, registration, the client's page, texts."""

import base64
import json

from attacks_stage import api, expect, front, shown, tap, visit

PHONE = "+49 30 1234567"


class DeskFields:
    """What the organisation asks of clients, with `operator`, `owner`, `stage`."""

    def asked(self):
        """The main administrator adds, moves, removes and takes back fields in the settings."""
        page = self.owner
        front(page)
        visit(page, "/desk/settings", self.stage.url)
        page.wait(shown("#add-field"), "the fields")
        for label, kind, more in (("Plan", "choice", "Basic\nGold"), ("Telephone", "text", None)):
            tap(page, "#add-field")
            page.fill("#field-label", label)
            page.choose("#field-kind", kind)
            if more:
                tap(page, "#field-yes")
                page.see("Write 2 to 20 choices", "#field-choices-error", 30)
                page.fill("#field-choices", more)
            else:
                tap(page, "#field-required")
            if more:
                self.look(page, "asking for a field", "10-field")
            tap(page, "#field-yes")
            page.wait("!document.querySelector('#field-dialog').open", "the field to be added", 30)
        tap(page, "[data-act=raise]:not([hidden])")
        labels = "[...document.querySelectorAll('#field-list .title')].map(one => one.textContent).join()"
        page.wait(f"{labels} === 'Telephone,Plan'", "the other order", 30)
        tap(page, "[data-act=remove]")
        page.wait(f"{labels} === 'Plan'", "the field to be removed", 30)
        page.click('"Undo"')
        page.wait(f"{labels} === 'Telephone,Plan'", "the field again", 30)
        self.look(page, "what is asked", "11-fields")
        self.fields = api(self.operator, "GET", "/api/desk/fields")[1]["fields"]

    def fill_fields(self, page):
        """In the form of a registration: what is required is asked for."""
        tap(page, "#next")
        page.see("Fill in “Telephone”.", "#own-fields", 30)
        page.fill("#own-fields input", PHONE)
        page.choose("#own-fields select", "Gold")

    def in_text(self):
        """After `enrolled`: on the client's page, where it is changed, and in a text."""
        page = self.operator
        front(page)
        visit(page, f"/desk/client#{self.client}", self.stage.url)
        page.see(PHONE, "#facts", 30)
        tap(page, "#fields-part summary")
        tap(page, "#change-fields")
        page.wait("document.querySelector('#fields-dialog')?.open", "the dialog")
        self.look(page, "the fields of a client", "12-client-fields")
        page.choose("#fields-place select", "Basic")
        tap(page, "#fields-yes")
        page.see("Basic", "#facts", 30)
        # The history says which fields, and not what is in them.
        page.see("Fields changed", "#history", 30)
        changed = page.text("#history")
        expect("Plan" in changed and "by Otto Operator" in changed and "Basic" not in changed, changed)
        visit(page, "/desk/document#new", self.stage.url)
        page.wait(shown("#text"), "the editor")
        page.fill("#name", "Call back")
        tap(page, "#text")
        page.send("Input.insertText", text="We call ")
        tap(page, "details.tool-menu:has(#fields) > summary")
        page.js("[...document.querySelectorAll('#fields button')].find(one => one.textContent === 'Telephone').click()")
        page.send("Input.insertText", text=".")
        tap(page, "#save")
        page.wait("location.hash.length > 10 && !location.hash.includes('new')", "to be saved", 30)
        page.reload()
        page.see("Telephone", "#text", 30)
        path = f"/api/workspace/{page.js('location.hash.slice(1)')}"
        text = json.loads(api(page, "GET", path)[1]["text"])
        expect(text["blocks"][0]["runs"][1] == {"field": f"custom:{self.fields[0]['id']}"}, f"{text}")
        rendering = api(page, "POST", f"{path}/rendering", {"client": self.client})[1]
        made = base64.urlsafe_b64decode(rendering["content"] + "==").decode()
        expect(f"<p>We call {PHONE}.</p>" in made, made)
        expect(api(page, "DELETE", path)[0] == 204, "the template stays")
