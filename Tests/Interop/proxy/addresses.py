"""Whether a server behind a proxy counts by the address of who is connected, whatever a client claims.

    addresses.py PORT CA    asks https://localhost:PORT for challenges from 127.0.0.1, each time with another
                            X-Forwarded-For, until it is told to wait; then twenty times from 127.0.0.2
"""

import http.client
import json
import ssl
import sys


class Elsewhere(http.client.HTTPSConnection):
    """A connection to 127.0.0.1 that asks for localhost, from an address of choice."""

    def __init__(self, source, port, context):
        super().__init__("localhost", port, timeout=60, context=context, source_address=(source, 0))

    def connect(self):
        self.host = "127.0.0.1"
        http.client.HTTPConnection.connect(self)
        self.host = "localhost"
        self.sock = self._context.wrap_socket(self.sock, server_hostname="localhost")


def ask(connection, claimed):
    """The status of one question."""
    body = json.dumps({"username": "nobody"})
    headers = {"Content-Type": "application/json", "X-Forwarded-For": claimed}
    connection.request("POST", "/api/sign-in", body, headers)
    answer = connection.getresponse()
    answer.read()
    return answer.status


def main():
    port, context = int(sys.argv[1]), ssl.create_default_context(cafile=sys.argv[2])
    here = Elsewhere("127.0.0.1", port, context)
    statuses = []
    while 429 not in statuses and len(statuses) < 2000:
        number = len(statuses)
        # The last one is what a server behind a proxy goes by.
        statuses.append(ask(here, f"198.51.100.{number // 250}, 192.0.2.{number % 250}"))
    there = Elsewhere("127.0.0.2", port, context)
    others = [ask(there, "127.0.0.1") for _ in range(20)]
    print(json.dumps({"here": sorted(set(statuses)), "asked": len(statuses), "there": sorted(set(others))}))


if __name__ == "__main__":
    main()
