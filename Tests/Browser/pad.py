#!/usr/bin/env python3
"""Signs on the pad (Web/hand-signatures/pad.js) with pens, fingers and mice, and reads what it gives.

    COUNTERSIGN=.build/debug/countersign pad.py [WORDS OF A CASE ...]

No server: the modules alone, under the policy of our pages. `countersign signatures convert` reads every capture back.
"""

import json
import math
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import module_page
from attacks_stage import Cases, expect, tap
from chromium import Chromium
from hand import Hand, write
from pad_stage import PAD, POINTS, capture, corner, draw, expected, files, fresh, inked, near, places, touches


def pen(page):
    fresh(page)
    wiped = page.js("wiped")
    draw(page)
    found = capture(page)
    samples = found["samples"]
    expect(found["tool"] == "pen" and found["pressure_levels"] == 65535, f"{found['tool']} {found['pressure_levels']}")
    expect(near(places(found)[:-1], expected()), "the pen's places are not those that were dispatched")
    moves = page.js("moves")
    expect(moves < len(POINTS), f"{moves} events: nothing was put into one, and nothing is shown")
    for sample, (_, _, force, at) in zip(samples, POINTS):
        expect(abs(sample[3] - force * 65535) <= 1, f"pressure {sample[3]} of {force}")
        # Browsers make their clocks coarser, by up to 100 microseconds.
        expect(abs(sample[0] - at * 1e6) <= 100, f"time {sample[0]} of {at}")
        expect(0 < sample[4] < 9000 and 0 <= sample[5] < 36000, f"angles {sample[4:6]}")
    expect([sample[6] for sample in samples] == [0] * len(POINTS) + [1], "lifts")
    expect(samples[-1][3:6] == [0, None, None], f"the lift says {samples[-1]}")
    expect(inked(page), "nothing is drawn")
    expect(page.js("wiped") == wiped, "the ink was drawn anew while it was written")


def without_pressure(page, tool):
    fresh(page)
    draw(page, tool=tool)
    found = capture(page)
    expect(found["tool"] == tool and found["pressure_levels"] == 0, f"{found['tool']} {found['pressure_levels']}")
    expect(near(places(found)[:len(POINTS)], expected()), "the places are not those that were dispatched")
    expect(all(sample[3:6] == [0, None, None] for sample in found["samples"]), "pressure or angles that nobody measured")


def lifts(page):
    fresh(page)
    strokes = [[(x + 150 * part, y, force, at + 0.7 * part) for x, y, force, at in POINTS[:20]] for part in range(3)]
    draw(page, strokes)
    samples = capture(page)["samples"]
    ends = [index for index, sample in enumerate(samples) if sample[6]]
    expect(len(ends) == 3 and ends[-1] == len(samples) - 1, f"lifts at {ends} of {len(samples)}")
    gap = samples[ends[0] + 1][0] - samples[ends[0]][0]
    expect(abs(gap - (0.7 - 19 * 0.008 - 0.004) * 1e6) < 50, f"{gap} µs in the air")


def palm(page):
    fresh(page)
    x, y = corner(page)
    touches(page, "touchStart", (1, x + 300, y + 280))
    touches(page, "touchMove", (1, x + 320, y + 280))
    expect(capture(page)["tool"] == "touch", "a finger alone writes")
    draw(page)  # while the palm still lies there
    touches(page, "touchMove", (1, x + 340, y + 280))
    touches(page, "touchEnd")
    found = capture(page)
    expect(found["tool"] == "pen" and near(places(found)[:-1], expected()), "the palm is in the signature")
    touches(page, "touchStart", (1, x + 300, y + 280))
    touches(page, "touchEnd")
    expect(len(capture(page)["samples"]) == len(found["samples"]), "a palm after the pen was read")
    expect(page.js("ignored.length") == 0, "somebody was told of the palm")


def other_tools(page):
    fresh(page)
    draw(page)
    before = len(capture(page)["samples"])
    draw(page, tool="mouse")
    expect(len(capture(page)["samples"]) == before and page.js("ignored") == [["mouse", "pen"]], "a mouse wrote on")
    page.js("(pad.clear(), pad.only('touch'))")
    draw(page)
    expect(capture(page) is None and page.js("ignored").pop() == ["pen", "touch"], "a pen wrote for a finger")
    draw(page, tool="touch")
    expect(capture(page)["tool"] == "touch", "the finger that was asked for does not write")


