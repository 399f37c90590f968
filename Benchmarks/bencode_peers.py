"""The peers of `countersign-bench bencode`: two packages that write the same challenge, one thread.

usage: bencode_peers.py BYTES SECONDS     (BYTES: the challenge as we write it)
prints one JSON object: for each peer, nanoseconds (median)
"""

import json
import statistics
import sys
import time

import bencodepy
import fastbencode

expected, seconds = sys.argv[1].encode(), float(sys.argv[2])
challenge = bencodepy.decode(expected)


def nanoseconds(work):
    if work(challenge) != expected:
        sys.exit("a peer writes other bytes")
    times, end = [], time.monotonic() + seconds
    while time.monotonic() < end:
        start = time.perf_counter()
        for _ in range(1_000):
            work(challenge)
        times.append((time.perf_counter() - start) * 1e6)
    return statistics.median(times)


peers = {"bencode.py": bencodepy.encode, "fastbencode": fastbencode.bencode}
print(json.dumps({name: nanoseconds(work) for name, work in peers.items()}))
