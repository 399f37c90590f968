"""How texts of the desk are laid out: logo and name, alignment, page breaks, and the place of the signature."""

import base64
import json
import subprocess

from attacks_stage import api, expect, front, shown, tap, visit

LOGO = ("<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 80 30'><rect width='80' height='30' rx='4' fill='#0a6655'/>"
        "<path d='M15 7v16M7 15h16' stroke='#fff' stroke-width='5'/><path d='M34 11h36M34 19h24' stroke='#fff' stroke-width='3'/></svg>")


class DeskLayout:
    """With `operator`, `owner`, `folder`, `stage`; after a client is registered."""

    def tool(self, page, menu, command):
        tap(page, f"details.tool-menu:has({command}) > summary")
        tap(page, command)

    def placed(self):
        """Written with the editor, signed, and printed: the signature is where the text has its place."""
        front(self.owner)
        logo = base64.urlsafe_b64encode(LOGO.encode()).decode().rstrip("=")
        status, face = api(self.owner, "PUT", "/api/organisation/face", {"logo": logo, "imprint": {}})
        expect(status == 200 and face["logo"], f"{status} {face}")
        page = self.operator
        front(page)
        self.laid_out(page)
        visit(page, f"/desk/document#{self.laid}", self.stage.url)
        page.wait("document.querySelector('#letterhead img')?.naturalWidth > 10", "the logo above the text", 30)
        self.look(page, "editor with a layout", "8-layout")
        tap(page, "#preview")
        page.wait("document.querySelector('dialog.preview header img')?.naturalWidth > 10", "the logo in the preview", 30)
        page.click('"Close"')
        self.sign(self.movements.genuine[12], "Loan with a place")
        tap(page, "#confirm")
        page.wait(shown("[data-step=done]"), "the transaction to be done", 30)
        signing = self.latest()
        expect(signing["state"] == "confirmed", f"{signing}")
        self.printed(page, signing)
        front(self.owner)
        report = self.get(f"/api/signings/{signing['id']}/report.html").decode()
        expect("</svg></figure><p class=\"signature\">" in report, "the report does not have the signature at its place")

    def laid_out(self, page):
        visit(page, "/desk/document#new", self.stage.url)
        page.wait(shown("#text"), "the editor")
        page.fill("#name", "Loan with a place")
        tap(page, "#text")
        page.choose("#level", "1")
        page.send("Input.insertText", text="Loan agreement")
        self.tool(page, "Layout", '[data-command="align"][data-value="centre"]')
        page.press("Enter")
        page.send("Input.insertText", text="Between us.")
        self.tool(page, "Layout", '[data-command="page-break"]')
        page.send("Input.insertText", text="On the second page.")
        self.tool(page, "Layout", '[data-command="signature"]')
        # A text has one place: another time changes nothing.
        self.tool(page, "Layout", '[data-command="signature"]')
        page.js("""(() => { const last = document.querySelector('#text').lastElementChild;
            getSelection().setBaseAndExtent(last, 0, last, 0); })()""")
        page.send("Input.insertText", text="After the signature.")
        tap(page, "#letterhead-on")
        tap(page, "#save")
        page.wait("location.hash.length > 10 && !location.hash.includes('new')", "to be saved", 30)
        self.laid = page.js("location.hash.slice(1)")
        text = json.loads(api(page, "GET", f"/api/workspace/{self.laid}")[1]["text"])
        expect(text == {"format": "countersign-text-2", "header": True, "blocks": [
            {"kind": "heading", "level": 1, "runs": [{"text": "Loan agreement"}], "align": "centre"},
            {"kind": "paragraph", "runs": [{"text": "Between us."}]}, {"kind": "page-break"},
            {"kind": "paragraph", "runs": [{"text": "On the second page."}]},
            {"kind": "signature", "runs": [{"text": "Signature of the client"}]},
            {"kind": "paragraph", "runs": [{"text": "After the signature."}]}]}, f"{text}")

    def printed(self, page, signing):
        visit(page, f"/desk/copy#{signing['id']}", self.stage.url)
        page.wait("!document.querySelector('#print')?.disabled && " + shown("#content"), "the copy to be ready", 30)
        page.wait("document.querySelector('#paper header img').naturalWidth > 10", "the logo in the copy", 30)
        expect(page.js("document.querySelector('#paper .signature').previousElementSibling.id") == "signed", "another place")
        page.wait("document.querySelector('#signature img').naturalWidth > 100", "the signature", 30)
        self.look(page, "copy with a place", "9-copy-layout")
        path = self.folder / "laid-out.pdf"
        path.write_bytes(base64.b64decode(page.send("Page.printToPDF")["data"]))
        text = subprocess.run(["pdftotext", "-layout", path, "-"], capture_output=True, text=True, check=True).stdout
        pages = text.split("\f")
        expect(len(pages) == 4 and "Loan agreement" in pages[0] and "Evidence" in pages[2], f"{len(pages)}: {text}")
        order = [pages[1].find(words) for words in ("On the second page.", "Lovelace", "Signature of the client", "After the signature.")]
        expect(order == sorted(order) and order[0] >= 0, f"{order}: {pages[1]}")
