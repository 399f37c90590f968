"""What attacks.py, faults.py, fallbacks.py and witnesses.py share: a server, the people, the way to a document, counted
cases."""

import json
import os
import sys
import tempfile
import time
import traceback
from pathlib import Path

from chromium import Failure, until
from organisation import Server

WEB = Path(__file__).resolve().parents[2] / "Web"

# Makes itself known wherever it is taken for markup. Short enough for an organisation's name.
MARKUP = "<img src=x onerror=top.owned=1>"

KEYS = "import('/assets/accounts/keys.js')"


# The worker fetches every file when it is installed: too much for each of many people. Cases about it leave it in.
NO_WORKER = "Object.defineProperty(Navigator.prototype, 'serviceWorker', { get: () => undefined });"


def server(*flags):
    """A server with the pages in the program, or with those of the folder that `WEB` names."""
    return Server(*flags, *(["--web", os.environ["WEB"]] if "WEB" in os.environ else []))


class Cases:
    """Runs cases one after another; each says its line, and one that fails does not stop the others."""

    def __init__(self):
        self.failed, self.done, self.began, self.silence = 0, 0, time.monotonic(), ""
        self.only = sys.argv[1:]

    def __call__(self, name, act, *arguments):
        if self.only and not any(word in name for word in self.only):
            return
        began = time.monotonic()
        try:
            if self.silence:
                raise Failure("not tried: the server answers nobody")
            act(*arguments)
            word, detail = "ok  ", ""
        except Exception as error:
            if not isinstance(error, Failure) or os.environ.get("VERBOSE"):
                traceback.print_exc()
            self.failed += 1
            word, detail = "FAIL", "\n       " + str(error)[:1200].replace("\n", "\n       ")
            if not self.silence:
                self.silence = "".join(one.silence() for one in Server.running)
                detail += "\n       ".join(["", *self.silence.splitlines()])
        self.done += 1
        print(f"{word} {name} ({time.monotonic() - began:.1f} s){detail}", flush=True)

    def end(self):
        print(f"{self.done - self.failed} of {self.done} cases passed in {time.monotonic() - self.began:.0f} s")
        return 1 if self.failed else 0


def expect(condition, what):
    if not condition:
        raise Failure(what)


def api(page, method, path, body=None, headers=None, credentials="same-origin"):
    """What the server answers to a request of this page: `(status, JSON or None)`."""
    options = {"method": method, "credentials": credentials, "headers": {"Countersign-Session": "cookie"}}
    if body is not None:
        options["body"] = body if isinstance(body, str) else json.dumps(body)
        options["headers"]["Content-Type"] = "application/json"
    options["headers"] |= headers or {}
    expression = f"""fetch({json.dumps(path)}, {json.dumps(options)}).then(async r => {{
        const text = await r.text(); let value = null; try {{ value = JSON.parse(text) }} catch {{}}
        return [r.status, value]; }})"""
    while True:
        try:
            return tuple(page.js(expression))
        except Failure as failure:
            # A page that is just being left takes the question with it; what only reads is asked on the next one.
            if method != "GET" or "navigated or closed" not in str(failure):
                raise


def front(page):
    page.send("Page.bringToFront")


def shown(selector):
    return f"(document.querySelector({json.dumps(selector)})?.checkVisibility() ?? false)"


def tap(page, selector):
    """Clicks what can be seen; waits for it."""
    if not selector.startswith('"'):
        page.wait(shown(selector), f"{selector} to be shown")
    page.click(selector)


def mistakes(page, form):
    """What a form says is wrong: the same in the summary, with its number and a link each, and beside the fields, in one order."""
    beside, listed, title = page.js(f"""(form => {{
        const shown = (selector) => [...form.querySelectorAll(selector)].filter(e => e.checkVisibility() && e.textContent.trim());
        return [shown('p.error, p.error-text').map(e => e.textContent), shown('.error-summary li a').map(e => e.textContent),
                shown('.error-summary h2').map(e => e.textContent)];
    }})(document.querySelector({json.dumps(form)}))""")
    expect(beside == listed, f"beside the fields {beside}, in the summary {listed}")
    number = len(listed)
    words = {0: [[]], 1: [["1 answer is missing"], ["There is a problem"]]}.get(
        number, [[f"{number} answers are missing"], [f"There are {number} problems"]])
    expect(title in words, f"{title} for {listed}")
    return listed


def ready(page):
    page.wait(f"document.documentElement.dataset.state === 'ready' || {shown('#devices-content')}", "the page to be ready")
    page.js("document.querySelector('#tutorial[open]')?.close()")


def visit(page, path, origin):
    """Opens a page anew, also when only the fragment differs."""
    if page.wait("location.pathname", "an address") == path.split("#")[0]:
        page.goto("about:blank")
    page.goto(origin + path)
    ready(page)


def posted(page, path):
    """The bodies of what this page sent to `path`, oldest first."""
    return [r["postData"] for r in page.requests if r["url"].endswith(path) and r["method"] == "POST" and r.get("postData")]


