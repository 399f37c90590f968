#!/usr/bin/env python3
"""Runs the modules of the shell, of the scanner, of approvals and of Pico in Chromium, under the policy of our pages, and compares it with the native code.

    scripts/build-wasm && python3 Tests/Browser/wasm_check.py

1. Every call in Core/Tests/BrowserTests/Fixtures/calls.json gets the answer that the native code gave, byte for byte.
2. Every presentation in Core/Tests/VerificationTests/Fixtures/forgeries.json is judged as it must be.
3. Every frame in Core/Tests/CodeScannerTests/Fixtures/frames.json is read as the native code read it.
4. Recorded runs of Pico come out the same with the browser's AES and keys; one on P-192 needs the module with all curves.
5. core.js and qr.js do what they promise, a document of ten megabytes goes the whole way, memory does not grow.

Prints times. Needs Chromium (CHROMIUM names another program), and nothing but Python's own library.
"""
import base64
import json
import pathlib
import sys

import module_page

ROOT = pathlib.Path(__file__).resolve().parents[2]
FIXTURES = ROOT / "Core/Tests"
LIMIT = 300  # seconds, for everything
GOAL = 100  # milliseconds from file to result


def b64u(data):
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def unb64u(text):
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))


def cases():
    """The cases of forgeries.json as arguments of `verify`, with what must come out."""
    made = json.loads((FIXTURES / "VerificationTests/Fixtures/forgeries.json").read_text())
    texts = made["texts"]
    for case in made["good"] + made["forged"]:
        if case["require_document"]:
            continue  # only the command line asks for that
        parts = case["bundle"]
        if "raw" in parts:
            file = unb64u(parts["raw"])
        else:
            bundle = {"format": "countersign-presentation-v1", "presentation": texts[parts["presentation"]],
                      "status": [texts[index] for index in parts["status"]]}
            if "document" in parts:
                bundle["document"] = {name: texts[index] for name, index in parts["document"].items()}
            if "receipt" in parts:
                bundle["receipt"] = texts[parts["receipt"]]
            file = json.dumps(bundle, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()
        args = {"root": made["root"], "time": case["now"], "live_status": [texts[index] for index in case["live"]]}
        args |= {name: case[name] for name in ("audience", "any_audience", "nonce", "maximum_age") if name in case}
        if case["log"]:
            args["log_key"] = made["log"]
        item = {"title": case["name"], "args": args, "file": b64u(file)}
        item["expected"] = case["expected"] if case in made["forged"] else {}
        if case["name"] == "everything":
            header = json.loads(unb64u(texts[parts["presentation"]].split(".")[0]))
            item["chain"] = [b64u(base64.b64decode(certificate)) for certificate in header["x5c"]]
        yield item


def runs():
    """Runs of Pico that a page could make again, and one with a service on an old curve."""
    names = ("p256-auth-pico-libpico", "p256-pair-leading-zero-z", "p256-pair-service-libpico", "p192-pair-pico-libpico")
    return [json.loads((FIXTURES / f"PicoTests/Fixtures/{name}.json").read_text()) for name in names]


def files():
    shell = {"core.js": "text/javascript", "qr.js": "text/javascript", "translate.js": "text/javascript", "countersign.wasm": "application/wasm"}
    return {
        "/calls.json": ("application/json", (FIXTURES / "BrowserTests/Fixtures/calls.json").read_bytes()),
        "/cases.json": ("application/json", json.dumps(list(cases())).encode()),
        "/frames.json": ("application/json", (FIXTURES / "CodeScannerTests/Fixtures/frames.json").read_bytes()),
        "/approvals.json": ("application/json", (FIXTURES / "ApprovalsTests/Fixtures/approvals.json").read_bytes()),
        "/assets/approvals/approvals.wasm": ("application/wasm", (ROOT / "Web/approvals/approvals.wasm").read_bytes()),
        "/assets/approvals/protocol.js": ("text/javascript", (ROOT / "Web/approvals/protocol.js").read_bytes()),
        "/pico.json": ("application/json", json.dumps(runs()).encode()),
        "/assets/pico/pico.wasm": ("application/wasm", (ROOT / "Web/pico/pico.wasm").read_bytes()),
        "/assets/pico/old-curves.wasm": ("application/wasm", (ROOT / "Web/pico/old-curves.wasm").read_bytes()),
        "/assets/pico/old-curves.js": ("text/javascript", (ROOT / "Web/pico/old-curves.js").read_bytes()),
        "/assets/pico/protocol.js": ("text/javascript", (ROOT / "Web/pico/protocol.js").read_bytes()),
        "/assets/accounts/key-curves.js": ("text/javascript", (ROOT / "Web/accounts/key-curves.js").read_bytes()),
        "/assets/scanner/scanner.wasm": ("application/wasm", (ROOT / "Web/scanner/scanner.wasm").read_bytes()),
        "/assets/scanner/reader.js": ("text/javascript", (ROOT / "Web/scanner/reader.js").read_bytes()),
    } | {f"/assets/shell/{name}": (kind, (ROOT / "Web/shell" / name).read_bytes()) for name, kind in shell.items()}


def main():
    result = module_page.run(pathlib.Path(__file__).with_suffix(".js").read_bytes(), files(), LIMIT)
    if not result:
        sys.exit(f"wasm check: no result after {LIMIT} s")
    failures, figures = result["failures"], result["figures"]
    for failure in failures:
        print("wasm check: FAILED:", failure)
    for name, value in figures.items():
        shown = value if isinstance(value, dict) else {"": value}
        print(f"wasm check: {name.replace('_', ' ')}:", ", ".join(f"{k} {v:.4g}".strip() for k, v in shown.items()))
    if failures:
        sys.exit(1)
    verdict = "within" if figures["verify_ms"]["median"] <= GOAL else "NOT within"
    print(f"wasm check: all as native; a file is verified {verdict} the goal of {GOAL} ms")


if __name__ == "__main__":
    main()
