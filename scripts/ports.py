"""Ports for servers that must keep theirs while they are killed and started again.

Each stays reserved for the process that asked, against all that ask here or at `DemoServer.freePort`. Run as a program it
prints one, which is reserved no longer.
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


# The sockets whose names stand for the ports of this process.
_reserved = []


def _reserve(port):
    """Takes the name that stands for a port, in the abstract namespace: it is gone with this process, however it ends."""
    name = socket.socket(socket.AF_UNIX)
    try:
        name.bind(f"\0countersign-port-{port}")
    except OSError:
        name.close()
        return False
    _reserved.append(name)
    return True


def _is_free(port):
    with socket.socket() as probe:
        try:
            probe.bind(("127.0.0.1", port))
        except OSError:
            return False
    return True


def free_ports(count):
    """Different ports of 127.0.0.1 on which nobody listens."""
    found = []
    candidates = _range()
    for port in random.SystemRandom().sample(candidates, len(candidates)):
        if len(found) == count:
            break
        if not _reserve(port):
            continue
        if _is_free(port):
            found.append(port)
        else:
            _reserved.pop().close()
    if len(found) < count:
        raise OSError("no free port")
    return found


def free_port():
    """A port of 127.0.0.1 on which nobody listens."""
    return free_ports(1)[0]


if __name__ == "__main__":
    print(free_port())
