"""A page of its own for what WebAssembly is checked with: a script and files, under the policy of our pages."""

import http.server
import json
import os
import pathlib
import signal
import subprocess
import tempfile
import threading

POLICY = (
    "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; img-src 'self' blob: data:; "
    "connect-src 'self'; worker-src 'self'; manifest-src 'self'; frame-src blob:; form-action 'self'; "
    "base-uri 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types countersign"
)
CALL = pathlib.Path(__file__).with_name("raw_call.js").read_bytes()
PAGE = b'<!doctype html><html lang="en"><title>Check</title><body><script type="module" src="/check.js"></script>'


def run(script, files, seconds):
    """What the script posts, or `None` when it posts nothing in time.

    files: address -> (media type, bytes).
    """
    done = {"event": threading.Event()}
    ours = {"/": ("text/html", PAGE), "/check.js": ("text/javascript", script), "/raw_call.js": ("text/javascript", CALL)}
    server = serve(ours | files, done)
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile:
        browser = subprocess.Popen(
            [os.environ.get("CHROMIUM", "chromium"), "--headless=new", "--no-sandbox", "--disable-gpu",
             "--disable-dev-shm-usage", "--no-first-run", "--disable-background-networking", "--disable-sync",
             "--disable-extensions", f"--user-data-dir={profile}", f"http://localhost:{server.server_address[1]}/"],
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True)
        done["event"].wait(seconds)
        os.killpg(browser.pid, signal.SIGTERM)
        browser.wait(10)
    return done.get("result")


def serve(files, done=None):
    """Serves files, address -> (media type, bytes), under the policy of our pages; `done` takes what the page posts."""
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
