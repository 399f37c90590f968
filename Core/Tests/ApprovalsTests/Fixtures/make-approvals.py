#!/usr/bin/env python3
"""Makes approvals.json: version 2 of the approval protocol as a second implementation sees it, with what must be refused.

    python3 make-approvals.py > approvals.json        (needs PyCA cryptography 42 or later; the output is always the same)

It shares no code with ours. docs/approvals.md is what both follow.
"""
import base64
import datetime
import hashlib
import json

from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import decode_dss_signature

ORDER = 0xFFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551


def bencode(value):
    if isinstance(value, int):
        return b"i%de" % value
    if isinstance(value, str):
        value = value.encode()
    if isinstance(value, bytes):
        return b"%d:%s" % (len(value), value)
    if isinstance(value, list):
        return b"l" + b"".join(map(bencode, value)) + b"e"
    pairs = sorted((key.encode(), item) for key, item in value.items())
    return b"d" + b"".join(bencode(key) + bencode(item) for key, item in pairs) + b"e"


def sha256(data):
    return hashlib.sha256(data).digest()


def b64u(data):
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


class Key:
    def __init__(self, name):
        number = int.from_bytes(sha256(b"approvals test key " + name.encode()), "big") % (ORDER - 1) + 1
        self.private = ec.derive_private_key(number, ec.SECP256R1())
        point = self.private.public_key().public_numbers()
        self.x963 = b"\x04" + point.x.to_bytes(32, "big") + point.y.to_bytes(32, "big")

    def sign(self, message):
        r, s = decode_dss_signature(self.private.sign(message, ec.ECDSA(hashes.SHA256(), deterministic_signing=True)))
        s = min(s, ORDER - s)
        return r.to_bytes(32, "big") + s.to_bytes(32, "big")


# -- What is shown ------------------------------------------------------------------------------------------------------

EXPONENTS = {"JPY": 0, "KWD": 3, "CLF": 4}

HIDDEN = [
    (0x00, 0x1F), (0x7F, 0x9F), (0xAD, 0xAD), (0x34F, 0x34F), (0x61C, 0x61C), (0x115F, 0x1160), (0x1680, 0x1680),
    (0x17B4, 0x17B5), (0x180B, 0x180F), (0x2000, 0x200F), (0x2028, 0x202E), (0x205F, 0x206F), (0x27E8, 0x27E9),
    (0x2800, 0x2800), (0x3164, 0x3164), (0xE000, 0xF8FF), (0xFDD0, 0xFDEF), (0xFE00, 0xFE0F), (0xFEFF, 0xFEFF),
    (0xFFA0, 0xFFA0), (0xFFF0, 0xFFFB), (0x13430, 0x1343F), (0x1BCA0, 0x1BCA3),
    (0x1D173, 0x1D17A), (0xE0000, 0xE0FFF), (0xF0000, 0x10FFFF),
]
MARKS = [
    (0x300, 0x36F), (0x483, 0x489), (0x1AB0, 0x1AFF), (0x1DC0, 0x1DFF), (0x20D0, 0x20FF), (0xFE20, 0xFE2F),
]


def within(ranges, number):
    return any(low <= number <= high for low, high in ranges)


def hidden(number):
    return within(HIDDEN, number) or number & 0xFFFE == 0xFFFE


def shaped(number):
    return (0x600 <= number < 0x2000 or number >= 0x2190) and (number == 0xFE0F or not hidden(number))


def neutral(text):
    output, marks = "", 0
    for index, character in enumerate(text):
        number = ord(character)
        before = ord(text[index - 1]) if index else 0
        after = ord(text[index + 1]) if index + 1 < len(text) else 0
        marks = marks + 1 if within(MARKS, number) else 0
        if number in (0x200C, 0x200D):
            keep = shaped(before) and shaped(after)
        elif number in (0xFE0E, 0xFE0F):
            keep = before >= 0x2190 and shaped(before)
        else:
            keep = not hidden(number)
        output += character if keep and marks <= 4 else f"\u27e8U+{number:04X}\u27e9"
    return output


def clock(seconds):
    moment = datetime.datetime(1970, 1, 1) + datetime.timedelta(seconds=seconds)
    return moment.strftime("%Y-%m-%d %H:%M:%S UTC").rjust(23, "0")


