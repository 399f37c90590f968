"""Somebody who does not exist, and how she signs: the same hand for the same seed, never twice alike. Her movements are
dispatched to a page as a pen's, a finger's or a mouse's, every reading with its own time.

It is for tests of what pages do with signatures, and no model of people.
"""

import json
import math
import random
import time

CANVAS = "dialog.signing .pad canvas"


class Hand:
    def __init__(self, seed):
        self.seed, self.number = seed, 0

    def signature(self, number=None):
        """Strokes of (x, y, force, seconds), x from 0 to 2 and y from 0 to 1. The next one, or number so-and-so."""
        if number is None:
            number, self.number = self.number, self.number + 1
        shape, today = random.Random(f"shape {self.seed}"), random.Random(f"today {self.seed} {number}")
        strokes, moment, left = [], 0.0, 0.3
        for _ in range(3):
            count, width = shape.randint(45, 80), shape.uniform(0.3, 0.5)
            waves = [(shape.uniform(-0.04, 0.04), shape.uniform(0.05, 0.14), shape.uniform(0.6, 3.2), shape.uniform(0, 6.28))
                     for _ in range(3)]
            waves = [(a * today.uniform(0.9, 1.1), b * today.uniform(0.9, 1.1), turns, start + today.uniform(-0.15, 0.15))
                     for a, b, turns, start in waves]
            pace, lag = today.uniform(0.94, 1.06), today.uniform(-0.03, 0.03)
            stroke = []
            for point in range(count):
                share = point / (count - 1)
                share += lag * 4 * share * (1 - share)
                x, y = left + share * width, 0.55
                for across, up, turns, start in waves:
                    angle = 2 * math.pi * turns * share + start
                    x, y = x + across * math.cos(angle), y + up * math.sin(angle)
                stroke.append((x + today.uniform(-5e-4, 5e-4), y + today.uniform(-1e-3, 1e-3),
                               0.25 + 1.6 * share * (1 - share), moment))
                moment += 0.0075 * pace
            strokes.append(stroke)
            left += width * 0.9
            moment += shape.uniform(0.06, 0.14) * today.uniform(0.9, 1.1)
        return strokes


def field(page, selector=CANVAS):
    """Where a canvas is: x, y, width, height."""
    page.wait(f"document.querySelector({json.dumps(selector)})?.checkVisibility()", f"{selector} to be shown")
    return page.js(f"(r => [r.x, r.y, r.width, r.height])(document.querySelector({json.dumps(selector)}).getBoundingClientRect())")


def write(page, strokes, tool="pen", selector=CANVAS, base=None):
    """Writes strokes on a canvas, all readings at once: the browser puts many into one event, as it does on busy devices."""
    x, y, width, height = field(page, selector)
    # As large as fits, and always of the same shape: the field is not, on phones and tablets.
    size = min(width / 2, height)
    x, y = x + width / 2 - size, y + (height - size) / 2
    base = base or max(time.time(), getattr(page, "written", 0) + 0.5)
    commands = []
    for stroke in strokes:
        points = [(x + a * size, y + b * size, force, base + moment) for a, b, force, moment in stroke]
        commands += _commands(points, tool)
    for command, parameters in commands[:-1]:
        page.browser._post(command, page.session, parameters)
    # The page has all of them when it has answered the last: scripts come another way, and may overtake.
    command, parameters = commands[-1]
    page.send(command, **parameters)
    page.written = base + strokes[-1][-1][3]
    page.js("new Promise(done => requestAnimationFrame(() => setTimeout(done)))")


def _commands(points, tool):
    if tool == "touch":
        for index, (x, y, _, at) in enumerate(points):
            kind = "touchMove" if index else "touchStart"
            yield "Input.dispatchTouchEvent", {"type": kind, "timestamp": at, "touchPoints": [{"x": x, "y": y, "id": 1}]}
        yield "Input.dispatchTouchEvent", {"type": "touchEnd", "timestamp": points[-1][3] + 0.004, "touchPoints": []}
        return
    held = {"button": "left", "buttons": 1, "pointerType": tool}
    if tool == "pen":
        held |= {"tiltX": 30, "tiltY": -10}
    for index, (x, y, force, at) in enumerate(points):
        kind, more = ("mouseMoved", {}) if index else ("mousePressed", {"clickCount": 1})
        yield "Input.dispatchMouseEvent", {"type": kind, "x": x, "y": y, "force": force, "timestamp": at} | held | more
    x, y, _, at = points[-1]
    yield "Input.dispatchMouseEvent", {
        "type": "mouseReleased", "x": x, "y": y, "force": 0, "timestamp": at + 0.004, "button": "left", "buttons": 0,
        "clickCount": 1, "pointerType": tool}
