"""Keys on P-192 (package ecdsa) and P-256 (package cryptography), as the Pico protocol needs them (section 1)."""

import hashlib

import ecdsa
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec


class Refused(Exception):
    """The other side breaks a rule."""


# The constant beginning of a SubjectPublicKeyInfo, before the point.
PREFIXES = {
    "p192": bytes.fromhex("3049301306072a8648ce3d020106082a8648ce3d030101033200"),
    "p256": bytes.fromhex("3059301306072a8648ce3d020106082a8648ce3d030107034200"),
}
SIZES = {"p192": 24, "p256": 32}


def curve_of(spki):
    for name, prefix in PREFIXES.items():
        if spki.startswith(prefix) and len(spki) == len(prefix) + 1 + 2 * SIZES[name] and spki[len(prefix)] == 4:
            return name
    raise Refused("no key in its one spelling")


def point(spki):
    return spki[len(PREFIXES[curve_of(spki)]):]


class Key:
    """A private key."""

    def __init__(self, curve, scalar=None):
        self.curve = curve
        if curve == "p192":
            self.own = (
                ecdsa.SigningKey.from_string(scalar, ecdsa.NIST192p) if scalar
                else ecdsa.SigningKey.generate(ecdsa.NIST192p))
            self.scalar = self.own.to_string()
            public = b"\x04" + self.own.verifying_key.to_string()
        else:
            self.own = (
                ec.derive_private_key(int.from_bytes(scalar, "big"), ec.SECP256R1()) if scalar
                else ec.generate_private_key(ec.SECP256R1()))
            self.scalar = self.own.private_numbers().private_value.to_bytes(32, "big")
            public = self.own.public_key().public_bytes(
                serialization.Encoding.X962, serialization.PublicFormat.UncompressedPoint)
        self.spki = PREFIXES[curve] + public

    def sign(self, message):
        if self.curve == "p192":
            return self.own.sign(message, hashfunc=hashlib.sha256, sigencode=ecdsa.util.sigencode_der)
        return self.own.sign(message, ec.ECDSA(hashes.SHA256()))

    def agree(self, spki):
        """The x coordinate, as long as the field."""
        if curve_of(spki) != self.curve:
            raise Refused("two curves")
        if self.curve == "p192":
            agreement = ecdsa.ECDH(curve=ecdsa.NIST192p, private_key=self.own)
            agreement.load_received_public_key_bytes(point(spki)[1:])
            return agreement.generate_sharedsecret_bytes()
        peer = ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), point(spki))
        return self.own.exchange(ec.ECDH(), peer)


def verify(spki, signature, message):
    try:
        if curve_of(spki) == "p192":
            key = ecdsa.VerifyingKey.from_string(point(spki)[1:], ecdsa.NIST192p)
            key.verify(signature, message, hashfunc=hashlib.sha256, sigdecode=ecdsa.util.sigdecode_der)
        else:
            key = ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), point(spki))
            key.verify(signature, message, ec.ECDSA(hashes.SHA256()))
    except (InvalidSignature, ecdsa.BadSignatureError):
        raise Refused("a signature does not hold") from None


def commitment(spki):
    return hashlib.sha256(spki).digest()
