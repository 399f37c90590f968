"""Runs each measurement and its peer in turn, several rounds, and prints medians and ratios.

usage: measure.py BINARY
"""

import json
import os
import pathlib
import re
import signal
import socket
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.request

binary, here, rounds = sys.argv[1], pathlib.Path(__file__).parent, 7
environment = {name: value for name, value in os.environ.items() if not name.startswith("COUNTERSIGN_")}


def run_json(*command):
    output = subprocess.run(command, check=True, capture_output=True, text=True, env=environment).stdout
    return json.loads(output)


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def verification(kept):
    """Ours and the peer's, one after the other in every round, so that both meet the same machine."""
    ours, whole, peer = [], [], []
    for _ in range(rounds):
        figures = run_json(binary, "bench", "verify", kept, "--json", "--seconds", "1")
        ours.append(figures["signatures_per_second"])
        whole.append(figures["whole_check_milliseconds"])
        peer.append(run_json(sys.executable, here / "sd_jwt_peer.py", kept, "1")["per_second"])
    ratios = [mine / theirs for mine, theirs in zip(ours, peer)]
    print(f"issuer and key binding signatures: ours {statistics.median(ours):.0f}/s, sd-jwt {statistics.median(peer):.0f}/s")
    print(f"  ratio: median {statistics.median(ratios):.2f}, from {min(ratios):.2f} to {max(ratios):.2f}")
    print(f"whole check: median {statistics.median(whole):.3f} ms of CPU, at most {max(whole):.3f}")


def log():
    rows = [run_json(binary, "bench", "log", "--json") for _ in range(3)]
    rate = statistics.median(row["appends_per_second"] for row in rows)
    p99 = max(row["receipt_milliseconds_p99"] for row in rows)
    print(f"durable log appends: {rate:.0f}/s (64 writers, 32 outstanding each), p99 receipt at most {p99:.0f} ms")


def server():
    """Start to first answer, and resident memory when idle."""
    with tempfile.TemporaryDirectory() as data:
        port = free_port()
        url = f"http://localhost:{port}"
        command = [binary, "serve", "--data", data, "--port", str(port), "--public-url", url, "--log-level", "warning"]
        start = time.monotonic()
        process = subprocess.Popen(command, stdout=subprocess.DEVNULL, env=environment)
        while True:
            try:
                urllib.request.urlopen(url + "/healthz", timeout=1).read()
                break
            except OSError:
                time.sleep(0.005)
        first = time.monotonic() - start
        time.sleep(2)
        status = pathlib.Path(f"/proc/{process.pid}/status").read_text()
        resident = int(re.search(r"VmRSS:\s+(\d+)", status).group(1)) / 1024
        process.send_signal(signal.SIGTERM)
        process.wait(20)
        print(f"server: first answer after {first * 1000:.0f} ms, idle {resident:.1f} MiB resident")


def pages():
    """Over HTTP beside a bare hello, and in a browser: each tells its own figures."""
    subprocess.run([binary, "bench", "pages"], check=True, env=environment)
    subprocess.run([sys.executable, here / "pages.py", binary], check=True, env=environment)


with tempfile.TemporaryDirectory() as folder:
    kept = folder + "/kept"
    subprocess.run([binary, "demo", "--json", "--keep", kept], check=True, capture_output=True, env=environment)
    verification(kept)
log()
server()
# What was printed so far comes first, into a file too.
sys.stdout.flush()
subprocess.run([binary, "bench", "witness"], check=True, env=environment)
pages()