def fill_name(page, name):
    """The last word is the family name."""
    given, _, family = name.rpartition(" ")
    page.fill("#given_name", given)
    page.fill("#family_name", family)


def set_up(page, stage, organisation, name, username):
    page.goto(stage.setup_link)
    page.wait("document.querySelector('#code').value.length > 5")
    page.fill("#organisation", organisation)
    fill_name(page, name)
    page.fill("#username", username)
    tap(page, "#go")
    # The address is permanent, so it is asked for once.
    page.wait(shown("dialog[open] .actions .primary"), "to be asked about the address")
    tap(page, "dialog[open] .actions .primary")
    page.wait(shown("#fingerprint-card"), "the fingerprint")
    tap(page, "#written")
    tap(page, "#on")
    page.wait("location.pathname === '/console'")
    ready(page)


def sign_up(page, stage, username, given=None, family=""):
    """An account and a wallet; without other names the person is called as the account is."""
    page.goto(stage.url + "/sign-up")
    page.wait("document.querySelector('#go')?.textContent.includes('passkey')")
    page.fill("#given_name", username if given is None else given)
    page.fill("#family_name", family)
    page.fill("#username", username)
    tap(page, "#go")
    page.wait("location.pathname === '/wallet'", "the wallet")
    ready(page)


def sign_out(person):
    """Ends the session on a page that needs none: nothing leads away from it, and nothing signs in by itself there."""
    person.goto(person.js("location.origin") + "/help")
    person.wait("location.pathname === '/help' && document.readyState === 'complete'")
    end_session(person)


def leave(person):
    """Ends the session. Nobody touches the authenticator then: else autofill signs the same person in again."""
    person.is_touched(False)
    end_session(person)


def end_session(page):
    try:
        page.js(f"{KEYS}.then(k => k.signOut())")
    except Failure as failure:
        # A page that listens for changes hears of it and leaves by itself.
        if "navigated" not in str(failure):
            raise


def sign_in(page, stage, path="/sign-in"):
    """By the button; a browser that answers for autofill may have been quicker."""
    page.goto(stage.url + path)
    page.wait(f"location.pathname !== '/sign-in' || {shown('#passkey')}")
    go_inside(page, 2)
    page.wait("document.readyState === 'complete'")


def go_inside(page, seconds=4):
    """Leaves the sign-in page: by autofill, or by the button when that takes longer."""
    inside = "location.pathname !== '/sign-in'"
    try:
        page.wait(inside, seconds=seconds)
    except Failure:
        # Autofill may be at work this very moment: the button may be gone before it is pressed, and that is as well.
        page.wait("(document.querySelector('#passkey')?.click(), true)", "the button or another page")
        page.wait(inside, "to be signed in")


def appoint(owner, admin, stage, name, username):
    """Invites an administrator, who joins, asks for their certificate and gets it."""
    asks_to_be_certified(owner, admin, stage, name, username)
    tap(owner, "#pending [data-act=certify]")
    tap(owner, "#compared")
    tap(owner, "#certify-yes")
    owner.wait("!document.querySelector('#certify').open", "the certificate")
    front(admin)
    visit(admin, "/console/delegation", stage.url)
    admin.wait("!!document.querySelector('#own .badge.good')", "to be certified")


def asks_to_be_certified(owner, admin, stage, name, username):
    """Invites an administrator, who joins and asks for a certificate; the main administrator's page shows it then."""
    front(owner)
    visit(owner, "/console/delegation", stage.url)
    tap(owner, "#make")
    owner.wait(shown("#made"))
    link = owner.text("#made-link")
    admin.goto(link)
    admin.wait("document.querySelector('#code')?.value.length > 5")
    fill_name(admin, name)
    admin.fill("#username", username)
    tap(admin, "#go")
    admin.wait("location.pathname === '/console'", "the console")
    ready(admin)
    visit(admin, "/console/delegation", stage.url)
    tap(admin, "#own [data-act=ask]")
    admin.wait("!!document.querySelector('#own [data-fingerprint]')")
    visit(owner, "/console/delegation", stage.url)


def fill_fields(page, text, date="2000-01-02"):
    """Something into every field that must not be empty, `text` where text may stand."""
    page.wait("document.querySelectorAll('#fields input').length > 0")
    for identity in page.js("[...document.querySelectorAll('#fields [aria-required=true]')].map(e => e.id)"):
        kind = page.js(f"(e => e.type === 'date' ? 'date' : e.inputMode)(document.getElementById({json.dumps(identity)}))")
        page.fill(f"#{identity}", date if kind == "date" else "30" if kind in ("decimal", "numeric") else text)
        if kind == "date":
            page.js(f"""(e => {{ e.value = {json.dumps(date)}; for (const n of ['input', 'change'])
                e.dispatchEvent(new Event(n, {{bubbles: true}})) }})(document.getElementById({json.dumps(identity)}))""")


