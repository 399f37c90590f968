#!/usr/bin/env python3
"""Seals and opens a large file with whole programs, file to file: ours, `age`, and `gocryptfs` where it is installed.

  Benchmarks/vault_files.py [--size 1024] [--rounds 3] [--program .build/release/countersign]

Ours and `age` write the same format for the same key. Ours has sealed when the disk has the file, and has opened, as `age` has, when
the file is whole; `age` stands there a second time, followed by `sync`. `gocryptfs` encrypts a folder, into and out of which the file is
copied: its time ends when the folder is unmounted, its memory is its own and not that of `cp`. Programs take turns, what
they wrote goes to the disk between turns, and the first round counts for nothing. The goals are to be as quick as `age`,
and at most 48 MiB of memory. Slower than `age` by more than a tenth, or more memory, fails.
"""

import argparse
import os
import pathlib
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

MOST = 48
ROOT = pathlib.Path(__file__).resolve().parent.parent


def ran(*command):
    """Runs a program: seconds, and the most MiB of memory that it had."""
    start = time.perf_counter()
    # What fails says why; progress is not wanted.
    process = subprocess.Popen([str(part) for part in command], stdout=subprocess.DEVNULL, stdin=subprocess.DEVNULL)
    _, status, use = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    seconds = time.perf_counter() - start
    if process.returncode != 0:
        sys.exit(f"{command[0]} ended with {process.returncode}")
    return seconds, use.ru_maxrss / 1024


def same(left, right):
    if subprocess.run(["cmp", "-s", left, right], check=False).returncode != 0:
        sys.exit(f"{right} is not what was sealed")


class Stream:
    """A program that makes one file out of another."""

    def __init__(self, name, seal, opened):
        self.name, self.commands = name, (seal, opened)

    def run(self, file, folder):
        sealed, back = folder / f"{self.name}.sealed", folder / f"{self.name}.back"
        figures = []
        for command, source, target in zip(self.commands, (file, sealed), (sealed, back), strict=True):
            figures.append(ran(*command(source, target)))
            os.sync()
        same(file, back)
        sealed.unlink()
        back.unlink()
        return figures


class Folder:
    """gocryptfs."""

    name = "gocryptfs"

    def __init__(self, folder):
        self.cipher, self.plain, self.password = folder / "cipher", folder / "plain", folder / "password"
        self.cipher.mkdir()
        self.plain.mkdir()
        self.password.write_text("a password for a benchmark\n")
        subprocess.run(["gocryptfs", "-init", "-q", "-passfile", self.password, self.cipher], check=True)

    def copied(self, source, target):
        mounted = subprocess.Popen(["gocryptfs", "-fg", "-q", "-passfile", self.password, self.cipher, self.plain])
        try:
            for _ in range(200):
                if os.path.ismount(self.plain):
                    break
                time.sleep(0.05)
            else:
                sys.exit("gocryptfs does not mount its folder: is there /dev/fuse?")
            start = time.perf_counter()
            ran("cp", source, target)
            # Before it ends: afterwards nobody knows.
            status = pathlib.Path(f"/proc/{mounted.pid}/status").read_text()
            subprocess.run(["fusermount", "-u", self.plain], check=True)
            mounted.wait()
            return time.perf_counter() - start, int(re.search(r"VmHWM:\s+(\d+)", status).group(1)) / 1024
        finally:
            if mounted.poll() is None:
                mounted.terminate()
                mounted.wait()

    def run(self, file, folder):
        inside, back = self.plain / "file", folder / "gocryptfs.back"
        figures = [self.copied(file, inside)]
        os.sync()
        figures.append(self.copied(inside, back))
        os.sync()
        same(file, back)
        back.unlink()
        shutil.rmtree(self.cipher)
        self.cipher.mkdir()
        subprocess.run(["gocryptfs", "-init", "-q", "-passfile", self.password, self.cipher], check=True)
        return figures


def programs(options, folder):
    key = folder / "key"
    subprocess.run(["age-keygen", "-o", key], check=True, stderr=subprocess.DEVNULL)
    public = subprocess.run(["age-keygen", "-y", key], check=True, capture_output=True, text=True).stdout.strip()
    own = [options.program, "wallet", "vault"]
    found = [
        Stream(
            "countersign", lambda a, b: [*own, "seal", a, "-o", b, "--recipient", public],
            lambda a, b: [*own, "open", a, "-o", b, "-i", key]),
        Stream("age", lambda a, b: ["age", "-r", public, "-o", b, a], lambda a, b: ["age", "-d", "-i", key, "-o", b, a]),
        # Ours says that it has sealed when the disk has the file, `age` earlier: what it takes `age` to get as far.
        Stream(
            "age and sync", lambda a, b: ["sh", "-c", 'age -r "$0" -o "$2" "$1" && sync "$2"', public, a, b],
            lambda a, b: ["sh", "-c", 'age -d -i "$0" -o "$2" "$1" && sync "$2"', key, a, b]),
    ]
    if shutil.which("gocryptfs"):
        found.append(Folder(folder))
    else:
        print("gocryptfs is not installed: it is left out")
    return found


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--size", type=int, default=1024, help="MiB of the file")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--program", default=str(ROOT / ".build/release/countersign"))
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(dir=os.getcwd(), prefix=".vault-files-") as name:
        folder = pathlib.Path(name)
        file = folder / "file"
        with open(file, "wb") as out:
            for _ in range(options.size):
                out.write(os.urandom(1 << 20))
        os.sync()
        them = programs(options, folder)
        figures = {one.name: ([], []) for one in them}
        for number in range(options.rounds + 1):
            for one in them:
                for kept, figure in zip(figures[one.name], one.run(file, folder), strict=True):
                    if number > 0:
                        kept.append(figure)
    return report(options.size, figures)


def report(size, figures):
    failed = False
    for at, act in enumerate(("seal", "open")):
        for name, of in figures.items():
            # Each beside age in the same round.
            ratio = statistics.median(age[0] / one[0] for one, age in zip(of[at], figures["age"][at], strict=True))
            seconds, memory = statistics.median(one[0] for one in of[at]), max(one[1] for one in of[at])
            print(f"{act}, {name}: {size / seconds:.0f} MiB a second, {ratio:.2f} times age, {memory:.0f} MiB of memory at most")
            if name == "countersign" and (ratio < 0.9 or memory > MOST):
                print(f"  misses its goal: as quick as age, in {MOST} MiB")
                failed = True
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
