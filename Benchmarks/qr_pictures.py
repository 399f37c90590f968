"""How many QR codes in made pictures are read, and how fast: ours beside zbar and zxing-cpp, in one run.

usage: qr_pictures.py PROGRAM [--count 2000] [--seed 1] [--keep FOLDER] [--json]

PROGRAM is what reads frames: `countersign-bench qr`. It gets each frame as width and height (four bytes each, the highest
first) and the grey pixels, and answers each with a line: microseconds of processor time, then the text in hexadecimal or `-`.

The pictures have 640 x 480 pixels and fixed seeds. Each is turned by any angle and belongs to one kind of trouble; the
kinds take turns. One thread each. Times are the processor's, in which other work on the machine counts little. A text that
is read, but wrong, is counted apart and is no hit.
"""

import argparse
import json
import os
import statistics
import struct
import subprocess
import sys
import time

os.environ |= {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}

import numpy as np  # noqa: E402
import qrcode  # noqa: E402
import zxingcpp  # noqa: E402
from PIL import Image, ImageFilter  # noqa: E402
from pyzbar import pyzbar  # noqa: E402

WIDTH, HEIGHT, FINER = 640, 480, 2
KINDS = ["turned", "blur", "noise", "dark", "uneven", "perspective", "curved", "mixed"]
PERCENTILES = {"median": 50, "p95": 95, "p99": 99, "longest": 100}
LETTERS = np.array(list("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~/?#=&"))
LEVELS = [
    qrcode.constants.ERROR_CORRECT_L,
    qrcode.constants.ERROR_CORRECT_M,
    qrcode.constants.ERROR_CORRECT_Q,
    qrcode.constants.ERROR_CORRECT_H,
]


def symbol(random):
    """A text and its modules, with the quiet zone: 1 is light."""
    length = int(random.choice([12, 30, 60, 100, 160, 260]) * random.uniform(0.7, 1.3))
    text = "https://" + "".join(random.choice(LETTERS, max(4, length - 8)))
    code = qrcode.QRCode(error_correction=LEVELS[random.integers(4)], border=4)
    code.add_data(text.encode("ascii"), optimize=0)
    code.make(fit=True)
    return text, 1 - np.array(code.get_matrix(), dtype=np.float32)


def homography(source, target):
    rows, right = [], []
    for (x, y), (u, v) in zip(source, target):
        rows += [[x, y, 1, 0, 0, 0, -u * x, -u * y], [0, 0, 0, x, y, 1, -v * x, -v * y]]
        right += [u, v]
    return np.append(np.linalg.solve(np.array(rows), np.array(right)), 1).reshape(3, 3)


def background(random):
    """Paper or a table, with lines of something like print."""
    ground = np.full((HEIGHT * FINER, WIDTH * FINER), random.uniform(0.45, 1), dtype=np.float32)
    for _ in range(random.integers(0, 60)):
        x, y = random.integers(0, WIDTH * FINER), random.integers(0, HEIGHT * FINER)
        ground[y : y + random.integers(3, 40), x : x + random.integers(3, 160)] = random.uniform(0, 1)
    return ground


def picture(random, kind):
    """A text and a picture of its code."""
    text, modules = symbol(random)
    side = modules.shape[0]
    mixed = kind == "mixed"
    trouble = {name: kind == name or (mixed and random.random() < 0.4) for name in KINDS}
    # Pixels of the whole side with its quiet zone, at least 2.6 a module.
    least = max(2.6 * side, 110)
    size = random.uniform(least, max(least * 1.05, 400)) * FINER
    angle = random.uniform(0, 2 * np.pi)
    turn = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
    corners = np.array([[-0.5, -0.5], [0.5, -0.5], [0.5, 0.5], [-0.5, 0.5]])
    if trouble["perspective"]:
        tilt, heading = random.uniform(0.2, 0.55), random.uniform(0, 2 * np.pi)
        depth = 1 + tilt * (corners @ [np.cos(heading), np.sin(heading)])
        squeeze = np.array([np.cos(heading), np.sin(heading)])
        corners = corners - np.outer(corners @ squeeze, squeeze) * (1 - np.cos(tilt * 1.6))
        corners = corners / depth[:, None]
    placed = corners @ turn.T * size
    room = np.array([WIDTH * FINER, HEIGHT * FINER]) - (placed.max(0) - placed.min(0))
    placed = placed - placed.min(0) + np.where(room > 0, room * random.uniform(0, 1, 2), room / 2)
    back = homography(placed, (np.array([[0, 0], [1, 0], [1, 1], [0, 1]]) * side))
    y, x = np.mgrid[0 : HEIGHT * FINER, 0 : WIDTH * FINER].astype(np.float32) + 0.5
    scale = back[2, 0] * x + back[2, 1] * y + back[2, 2]
    u = (back[0, 0] * x + back[0, 1] * y + back[0, 2]) / scale / side
    v = (back[1, 0] * x + back[1, 1] * y + back[1, 2]) / scale / side
    if trouble["curved"]:
        # A page that bends like a piece of a cylinder: across, and seen from a little above.
        bend, rise = random.uniform(0.4, 1.1), random.uniform(-0.12, 0.12)
        along = np.clip((u - 0.5) * 2 * np.sin(bend / 2), -1, 1)
        v = v + rise * (4 * (u - 0.5) ** 2 - 0.5) * bend
        u = np.arcsin(along) / bend + 0.5
    inside = (u >= 0) & (u < 1) & (v >= 0) & (v < 1)
    column = np.clip((u * side).astype(np.int32), 0, side - 1)
    row = np.clip((v * side).astype(np.int32), 0, side - 1)
    ink, paper = random.uniform(0, 0.2), random.uniform(0.75, 1)
    shade = np.where(inside, ink + (paper - ink) * modules[row, column], background(random))
    shade = shade.reshape(HEIGHT, FINER, WIDTH, FINER).mean((1, 3))
    pixels_a_module = size / FINER / side
    if trouble["blur"]:
        radius = random.uniform(0.2, 0.62) * pixels_a_module
        blurred = Image.fromarray((shade * 255).astype(np.uint8)).filter(ImageFilter.GaussianBlur(radius))
        shade = np.asarray(blurred, dtype=np.float32) / 255
    if trouble["uneven"]:
        across, down = np.mgrid[0:HEIGHT, 0:WIDTH][::-1] / np.array([WIDTH, HEIGHT])[:, None, None]
        heading = random.uniform(0, 2 * np.pi)
        slope = (across - 0.5) * np.cos(heading) + (down - 0.5) * np.sin(heading)
        shade = shade * np.clip(0.55 + random.uniform(0.4, 0.9) * slope, 0.06, 1)
        if random.random() < 0.5:
            # The edge of a shadow.
            place, soft = random.uniform(-0.25, 0.25), random.uniform(0.005, 0.08)
            shade = shade * (random.uniform(0.3, 0.6) + 0.4 / (1 + np.exp(-(slope - place) / soft)))
    if trouble["dark"]:
        shade = shade * random.uniform(0.06, 0.3) + random.uniform(0, 0.08)
    noise = 0.012 if trouble["dark"] else 0.01
    if trouble["noise"]:
        noise = random.uniform(0.05, 0.22) * (0.5 if mixed else 1) * (0.3 if trouble["dark"] else 1)
    shade = shade + random.normal(0, noise, shade.shape)
    return text, (np.clip(shade, 0, 1) * 255 + 0.5).astype(np.uint8)