def two_fingers(page):
    fresh(page)
    x, y = corner(page)
    touches(page, "touchStart", (1, x + 50, y + 50))
    touches(page, "touchStart", (1, x + 50, y + 50), (2, x + 400, y + 200))
    for step in range(10):
        touches(page, "touchMove", (1, x + 60 + 10 * step, y + 50), (2, x + 400, y + 200 - 10 * step))
    touches(page, "touchEnd", (1, x + 150, y + 50))
    touches(page, "touchEnd")
    found = capture(page)
    expect(all(b == 5000 for _, b in places(found)), f"the second finger wrote: {places(found)}")
    expect(sum(sample[6] for sample in found["samples"]) == 1, "the second finger ended the stroke")


def interrupted(page):
    fresh(page)
    x, y = corner(page)
    touches(page, "touchStart", (1, x + 50, y + 50))
    touches(page, "touchMove", (1, x + 90, y + 60))
    touches(page, "touchCancel")
    found = capture(page)
    expect(places(found)[-1] == (9000, 6000) and found["samples"][-1][6] == 1, f"a cancelled touch ends at {places(found)[-1]}")
    fresh(page)
    for kind, more in (("mousePressed", {"clickCount": 1}), ("mouseMoved", {})):
        page.send("Input.dispatchMouseEvent", type=kind, x=x + 60, y=y + 60, button="left", buttons=1, pointerType="pen", force=0.5, **more)
    page.js("[1, 2, 3, 4, 5, 6, 7, 8].forEach(id => canvas.hasPointerCapture(id) && canvas.releasePointerCapture(id))")
    page.send("Input.dispatchMouseEvent", type="mouseMoved", x=x + 90, y=y + 60, button="left", buttons=1, pointerType="pen", force=0.5)
    page.wait("!pad.isWriting()", "the stroke to end when the pointer is lost", 30)
    page.send("Input.dispatchMouseEvent", type="mouseReleased", x=x + 90, y=y + 60, button="left", pointerType="pen")


def resized(page):
    fresh(page)
    draw(page)
    before = capture(page)["samples"]
    page.js("Object.assign(canvas.style, { width: '240px', height: '200px' })")
    page.wait("canvas.width === 240 * devicePixelRatio", "the canvas to follow", 30)
    expect(capture(page)["samples"] == before and inked(page), "what was written is lost with the size")
    # Where ink that was written at (100, 150) is shown: a pen that goes on there joins it.
    scale, left, top = page.js(f"""import('/assets/hand-signatures/view.js').then(({{ fitted }}) => {{
        const samples = {json.dumps(before)}.map(([, x, y]) => ({{ x, y }}));
        const view = fitted(samples, {{ scale: 1, x: 0, y: 0 }}, {{ width: 240, height: 200 }});
        return [view.scale, view.x, view.y];
    }})""")
    expect(scale < 0.7 and all(0 <= x / 100 * scale + left <= 240 for _, x, *_ in before), f"the view {scale} {left} {top}")
    x, y = corner(page)
    for kind, more in (("mousePressed", {"buttons": 1}), ("mouseReleased", {"buttons": 0})):
        page.send("Input.dispatchMouseEvent", type=kind, x=x + 100 * scale + left, y=y + 150 * scale + top, button="left",
                  pointerType="pen", force=0.5, clickCount=1, **more)
    found = capture(page)
    expect(near(places(found)[len(before):len(before) + 1], [(10000, 15000)], 4), f"the pen went on at {places(found)[-1]}")


def turned(page):
    """A tablet on its side: the field becomes narrow, then wide again."""
    page.resize(820, 600)
    fresh(page)
    page.js("canvas.style.width = '80vw'")
    page.wait("canvas.width === 656", "the canvas to be wide", 30)
    draw(page)
    before = capture(page)["samples"]
    page.resize(400, 820)
    page.wait("canvas.width === 320", "the canvas to follow", 30)
    expect(inked(page) and capture(page)["samples"] == before, "the turned tablet lost something")
    page.resize(820, 600)
    page.wait("canvas.width === 656", "the canvas to follow back", 30)
    expect(inked(page) and capture(page)["samples"] == before, "the tablet that was turned back lost something")
    page.resize(1280, 900)


def pixels(page):
    fresh(page)
    draw(page)
    page.resize(1280, 900, True)
    page.wait("canvas.width === 1200 && canvas.height === 600", "twice the pixels", 30)
    expect(inked(page) and near(places(capture(page))[:-1], expected()), "finer pixels changed what was written")
    page.resize(1280, 900)


