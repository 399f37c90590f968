"""Somebody at another organisation's server: they trust a domain that they know, and ask for live status through it."""

import base64
import json
from urllib.request import urlopen

from chromium import Failure
from organisation import Server
from walk_degree import load_core, verdict

DOMAIN = "purple.example"


def published(walk, path):
    with urlopen(walk.server.url + path, timeout=30) as answer:
        return answer.read().decode().strip()


def lists(walk):
    """The status lists that the file names."""
    bundle = json.loads(walk.facts["file"].read_text())
    credential = json.loads(base64.urlsafe_b64decode(bundle["presentation"].split(".")[1] + "=="))
    tokens = [json.loads(base64.urlsafe_b64decode(token.split(".")[1] + "==")) for token in bundle["status"]]
    return list(dict.fromkeys([credential["status"]["status_list"]["uri"], *(token["sub"] for token in tokens)]))


def stand_in(walk, page):
    """A server here has no public address, which egress asks for (`EgressTests`): the page gets what it would fetch."""
    answers = {"organisation": json.loads(published(walk, "/.well-known/countersign.json")),
               "status": {"tokens": [published(walk, uri.removeprefix(walk.server.url)) for uri in lists(walk)]}}
    page.js(f"""(() => {{ const real = fetch, answers = {json.dumps(answers)}; window.asked = [];
        window.fetch = (url, options) => {{
            const what = String(url).match(/^\\/api\\/lookups\\/(.*)/)?.[1];
            if (!what) return real(url, options);
            asked.push([what, JSON.parse(options.body)]);
            return Promise.resolve(new Response(JSON.stringify(answers[what]), {{status: 200}})); }}; }})()""")


def elsewhere(walk):
    # The same pages, and a database of its own.
    given = walk.server.flags
    with Server(*(given[given.index("--web"):][:2] if "--web" in given else [])) as other:
        stranger = walk.person("somebody elsewhere")
        walk.homes[stranger.name] = other.url
        stranger.follow(f"{other.url}/verify")
        load_core(stranger)
        stranger.wait("document.querySelector('#pinning').open")
        stranger.fill("#pin-domain", "localhost")
        stranger.click('"Trust this organisation"')
        stranger.refused("'domain' must be a name like example.edu",
                         "The server found nothing there that counts. Check what you typed, or try again in a moment.", "#pin-domain-error")
        stranger.upload("#file-input", walk.facts["file"])
        stranger.wait("document.querySelector('#verdict h2')?.innerText")
        if stranger.js("Boolean(document.querySelector('[data-live]')?.offsetParent)"):
            raise Failure("the server of an organisation that nobody trusts would be asked")
        stand_in(walk, stranger)
        stranger.fill("#pin-domain", DOMAIN)
        stranger.click('"Trust this organisation"')
        stranger.see(f"because {DOMAIN} names it: weaker than a fingerprint on paper", "#anchors")
        walk.look(stranger, "verify, pinned by domain")
        stranger.click("[data-mine]")
        verdict(stranger, "yes")
        stranger.see("This server asks it for you", "#result")
        if [what for what, _ in stranger.js("asked")] != ["organisation"]:
            raise Failure("the issuer's server was asked before anybody agreed")
        stranger.click("[data-live]")
        verdict(stranger, "no")
        stranger.see("The organisation no longer stands behind it.")
        asked = stranger.js("asked")[-1]
        if asked != ["status", {"lists": lists(walk)}]:
            raise Failure(f"other lists were asked for: {asked}")
        walk.look(stranger, "verify, live status of another server")
        # The server goes now, and its pages may still be being kept.
        if stranger.js("'serviceWorker' in navigator"):
            stranger.wait("navigator.serviceWorker.ready.then(() => true)", "the pages to be kept")
