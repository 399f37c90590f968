"""Writes the example of a backup of accounts (docs/pico.md), without any code of ours: Argon2id and AES are OpenSSL's.

    account_backup.py > Core/Tests/PicoTests/Fixtures/account-backup.json

It is the same each time. The derivation is as cheap as one may be.
"""

import base64
import json

from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.kdf.argon2 import Argon2id


def url(data):
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def compact(value, sort=False):
    return json.dumps(value, sort_keys=sort, separators=(",", ":"), ensure_ascii=False)


accounts = [
    {"asksEveryTime": True, "created": 1790000000, "curve": "p256", "extraData": url(b"a secret"), "id": "6c0d1f7be2aa",
     "key": url(bytes([7]) * 32), "name": "ada", "service": url(bytes(range(32))), "serviceName": "My computer"},
    {"asksEveryTime": False, "created": 1780000000, "curve": "p192", "extraData": "", "id": "0c0d1f7be2aa",
     "key": url(bytes([9]) * 24), "name": "Café", "service": url(bytes(range(1, 33))), "serviceName": "An old / service"},
]
phrase, salt, nonce = "7K3M-Q0XA-9TBE-7K3M-Q0XA-9TBE", bytes(range(16)), bytes(range(12))
derivation = {"name": "argon2id", "memory_kib": 19456, "passes": 2, "lanes": 2, "salt": url(salt)}
password = phrase.replace("-", "")
key = Argon2id(salt=salt, length=32, iterations=2, lanes=2, memory_cost=19456).derive(password.encode())
kind = "countersign-accounts-v1"
covered = b"countersign secret box v1\n" + compact({"derivation": derivation, "format": kind}, sort=True).encode()
plain = compact(accounts)
sealed = nonce + AESGCM(key).encrypt(nonce, plain.encode(), covered)
file = compact({"format": kind, "derivation": derivation, "sealed": url(sealed)}) + "\n"
print(json.dumps({
    "phrase": phrase, "password": password, "salt": salt.hex(), "key": key.hex(), "additional": covered.hex(), "plain": plain,
    "sealed": sealed.hex(), "file": file,
}, indent=2, ensure_ascii=False))
