"""What a walk is made of: numbered steps that are timed, people whose actions are counted, and what holds throughout.

An action is a click, a field that is filled, a file that is chosen, a link that is opened, or a biometric.
"""

import base64
import json
import secrets
import shutil
import tempfile
import time
from pathlib import Path
from urllib.parse import unquote

from chromium import IN_SIGHT, Failure
from looking import examine, take_picture, ways

WALKTHROUGH = Path(__file__).resolve().parent.parent.parent / "docs" / "walkthrough.md"
WIDE = {"width": 1280, "height": 900}
PHONE = {"width": 390, "height": 844, "mobile": True}


class Walk:
    """One walk: its people, its steps, and what it saw."""

    def __init__(self, browser, server, pictures=None, width=None, scheme=None):
        self.browser, self.server, self.pictures = browser, server, pictures
        # Everybody has a screen of this width, and likes this scheme, if one is given: pages are looked at only so.
        self.width, self.scheme, self.wanted = width, scheme or "light", scheme
        self.homes = {}  # of people who are at a server of their own
        self.started, self.number, self.counts, self.chapter = time.monotonic(), 0, {}, None
        self.people, self.seen, self.looks, self.shots = {}, set(), 0, 0
        self.folder = Path(tempfile.mkdtemp(prefix="countersign-walk-files-"))
        self.facts = {}

    def person(self, name, **viewport):
        """Somebody new, in a context that shares nothing with the others'."""
        if self.width:
            viewport = PHONE if self.width == PHONE["width"] else WIDE
        self.people[name] = person = self.browser.person(name, **(viewport or WIDE))
        person.send("Page.addScriptToEvaluateOnNewDocument", source=IN_SIGHT)
        if self.scheme != "light":
            person.scheme(self.scheme)
        return person

    def step(self, title, act):
        """Does one step; what people do meanwhile is counted for it."""
        self.number += 1
        before = {name: self.actions(name) for name in self.people}
        looked, began = self.looks, time.monotonic()
        print(f"{self.number:3}. {title} ", end="", flush=True)
        act(self)
        for name in self.people:
            done = self.actions(name) - before.get(name, 0)
            if done:
                self.counts.setdefault((self.chapter, name), []).append((self.number, title, done))
        self.check_pages()
        pages = f", {self.looks - looked} looks" if self.looks > looked else ""
        print(f"({time.monotonic() - began:.1f} s{pages})", flush=True)

    def actions(self, name):
        person = self.people[name]
        return person.actions + person.biometrics

    def at_most(self, person, most, needed, what):
        """Fails if somebody needed more actions than people should."""
        if needed > most:
            raise Failure(f"{person.name} needed {needed} actions, {what}: more than {most}")

    def look(self, page, name, picture=None, height=None):
        """Everything that must hold of a page as it stands: narrow and wide, light or dark."""
        page.wait("document.readyState === 'complete' && document.styleSheets.length > 0", "the page and its style")
        if name not in self.seen:
            self.seen.add(name)
            language = page.js("document.documentElement.lang")
            if language != self.language:
                raise Failure(f"{name} is in the language {language}")
            for width, scheme in ways(name, (self.width,) if self.width else (390, 1280)):
                page.resize(width, 900, width == 390)
                page.scheme(self.wanted or scheme, "reduce")
                examine(page, f"{name}, {width} px, {self.wanted or scheme}")
                self.looks += 1
        page.scheme(self.scheme)
        if picture and self.pictures:
            take_picture(page, Path(self.pictures, f"walk-{picture}.png"), height)
            self.shots += 1
        page.resize(**page.viewport)

    def check_pages(self):
        for page in self.browser.all_pages:
            found = page.violations() if hasattr(page, "violations") else page.complaints
            lost = [f"{answer['status']} {answer['url']}" for answer in list(page.responses.values())
                    if answer["status"] >= 400 and "/assets/" in answer["url"]]
            if found or lost:
                raise Failure(f"{page.name}: {found + lost}")

    @property
    def language(self):
        return self.browser.wording.language if self.browser.wording else "en"

    def close(self):
        shutil.rmtree(self.folder, ignore_errors=True)

    def print_counts(self):
        """How much each person had to do, chapter by chapter."""
        for chapter in dict.fromkeys(chapter for chapter, _ in self.counts):
            print(f"\nactions, {chapter}:")
            for (other, name), steps in self.counts.items():
                if other == chapter:
                    parts = ", ".join(f"{done} in step {number}" for number, _, done in steps)
                    print(f"  {name}: {sum(done for *_, done in steps)} ({parts})")

    def check_table(self, chapter):
        """The page about the walk has the same numbers for a chapter: they are those of people who have a mouse."""
        if self.browser.by_keyboard:
            return
        text = WALKTHROUGH.read_text(encoding="utf-8")
        for (other, name), steps in self.counts.items():
            row = f"| {name} | {sum(done for *_, done in steps)} |"
            if other == chapter and row not in text:
                raise Failure(f"docs/walkthrough.md does not say: {row}")

    def check_secrets(self):
        """No byte that an authenticator gave a page was in anything that was sent; nothing went anywhere else."""
        given = [bytes.fromhex(text) for text in self.browser.secrets]
        if len(given) < sum(person.gives_secrets for person in self.people.values()):
            raise Failure(f"only {len(given)} secrets were heard: the search would prove too little")
        trial = secrets.token_bytes(32)
        for hidden in (trial.hex(), json.dumps(list(trial)), base64.b64encode(b"x" + trial + b"yz").decode()):
            assert _finds(trial, hidden), "the search does not find what it looks for"
        sent = 0
        for page in self.browser.all_pages:
            for request in page.requests:
                sent += 1
                self._check_request(page, request, given)
        print(f"\n{sent} requests by {len(self.browser.all_pages)} pages and workers, none to another origin; "
              f"{len(given)} secrets of authenticators, none in any request; {len(self.seen)} states of pages looked at "
              f"in {self.looks} ways, nothing found")

    def _check_request(self, page, request, given):
        url = request["url"]
        # The browser's own viewer of PDF files is an extension inside it.
        # A worker is called by its address.
        own = [at for name, at in self.homes.items() if page.name == name or page.name.startswith(at + "/")]
        home = own[0] if own else self.server.url
        if not url.startswith((home + "/", "chrome-extension:", f"blob:{home}/", "data:", "about:")):
            raise Failure(f"{page.name} asked another origin: {url}")
        body = request.get("postData")
        if request.get("hasPostData") and body is None:
            body = page.send("Network.getRequestPostData", requestId=request["id"])["postData"]
        text = "\n".join([url, unquote(url), body or "", json.dumps(request.get("headers", {}))])
        if any(_finds(secret, text) for secret in given):
            raise Failure(f"{page.name}: a secret of the authenticator was sent to {url}")


def _finds(secret, text):
    """Whether bytes are in a text as hexadecimal, as a list of numbers, or in base64 at any place."""
    if secret.hex() in text.lower() or ",".join(map(str, secret)) in text.replace(" ", ""):
        return True
    text = text.replace("-", "+").replace("_", "/")
    for offset in range(3):
        whole = base64.b64encode(b"\0" * offset + secret).decode().rstrip("=")
        if whole[(offset * 8 + 5) // 6:len(whole) - 1] in text:
            return True
    return False
