"""A wallet of the command line, for the programs about accounts that sign in elsewhere."""

import json
import os
import subprocess
from pathlib import Path

from attacks_stage import expect


class Wallet:
    """A wallet of the command line, of an account of its own."""

    def __init__(self, stage, folder):
        self.folder = Path(folder)
        self.path("pass").write_text("the tests chose this passphrase\n")
        self.options = ["--wallet", str(self.path("wallet")), "--passphrase-file", str(self.path("pass")), "--json"]
        self.run("sign-up", "--server", stage.url, "--username", "cli", "--name", "Cli", wants=None)

    def path(self, name):
        return self.folder / name

    def run(self, *words, wants=0):
        """What it printed as JSON; with `wants` it has to end so."""
        environment = {name: value for name, value in os.environ.items() if not name.startswith("COUNTERSIGN_")}
        done = subprocess.run([os.environ["COUNTERSIGN"], "wallet", *words, *self.options], env=environment, stdin=subprocess.DEVNULL,
                              capture_output=True, text=True, timeout=120)
        expect(wants is None or done.returncode == wants, f"{words}: {done.returncode} {done.stdout} {done.stderr}")
        return json.loads(done.stdout.splitlines()[0]) if done.stdout.startswith("{") else done.stdout + done.stderr

    def restore(self, file, phrase, *more, wants=0):
        self.path("phrase").write_text(phrase + "\n")
        return self.run("restore", str(file), "--phrase-file", str(self.path("phrase")), *more, wants=wants)

    def accounts(self):
        return self.run("accounts")
