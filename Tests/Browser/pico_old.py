"""Services whose keys are on other curves than P-256: the part of pico.py about them."""

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

from attacks_stage import expect, front, mistakes, shown, tap, visit

VERIFIER = Path(__file__).parents[1] / "Interop/pico/verifier.py"
NAMES = {"p192": "P-192", "secp192k1": "secp192k1", "p384": "P-384", "p521": "P-521"}
MODULE = "/assets/pico/old-curves.wasm"


class Old:
    def in_python(self, purpose, state, *words):
        """A service in Python, written from the specification alone: the process, and its code."""
        process = subprocess.Popen(
            [sys.executable, VERIFIER, purpose, self.stage.url, state, *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        return process, process.stdout.readline().strip()

    def on_the_command_line(self, purpose, files, *words):
        """A service of the command line: the process, and its code."""
        process = subprocess.Popen(
            [os.environ["COUNTERSIGN"], "pico-service", purpose, "--channel", self.stage.url, "--identity", f"{files}.key",
             "--pairings", f"{files}.users", "--json", *words], stdout=subprocess.PIPE, text=True)
        return process, json.loads(process.stdout.readline())["code"]

    def pair_old(self, text):
        """The phone pairs with a service that its owner marks as old: until it has an end."""
        phone = self.phone
        self.scan(phone, text)
        tap(phone, "label:has(#old-mark)")
        tap(phone, "#pair")
        phone.wait(shown("#verdict"), "an end", 60)

    def said_yes(self, process, word):
        """The page and the service agree that it went well; what the service said."""
        phone = self.phone
        expect(phone.js(shown("#verdict.yes")), phone.text("#verdict"))
        said = process.stdout.readline()
        expect(process.wait(60) == 0 and word in json.loads(said), said)
        return json.loads(said)[word]

    def old_accounts(self):
        """The page of accounts, and its rows with a badge of an old service."""
        phone = self.phone
        front(phone)
        visit(phone, "/wallet/pico/accounts", self.stage.url)
        phone.wait(shown("[data-step=list]"), "the list")
        return phone.js("""[...document.querySelectorAll('#accounts > li')].filter(row => row.querySelector('.badge.weak').checkVisibility())
            .map(row => [row.innerText.replace(/\\s+/g, ' '), row.querySelector('.badge.weak').title])""")

    # Cases

    def unmarked(self):
        """Without the mark nothing is paired and nothing is sent. The page says what the curve means."""
        phone = self.phone
        expect(not any(MODULE in r["url"] for r in phone.requests), "the module with all curves was loaded before anybody needed it")
        with tempfile.TemporaryDirectory() as folder:
            for curve, name in ("p256", None), *NAMES.items():
                process, text = self.in_python("pair", f"{folder}/{curve}", curve, "s3cret")
                sent = len(phone.requests)
                self.scan(phone, text)
                phone.wait(shown("#pair"), "the pairing")
                if name is None:
                    expect(not phone.js(shown("#old")), "a service of today is called old")
                else:
                    words = phone.text("#old-what")
                    expect(name in words and ("96 bits" in words) == (curve in ("p192", "secp192k1")), words)
                    expect(name in phone.text("#pair-facts") and "service in Python" in phone.text("#pair-title"), phone.text("#pair-facts"))
                    expect(not phone.js("document.querySelector('#old-mark').checked"), "it is marked already")
                    if curve in ("p192", "p384"):
                        self.look(phone, f"old-{curve}")
                    tap(phone, "#pair")
                    phone.wait(shown("#pair-form .error-summary"), "to be told")
                    said = mistakes(phone, "#pair-form")
                    expect(len(said) == 1 and "Mark the service as old" in said[0], f"{said}")
                    if curve == "p192":
                        self.look(phone, "old-unmarked")
                tap(phone, "#pair-not")
                phone.wait(shown("#verdict.no"), "that it was not paired")
                channels = [r["url"] for r in phone.requests[sent:] if "/channel/" in r["url"]]
                expect(channels == [], f"{channels}")
                process.kill()
        expect(self.old_accounts() == [], "something was kept")

    def marked(self):
        """Services in Python, and those of the command line: paired after the mark, and signed in to without a second one."""
        phone = self.phone
        with tempfile.TemporaryDirectory() as folder:
            for curve in NAMES:
                process, text = self.in_python("pair", f"{folder}/{curve}", curve, "s3cret")
                self.pair_old(text)
                paired = self.said_yes(process, "paired")
                process, text = self.in_python("auth", f"{folder}/{curve}")
                self.scan(phone, text)
                phone.wait(shown("#allow"), "to be asked")
                tap(phone, "#allow")
                phone.wait(shown("#verdict"), "an end", 60)
                expect(self.said_yes(process, "signed_in") == paired, f"another key on {curve}")

                files = f"{folder}/cli-{curve}"
                process, text = self.on_the_command_line("pair", files, "--name", f"Old {curve}", "--user", "ada", "--curve", curve)
                self.pair_old(text)
                expect(self.said_yes(process, "paired")["user"] == "ada", "another user")
                process, text = self.on_the_command_line("auth", files, *(["--continuous"] if curve == "p192" else []))
                self.scan(phone, text)
                tap(phone, "#allow")
                if curve == "p192":
                    phone.wait(shown("#pause"), "to stay signed in", 60)
                    tap(phone, "#end")
                phone.wait(shown("#verdict"), "an end", 60)
                expect(phone.js(shown("#verdict.yes")), phone.text("#verdict"))
                expect('"user":"ada"' in process.stdout.readline() and process.wait(60) == 0, f"nobody came on {curve}")
        self.look(phone, "old-signed-in")

    def listed(self):
        """Accounts at old services have a badge, and are renamed and forgotten like others."""
        phone = self.phone
        rows = self.old_accounts()
        expect(len(rows) == 2 * len(NAMES), f"{rows}")
        expect(all("old service" in row and "another curve" in title for row, title in rows), f"{rows}")
        self.look(phone, "old-accounts")
        tap(phone, "#accounts [aria-label*='Rename: Old p192']")
        phone.fill("#question-value", "The lab")
        tap(phone, "dialog[open] .actions .primary")
        phone.see("The lab", "#accounts", 60)
        tap(phone, "#accounts [aria-label*='Forget: Old p384']")
        tap(phone, "dialog[open] .actions .danger")
        phone.see("is forgotten", "#notices", 60)
        rows = self.old_accounts()
        expect(len(rows) == 2 * len(NAMES) - 1 and any("The lab" in row for row, _ in rows), f"{rows}")

    def other_curve(self):
        """A service that answers with a key on another curve than its code has is told nothing, and nothing is kept."""
        phone = self.phone
        before = self.old_accounts()
        with tempfile.TemporaryDirectory() as folder:
            for curve in ("p192", "p521", "p256"):
                process, text = self.in_python("pair", f"{folder}/{curve}", curve, "s3cret", "curve")
                sent = len(phone.requests)
                if curve == "p256":
                    self.scan(phone, text)
                    tap(phone, "#pair")
                    phone.wait(shown("#verdict"), "an end", 60)
                else:
                    self.pair_old(text)
                expect(phone.js(shown("#verdict.no")) and "on another curve" in phone.text("#over-text"), phone.text("#verdict"))
                written = [r for r in phone.requests[sent:] if "/channel/" in r["url"] and r["method"] == "POST"]
                expect(len(written) == 1, f"{len(written)} messages were written")
                process.kill()
        self.look(phone, "old-other-curve")
        expect(self.old_accounts() == before, "something was kept")
