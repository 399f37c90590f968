"""Keys, certificates, credentials, status tokens and receipts of a university that does not exist."""
import base64, hashlib, hmac, json, zlib
from datetime import datetime, timezone

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.asymmetric.utils import decode_dss_signature
from cryptography.x509.oid import NameOID, ObjectIdentifier

URL = "https://university.example"
AUDIENCE = "https://employer.example"
NONCE = "bm9uY2Utb2YtdGhlLWVtcGxveWVy"
T0 = 1790000000
DAY = 86400
NOW = T0 + 3700
ARC = "2.25.4839201756610287365"
DOCUMENTS, IDENTITY = ObjectIdentifier(ARC + ".1.2"), ObjectIdentifier(ARC + ".1.1")
STATUS = ObjectIdentifier("1.3.6.1.5.5.7.3.30")
STATUS_URI, SIGNER_URI = URL + "/status/1", URL + "/status/0"
ORIGIN = "university.example/log"


def b64(data):
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def unb64(text):
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))


def std64(data):
    return base64.b64encode(data).decode()


def sha(data):
    return hashlib.sha256(data).digest()


def canonical(value):
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False)


def compact(value):
    return json.dumps(value, separators=(",", ":"), ensure_ascii=False)


# Every signature that was made, as SHA-256 of key, message and signature: a verifier in the tests that has no curves
# can tell good ones by it.
SIGNATURES = set()


def record(public, message, signature):
    SIGNATURES.add(b64(sha(public + message + signature)))


class Key:
    """A P-256 key that is the same in every run, and signs deterministically (RFC 6979)."""

    def __init__(self, seed):
        self.private = ec.derive_private_key(int.from_bytes(sha(seed.encode()), "big"), ec.SECP256R1())
        self.public = self.private.public_key()
        numbers = self.public.public_numbers()
        self.point = b"\4" + numbers.x.to_bytes(32, "big") + numbers.y.to_bytes(32, "big")
        self.jwk = {"crv": "P-256", "kty": "EC", "x": b64(numbers.x.to_bytes(32, "big")),
                    "y": b64(numbers.y.to_bytes(32, "big"))}

    def sign(self, data):
        der = self.private.sign(data, ec.ECDSA(hashes.SHA256(), deterministic_signing=True))
        r, s = decode_dss_signature(der)
        signature = r.to_bytes(32, "big") + s.to_bytes(32, "big")
        record(self.point, data, signature)
        return signature


def name(common, organisation):
    parts = [x509.NameAttribute(NameOID.COMMON_NAME, common)]
    if organisation:
        parts.append(x509.NameAttribute(NameOID.ORGANIZATION_NAME, organisation))
    return x509.Name(parts)


