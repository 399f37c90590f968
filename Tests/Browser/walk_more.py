"""What comes after the first document: who is refused, links, revocation, lost and failing devices, no network, erasing."""

import json

from chromium import Failure, until
from walk_degree import (
    AUDIENCE, choose, cut_off, give, load_core, scanned, verdict)
from walk_elsewhere import elsewhere
from walking import PHONE


def refuse(walk):
    employer = walk.people["employer"]
    employer.click("#expecting summary")
    employer.fill("#audience", "https://bank.example")
    employer.click('"Check with this"')
    verdict(employer, "no")
    employer.see("It was made to be shown to somebody else")
    walk.look(employer, "verify, wrong audience")
    employer.click("#expecting summary")
    employer.fill("#audience", AUDIENCE)
    employer.click('"Check with this"')
    verdict(employer, "yes")
    changed = walk.folder / "changed.countersign"
    bundle = json.loads(walk.facts["file"].read_text())
    parts = bundle["presentation"].split("~")
    middle = len(parts[1]) // 2
    parts[1] = parts[1][:middle] + ("A" if parts[1][middle] != "A" else "B") + parts[1][middle + 1:]
    changed.write_text(json.dumps(bundle | {"presentation": "~".join(parts)}, sort_keys=True, separators=(",", ":")))
    employer.click("#another")
    give(employer, changed)
    verdict(employer, "no")
    walk.look(employer, "verify, changed")
    employer.offline(False)


def not_pinned(walk):
    stranger = walk.person("stranger")
    stranger.follow(f"{walk.server.url}/verify")
    load_core(stranger)
    stranger.upload("#file-input", walk.facts["file"])
    verdict(stranger, "unsure")
    stranger.see("Not confirmed yet", "#verdict")
    stranger.see("Purple University", "#verdict")
    for words in ("Ada", "Byron", "Mathematics"):
        stranger.see(words, "#result")
    groups = stranger.js("fetch('/verifiers').then(r => r.text()).then(t => t.match(/id=\"fingerprint-groups\">([^<]*)</)[1])")
    stranger.fill("#pin-digits", groups.replace(" ", "-").lower()[:-1])
    stranger.click('"Trust this organisation"')
    stranger.see("Type all four groups of five, or all 64 digits.")
    stranger.fill("#pin-digits", groups.replace(" ", "-").lower())
    stranger.click('"Trust this organisation"')
    stranger.see("You trust Purple University (")
    stranger.see("Genuine. Was it shown to you?", "#verdict")
    walk.look(stranger, "verify, could not tell")


def share(walk):
    student, employer = walk.people["student"], walk.people["employer"]
    student.click("#finish")
    choose(walk, student, ("given_name", "family_name", "document"))
    student.click("#choose input[name=way][value=link]")
    student.click('"Review"')
    student.click("#sign")
    student.wait("document.querySelector('#link-text').textContent")
    walk.look(student, "document, link", "14-link")
    link, code = student.text("#link-text").strip(), student.text("#link-code").strip()
    student.click("#finish")
    employer.follow(link)
    walk.look(employer, "shared, code")
    employer.fill("#code", code)
    employer.click('"Open it"')
    verdict(employer, "unsure")
    employer.click("[data-mine]")
    verdict(employer, "yes")
    employer.see("transcript.pdf")
    employer.see("The link can be opened 2 times more.")
    walk.look(employer, "shared, yes")
    first_time(walk, link, code)


def first_time(walk, link, code):
    """Somebody who has pinned nothing compares the fingerprint where the document is."""
    stranger = walk.person("first-time employer")
    stranger.follow(link)
    stranger.fill("#code", code)
    stranger.click('"Open it"')
    verdict(stranger, "unsure")
    stranger.see("Not confirmed yet", "#verdict")
    stranger.see("Byron", "#fields")
    groups = stranger.text("#comparing .groups").split()
    if len(groups) != 4 or any(len(group) != 5 for group in groups):
        raise Failure(f"no four groups to compare: {groups}")
    walk.look(stranger, "shared, first time")
    stranger.click("[data-same-mine]")
    verdict(stranger, "yes")
    walk.at_most(stranger, 4, walk.actions("first-time employer"), "from a link to a yes")



