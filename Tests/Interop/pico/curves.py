"""Keys as the Pico protocol needs them (section 1): P-192 and secp192k1 with the package ecdsa, the others with cryptography."""

import hashlib

import ecdsa
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec


class Refused(Exception):
    """The other side breaks a rule."""


def secp192k1():
    """The curve of SEC 2 (section 2.2.1 of its first version), which the package does not have."""
    prime = 2**192 - 2**32 - 2**12 - 2**8 - 2**7 - 2**6 - 2**3 - 1
    order = 0xFFFFFFFFFFFFFFFFFFFFFFFE26F2FC170F69466A74DEFD8D
    curve = ecdsa.ellipticcurve.CurveFp(prime, 0, 3, 1)
    generator = ecdsa.ellipticcurve.PointJacobi(
        curve, 0xDB4FF10EC057E9AE26B07D0280B7F4341DA5D1B1EAE06C7D, 0x9B2F2F6D9C5628A7844163D015BE86344082AA88D95E2F9D, 1,
        order, generator=True)
    return ecdsa.curves.Curve("secp192k1", curve, generator, (1, 3, 132, 0, 31))


# The constant beginning of a SubjectPublicKeyInfo, before the point.
PREFIXES = {
    "p192": bytes.fromhex("3049301306072a8648ce3d020106082a8648ce3d030101033200"),
    "p256": bytes.fromhex("3059301306072a8648ce3d020106082a8648ce3d030107034200"),
    "p384": bytes.fromhex("3076301006072a8648ce3d020106052b81040022036200"),
    "p521": bytes.fromhex("30819b301006072a8648ce3d020106052b8104002303818600"),
    "secp192k1": bytes.fromhex("3046301006072a8648ce3d020106052b8104001f033200"),
}
SIZES = {"p192": 24, "p256": 32, "p384": 48, "p521": 66, "secp192k1": 24}
OLD = {"p192": ecdsa.NIST192p, "secp192k1": secp192k1()}
NEW = {"p256": ec.SECP256R1(), "p384": ec.SECP384R1(), "p521": ec.SECP521R1()}


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
        if curve in OLD:
            self.own = (
                ecdsa.SigningKey.from_string(scalar, OLD[curve]) if scalar else ecdsa.SigningKey.generate(OLD[curve]))
            self.scalar = self.own.to_string()
            public = b"\x04" + self.own.verifying_key.to_string()
        else:
            self.own = (
                ec.derive_private_key(int.from_bytes(scalar, "big"), NEW[curve]) if scalar
                else ec.generate_private_key(NEW[curve]))
            self.scalar = self.own.private_numbers().private_value.to_bytes(SIZES[curve], "big")
            public = self.own.public_key().public_bytes(
                serialization.Encoding.X962, serialization.PublicFormat.UncompressedPoint)
        self.spki = PREFIXES[curve] + public

    def sign(self, message):
        if self.curve in OLD:
            # As many bits of the digest as the order has (FIPS 186-5 section 6.4.1).
            return self.own.sign(
                message, hashfunc=hashlib.sha256, sigencode=ecdsa.util.sigencode_der, allow_truncate=True)
        return self.own.sign(message, ec.ECDSA(hashes.SHA256()))

    def agree(self, spki):
        """The x coordinate, as long as the field."""
        if curve_of(spki) != self.curve:
            raise Refused("two curves")
        if self.curve in OLD:
            agreement = ecdsa.ECDH(curve=OLD[self.curve], private_key=self.own)
            agreement.load_received_public_key_bytes(point(spki)[1:])
            return agreement.generate_sharedsecret_bytes()
        peer = ec.EllipticCurvePublicKey.from_encoded_point(NEW[self.curve], point(spki))
        return self.own.exchange(ec.ECDH(), peer)


def verify(spki, signature, message):
    curve = curve_of(spki)
    try:
        if curve in OLD:
            key = ecdsa.VerifyingKey.from_string(point(spki)[1:], OLD[curve])
            key.verify(
                signature, message, hashfunc=hashlib.sha256, sigdecode=ecdsa.util.sigdecode_der, allow_truncate=True)
        else:
            key = ec.EllipticCurvePublicKey.from_encoded_point(NEW[curve], point(spki))
            key.verify(signature, message, ec.ECDSA(hashes.SHA256()))
    except (InvalidSignature, ecdsa.BadSignatureError):
        raise Refused("a signature does not hold") from None


def commitment(spki):
    return hashlib.sha256(spki).digest()
