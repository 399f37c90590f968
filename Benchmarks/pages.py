"""The pages in a real Chromium: how soon a dropped file is judged without a network, how much the first pages of all areas
transfer, how soon another area is there, and how soon one administrator's act is seen by another.

usage: pages.py BINARY [--files N] [--acts N] [--web DIR] [--json]

Everything is set up as people do it, by the steps of Tests/Browser/walk_degree.py. All pages live in one browser, so
that their clocks agree.
"""

import argparse
import base64
import gzip
import json
import os
import pathlib
import statistics
import sys
import time
import urllib.request

sys.path.insert(0, str(pathlib.Path(__file__).parent.parent / "Tests" / "Browser"))

import walk_degree
from chromium import Chromium
from organisation import Server
from walking import Walk

READY = "document.documentElement.dataset.state === 'ready'"


class Stage(Walk):
    """The walk that sets everything up; it looks at nothing and waits for every page to be whole."""

    def person(self, name, **viewport):
        person = super().person(name, **viewport)
        click = person.click

        def click_when_whole(*given, **named):
            person.wait("document.readyState === 'complete'")
            click(*given, **named)
        person.click = click_when_whole
        return person

    def look(self, *_, **__):
        pass


def transferred(browser, server):
    """Bytes over the wire, heads too, of pages that a browser sees for the first time."""
    sizes = {}
    for path in ("/", "/sign-up", "/verify"):
        page = browser.person(f"newcomer at {path}")
        page.goto(server.url + path)
        page.wait("document.readyState === 'complete'")
        page.js("new Promise(done => setTimeout(done, 1000))")
        entries = page.js("""performance.getEntriesByType('navigation').concat(performance.getEntriesByType('resource'))
            .map(({name, transferSize}) => [name, transferSize])""")
        sizes[path] = sum(size for name, size in entries if not name.endswith(".wasm"))
        page.close()
    request = urllib.request.Request(
        server.url + "/assets/shell/countersign.wasm", headers={"Accept-Encoding": "gzip"})
    with urllib.request.urlopen(request) as answer:
        body = answer.read()
        is_compressed = answer.headers["Content-Encoding"] == "gzip"
    return sizes, len(body) if is_compressed else len(gzip.compress(body, 9))


AREAS = [("owner", ["/console", "/desk", "/wallet/devices"]), ("student", ["/wallet"])]
# When the page of an area stands, counted from the moment when the browser began to leave the one before.
STANDS = """new MutationObserver(() => { if (document.documentElement?.dataset.state === 'ready') self.__stands ??= performance.now(); })
    .observe(document, {attributes: true, attributeFilter: ['data-state'], subtree: true});"""


def sections(walk):
    """Bytes over the wire, heads too, of the first page of each area, with nothing of it in the browser."""
    sizes = {}
    for name, paths in AREAS:
        page = walk.people[name]
        page.send("Page.bringToFront")
        page.send("Network.setBypassServiceWorker", bypass=True)
        page.send("Network.setCacheDisabled", cacheDisabled=True)
        for path in paths:
            page.goto(walk.server.url + path)
            page.wait(READY)
            page.js("new Promise(done => setTimeout(done, 1000))")
            sizes[path] = page.js("""performance.getEntriesByType('navigation').concat(performance.getEntriesByType('resource'))
                .filter(({name}) => !name.endsWith('.wasm')).reduce((sum, {transferSize}) => sum + transferSize, 0)""")
        page.send("Network.setCacheDisabled", cacheDisabled=False)
        page.send("Network.setBypassServiceWorker", bypass=False)
    return sizes


def switching(page, count):
    """Milliseconds from leaving one area until the first page of another was painted, and until it stands."""
    page.send("Page.bringToFront")
    page.send("Page.addScriptToEvaluateOnNewDocument", source=STANDS)
    taken = []
    for number in range(count + 4):
        path = ("/console", "/desk", "/wallet/devices", "/wallet")[number % 4]
        before = page.loads
        page.js(f"document.querySelector('.areas a[href=\"{path}\"]').click()")
        page.wait(f"location.pathname === '{path}' && {READY}")
        while page.loads == before:
            time.sleep(0.01)
        painted = page.js("performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? null")
        # The first round fills the browser's cache.
        if number >= 4 and painted is not None:
            taken.append((painted, page.js("self.__stands")))
    return taken


def verification(page, content, count):
    """Milliseconds from the drop until the result stands in the page, and until it was drawn; the network is off."""
    page.send("Page.bringToFront")
    page.js(f"self.dropped = Uint8Array.from(atob('{base64.b64encode(content).decode()}'), c => c.charCodeAt(0))")
    return [page.js("""new Promise(done => {
        document.querySelector('#another').click();
        const result = document.querySelector('#result');
        const transfer = new DataTransfer();
        transfer.items.add(new File([self.dropped], 'dropped.countersign'));
        const watcher = new MutationObserver(() => {
            if (result.hidden) return;
            watcher.disconnect();
            const there = performance.now() - began;
            requestAnimationFrame(() => setTimeout(() => done([there, performance.now() - began])));
        });
        watcher.observe(result, {attributes: true, attributeFilter: ['hidden']});
        const began = performance.now();
        document.querySelector('#drop').dispatchEvent(
            new DragEvent('drop', {bubbles: true, cancelable: true, dataTransfer: transfer}));
    })""") for _ in range(count)]


