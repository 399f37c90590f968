"""Captures of people who do not exist, and what a forger makes of them."""

import json
import math
import pathlib
import random
import re
import sys

sys.path.append(str(pathlib.Path(__file__).resolve().parents[2] / "Tests/Browser"))
import hand  # noqa: E402

# Microseconds between two samples, and between two strokes.
STEP, GAP = {"pen": 7_500, "touch": 16_000}, 100_000
# How long the signatures of these hands take.
USUAL = 1_570_000


class Hand:
    """Somebody, and her next signature as the text of a capture."""

    def __init__(self, seed):
        self.hand = hand.Hand(seed)

    def text(self, tool="pen"):
        samples = []
        strokes = self.hand.signature()
        for stroke in strokes:
            # A finger gives every second reading, and no pressure.
            points = stroke if tool == "pen" else stroke[::2]
            for x, y, force, moment in points:
                samples.append([round(moment * 1e6), round(x * 30_000), round(y * 30_000),
                                round(min(force, 1) * 65_535) if tool == "pen" else 0, None, None, 0])
            samples[-1][6] = 1
        return text(samples, tool)


def between(one, other, share):
    """A movement that is so much of the way from one to another."""
    def at(stroke, part):
        place = part * (len(stroke) - 1)
        low = min(int(place), len(stroke) - 2)
        rest = place - low
        return [a + (b - a) * rest for a, b in zip(stroke[low][:4], stroke[low + 1][:4])]

    samples = []
    for first, second in zip(cut(one), cut(other)):
        count = round(len(first) + (len(second) - len(first)) * share)
        for number in range(count):
            pairs = zip(at(first, number / (count - 1)), at(second, number / (count - 1)))
            samples.append([round(a + (b - a) * share) for a, b in pairs] + [None, None, int(number == count - 1)])
    return text(samples)


def cut(capture):
    """The samples of a capture, stroke by stroke."""
    strokes = [[]]
    for sample in json.loads(capture)["samples"]:
        strokes[-1].append(sample)
        if sample[6]:
            strokes.append([])
    return strokes[:-1]


def text(samples, tool="pen"):
    return json.dumps({
        "format": "countersign-capture-1", "pressure_levels": 65_535 if tool == "pen" else 0, "samples": samples,
        "tool": tool, "units": {"angle": "centidegree", "position": "step", "step_nanometres": 0, "time": "microsecond"},
    }, separators=(",", ":"))


def changed(capture, place=lambda x, y: (x, y), pace=1.0):
    """The same movement elsewhere: `place` moves points whose sides are about 1, `pace` stretches the time."""
    read = json.loads(capture)
    samples = read["samples"]
    side = max(max(s[1] for s in samples) - min(s[1] for s in samples), 1)
    left, top = min(s[1] for s in samples), min(s[2] for s in samples)
    for sample in samples:
        x, y = place((sample[1] - left) / side, (sample[2] - top) / side)
        sample[0], sample[1], sample[2] = round(sample[0] * pace), round(left + x * side), round(top + y * side)
    return text(samples, read["tool"])


def turned(degrees):
    sine, cosine = math.sin(math.radians(degrees)), math.cos(math.radians(degrees))
    return lambda x, y: (x * cosine - y * sine, x * sine + y * cosine)


def bent(share, seed):
    """A smooth warp by so much of the length."""
    dice = random.Random(seed)
    waves = [(dice.uniform(0.5, 1.5), dice.uniform(0, 6.28), dice.uniform(0, 6.28)) for _ in range(2)]

    def place(x, y):
        (a, b, c), (d, e, f) = waves
        return (x + share * math.sin(6.28 * a * x + b + 3 * y + c), y + share * math.sin(6.28 * d * x + e + 3 * y + f))
    return place


def outlines(svg):
    """The strokes of a drawing, each the vertices that it has."""
    strokes = []
    for line in re.findall(r'<path[^>]* d="([^"]+)"', svg):
        numbers = [float(number) for number in re.findall(r"-?[0-9.]+", line)]
        points = list(zip(numbers[::2], numbers[1::2]))
        # Of `M p Q c e Q c e …` the beginning, the controls and the end are the vertices of the curve.
        strokes.append([points[0], *points[1::2], points[-1]] if "Q" in line else points)
    return [stroke for stroke in strokes if len(stroke) > 1]


def places(capture):
    """The strokes of a capture, a vertex for each sample: so version 0.3 drew them. In units of a drawing."""
    return [[(sample[1] / 60, sample[2] / 60) for sample in stroke] for stroke in cut(capture)]


def rebuilt(strokes, tool, guess):
    """A movement made of lines: each vertex a sample, as long as samples last (`even`), or slower where the line is bent
    (`curved`, the law by which hands move)."""
    samples, moment = [], 0
    dice = random.Random(str(strokes))
    for stroke in strokes:
        for place, (x, y) in enumerate(stroke):
            if place:
                moment += STEP[tool] * (1 if guess == "even" else slowness(stroke, place))
            share = place / (len(stroke) - 1)
            pressure = round((0.25 + 1.6 * share * (1 - share)) * 65_535 + dice.uniform(-900, 900))
            samples.append([round(moment), round(x * 60), round(y * 60),
                            max(1, min(pressure, 65_535)) if tool == "pen" else 0, None, None, 0])
        samples[-1][6] = 1
        moment += GAP
    # As long as people take: a forger knows that.
    return changed(text(samples, tool), turned(5), USUAL / max(samples[-1][0], 1))


def slowness(stroke, place):
    """How long a step lasts beside the usual one: longer where the line is bent, by the power of a third."""
    if not 0 < place < len(stroke) - 1:
        return 1
    (ax, ay), (bx, by), (cx, cy) = stroke[place - 1:place + 2]
    angle = abs(math.atan2((bx - ax) * (cy - by) - (by - ay) * (cx - bx), (bx - ax) * (cx - bx) + (by - ay) * (cy - by)))
    return 0.5 + 1.5 * angle ** (1 / 3)
