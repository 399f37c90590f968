"""The peer of `countersign-bench verify`: the reference implementation of SD-JWT (PyPI `sd-jwt`) checks the same
presentation, issuer signature and key binding, with the key of the leaf certificate.

usage: sd_jwt_peer.py DIR SECONDS     (DIR as `countersign demo --keep DIR` leaves it)
prints one JSON object: verifications, CPU seconds, verifications per CPU second
"""

import json
import sys
import time

from cryptography import x509
from jwcrypto.jwk import JWK
from sd_jwt.verifier import SDJWTVerifier

folder, seconds = sys.argv[1], float(sys.argv[2])
read = lambda name: open(f"{folder}/{name}", encoding="utf-8").read()
presentation, audience, nonce = read("presentation.sd-jwt").strip(), read("audience.txt").strip(), read("nonce.txt").strip()
leaf = x509.load_pem_x509_certificates(read("chain.pem").encode())[0]
key = JWK.from_pyca(leaf.public_key())


def check():
    SDJWTVerifier(presentation, lambda issuer, header: key, audience, nonce).get_verified_payload()


check()
count, start = 0, time.process_time()
while time.process_time() - start < seconds:
    check()
    count += 1
spent = time.process_time() - start
print(json.dumps({"peer": "sd-jwt (Python)", "count": count, "cpu_seconds": spent, "per_second": count / spent}))
