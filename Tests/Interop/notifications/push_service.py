"""A push service and a browser: checks the sender's statement (RFC 8292) and decrypts its message (RFC 8291, RFC 8188).

Arguments: the origin that statements must be for, and the status of each answer, of which the last is repeated. Prints a
line of JSON with port and keys, and then one for each message.
"""

import base64
import http.server
import json
import os
import sys
import time

import http_ece
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import encode_dss_signature

origin, *statuses = sys.argv[1:]
browser = ec.generate_private_key(ec.SECP256R1())
secret = os.urandom(16)


def encode(data):
    return base64.urlsafe_b64encode(data).decode().rstrip("=")


def decode(text):
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))


def say(**members):
    print(json.dumps(members), flush=True)


def check_statement(field):
    scheme, rest = field.split(" ", 1)
    assert scheme == "vapid", scheme
    parts = dict(part.strip().split("=", 1) for part in rest.split(","))
    head, claims, signature = parts["t"].split(".")
    assert json.loads(decode(head))["alg"] == "ES256"
    raw = decode(signature)
    assert len(raw) == 64
    key = ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), decode(parts["k"]))
    key.verify(
        encode_dss_signature(int.from_bytes(raw[:32], "big"), int.from_bytes(raw[32:], "big")),
        f"{head}.{claims}".encode(), ec.ECDSA(hashes.SHA256()))
    claims = json.loads(decode(claims))
    assert claims["aud"] == origin, claims["aud"]
    return parts["k"], claims


class PushService(http.server.BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        status = int(statuses.pop(0) if len(statuses) > 1 else statuses[0])
        try:
            key, claims = check_statement(self.headers["Authorization"])
            assert self.headers["Content-Encoding"] == "aes128gcm"
            plain = http_ece.decrypt(body, private_key=browser, auth_secret=secret, version="aes128gcm")
            say(ok=True, plain=json.loads(plain), size=len(body), path=self.path, key=key, exp=claims["exp"],
                sub=claims["sub"], ttl=self.headers["TTL"], urgency=self.headers["Urgency"],
                topic=self.headers["Topic"], status=status)
        except Exception as error:
            say(ok=False, why=f"{type(error).__name__}: {error}")
        self.send_response(status)
        if status == 201:
            self.send_header("Location", "/message/1")
        if status == 429:
            self.send_header("Retry-After", "600")
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, *_):
        pass


server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), PushService)
say(port=server.server_address[1],
    key=encode(browser.public_key().public_bytes(
        serialization.Encoding.X962, serialization.PublicFormat.UncompressedPoint)), auth=encode(secret))
server.serve_forever()
