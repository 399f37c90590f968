"""Independent programs check what the demo left: `sd-jwt` the presentation, another nonce is refused.

usage: check_presentation.py DIR
"""

import sys

from cryptography import x509
from jwcrypto.jwk import JWK
from sd_jwt.verifier import SDJWTVerifier

folder = sys.argv[1]
read = lambda name: open(f"{folder}/{name}", encoding="utf-8").read()
presentation, audience, nonce = read("presentation.sd-jwt").strip(), read("audience.txt").strip(), read("nonce.txt").strip()
leaf = x509.load_pem_x509_certificates(read("chain.pem").encode())[0]
key = JWK.from_pyca(leaf.public_key())


def verify(expected_nonce):
    return SDJWTVerifier(presentation, lambda issuer, header: key, audience, expected_nonce).get_verified_payload()


payload = verify(nonce)
print("accepted: vct", payload["vct"])
try:
    verify(nonce + "x")
except Exception as error:  # the package raises plain exceptions
    print("refused another nonce:", type(error).__name__)
else:
    sys.exit("another nonce was accepted")
