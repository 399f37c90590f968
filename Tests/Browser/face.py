#!/usr/bin/env python3
"""Gives the organisation a logo, a colour and an imprint, looks for them everywhere, and for where they must not be.

    COUNTERSIGN=.build/debug/countersign face.py [--pictures FOLDER] [WORDS OF A CASE ...]
"""

import struct
import sys
import tempfile
import zlib
from pathlib import Path

from attacks_stage import NO_WORKER, Cases, api, appoint, expect, mistakes, server, set_up, shown, sign_up, tap, visit
from chromium import Chromium
from looking import examine, pictures_folder, take_picture

SVG = """<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 120 40"><script>self.ran = 1</script>
<rect width="120" height="40" rx="6" fill="#7a1f3d" onload="self.ran = 1"/><circle cx="20" cy="20" r="12" fill="#fff"/>
<text x="40" y="27" font-size="20" fill="#fff">North</text></svg>"""
ACCENT = "rgb(178, 69, 66)"
LOGO = "(one => one.getAttribute('src') ?? one.getAttribute('href'))(document.querySelector('header.site .brand :is(img, use)'))"
# Every colour and picture of an element and what is in it.
LOOKS = """(selector => [...document.querySelectorAll(selector)].flatMap(top => [top, ...top.querySelectorAll('*')])
    .flatMap(e => ['', '::before', '::after'].map(part => [e.tagName, ...['color', 'backgroundColor', 'borderTopColor',
        'boxShadow', 'outlineColor', 'backgroundImage', 'fill', 'textDecorationColor'].map(name => getComputedStyle(e, part || null)[name]),
        e.getAttribute('src') ?? ''].join(' '))))"""


def png(width, height):
    def chunk(name, data):
        return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))
    rows = b"".join(b"\0" + bytes((30, 90, 160)) * width for _ in range(height))
    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0))
            + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b""))


