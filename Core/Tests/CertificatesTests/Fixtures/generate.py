"""Writes the paths of this folder: good ones and one file for each way to be refused.

    python3 generate.py        needs the package `cryptography`

Everything is derived from names, so that a second run writes the same bytes. The DER is put together by hand, because
no library would write most of these certificates.
"""
import base64, hashlib, pathlib
from datetime import datetime, timezone
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec

HERE = pathlib.Path(__file__).parent
ORDER = 0xFFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551


# DER ------------------------------------------------------------------------------------------------------------------
def tlv(tag, content):
    size = len(content)
    if size < 0x80:
        return bytes([tag, size]) + content
    digits = size.to_bytes((size.bit_length() + 7) // 8, "big")
    return bytes([tag, 0x80 | len(digits)]) + digits + content


def seq(*parts): return tlv(0x30, b"".join(parts))
def integer(content): return tlv(0x02, content)
def number(value): return integer(value.to_bytes(value.bit_length() // 8 + 1, "big"))
def bits(content, unused=0): return tlv(0x03, bytes([unused]) + content)
def octets(content): return tlv(0x04, content)
TRUE, FALSE = bytes.fromhex("0101ff"), bytes.fromhex("010100")


def oid(text):
    first, second, *rest = map(int, text.split("."))
    content = b""
    for value in [first * 40 + second, *rest]:
        part = [value & 0x7F]
        while value := value >> 7:
            part.append(0x80 | value & 0x7F)
        content += bytes(reversed(part))
    return tlv(0x06, content)


ARC = "2.25.4839201756610287365"
ECDSA_SHA256 = seq(oid("1.2.840.10045.4.3.2"))
ECDSA_SHA1 = seq(oid("1.2.840.10045.4.1"))
ECDSA_SHA384 = seq(oid("1.2.840.10045.4.3.3"))
RSA_SHA256 = seq(oid("1.2.840.113549.1.1.11"), tlv(0x05, b""))


# Keys and names -------------------------------------------------------------------------------------------------------
def key(name):
    secret = int.from_bytes(hashlib.sha256(b"countersign fixture " + name.encode()).digest(), "big") % (ORDER - 1) + 1
    return ec.derive_private_key(secret, ec.SECP256R1())


def point(private, form=serialization.PublicFormat.UncompressedPoint):
    return private.public_key().public_bytes(serialization.Encoding.X962, form)


def spki(private): return seq(seq(oid("1.2.840.10045.2.1"), oid("1.2.840.10045.3.1.7")), bits(point(private)))
def key_id(private): return hashlib.sha256(point(private)).digest()[:20]


def attribute(kind, text, tag=0x0C):
    return tlv(0x31, seq(oid({"CN": "2.5.4.3", "O": "2.5.4.10"}[kind]), tlv(tag, text.encode())))


def name(common, organisation="Example University"):
    return seq(attribute("O", organisation), attribute("CN", common))


ROOT, MAIN, ADMIN = "Example University Root", "Maria Main", "Adam Administrator"
URL = "https://countersign.example.edu"


# Times ----------------------------------------------------------------------------------------------------------------
def time(year, month=1, day=1):
    moment = datetime(year, month, day, tzinfo=timezone.utc)
    if year < 2050:
        return tlv(0x17, moment.strftime("%y%m%d%H%M%SZ").encode())
    return tlv(0x18, moment.strftime("%Y%m%d%H%M%SZ").encode())


# Extensions -----------------------------------------------------------------------------------------------------------
def ext(identifier, value, critical=False): return seq(oid(identifier), TRUE if critical else b"", octets(value))
def constraints(*parts, critical=True): return ext("2.5.29.19", seq(*parts), critical)
def authority(length=None): return constraints(TRUE, number(length) if length is not None else b"")
def end_entity(): return constraints()
def usage(byte, unused, critical=True): return ext("2.5.29.15", bits(bytes([byte]), unused), critical)
CERT_SIGN, CERT_CRL_SIGN, DIGITAL = usage(0x04, 2), usage(0x06, 1), usage(0x80, 7)
def ski(private): return ext("2.5.29.14", octets(key_id(private)))
def aki(private): return ext("2.5.29.35", seq(tlv(0x80, key_id(private))))
def san(url=URL): return ext("2.5.29.17", seq(tlv(0x86, url.encode())))
def eku(*usages): return ext("2.5.29.37", seq(*[oid(u) for u in usages]))
IDENTIFY, SIGN, STATUS = ARC + ".1.1", ARC + ".1.2", "1.3.6.1.5.5.7.3.30"
def status(uri=URL + "/status/0", index=7): return ext(ARC + ".3", seq(tlv(0x16, uri.encode()), number(index)))


# Certificates ---------------------------------------------------------------------------------------------------------
def cert(subject, issuer, subject_key, issuer_key, extensions, *, serial=None, version=tlv(0xA0, number(2)),
         inner=ECDSA_SHA256, outer=None, validity=None, info=None, more=b"", signature=None, unsigned_tail=b""):
    if serial is None:
        digest = bytearray(hashlib.sha256(subject + issuer + b"".join(extensions or [])).digest()[:16])
        digest[0] = digest[0] & 0x7F | 0x40
        serial = bytes(digest)
    body = seq(version, integer(serial), inner, issuer, validity or seq(time(2026), time(2028)), subject,
               info or spki(subject_key), tlv(0xA3, seq(*extensions)) if extensions is not None else b"", more)
    signature = signature or issuer_key.sign(body, ec.ECDSA(hashes.SHA256(), deterministic_signing=True))
    return seq(body, outer or inner, bits(signature), unsigned_tail)


KEYS = {who: key(who) for who in ["root", "main", "admin", "student", "eve", "status", "second"]}
K = KEYS


def root(**changes):
    extensions = changes.pop("extensions", [authority(1), CERT_CRL_SIGN, ski(K["root"]), san()])
    changes.setdefault("validity", seq(time(2026), time(2051)))
    return cert(name(ROOT), name(ROOT), K["root"], K["root"], extensions, **changes)


def main(extensions=None, *, subject=name(MAIN), issuer=name(ROOT), signer="root", **changes):
    extensions = extensions or [authority(0), CERT_SIGN, ski(K["main"]), aki(K[signer]), san()]
    return cert(subject, issuer, K["main"], K[signer], extensions, **changes)


def leaf_extensions(who="admin", by="main", *, usages=(IDENTIFY, SIGN), constraint=None, use=DIGITAL, url=URL, more=()):
    return [constraint or end_entity(), use, eku(*usages), ski(K[who]), aki(K[by]), san(url), status(), *more]


def leaf(extensions=None, *, who="admin", by="main", subject=name(ADMIN), issuer=name(MAIN), **changes):
    return cert(subject, issuer, K[who], K[by], extensions or leaf_extensions(who, by), **changes)


def without(extensions, identifier):
    return [e for e in extensions if oid(identifier) not in e[:20]]


def replaced(extensions, identifier, other):
    return [other if oid(identifier) in e[:20] else e for e in extensions]


def armour(*certificates):
    text = ""
    for der in certificates:
        body = base64.b64encode(der).decode()
        lines = [body[i:i + 64] for i in range(0, len(body), 64)]
        text += "\n".join(["-----BEGIN CERTIFICATE-----", *lines, "-----END CERTIFICATE-----", ""])
    return text


def write(title, *certificates): (HERE / "paths" / f"{title}.pem").write_text(armour(*certificates))


def write_leaf(title, der): write(title, der, main())


def leaf_with(title, identifier, other): write_leaf(title, leaf(replaced(leaf_extensions(), identifier, other)))


(HERE / "paths").mkdir(exist_ok=True)
for old in (HERE / "paths").glob("*.pem"):
    old.unlink()
(HERE / "root.pem").write_text(armour(root()))

# Good.
write_leaf("good", leaf())
write_leaf("good-identify-only", leaf(leaf_extensions(usages=[IDENTIFY])))
write_leaf("good-sign-only", leaf(leaf_extensions(usages=[SIGN])))
write_leaf("good-unknown-extension", leaf(leaf_extensions(more=[ext("1.2.3.4", b"\x05\x00")])))
write_leaf("good-serial-one", leaf(serial=b"\x01"))
write_leaf("good-far-future", leaf(validity=seq(time(2026), time(2060))))
write_leaf("good-namesake", leaf(subject=name(MAIN)))
status_extensions = [end_entity(), DIGITAL, eku(STATUS), ski(K["status"]), aki(K["root"]), san()]
write("good-status", cert(name("Status Signer"), name(ROOT), K["status"], K["root"], status_extensions))

# A.1, third attack: whom the administrator certified as a person acts as an administrator.
student = leaf(leaf_extensions("student", "main"), who="student", subject=name("Sam Student"))
forged = leaf(leaf_extensions("eve", "student"), who="eve", by="student", subject=name("Eve"), issuer=name("Sam Student"))
write("attack-student-issues", forged, student, main())
by_admin = leaf(leaf_extensions("eve", "admin"), who="eve", by="admin", subject=name("Eve"), issuer=name(ADMIN))
write("attack-administrator-issues", by_admin, leaf(), main())
write("attack-status-signer-issues",
      leaf(leaf_extensions("eve", "status"), who="eve", by="status", subject=name("Eve"), issuer=name("Status Signer")),
      cert(name("Status Signer"), name(ROOT), K["status"], K["root"], status_extensions))

# Foreign roots and swapped names.
foreign_main = cert(name(MAIN), name(ROOT), K["main"], K["eve"],
                    [authority(0), CERT_SIGN, ski(K["main"]), aki(K["eve"]), san()])
write("foreign-root-same-name", leaf(), foreign_main)
pretending = cert(name(MAIN), name(ROOT), K["main"], K["eve"],
                  [authority(0), CERT_SIGN, ski(K["main"]), aki(K["root"]), san()])
write("foreign-root-same-key-identifier", leaf(), pretending)
write("issuer-is-another", leaf(issuer=name("Mario Main")), main())
write("issuer-names-swapped", leaf(subject=name(MAIN), issuer=name(ADMIN)), main())
write("wrong-order", main(), leaf())
write("intermediate-missing", leaf())
write("signed-by-eve", cert(name(ADMIN), name(MAIN), K["admin"], K["eve"], leaf_extensions()), main())
write("root-in-path", leaf(), main(), root())
write("self-signed-leaf", cert(name(ADMIN), name(ADMIN), K["eve"], K["eve"], leaf_extensions("eve", "eve")))
write("foreign-organisation", leaf(subject=name(ADMIN, "Another University")), main())
write_leaf("foreign-url", leaf(leaf_extensions(url="https://evil.example")))
write("key-identifier-of-another", leaf(leaf_extensions(by="eve")), main())

# Path length, authority, key usage, purpose.
sub = cert(name("Sub"), name(MAIN), K["second"], K["main"],
           [authority(0), CERT_SIGN, ski(K["second"]), aki(K["main"]), san()])
write("path-length-exceeded", leaf(leaf_extensions(by="second"), by="second", issuer=name("Sub")), sub, main())
unlimited = main([authority(), CERT_SIGN, ski(K["main"]), aki(K["root"]), san()])
write("path-length-of-root-exceeded", leaf(leaf_extensions(by="second"), by="second", issuer=name("Sub")), sub, unlimited)
write("too-long", leaf(), sub, sub, main())
main_parts = [authority(0), CERT_SIGN, ski(K["main"]), aki(K["root"]), san()]
write("ca-flag-missing", leaf(), main(replaced(main_parts, "2.5.29.19", end_entity())))
write("ca-constraints-missing", leaf(), main(without(main_parts, "2.5.29.19")))
write("ca-key-usage-missing", leaf(), main(without(main_parts, "2.5.29.15")))
write("ca-may-not-sign", leaf(), main(replaced(main_parts, "2.5.29.15", DIGITAL)))
write("ca-limited-to-status", leaf(), main([*main_parts, eku(STATUS)]))
write_leaf("leaf-is-authority", leaf(leaf_extensions(constraint=authority(0))))
write_leaf("leaf-may-sign-certificates", leaf(leaf_extensions(use=usage(0x84, 2))))
write_leaf("leaf-encrypts", leaf(leaf_extensions(use=usage(0x20, 5))))
write_leaf("purpose-missing", leaf(without(leaf_extensions(), "2.5.29.37")))
write_leaf("purpose-of-status", leaf(leaf_extensions(usages=[STATUS])))
write_leaf("purpose-any", leaf(leaf_extensions(usages=["2.5.29.37.0"])))
write("status-by-administrator", leaf(leaf_extensions(usages=[STATUS])), main())
write("status-with-document-purpose",
      cert(name("Status Signer"), name(ROOT), K["status"], K["root"], leaf_extensions("status", "root", usages=[SIGN])))
write_leaf("authority-key-identifier-missing", leaf(without(leaf_extensions(), "2.5.29.35")))

# Times. The path is checked at 2027-01-01.
write_leaf("expired", leaf(validity=seq(time(2026), time(2026, 6))))
write_leaf("not-yet-valid", leaf(validity=seq(time(2027, 6), time(2028))))
write("issuer-expired", leaf(), main(validity=seq(time(2026), time(2026, 6))))
write_leaf("validity-reversed", leaf(validity=seq(time(2028), time(2026))))
odd = {
    "time-generalized-before-2050": tlv(0x18, b"20280101000000Z"), "time-without-seconds": tlv(0x17, b"2801010000Z"),
    "time-with-offset": tlv(0x17, b"280101000000+0000"), "time-with-fraction": tlv(0x18, b"20510101000000.5Z"),
    "time-31-june": tlv(0x17, b"280631000000Z"), "time-29-february": tlv(0x17, b"270229000000Z"),
    "time-24-hours": tlv(0x17, b"280101240000Z"), "time-leap-second": tlv(0x17, b"271231235960Z"),
    "time-month-13": tlv(0x17, b"281301000000Z"), "time-as-text": tlv(0x16, b"280101000000Z"),
    "time-with-letters": tlv(0x17, b"28O1O1OOOOOOZ"),
}
for title, value in odd.items():
    write_leaf(title, leaf(validity=seq(time(2026), value)))

# Extensions.
write_leaf("unknown-critical-extension", leaf(leaf_extensions(more=[ext("1.2.3.4", b"\x05\x00", True)])))
write("unknown-critical-extension-in-issuer", leaf(), main([*main_parts, ext("1.2.3.4", seq(), True)]))
EXCLUDED = seq(tlv(0xA1, seq(tlv(0x86, b"countersign.example.edu"))))
write_leaf("name-constraints", leaf(leaf_extensions(more=[ext("2.5.29.30", EXCLUDED)])))
write("name-constraints-in-issuer", leaf(), main([*main_parts, ext("2.5.29.30", EXCLUDED)]))
write("name-constraints-critical", leaf(), main([*main_parts, ext("2.5.29.30", EXCLUDED, True)]))
write_leaf("duplicate-extension", leaf(leaf_extensions(more=[eku(SIGN)])))
write_leaf("duplicate-unknown-extension", leaf(leaf_extensions(more=[ext("1.2.3.4", b""), ext("1.2.3.4", b"")])))
leaf_with("constraints-not-critical", "2.5.29.19", constraints(critical=False))
leaf_with("key-usage-not-critical", "2.5.29.15", usage(0x80, 7, False))
leaf_with("alternative-name-critical", "2.5.29.17", ext("2.5.29.17", seq(tlv(0x86, URL.encode())), True))
leaf_with("key-identifier-critical", "2.5.29.14", ext("2.5.29.14", octets(key_id(K["admin"])), True))
write_leaf("no-extensions", cert(name(ADMIN), name(MAIN), K["admin"], K["main"], None))
write_leaf("empty-extensions", cert(name(ADMIN), name(MAIN), K["admin"], K["main"], []))
write_leaf("key-identifier-missing", leaf(without(leaf_extensions(), "2.5.29.14")))
write_leaf("alternative-name-missing", leaf(without(leaf_extensions(), "2.5.29.17")))
leaf_with("alternative-name-two", "2.5.29.17", ext("2.5.29.17", seq(*[tlv(0x86, URL.encode())] * 2)))
leaf_with("alternative-name-dns", "2.5.29.17", ext("2.5.29.17", seq(tlv(0x82, b"example.edu"))))
leaf_with("alternative-name-with-zero", "2.5.29.17", ext("2.5.29.17", seq(tlv(0x86, URL.encode() + b"\0.evil"))))
leaf_with("path-length-without-authority", "2.5.29.19", constraints(number(0)))
leaf_with("constraints-with-false", "2.5.29.19", constraints(FALSE))
leaf_with("constraints-true-as-one", "2.5.29.19", constraints(bytes.fromhex("010101")))
leaf_with("key-usage-empty", "2.5.29.15", ext("2.5.29.15", bits(b""), True))
leaf_with("key-usage-trailing-zeros", "2.5.29.15", usage(0x80, 0))
leaf_with("key-usage-padding-set", "2.5.29.15", usage(0x81, 7))
leaf_with("extended-key-usage-empty", "2.5.29.37", eku())
leaf_with("extended-key-usage-twice", "2.5.29.37", eku(SIGN, SIGN))
leaf_with("extension-with-tail", "2.5.29.37", ext("2.5.29.37", seq(oid(SIGN)) + b"\x05\x00"))
leaf_with("authority-key-identifier-by-name", "2.5.29.35",
          ext("2.5.29.35", seq(tlv(0x80, key_id(K["main"])), tlv(0x82, b"\x01"))))
leaf_with("key-identifier-empty", "2.5.29.14", ext("2.5.29.14", octets(b"")))
leaf_with("status-negative", ARC + ".3", ext(ARC + ".3", seq(tlv(0x16, b"https://x"), integer(b"\xff"))))
leaf_with("status-empty-address", ARC + ".3", ext(ARC + ".3", seq(tlv(0x16, b""), number(1))))
leaf_with("status-huge", ARC + ".3", ext(ARC + ".3", seq(tlv(0x16, b"https://x"), integer(b"\x01" + bytes(8)))))
leaf_with("extension-not-critical-written", "2.5.29.37",
          seq(oid("2.5.29.37"), FALSE, octets(seq(oid(SIGN)))))

# Serial numbers, versions, algorithms, keys.
write_leaf("serial-zero", leaf(serial=b"\x00"))
write_leaf("serial-negative", leaf(serial=b"\x80" + bytes(15)))
write_leaf("serial-17-bytes", leaf(serial=b"\x01" * 17))
write_leaf("serial-17-bytes-with-zero", leaf(serial=b"\x00" + b"\xff" * 16))
write_leaf("serial-leading-zero", leaf(serial=b"\x00\x01"))
write_leaf("serial-empty", leaf(serial=b""))
write_leaf("version-1", leaf(version=b""))
write_leaf("version-1-written", leaf(version=tlv(0xA0, number(0))))
write_leaf("version-2", leaf(version=tlv(0xA0, number(1))))
write_leaf("version-4", leaf(version=tlv(0xA0, number(3))))
write_leaf("algorithm-sha1", leaf(inner=ECDSA_SHA1))
write_leaf("algorithm-sha384", leaf(inner=ECDSA_SHA384))
write_leaf("algorithm-rsa", leaf(inner=RSA_SHA256))
write_leaf("algorithm-with-parameters", leaf(inner=seq(oid("1.2.840.10045.4.3.2"), tlv(0x05, b""))))
write_leaf("algorithm-mismatch", leaf(outer=ECDSA_SHA384))
algorithm = seq(oid("1.2.840.10045.2.1"), oid("1.2.840.10045.3.1.7"))
small = serialization.PublicFormat.CompressedPoint
write_leaf("key-compressed", leaf(info=seq(algorithm, bits(point(K["admin"], small)))))
write_leaf("key-p384", leaf(info=seq(seq(oid("1.2.840.10045.2.1"), oid("1.3.132.0.34")), bits(b"\x04" + bytes(96)))))
write_leaf("key-rsa", leaf(info=seq(seq(oid("1.2.840.113549.1.1.1"), tlv(0x05, b"")), bits(seq(number(77), number(3))))))
write_leaf("key-explicit-curve", leaf(info=seq(seq(oid("1.2.840.10045.2.1"), seq(number(1))), bits(point(K["admin"])))))
write_leaf("signature-not-der", leaf(signature=b"\x01" * 64))
write_leaf("signature-negative", leaf(signature=seq(integer(b"\xff"), number(1))))
write_leaf("signature-zero", leaf(signature=seq(number(0), number(0))))
write_leaf("signature-too-long", leaf(signature=seq(integer(b"\x01" * 33), number(1))))

# Names.
write_leaf("name-empty", leaf(subject=seq()))
write_leaf("name-multi-valued", leaf(subject=seq(tlv(0x31, attribute("O", "A")[2:] + attribute("CN", "B")[2:]))))
write_leaf("name-twice", leaf(subject=seq(attribute("CN", "A"), attribute("CN", "B"))))
write_leaf("name-latin-1", leaf(subject=seq(tlv(0x31, seq(oid("2.5.4.3"), tlv(0x0C, b"J\xf8rgen"))))))
write_leaf("name-with-newline", leaf(subject=name("Adam\nOK")))
write_leaf("name-bmp", leaf(subject=seq(attribute("CN", "\0A", 0x1E))))
write_leaf("name-printable-at", leaf(subject=seq(attribute("CN", "a@b", 0x13))))

# DER.
good = leaf()
write_leaf("trailing-byte", good + b"\0")
write_leaf("trailing-in-certificate", leaf(unsigned_tail=b"\x05\x00"))
write_leaf("trailing-in-body", leaf(more=b"\x05\x00"))
write_leaf("unique-identifier", leaf(info=spki(K["admin"]) + tlv(0x81, b"\x00\x01")))
write_leaf("truncated", good[:-1])
write_leaf("indefinite-length", b"\x30\x80" + good[4:] + b"\0\0")
write_leaf("long-length-form", b"\x30\x83\x00" + good[2:])
write_leaf("too-large", leaf(leaf_extensions(more=[ext("1.2.3.4", bytes(8192))])))
write_leaf("empty-sequence", seq())
write_leaf("boolean-not-canonical", leaf(leaf_extensions(more=[seq(oid("1.2.3.4"), bytes.fromhex("010101"), octets(b""))])))

# Roots.
(HERE / "root-foreign.pem").write_text(armour(cert(
    name(ROOT), name(ROOT), K["eve"], K["eve"], [authority(1), CERT_CRL_SIGN, ski(K["eve"]), san()],
    validity=seq(time(2026), time(2051)))))
(HERE / "root-signed-by-eve.pem").write_text(armour(cert(
    name(ROOT), name(ROOT), K["root"], K["eve"], [authority(1), CERT_CRL_SIGN, ski(K["root"]), san()],
    validity=seq(time(2026), time(2051)))))
(HERE / "root-not-authority.pem").write_text(armour(root(extensions=[end_entity(), CERT_SIGN, ski(K["root"]), san()])))
(HERE / "root-may-not-sign.pem").write_text(armour(root(extensions=[authority(1), DIGITAL, ski(K["root"]), san()])))
