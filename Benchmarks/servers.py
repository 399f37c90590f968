#!/usr/bin/env python3
"""One server and two servers on one PostgreSQL, under the same load, in turn; and who used the processor meanwhile.

  Benchmarks/servers.py [--seconds 15] [--rounds 3] [--members 12] [--program .build/release/countersign]

The load is `countersign-bench hammer run`: people with wallets, who sign, seal and verify on the same machine. Printed
are acknowledged acts a second, their ratio, and for each run how many cores servers, database and load took. With no
core to spare two servers cannot be faster than one: the figures say who has the cores.
"""

import os
import pathlib
import statistics
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "scripts"))
from town import Town, in_folder, options_for, wait  # noqa: E402


def processor_seconds(pid):
    """User and system time of a process and of its children, dead or alive (proc(5), /proc/PID/stat)."""
    fields = pathlib.Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
    own = sum(int(fields[index]) for index in (11, 12, 13, 14)) / os.sysconf("SC_CLK_TCK")
    children = pathlib.Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    return own + sum(processor_seconds(int(child)) for child in children)


def measure(town, servers, options):
    """Acts a second, and cores used by servers, database and load."""
    town.start_load(servers, "--members", str(options.members), "--offices", "0", "--desks", "0")
    started = town.acknowledged()
    wait("acts", lambda: town.acknowledged() >= started + 10)
    database = int((pathlib.Path(os.environ["TEST_POSTGRES_FOLDER"]) / "data/postmaster.pid").read_text().split()[0])
    processes = {"servers": [server.process.pid for server in servers], "database": [database], "load": [town.load.pid]}
    use = lambda: {name: sum(map(processor_seconds, pids)) for name, pids in processes.items()}
    before, acts, start = use(), town.acknowledged(), time.monotonic()
    time.sleep(options.seconds)
    passed = time.monotonic() - start
    rate = (town.acknowledged() - acts) / passed
    cores = {name: (after - before[name]) / passed for name, after in use().items()}
    town.stop_load()
    return rate, cores


def run(options, folder):
    town = Town(options, folder)
    rates, cores = {1: [], 2: []}, {1: [], 2: []}
    try:
        town.start()
        for _ in range(options.rounds):
            for count in (1, 2):
                rate, used = measure(town, town.servers[:count], options)
                rates[count].append(rate)
                cores[count].append(used)
    finally:
        town.stop()
    for count in (1, 2):
        used = ", ".join(
            f"{name} {statistics.median(round_[name] for round_ in cores[count]):.2f}" for name in cores[count][0]
        )
        print(f"{count} server{'s' * (count - 1)}: {statistics.median(rates[count]):.1f} acts a second; cores: {used}")
    ratios = [two / one for one, two in zip(rates[1], rates[2])]
    print(
        f"two to one: median {statistics.median(ratios):.2f}, from {min(ratios):.2f} to {max(ratios):.2f}; "
        f"{options.rounds} rounds of {options.seconds:g} s, {os.cpu_count()} cores"
    )
    return 0


parser = options_for(__doc__)
parser.add_argument("--seconds", type=float, default=15, help="of each measurement (15)")
parser.add_argument("--rounds", type=int, default=3, help="how many (3)")
parser.add_argument("--members", type=int, default=12, help="how many people act at once (12)")
parser.set_defaults(engine="postgres")
sys.exit(in_folder(parser.parse_args(), run))