def code_of(member):
    """The text under the QR code; it lies folded, and what is folded has no innerText."""
    member.wait("!!document.querySelector('#code-text').textContent", "the code")
    return member.js("document.querySelector('#code-text').textContent")


def check(admin, member, stage, text="Ada", end="[data-step=done]", given=""):
    """The face-to-face check of both, to its end, which is the part of the administrator's page `end`.

    The paper has `text` as family name, and perhaps a given name."""
    front(member)
    visit(member, "/wallet/identity", stage.url)
    # For the first time, or again.
    tap(member, "[data-step]:not([hidden]) [data-begin]")
    member.wait(shown("[data-step=code]"))
    code = code_of(member)
    front(admin)
    visit(admin, "/console/check", stage.url)
    admin.fill("#code", code)
    tap(admin, "#read")
    tap(admin, "#begin")
    front(member)
    tap(member, "#answer")
    member.wait(shown("#digits"))
    front(admin)
    tap(admin, "#agree")
    admin.wait(shown("[data-step=identify]"))
    tap(admin, "#papers label")
    fill_fields(admin, text)
    if given:
        admin.fill("#field-given_name", given)
    tap(admin, "#look")
    tap(admin, "#sign")
    admin.wait(shown(end), "the check to end")


def ask_for(member, stage, kind, note):
    """Asks for a document and gives the request's id."""
    front(member)
    visit(member, "/wallet/requests", stage.url)
    tap(member, f"#types input[value={kind}]")
    member.fill("#note", note)
    tap(member, "#form button[type=submit]")
    member.wait(f"document.querySelector('#requests')?.innerText.includes({json.dumps(note)})")
    return api(member, "GET", "/api/requests")[1]["items"][0]["id"]


def write(admin, stage, request, text, file=None):
    """Accepts a request and fills in everything."""
    front(admin)
    visit(admin, "/console", stage.url)
    # Its own row: there may be others, left by a case that failed.
    row = f'[data-key="{request}"]'
    # They come later than the list, and move it down.
    admin.wait(shown("#statistics"), "the numbers")
    tap(admin, f"{row} [data-act=accept]:not([hidden])")
    admin.wait(shown(f"{row} [data-act=sign]:not([hidden])"), "the request to be accepted")
    visit(admin, f"/console/issue#{request}", stage.url)
    fill_fields(admin, text)
    if file:
        admin.upload("#file", file)
        admin.wait(shown("#chosen"))


def prepare_to_sign(admin, stage, request, text, file=None):
    """Accepts a request and fills in everything, up to the last look at it."""
    write(admin, stage, request, text, file)
    tap(admin, "#look")
    admin.wait(shown("[data-step=preview]"))


def issue(admin, member, stage, kind="generic", text="Letter", note="For my next employer", file=None):
    """From the request to the signed document; gives the document's id."""
    request = ask_for(member, stage, kind, note)
    prepare_to_sign(admin, stage, request, text, file)
    tap(admin, "#sign")
    admin.wait(shown("[data-step=done]"), "the document to be sent")
    return api(member, "GET", f"/api/requests/{request}")[1]["document"]


def pdf(name="transcript.pdf", text="Transcript"):
    """A small PDF file under the given name."""
    drawing = f"BT /F1 24 Tf 60 740 Td ({text}) Tj ET".encode()
    parts = [
        b"<< /Type /Catalog /Pages 2 0 R >>", b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
        b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R"
        b" /Resources << /Font << /F1 5 0 R >> >> >>",
        b"<< /Length %d >>\nstream\n%s\nendstream" % (len(drawing), drawing),
        b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>"]
    out, places = b"%PDF-1.4\n", []
    for number, part in enumerate(parts, 1):
        places.append(len(out))
        out += b"%d 0 obj\n%s\nendobj\n" % (number, part)
    table = b"".join(b"%010d 00000 n \n" % place for place in places)
    out += b"xref\n0 6\n0000000000 65535 f \n%strailer << /Size 6 /Root 1 0 R >>\nstartxref\n%d\n%%%%EOF" % (
        table, len(out))
    path = Path(tempfile.mkdtemp(prefix="countersign-file-"), name)
    path.write_bytes(out)
    return path


def start_use(page, words="Sign it"):
    """Begins to use the keys, as a page does; `used` waits for what came of it."""
    page.js(f"""{KEYS}.then(k => {{ self.outcome = null; self.opened = false;
        k.use({json.dumps(words)}, async k => {{ self.opened = true; return (await k.sign(new Uint8Array(4))).length }})
            .then(n => {{ self.outcome = [n] }}, e => {{ self.outcome = [e.kind ?? e.name, e.message] }}) }})""")


def used(page, seconds=60):
    page.wait("self.outcome", "the keys", seconds)
    return page.js("self.outcome")


def outcome_or_complaint(page):
    """What the dialog says is wrong, or what the act came to."""
    words = "document.querySelector('dialog[open] .error-text')?.textContent"
    return until(lambda: page.js(f"self.outcome?.join(' ') || {words} || ''"), "an answer to the confirmation")
