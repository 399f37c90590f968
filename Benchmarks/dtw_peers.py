"""The peers of `countersign-bench signatures`: three packages that warp time, on the same two movements, one thread.

usage: dtw_peers.py FILE SECONDS     (FILE as `countersign-bench signatures --keep FILE` leaves it)
prints one JSON object: for each peer, microseconds (median) with and without the path; and the cost that dtw-python
finds where the measure is ours, beside ours

dtw-python computes our measure: Euclidean costs, a step in both signatures counted twice. The first pair of points counts
once there and twice here, which is added to what it finds. The other two count every
step once and have no other pattern: their costs are not ours, their work is the same.
"""

import json
import os
import statistics
import sys
import time

os.environ |= {"OMP_NUM_THREADS": "1", "NUMBA_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}

import numpy as np  # noqa: E402
from dtaidistance import dtw_ndim  # noqa: E402
from dtw import dtw  # noqa: E402
from scipy.spatial.distance import cdist  # noqa: E402
from tslearn.metrics import dtw as tslearn_distance  # noqa: E402
from tslearn.metrics import dtw_path as tslearn_path  # noqa: E402

made, seconds = json.load(open(sys.argv[1])), float(sys.argv[2])
first, second = (np.array(made[name], dtype=np.double) for name in ("first", "second"))


def both(isDistanceOnly):
    return dtw(cdist(first, second), step_pattern="symmetric2", distance_only=isDistanceOnly)


peers = {
    "dtw-python": (lambda: both(False), lambda: both(True)),
    "dtaidistance": (lambda: dtw_ndim.warping_path(first, second, use_c=True), lambda: dtw_ndim.distance_fast(first, second)),
    "tslearn": (lambda: tslearn_path(first, second), lambda: tslearn_distance(first, second)),
}


def microseconds(work):
    work()  # compiles, where a peer compiles
    times, end = [], time.monotonic() + seconds
    while time.monotonic() < end or len(times) < 5:
        start = time.perf_counter()
        work()
        times.append(time.perf_counter() - start)
    return statistics.median(times) * 1e6


figures = {
    name: {"path_microseconds": microseconds(path), "cost_microseconds": microseconds(cost)}
    for name, (path, cost) in peers.items()
}
theirs = both(True).normalizedDistance + cdist(first[:1], second[:1])[0][0] / (len(first) + len(second))
print(json.dumps({"peers": figures, "ours": made["cost"], "dtw-python": theirs}))