def pinched(page):
    page.resize(800, 900, True)
    fresh(page, 500, 300)
    page.send("Input.synthesizePinchGesture", x=300, y=300, scaleFactor=2)
    x, y, scale, left, top = page.js(
        "(r => [r.x, r.y, visualViewport.scale, visualViewport.offsetLeft, visualViewport.offsetTop])(canvas.getBoundingClientRect())")
    expect(scale > 1.8 and left > 50, f"the page is not pinched larger: {scale} {left} {top}")
    wanted = [(150 + 3 * step, 100 + 2 * step) for step in range(30)]
    for index, (a, b) in enumerate([*wanted, wanted[-1]]):
        kind = "touchStart" if index == 0 else "touchMove" if index < len(wanted) else "touchEnd"
        # The protocol's places are those of the part that is seen, before it is made larger.
        touches(page, kind, *([(1, x + a - left, y + b - top)] if kind != "touchEnd" else []))
    found = places(capture(page))[:len(wanted)]
    page.resize(1280, 900)
    expect(near(found, [(a * 100, b * 100) for a, b in wanted], 2), f"pinched larger it reads {found[:3]} … {found[-1]}")


def still(page):
    page.resize(400, 700, True)
    fresh(page, 360, 300)
    x, y = corner(page)

    def drag(top):
        touches(page, "touchStart", (1, x + 100, top))
        for step in range(12):
            touches(page, "touchMove", (1, x + 100, top - 15 * step))
        touches(page, "touchEnd")

    drag(y + 250)
    found = capture(page)
    expect(page.js("scrollY") == 0, "the page scrolled under the hand")
    expect(len(places(found)) >= 12 and sum(sample[6] for sample in found["samples"]) == 1, "the stroke was broken off")
    drag(page.js("document.querySelector('#below').getBoundingClientRect().y + 150"))
    page.wait("scrollY > 0", "the page to scroll beside the field, which shows that it can", 30)
    page.resize(1280, 900)
    fresh(page)
    draw(page, [(100, 100, 0.5, 0), (300, 200, 0.5, 0.1), (100, 340, 0.5, 0.2)], "mouse")
    expect(page.js("String(getSelection())") == "", "the hand selected words")


def same(page):
    """What is dispatched twice is read twice, to the last microsecond."""
    fresh(page)
    strokes, base, found = Hand(5).signature(), math.floor(time.time()) + 5.0, []
    for _ in range(2):
        write(page, strokes, "pen", PAD, base)
        found.append(page.js("pad.text()"))
        page.js("pad.clear()")
    one, other = (json.loads(text)["samples"] for text in found)
    expect([s[1:] for s in one] == [s[1:] for s in other], "the same movement is read in two ways")
    expect(max(abs(a[0] - b[0]) for a, b in zip(one, other)) <= 10, "the same times are read in two ways")


def accepted(page, tool):
    """The program reads a capture, and writes the very same bytes."""
    fresh(page)
    write(page, Hand(6).signature(), tool, PAD)
    text = page.js("pad.text()")
    with tempfile.TemporaryDirectory() as folder:
        given, back = Path(folder, "given.json"), Path(folder, "back.json")
        given.write_text(text)
        outcome = subprocess.run(
            [os.environ["COUNTERSIGN"], "signatures", "convert", str(given), "--to", "json", "--out", str(back)],
            capture_output=True, text=True)
        expect(outcome.returncode == 0, outcome.stderr)
        expect(back.read_text().rstrip("\n") == text, "the capture is not canonical")


def recording(page):
    """Clocks that go back, places far away, and more than any signature has."""
    fresh(page)
    found = page.js("""import('/assets/hand-signatures/recording.js').then(({ Recording }) => {
        const one = new Recording('pen');
        for (const time of [100, 110, 105, 115.5]) one.add({ time, x: 1e9, y: -1e9, pressure: 0.5 });
        const many = new Recording('pen');
        for (let time = 0; time <= 10_000; time += 1) many.add({ time: time / 10, x: 0, y: 0 });
        const long = new Recording('touch');
        for (const time of [0, 20_001]) long.add({ time, x: 0, y: 0 });
        return [JSON.parse(one.text()).samples, JSON.parse(one.text()).pressure_levels, many.isTooLong, long.isTooLong,
            new Recording('pen').text()];
    })""")
    expect([sample[0] for sample in found[0]] == [0, 10000, 10000, 15500], f"times {found[0]}")
    expect(all(sample[1:3] == [1_000_000, -1_000_000] for sample in found[0]), "a place no capture may have")
    expect(found[1:] == [0, True, True, None], f"{found[1:]}")


