"""From the landing page and the printed link to a verified document: what a newcomer walks."""

import base64
import json

from chromium import Failure
from files import pdf, saved_file
from walking import PHONE

FIELDS = {
    "given_name": "Ada", "family_name": "Byron", "student_number": "S-1815", "programme": "Mathematics",
    "credits_total": "12", "grade_average": "1.3",
}
COURSE = {"code": "M-101", "title": "Analytical Engines", "credits": "12", "grade": "A"}
AUDIENCE = "https://employer.example"


def set_up(walk):
    owner = walk.person("owner")
    owner.has_biometrics()
    owner.goto(walk.server.url)
    walk.look(owner, "landing before set-up")
    # Also in a tab that shows the page already.
    owner.follow(walk.server.url + "/setup")
    owner.wait(f"{owner.says('Set up your organisation')}.test(document.documentElement.innerText)")
    owner.js(f"location.href = {json.dumps(walk.server.setup_link)}")
    owner.wait("document.querySelector('#code').value")
    owner.fill("#organisation", "Purple University")
    owner.fill("#given_name", "Olga")
    owner.fill("#family_name", "Weber")
    owner.fill("#username", "olga")
    walk.look(owner, "set-up", "01-set-up", 1000)
    owner.click("#go")
    owner.see(walk.server.url, "dialog[open]")
    walk.look(owner, "set-up, the address is permanent")
    owner.click('"Use this address"')
    owner.see("Write this down")
    owner.wait("document.querySelector('#fingerprint').textContent")
    walk.look(owner, "set-up, fingerprint")
    walk.facts["fingerprint"] = owner.text("#fingerprint")
    owner.click("#written")
    owner.click("#on")
    owner.wait("location.pathname === '/console' && document.documentElement.dataset.state === 'ready'")
    owner.see("Invite an administrator")
    walk.look(owner, "console of the owner, first time")


def invite(walk):
    owner = walk.people["owner"]
    owner.click('"Invite"')
    owner.wait("location.pathname === '/console/delegation' && document.documentElement.dataset.state === 'ready'")
    owner.fill("#recipient", "Grace Hopper")
    owner.click("#make")
    owner.wait("document.querySelector('#made-link').textContent")
    owner.see("For Grace Hopper", "#invitations")
    walk.look(owner, "delegation, invitation")
    walk.facts["invitation"] = owner.text("#made-link").strip()


def join(walk):
    administrator = walk.person("administrator")
    administrator.has_biometrics()
    administrator.follow(walk.facts["invitation"])
    administrator.wait("document.querySelector('#code').value")
    administrator.fill("#given_name", "Grace")
    administrator.fill("#family_name", "Hopper")
    administrator.fill("#username", "grace")
    walk.look(administrator, "join")
    administrator.click("#go")
    administrator.wait("location.pathname === '/console' && document.documentElement.dataset.state === 'ready'")
    administrator.see("Have your key certified")
    walk.look(administrator, "console of an administrator, first time")
    # The link is used up, and goes from the page that showed it.
    owner = walk.people["owner"]
    owner.wait("document.querySelector('#made').hidden && !document.querySelector('#made-link').textContent", "the link to go")


def certify(walk):
    owner, administrator = walk.people["owner"], walk.people["administrator"]
    administrator.click('"Ask for it"')
    administrator.click("#own [data-act=ask]")
    administrator.see("Read this to the main administrator")
    walk.look(administrator, "delegation, asked")
    # It comes to the owner's page by itself.
    owner.click("#pending [data-act=certify]")
    owner.see("Certify Grace Hopper", "dialog[open]")
    owner.wait("document.querySelector('#certify-fingerprint').textContent.trim()")
    said, shown = administrator.text("#own .fingerprint").split(), owner.text("#certify-fingerprint .fingerprint").split()
    if said != shown or len("".join(said)) < 16:
        raise Failure(f"the fingerprints differ: {said}, {shown}")
    walk.look(owner, "delegation, certify", "02-certify")
    owner.click("#compared")
    owner.click("#certify-yes")
    owner.see("is certified until")
    administrator.see("You are certified")
    walk.look(administrator, "delegation, certified")
    walk.look(owner, "delegation of the owner")


