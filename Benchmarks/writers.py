#!/usr/bin/env python3
"""Durable acts of one, two and four processes on one PostgreSQL, each held to the same share of a core.

  scripts/with-postgres Benchmarks/writers.py [--share 0.15] [--seconds 5] [--rounds 5]
      [--program .build/release/countersign-bench] [--before OTHER_PROGRAM]

A control group holds each process to its share (as root, cgroup version 1 or 2), so that the cores are not the bound:
what one process cannot do, a second can. Meanwhile `pg_locks` is looked at a hundred times a second: the share of time
in which anybody holds the writer's lock. First of all one process without any bound, which `--before` compares with an
older `countersign bench storage`, round by round.
"""

import argparse
import json
import os
import pathlib
import statistics
import subprocess
import sys
import time

COUNTS = (1, 2, 4)
PERIOD = 10_000  # microseconds: short, so that nobody stands still for long


class Group:
    """A control group of one process."""

    def __init__(self, name, share):
        root = pathlib.Path("/sys/fs/cgroup")
        quota = int(PERIOD * share)
        if (root / "cgroup.controllers").exists():
            self.path, limits = root / name, {"cpu.max": f"{quota} {PERIOD}"}
        else:
            self.path = root / "cpu" / name
            limits = {"cpu.cfs_period_us": str(PERIOD), "cpu.cfs_quota_us": str(quota)}
        self.path.mkdir()
        for file, value in limits.items():
            (self.path / file).write_text(value)

    def enter(self):
        (self.path / "cgroup.procs").write_text(str(os.getpid()))

    def remove(self):
        self.path.rmdir()


def sample(database, seconds):
    """A process that prints in which share of the looks at it somebody held the lock, and how many waited."""
    # Each look is a statement of its own: within one, PostgreSQL asks its lock table only once.
    loop = f"""
        DO $$
        DECLARE held bigint := 0; waiting bigint := 0; looked record;
        BEGIN
            FOR look IN 1..{int(seconds * 100)} LOOP
                SELECT count(*) FILTER (WHERE granted) AS held, count(*) FILTER (WHERE NOT granted) AS waiting
                    INTO looked FROM pg_locks WHERE locktype = 'advisory';
                held := held + looked.held;
                waiting := waiting + looked.waiting;
                PERFORM pg_sleep(0.01);
            END LOOP;
            PERFORM set_config('bench.held', (held / {seconds * 100:f})::text, false);
            PERFORM set_config('bench.waiting', (waiting / {seconds * 100:f})::text, false);
        END $$"""
    answer = "SELECT current_setting('bench.held') || ' ' || current_setting('bench.waiting')"
    return subprocess.Popen(
        ["psql", "--no-psqlrc", "-qAt", "-c", loop, "-c", answer, database], stdout=subprocess.PIPE, text=True
    )


def measure(options, database, groups):
    """Acts a second of all together, and what was seen of the lock and the cores; no groups: one without a bound."""
    at = time.time() + 2
    command = [options.program, "writers", "--database", database, "--json", "--at", str(at)]
    command += ["--seconds", str(options.seconds), "--writers", str(options.writers)]
    processes = [
        subprocess.Popen(command, stdout=subprocess.PIPE, text=True, preexec_fn=group.enter if group else None)
        for group in groups
    ]
    time.sleep(max(0, at - time.time()))
    watcher = sample(database, options.seconds * 0.8)
    figures = [json.loads(process.communicate()[0]) for process in processes]
    held, waiting = map(float, watcher.communicate()[0].split())
    return {
        "acts": sum(figure["acts_per_second"] for figure in figures),
        "commit": statistics.mean(figure["acts_per_commit"] for figure in figures),
        "cores": statistics.mean(figure["cores"] for figure in figures),
        "own": statistics.mean(figure["lock_held_share"] for figure in figures),
        "held": held,
        "waiting": waiting,
    }


def before(options, database):
    """What an older program's `bench storage` says of PostgreSQL."""
    subprocess.run(["psql", "-qc", "CREATE DATABASE older TEMPLATE template0 LC_COLLATE 'C'", database], check=True)
    older = database.replace("/postgres", "/older")
    command = [options.before, "bench", "storage", "--json", "--database", older, "--rounds", "1"]
    text = subprocess.run(
        command + ["--seconds", str(options.seconds)], check=True, stdout=subprocess.PIPE, text=True
    ).stdout
    subprocess.run(["psql", "-qc", "DROP DATABASE older WITH (FORCE)", database], check=True)
    return next(e["acts_per_second"] for e in json.loads(text)["engines"] if e["engine"] == "PostgreSQL")


def main(options):
    database = os.environ["TEST_POSTGRES"].split("?")[0]
    subprocess.run([options.program, "writers", "--database", database, "--make"], check=True)
    groups = [Group(f"countersign-bench-{os.getpid()}-{index}", options.share) for index in range(max(COUNTS))]
    free, older, rounds = [], [], {count: [] for count in COUNTS}
    try:
        for _ in range(options.rounds):
            if options.before:
                older.append(before(options, database))
            free.append(measure(options, database, [None]))
            for count in COUNTS:
                rounds[count].append(measure(options, database, groups[:count]))
    finally:
        for group in groups:
            group.remove()

    def median(figures, name):
        return statistics.median(figure[name] for figure in figures)

    def line(name, figures):
        print(
            f"{name}: {median(figures, 'acts'):,.0f} acts a second, {median(figures, 'commit'):.0f} for each commit; "
            f"lock held {median(figures, 'held'):.2f} of the time ({median(figures, 'own'):.2f} as each process sees "
            f"it), {median(figures, 'waiting'):.2f} waiting; {median(figures, 'cores'):.2f} cores each"
        )

    if older:
        ratios = [new["acts"] / old for new, old in zip(free, older)]
        print(f"before: {statistics.median(older):,.0f} acts a second; now {statistics.median(ratios):.2f} times")
    line("one, without a bound", free)
    for count in COUNTS:
        line(f"{count} of {options.share:g} core", rounds[count])
    for count in COUNTS[1:]:
        ratios = [many["acts"] / one["acts"] for many, one in zip(rounds[count], rounds[1])]
        print(f"{count} to one: {statistics.median(ratios):.2f}, from {min(ratios):.2f} to {max(ratios):.2f}")
    print(f"medians of {options.rounds} rounds of {options.seconds:g} s; load {os.getloadavg()[0]:.1f}")
    return 0


parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
parser.add_argument("--share", type=float, default=0.15, help="of a core, for each process (0.15)")
parser.add_argument("--seconds", type=float, default=5, help="of each measurement (5)")
parser.add_argument("--rounds", type=int, default=5, help="how many (5)")
parser.add_argument("--writers", type=int, default=64, help="acts under way at once in each process (64)")
parser.add_argument("--program", default=".build/release/countersign-bench", help="what is measured")
parser.add_argument("--before", help="an older program, to compare with")
sys.exit(main(parser.parse_args()))
