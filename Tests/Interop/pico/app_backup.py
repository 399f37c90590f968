"""Makes a backup as the original's app makes one: its database, with accounts, under a secret (section 8).

    app_backup.py FILE SECRET-IN-HEX

It prints the keys of the accounts as JSON: one on P-256 and one on P-192, and what is to be handed back.
"""

import base64
import hashlib
import json
import os
import sqlite3
import sys
import tempfile

from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

from curves import Key, commitment

TABLES = """
CREATE TABLE services (id INTEGER PRIMARY KEY, name VARCHAR, address VARCHAR, commitment VARCHAR);
CREATE TABLE pairings (id INTEGER PRIMARY KEY, name VARCHAR, service_id INTEGER, date_created VARCHAR);
CREATE TABLE key_pairings (id INTEGER PRIMARY KEY, pairing_id INTEGER, private_key BLOB, public_key BLOB,
    extra_data VARCHAR);
CREATE TABLE lens_pairings (id INTEGER PRIMARY KEY, pairing_id INTEGER, credentials_string VARCHAR,
    private_fields_string VARCHAR);
CREATE TABLE sessions (id INTEGER PRIMARY KEY, remote_id VARCHAR, secret_key BLOB, pairing_id INTEGER);
"""


def pkcs8(key):
    if key.curve == "p192":
        return key.own.to_der(format="pkcs8")
    return key.own.private_bytes(
        serialization.Encoding.DER, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())


path, secret = sys.argv[1], bytes.fromhex(sys.argv[2])
made = []
with tempfile.TemporaryDirectory() as folder:
    name = os.path.join(folder, "pico.db")
    database = sqlite3.connect(name)
    database.execute("PRAGMA journal_mode = WAL")
    database.executescript(TABLES)
    for number, (curve, extra) in enumerate([("p256", 'a secret of ünusual b=ytes'), ("p192", None)], 1):
        service, key = Key(curve), Key(curve)
        database.execute(
            "INSERT INTO services VALUES (?, ?, 'http://localhost/channel/x', ?)",
            (number, "Old computer %d" % number, base64.b64encode(commitment(service.spki)).decode()))
        database.execute("INSERT INTO pairings VALUES (?, 'ada', ?, '2017-05-01 10:00:00.000000')", (number, number))
        database.execute(
            "INSERT INTO key_pairings VALUES (?, ?, ?, ?, ?)", (number, number, pkcs8(key), key.spki, extra))
        made.append({
            "curve": curve, "key": service.scalar.hex(), "pico": key.spki.hex(), "secret": (extra or "").encode().hex()})
    database.commit()
    database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    database.close()
    with open(name, "rb") as file:
        contents = file.read()
iv = os.urandom(16)
sealed = AESGCM(hashlib.sha256(secret).digest()).encrypt(iv, contents, None)
with open(path, "w") as file:
    json.dump({"encryptedData": base64.b64encode(sealed).decode(), "iv": base64.b64encode(iv).decode()}, file)
print(json.dumps(made))
