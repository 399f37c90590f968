"""Looking at a page as it stands: what must hold of every one, and pictures of some."""

import time
from pathlib import Path

import axe_playwright_python

import files
from chromium import Failure

AXE = Path(axe_playwright_python.__file__).with_name("axe.min.js").read_text()
RUN = """axe.run(document, {iframes: false, preload: false, resultTypes: ['violations']}).then(
    ({violations}) => violations.map(({id, help, nodes}) =>
        `${id}: ${help}: ${nodes.map(n => n.target.join(' ') + ' ' + (n.any[0]?.message ?? '')).join('; ')}`))"""

# What fades in or is loaded again has another contrast; what turns for ever is not waited for.
MOVES = """document.querySelectorAll('.list[aria-busy=true], tbody[aria-busy=true]').length + document.getAnimations()
    .filter(one => one.playState === 'running' && one.effect.getComputedTiming().endTime < 5000).length"""


def still(page):
    """Waits, though not for ever, until nothing of the page moves."""
    end = time.monotonic() + 3
    while page.js(MOVES) and time.monotonic() < end:
        time.sleep(0.05)


def examine(page, name):
    """No wider than the screen, and nothing that axe-core finds."""
    # A phone shows a page that is too wide smaller, and then calls itself as wide.
    excess = page.js("document.documentElement.scrollWidth - Math.round(innerWidth * visualViewport.scale)")
    if excess > 0:
        raise Failure(f"{name}: {excess} px wider than the screen")
    if not page.js("'axe' in window"):
        page.send("Runtime.evaluate", expression=AXE)
    # An event may begin to load a list while it is looked at. A fault that stays is found each time.
    for _ in range(3):
        still(page)
        found = page.js(RUN)
        if not found:
            break
    if found:
        raise Failure(f"{name}: axe: " + "\n".join(found))


def take_picture(page, path, height=None):
    """Keeps the page as it stands, at the size of its screen, from its top."""
    viewport = page.viewport
    page.send("Emulation.setDeviceMetricsOverride", width=viewport["width"],
              height=height or (800 if viewport["width"] > 400 else 844), deviceScaleFactor=1,
              mobile=viewport.get("mobile", False))
    page.js("scrollTo(0, 0)")
    page.js("new Promise(done => requestAnimationFrame(() => setTimeout(done, 250)))")
    page.picture(path, whole=False)
    files.shrink(path)


def look(page, name, pictures=None, height=900):
    """A new state at both widths, light and dark; `pictures` is the folder that keeps them."""
    for width in (390, 1280):
        page.resize(width, 900, width == 390)
        for scheme in ("light", "dark"):
            page.scheme(scheme, "reduce")
            examine(page, f"{name}, {width} px, {scheme}")
            if pictures:
                page.viewport = {"width": width, "height": 900}
                take_picture(page, pictures / f"{name}-{width}-{scheme}.png", height)
                page.resize(width, 900, width == 390)
    page.scheme("light")
    page.resize(1280, 900)
