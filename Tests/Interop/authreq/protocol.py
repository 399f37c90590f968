"""Version 1 of Authreq, written from its specification: what a site and an app share. Only `cryptography` is used."""

import base64
import json
import urllib.error
import urllib.request

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec, padding, rsa

TITLE = "\U0001f535 New Signature Request"
FIELDS = ["body", "category", "expiry", "message_id", "nonce", "response_url", "short_title", "subtitle", "title"]


def bencode(fields):
    """The canonical bytes: one dictionary of the nine fields."""
    assert sorted(fields) == FIELDS
    out = b"d"
    for name in FIELDS:
        value = fields[name]
        text = name.encode()
        out += b"%d:%s" % (len(text), text)
        if isinstance(value, int):
            out += b"i%de" % value
        else:
            text = value.encode()
            out += b"%d:%s" % (len(text), text)
    return out + b"e"


def read_link(link):
    """The nine fields and the server's signature; everything after the scheme counts, slashes too."""
    assert link.startswith("authreq://"), link
    aps = json.loads(base64.b64decode(link[len("authreq://"):], validate=True))["aps"]
    data = aps["additional_data"]
    fields = {"body": aps["alert"]["body"], "category": aps["category"], "subtitle": aps["alert"]["subtitle"],
              "title": aps["alert"]["title"]}
    for name in ("expiry", "message_id", "nonce", "response_url", "short_title"):
        fields[name] = data[name]
    return fields, base64.b64decode(data["signature"], validate=True)


def write_link(fields, signature):
    """The link as the original's service makes it."""
    data = {"bencode": bencode(fields).decode(), "signature": base64.b64encode(signature).decode()}
    for name in ("expiry", "message_id", "nonce", "response_url", "short_title"):
        data[name] = fields[name]
    alert = {"title": fields["title"], "body": fields["body"], "subtitle": fields["subtitle"]}
    aps = {"alert": alert, "badge": 1, "sound": "default", "content-available": 1, "category": fields["category"],
           "additional_data": data}
    text = json.dumps({"aps": aps}, ensure_ascii=False, separators=(",", ":")).replace("/", "\\/")
    return "authreq://" + base64.b64encode(text.encode()).decode()


def server_sign(key, fields):
    return key.sign(bencode(fields), padding.PKCS1v15(), hashes.SHA384())


def is_signed_by(public_key, fields, signature):
    try:
        public_key.verify(signature, bencode(fields), padding.PKCS1v15(), hashes.SHA384())
        return True
    except InvalidSignature:
        return False


def new_server_key():
    return rsa.generate_private_key(65537, 2048)


def new_device_key():
    return ec.generate_private_key(ec.SECP256R1())


def public_pem(key):
    """As the app writes it: no line end after the last line."""
    return key.public_key().public_bytes(
        serialization.Encoding.PEM, serialization.PublicFormat.SubjectPublicKeyInfo).decode().rstrip("\n")


def device_sign(key, fields):
    return key.sign(bencode(fields), ec.ECDSA(hashes.SHA384())).hex()


def is_reply_good(reply, fields, pem=None):
    """Whether a reply's signature covers the fields, with the stored key or with the one that was sent."""
    key = serialization.load_pem_public_key((pem or reply["publickey"]).encode())
    if not isinstance(key, ec.EllipticCurvePublicKey) or key.curve.name != "secp256r1":
        return False
    try:
        key.verify(bytes.fromhex(reply["signature"]), bencode(fields), ec.ECDSA(hashes.SHA384()))
        return True
    except InvalidSignature:
        return False


def post(url, body, headers=None):
    """Posts bytes or JSON; the status and the JSON of the answer, whatever the status is."""
    data = body if isinstance(body, bytes) else json.dumps(body).encode()
    # The original's app names no content type, and its library says this.
    request = urllib.request.Request(url, data, {"Content-Type": "application/x-www-form-urlencoded", **(headers or {})})
    try:
        with urllib.request.urlopen(request, timeout=30) as answer:
            return answer.status, json.loads(answer.read() or b"null")
    except urllib.error.HTTPError as error:
        return error.code, json.loads(error.read() or b"null")


class App:
    """The original's app: one key for everything, no session anywhere."""

    def __init__(self, server_key, token="ab" * 32):
        self.key, self.server_key, self.token = new_device_key(), server_key, token

    def reply(self, fields):
        return {"message_id": fields["message_id"], "signature": device_sign(self.key, fields),
                "publickey": public_pem(self.key), "token": self.token}

    def open(self, link):
        """What the app shows; it drops what the server has not signed."""
        fields, signature = read_link(link)
        assert is_signed_by(self.server_key, fields, signature), "not signed by the server"
        assert fields["title"] == TITLE and 0 < fields["message_id"] < 2**31
        return fields

    def allow(self, link):
        fields = self.open(link)
        return post(fields["response_url"], self.reply(fields))
