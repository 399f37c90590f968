"""Messages of the Pico protocol and the rendezvous that carries them (sections 3, 4 and 6)."""

import base64
import hashlib
import hmac
import json
import os
import struct
import time
import urllib.error
import urllib.request

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

from curves import Refused, verify


def b64(data):
    return base64.b64encode(data).decode()


def unb64(text):
    return base64.b64decode(text, validate=True)


def mac(key, data):
    return hmac.new(key, data, hashlib.sha256).digest()


def lp(data):
    return struct.pack(">I", len(data)) + data


def split(data, count):
    """So many elements, and nothing behind them."""
    elements = []
    for _ in range(count):
        if len(data) < 4:
            raise Refused("no length")
        (length,) = struct.unpack(">I", data[:4])
        if length > len(data) - 4:
            raise Refused("a length beyond the end")
        elements.append(data[4:4 + length])
        data = data[4 + length:]
    if data:
        raise Refused("bytes behind the last element")
    return elements


class Keys:
    """The five keys of a run (section 4.2)."""

    def __init__(self, secret, pico_nonce, service_nonce):
        nonces = pico_nonce + service_nonce
        kdk = mac(nonces, secret)
        stream, block = b"", b""
        for counter in range(1, 5):
            block = mac(kdk, block + nonces + bytes([counter]))
            stream += block
        self.pico_mac, self.pico_encryption = stream[0:32], stream[32:48]
        self.service_mac, self.service_encryption = stream[48:80], stream[80:96]
        self.shared = stream[96:112]


def seal(key, session, plaintext):
    iv = os.urandom(16)
    return {"sessionId": session, "encryptedData": b64(AESGCM(key).encrypt(iv, plaintext, None)), "iv": b64(iv)}


def unseal(key, message):
    try:
        return AESGCM(key).decrypt(unb64(message["iv"]), unb64(message["encryptedData"]), None)
    except InvalidTag:
        raise Refused("a tag does not hold") from None


def identity_proof(key, mac_key, peer_nonce, session, ephemeral):
    """The elements by which a side proves its identity key."""
    signed = peer_nonce + struct.pack(">i", session) + ephemeral
    return lp(key.spki) + lp(key.sign(signed)) + lp(mac(mac_key, key.spki))


def check_proof(spki, signature, code, mac_key, own_nonce, session, ephemeral):
    verify(spki, signature, own_nonce + struct.pack(">i", session) + ephemeral)
    if not hmac.compare_digest(code, mac(mac_key, spki)):
        raise Refused("a code does not hold")


class Channel:
    """One channel of a rendezvous point.

    Only a test that hangs should meet the end of its time: whole programs are started while it runs.
    """

    def __init__(self, url, seconds=240):
        self.url, self.end = url, time.monotonic() + seconds

    def _ask(self, method, body=None):
        while time.monotonic() < self.end:
            request = urllib.request.Request(
                self.url, data=body, method=method, headers={"Content-Type": "application/octet-stream"})
            try:
                with urllib.request.urlopen(request, timeout=90) as answer:
                    kind, data = answer.headers["Content-Type"], answer.read(65_541)
            except urllib.error.HTTPError as error:
                if error.code != 404:
                    raise
                time.sleep(0.05)
                continue
            if kind == "application/octet-stream":
                return data
            code = json.loads(data)["code"]
            if code == 0:
                return None
            if code == -1:
                raise Refused("the channel was closed")
        raise Refused("nobody came in time")

    def send(self, message):
        data = json.dumps(message, separators=(",", ":")).encode()
        if self._ask("POST", lp(data)) is not None:
            raise Refused("data for a writer")

    def receive(self):
        frame = self._ask("GET")
        if frame is None:
            raise Refused("no data for a reader")
        (data,) = split(frame, 1)
        return json.loads(data)


class Counter:
    """Sequence numbers of both sides (section 6)."""

    def __init__(self):
        self.own, self.peer = int.from_bytes(os.urandom(32), "big"), None

    def next(self):
        number, self.own = self.own, (self.own + 1) % 2**256
        return number.to_bytes(32, "big")

    def take(self, number):
        if len(number) != 32:
            raise Refused("a number has not 32 bytes")
        value = int.from_bytes(number, "big")
        if self.peer is not None and value != (self.peer + 1) % 2**256:
            raise Refused("a number does not follow")
        self.peer = value
