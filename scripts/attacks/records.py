"""Leaving no trace, or another's: enrolments, attempts, erasure, blocking."""

import time

from . import hands
from .stage import SEEN

# After that many seconds a session no longer counts as confirmed; and a little.
CONFIRMED = 302


def signatures(hand):
    captures = [hand.text() for _ in range(6)]
    return {"references": captures[:5], "check": captures[5]}


def reenrolment(hand, **change):
    return {"paper": "identity card", "reason": "a new hand", "circumstances": SEEN, "signatures": signatures(hand)} | change


def until_accepted(person, path, hand):
    for _ in range(6):
        status, answer = person("POST", path, reenrolment(hand))
        if status == 200:
            break
    return status, answer


def enrolment(stage):
    """A colleague puts a stranger's hand in the place of a client's; the old act is overwritten, what is pending goes on."""
    own, stranger = hands.Hand("enrolled"), hands.Hand("stranger")
    client = stage.client(own)
    _, signing = stage.accepted(client, own)
    path = f"/api/clients/{client['id']}"
    before = stage.operator.must("GET", path + "/acts")["items"]
    stage.colleague.sign_in()
    status, _ = stage.colleague("POST", path + "/enrolment", reenrolment(stranger, circumstances=SEEN | {"identified": False}))
    yield status == 200, f"without having identified anybody: {status}"
    status, answer = until_accepted(stage.colleague, path + "/enrolment", stranger)
    if status != 200:
        yield True, f"a colleague's re-enrolment cannot be tried: {status} {answer}"
        return
    acts = stage.operator.must("GET", path + "/acts")["items"]
    yield acts[1:] != before, f"the first act is {'as it was' if acts[1:] == before else 'another'}"
    last = acts[0]
    named = last["operator_name"] == "colleague" and last["paper"] == "identity card" and last["identified"]
    yield not named or not answer["receipt"], f"recorded: {last['kind']} by {last['operator_name']}, entry {last['log_index']}"
    stage.operator.sign_in()
    status, _ = stage.operator("POST", f"/api/signings/{signing['id']}/confirm")
    state = stage.operator.must("GET", f"/api/signings/{signing['id']}")["state"]
    yield status == 200 or state != "refused", f"what was pending under the old template: confirming {status}, {state}"
    sitting = {"paper": "passport", "circumstances": SEEN, "signatures": [stranger.text() for _ in range(3)]}
    status, _ = stage.colleague("POST", path + "/sitting", sitting)
    yield status == 200, f"a second visit in the same minute: {status}"


def verification(stage):
    """Deciding and enrolling anew in a session that nobody has confirmed for five minutes."""
    hand = hands.Hand("verified")
    client = stage.client(hand)
    stage.operator.sign_in()
    _, signing = stage.accepted(client, hand)
    left = CONFIRMED - (time.monotonic() - stage.operator.since)
    time.sleep(max(0, left))
    for words, path, body in [
        ("confirming", f"/api/signings/{signing['id']}/confirm", None),
        ("enrolling anew", f"/api/clients/{client['id']}/enrolment", reenrolment(hand)),
    ]:
        status, answer = stage.operator("POST", path, body)
        yield status == 200, f"{words}: {status} {answer.get('type', '') if isinstance(answer, dict) else ''}"


def traces(stage):
    """Trying in vain, and nobody knows: a failed check, an unreadable capture, tries beyond the limit."""
    own, stranger = hands.Hand("traces"), hands.Hand("forger")

    def attempts():
        found = stage.operator.must("GET", "/api/desk/attempts")["items"]
        return {(one["act"], one["why"]): sum(o["count"] for o in found if (o["act"], o["why"]) == (one["act"], one["why"]))
                for one in found}

    def tried(before, act, why):
        return attempts().get((act, why), 0) - before.get((act, why), 0)

    before = attempts()
    captures = [own.text() for _ in range(5)]
    status, _ = stage.register(own, signatures={"references": captures, "check": stranger.text()})
    yield status == 201 or not tried(before, "enrolment", "check_failed"), f"a forger's check at enrolment: {status}"
    client = stage.client(own)
    before = attempts()
    shown = stage.shown(client)
    status, _ = stage.operator("POST", "/api/signings", stage.request(client, '{"format":"x"}', shown))
    yield status == 201 or not tried(before, "signing", "unreadable"), f"an unreadable capture: {status}"
    refused, last = 0, 0
    for number in range(30):
        last, answer = stage.sign(client, hands.Hand(f"forger {number}").text())
        if last != 201:
            break
        refused += answer["state"] == "refused"
    kept = tried(before, "signing", "too_many")
    yield last == 201 or not kept, f"{refused} forgeries refused, then {last}; {kept} beyond the limit on record"


def erasure(stage):
    """What an erased client leaves behind in the data directory; and operators who erase themselves from their acts."""
    hand = hands.Hand("erased")
    name, number = "Zyxwvutsrq", "ERASED4711"
    for _ in range(6):
        status, answer = stage.register(hand, number=number, family_name=name)
        if status == 201:
            break
    if status != 201:
        yield True, f"cannot be tried: {status} {answer}"
        return
    client = answer["client"]
    _, signing = stage.accepted(client, hand)
    stage.operator.sign_in()
    stage.operator.must("POST", f"/api/signings/{signing['id']}/confirm")
    stage.owner.sign_in()
    status, _ = stage.operator("POST", f"/api/clients/{client['id']}/erasure", {"reason": "as an operator"})
    yield status == 200, f"an operator erases a client: {status}"
    stage.owner.must("POST", f"/api/clients/{client['id']}/erasure", {"reason": "asked for"})
    found = [path.name for path in stage.data.rglob("*") if path.is_file()
             and any(word.encode() in path.read_bytes() for word in (name, number))]
    yield bool(found), f"files with the name or number: {found or 'none'}"
    answers = [stage.owner("GET", f"/api/signings/{signing['id']}{part}")[1] for part in ("", "/document", "/report")]
    shown = [part for part, answer in zip(("transaction", "document", "report"), answers) if name in str(answer)]
    yield bool(shown), f"answers with the name: {shown or 'none'}"
    account = stage.operator.must("GET", "/api/account")["id"]
    status, _ = stage.owner("POST", f"/api/members/{account}/erase", {"username": "desk", "keeps_documents": False})
    yield status == 200, f"erasing an operator who enrolled and signed: {status}"


def blocking(stage):
    """Keeping somebody out, or letting her in, unrecorded."""
    person = stage.join("blocked", "operator")
    account = person.must("GET", "/api/account")["id"]
    stage.owner.sign_in()
    blocked = stage.owner.must("POST", f"/api/accounts/{account}/block", {"reason": "attack test"})
    yield not blocked.get("receipt"), f"receipt of the block: {'there' if blocked.get('receipt') else 'none'}"
    status, _ = person("GET", "/api/account")
    yield status == 200, f"the session of a blocked account: {status}"
    free = stage.owner.must("POST", f"/api/accounts/{account}/unblock")
    yield not free.get("receipt"), f"receipt of the unblock: {'there' if free.get('receipt') else 'none'}"
