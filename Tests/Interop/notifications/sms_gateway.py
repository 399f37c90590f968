"""An SMS gateway, written from docs/notifications.md alone: what an adapter to a provider has to be.

Arguments: what "Authorization" must be ("-" for nothing), and the status of each answer, of which the last is repeated.
Prints a line of JSON with its port, and one for each request. A message whose id it has taken is not sent again.
"""

import http.server
import json
import re
import sys


class Gateway(http.server.ThreadingHTTPServer):
    def __init__(self, authorization=None, statuses=(204,), heard=lambda **members: None):
        super().__init__(("127.0.0.1", 0), Request)
        self.authorization, self.statuses, self.heard, self.sent = authorization, list(statuses), heard, {}
        self.url = f"http://127.0.0.1:{self.server_port}/send"


class Request(http.server.BaseHTTPRequestHandler):
    def do_POST(self):
        gateway = self.server
        body = self.rfile.read(int(self.headers["Content-Length"]))
        status = gateway.statuses.pop(0) if len(gateway.statuses) > 1 else gateway.statuses[0]
        message, is_again = None, False
        if self.headers["Authorization"] != gateway.authorization:
            status = 401
        else:
            message = json.loads(body)
            if sorted(message) != ["id", "text", "to"] or not re.fullmatch(r"\+[1-9][0-9]{6,14}", message["to"]):
                status = 400
            elif status < 300:
                is_again = message["id"] in gateway.sent
                gateway.sent[message["id"]] = message
        self.send_response(status)
        if status == 429:
            self.send_header("Retry-After", "600")
        self.send_header("Content-Length", "0")
        self.end_headers()
        gateway.heard(
            status=status, path=self.path, type=self.headers["Content-Type"], message=message, is_again=is_again)

    def log_message(self, *_):
        pass


def main():
    def say(**members):
        print(json.dumps(members), flush=True)

    authorization, *statuses = sys.argv[1:]
    gateway = Gateway(None if authorization == "-" else authorization, [int(one) for one in statuses] or [204], say)
    say(port=gateway.server_port)
    gateway.serve_forever()


if __name__ == "__main__":
    main()