def tilt(page):
    """The angles of browsers that only tell tilts are those that others tell."""
    fresh(page)
    found = page.js("""import('/assets/hand-signatures/readings.js').then(({ angles }) =>
        [[30, -10], [0, 0], [-45, 60], [0, 40], [89, 1]].map(([tiltX, tiltY]) => {
            const event = new PointerEvent('pointermove', { pointerType: 'pen', tiltX, tiltY });
            const { altitude, azimuth } = angles({ pointerType: 'pen', tiltX, tiltY });
            return [altitude - event.altitudeAngle, azimuth - event.azimuthAngle];
        }))""")
    expect(all(abs(value) < 1e-3 for pair in found for value in pair), f"{found}")


def taking(page):
    """The dialog: five signatures, one that is no signature, one that is another's."""
    page.goto(page.address + "/")
    page.js("""void import('/assets/hand-signatures/capture.js').then(m => m.takeSignatures({ title: 'Ada signs', count: 5 }))
        .then(result => { self.result = result ?? 'given up' })""")
    words, hand = ".signing-message", Hand(7)
    tap(page, '"Done"')
    page.see("Nothing is written yet", words, 30)
    write(page, [hand.signature(0)[0][:3]])
    tap(page, '"Done"')
    page.see("That is a dot", words, 30)
    for number in range(2):
        write(page, hand.signature(number))
        tap(page, '"Done"')
        page.see(f"Signature {number + 1} is taken", words, 30)
    for number in range(2):
        write(page, Hand(8).signature(number))
        # The same words stand there from the first time.
        page.js("document.querySelector('.signing-message').textContent = ''")
        tap(page, '"Done"')
        page.see("not like the others", words, 30)
        kept = page.js("[...document.querySelectorAll('dialog button')].find(b => b.textContent === 'Keep it').hidden")
        expect(kept == (number == 0), "“Keep it” is there from the second time on")
    write(page, hand.signature(2), "mouse")
    page.see("A mouse cannot be compared", words, 30)
    for number in range(2, 5):
        write(page, hand.signature(number))
        tap(page, '"Done"')
        # Until it is taken nothing can be written.
        if number < 4:
            page.see(f"Signature {number + 1} is taken", words, 30)
    page.wait("self.result", "the five", 30)
    result = page.js("result")
    expect(len(result["captures"]) == 5 and result["tool"] == "pen" and result["way"] == "here", f"{result}")
    expect("pen" in result["device"] and len(result["device"].encode()) <= 300, result["device"])
    expect(not page.js("document.querySelector('dialog')"), "the dialog stays")


def giving_up(page):
    """Nothing is lost by a key that was pressed by mistake."""
    page.goto(page.address + "/")
    page.js("""void import('/assets/hand-signatures/capture.js').then(m => m.takeSignatures({ title: 'Ada signs' }))
        .then(result => { self.result = result ?? 'given up' })""")
    write(page, Hand(7).signature())
    for kind in ("rawKeyDown", "keyUp"):
        page.send("Input.dispatchKeyEvent", type=kind, key="Escape", code="Escape", windowsVirtualKeyCode=27)
    page.see("The signature that you have begun is lost", "dialog:not(.signing)", 30)
    tap(page, '"Go on here"')
    expect(page.js("!!document.querySelector('dialog.signing[open]')"), "the dialog closed")
    tap(page, '"Clear"')
    tap(page, '"Give up"')
    page.wait("self.result === 'given up'", "to have given up", 30)


def main():
    server = module_page.serve(files())
    case = Cases()
    with Chromium() as browser:
        page = browser.person("somebody", width=1280, height=900)
        page.address = f"http://localhost:{server.server_address[1]}"
        page.send("Emulation.setTouchEmulationEnabled", enabled=True, maxTouchPoints=5)
        case("a pen, every reading of every event", pen, page)
        for tool in ("touch", "mouse"):
            case(f"a {tool}, without pressure", without_pressure, page, tool)
        case("lifts and the time in the air", lifts, page)
        case("a palm before, under and after the pen", palm, page)
        case("another tool in one signature", other_tools, page)
        case("two fingers", two_fingers, page)
        case("a stroke that is taken away", interrupted, page)
        case("a field that shrinks in the middle", resized, page)
        case("a tablet that is turned", turned, page)
        case("a screen with finer pixels", pixels, page)
        case("a page that is pinched larger", pinched, page)
        case("nothing scrolls, nothing is selected", still, page)
        case("the same movement twice", same, page)
        for tool in ("pen", "touch", "mouse"):
            case(f"countersign reads a capture by {tool}", accepted, page, tool)
        case("clocks, places and limits", recording, page)
        case("tilts", tilt, page)
        case("five signatures in the dialog", taking, page)
        case("giving up", giving_up, page)
        case("no violation of the policy", lambda: expect(not page.violations(), f"{page.violations()}"))
    return case.end()


if __name__ == "__main__":
    sys.exit(main())
