"""Says of each request on standard input, a line of JSON, whether its signature holds: RFC 9421 and RFC 9530.

It builds the signature base from the list of parts that the request names, and knows nothing of our code.
"""
import base64
import hashlib
import json
import re
import sys

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec, utils

NEEDED = {"@method", "@target-uri", "content-type", "content-digest", "idempotency-key"}


def unpadded(text):
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))


def holds(request):
    fields, body = request["fields"], unpadded(request["body"])
    label, parameters = fields["signature-input"].split("=", 1)
    parts = re.findall(r'"([^"]*)"', parameters[: parameters.index(")")])
    values = dict(re.findall(r';(\w+)="?([^";]*)"?', parameters[parameters.index(")") :]))
    if not NEEDED <= set(parts) or values["alg"] != "ecdsa-p256-sha256" or values["keyid"] != request["domain"]:
        return False
    digest = base64.b64encode(hashlib.sha256(body).digest()).decode()
    if fields["content-digest"] != f"sha-256=:{digest}:":
        return False
    derived = {"@method": request["method"], "@target-uri": request["url"]}
    lines = [f'"{part}": {derived.get(part) or fields[part]}' for part in parts]
    base = "\n".join([*lines, f'"@signature-params": {parameters}']).encode()
    found = re.fullmatch(rf"{re.escape(label)}=:(.*):", fields["signature"])
    signature = base64.b64decode(found[1], validate=True)
    key = ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), unpadded(request["public_key"]))
    whole = utils.encode_dss_signature(int.from_bytes(signature[:32], "big"), int.from_bytes(signature[32:], "big"))
    key.verify(whole, base, ec.ECDSA(hashes.SHA256()))
    return True


for line in sys.stdin:
    try:
        verdict = holds(json.loads(line))
    except (InvalidSignature, KeyError, ValueError, TypeError):
        verdict = False
    print("accept" if verdict else "refuse", flush=True)