SEND = """(path, body) => fetch(path, {method: 'POST', body: JSON.stringify(body), headers: {
    'Content-Type': 'application/json', 'Countersign-Session': 'cookie'}}).then(async answer => {
        if (!answer.ok) throw new Error(await answer.text());
        return answer.json(); })"""


def live(walk, count):
    """Milliseconds from one administrator's request to accept until the other's page shows it."""
    member, actor, watcher = (walk.people[name] for name in ("student", "administrator", "owner"))
    for page in (actor, watcher):
        page.goto(walk.server.url + "/console")
        page.wait(READY)
        page.see("Live", "#connection")
    actor.js("""(() => { const send = self.fetch; self.fetch = (...given) => {
        if (String(given[0]).endsWith('/accept')) self.sent = performance.timeOrigin + performance.now();
        return send(...given); }; })()""")
    watcher.js("""(() => { self.words = {}; self.changed = {};
        new MutationObserver(() => {
            const now = performance.timeOrigin + performance.now();
            for (const row of document.querySelectorAll('#list [data-key]')) {
                const key = row.dataset.key, word = row.querySelector('[data-badge]').textContent;
                if (self.words[key] && self.words[key] !== word) self.changed[key] ??= now;
                self.words[key] = word;
            }
        }).observe(document.querySelector('#list'), {childList: true, subtree: true, characterData: true}); })()""")
    taken = []
    for number in range(count):
        key = member.js(f"({SEND})('/api/requests', {{type: 'transcript', note: 'benchmark {number}'}})")["id"]
        button = f"document.querySelector('#list [data-key=\"{key}\"] [data-act=accept]')"
        actor.wait(f"{button} && !{button}.hidden")
        watcher.wait(f"self.words['{key}']")
        actor.js(f"{button}.click()")
        watcher.wait(f"self.changed['{key}']")
        taken.append(watcher.js(f"self.changed['{key}']") - actor.js("self.sent"))
        member.js(f"({SEND})('/api/requests/{key}/cancel', {{reason: 'measured'}})")
    return taken


def quantile(values, share):
    """The value that this share of all does not exceed."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(len(ordered) * share))]


def measure(files, acts, *flags):
    with Server("--log-level", "notice", *flags) as server, Chromium(whole=True) as browser:
        walk = Stage(browser, server)
        try:
            for _, act in walk_degree.STEPS:
                act(walk)
            sizes, wasm = transferred(browser, server)
            sizes |= sections(walk)
            areas = switching(walk.people["owner"], files)
            content = walk.facts["file"].read_bytes()
            # Twice, before and after: what else the machine does differs from minute to minute.
            drops = verification(walk.people["employer"], content, files)
            taken = live(walk, acts)
            drops += verification(walk.people["employer"], content, files)
        finally:
            walk.close()
    there, drawn = zip(*drops)
    painted, stands = zip(*areas)
    return {
        "file_bytes": len(content), "files": len(drops), "acts": len(taken),
        "verify_median": statistics.median(there), "verify_p99": quantile(there, 0.99),
        "drawn_median": statistics.median(drawn), "drawn_p99": quantile(drawn, 0.99),
        "areas": len(areas), "painted_median": statistics.median(painted), "painted_p99": quantile(painted, 0.99),
        "stands_median": statistics.median(stands), "stands_p99": quantile(stands, 0.99),
        "first_page_bytes": sizes, "wasm_gzipped_bytes": wasm,
        "live_median": statistics.median(taken), "live_p99": quantile(taken, 0.99), "live_slowest": max(taken),
    }


def main():
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("binary")
    options.add_argument("--files", type=int, default=30)
    options.add_argument("--acts", type=int, default=100)
    options.add_argument("--web", help="serve pages from this folder instead of those in the program")
    options.add_argument("--json", action="store_true")
    given = options.parse_args()
    os.environ["COUNTERSIGN"] = given.binary
    seen = measure(given.files, given.acts, *(["--web", given.web] if given.web else []))
    if given.json:
        return print(json.dumps(seen))
    print(f"file dropped to result, offline, {seen['file_bytes']} bytes: median {seen['verify_median']:.0f} ms, "
          f"p99 {seen['verify_p99']:.0f} ms of {seen['files']}; "
          f"drawn: median {seen['drawn_median']:.0f} ms, p99 {seen['drawn_p99']:.0f} ms")
    pages = ", ".join(f"{path} {size / 1000:.1f} kB" for path, size in seen["first_page_bytes"].items())
    print(f"transferred at a first visit without the WebAssembly: {pages}; "
          f"WebAssembly {seen['wasm_gzipped_bytes'] / 1000:.1f} kB gzipped")
    print(f"from area to area: painted after a median of {seen['painted_median']:.0f} ms, p99 {seen['painted_p99']:.0f}; whole "
          f"after {seen['stands_median']:.0f} ms, p99 {seen['stands_p99']:.0f}, of {seen['areas']}")
    print(f"act to another administrator's page: median {seen['live_median']:.1f} ms, p99 {seen['live_p99']:.1f} ms, "
          f"slowest {seen['live_slowest']:.1f} ms of {seen['acts']}")


if __name__ == "__main__":
    main()
