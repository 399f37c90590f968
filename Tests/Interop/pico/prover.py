"""A Pico in Python, written from the specification alone: pairs and signs in with a service.

    prover.py pair CODE STATE          CODE is the text of a code, STATE a file that keeps the pairing
    prover.py auth CODE STATE [WORD…]  WORDs are states to announce if the service wants the Pico to stay

It prints one line of JSON. Exit code 1: the service, or this side, has refused.
"""

import json
import os
import struct
import sys
import time

from curves import Key, Refused, commitment, curve_of, verify
from wire import Channel, Counter, Keys, b64, check_proof, identity_proof, lp, seal, split, unb64, unseal

STATES = {"continue": 0, "pause": 1, "stop": 2}


def run(channel, identity, expected, extra, curve):
    """SIGMA-I; gives the status byte, its extra data, and the session."""
    ephemeral, nonce = Key(curve), os.urandom(8)
    channel.send({"picoVersion": 2, "picoEphemeralPublicKey": b64(ephemeral.spki), "picoNonce": b64(nonce)})
    answer = channel.receive()
    session = answer["sessionId"]
    theirs, their_nonce = unb64(answer["serviceEphemPublicKey"]), unb64(answer["serviceNonce"])
    keys = Keys(ephemeral.agree(theirs), nonce, their_nonce)
    spki, signature, code = split(unseal(keys.service_encryption, answer), 3)
    if commitment(spki) != expected:
        raise Refused("another service")
    check_proof(spki, signature, code, keys.service_mac, nonce, session, theirs)
    proof = identity_proof(identity, keys.pico_mac, their_nonce, session, ephemeral.spki)
    channel.send(seal(keys.pico_encryption, session, proof + lp(extra)))
    plaintext = unseal(keys.service_encryption, channel.receive())
    (data,) = split(plaintext[1:], 1)
    return plaintext[0], data, keys.shared, session


def stay(channel, key, session, words):
    counter, heard = Counter(), []
    for position, word in enumerate(words):
        plaintext = bytes([STATES[word]]) + lp(counter.next()) + lp(b"")
        channel.send(seal(key, session, plaintext))
        answer = unseal(key, channel.receive())
        (timeout,) = struct.unpack(">i", answer[1:5])
        (number,) = split(answer[5:], 1)
        counter.take(number)
        heard.append([answer[0], timeout])
        if answer[0] >= 2:
            break
        # A word may come long before its time is over.
        if position + 1 < len(words):
            time.sleep(min(max(timeout / 1000 - 5, 0), 1))
    return heard


def main():
    purpose, text, state = sys.argv[1:4]
    code = json.loads(text)
    if purpose == "pair":
        if code["t"] != "KP":
            raise Refused("no pairing code")
        service = unb64(code["spk"])
        verify(service, unb64(code["sig"]), (code["sn"] + code["sa"]).encode())
        curve = curve_of(service)
        pairing = {"curve": curve, "key": Key(curve).scalar.hex(), "service": commitment(service).hex(), "extra": ""}
    else:
        if code["t"] != "KA":
            raise Refused("no code to sign in with")
        with open(state) as file:
            pairing = json.load(file)
        if unb64(code["sc"]).hex() != pairing["service"]:
            raise Refused("not paired")
    identity = Key(pairing["curve"], bytes.fromhex(pairing["key"]))
    channel = Channel(code["sa"])
    status, data, shared, session = run(
        channel, identity, bytes.fromhex(pairing["service"]), bytes.fromhex(pairing["extra"]), pairing["curve"])
    if status not in (0, 1):
        raise Refused("status %d" % status)
    result = {"status": status, "fingerprint": commitment(identity.spki).hex()}
    if purpose == "pair":
        try:
            secret = json.loads(data)
            data = secret["data"].encode()
            result["name"] = secret["name"]
        except (ValueError, KeyError, TypeError, AttributeError):
            pass
        pairing["extra"] = data.hex()
        with open(state, "w") as file:
            json.dump(pairing, file)
    if status == 1:
        result["heard"] = stay(channel, shared, session, sys.argv[4:])
    print(json.dumps(result))


try:
    main()
except Refused as error:
    sys.exit("refused: %s" % error)