def money(value, currency):
    places = EXPONENTS.get(currency, 2)
    whole, rest = divmod(value, 10**places)
    text = f"{whole:,}".replace(",", " ")
    return text + (f".{rest:0{places}}" if places else "") + " " + currency


def lines(challenge):
    service = challenge["service"]
    shown = [["service", f"{neutral(service['name'])} ({service['id']})"], ["action", challenge["action"]]]
    for field in challenge["fields"]:
        kind = field["type"]
        if kind == "amount":
            shown.append([kind, money(field["value"], field["currency"])])
        elif kind == "time":
            shown.append([kind, clock(field["value"])])
        elif kind == "text":
            first, *more = field["text"].split("\n")
            shown.append([kind, neutral(first)])
            shown += [["more", neutral(line)] for line in more]
        else:
            shown.append([kind, neutral(field["text"])])
    if len(challenge["approvers"]) > 1:
        shown.append(["approvals", f"{challenge['need']} of {len(challenge['approvers'])}"])
    return shown + [["expires", clock(challenge["expires"])]]


def rendered(challenge):
    text = ""
    for label, value in lines(challenge):
        text += f"{label}: " + (value if value.isascii() else f"\u2068{value}\u2069") + "\n"
    return text.encode()


# -- Statements and messages --------------------------------------------------------------------------------------------

SERVER, OTHER_SERVER = Key("server"), Key("other server")
PHONE, TABLET, FRIEND, STRANGER = Key("phone"), Key("tablet"), Key("friend"), Key("stranger")
ALICE, BOB, CAROL = (sha256(b"account " + name) for name in (b"alice", b"bob", b"carol"))
BANK = {"id": "bank.example", "name": "Example Bank"}
CREATED = 1_900_000_000
SALT = sha256(b"salt")


def server_statement(members):
    return bencode(["authreq/v2/server", members])


def device_statement(label, statement, members):
    return bencode(["authreq/v2/" + label, statement, members])


def message(name, statement, key=SERVER):
    return bencode([name, statement, key.sign(statement)])


def match(code, salt=SALT):
    return {"commitment": sha256(b"authreq/v2/match" + salt + code.encode()), "digits": len(code)}


def challenge(fields, **changes):
    members = {
        "action": "pay", "alg": "ES256", "approvers": [ALICE], "created": CREATED, "expires": CREATED + 120,
        "fields": fields, "id": sha256(b"id")[:16], "key": SERVER.x963, "kind": "challenge", "need": 1,
        "nonce": sha256(b"nonce"), "renderer": "authreq-render/1", "reply": "https://bank.example/authreq/v2",
        "service": BANK,
    }
    members.update(changes)
    return {key: value for key, value in members.items() if value is not None}


def amount(value, currency="GBP"):
    return {"type": "amount", "value": value, "currency": currency}


def time(value):
    return {"type": "time", "value": value}


def field(kind, text):
    return {"type": kind, "text": text}


def hexed(value):
    """The same with every byte string in hexadecimal, for JSON."""
    if isinstance(value, bytes):
        return value.hex()
    if isinstance(value, list):
        return [hexed(item) for item in value]
    if isinstance(value, dict):
        return {key: hexed(item) for key, item in value.items()}
    return value


def vector(note, members):
    statement = server_statement(members)
    return {
        "note": note, "members": hexed(members), "message": message("challenge", statement).hex(), "lines": lines(members),
        "shown": sha256(rendered(members)).hex(),
    }


PAYMENT = [amount(3000), field("payee", "Purple Plumbing"), field("account", "08233593")]
LOGIN = [
    field("account", "alice"), field("place", "Glasgow, United Kingdom"), field("device", "Firefox on Linux"),
    time(CREATED - 5),
]
QUORUM = {"approvers": sorted([ALICE, BOB, CAROL]), "need": 2}
payment = challenge(PAYMENT, match=match("42"))
login = challenge(LOGIN, action="sign-in", match=match("731904"))
plain = challenge(PAYMENT)
quorum = challenge([amount(1_000_000_000, "EUR"), *PAYMENT[1:]], match=match("42"), **QUORUM)