def sign_up(walk):
    student = walk.person("student", **PHONE)
    student.has_biometrics()
    student.follow(walk.server.url)
    walk.look(student, "landing", "03-landing")
    student.click('a.card[href="/sign-up"]')
    student.fill("#given_name", "Ada")
    student.fill("#family_name", "Lovelace")
    student.fill("#username", "ada@student.example")
    walk.look(student, "sign-up", "04-sign-up")
    student.click("#go")
    student.wait("location.pathname === '/wallet' && document.documentElement.dataset.state === 'ready'")
    student.see("Your keys are here")
    walk.look(student, "tutorial", "05-tutorial")
    before = student.actions
    titles = ("First, meet an administrator", "Ask for documents", "Show what is needed, and no more", "Before you lose this device")
    for step, title in enumerate(titles, start=2):
        student.click('"Next"')
        student.see(title, "#tutorial")
        student.wait(f"(bar => bar.value === {step} && bar.max === 5)(document.querySelector('#tutorial progress'))", f"step {step} of 5")
    student.click('"Done"')
    student.wait("!document.querySelector('#tutorial')")
    # Nobody needs to go through it: one press skips it.
    student.actions = before + 1
    student.see("Meet an administrator")
    walk.look(student, "wallet, first time")


def check_face_to_face(walk):
    student, administrator = walk.people["student"], walk.people["administrator"]
    student.click('"Start the check"')
    # The page before is ready, too.
    student.wait("document.documentElement.dataset.state === 'ready'"
                 " && document.querySelector('[data-step=start] [data-begin]')?.checkVisibility()")
    button, steps = (student.js(f"document.querySelector('[data-step=start] {one}').getBoundingClientRect().top")
                     for one in ("[data-begin]", "ol"))
    if button > steps:
        raise Failure("the explanation comes before the code")
    walk.look(student, "identity, start")
    student.click("[data-step=start] [data-begin]")
    student.wait("document.querySelector('#qr').dataset.id")
    walk.look(student, "identity, code", "06-code")
    administrator.follow(scanned(student, f"{walk.server.url}/console/check#"))
    administrator.see("Is this the person in front of you?")
    walk.look(administrator, "check, person")
    # The same check again, as at a desktop without a camera.
    administrator.click("#not-this")
    characters = student.text("#characters-text")
    administrator.fill("#characters", characters.replace("-", " ").lower())
    administrator.click("#find")
    administrator.see("Is this the person in front of you?")
    administrator.click("#begin")
    administrator.see("Now on the person's phone")
    student.see("has taken your code. Answer with")
    walk.look(student, "identity, claimed")
    student.click("#answer")
    student.see("Compare these digits")
    administrator.see("Do both screens show the same digits?")
    mine, theirs = ("".join(page.text("#digits").split()) for page in (student, administrator))
    if mine != theirs or len(mine) != 6:
        raise Failure(f"the digits differ: {mine}, {theirs}")
    walk.look(student, "identity, digits", "07-digits")
    walk.look(administrator, "check, digits")
    administrator.click("#agree")
    administrator.click("#papers input[value=passport]")
    administrator.fill("#field-given_name", "Ada")
    administrator.fill("#field-family_name", "Byron")
    administrator.fill("#field-date_of_birth", "1815-12-10")
    walk.look(administrator, "check, paper")
    administrator.click("#look")
    administrator.see("This is what you sign")
    walk.look(administrator, "check, preview")
    administrator.click("#sign")
    # The paper's name, not the one given at sign-up.
    administrator.see("Ada Byron is verified and has an identity credential")
    walk.look(administrator, "check, done")
    student.see("You are verified")
    walk.look(student, "identity, done")


