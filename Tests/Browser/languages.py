#!/usr/bin/env python3
"""Reads the pages of everybody in German and in Arabic, and changes the language in place.

    COUNTERSIGN=.build/debug/countersign languages.py [--pictures FOLDER] [WORDS OF A CASE ...]
"""

import sys
from pathlib import Path

from areas import SHIFTS
from attacks_stage import NO_WORKER, Cases, api, server, set_up, shown, tap
from chromium import Chromium, Failure
from looking import examine, pictures_folder, take_picture, ways

PAGES = ("/", "/help", "/privacy", "/verifiers", "/verify", "/sign-in", "/sign-up")
SIZES = ((390, 844), (1280, 900))
ROOT = "document.documentElement"
ROOT_FOLDER = Path(__file__).resolve().parent.parent.parent
# The name of the program and the links beside it share no point.
COVERED = """(() => {
    const [a, b] = ['.brand b', 'header nav'].map(selector => {
        const range = document.createRange();  // With what overflows its box.
        range.selectNodeContents(document.querySelector(selector));
        return range.getBoundingClientRect();
    });
    return a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
})()"""

# The words of header and bar that are cut off, or wider than their place.
CUT = """[...document.querySelectorAll('.brand b, .places > ul > li > a, .places summary, .who summary')].filter(e =>
    e.checkVisibility() && e.scrollWidth > e.clientWidth).map(e => e.innerText)"""

# Where the words of each entry of the account's menu begin, and how high the entries are that can be pressed.
ENTRIES = """(() => {
    const begins = [...document.querySelectorAll('.who .own, .who .menu :is(a, .button)')].map(entry => {
        const range = document.createRange();
        range.selectNodeContents(entry);
        const { left, right } = range.getBoundingClientRect();
        return Math.round(10 * (document.documentElement.dir === 'rtl' ? right : left)) / 10;
    });
    const heights = [...document.querySelectorAll('.who .menu :is(a, .button)')].map(entry => entry.getBoundingClientRect().height);
    return [begins, heights];
})()"""

# In how many lines the name of the program is, and whether all of it is seen.
NAME = """(name => {
    const range = document.createRange();
    range.selectNodeContents(name);
    return [range.getClientRects().length, name.scrollWidth <= name.clientWidth];
})(document.querySelector('.brand b'))"""


# At how many places the words of a card begin.
BEGINS = """new Set([...document.querySelectorAll('.card h2, .card dt, .card dt + dd:not(:has(.fingerprint))')].map(one => {
    const range = document.createRange();
    range.selectNodeContents(one);
    const boxes = [...range.getClientRects()];
    return Math.round(document.documentElement.dir === 'rtl' ? Math.max(...boxes.map(b => b.right)) : Math.min(...boxes.map(b => b.left)));
})).size"""


def visit(page, path, origin):
    """Opens a page of everybody, which has no state of its own to wait for."""
    page.goto("about:blank")
    page.goto(origin + path)
    page.wait("location.protocol.startsWith('http') && document.readyState === 'complete'", path, 30)


def same(found, wanted):
    if found != wanted:
        raise Failure(f"{found!r} instead of {wanted!r}")


