#!/usr/bin/env python3
"""Walks through all pages as people do, in Chromium, with virtual authenticators and a server of its own.

    COUNTERSIGN=.build/debug/countersign python3 Tests/Browser/walk.py [--web Web] [--pictures docs/pictures]

Prints every step with its seconds, and how many actions each person needed. Ends with 0 when everything held.
"""

import argparse
import signal
import sys

import walk_degree
import walk_more
from chromium import Chromium, Failure
from organisation import Server
from walking import Walk


def main():
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--web", help="serve pages from this folder instead of those in the program")
    options.add_argument("--database", help="an empty PostgreSQL database for the server, postgres://…; SQLite otherwise")
    options.add_argument("--pictures", help="put pictures for docs/walkthrough.md into this folder")
    given = options.parse_args()
    # Whoever stops the walk stops its server and its browser, too.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    flags = [part for name in ("web", "database") if (value := getattr(given, name)) for part in (f"--{name}", value)]
    with Server(*flags) as server, Chromium() as browser:
        walk = Walk(browser, server, given.pictures)
        try:
            for chapter, steps in (("from nothing to a verified document", walk_degree.STEPS), ("more", walk_more.STEPS)):
                walk.chapter = chapter
                print(f"\n{chapter}", flush=True)
                for title, act in steps:
                    walk.step(title, act)
            walk.check_secrets()
            walk.print_counts()
        except Failure as failure:
            print(f"\nFAILED: {failure}", flush=True)
            for line in "".join(server.lines).splitlines()[-20:]:
                print("server:", line)
            return 1
        finally:
            walk.close()
    print("\nthe whole walk held")
    return 0


if __name__ == "__main__":
    sys.exit(main())