def revoke(walk):
    student, administrator, employer = (walk.people[name] for name in ("student", "administrator", "employer"))
    loads = student.loads
    administrator.click('"Issued"')
    administrator.wait("location.pathname === '/console/documents' && document.querySelectorAll('#list li').length === 2")
    walk.look(administrator, "console, documents")
    transcript = administrator.says("Transcript of records")
    administrator.js(f"""[...document.querySelectorAll('#list li')].find(li => {transcript}.test(li.innerText))
        .querySelector('[data-act=revoke]').id = 'the-transcript'""")
    administrator.click("#the-transcript")
    administrator.fill("#question-reason", "A grade was wrong.")
    walk.look(administrator, "console, revoke")
    administrator.click('"Revoke for ever"')
    administrator.see("The document is revoked, for ever.")
    student.see("A grade was wrong.")
    if student.loads != loads:
        raise Failure("the revocation came by a reload, not live")
    walk.look(student, "document, revoked")
    employer.follow(f"{walk.server.url}/verify")
    load_core(employer)
    employer.upload("#file-input", walk.facts["file"])
    verdict(employer, "unsure")
    employer.click("[data-mine]")
    verdict(employer, "yes")
    employer.click("[data-live]")
    verdict(employer, "no")
    employer.see("The organisation no longer stands behind it.")
    walk.look(employer, "verify, revoked")
    # To have that for every file, the person says so once; the page keeps it over a reload.
    employer.click("#live-always")
    employer.reload()
    load_core(employer)
    employer.upload("#file-input", walk.facts["file"])
    verdict(employer, "no")
    employer.see("It was genuine, and no longer holds", "#verdict")


def no_network(walk):
    student = walk.people["student"]
    student.wait("navigator.serviceWorker.ready.then(() => navigator.serviceWorker.controller !== null)")
    student.wait("caches.match('/assets/index.json').then(Boolean)", "the service worker to have kept the pages")
    student.goto(f"{walk.server.url}/wallet/documents")
    student.see("opens offline")
    walk.look(student, "documents")
    cut_off(walk, student)
    student.reload()
    student.see("No connection.")
    walk.look(student, "documents, offline")
    transcript = student.says("Transcript of records")
    student.js(f"[...document.querySelectorAll('a.title')].find(a => {transcript}.test(a.innerText)).id = 'the-transcript'")
    student.click("#the-transcript")
    student.wait("location.pathname === '/wallet/document'")
    student.click("#open")
    student.see("S-1815")
    student.see("transcript.pdf")
    walk.look(student, "document, offline")
    student.offline(False)


def second_device(walk):
    student = walk.people["student"]
    tablet = walk.person("student's tablet", width=1280, height=900)
    tablet.has_biometrics()
    tablet.follow(f"{walk.server.url}/sign-in")
    walk.look(tablet, "sign-in")
    tablet.click('"Add this one to it"')
    # The page before has a field of the same name.
    tablet.wait("location.pathname === '/add-device' && document.querySelector('#device')?.checkVisibility()")
    tablet.fill("#username", "ada@student.example")
    tablet.fill("#device", "Tablet")
    walk.look(tablet, "add-device, form")
    tablet.click("#go")
    tablet.wait("document.querySelector('#link').textContent && document.querySelector('#qr svg')")
    walk.look(tablet, "add-device, code")
    student.follow(scanned(tablet, f"{walk.server.url}/add-device#"))
    student.wait("document.querySelector('#decide-key').textContent")
    if student.text("#decide-key") != tablet.text("#waiting-key"):
        raise Failure("the keys that both devices show differ")
    walk.look(student, "add-device, decide")
    student.click("#endorse")
    student.see("The device is added")
    tablet.see("This device is yours")
    walk.look(tablet, "add-device, done")
    tablet.click('"Continue"')
    tablet.wait("location.pathname === '/wallet'")
    tablet.click('"Skip"')
    tablet.see("Hello, Ada")


def other_pages(walk):
    """The pages that the story does not lead through."""
    for name, paths in {
        "student": ["/wallet", "/wallet/documents", "/wallet/requests", "/wallet/identity", "/wallet/devices",
                    "/wallet/log", "/wallet/offline", "/help", "/privacy"],
        "owner": ["/console", "/console/members", "/console/documents", "/console/delegation", "/console/log",
                  "/console/server-log", "/console/settings", "/console/check", "/wallet"],
        "administrator": ["/console/members", "/console/log", "/console/settings", "/console/issue", "/wallet/devices"],
    }.items():
        page = walk.people[name]
        for path in paths:
            page.goto(walk.server.url + path)
            if not path.startswith(("/help", "/privacy")):
                page.wait("document.documentElement.dataset.state || !document.querySelector('.loading')?.checkVisibility()")
            page.settle()
            if page.js("Boolean(document.querySelector('#tutorial'))"):
                page.click('"Skip"')
            walk.look(page, f"{name}, {path}")