class Languages:
    def __init__(self, stage, browser, pictures=None):
        self.stage, self.browser, self.pictures = stage, browser, pictures
        self.owner = owner = self.person("owner", 1280, 900)
        owner.has_biometrics()
        set_up(owner, stage, "University of Northport", "Grace Hopper", "grace")

    def person(self, name, width, height):
        person = self.browser.person(name, width=width, height=height, **({"mobile": True} if width < 400 else {}))
        for source in (NO_WORKER, SHIFTS):
            person.send("Page.addScriptToEvaluateOnNewDocument", source=source)
        return person

    def choose(self, page, code):
        page.js(f"""(() => {{ const chooser = document.querySelector('[data-language]');
            chooser.value = '{code}';
            chooser.dispatchEvent(new Event('change')); }})()""")
        page.wait(f"{ROOT}.lang === '{code}' && document.readyState === 'complete'", f"the page in {code}")

    def chooser(self):
        page = self.person("chooser", 1280, 900)
        visit(page, "/help#trust", self.stage.url)
        same(page.js(f"[{ROOT}.lang, {ROOT}.dir]"), ["en", "ltr"])
        for code, direction, title in (("de", "ltr", "Fragen und Antworten"), ("ar", "rtl", "أسئلة وأجوبة")):
            self.choose(page, code)
            same(page.js(f"[{ROOT}.dir, document.querySelector('h1').textContent, location.hash]"), [direction, title, "#trust"])
            same(page.js("document.querySelector('[data-language]').value"), code)
        self.choose(page, "en")
        # The mark that tells two meanings of the English apart is not shown.
        same(page.js("import('/assets/shell/translate.js').then(({ t }) => t`Open{#answer}`)"), "Open")

    def modules(self):
        page = self.person("modules", 1280, 900)
        visit(page, "/help", self.stage.url)
        self.choose(page, "de")
        tap(page, "[data-module]")
        page.wait(shown("#tutorial"), "the first round")
        same(page.js("document.querySelector('#tutorial h2').textContent"), "Ihre Schlüssel sind hier")
        same(page.js("document.querySelector('#tutorial .meta').textContent"), "1 von 5")
        # The server's English is shown in the page's language if the page has the text, and by its kind if not.
        same(page.js("import('/assets/shell/words.js').then(({ words }) => ['3 of 5', 'Sealed.'].map((detail) => words({ kind: 'gone', detail })))"),
             ["3 von 5", "Das ist vorbei: Es ist abgelaufen, verbraucht oder wurde beendet."])
        # Numbers by the forms that the language has.
        self.choose(page, "ar")
        same(page.js("import('/assets/shell/dom.js').then(({ bytes }) => [1, 2, 3, 11].map(bytes).map((t) => t.split(' ').pop()))"),
               ["واحد", "بايتان", "بايتات", "بايتًا"])
        # An address keeps its signs where they are, and digits are those of codes, in every region.
        same(page.js("import('/assets/shell/translate.js').then(({ t, locale }) => [t`${'a.example/'}`, (1234).toLocaleString(locale)])"),
             ["\u2068a.example/\u2069", "1,234"])
        # And a name that runs from right to left keeps them on every page.
        self.choose(page, "en")
        same(page.js("import('/assets/shell/translate.js').then(({ t }) => [t`${'عمر'}, ${7}`, t`${'Omar'}, ${7}`])"),
             ["\u2068عمر\u2069, 7", "Omar, 7"])
        self.choose(page, "ar")
        # A name that is sent has no such signs: servers refuse them.
        same(page.js("import('/assets/accounts/device-name.js').then(({ suggestedDeviceName }) => /[\\u2066-\\u2069]/.test(suggestedDeviceName()))"),
             False)
        same(page.js("import('/assets/shell/words.js').then(({ words }) => words({ kind: 'gone', detail: 'Gone.' }).length > 10)"), True)
        # The page's own findings are in its language already; the server's words are not.
        said = "import('/assets/shell/words.js').then(({ words }) => [0, 409].map(status => words({ kind: 'conflict', status, detail: 'هنا' })))"
        same([text == "هنا" for text in page.js(said)], [True, False])

    def account(self):
        """Chosen at the foot while signed in, and in the settings: the account keeps it, and the pages are in it at once."""
        page = self.owner
        visit(page, "/help", self.stage.url)
        self.choose(page, "de")
        same(api(page, "GET", "/api/sessions/current")[1]["language"], "de")
        visit(page, "/wallet/devices", self.stage.url)
        page.wait("document.querySelector('#own-language')?.value === 'de'", "the account's language")
        page.js("""(() => { const chooser = document.querySelector('#own-language');
            chooser.value = 'ar';
            chooser.dispatchEvent(new Event('change')); })()""")
        page.wait("document.cookie.includes('account-language=ar')", "the account's new language")
        visit(page, "/help", self.stage.url)
        same(page.js(f"[{ROOT}.lang, document.cookie.includes('language=de')]"), ["ar", True])
        # Without the session the browser's own choice is there again.
        same(api(page, "DELETE", "/api/sessions/current")[0], 204)
        visit(page, "/help", self.stage.url)
        same(page.js(f"{ROOT}.lang"), "de")

    def everywhere(self):
        """Pages beyond those of everybody are in the language too."""
        page = self.person("everywhere", 1280, 900)
        visit(page, "/help", self.stage.url)
        self.choose(page, "de")
        for path, title in (("/sign-in", "Anmelden"), ("/add-device", "Gerät hinzufügen")):
            visit(page, path, self.stage.url)
            same(page.js(f"[{ROOT}.lang, document.querySelector('[data-language]').value]"), ["de", "de"])
            same(page.js("document.title").split(" · ")[0], title)

    def room(self):
        """On a phone the words of the header and of the bar have room, in every language and for whoever has most places."""
        page = self.owner
        page.resize(360, 780, True)
        for code in ("de", "ar", "en"):
            visit(page, "/help", self.stage.url)
            self.choose(page, code)
            for path in ("/wallet", "/wallet/devices", "/console", "/desk"):
                visit(page, path, self.stage.url)
                page.wait("document.querySelector('.who [data-account]').textContent === 'grace'", "the session")
                page.settle()
                same([path, code, page.js(CUT)], [path, code, []])
        page.resize(1280, 900)

    def menu(self):
        """In the account's menu the words of a link and of a button begin at one place, on every screen."""
        page = self.owner
        for code in ("ar", "en"):
            visit(page, "/help", self.stage.url)
            self.choose(page, code)
            for width in (1280, 390, 320):
                page.resize(width, 844, width < 400)
                visit(page, "/wallet", self.stage.url)
                page.wait("document.querySelector('.who [data-account]').textContent === 'grace'", "the session")
                page.js("document.querySelector('.who').open = true")
                page.settle()
                begins, heights = page.js(ENTRIES)
                same([code, width, len(begins), len(set(begins)), len(heights), len(set(heights))], [code, width, 3, 1, 2, 1])
        page.resize(1280, 900)

    def edges(self):
        """From right to left, facts and tables begin at the right edge, and commands are read from their left."""
        page = self.owner
        page.resize(1280, 900)
        visit(page, "/help", self.stage.url)
        self.choose(page, "ar")
        visit(page, "/console/settings", self.stage.url)
        page.wait("!!document.querySelector('.facts dt')", "facts")
        same(page.js("""(dt => { const words = document.createRange(); words.selectNodeContents(dt);
            return Math.round(dt.closest('.facts').getBoundingClientRect().right - words.getBoundingClientRect().right); })
            (document.querySelector('.facts dt'))"""), 0)
        same(page.js("""(() => { const [table, row] = [document.createElement('table'), document.createElement('tr')];
            table.className = 'data';
            table.append(row);
            row.append(document.createElement('th'), document.createElement('td'));
            document.querySelector('main').append(table);
            const sides = [...row.children].map(e => getComputedStyle(e).paddingRight);
            table.remove();
            return sides; })()"""), ["0px", "0px"])
        visit(page, "/desk/settings", self.stage.url)
        page.wait("!!document.querySelector('pre')", "a command")
        same(page.js("getComputedStyle(document.querySelector('pre')).direction"), "ltr")
        visit(page, "/help", self.stage.url)
        self.choose(page, "en")

    def name(self):
        """The name of the program is in one line, and whole, on the narrowest screen."""
        page = self.person("narrow", 320, 640)
        for code in ("de", "ar", "en"):
            visit(page, "/help", self.stage.url)
            self.choose(page, code)
            for path in PAGES:
                visit(page, path, self.stage.url)
                page.settle()
                same([path, code, page.js(NAME)], [path, code, [1, True]])
        page.close()

    def begins(self):
        """In a card the titles, the labels and the values begin at one line, on both sides of the world."""
        page = self.person("begins", 390, 844)
        visit(page, "/help", self.stage.url)
        for code in ("ar", "en"):
            self.choose(page, code)
            visit(page, "/verifiers", self.stage.url)
            page.settle()
            same([code, page.js(BEGINS)], [code, 1])
        page.close()

    def one_file(self):
        """The verify page from a disk: in the browser's language, or in the one that is chosen there."""
        file = (ROOT_FOLDER / "Web/verification/countersign-verify.html").as_uri()
        said = "[...document.querySelectorAll('h1, #giving .title, #trust h2')].map(one => one.textContent)"
        page = self.person("one file", 390, 844)
        texts = {}
        for code, direction in (("en", "ltr"), ("de", "ltr"), ("ar", "rtl")):
            page.goto("about:blank")
            page.goto(f"{file}?language={code}")
            page.wait(f"document.querySelector('#language')?.value === '{code}'", f"the page in {code}")
            same(page.js(f"[{ROOT}.lang, {ROOT}.dir || 'ltr', document.querySelectorAll('h1').length]"), [code, direction, 1])
            texts[code] = page.js(said)
            examine(page, f"the one file in {code}")
            if self.pictures:
                take_picture(page, self.pictures / f"one-file-{code}.png")
        same(len({tuple(some) for some in texts.values()}), 3)
        same(texts["de"][0], "Dokument prüfen")
        # Modules speak the language too, and the chooser leads to another.
        page.goto(f"{file}?language=ar")
        page.wait("document.querySelector('#language')?.value === 'ar'", "the page in Arabic")
        page.js("""(() => { const chooser = document.querySelector('#language');
            chooser.value = 'de';
            chooser.dispatchEvent(new Event('change')); })()""")
        page.wait(f"{ROOT}.lang === 'de' && document.querySelector('#language')?.value === 'de'", "the page in German")
        page.js("document.querySelector('#pasting').open = true")
        page.fill("#pasted", "nothing of ours")
        tap(page, "#paste .button")
        page.see("Das ist keine Countersign-Datei", "#verdict-title")

    def looked_at(self):
        for code in ("de", "ar"):
            for width, height in SIZES:
                page = self.person(f"{code} {width}", width, height)
                visit(page, "/help", self.stage.url)
                self.choose(page, code)
                for path in PAGES:
                    looked = ways(f"{path} {code}", tuple(width for width, _ in SIZES), every=self.pictures)
                    for scheme in (scheme for one, scheme in looked if one == width):
                        page.send("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": scheme}])
                        visit(page, path, self.stage.url)
                        same(page.js(f"{ROOT}.lang"), code)
                        examine(page, f"{path} in {code} at {width}")
                        if page.js(COVERED):
                            raise Failure(f"{path} in {code} at {width}: the name is under the links")
                        if self.pictures:
                            name = path.strip("/") or "landing"
                            take_picture(page, self.pictures / f"{name}-{code}-{width}-{scheme}.png")
                    shift = page.js("self.__shift")
                    if shift >= 0.05:
                        raise Failure(f"{path} in {code} moves by {shift}: {page.js('self.__moved')}")


def main():
    pictures = pictures_folder()
    case = Cases()
    with server() as stage, Chromium() as browser:
        languages = Languages(stage, browser, pictures)
        case("the language changes in place, and the page stays", languages.chooser)
        case("what modules say is in the language of the page, with its plurals", languages.modules)
        case("the words of header and bar have room on a phone", languages.room)
        case("the entries of the account's menu begin at one place", languages.menu)
        case("from right to left, facts and tables begin at the right edge", languages.edges)
        case("the name of the program is in one line on the narrowest screen", languages.name)
        case("titles, labels and values of a card begin at one line", languages.begins)
        case("an account keeps its language, and the browser has its own again afterwards", languages.account)
        case("pages that are not of everybody are in the language too", languages.everywhere)
        case("the verify page as one file is in every language, and changes it", languages.one_file)
        case("every page holds in German and Arabic, on phone and desktop, light and dark", languages.looked_at)
    return case.end()


if __name__ == "__main__":
    sys.exit(main())
