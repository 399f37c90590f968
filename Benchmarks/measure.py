"""Runs each measurement and its peer in turn, several rounds, and prints medians and ratios.

usage: measure.py BINARY [PART…]     (documents, log, server, signatures, codes, witness, approvals, curves, pages; without
any, all)
"""

import json
import os
import pathlib
import re
import signal
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.request

sys.path.append(str(pathlib.Path(__file__).resolve().parent.parent / "scripts"))
from ports import free_port  # noqa: E402

binary, here, rounds = sys.argv[1], pathlib.Path(__file__).parent, 7
bench = str(pathlib.Path(binary).parent / "countersign-bench")
environment = {name: value for name, value in os.environ.items() if not name.startswith("COUNTERSIGN_")}


def run_json(*command):
    output = subprocess.run(command, check=True, capture_output=True, text=True, env=environment).stdout
    return json.loads(output)


def verification(kept):
    """Ours and the peer's, one after the other in every round, so that both meet the same machine."""
    ours, whole, peer = [], [], []
    for _ in range(rounds):
        figures = run_json(bench, "verify", kept, "--json", "--seconds", "1")
        ours.append(figures["signatures_per_second"])
        whole.append(figures["whole_check_milliseconds"])
        peer.append(run_json(sys.executable, here / "sd_jwt_peer.py", kept, "1")["per_second"])
    ratios = [mine / theirs for mine, theirs in zip(ours, peer)]
    print(f"issuer and key binding signatures: ours {statistics.median(ours):.0f}/s, sd-jwt {statistics.median(peer):.0f}/s")
    print(f"  ratio: median {statistics.median(ratios):.2f}, from {min(ratios):.2f} to {max(ratios):.2f}")
    print(f"whole check: median {statistics.median(whole):.3f} ms of CPU, at most {max(whole):.3f}")


def log():
    rows = [run_json(bench, "log", "--json") for _ in range(3)]
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


def signatures():
    """The alignment of hand signatures beside three packages, in turn."""
    peer_python = pathlib.Path(__file__).resolve().parent.parent / ".build-tools/benchmarks/bin/python"
    ours, peers, pages = [], [], []
    with tempfile.TemporaryDirectory() as folder:
        for _ in range(rounds):
            ours.append(run_json(bench, "signatures", "--json", "--seconds", "0.5", "--keep", folder + "/made",
                                 "--keep-call", folder + "/call"))
            pages.append(run_json(sys.executable, here / "signature_page.py", folder + "/call"))
            peers.append(run_json(peer_python, here / "dtw_peers.py", folder + "/made", "0.5"))
    median = lambda name: statistics.median(row[name] for row in ours)
    print(f"alignment, 250 x 250 x 12: with path {median('alignment_microseconds'):.0f} us, cost alone {median('cost_microseconds'):.0f} us")
    for kind, name in (("path", "alignment_microseconds"), ("cost", "cost_microseconds")):
        for peer in peers[0]["peers"]:
            theirs = [row["peers"][peer][f"{kind}_microseconds"] for row in peers]
            ratios = [other / mine[name] for other, mine in zip(theirs, ours)]
            print(f"  {kind}: {peer} {statistics.median(theirs):.0f} us, ratio: median {statistics.median(ratios):.2f}, from {min(ratios):.2f} to {max(ratios):.2f}")
    print(f"  cost by dtw-python {peers[0]['dtw-python']:.9f}, by us {peers[0]['ours']:.9f}")
    ratios = [page["microseconds"] / mine["call_microseconds"] for page, mine in zip(pages, ours)]
    print(f"the same call in Chromium {statistics.median(page['microseconds'] for page in pages):.0f} us, natively {median('call_microseconds'):.0f} us, ratio: median {statistics.median(ratios):.2f}, from {min(ratios):.2f} to {max(ratios):.2f}")
    print(f"a verification, five references: {median('verification_microseconds'):.0f} us, features {median('features_microseconds'):.0f} us of them")


def codes():
    """Reading QR codes in made pictures beside zbar and zxing-cpp, and in a page."""
    peer_python = pathlib.Path(__file__).resolve().parent.parent / ".build-tools/benchmarks/bin/python"
    subprocess.run([peer_python, here / "qr_pictures.py", f"{bench} qr"], check=True, env=environment)
    subprocess.run([peer_python, here / "qr_page.py"], check=True, env=environment)


def pages():
    """Over HTTP beside a bare hello, and in a browser: each tells its own figures."""
    subprocess.run([bench, "pages"], check=True, env=environment)
    subprocess.run([sys.executable, here / "pages.py", binary], check=True, env=environment)


def documents():
    """Checks of the document that the demo makes."""
    with tempfile.TemporaryDirectory() as folder:
        kept = folder + "/kept"
        subprocess.run([binary, "demo", "--json", "--keep", kept], check=True, capture_output=True, env=environment)
        verification(kept)


def witness():
    subprocess.run([bench, "witness"], check=True, env=environment)


def approvals():
    """The sample challenge beside two packages, in turn; then answers over HTTP on both engines, beside their floors."""
    peer_python = pathlib.Path(__file__).resolve().parent.parent / ".build-tools/benchmarks/bin/python"
    ours, peers = [], []
    for _ in range(rounds):
        ours.append(run_json(bench, "bencode", "--json"))
        peers.append(run_json(peer_python, here / "bencode_peers.py", ours[-1]["bytes"], "1"))
    for name, work in (("challenge_nanoseconds", "the challenge"), ("value_nanoseconds", "a tree of values")):
        print(f"Bencode, {work}: {statistics.median(row[name] for row in ours):.0f} ns")
        for peer in peers[0]:
            ratios = [row[peer] / mine[name] for row, mine in zip(peers, ours)]
            theirs = statistics.median(row[peer] for row in peers)
            print(f"  {peer} {theirs:.0f} ns, ratio: median {statistics.median(ratios):.2f}, from {min(ratios):.2f} to {max(ratios):.2f}")
    sys.stdout.flush()
    command = [here.parent / "scripts/with-postgres", "sh", "-c", f'"{bench}" approvals --database "${{TEST_POSTGRES%%\\?*}}"']
    subprocess.run(command, check=True, env=environment)


def curves():
    """Our elliptic curves beside OpenSSL, BoringSSL and BigInt: a package of its own, built first."""
    package = ["--package-path", here / "Curves", "-c", "release"]
    subprocess.run(["swift", "build", *package, "-j", "2"], check=True, stdout=sys.stderr, env=environment)
    subprocess.run(["swift", "run", *package, "--skip-build", "curves"], check=True, env=environment)


parts = [documents, log, server, signatures, codes, witness, approvals, curves, pages]
if unknown := set(sys.argv[2:]) - {part.__name__ for part in parts}:
    sys.exit(f"no such part: {', '.join(sorted(unknown))}\n{__doc__}")
for part in parts:
    if part.__name__ in sys.argv[2:] or not sys.argv[2:]:
        part()
        # Flush earlier output first, also into a file.
        sys.stdout.flush()