def bad_finger(walk):
    """On an authenticator that allows more than one try, a finger that was not recognised is no catastrophe."""
    guest = walk.person("guest", **PHONE)
    guest.has_biometrics(prf=False, version="ctap2_0")
    guest.goto(f"{walk.server.url}/sign-up")
    guest.fill("#given_name", "Guest")
    guest.fill("#username", "guest")
    guest.click("#go")
    guest.wait("!document.querySelector('#passphrase-field').hidden")
    walk.look(guest, "sign-up, without PRF")
    guest.fill("#passphrase", "seven quiet herons wade")
    guest.click("#go")
    guest.wait("location.pathname === '/wallet'")
    guest.click('"Skip"')
    guest.see("weaker")
    walk.look(guest, "wallet, weaker keys")
    guest.is_recognised(False)
    guest.goto(f"{walk.server.url}/sign-up")
    guest.js("import('/assets/accounts/keys.js').then(k => k.signOut())")
    guest.goto(f"{walk.server.url}/help")
    guest.goto(f"{walk.server.url}/sign-in")
    guest.click("#passkey")
    guest.wait("document.querySelector('#notices .notice.error')")
    if guest.js("document.querySelectorAll('#notices .notice').length") != 1:
        raise Failure("more than one message: " + guest.text("#notices"))
    walk.look(guest, "sign-in, not recognised")


def two_failures(walk):
    student = walk.people["student"]
    student.goto(f"{walk.server.url}/wallet/documents")
    student.click("a.title")
    student.wait("location.pathname === '/wallet/document'")
    student.is_recognised(False)
    student.click("#open")
    student.see("One attempt is left.", "dialog[open]")
    said = student.js("[...document.querySelectorAll('[role=alert]')].filter(e => e.checkVisibility() && e.innerText).length")
    if said != 1:
        raise Failure(f"{said} messages instead of one")
    walk.look(student, "prompt, not recognised")
    student.click('"Try again"')
    student.see("Your keys are unharmed and what you typed stays", "dialog[open]")
    walk.look(student, "prompt, ended")
    if student.js("fetch('/api/account').then(({status}) => status)") != 401:
        raise Failure("the session goes on")
    # Nobody is there to touch it: else it would answer at once what the page offers beside the field.
    student.is_touched(False)
    student.click('"Sign in"')
    student.wait("location.pathname === '/sign-in'")
    student.see("Two attempts in a row failed, so the session has ended. Nothing else happened")
    walk.look(student, "sign-in, ended")
    student.is_touched(True)


def revoke_device(walk):
    tablet = walk.people["student's tablet"]
    tablet.goto(f"{walk.server.url}/wallet/devices")
    tablet.wait("document.querySelectorAll('#devices li').length === 2")
    walk.look(tablet, "devices, two")
    tablet.js("""[...document.querySelectorAll('#devices li')].find(li => li.querySelector('[data-show=isHere]').hidden)
        .querySelector('[data-act=revoke]').id = 'the-phone'""")
    tablet.click("#the-phone")
    tablet.fill("#question-reason", "Lost on the train.")
    tablet.click('"Revoke the device"')
    tablet.see("is revoked, and the log says so.")
    walk.look(tablet, "devices, one revoked")


def unfolded(page, words):
    """Opens what belongs to one member's row, and gives the selector of its button for erasing."""
    page.js(f"""[...document.querySelectorAll('#list > li')].find(li => li.innerText.includes({json.dumps(words)}))
        .querySelector('[data-fold]').id = 'the-fold'""")
    page.click("#the-fold summary")
    page.wait("document.querySelector('#the-fold [data-devices] li')")
    return "#the-fold [data-act=erase]"


