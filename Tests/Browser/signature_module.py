#!/usr/bin/env python3
"""Runs Web/hand-signatures/hand-signatures.wasm in Chromium and compares it with the native code, bit for bit.

    signature_module.py CALLS MODEL

CALLS is a file of JSON: [{"call": …, "answer": …}, …], base64url; behind each call comes MODEL as a blob when the call
has "model": true. BrowserTests.signatureModule makes both. Prints the time of a comparison.
"""

import pathlib
import sys

import module_page

ROOT = pathlib.Path(__file__).resolve().parents[2]
LIMIT = 300  # seconds, for everything


def main():
    calls, model = (pathlib.Path(path).read_bytes() for path in sys.argv[1:3])
    module = (ROOT / "Web/hand-signatures/hand-signatures.wasm").read_bytes()
    files = {
        "/calls.json": ("application/json", calls),
        "/model.json": ("application/json", model),
        "/module.wasm": ("application/wasm", module),
    }
    result = module_page.run(pathlib.Path(__file__).with_suffix(".js").read_bytes(), files, LIMIT)
    if not result:
        sys.exit(f"signature module: no result after {LIMIT} s")
    for failure in result["failures"]:
        print("signature module: FAILED:", failure)
    if result["failures"]:
        sys.exit(1)
    print(f"signature module: {result['calls']} calls answered as native, {result['compared']} of them comparisons")
    print(f"signature module: a comparison takes {result['median_ms']:.2f} ms (median)")


if __name__ == "__main__":
    main()
