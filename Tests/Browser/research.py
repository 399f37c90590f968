"""Signatures of a research set, as strokes that `hand.write` dispatches: genuine ones and forgeries by people who had
practised. The set is no part of this repository; without it the scripts that want it say so, and take made-up hands."""

import csv
import gzip
from pathlib import Path

FILE = Path(__file__).resolve().parents[3] / "shared/data/signatures/svc2004-task2-users01-20.csv.gz"


def is_here():
    return FILE.exists()


def read(user):
    """Of one user: (genuine, forged), each a list of signatures."""
    rows = {"genuine": {}, "forgery": {}}
    with gzip.open(FILE, "rt") as file:
        for row in csv.DictReader(file):
            if row["user"] == user:
                rows[row["kind"]].setdefault(int(row["signature"]), []).append(row)
    return [[strokes(samples) for _, samples in sorted(rows[kind].items())] for kind in ("genuine", "forgery")]


def strokes(rows):
    """Strokes of (x, y, force, seconds), x from 0 to 2 and y from 0 to 1, downwards as a page has it."""
    places = [(int(row["x"]), int(row["y"])) for row in rows]
    left, right = min(x for x, _ in places), max(x for x, _ in places)
    bottom, top = min(y for _, y in places), max(y for _, y in places)
    scale = min(1.9 / max(right - left, 1), 0.9 / max(top - bottom, 1))
    found, stroke, moment = [], [], 0.0
    before = None
    for row, (x, y) in zip(rows, places):
        at = int(row["t"]) / 1000
        # A clock that stands or goes back: one step of the sensor.
        moment += 0 if before is None else max(at - before, 0.01)
        before = at
        if row["penup"] == "1":
            if stroke:
                found.append(stroke)
            stroke = []
        else:
            stroke.append((0.05 + (x - left) * scale, 0.05 + (top - y) * scale, int(row["pressure"]) / 1023, moment))
    return [one for one in found + [stroke] if len(one) > 1]