def erase_administrator(walk):
    owner, administrator, tablet = (walk.people[name] for name in ("owner", "administrator", "student's tablet"))
    administrator.goto(f"{walk.server.url}/console/members")
    administrator.wait("document.documentElement.dataset.state === 'ready'")
    unfolded(administrator, "ada@student.example")
    if administrator.js("[...document.querySelectorAll('[data-act=erase]')].some(e => e.checkVisibility())"):
        raise Failure("an administrator is offered to erase somebody")
    owner.goto(f"{walk.server.url}/console/members")
    owner.wait("document.documentElement.dataset.state === 'ready'")
    if owner.js("""[...document.querySelectorAll('#list > li')].find(li => li.innerText.includes('olga'))
            .querySelector('details').checkVisibility()"""):
        raise Failure("the main administrator is offered to erase herself")
    owner.click(unfolded(owner, "grace"))
    owner.see("Revoke the certificate first")
    if owner.js("Boolean(document.querySelector('dialog[open]'))"):
        raise Failure("a certified administrator can be erased")
    walk.look(owner, "members, certified")
    owner.click('"Open Administrators"')
    owner.click("#certified [data-act=revoke]")
    owner.fill("#question-reason", "Has left.")
    owner.click('"Revoke for ever"')
    owner.see("The certificate of Grace Hopper is revoked.")
    owner.goto(f"{walk.server.url}/console/members")
    owner.wait("document.documentElement.dataset.state === 'ready'")
    owner.click(unfolded(owner, "grace"))
    owner.wait("document.querySelector('#erase').open")
    owner.fill("#erase-name", "grace")
    owner.click('"Erase for ever"')
    owner.see("The person is erased.")
    # Documents name their issuer: a row without a name is left, which cannot be erased again.
    owner.see("(erased person)", "#list")
    if owner.js("document.querySelector('#list').innerText.match(/grace/i)"):
        raise Failure("the name is still there: " + owner.text("#list"))
    walk.look(owner, "members, one erased")
    tablet.goto(f"{walk.server.url}/wallet/documents")
    tablet.see("(erased person)")


def erase_member(walk):
    owner, tablet = walk.people["owner"], walk.people["student's tablet"]
    owner.goto(f"{walk.server.url}/console/members")
    owner.wait("document.documentElement.dataset.state === 'ready'")
    erase = unfolded(owner, "ada@student.example")
    walk.look(owner, "members, unfolded")
    owner.click(erase)
    owner.see("Requests and links and 2 sealed documents go.", "#erase")
    walk.look(owner, "members, erase")
    owner.fill("#erase-name", "ada")
    owner.click('"Erase for ever"')
    owner.see("That is not the username of this account. Nothing was erased.", "#erase")
    walk.look(owner, "members, erase, other name")
    owner.fill("#erase-name", "ada@student.example")
    owner.click('"Keep the account"')
    owner.wait("!document.querySelector('#erase').open")
    kept = tablet.js("fetch('/api/documents').then(r => r.json()).then(({items}) => items.length)")
    if kept != 2 or "ada@student.example" not in owner.text("#list"):
        raise Failure(f"cancelling did not keep everything: {kept} documents")
    owner.click(erase)
    owner.wait("document.querySelector('#erase').open")
    if owner.js("document.querySelector('#erase-name').value") != "":
        raise Failure("the username stands there from before")
    owner.fill("#erase-name", "ada@student.example")
    # Nobody is there to touch it: else its passkey would answer at once on the page where its session ends.
    tablet.is_touched(False)
    owner.click('"Erase for ever"')
    owner.see("The person is erased.")
    owner.wait("!document.querySelector('#list').innerText.includes('ada@student.example')", "the row to go")
    tablet.wait("document.querySelector('#session-over button')", "the tablet to say that its session has ended")
    tablet.click("#session-over button")
    tablet.wait("location.pathname === '/sign-in'", "the tablet to be led out")
    tablet.is_touched(True)
    # Autofill may answer first; it is refused in the same words.
    tablet.wait("document.querySelector('#notices .notice.error') || (document.querySelector('#passkey')?.click(), false)")
    if tablet.js("fetch('/api/account').then(({status}) => status)") != 401:
        raise Failure("an erased person is signed in")
    walk.look(tablet, "sign-in, erased")


STEPS = [
    ("the employer is told no: wrong audience, changed file", refuse),
    ("who pinned nothing is told that it cannot be told", not_pinned),
    ("the student shares by a link with a code, and the employer opens it", share),
    ("the administrator revokes it: live for the student, no for the employer", revoke),
    ("somebody at another server trusts a domain, agrees to ask, and is told no", elsewhere),
    ("without a network the student opens it all the same", no_network),
    ("a tablet becomes the student's second device", second_device),
    ("all other pages", other_pages),
    ("a finger that is not recognised, on a device without PRF: one message", bad_finger),
    ("two failures in a row end the session", two_failures),
    ("the tablet revokes the phone", revoke_device),
    ("the main administrator erases an administrator, once the certificate is revoked", erase_administrator),
    ("and the student, who cannot sign in any more", erase_member),
]