def ask(walk):
    student, administrator = walk.people["student"], walk.people["administrator"]
    administrator.click('"To the requests"')
    administrator.wait("document.documentElement.dataset.state === 'ready' && location.pathname === '/console'")
    administrator.see("Live", "#connection")
    walk.look(administrator, "console, verified member")
    loads = administrator.loads
    student.click('"Ask for a document"')
    student.click("#types input[value=transcript]")
    student.fill("#note", "All courses until June, please.")
    walk.look(student, "requests, form")
    student.click('"Send the request"')
    student.see("Transcript of records: your request was sent.")
    administrator.see("All courses until June, please.", "#list")
    if administrator.loads != loads:
        raise Failure("the request came by a reload, not live")
    walk.look(student, "requests, sent")
    walk.look(administrator, "console, request", "08-request", 1150)


def issue(walk):
    student, administrator = walk.people["student"], walk.people["administrator"]
    loads = student.loads
    administrator.click("#list [data-act=accept]")
    administrator.see("Assigned to you")
    student.see("Grace Hopper has taken it.")
    administrator.click("#list [data-act=sign]")
    administrator.see("Ada Byron (ada@student.example)")
    administrator.wait("document.querySelector('#field-given_name')")
    for name, value in FIELDS.items():
        if name.endswith("_name"):
            # The checked name is there already.
            filled = administrator.js(f"document.querySelector('#field-{name}').value")
            if filled != value:
                raise Failure(f"{name} is filled in as {filled!r}")
            continue
        administrator.fill(f"#field-{name}", value)
    for name, value in COURSE.items():
        administrator.fill(f"#field-courses-1-{name}", value)
    walk.facts["pdf"] = walk.folder / "transcript.pdf"
    walk.facts["pdf"].write_bytes(pdf(["Purple University", "Transcript of records: Ada Byron", "M-101: A"]))
    administrator.upload("#file", walk.facts["pdf"])
    administrator.see("transcript.pdf", "#chosen")
    walk.look(administrator, "issue, form")
    administrator.click("#look")
    administrator.see("This is what you sign")
    walk.look(administrator, "issue, preview", "09-issue", 1100)
    administrator.click("#sign")
    administrator.see("Signed, sealed and sent")
    walk.look(administrator, "issue, done")
    student.see("It was signed and is in your documents.")
    if student.loads != loads:
        raise Failure("the document came by a reload, not live")


def open_document(walk):
    student = walk.people["student"]
    student.click('"Open"')
    student.wait("location.pathname === '/wallet/document'")
    student.see("Sealed")
    walk.look(student, "document, sealed")
    student.click("#open")
    for words in ("What it says", "Byron", "S-1815", "transcript.pdf"):
        student.see(words)
    saved = walk.folder / "saved"
    student.downloads(saved)
    student.click("#file [data-save]")
    kept = saved_file(saved, "*.pdf")
    if kept.read_bytes() != walk.facts["pdf"].read_bytes():
        raise Failure("the file is not the one that was signed")
    walk.look(student, "document, open", "10-document")
    walk.at_most(student, 20, walk.actions("student"), "from nothing to a document")


def present(walk):
    student = walk.people["student"]
    choose(walk, student, ("given_name", "family_name", "programme", "grade_average", "document"))
    walk.look(student, "document, choose", "11-choose", 1500)
    student.click('"Review"')
    student.see("This is what will be seen")
    walk.look(student, "document, preview")
    student.click("#sign")
    student.see("Ready")
    walk.look(student, "document, made")
    student.downloads(walk.folder)
    student.click("#save")
    walk.facts["file"] = saved_file(walk.folder, "*.countersign")


def choose(walk, student, fields):
    student.click("#show")
    student.fill("#audience", AUDIENCE)
    # The page remembers what was ticked for the last one.
    ticked = student.js("[...document.querySelectorAll('#choices input:checked:not(:disabled)')].map(i => i.value)")
    for name in set(fields) ^ set(ticked):
        student.click(f"#choices input[value={name}]")


