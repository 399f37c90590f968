#!/usr/bin/env python3
"""Runs Web/shell/countersign.wasm in Chromium, under the policy of our pages, and compares it with the native code.

    scripts/build-wasm && python3 Tests/Browser/wasm_check.py

1. Every call in Core/Tests/BrowserTests/Fixtures/calls.json gets the answer that the native code gave, byte for byte.
2. Every presentation in Core/Tests/VerificationTests/Fixtures/forgeries.json is judged as it must be.
3. core.js and qr.js do what they promise, a document of ten megabytes goes the whole way, memory does not grow.

Prints times. Needs Chromium (CHROMIUM names another program), and nothing but Python's own library.
"""
import base64
import http.server
import json
import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import threading

ROOT = pathlib.Path(__file__).resolve().parents[2]
FIXTURES = ROOT / "Core/Tests"
LIMIT = 300  # seconds, for everything
GOAL = 100  # milliseconds from file to result
POLICY = (
    "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; img-src 'self' blob: data:; "
    "connect-src 'self'; worker-src 'self'; manifest-src 'self'; frame-src blob:; form-action 'self'; "
    "base-uri 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types countersign"
)
PAGE = b'<!doctype html><html lang="en"><title>Check</title><body><script type="module" src="/check.js"></script>'


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
        args |= {name: case[name] for name in ("audience", "nonce") if name in case}
        if case["log"]:
            args["log_key"] = made["log"]
        item = {"title": case["name"], "args": args, "file": b64u(file)}
        item["expected"] = case["expected"] if case in made["forged"] else {}
        if case["name"] == "everything":
            header = json.loads(unb64u(texts[parts["presentation"]].split(".")[0]))
            item["chain"] = [b64u(base64.b64decode(certificate)) for certificate in header["x5c"]]
        yield item


def serve(done):
    files = {
        "/": ("text/html", PAGE),
        "/check.js": ("text/javascript", pathlib.Path(__file__).with_suffix(".js").read_bytes()),
        "/calls.json": ("application/json", (FIXTURES / "BrowserTests/Fixtures/calls.json").read_bytes()),
        "/cases.json": ("application/json", json.dumps(list(cases())).encode()),
    }
    for name, kind in (("core.js", "text/javascript"), ("qr.js", "text/javascript"),
                       ("countersign.wasm", "application/wasm")):
        files[f"/assets/shell/{name}"] = (kind, (ROOT / "Web/shell" / name).read_bytes())

    class Handler(http.server.BaseHTTPRequestHandler):
        def do_GET(self):
            kind, body = files.get(self.path, (None, b""))
            self.send_response(200 if kind else 404)
            self.send_header("Content-Type", kind or "text/plain")
            self.send_header("Content-Length", str(len(body)))
            self.send_header("Content-Security-Policy", POLICY)
            self.send_header("Cross-Origin-Opener-Policy", "same-origin")
            self.send_header("Cross-Origin-Embedder-Policy", "require-corp")
            self.end_headers()
            self.wfile.write(body)

        def do_POST(self):
            done["result"] = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            self.send_response(204)
            self.end_headers()
            done["event"].set()

        def log_message(self, *_):
            pass

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return server


def main():
    done = {"event": threading.Event()}
    server = serve(done)
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile:
        browser = subprocess.Popen(
            [os.environ.get("CHROMIUM", "chromium"), "--headless=new", "--no-sandbox", "--disable-gpu",
             "--disable-dev-shm-usage", "--no-first-run", "--disable-background-networking", "--disable-sync",
             "--disable-extensions", f"--user-data-dir={profile}", f"http://localhost:{server.server_address[1]}/"],
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True)
        finished = done["event"].wait(LIMIT)
        os.killpg(browser.pid, signal.SIGTERM)
        browser.wait(10)
    if not finished:
        sys.exit(f"wasm check: no result after {LIMIT} s")
    failures, figures = done["result"]["failures"], done["result"]["figures"]
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
