"""How the cases of forgeries.json are put together."""
import json, zlib

from cryptography import x509
from cryptography.x509.oid import ObjectIdentifier
from scene import *

texts, index_of, good, forged = [], {}, [], []
OPEN = {"result": "unknown"}


def text(value):
    if value not in index_of:
        index_of[value] = len(texts)
        texts.append(value)
    return index_of[value]


def stored(made):
    """A bundle as references into `texts`; raw texts stand for files that are no canonical bundle."""
    if isinstance(made, bytes):
        return {"raw": b64(made)}
    case = {"presentation": text(made["presentation"]), "status": [text(s) for s in made["status"]]}
    if "document" in made:
        case["document"] = {k: text(v) for k, v in made["document"].items()}
    if "receipt" in made:
        case["receipt"] = text(made["receipt"])
    return case


def add(to, name, made, expected, now=NOW, audience=AUDIENCE, nonce=NONCE, live=(), log=True, require=False,
        anybody=False, age=None):
    case = {"name": name, "bundle": stored(made), "now": now, "log": log, "require_document": require,
            "any_audience": anybody, "live": [text(t) for t in live], "expected": expected}
    if age is not None:
        case["maximum_age"] = age
    if audience:
        case["audience"] = audience
    if nonce:
        case["nonce"] = nonce
    to.append(case)


def accept(name, made, expected=None, **options):
    add(good, name, made, expected or {}, **options)


def refuse(name, check, reason, made, result="failed", **options):
    add(forged, name, made, {"check": check, "reason": reason, "result": result}, **options)


def whole(credential=None, **more):
    """A bundle of a credential with everything it needs, but for what is said otherwise."""
    credential = credential or Credential()
    options = {"file": credential.file, "receipt": receipt(credential)}
    for key in ("file", "status", "receipt"):
        if key in more:
            options[key] = more.pop(key)
    if options["receipt"] is False:
        options["receipt"] = None
    return bundle(present(credential, **more), **options)


def drop(*names):
    def change(object):
        for name in names:
            object.pop(name, None)
    return change


def put(**members):
    return lambda object: object.update(members)


def cred(**more):
    return whole(Credential(**more))


def raw(made):
    return canonical(made).encode()


def flip(value, position=-20):
    """The same base64url text with another character at a position."""
    new = "A" if value[position] != "A" else "B"
    return value[:position] + new + value[position:][1:]


base = Credential()
plain = whole()
small = whole(receipt=False, status=[])
file_json = raw(small)
