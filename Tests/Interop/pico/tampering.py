"""A proxy in front of a rendezvous point that changes one message.

  tampering.py URL N     prints its own address; of the N-th message that is written, one byte in the middle is changed
"""

import http.server
import sys
import threading
import urllib.error
import urllib.request

UPSTREAM, TAMPERED = sys.argv[1], int(sys.argv[2])
LOCK, WRITTEN = threading.Lock(), [0]


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        pass

    def pass_on(self):
        body = self.rfile.read(int(self.headers.get("content-length") or 0)) or None
        if self.command == "POST":
            with LOCK:
                WRITTEN[0] += 1
                number = WRITTEN[0]
            if number == TAMPERED:
                middle = len(body) // 2
                body = body[:middle] + (b"A" if body[middle : middle + 1] != b"A" else b"B") + body[middle + 1 :]
        headers = {"content-type": "application/octet-stream"} if body else {}
        request = urllib.request.Request(UPSTREAM + self.path, body, headers, method=self.command)
        try:
            answer = urllib.request.urlopen(request, timeout=60)
        except urllib.error.HTTPError as error:
            answer = error
        except OSError:
            self.close_connection = True
            return
        with answer:
            text = answer.read()
        self.send_response(answer.status if hasattr(answer, "status") else answer.code)
        self.send_header("content-type", answer.headers.get("content-type", "application/json"))
        self.send_header("content-length", str(len(text)))
        self.end_headers()
        self.wfile.write(text)

    do_GET = do_POST = do_DELETE = pass_on


server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
server.daemon_threads = True
print(f"http://127.0.0.1:{server.server_port}", flush=True)
server.serve_forever()
