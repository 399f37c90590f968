"""What pad.py signs on: a page with nothing but a pad, and what is dispatched to it and read from it."""

import json
import math

from attacks_stage import WEB
from hand import write

# Longer than any screen, so that it could scroll; with text that could be selected.
PAGE = b"""<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Pad</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="stylesheet" href="/assets/shell/style.css"></head>
<body><main id="main"><p>Words above the field.</p><div id="place"></div><p id="below">Words below the field.</p></main>"""
KINDS = {".js": "text/javascript", ".css": "text/css", ".wasm": "application/wasm"}
PAD = "#place canvas"
POINTS = [(40 + 6 * i, 150 + 60 * math.sin(i / 5), 0.2 + i / 200, i * 0.008) for i in range(60)]


def files():
    assets = {f"/assets/{path.relative_to(WEB)}": (KINDS[path.suffix], path.read_bytes())
              for path in WEB.rglob("*") if path.suffix in KINDS}
    return assets | {"/": ("text/html", PAGE)}


def fresh(page, width=600, height=300):
    """A new page with a pad of that size."""
    page.send("Emulation.setPageScaleFactor", pageScaleFactor=1)
    page.goto(page.address + "/")
    page.js(f"""import('/assets/hand-signatures/pad.js').then(({{ makePad }}) => {{
        document.body.style.minHeight = '4000px';
        const canvas = document.createElement('canvas');
        Object.assign(canvas.style, {{ display: 'block', width: '{width}px', height: '{height}px', background: '#eee' }});
        document.querySelector('#place').append(canvas);
        Object.assign(self, {{ canvas, ignored: [], moves: 0, wiped: 0 }});
        self.pad = makePad(canvas, {{ onIgnored: (...words) => ignored.push(words) }});
        canvas.addEventListener('pointermove', () => {{ moves += 1 }});
        const context = canvas.getContext('2d');
        const clearRect = context.clearRect;
        context.clearRect = (...given) => {{ wiped += 1; return clearRect.apply(context, given) }};
    }})""")


def corner(page):
    return page.js("(r => [r.x, r.y])(canvas.getBoundingClientRect())")


def draw(page, points=POINTS, tool="pen"):
    """Readings in pixels of the canvas, as one stroke or several."""
    strokes = points if isinstance(points[0], list) else [points]
    # `write` has a field of two by one in the middle of the canvas; this one is 600 by 300.
    write(page, [[(x / 300, y / 300, force, at) for x, y, force, at in stroke] for stroke in strokes], tool, PAD)


def capture(page):
    text = page.js("pad.text()")
    return json.loads(text) if text else None


def places(found):
    return [tuple(sample[1:3]) for sample in found["samples"]]


def expected(points=POINTS):
    return [(round(x * 100), round(y * 100)) for x, y, _, _ in points]


def near(found, wanted, tolerance=1):
    return len(found) == len(wanted) and all(
        abs(a - b) <= tolerance for one, other in zip(found, wanted) for a, b in zip(one, other))


def touches(page, kind, *points, at=None):
    page.send("Input.dispatchTouchEvent", type=kind, touchPoints=[
        {"x": x, "y": y, "id": identity} for identity, x, y in points], **({"timestamp": at} if at else {}))


def inked(page):
    return page.js("""canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height).data
        .some((value, index) => index % 4 === 3 && value > 0)""")