HOSTILE = [
    ("an overridden direction", "rent \u202e00.1 PBG"), ("isolates", "a\u2066b\u2067c\u2068d\u2069e"),
    ("Arabic letter mark and marks of direction", "a\u061cb\u200ec\u200fd"),
    ("a line feed that begins a second payment", "Stella\nPaying 1.00 GBP to Stella"),
    ("carriage return, tab, bell, escape, DEL and next line", "a\r\tb\x07c\x1b[2Kd\x7fe\x85f"),
    ("line and paragraph separator", "a\u2028b\u2029c"), ("zero-width spaces", "a\u200bb\u2060c\ufeffd"),
    ("joiners between Latin letters", "a\u200cb\u200dc"), ("a joiner in Persian", "\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645"),
    ("a family of emoji", "\U0001f468\u200d\U0001f469\u200d\U0001f467"), ("a heart that is a picture", "\u2764\ufe0f"),
    ("a heart, joined", "\u2764\ufe0f\u200d\U0001f525"), ("a variation of a letter", "a\ufe0fb"),
    ("a joiner at either end", "\u200d\u0645\u200d"), ("soft hyphen and grapheme joiner", "a\u00adb\u034fc"),
    ("letters without a shape", "\u115f\u1160\u3164\uffa0"), ("spaces that are none", "a\u2003b\u2800c\u1680d\u205fe"),
    ("spaces that are some", "1\u00a0000\u202f000\u3000"), ("what is written out, typed in", "\u27e8U+202E\u27e9 [U+202E]"),
    ("tags", "\U000e0041\U000e007f"), ("private use", "\ue000\uf8ff\U000f0000\U0010fffd"),
    ("no characters", "\ufdd0\ufffe\uffff\U0001fffe"), ("a tower of marks", "Z" + "\u0301" * 7 + "a\u0301\u0301"),
    ("interlinear notes", "\ufff9a\ufffab\ufffb"), ("right to left", "\u05d0\u05d1\u05d2 123"),
    ("composed and decomposed", "\u00e9 e\u0301"), ("markup", "<b>&amp;</b> \"'\\"), ("leading and trailing spaces", "  a  "),
    ("musical controls", "\U0001d173\U0001d17a\U00013430\U0001bca0"), ("mongolian selectors", "\u180b\u180e"),
]
challenges = [
    vector("a payment with a code", payment), vector("a sign-in with a longer code", login),
    vector("a payment without a code", plain), vector("two of three", quorum),
    vector("every type of field, twice", challenge([*PAYMENT, *LOGIN, field("text", "One\nTwo"), *PAYMENT])),
    vector("to agree to a text", challenge([field("text", "I agree.\n\n  And more.\n")], action="agree")),
    vector("to change something", challenge([field("text", "Limit")], action="change")),
    vector("a week", challenge(PAYMENT, expires=CREATED + 604800)),
]
rendering = [vector(note, challenge([field("payee", text), field("text", text)])) for note, text in HOSTILE]
rendering += [
    vector(f"{value} {currency}", challenge([amount(value, currency)]))
    for value, currency in [
        (0, "GBP"), (1, "GBP"), (99, "GBP"), (100, "GBP"), (123456789, "GBP"), (10**15, "GBP"), (0, "JPY"), (1, "JPY"),
        (999, "JPY"), (1000, "JPY"), (1234567, "JPY"), (1, "KWD"), (1234567, "KWD"), (1, "CLF"), (123456789, "CLF"),
    ]
]
rendering += [
    vector(f"time {value}", challenge([time(value)]))
    for value in [0, 951782399, 951782400, 951868799, 951868800, 4107542399, 4107542400, 1790000000, 253402300799]
]
rendering.append(vector("the service's own name", challenge(PAYMENT, service={"id": "a-1.b", "name": "B\u202eank \u05d0"})))


def refused(note, members, error="malformed", **options):
    statement = options.get("statement") or server_statement(members)
    return {"note": note, "error": error, "message": message(options.get("name", "challenge"), statement, options.get("key", SERVER)).hex()}


def without(members, name):
    return {key: value for key, value in members.items() if key != name}


