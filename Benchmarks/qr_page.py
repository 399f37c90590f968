"""How long a page takes to read the frames of qr_pictures.py, in Chromium, with the module and reader that ship.

usage: qr_page.py [--count 400]     (so many of the pictures of seed 1)

Each frame is read three times, and its shortest time counts: a page has no clock of its processor time alone.
"""

import argparse
import pathlib
import sys

import qr_pictures
from qr_pictures import np

root = pathlib.Path(__file__).resolve().parent.parent
sys.path.append(str(root / "Tests/Browser"))
import module_page  # noqa: E402

SCRIPT = b"""
import { prepare, read } from '/assets/scanner/reader.js';
const { count, width, height } = await (await fetch('/pictures.json')).json();
await prepare();
const data = new Uint8ClampedArray(4 * width * height).fill(255);
const times = [];
let hits = 0;
for (let index = 0; index < count; index += 1) {
  const [grey, text] = await Promise.all([
    fetch(`/${index}.grey`).then((response) => response.arrayBuffer()), fetch(`/${index}.txt`).then((response) => response.text())]);
  new Uint8Array(grey).forEach((shade, at) => { data.fill(shade, 4 * at, 4 * at + 3); });
  let shortest = Infinity;
  let found;
  for (let round = 0; round < 3; round += 1) {
    const start = performance.now();
    found = read({ data, width, height });
    shortest = Math.min(shortest, performance.now() - start);
  }
  times.push(shortest);
  hits += found.text === text ? 1 : 0;
}
await fetch('/', { method: 'POST', body: JSON.stringify({ times, hits }) });
"""


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--count", type=int, default=400)
    count = parser.parse_args().count
    files = {f"/assets/scanner/{name}": (kind, (root / "Web/scanner" / name).read_bytes())
             for name, kind in (("reader.js", "text/javascript"), ("scanner.wasm", "application/wasm"))}
    size = f'{{"count": {count}, "width": {qr_pictures.WIDTH}, "height": {qr_pictures.HEIGHT}}}'
    files["/pictures.json"] = ("application/json", size.encode())
    for index in range(count):
        kind = qr_pictures.KINDS[index % len(qr_pictures.KINDS)]
        text, pixels = qr_pictures.picture(np.random.default_rng([1, index]), kind)
        files[f"/{index}.grey"] = ("application/octet-stream", pixels.tobytes())
        files[f"/{index}.txt"] = ("text/plain", text.encode())
    result = module_page.run(SCRIPT, files, 600)
    if not result:
        sys.exit("the page did not answer")
    times = result["times"]
    shares = ", ".join(f"{label} {np.percentile(times, share):.2f}" for label, share in qr_pictures.PERCENTILES.items())
    print(f"in the page, {count} frames: {100 * result['hits'] / count:.1f} % read, mean {np.mean(times):.2f}, {shares} ms")


if __name__ == "__main__":
    main()
