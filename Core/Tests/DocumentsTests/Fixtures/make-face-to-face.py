#!/usr/bin/env python3
"""Makes face-to-face.json: one face-to-face check as a second implementation sees it, with every answer that must be refused.

    python3 make-face-to-face.py > face-to-face.json        (needs PyCA cryptography)
"""
import base64
import hashlib
import json

from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import decode_dss_signature

SERVER = "https://sign.example.edu"
ENROLMENT = "0123456789abcdef0123456789abcdef"


def b64u(data):
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def canonical(value):
    return json.dumps(value, sort_keys=True, separators=(",", ":")).encode()


class Key:
    def __init__(self, number):
        self.private = ec.derive_private_key(number, ec.SECP256R1())
        point = self.private.public_key().public_numbers()
        x, y = point.x.to_bytes(32, "big"), point.y.to_bytes(32, "big")
        self.x963 = b"\x04" + x + y
        jwk = {"crv": "P-256", "kty": "EC", "x": b64u(x), "y": b64u(y)}
        self.thumbprint = hashlib.sha256(canonical(jwk)).digest()

    def jws(self, typ, payload):
        header = b64u(json.dumps({"alg": "ES256", "typ": typ}, separators=(",", ":")).encode())
        message = header + "." + b64u(json.dumps(payload, separators=(",", ":")).encode())
        r, s = decode_dss_signature(self.private.sign(message.encode(), ec.ECDSA(hashes.SHA256())))
        return message + "." + b64u(r.to_bytes(32, "big") + s.to_bytes(32, "big"))


signing, encryption, other = Key(0x51611), Key(0xE11C), Key(0x07E8)
holder_nonce, nonce = bytes(range(32)), bytes(range(100, 132))
commitment = hashlib.sha256(holder_nonce).digest()
code = b64u(canonical({
    "commitment": b64u(commitment), "encryption_key": b64u(encryption.thumbprint), "enrolment": ENROLMENT,
    "key": b64u(signing.thumbprint), "server": SERVER,
}))
TYPE = "countersign-enrolment+jwt"
payload = {
    "aud": SERVER, "enrolment": ENROLMENT, "administrator_nonce": b64u(nonce), "holder_nonce": b64u(holder_nonce),
    "iat": 1790000000,
}
statement = signing.jws(TYPE, payload)
shown = {
    "id": ENROLMENT, "state": "answered", "commitment": b64u(commitment),
    "device": {"id": "d", "signing_key": b64u(signing.x963), "encryption_key": b64u(encryption.x963)},
    "holder_nonce": b64u(holder_nonce), "statement": statement,
}


def changed(**members):
    return {**payload, **members}


def without(name):
    return {key: value for key, value in payload.items() if key != name}


def refused(error, answer):
    return {"error": error, "shown": {**shown, **answer}}


def device(signing_key=signing, encryption_key=encryption):
    return {"device": {"signing_key": b64u(signing_key.x963), "encryption_key": b64u(encryption_key.x963)}}


def says(value):
    return refused("otherStatement", {"statement": signing.jws(TYPE, value)})


parts = signing.thumbprint + encryption.thumbprint + holder_nonce + nonce
digits = hashlib.sha256(b"countersign enrolment digits v2\0" + parts).digest()
print(json.dumps({
    "server": SERVER, "nonce": b64u(nonce), "code": code,
    "pairing_code": b64u(canonical({
        "encryption_key": b64u(encryption.thumbprint), "key": b64u(signing.thumbprint), "pairing": "p-1",
        "server": SERVER,
    })),
    "digits": f"{int.from_bytes(digits[:8], 'big') % 1000000:06}",
    "statement_digest": b64u(hashlib.sha256(statement.encode()).digest()),
    "shown": shown,
    "refused": [
        refused("differsFromCode", {"id": "other"}),
        refused("differsFromCode", {"commitment": b64u(hashlib.sha256(b"other").digest())}),
        refused("differsFromCode", device(signing_key=other)),
        refused("differsFromCode", device(encryption_key=other)),
        refused("differsFromCode", device(signing_key=encryption, encryption_key=signing)),
        refused("notAnswered", {"holder_nonce": None}),
        refused("notAnswered", {"statement": None}),
        refused("wrongNonce", {"holder_nonce": b64u(nonce)}),
        refused("wrongNonce", {"holder_nonce": b64u(holder_nonce) + "="}),
        refused("wrongNonce", {"holder_nonce": ""}),
        refused("notSigned", {"statement": ""}),
        refused("notSigned", {"statement": other.jws(TYPE, payload)}),
        refused("notSigned", {"statement": encryption.jws(TYPE, payload)}),
        refused("notSigned", {"statement": signing.jws("countersign-sign-in+jwt", payload)}),
        refused("notSigned", {"statement": statement[:-4] + "AAAA"}),
        refused("notSigned", {"statement": statement.replace(".", "..", 1)}),
        says(changed(aud="https://evil.example")),
        says(changed(aud=[SERVER])),
        says(changed(enrolment="other")),
        says(changed(administrator_nonce=b64u(holder_nonce))),
        says(changed(holder_nonce=b64u(nonce))),
        says(changed(iat="1790000000")),
        says(changed(iat=1790000000.5)),
        says(changed(extra=1)),
        *[says(without(name)) for name in payload],
    ],
}, indent=1))