good = message("challenge", server_statement(payment))
refusals = [
    refused("no such action", challenge(PAYMENT, action="transfer")),
    refused("another algorithm", challenge(PAYMENT, alg="ES384")), refused("no algorithm", challenge(PAYMENT, alg="none")),
    refused("another renderer", challenge(PAYMENT, renderer="authreq-render/2")),
    refused("another kind", challenge(PAYMENT, kind="offer")), refused("no approver", challenge(PAYMENT, approvers=[])),
    refused("an approver twice", challenge(PAYMENT, approvers=[ALICE, ALICE], need=2)),
    refused("approvers out of order", challenge(PAYMENT, approvers=sorted([ALICE, BOB])[::-1])),
    refused("more needed than there are", challenge(PAYMENT, need=2)), refused("none needed", challenge(PAYMENT, need=0)),
    refused("a need beyond 64 bits", None, statement=server_statement(plain).replace(b"4:needi1e", b"4:needi99999999999999999999e")),
    refused("a short label", challenge(PAYMENT, approvers=[ALICE[:31]])),
    refused("no field", challenge([])), refused("257 fields", challenge([time(0)] * 257)),
    refused("an unknown type", challenge([field("hint", "x")])), refused("an empty text", challenge([field("payee", "")])),
    refused("a text that is no UTF-8", challenge([field("payee", b"\xff")])),
    refused("a surrogate", challenge([field("payee", b"\xed\xa0\x80")])),
    refused("an amount as a text", challenge([{"type": "amount", "value": "1", "currency": "GBP"}])),
    refused("a negative amount", challenge([amount(-1)])), refused("too large an amount", challenge([amount(10**15 + 1)])),
    refused("an unknown currency", challenge([amount(1, "GBX")])), refused("a small currency", challenge([amount(1, "gbp")])),
    refused("gold, which has no unit", challenge([amount(1, "XAU")])), refused("a long currency", challenge([amount(1, "GBP ")])),
    refused("a negative time", challenge([time(-1)])), refused("the year 10000", challenge([time(253402300800)])),
    refused("a further member of a field", challenge([{**time(0), "unit": "s"}])),
    refused("a text with a currency", challenge([{**field("payee", "x"), "currency": "GBP"}])),
    refused("it ends when it begins", challenge(PAYMENT, expires=CREATED)),
    refused("it lives longer than a week", challenge(PAYMENT, expires=CREATED + 604801)),
    refused("before 1970", challenge(PAYMENT, created=-1)),
    refused("a short id", challenge(PAYMENT, id=b"1")), refused("a short nonce", challenge(PAYMENT, nonce=b"1")),
    refused("a compressed key", challenge(PAYMENT, key=b"\x02" + SERVER.x963[1:33])),
    refused("an empty address", challenge(PAYMENT, reply="")), refused("an address with a space", challenge(PAYMENT, reply="https://a b")),
    refused("an address that is not ASCII", challenge(PAYMENT, reply="https://\u00e9")),
    refused("an id with a capital", challenge(PAYMENT, service={"id": "Bank", "name": "x"})),
    refused("a service without a name", challenge(PAYMENT, service={"id": "bank.example", "name": ""})),
    refused("one digit", challenge(PAYMENT, match=match("4"))), refused("thirteen digits", challenge(PAYMENT, match=match("4" * 13))),
    refused("the code itself", challenge(PAYMENT, match={**match("42"), "code": "42"})),
    *[refused(f"without {name}", without(plain, name)) for name in plain],
    refused("a further member", {**plain, "zone": "x"}), refused("a further member in the middle", {**plain, "hint": "x"}),
    refused("the label of a device", None, statement=bencode(["authreq/v2/allow", payment])),
    refused("no label", None, statement=bencode(payment)), refused("two dictionaries", None, statement=bencode(["authreq/v2/server", payment, payment])),
    refused("keys out of order", None, statement=server_statement(plain).replace(b"6:action3:pay3:alg5:ES256", b"3:alg5:ES2566:action3:pay")),
    refused("something behind it", None, statement=server_statement(payment) + b"0:"),
    refused("another name of the message", payment, name="offer"),
    refused("another key", payment, error="invalid_signature", key=OTHER_SERVER),
    refused("a key that is not the pinned one", challenge(PAYMENT, key=OTHER_SERVER.x963), error="unsupported_key", key=OTHER_SERVER),
    refused("another service", challenge(PAYMENT, service={"id": "evil.example", "name": "Example Bank"}), error="unsupported_key"),
    {"note": "a changed word", "error": "invalid_signature", "message": good.replace(b"Purple", b"Purpel").hex()},
    {"note": "a cut message", "error": "malformed", "message": good[:-1].hex()},
    {"note": "a short signature", "error": "malformed", "message": bencode(["challenge", server_statement(payment), b"1"]).hex()},
    {"note": "nothing", "error": "malformed", "message": ""},
]


