"""Looking at a page as it stands: what must hold of every one, and pictures of some."""

import sys
import time
import zlib
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


def ways(name, widths=(390, 1280), every=False):
    """In which ways a state is looked at, as widths with schemes: each width light or dark, by turns, or both.

    Half of all ways is enough: what is too wide is so in both schemes, and colours are the same at each width. Which scheme comes
    first depends on the name, so what all pages share is seen in every way.
    """
    if every:
        return [(width, scheme) for width in widths for scheme in ("light", "dark")]
    first = zlib.crc32(name.encode())
    return [(width, ("light", "dark")[(first + place) % 2]) for place, width in enumerate(widths)]


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


def pictures_folder():
    """The folder that `--pictures` names, made and taken out of the arguments; None without it."""
    if "--pictures" not in sys.argv:
        return None
    index = sys.argv.index("--pictures")
    folder = Path(sys.argv[index + 1])
    folder.mkdir(parents=True, exist_ok=True)
    del sys.argv[index:index + 2]
    return folder


def look(page, name, pictures=None, height=900):
    """A new state at both widths; `pictures` is the folder that keeps it, light and dark."""
    for width, scheme in ways(name, every=pictures):
        page.resize(width, 900, width == 390)
        page.scheme(scheme, "reduce")
        examine(page, f"{name}, {width} px, {scheme}")
        if pictures:
            page.viewport = {"width": width, "height": 900}
            take_picture(page, pictures / f"{name}-{width}-{scheme}.png", height)
    page.scheme("light")
    page.resize(1280, 900)
