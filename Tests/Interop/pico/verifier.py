"""A service in Python, written from the specification alone: Picos pair with it and sign in.

    verifier.py pair BASE STATE CURVE SECRET [FAULT]    SECRET is handed out as it is; {…} has a name and data
    verifier.py auth BASE STATE [FAULT] [continuous]

It prints the code as its first line, and what became of it as JSON in the second. Exit code 1: refused.

CURVE: p192, p256, p384, p521 or secp192k1.

FAULT: identity (a key that the code does not name), reject (Status -1), tampered (a changed ServiceAuth), silent
(no Status), reflect (ServiceAuth again as Status), curve (an ephemeral key on another curve).

The code leads to the server that the environment's SHOWN_BASE names, if it is set: to one behind which BASE is.
"""

import json
import os
import sys

from curves import Key, Refused, commitment, curve_of
from wire import Channel, Counter, Keys, b64, check_proof, identity_proof, lp, seal, split, unb64, unseal

FAULTS = ("identity", "reject", "tampered", "silent", "reflect", "curve")


def run(channel, identity, paired, extra, status, fault):
    """SIGMA-I; gives the Pico's key, what it brought, and the session's key."""
    start = channel.receive()
    if start["picoVersion"] != 2:
        raise Refused("another version")
    theirs, their_nonce = unb64(start["picoEphemeralPublicKey"]), unb64(start["picoNonce"])
    ephemeral, nonce, session = Key(curve_of(theirs)), os.urandom(8), 0
    keys = Keys(ephemeral.agree(theirs), their_nonce, nonce)
    shown = Key(identity.curve) if fault == "identity" else identity
    answer = seal(
        keys.service_encryption, session,
        identity_proof(shown, keys.service_mac, their_nonce, session, ephemeral.spki))
    answer.update({"serviceEphemPublicKey": b64(ephemeral.spki), "serviceNonce": b64(nonce)})
    if fault == "curve":
        answer["serviceEphemPublicKey"] = b64(Key("p384" if identity.curve == "p256" else "p256").spki)
    if fault == "tampered":
        sealed = bytearray(unb64(answer["encryptedData"]))
        sealed[20] ^= 1
        answer["encryptedData"] = b64(bytes(sealed))
    channel.send(answer)
    message = channel.receive()
    if message["sessionId"] != session:
        raise Refused("another session")
    spki, signature, code, data = split(unseal(keys.pico_encryption, message), 4)
    check_proof(spki, signature, code, keys.pico_mac, nonce, session, theirs)
    known = paired is None or spki.hex() == paired["pico"] and data.hex() == paired["secret"]
    if not known or fault == "reject":
        channel.send(seal(keys.service_encryption, session, b"\xff" + lp(b"")))
        raise Refused("not paired")
    if fault == "reflect":
        channel.send({name: answer[name] for name in ("sessionId", "encryptedData", "iv")})
    elif fault != "silent":
        channel.send(seal(keys.service_encryption, session, bytes([status]) + lp(extra)))
    return spki, keys.shared, session


def watch(channel, key, session):
    """Answers until the Pico stops; gives the states that it announced."""
    counter, states = Counter(), []
    while not states or states[-1] < 2:
        plaintext = unseal(key, channel.receive())
        number, _ = split(plaintext[1:], 2)
        counter.take(number)
        states.append(plaintext[0])
        # So long that a Pico says nothing by itself, however busy the machine: its renewals have tests of their own.
        timeout = -1 if plaintext[0] >= 2 else 60000
        answer = bytes([plaintext[0]]) + timeout.to_bytes(4, "big", signed=True) + lp(counter.next())
        channel.send(seal(key, session, answer))
    return states


def show(line):
    print(line, flush=True)


def main():
    purpose, base, state = sys.argv[1:4]
    fault = next((word for word in sys.argv[4:] if word in FAULTS), None)
    path = "/channel/" + os.urandom(16).hex()
    channel, url = Channel(base + path), os.environ.get("SHOWN_BASE", base) + path
    if purpose == "pair":
        curve, secret = sys.argv[4:6]
        identity = Key(curve)
        code = {
            "sn": "A service in Python", "spk": b64(identity.spki), "ed": "", "sa": url, "td": {}, "t": "KP",
            "sig": b64(identity.sign(("A service in Python" + url).encode())),
        }
        show(json.dumps(code))
        spki, _, _ = run(channel, identity, None, secret.encode(), 0, fault)
        kept = json.loads(secret)["data"] if secret.startswith("{") else secret
        with open(state, "w") as file:
            json.dump(
                {"curve": curve, "key": identity.scalar.hex(), "pico": spki.hex(), "secret": kept.encode().hex()}, file)
        return show(json.dumps({"paired": commitment(spki).hex()}))
    with open(state) as file:
        paired = json.load(file)
    identity = Key(paired["curve"], bytes.fromhex(paired["key"]))
    show(json.dumps({"sc": b64(commitment(identity.spki)), "ed": "", "sa": url, "td": {}, "t": "KA"}))
    stays = "continuous" in sys.argv[4:]
    spki, shared, session = run(channel, identity, paired, b"", 1 if stays else 0, fault)
    result = {"signed_in": commitment(spki).hex()}
    if stays:
        result["states"] = watch(channel, shared, session)
    show(json.dumps(result))


try:
    main()
except Refused as error:
    sys.exit("refused: %s" % error)