def der_integer(value):
    body = value.to_bytes(value.bit_length() // 8 + 1, "big")
    return bytes([2, len(body)]) + body


def certificate(subject, key, issuer, issuer_key, start, end, ca=False, path_length=None, usages=(), status=None,
                url=URL, organisation="University of Examples", issuer_organisation="University of Examples",
                extra=(), key_identifier=None, issuer_identifier=None):
    ski = x509.SubjectKeyIdentifier(key_identifier) if key_identifier else (
        x509.SubjectKeyIdentifier.from_public_key(key.public))
    aki = x509.SubjectKeyIdentifier(issuer_identifier) if issuer_identifier else (
        x509.SubjectKeyIdentifier.from_public_key(issuer_key.public))
    serial = int.from_bytes(sha(f"{subject}{issuer}{start}{end}{url}".encode())[:16], "big") >> 1 | 1 << 120
    builder = (x509.CertificateBuilder().subject_name(name(subject, organisation))
               .issuer_name(name(issuer, issuer_organisation)).public_key(key.public).serial_number(serial)
               .not_valid_before(datetime.fromtimestamp(start, timezone.utc))
               .not_valid_after(datetime.fromtimestamp(end, timezone.utc))
               .add_extension(x509.BasicConstraints(ca, path_length), True)
               .add_extension(x509.KeyUsage(not ca, False, False, False, False, ca, ca and subject == issuer, False, False), True)
               .add_extension(ski, False)
               .add_extension(x509.SubjectAlternativeName([x509.UniformResourceIdentifier(url)]), False))
    if subject != issuer:
        builder = builder.add_extension(x509.AuthorityKeyIdentifier.from_issuer_subject_key_identifier(aki), False)
    if usages:
        builder = builder.add_extension(x509.ExtendedKeyUsage(usages), False)
    if status:
        body = bytes([0x16, len(status[0])]) + status[0].encode() + der_integer(status[1])
        builder = builder.add_extension(
            x509.UnrecognizedExtension(ObjectIdentifier(ARC + ".3"), bytes([0x30, len(body)]) + body), False)
    for extension, critical in extra:
        builder = builder.add_extension(extension, critical)
    made = builder.sign(issuer_key.private, hashes.SHA256(), ecdsa_deterministic=True)
    r, s = decode_dss_signature(made.signature)
    record(issuer_key.point, made.tbs_certificate_bytes, r.to_bytes(32, "big") + s.to_bytes(32, "big"))
    return made.public_bytes(serialization.Encoding.DER)


# --- the cast ---------------------------------------------------------------------------------------------------
ROOT, MAIN, ADMIN, STATUS_SIGNER = Key("root"), Key("main"), Key("administrator"), Key("status signer")
ALICE, EVE, EVE_ROOT = Key("alice"), Key("eve"), Key("eve's root")
ROOT_NAME, MAIN_NAME = "University of Examples Root", "Grace Hopper"
root = certificate(ROOT_NAME, ROOT, ROOT_NAME, ROOT, T0 - 365 * DAY, T0 + 3285 * DAY, ca=True, path_length=1)
main = certificate(MAIN_NAME, MAIN, ROOT_NAME, ROOT, T0 - 100 * DAY, T0 + 630 * DAY, ca=True, path_length=0)


def administrator(subject="Ada Admin", key=ADMIN, start=T0 - 10 * DAY, end=T0 + 80 * DAY, usages=(DOCUMENTS, IDENTITY),
                  status=(SIGNER_URI, 7), issuer=MAIN_NAME, issuer_key=MAIN, **more):
    return certificate(subject, key, issuer, issuer_key, start, end, usages=list(usages), status=status, **more)


admin = administrator()
# The administrator's as it is issued now: it can be revoked.
listed_main = certificate(MAIN_NAME, MAIN, ROOT_NAME, ROOT, T0 - 99 * DAY, T0 + 630 * DAY, ca=True, path_length=0,
                          status=(SIGNER_URI, 9))
status_signer = certificate("Status", STATUS_SIGNER, ROOT_NAME, ROOT, T0 - 30 * DAY, T0 + 335 * DAY, usages=[STATUS])


# --- JOSE -------------------------------------------------------------------------------------------------------
def jws(header, payload, key, signature=None):
    head = header if isinstance(header, str) else b64(compact(header).encode())
    body = payload if isinstance(payload, str) else b64(compact(payload).encode())
    signed = f"{head}.{body}".encode()
    return f"{head}.{body}." + b64(key.sign(signed) if signature is None else signature)


def disclosure(name, value, salt=None):
    salt = salt or b64(sha(f"salt of {name}{compact(value)}".encode())[:16])
    return b64(compact([salt, value] if name is None else [salt, name, value]).encode())


def digest(text):
    return b64(sha(text.encode()))


FILE = {"name": "degree.pdf", "media_type": "application/pdf", "content": b"%PDF-1.7 a degree, as good as any other\n%%EOF\n"}


def about(file):
    return {"name": file["name"], "media_type": file["media_type"], "size": len(file["content"]),
            "sha256": b64(sha(file["content"]))}


FIELDS = {"given_name": "Alice", "family_name": "Example", "degree": "Master of Science",
          "field_of_study": "Distributed Systems", "conferred_on": "2026-07-01"}


class Credential:
    def __init__(self, fields=None, file=FILE, kind="degree", header=None, payload=None, hidden=(), key=ADMIN,
                 chain=None, holder=ALICE, issued=T0, status=(STATUS_URI, 42), signature=None):
        fields = FIELDS if fields is None else fields
        self.by_name = {n: disclosure(n, v) for n, v in fields.items()}
        if file:
            self.by_name["document"] = disclosure("document", about(file))
        self.hidden = [disclosure(*h) for h in hidden]
        digests = sorted(digest(d) for d in list(self.by_name.values()) + self.hidden)
        self.header = {"alg": "ES256", "typ": "dc+sd-jwt", "x5c": [std64(c) for c in (chain or [admin, main])]}
        self.payload = {"iss": URL, "iat": issued, "vct": f"{URL}/credentials/{kind}", "cnf": {"jwk": holder.jwk},
                        "status": {"status_list": {"idx": status[1], "uri": status[0]}} if status else None,
                        "_sd": digests, "_sd_alg": "sha-256"}
        if not status:
            del self.payload["status"]
        if header:
            header(self.header)
        if payload:
            payload(self.payload)
        self.jwt = jws(self.header, self.payload, key, signature)
        self.status = status
        self.file = file


# --- status -----------------------------------------------------------------------------------------------------
def status_token(uri=STATUS_URI, revoked=(), made=T0 + 3000, ends=T0 + 3000 + DAY, times=None, key=STATUS_SIGNER,
                 chain=None, payload=None, header=None, lst=None, bits=1, count=131072):
    data = bytearray(count // 8)
    for index in revoked:
        data[index // 8] |= 1 << index % 8
    head = {"alg": "ES256", "typ": "statuslist+jwt", "x5c": [std64(c) for c in (chain or [status_signer])]}
    body = {"sub": uri, "iat": made, "exp": ends, "ttl": 3600,
            "status_list": {"bits": bits, "lst": lst or b64(zlib.compress(bytes(data), 9))}}
    if times:
        body["revocation_times"] = times
    if header:
        header(head)
    if payload:
        payload(body)
    return jws(head, body, key)


GOOD_STATUS = [status_token(), status_token(SIGNER_URI)]


# --- log --------------------------------------------------------------------------------------------------------
class LogKey:
    def __init__(self, seed, origin=ORIGIN):
        self.private = Ed25519PrivateKey.from_private_bytes(sha(seed.encode()))
        self.origin = origin
        public = self.private.public_key().public_bytes_raw()
        self.public = public
        self.id = sha(origin.encode() + b"\n\x01" + public)[:4]
        self.vkey = f"{origin}+{self.id.hex()}+{std64(bytes([1]) + public)}"

    def checkpoint(self, size, head):
        text = f"{self.origin}\n{size}\n{std64(head)}\n"
        signature = self.private.sign(text.encode())
        record(self.public, text.encode(), signature)
        return f"{text}\n\u2014 {self.origin} {std64(self.id + signature)}\n"


LOG, EVE_LOG = LogKey("log"), LogKey("eve's log")


def leaf_hash(data):
    return sha(b"\0" + data)


def tree(leaves):
    if len(leaves) == 1:
        return leaves[0]
    k = 1
    while k * 2 < len(leaves):
        k *= 2
    return sha(b"\1" + tree(leaves[:k]) + tree(leaves[k:]))


def path(index, leaves):
    if len(leaves) == 1:
        return []
    k = 1
    while k * 2 < len(leaves):
        k *= 2
    if index < k:
        return path(index, leaves[:k]) + [tree(leaves[k:])]
    return path(index - k, leaves[k:]) + [tree(leaves[:k])]


def receipt(credential, time=T0 + 60, log=LOG, index=5, size=11, kind="document.issued", record=None, entry=None,
            extra=None, proof=None, shown_index=None, checkpoint=None):
    about_it = {"credential": b64(sha(credential.jwt.encode()))}
    if credential.status:
        about_it |= {"status_index": credential.status[1], "status_uri": credential.status[0]}
    if record:
        record(about_it)
    opening = sha(b"opening")
    made = {"v": 1, "type": kind, "time": time, "label": b64(sha(b"label")),
            "commitment": b64(hmac.new(opening, canonical(about_it).encode(), hashlib.sha256).digest())}
    if entry:
        entry(made)
    data = canonical(made).encode()
    leaves = [leaf_hash(f"entry {i}".encode()) for i in range(size)]
    leaves[index] = leaf_hash(data)
    hashes_ = path(index, leaves)
    if proof:
        hashes_ = proof(hashes_)
    more = {"entry": b64(data), "opening": b64(opening), "record": about_it}
    if extra:
        extra(more)
    note = log.checkpoint(size, tree(leaves))
    if checkpoint:
        note = checkpoint(note)
    lines = ["c2sp.org/tlog-proof@v1", "extra " + std64(canonical(more).encode()),
             f"index {index if shown_index is None else shown_index}"] + [std64(h) for h in hashes_]
    return "\n".join(lines) + "\n\n" + note


# --- presentation and bundle ------------------------------------------------------------------------------------
SHOWN = ("given_name", "family_name", "degree", "document")


def present(credential, shown=SHOWN, add=(), key=ALICE, binding=None, header=None, before=None, after=None, made=T0 + 3600,
            omit=False, jwt=None, kb=None):
    """`before` changes the list of disclosures that the holder binds, `after` the list that travels."""
    listed = [credential.by_name[n] for n in shown if n in credential.by_name] + list(add)
    if before:
        listed = before(listed)
    bound = "~".join([credential.jwt] + listed) + "~"
    head = {"alg": "ES256", "typ": "kb+jwt"}
    body = {"iat": made, "exp": made + 30 * DAY, "aud": AUDIENCE, "nonce": NONCE, "sd_hash": b64(sha(bound.encode()))}
    if header:
        header(head)
    if binding:
        binding(body)
    proof = "" if omit else kb if kb is not None else jws(head, body, key)
    if after:
        listed = after(listed)
    return "~".join([jwt or credential.jwt] + listed) + "~" + proof


def bundle(presentation, file=FILE, status=None, receipt=None):
    made = {"format": "countersign-presentation-v1", "presentation": presentation,
            "status": GOOD_STATUS if status is None else status}
    if file:
        made["document"] = {"content": b64(file["content"]), "media_type": file["media_type"], "name": file["name"]}
    if receipt:
        made["receipt"] = receipt
    return made
