"""Independent verdicts on passkeys: `webauthn` (py_webauthn) reads answers and says what it would do.

Standard input: one JSON object a line, binary values in base64url.
  registration: {"kind", "challenge", "id", "client_data", "attestation_object", "roots": [PEM text]}
  assertion:    {"kind", "challenge", "id", "client_data", "authenticator_data", "signature", "public_key", "count"}
Standard output: `accept` or `refuse: REASON` for each line.

Relying party example.org, origin https://example.org, user verification required.
"""

import json
import sys

from webauthn import verify_authentication_response, verify_registration_response
from webauthn.helpers import base64url_to_bytes
from webauthn.helpers.structs import AttestationFormat

COMMON = {
    "expected_rp_id": "example.org",
    "expected_origin": "https://example.org",
    "require_user_verification": True,
}
# `none` has no roots; `fido-u2f` with the others.
FORMATS = [format for format in AttestationFormat if format is not AttestationFormat.NONE]


def registration(question):
    roots = [text.encode() for text in question["roots"]]
    response = {"clientDataJSON": question["client_data"], "attestationObject": question["attestation_object"]}
    verify_registration_response(
        credential=credential(question, response),
        expected_challenge=base64url_to_bytes(question["challenge"]),
        pem_root_certs_bytes_by_fmt={format: roots for format in FORMATS} if roots else None,
        **COMMON,
    )


def assertion(question):
    response = {
        "clientDataJSON": question["client_data"],
        "authenticatorData": question["authenticator_data"],
        "signature": question["signature"],
    }
    verify_authentication_response(
        credential=credential(question, response),
        expected_challenge=base64url_to_bytes(question["challenge"]),
        credential_public_key=base64url_to_bytes(question["public_key"]),
        credential_current_sign_count=question["count"],
        **COMMON,
    )


def credential(question, response):
    return {"id": question["id"], "rawId": question["id"], "type": "public-key", "response": response}


for line in sys.stdin:
    question = json.loads(line)
    try:
        {"registration": registration, "assertion": assertion}[question["kind"]](question)
    except Exception as error:  # whatever stops it, it would not let the user in
        print(f"refuse: {type(error).__name__}: {error}".replace("\n", " "))
    else:
        print("accept")
