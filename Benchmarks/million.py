#!/usr/bin/env python3
"""One organisation with a million members: lists, searches, sign-in, start, backup, doctor; SQLite and PostgreSQL.

  Benchmarks/million.py [--engine sqlite|postgres|both] [--folder DIR] [--members 1000000 …] [--program PATH]

An organisation is set up by the program; its database is grown by rows as the program writes them, and the server seals
the log that they make. Folder keeps it: the next run measures at once. Each figure is held against its limit, and the
exit code is 1 when one is broken.

With small numbers a trial takes a minute: --members 10000 --documents 10000 --clients 2000
"""

import argparse
import json
import pathlib
import shutil
import signal
import statistics
import subprocess
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import million_engines  # noqa: E402
import million_rows  # noqa: E402
from million_site import Site, Trouble  # noqa: E402
from million_visits import Listings, Paired  # noqa: E402

root = pathlib.Path(__file__).resolve().parent.parent


def say(*words):
    print(*words, file=sys.stderr, flush=True)


class Table:
    """Figures, each with its limit."""

    def __init__(self, engine):
        self.engine, self.rows = engine, []

    def add(self, what, figures, value=None, limit=None, failed=False):
        """`figures` are words; `value` must not exceed `limit`, and nothing may have `failed`."""
        is_broken = failed or (value is not None and value > limit)
        self.rows.append({"what": what, "figures": figures, "value": value, "limit": limit, "broken": is_broken})
        say(f"  {what}: {figures}{'  << above the limit' if is_broken else ''}")

    def words(self):
        lines = [f"{self.engine}", "", "| what | measured | limit |", "| --- | --- | --- |"]
        for row in self.rows:
            limit = "" if row["limit"] is None else f"{row['limit']:g}"
            lines.append(f"| {row['what']} | {row['figures']} | {limit}{' **broken**' if row['broken'] else ''} |")
        return "\n".join(lines)


def commands(site, table, options):
    """Backup and doctor: seconds, and the most memory they had."""
    backup = site.folder / "million.backup"
    backup.unlink(missing_ok=True)
    for name, command in (("backup", ["backup", "--to", str(backup)]), ("doctor", ["doctor"])):
        seconds, peak, code, output = site.run_measured("admin", *command, "--data", str(site.data), *site.engine.flags)
        words = f"{seconds:.1f} s, at most {peak:.0f} MiB"
        if name == "backup" and backup.exists():
            words += f", a file of {backup.stat().st_size / 2**20:.0f} MiB"
        if code != 0:
            words += f"; ended with {code}: {' '.join(output.split())[-300:]}"
        table.add(f"{name}, memory in MiB", words, peak, options.memory, failed=code != 0)
    backup.unlink(missing_ok=True)


def measure(engine_class, options):
    folder = options.folder / engine_class.name.lower()
    sizes = {name: getattr(options, name) for name in ("members", "documents", "clients")}
    table = Table(engine_class.name)
    say(engine_class.name)
    site, empty = Site(folder, engine_class, options.program), Site(folder / "empty", engine_class, options.program)
    try:
        for place, grown in ((empty, dict.fromkeys(sizes, 0)), (site, sizes)):
            place.prepare(argparse.Namespace(**grown), say)
        entries = site.engine.ask("SELECT COUNT(*) FROM log_entries")[0][0]
        words = ", ".join(f"{count:,} {name}" for name, count in sizes.items())
        table.add("size", f"{words}, {int(entries):,} entries, database {site.engine.size() / 2**20:,.0f} MiB")
        if "start" in options.parts:
            starts = []
            for _ in range(5):
                site.start()
                starts.append(site.seconds_to_ready)
                site.stop()
            table.add("start to /readyz, s, with a blob for each document",
                      f"median {statistics.median(starts):.2f}, slowest of 5 {max(starts):.2f}", max(starts), 1)
        site.start()
        if "lists" in options.parts:
            Listings(site, options).measure(table)
        if "sessions" in options.parts:
            empty.start()
            Paired(site, empty, options).measure(table)
            empty.stop()
        if "commands" in options.parts:
            # Beside the running server, as it is done.
            commands(site, table, options)
    finally:
        for place in (site, empty):
            place.stop()
            place.engine.stop()
    return table


def main():
    parts = ["start", "lists", "sessions", "commands"]
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--engine", choices=["sqlite", "postgres", "both"], default="both", help="which (both)")
    parser.add_argument("--folder", type=pathlib.Path, default=root / ".build/million", help="kept (.build/million)")
    parser.add_argument("--program", default=str(root / ".build/release/countersign"), help="what to measure")
    parser.add_argument("--members", type=int, default=1_000_000, help="and as many entries of the log (1000000)")
    parser.add_argument("--documents", type=int, default=1_000_000, help="and as many entries and blobs (1000000)")
    parser.add_argument("--clients", type=int, default=200_000, help="each with two transactions (200000)")
    parser.add_argument("--requests", type=int, default=200, help="of each list and search (200)")
    parser.add_argument("--patience", type=float, default=12, help="seconds for one list at the most; then fewer (12)")
    parser.add_argument("--rounds", type=int, default=7, help="of sign-ins, in turn (7)")
    parser.add_argument("--memory", type=float, default=256, help="MiB that backup and doctor may have (256)")
    parser.add_argument("--parts", nargs="+", choices=parts, default=parts, help="measure only these")
    parser.add_argument("--lists", nargs="+", metavar="PATH", help="only these lists, such as /api/operators (all)")
    parser.add_argument("--anew", action="store_true", help="grow it again")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    options = parser.parse_args()
    options.folder, options.program = options.folder.resolve(), str(pathlib.Path(options.program).resolve())
    if options.anew:
        shutil.rmtree(options.folder, ignore_errors=True)
    chosen = {"sqlite": [million_engines.SQLite], "postgres": [million_engines.Postgres],
              "both": [million_engines.SQLite, million_engines.Postgres]}[options.engine]
    # Ending this ends the servers too.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(2))
    began = time.monotonic()
    try:
        tables = [measure(engine, options) for engine in chosen]
    except (Trouble, subprocess.SubprocessError, OSError) as error:
        say(f"could not be told: {error}")
        return 2
    if options.json:
        print(json.dumps({"seconds": time.monotonic() - began, "engines": {t.engine: t.rows for t in tables}}))
    else:
        print("\n\n".join(table.words() for table in tables))
    return int(any(row["broken"] for table in tables for row in table.rows))


if __name__ == "__main__":
    sys.exit(main())