# -- Answers ------------------------------------------------------------------------------------------------------------


def shown(members):
    return sha256(rendered(members))


def allow(members, code=None, **changes):
    answer = {"alg": "ES256", "shown": shown(members), **({"code": code} if code else {}), **changes}
    return "allow", answer


def deny(members, reason="not-me", scope="request", **changes):
    return "deny", {"alg": "ES256", "reason": reason, "scope": scope, "shown": shown(members), **changes}


def answer(note, members, decision, key=PHONE, account=ALICE, code="42", error=None, signed=None, **changes):
    """`code` is the one that the asking page shows, `key` and `account` are the device that the server knows."""
    label, dictionary = decision
    statement = server_statement(signed or members)
    bytes_to_sign = device_statement(changes.get("signed_label", label), statement, dictionary)
    signature = changes.get("signer", key).sign(changes.get("signed_bytes", bytes_to_sign))
    result = {
        "note": note, "challenge": message("challenge", server_statement(members)).hex(), "device": key.x963.hex(),
        "account": account.hex(), "code": code if "match" in members else None, "salt": SALT.hex(),
        "message": bencode(["answer", label, changes.get("id", members["id"]), dictionary, changes.get("named", key).x963, signature]).hex(),
    }
    if error:
        return {**result, "error": error}
    return {**result, "signed": bytes_to_sign.hex(), "decision": hexed(dictionary)}


answers = [
    answer("a payment is allowed with its code", payment, allow(payment, "42")),
    answer("a sign-in is allowed with a longer one", login, allow(login, "731904"), code="731904"),
    answer("without a code where none is asked for", plain, allow(plain)),
    *[
        answer(f"denied: {reason}, {scope}", payment, deny(payment, reason, scope))
        for reason in ("mistake", "not-me") for scope in ("request", "service-for-an-hour", "account")
    ],
]
answers_refused = [
    answer("another code", payment, allow(payment, "43"), error="wrong_code"),
    answer("no code", payment, allow(payment), error="malformed"), answer("a longer code", payment, allow(payment, "042"), error="malformed"),
    answer("a code of letters", payment, allow(payment, "4x"), error="malformed"),
    answer("a code where none is asked for", plain, allow(plain, "42"), error="malformed"),
    answer("another text than is shown", payment, allow(payment, "42", shown=shown(plain)[::-1]), error="other_text"),
    answer("the signature of another device", payment, allow(payment, "42"), signer=STRANGER, error="invalid_signature"),
    answer("a device that is not enrolled", payment, allow(payment, "42"), named=STRANGER, error="unknown_device"),
    answer("a device of another account", payment, allow(payment, "42"), account=BOB, error="unknown_device"),
    answer("another challenge", payment, allow(payment, "42"), id=sha256(b"other")[:16], error="unknown_challenge"),
    answer("a signature over another amount", payment, allow(payment, "42"), signed=challenge([amount(300000), *PAYMENT[1:]], match=match("42")), error="invalid_signature"),
    answer("a denial sent as an allowance", payment, allow(payment, "42"), signed_label="deny", error="invalid_signature"),
    answer("an allowance sent as a denial", payment, deny(payment), signed_label="allow", error="invalid_signature"),
    answer("the challenge alone, as the server signs it", payment, allow(payment, "42"), signed_bytes=server_statement(payment), error="invalid_signature"),
    answer("the server's own signature", payment, allow(payment, "42"), signer=SERVER, signed_bytes=server_statement(payment), error="invalid_signature"),
    answer("another algorithm", payment, allow(payment, "42", alg="none"), error="malformed"),
    answer("a further member", payment, allow(payment, "42", time=1), error="malformed"),
    answer("another reason", payment, deny(payment, reason="other"), error="malformed"),
    answer("another scope", payment, deny(payment, scope="everything"), error="malformed"),
    answer("a denial with a code", payment, deny(payment, code="42"), error="malformed"),
]