class Ours:
    def __init__(self, command):
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)

    def read(self, pixels):
        height, width = pixels.shape
        self.process.stdin.write(struct.pack(">II", width, height) + pixels.tobytes())
        self.process.stdin.flush()
        line = self.process.stdout.readline().split()
        if len(line) != 2:
            sys.exit("qr_pictures.py: the program that reads frames has ended")
        try:
            text = bytes.fromhex(line[1].decode()).decode("ascii")
        except ValueError:
            text = None
        return text, int(line[0]) / 1000


def timed(read):
    def work(pixels):
        start = time.thread_time()
        text = read(pixels)
        return text, (time.thread_time() - start) * 1000

    return work


def zxing(pixels):
    found = zxingcpp.read_barcodes(pixels, formats=zxingcpp.BarcodeFormat.QRCode)
    return found[0].text if found else None


def zbar(pixels):
    height, width = pixels.shape
    found = pyzbar.decode((pixels.tobytes(), width, height), symbols=[pyzbar.ZBarSymbol.QRCODE])
    return found[0].data.decode("utf-8", "replace") if found else None


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program", help="the command that reads frames, as one argument")
    parser.add_argument("--count", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--keep", help="a folder for the pictures that we miss and a peer reads")
    parser.add_argument("--json", action="store_true")
    arguments = parser.parse_args()
    readers = {"ours": Ours(arguments.program.split()).read, "zbar": timed(zbar), "zxing-cpp": timed(zxing)}
    hits = {name: dict.fromkeys(KINDS, 0) for name in readers}
    wrong, times = dict.fromkeys(readers, 0), {name: [] for name in readers}
    totals = dict.fromkeys(KINDS, 0)
    for index in range(arguments.count):
        kind = KINDS[index % len(KINDS)]
        text, pixels = picture(np.random.default_rng([arguments.seed, index]), kind)
        totals[kind] += 1
        got = {}
        for name, read in readers.items():
            got[name], milliseconds = read(pixels)
            times[name].append(milliseconds)
            hits[name][kind] += got[name] == text
            wrong[name] += got[name] is not None and got[name] != text
        if arguments.keep and got["ours"] != text and text in got.values():
            os.makedirs(arguments.keep, exist_ok=True)
            Image.fromarray(pixels).save(f"{arguments.keep}/{kind}-{index}.png")
    figures = {
        name: {
            "hit_percent": 100 * sum(hits[name].values()) / arguments.count,
            "wrong": wrong[name],
            "milliseconds": {"mean": statistics.mean(times[name])} | {
                label: float(np.percentile(times[name], share)) for label, share in PERCENTILES.items()
            },
            "hit_percent_by_kind": {kind: 100 * hits[name][kind] / max(1, totals[kind]) for kind in KINDS},
        }
        for name in readers
    }
    if arguments.json:
        print(json.dumps({"count": arguments.count, "seed": arguments.seed, "readers": figures}))
        return
    print(f"{arguments.count} pictures, seed {arguments.seed}")
    labels = ["mean", *PERCENTILES]
    print(f"{'':10} {'hits':>7} {'wrong':>6} " + " ".join(f"{label:>11}" for label in [*labels, *KINDS]))
    for name, one in figures.items():
        spent = " ".join(f"{one['milliseconds'][label]:8.2f} ms" for label in labels)
        shares = " ".join(f"{one['hit_percent_by_kind'][kind]:10.1f}%" for kind in KINDS)
        print(f"{name:10} {one['hit_percent']:6.2f}% {one['wrong']:6} {spent} {shares}")


if __name__ == "__main__":
    main()