def verify(walk):
    employer = walk.person("employer")
    employer.follow(walk.server.url)
    employer.click('"Verify a document"')
    employer.wait("location.pathname === '/verify' && document.querySelector('#pinning').open")
    walk.look(employer, "verify, nothing pinned")
    employer.fill("#pin-digits", walk.facts["fingerprint"])
    employer.click('"Trust this organisation"')
    employer.see("You trust Purple University (")
    employer.see("because you typed its fingerprint", "#anchors")
    walk.look(employer, "verify, pinned", "12-verify", 900)
    load_core(employer)
    cut_off(walk, employer)
    give(employer, walk.facts["file"])
    verdict(employer, "unsure")
    employer.see("Genuine. Was it shown to you?", "#verdict")
    walk.look(employer, "verify, asked")
    employer.click("[data-not-mine]")
    verdict(employer, "no")
    employer.see(f"It was made to be shown to {AUDIENCE}, and was passed on", "#verdict")
    walk.look(employer, "verify, passed on")
    employer.click("[data-mine]")
    verdict(employer, "yes")
    for words in ("Ada", "Byron", "Mathematics", AUDIENCE, "Grace Hopper"):
        employer.see(words, "#result")
    compare_beside(walk, employer)
    if "S-1815" in employer.text("body"):
        raise Failure("the verifier sees what was not shown")
    walk.look(employer, "verify, yes", "13-yes", 1000)


def compare_beside(walk, page):
    """The PDF that was saved out of the file is known again; a changed one is not.

    Without a mouse both are chosen together, where the file was.
    """
    document = base64.urlsafe_b64decode(json.loads(walk.facts["file"].read_text())["document"]["content"] + "==")
    saved, changed = walk.folder / "saved.pdf", walk.folder / "changed.pdf"
    saved.write_bytes(document)
    changed.write_bytes(document.replace(b"%PDF", b"%PdF"))
    beside(page, walk.facts["file"], saved)
    page.see("byte for byte")
    beside(page, walk.facts["file"], changed)
    page.see("changed.pdf is not the document in this file.")
    page.js("document.querySelectorAll('#notices .notice').forEach(n => n.remove())")


def beside(page, file, document):
    if not page.browser.by_keyboard:
        return page.drop("#verdict", document)
    page.click("#another")
    page.upload("#file-input", file, document)
    verdict(page, "unsure")
    page.click("[data-mine]")
    verdict(page, "yes")


def give(page, file):
    """Drops a file on the page; without a mouse it is chosen."""
    if page.browser.by_keyboard:
        return page.upload("#file-input", file)
    page.drop("#drop", file)


def load_core(page):
    """Until the page has everything that it needs to check without a network."""
    page.wait("import('/assets/shell/core.js').then(m => m.core()).then(() => true)")


def cut_off(walk, page):
    # A worker that is just being installed may fail without a network; the next visit installs it.
    page.wait("(await navigator.serviceWorker?.getRegistrations() ?? []).every(r => r.active)", "the worker to be there")
    page.offline()
    page.wait("fetch('/api/organisation', {cache: 'no-store'}).then(() => false, () => true)", "the network to be off")


def verdict(page, kind):
    page.wait(f"document.querySelector('#verdict.{kind}') && !document.querySelector('#result').hidden",
              f"the verdict {kind}")


def scanned(page, beginning):
    """What a camera reads in the code that the page draws: the link beside it, drawn once more by Core and compared."""
    text = page.js("document.querySelector('#code-text, #link').textContent.trim()")
    link = text if text.startswith(beginning) else beginning + text.split(":", 1)[1]
    drawn = page.js(f"""import('/assets/shell/core.js').then(m => m.call('qr', {{text: {json.dumps(link)}}}))
        .then(({{value}}) => value.path === document.querySelector('#qr path').getAttribute('d'))""")
    if not drawn:
        raise Failure(f"the code on the page is not {link}")
    return link


STEPS = [
    ("the owner sets the organisation up from the printed link", set_up),
    ("the owner invites an administrator", invite),
    ("the administrator joins by the link", join),
    ("the owner compares the fingerprint and certifies", certify),
    ("the student signs up with a username and a passkey", sign_up),
    ("face to face: code, digits, paper, signature", check_face_to_face),
    ("the student asks for a transcript, live on the administrator's page", ask),
    ("the administrator accepts, fills in, adds a PDF, signs", issue),
    ("the student opens it, and sees fields and file", open_document),
    ("the student makes a file for the employer", present),
    ("the employer pins the fingerprint and checks the file without a network: yes", verify),
]