# -- Enrolment ----------------------------------------------------------------------------------------------------------

offer = {
    "account": ALICE, "alg": "ES256", "created": CREATED - 1000, "expires": CREATED - 700, "id": sha256(b"offer")[:16],
    "key": SERVER.x963, "kind": "offer", "nonce": sha256(b"offer nonce"), "reply": "https://bank.example/authreq/v2", "service": BANK,
}
offer_statement = server_statement(offer)


def enrolment(note, key=PHONE, name="Alice's phone", by=None, devices=(), error=None, needs=False, now=CREATED - 900, **changes):
    dictionary = {"alg": "ES256", "key": key.x963, "name": name, **({"by": by.x963} if by else {}), **changes.get("members", {})}
    bytes_to_sign = device_statement("enrol", changes.get("statement", offer_statement), dictionary)
    handover = changes.get("voucher", by).sign(bytes_to_sign) if by else b""
    number = int.from_bytes(sha256(device_statement("enrol", offer_statement, dictionary))[:8], "big") % 1000000
    result = {
        "note": note, "needs_voucher": needs, "devices": [device.x963.hex() for device in devices], "now": now,
        "message": bencode(["enrolment", changes.get("id", offer["id"]), dictionary, changes.get("signer", key).sign(bytes_to_sign), changes.get("handover", handover)]).hex(),
    }
    if error:
        return {**result, "error": error}
    confirmation = {
        "account": ALICE, "alg": "ES256", "device": key.x963, "enrolment": sha256(bytes_to_sign), "key": SERVER.x963,
        "kind": "device", "name": name, "service": BANK, "time": now,
    }
    return {
        **result, "signed": bytes_to_sign.hex(), "code": f"{number:06}", "name": name, "key": key.x963.hex(),
        "by": by.x963.hex() if by else None, "confirmation": server_statement(confirmation).hex(),
    }


enrolments = [
    enrolment("the first device"), enrolment("a second one, without a voucher", key=TABLET, devices=[PHONE]),
    enrolment("handed over by the first", key=TABLET, by=PHONE, devices=[PHONE, FRIEND], needs=True, name="\u0644\u0648\u062d"),
    enrolment("in the last second", now=CREATED - 700),
]
enrolments_refused = [
    enrolment("a second too late", now=CREATED - 699, error="expired"), enrolment("another offer", id=b"x" * 16, error="unknown_challenge"),
    enrolment("no proof of the key", signer=STRANGER, error="invalid_signature"),
    enrolment("the server's own key", key=SERVER, error="unsupported_key"), enrolment("a key of the server's", key=OTHER_SERVER, error="unsupported_key"),
    enrolment("a key that is enrolled", devices=[PHONE], error="unsupported_key"), enrolment("it vouches for itself", by=PHONE, devices=[TABLET], error="unsupported_key"),
    enrolment("nobody vouches", key=TABLET, devices=[PHONE], needs=True, error="unknown_device"),
    enrolment("a stranger vouches", key=TABLET, by=STRANGER, devices=[PHONE], needs=True, error="unknown_device"),
    enrolment("in the name of the first device", key=TABLET, by=PHONE, voucher=STRANGER, devices=[PHONE], needs=True, error="invalid_signature"),
    enrolment("a voucher without a signature", key=TABLET, by=PHONE, handover=b"", devices=[PHONE], error="malformed"),
    enrolment("a signature without a voucher", handover=bytes(64), error="malformed"),
    enrolment("signed for another account", statement=server_statement({**offer, "account": BOB}), error="invalid_signature"),
    enrolment("no name", name="", error="malformed"), enrolment("a long name", name="x" * 101, error="malformed"),
    enrolment("another algorithm", members={"alg": "none"}, error="malformed"), enrolment("a further member", members={"os": "x"}, error="malformed"),
    enrolment("a point off the curve", members={"key": b"\x04" + bytes(64)}, error="unsupported_key"),
]


def offer_refused(note, error="malformed", key=SERVER, now=CREATED - 900, **changes):
    return {"note": note, "error": error, "now": now, "message": message("offer", server_statement({**offer, **changes}), key).hex()}


