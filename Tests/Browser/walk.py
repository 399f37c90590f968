#!/usr/bin/env python3
"""Walks through all pages as people do, in Chromium, with virtual authenticators and a server of its own.

    COUNTERSIGN=.build/debug/countersign python3 Tests/Browser/walk.py [--web Web] [--pictures docs/pictures]
        [--language ar] [--keyboard] [--width 390] [--scheme dark] [--degree]

Prints every step with its seconds, and how many actions each person needed. Ends with 0 when everything held. Every state of
a page is looked at as axe-core does: at 390 and 1280 px, by turns light and dark, or only in the way that the flags say.
"""

import argparse
import signal
import sys

import walk_degree
import walk_more
from chromium import Chromium, Failure
from organisation import Server
from walking import Walk
from wording import Wording


def main():
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--web", help="serve pages from this folder instead of those in the program")
    options.add_argument("--database", help="an empty PostgreSQL database for the server, postgres://…; SQLite otherwise")
    options.add_argument("--pictures", help="put pictures for docs/walkthrough.md into this folder")
    options.add_argument("--language", help="in this language of the catalogues, such as ar; English otherwise")
    options.add_argument("--keyboard", action="store_true", help="nobody has a mouse: Tab, arrows, Enter and Space")
    options.add_argument("--width", type=int, choices=(390, 1280), help="everybody has a screen of so many pixels")
    options.add_argument("--scheme", choices=("light", "dark"), help="everybody likes it so")
    options.add_argument("--degree", action="store_true", help="only as far as the first verified document")
    given = options.parse_args()
    # Stopping the walk stops its server and its browser, too.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    flags = [part for name in ("web", "database") if (value := getattr(given, name)) for part in (f"--{name}", value)]
    chapters = [("from nothing to a verified document", walk_degree.STEPS), ("more", walk_more.STEPS)]
    likes = [f"--accept-lang={given.language}"] if given.language else []
    with Server(*flags) as server, Chromium(*likes) as browser:
        browser.by_keyboard = given.keyboard
        browser.wording = Wording(given.language) if given.language not in (None, "en") else None
        if browser.wording:
            browser.wording.typed(server.url)
        walk = Walk(browser, server, given.pictures, given.width, given.scheme)
        try:
            for chapter, steps in chapters[:1] if given.degree else chapters:
                walk.chapter = chapter
                print(f"\n{chapter}", flush=True)
                for title, act in steps:
                    walk.step(title, act)
            walk.check_secrets()
            walk.print_counts()
            walk.check_table(chapters[0][0])
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
