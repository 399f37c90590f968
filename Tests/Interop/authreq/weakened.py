"""A server in front of a good one that takes protections of version 2 away: never for anything else.

usage: weakened.py URL

It prints its address and ends with its standard input. `countersign attack` has to find what is taken away, with a
wallet that knows the server by this address. Each fault has the number that docs/approvals.md gives it. All else is
passed on as it is, so nothing else may be found.
"""

import base64
import http.client
import http.server
import json
import re
import sys
import threading
import urllib.parse

upstream = urllib.parse.urlparse(sys.argv[1]).netloc
# Codes that asking pages have shown, and the session that began each enrolment.
codes, sessions = set(), {}


def change_request(method, path, request):
    """What the good server is asked instead."""
    if method == "POST" and path == "/api/service/challenges":
        for field in request["fields"]:  # b7: nobody sees that it is a place
            if field["type"] == "place":
                field["type"] = "text"
    confirmed = re.fullmatch("/api/service/enrolments/([0-9a-f]+)/confirm", path)
    if method == "POST" and confirmed:  # b9: any session does
        request["session"] = sessions.get(confirmed[1], request["session"])


def change_answer(method, path, request, status, answer):
    """What is answered instead."""
    if path.startswith("/api/service/") and answer.get("code"):
        codes.add(answer["code"])
    if method == "POST" and path == "/api/service/enrolments" and status < 300:
        sessions[answer["id"]] = request["session"]
    if method == "POST" and path == "/api/service/challenges" and answer.get("error") == "backing_off":
        return 201, {"id": "0" * 32, "state": "pending"}  # b12: it is asked again
    if method == "GET" and path.startswith("/api/service/challenges/") and answer.get("state") == "denied":
        answer = {name: value for name, value in answer.items() if name != "denial"}
        return status, answer | {"state": "expired"}  # b11: a denial looks as if nobody had answered
    if method == "GET" and path == "/api/approvals/devices" and status == 200:
        # 20: each app is listed twice. A wallet's own keys have a confirmation.
        return status, answer | {"items": answer["items"] + [one for one in answer["items"] if not one["confirmation"]]}
    return status, answer


def has_wrong_code(request):
    """Whether an answer allows with a code that no page has shown."""
    text = request["message"]
    message = base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))
    found = re.search(rb"4:code\d+:(\d+)5:shown", message)
    # Behind the code comes the length of the next name, without anything between.
    return found is not None and found[1].decode() not in codes


class Weakened(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def pass_on(self):
        url = urllib.parse.urlparse(self.path)
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        if url.path == "/api/events":  # wallets ask each second without it
            return self.answer(503, [], b"")
        request = json.loads(body) if self.is_json(self.headers) and body else None
        if isinstance(request, dict):
            if url.path == "/api/approvals/answers" and has_wrong_code(request):
                # b2: wrong codes are refused and never counted
                problem = {"type": "/problems/wrong-code", "title": "Wrong code", "status": 422, "detail": "Try again.",
                           "error": "wrong_code"}
                return self.answer(422, [("Content-Type", "application/problem+json")], json.dumps(problem).encode())
            before = json.dumps(request)
            change_request(self.command, url.path, request)
            if json.dumps(request) != before:
                body = json.dumps(request).encode()
        left_out = {"host", "connection", "content-length", "accept-encoding", "transfer-encoding"}
        headers = {name: value for name, value in self.headers.items() if name.lower() not in left_out}
        connection = http.client.HTTPConnection(upstream, timeout=60)
        try:
            connection.request(self.command, self.path, body or None, headers)
            response = connection.getresponse()
            status, data = response.status, response.read()
        finally:
            connection.close()
        if self.is_json(response.headers) and data:
            answer = json.loads(data)
            if isinstance(answer, dict):
                changed = change_answer(self.command, url.path, request, status, answer)
                if changed != (status, answer):
                    status, data = changed[0], json.dumps(changed[1]).encode()
        self.answer(status, [pair for pair in response.getheaders() if pair[0].lower() not in left_out], data)

    do_GET = do_POST = do_PUT = do_DELETE = do_PATCH = pass_on

    @staticmethod
    def is_json(headers):
        return "json" in (headers.get("Content-Type") or "")

    def answer(self, status, headers, data):
        self.send_response_only(status)
        for name, value in headers:
            self.send_header(name, value)
        if status != 204:
            self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, *arguments):
        pass


listener = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Weakened)
threading.Thread(target=listener.serve_forever, daemon=True).start()
print(f"http://127.0.0.1:{listener.server_address[1]}", flush=True)
sys.stdin.read()