offers_refused = [
    offer_refused("too late", "expired", now=CREATED - 699), offer_refused("another key signs", "invalid_signature", key=STRANGER),
    offer_refused("a challenge", kind="challenge"), offer_refused("an hour", expires=CREATED + 2600), offer_refused("a short label", account=b"x"),
    offer_refused("a further member", zone="x"), offer_refused("another algorithm", alg="RS256"),
]


# -- Receipts -----------------------------------------------------------------------------------------------------------


def confirmed(key, account, name, signer=SERVER, **changes):
    members = {
        "account": account, "alg": "ES256", "device": key.x963, "enrolment": sha256(name.encode()), "key": SERVER.x963,
        "kind": "device", "name": name, "service": BANK, "time": CREATED - 900, **changes,
    }
    statement = server_statement(members)
    return [statement, signer.sign(statement)]


def receipt(note, members, decision, given, error=None, salt=SALT, time=None, **changes):
    """`given` has for each answer the device, its account, the time, and perhaps another signer or confirmation."""
    label, dictionary = decision
    statement = server_statement(members)
    bytes_to_sign = device_statement(changes.get("signed_label", label), changes.get("answered", statement), dictionary)
    answers = [
        [*(other.get("confirmed") or confirmed(key, account, "phone")), other.get("signer", key).sign(bytes_to_sign), at]
        for key, account, at, other in ((*one, {}) if len(one) == 3 else one for one in given)
    ]
    outcome = server_statement({
        "alg": "ES256", "answers": sha256(bencode(answers)), "challenge": sha256(statement), "key": SERVER.x963, "kind": "outcome",
        "result": "approved" if label == "allow" else "denied", "time": given[-1][2] if time is None else time, **changes.get("outcome", {}),
    })
    signature = changes.get("server", SERVER).sign(outcome)
    has_salt = label == "allow" and "match" in members
    content = bencode([
        "receipt", statement, changes.get("asker", SERVER).sign(statement), label, dictionary, changes.get("answers", answers),
        (salt if has_salt else b"") if "salt_sent" not in changes else changes["salt_sent"], outcome, signature,
    ])
    result = {"note": note, "receipt": content.hex()}
    if error:
        return {**result, "error": error}
    return {**result, "lines": lines(members), "decision": hexed(dictionary), "accounts": [one[1].hex() for one in given], "time": given[-1][2]}