class Faces:
    def __init__(self, stage, browser, pictures=None):
        self.stage, self.browser, self.pictures = stage, browser, pictures
        self.folder = Path(tempfile.mkdtemp())

    def person(self, name):
        person = self.browser.person(name, width=1280, height=900)
        person.send("Page.addScriptToEvaluateOnNewDocument", source=NO_WORKER)
        person.has_biometrics()
        return person

    def file(self, name, content):
        path = self.folder / name
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return str(path)

    def set_up(self):
        self.owner, self.admin, self.ada = self.person("owner"), self.person("administrator"), self.person("ada")
        set_up(self.owner, self.stage, "University of Northport", "Grace Hopper", "grace")
        appoint(self.owner, self.admin, self.stage, "Anna Administrator", "anna")
        sign_up(self.ada, self.stage, "ada")

    def settings(self, person=None):
        page = person or self.owner
        page.send("Page.bringToFront")
        visit(page, "/console/settings", self.stage.url)
        return page

    def others(self):
        page = self.settings(self.admin)
        expect(not page.js(shown("#face")), "an administrator may change the face")
        status, _ = api(page, "PUT", "/api/organisation/face", {"imprint": {}})
        expect(status == 403, f"{status}")

    def hard_to_see(self):
        page = self.settings()
        page.wait(shown("#face"), "the form")
        expect(page.js("document.querySelector('#face-save').disabled"), "there is nothing to save")
        page.fill("#accent", "#ffff00")
        page.wait(shown("#face-nearest"), "the nearest that holds")
        # A person who types does not lose the focus; a person who saves hears of it.
        expect(page.js("document.activeElement.id") == "accent", "the focus is lost")
        tap(page, "#face-save")
        page.wait(shown("#face-form .error-summary"), "the summary")
        expect(page.text(".error-summary h2") == "There is a problem", page.text(".error-summary h2"))
        page.wait(shown("#face-nearest"), "the nearest that holds")
        expect("hard to see" in page.text("#accent-error"), page.text("#accent-error"))
        nearest = page.text("#face-nearest").split()[-1]
        examine(page, "a colour that is hard to see")
        tap(page, "#face-nearest")
        page.wait("document.querySelector('#accent-error').textContent === ''", "that it holds")
        expect(page.js("document.querySelector('#accent').value") == nearest, "another colour")
        page.fill("#accent", "yellow")
        page.wait("document.querySelector('#accent-error').textContent.includes('#rrggbb')", "how it is written")
        expect(api(page, "GET", "/api/organisation/face")[1]["imprint"] == {}, "it is stored")

    def several(self):
        """All that is wrong is said at once, and goes field by field; the server's words for one at a time."""
        page = self.settings()
        page.wait(shown("#face"), "the form")
        page.fill("#organisation", "")
        page.fill("#accent", "yellow")
        page.upload("#logo", self.file("page.png", "<html></html>"))
        page.wait(shown("#logo-error"), "what is wrong with the logo")
        expect(not page.js(shown("#face-form .error-summary")), "the summary takes the focus of somebody who types")
        tap(page, "#face-save")
        page.wait(shown("#face-form .error-summary"), "the summary")
        found = mistakes(page, "#face-form")
        expect(len(found) == 3, f"{found}")
        page.fill("#organisation", "University of Northport")
        expect(len(mistakes(page, "#face-form")) == 2, "the words stay while one types")
        # The server has looked again: what was not changed is still wrong, in both places.
        page.settle()
        page.js("new Promise(done => setTimeout(done, 600))")
        page.settle()
        expect(len(mistakes(page, "#face-form")) == 2, "the summary forgets what is still wrong")
        page.js("(e => { e.value = '#00503c'; e.dispatchEvent(new Event('input', {bubbles: true})); })(document.querySelector('#accent-picker'))")
        expect(len(mistakes(page, "#face-form")) == 1, "a colour that is picked is not the one that was wrong")
        tap(page, "#logo-remove")
        expect(mistakes(page, "#face-form") == [], "the logo that was taken back is still wrong")

    def bad_files(self):
        page = self.settings()
        for name, content, words in (
            ("page.png", "<html><script>alert(1)</script></html>", "PNG or SVG"),
            ("cut.png", png(9, 9)[:-30], "damaged"), ("wide.png", png(2049, 1), "2048 pixels"),
            ("large.png", b"\x89PNG\r\n\x1a\n" + bytes(140_000), "128 KiB"),
            ("bomb.svg", "<!DOCTYPE svg [<!ENTITY a 'aaaa'>]><svg viewBox='0 0 9 9'><text>&a;</text></svg>", "entities"),
            ("huge.svg", "<svg viewBox='0 0 1e9 1e9'><rect width='9'/></svg>", "no size"),
        ):
            page.upload("#logo", self.file(name, content))
            page.wait(f"document.querySelector('#logo-error').textContent.includes('{words}')", f"what is wrong with {name}")
            page.js("document.querySelector('#logo').dispatchEvent(new Event('input', {bubbles: true}))")
        examine(page, "a file that is no logo")

    def saved(self):
        page = self.settings()
        page.upload("#logo", self.file("logo.svg", SVG))
        page.wait("document.querySelector('#logo-facts').textContent.includes('onload, script')", "what was left out")
        page.wait("[...document.querySelectorAll('#face-preview img')].every(e => e.src.startsWith('blob:') && e.naturalWidth > 0)",
                  "the logo in the preview")
        page.fill("#accent", "#b24542")
        page.fill("#contact", "mailto:office@northport.example")
        page.fill("#legal-notice", "University of Northport\n1 Quay Street <b>Northport</b>")
        page.wait(f"getComputedStyle(document.querySelector('[data-sample]')).backgroundColor === '{ACCENT}'", "the colour")
        expect("#mark" in page.js(LOGO), "it shows before it is saved")
        self.pictured(page, "settings")
        page.wait("!document.querySelector('#face-save').disabled")
        tap(page, "#face-save")
        page.see("Saved.", "#notices")
        expect(not page.js("self.ran"), "a script of the logo ran")

    def everywhere(self):
        for page, path in (
            (self.owner, "/console/members"), (self.ada, "/wallet"), (self.ada, "/"), (self.ada, "/verify"),
            (self.ada, "/imprint"), (self.ada, "/nowhere"),
        ):
            page.send("Page.bringToFront")
            page.goto(self.stage.url + path)
            page.wait("document.querySelector('.brand img.logo')?.naturalWidth > 0", f"the logo on {path}")
            expect(page.js("getComputedStyle(document.querySelector('header.site')).borderTopColor") == ACCENT, f"{path}: the colour")
            contact = "document.querySelector('footer a[href=\"mailto:office@northport.example\"]')?.textContent"
            expect(page.js(contact) == "Contact", f"{path}: the imprint")
            if path not in ("/wallet", "/console/members"):
                examine(page, path)
            self.pictured(page, path.strip("/").replace("/", "-") or "landing")
        self.ada.goto(self.stage.url + "/imprint")
        expect("<b>Northport</b>" in self.ada.text("#legal-notice"), "the legal notice is not as it was written")

    def verdict(self):
        """What says whether something is genuine has neither logo nor colour, whatever it says."""
        page = self.ada
        page.goto(self.stage.url + "/verify")
        page.upload("#file-input", self.file("forged.countersign", "no file of ours"))
        page.wait(shown("#verdict"), "a verdict")
        # A row of each kind, which a file that is none of ours has not.
        page.js("""(() => { for (const [list, row] of [['answers', 'answer'], ['checks', 'check']])
            for (const result of ['passed', 'failed', 'unknown']) {
                const made = document.getElementById(row).content.firstElementChild.cloneNode(true);
                made.dataset.result = result;
                document.getElementById(list).append(made);
            } })()""")
        for kind in ("yes", "no", "unsure", ""):
            # Every part that a verdict may have, as it would look.
            page.js(f"""(() => {{ document.querySelector('#verdict').className = 'verdict {kind}';
                for (const e of document.querySelectorAll('#result [hidden]')) e.hidden = false; }})()""")
            looks = page.js(LOOKS + "('#result')")
            expect(len(looks) > 60, f"{len(looks)} looks")
            bad = [look for look in looks if ACCENT in look or "/organisation/" in look or look.startswith("IMG")]
            expect(not bad, f"{kind}: {bad[:3]}")
        expect(page.js("document.querySelector('#result .primary') !== null"), "no main button to look at")
        # The same colour is on the page, so that this would be seen.
        expect(any(ACCENT in look for look in page.js(LOOKS + "('header.site')")), "the colour is nowhere")
        self.pictured(page, "verdict")

    def opened(self):
        """The logo by itself, as somebody opens it in a tab."""
        page = self.ada
        page.goto(self.stage.url + "/organisation/logo")
        page.wait("document.documentElement.localName === 'svg'", "the picture")
        expect(page.js("self.origin") == "null", "it has the organisation's origin")
        expect(page.js("document.querySelectorAll('script, [onload]').length") == 0, "it has a script")

    def taken_back(self):
        page = self.settings()
        tap(page, "#logo-remove")
        page.fill("#contact", "")
        page.wait("!document.querySelector('#face-save').disabled")
        page.wait("document.querySelector('#face-preview img').src.endsWith('mark.svg')", "the preview without it")
        tap(page, "#face-save")
        page.see("Saved.", "#notices")
        after = api(page, "GET", "/api/organisation/face")[1]
        expect("logo" not in after and "contact" not in after["imprint"] and after["accent"] == "#b24542", f"{after}")
        page.click('"Undo"')
        page.see("The organisation looks as before.", "#notices")
        back = api(page, "GET", "/api/organisation/face")[1]
        expect(back["logo"]["media_type"] == "image/svg+xml" and back["imprint"]["contact"].startswith("mailto:"), f"{back}")

    def picture_of_pixels(self):
        page = self.settings()
        page.upload("#logo", self.file("logo.png", png(400, 100)))
        page.wait("document.querySelector('#logo-facts').textContent.startsWith('400 × 100')", "its size")
        tap(page, "#face-save")
        page.see("Saved.", "#notices")
        page.goto(self.stage.url + "/")
        page.wait("document.querySelector('.brand img.logo')?.naturalWidth === 400", "the picture")
        for width in (360, 390):
            page.resize(width, 844, True)
            examine(page, f"a wide logo at {width} px")
            over = page.js("(e => e.scrollWidth - e.clientWidth)(document.querySelector('header.site .brand'))")
            expect(over <= 0, f"{width} px: the brand runs {over} px into the links")
        page.resize(1280, 900)

    def no_complaints(self):
        # The pages that were refused on purpose say so.
        bad = [f"{page.name}: {line}" for page in (self.owner, self.admin, self.ada) for line in page.complaints
               if not any(status in line for status in ("403", "404", "413", "422"))]
        expect(not bad, "\n".join(bad))

    def pictured(self, page, name):
        if not self.pictures:
            return
        for width in (390, 1280):
            for scheme in ("light", "dark"):
                page.scheme(scheme, "reduce")
                page.resize(width, 900, width == 390)
                page.viewport = {"width": width, "height": 900}
                take_picture(page, self.pictures / f"{name}-{width}-{scheme}.png", 2400 if name == "settings" else None)
        page.scheme("light")
        page.resize(1280, 900)
        page.viewport = {"width": 1280, "height": 900}


def main():
    pictures = pictures_folder()
    case = Cases()
    with server() as stage, Chromium() as browser:
        faces = Faces(stage, browser, pictures)
        faces.set_up()
        case("an administrator changes nothing", faces.others)
        case("a colour that is hard to see is refused, and the nearest that holds offered", faces.hard_to_see)
        case("all that is wrong is said at once", faces.several)
        case("files that are no logo say why", faces.bad_files)
        case("a logo, a colour and an imprint are seen before they are saved", faces.saved)
        case("they are on every page", faces.everywhere)
        case("a verdict has neither logo nor colour", faces.verdict)
        case("a logo that is opened by itself can do nothing", faces.opened)
        case("a change is taken back", faces.taken_back)
        case("a PNG is a logo too", faces.picture_of_pixels)
        case("no uncaught exception and no violation of a policy", faces.no_complaints)
    return case.end()


if __name__ == "__main__":
    sys.exit(main())
