"""Ports for servers that must keep theirs while they are killed and started again.

Run as a program it prints one.
"""

import random
import socket

# Below those that the system gives to whoever asks for any port, or connects to somewhere: between looking and
# listening, and between a kill and the next start, nobody is given one of these by chance.
_RANGE = range(20_000, 32_768)


def free_ports(count):
    """Different ports of 127.0.0.1 on which nobody listens."""
    found = []
    for port in random.SystemRandom().sample(_RANGE, len(_RANGE)):
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