A, B, C = (PHONE, ALICE, CREATED + 10), (TABLET, BOB, CREATED + 20), (FRIEND, CAROL, CREATED + 30)
receipts = [
    receipt("a payment", payment, allow(payment, "42"), [A]), receipt("without a code", plain, allow(plain), [A]),
    receipt("a denial", payment, deny(payment, "not-me", "account"), [A]), receipt("two of three", quorum, allow(quorum, "42"), [A, C]),
    receipt("one of three denies", quorum, deny(quorum, "mistake"), [B]),
    receipt("in the last second", plain, allow(plain), [(PHONE, ALICE, CREATED + 120)]),
]
receipts_refused = [
    receipt("a challenge of somebody else's", payment, allow(payment, "42"), [A], asker=OTHER_SERVER, error="badChallengeSignature"),
    receipt("another key", challenge(PAYMENT, key=OTHER_SERVER.x963), allow(plain), [A], asker=OTHER_SERVER, error="unknownService"),
    receipt("an outcome of somebody else's", payment, allow(payment, "42"), [A], server=OTHER_SERVER, error="badOutcomeSignature"),
    receipt("the outcome of another challenge", payment, allow(payment, "42"), [A], outcome={"challenge": sha256(b"x")}, error="otherOutcome"),
    receipt("the outcome of other answers", payment, allow(payment, "42"), [A], outcome={"answers": sha256(b"x")}, error="otherOutcome"),
    receipt("denied, and told as approved", payment, deny(payment), [A], outcome={"result": "approved"}, error="otherOutcome"),
    receipt("approved, and told as denied", payment, allow(payment, "42"), [A], outcome={"result": "denied"}, error="otherOutcome"),
    receipt("no such result", payment, allow(payment, "42"), [A], outcome={"result": "expired"}, error="malformed"),
    receipt("the wrong code", payment, allow(payment, "43"), [A], error="wrongCode"), receipt("another salt", payment, allow(payment, "42"), [A], salt=sha256(b"x"), error="wrongCode"),
    receipt("no salt", payment, allow(payment, "42"), [A], salt_sent=b"", error="wrongCode"), receipt("no code", payment, allow(payment), [A], error="wrongCode"),
    receipt("a salt for nothing", plain, allow(plain), [A], salt_sent=SALT, error="malformed"),
    receipt("another text", payment, allow(payment, "42", shown=sha256(b"x")), [A], error="otherText"),
    receipt("one of two", quorum, allow(quorum, "42"), [A], error="wrongQuorum"), receipt("three of two", quorum, allow(quorum, "42"), [A, B, C], error="wrongQuorum"),
    receipt("nobody", payment, allow(payment, "42"), [], time=CREATED, error="wrongQuorum"), receipt("two denials", quorum, deny(quorum), [A, B], error="wrongQuorum"),
    receipt("one person twice, with two devices", quorum, allow(quorum, "42"), [A, (TABLET, ALICE, CREATED + 20)], error="notAnApprover(1)"),
    receipt("an account that was not asked", payment, allow(payment, "42"), [(TABLET, BOB, CREATED + 20)], error="notAnApprover(0)"),
    receipt("a device that a stranger confirms", payment, allow(payment, "42"), [(*A, {"confirmed": confirmed(PHONE, ALICE, "x", STRANGER)})], error="badConfirmation(0)"),
    receipt("a device of another service", payment, allow(payment, "42"), [(*A, {"confirmed": confirmed(PHONE, ALICE, "x", service={"id": "b", "name": "b"})})], error="badConfirmation(0)"),
    receipt("a confirmation that is none", payment, allow(payment, "42"), [(*A, {"confirmed": [offer_statement, SERVER.sign(offer_statement)]})], error="badConfirmation(0)"),
    receipt("somebody else signed", payment, allow(payment, "42"), [(*A, {"signer": STRANGER})], error="badAnswerSignature(0)"),
    receipt("the second of two did not sign", quorum, allow(quorum, "42"), [A, (*C, {"signer": STRANGER})], error="badAnswerSignature(1)"),
    receipt("a denial told as an allowance", payment, allow(payment, "42"), [A], signed_label="deny", error="badAnswerSignature(0)"),
    receipt("an answer to another amount", payment, allow(payment, "42"), [A], answered=server_statement(plain), error="badAnswerSignature(0)"),
    receipt("a second too late", plain, allow(plain), [(PHONE, ALICE, CREATED + 121)], error="wrongTime"),
    receipt("before it was asked", plain, allow(plain), [(PHONE, ALICE, CREATED - 1)], time=CREATED, error="wrongTime"),
    receipt("before the device was enrolled", plain, allow(plain), [(*A, {"confirmed": confirmed(PHONE, ALICE, "x", time=CREATED + 11)})], error="wrongTime"),
    receipt("an answer after the decision", plain, allow(plain), [A], time=CREATED + 9, error="wrongTime"),
]


# -- Parts --------------------------------------------------------------------------------------------------------------


def parts(content, length):
    pieces = [content[start:start + length] for start in range(0, len(content), length)]
    return [f"authreq:2:{index}/{len(pieces)}/{b64u(sha256(content))}/{b64u(piece)}" for index, piece in enumerate(pieces, 1)]


quorum_receipt = bytes.fromhex(receipts[3]["receipt"])
air_gap = [
    {"length": length, "message": content.hex(), "link": "authreq:2:" + b64u(content), "parts": parts(content, length)}
    for content, length in [(good, 600), (good, len(good)), (good, 1), (quorum_receipt, 600), (quorum_receipt, 333)]
    if len(content) // length <= 512
]

print(json.dumps({
    "server": SERVER.x963.hex(), "other_server": OTHER_SERVER.x963.hex(), "service": BANK["id"], "challenges": challenges,
    "rendering": rendering, "challenges_refused": refusals, "answers": answers, "answers_refused": answers_refused,
    "offer": message("offer", offer_statement).hex(), "offer_members": hexed(offer), "offers_refused": offers_refused,
    "enrolments": enrolments, "enrolments_refused": enrolments_refused, "receipts": receipts, "receipts_refused": receipts_refused,
    "air_gap": air_gap,
}, indent=1))
