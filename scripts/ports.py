"""Ports for servers that must keep theirs while they are killed and started again.

Run as a program it prints one.
"""

import pathlib
import random
import socket


def _range():
    """Ports below those that the system gives to programs that ask for any port or open a connection.

    So between looking and listening, and between a kill and the next start, no program gets one of these by chance.
    """
    try:
        first = int(pathlib.Path("/proc/sys/net/ipv4/ip_local_port_range").read_text().split()[0])
    except (OSError, ValueError, IndexError):
        first = 32_768
    return range(max(2_000, first - 12_768), first) if first > 4_000 else range(20_000, 32_768)


def free_ports(count):
    """Different ports of 127.0.0.1 on which nobody listens."""
    found = []
    candidates = _range()
    for port in random.SystemRandom().sample(candidates, len(candidates)):
        if len(found) == count:
            return found
        with socket.socket() as probe:
            try:
                probe.bind(("127.0.0.1", port))
                found.append(port)
            except OSError:
                continue
    raise OSError("no free port")


def free_port():
    """A port of 127.0.0.1 on which nobody listens."""
    return free_ports(1)[0]


if __name__ == "__main__":
    print(free_port())
