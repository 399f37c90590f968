#!/usr/bin/env python3
"""Passphrases hashed by Countersign and by libargon2 itself, by turns.

    python3 Benchmarks/passphrase.py [--program .build/release/countersign-bench] [--rounds 20]

Both are Debian's libargon2 with the same costs: 64 MiB, three passes, four lanes one after the other. We give it memory for
which we have asked the system to use large pages. By itself it takes what malloc gives. The time is the processor's. The two
results of a round must be the same.
"""

import argparse
import ctypes
import os
import statistics
import subprocess
import time

MEMORY, PASSES, LANES, ARGON2ID, VERSION = 65_536, 3, 4, 2, 0x13


class Context(ctypes.Structure):
    """argon2_context of argon2.h."""
    _fields_ = [
        ("out", ctypes.c_char_p), ("outlen", ctypes.c_uint32), ("pwd", ctypes.c_char_p), ("pwdlen", ctypes.c_uint32),
        ("salt", ctypes.c_char_p), ("saltlen", ctypes.c_uint32), ("secret", ctypes.c_char_p),
        ("secretlen", ctypes.c_uint32), ("ad", ctypes.c_char_p), ("adlen", ctypes.c_uint32), ("t_cost", ctypes.c_uint32),
        ("m_cost", ctypes.c_uint32), ("lanes", ctypes.c_uint32), ("threads", ctypes.c_uint32),
        ("version", ctypes.c_uint32), ("allocate_cbk", ctypes.c_void_p), ("free_cbk", ctypes.c_void_p),
        ("flags", ctypes.c_uint32),
    ]


def library(passphrase, salt):
    """The hash by libargon2 alone, and milliseconds of the processor."""
    out = ctypes.create_string_buffer(32)
    context = Context(
        out=ctypes.cast(out, ctypes.c_char_p), outlen=32, pwd=passphrase, pwdlen=len(passphrase), salt=salt,
        saltlen=len(salt), t_cost=PASSES, m_cost=MEMORY, lanes=LANES, threads=1, version=VERSION)
    start = time.process_time()
    status = argon2.argon2_ctx(ctypes.byref(context), ARGON2ID)
    took = time.process_time() - start
    if status:
        raise SystemExit(f"libargon2 refuses: {status}")
    return out.raw.hex(), 1_000 * took


def ours(process, passphrase, salt):
    """The same by our program."""
    process.stdin.write(f"{salt.hex()} {passphrase.decode()}\n")
    process.stdin.flush()
    microseconds, text = process.stdout.readline().split()
    return text, int(microseconds) / 1_000


def spread(values):
    return f"{statistics.median(values):.0f} ms ({min(values):.0f} to {max(values):.0f})"


parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
parser.add_argument("--program", default=".build/release/countersign-bench")
parser.add_argument("--rounds", type=int, default=20)
options = parser.parse_args()
argon2 = ctypes.CDLL("libargon2.so.1")
process = subprocess.Popen([options.program, "passphrase"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
times = []
# The first round warms everything up.
for number in range(options.rounds + 1):
    passphrase, salt = f"correct horse battery {number}".encode(), os.urandom(16)
    (first, mine), (second, alone) = ours(process, passphrase, salt), library(passphrase, salt)
    if first != second:
        raise SystemExit("the two hashes differ")
    if number:
        times.append((mine, alone))
process.stdin.close()
process.wait()
print(f"Countersign: {spread([mine for mine, _ in times])} of CPU for a hash")
print(f"libargon2 alone: {spread([alone for _, alone in times])}")
print(f"to ours: {statistics.median(alone / mine for mine, alone in times):.2f}; {options.rounds} rounds")
with open("/sys/kernel/mm/transparent_hugepage/enabled", encoding="ascii") as file:
    print(f"large pages of this system: {file.read().strip()}")
