"""An independent site and app of version 1 enrol and approve against a real server.

usage: app.py SERVER API-KEY RSA-PUBLIC-KEY-FILE USER WALLET-COMMAND…

The wallet command answers the question of version 2 by which the person agrees to the app: the question's id and its
code are put behind it.
"""

import json
import subprocess
import sys
import urllib.request

from cryptography.hazmat.primitives import serialization

import protocol

server, api_key, key_file, user, *wallet = sys.argv[1:]
server_key = serialization.load_pem_public_key(open(key_file, "rb").read())
steps = 0


def check(what, truth):
    global steps
    if not truth:
        sys.exit(f"not so: {what}")
    steps += 1
    print("ok", what)


def call(path, body=None, method=None):
    headers = {"Authorization": f"Bearer {api_key}", "Content-Type": "application/json"}
    data = json.dumps(body).encode() if body is not None else None
    request = urllib.request.Request(server + path, data, headers, method=method)
    try:
        with urllib.request.urlopen(request, timeout=30) as answer:
            return answer.status, json.loads(answer.read())
    except urllib.error.HTTPError as error:
        return error.code, json.loads(error.read())


app, stranger = protocol.App(server_key), protocol.App(server_key)
session = {"session": "a session of the site"}

# Enrolment: two links, then the person's wallet agrees.
status, begun = call("/api/service/authreq/enrolments", {"user": user, **session})
check("the site begins an enrolment", status == 201 and begun["state"] == "open")
path = "/api/service/authreq/enrolments/" + begun["id"]
check("the link has no slash, which old apps would lose", "/" not in begun["link"][len("authreq://"):])
first = app.open(begun["link"])
check("the first link is an enrolment", first["category"] == "enrolmentcategory")
check("the app enrols", app.allow(begun["link"]) == (200, {"success": True}))
check("its reply again is the same reply", app.allow(begun["link"]) == (200, {"success": True}))
check("a second app is too late", stranger.allow(begun["link"]) == (409, {"success": False, "error": "already_answered"}))
taken = call(path)[1]
check("the second link is shown now", taken["state"] == "taken" and taken["link"] != begun["link"])
check("asked too early, nobody is asked", call(path + "/ask", session)[0] == 409)
check("the app answers the second link", app.allow(taken["link"]) == (200, {"success": True}))
proven = call(path)[1]
check("it is proven, with a code", proven["state"] == "proven" and len(proven["code"]) == 6)
check("another session has nobody asked", call(path + "/ask", {"session": "a session of mallory"})[0] == 404)
asked = call(path + "/ask", session)[1]
check("not yet enrolled, it cannot be asked", call(
    "/api/service/authreq/challenges", {"user": user, "title": "T", "lines": ["L"], "lifetime": 60})[1]["error"] == "no_device")
done = subprocess.run(wallet + [asked["question"], "--code", asked["code"]], capture_output=True, text=True)
check(f"the wallet agrees {done.stderr[-300:]}", done.returncode == 0)
check("the app is enrolled", call(path)[1]["state"] == "completed")

# Approval.
request = {"user": user, "title": "Payment of £30", "lifetime": 120,
           "lines": ["Paying £30.00 to Purple Plumbing from 'Current'.", "Remark: 'Is this you?'"]}
status, challenge = call("/api/service/authreq/challenges", request)
check("the site asks", status == 201 and challenge["state"] == "pending")
fields = app.open(challenge["link"])
check("every word arrives", fields["body"] == "\n".join(request["lines"]) and fields["short_title"] == request["title"])
payload = json.loads(challenge["payload"])["aps"]
check("the push dictionary says the same", payload["additional_data"]["bencode"].encode() == protocol.bencode(fields))
signed = f"/api/authreq/isSigned?message_id={fields['message_id']}"
check("it is not signed yet", call(signed) == (200, {"signed": False}))
check("a stranger's answer is refused", stranger.allow(challenge["link"])[1] == {"success": False, "error": "invalid_signature"})
altered = {**fields, "body": fields["body"].replace("30.00", "3.00")}
check("an answer to other words is refused", protocol.post(fields["response_url"], app.reply(altered))[1]["error"] == "invalid_signature")
check("the app allows", app.allow(challenge["link"]) == (200, {"success": True}))
check("it is signed", call(signed) == (200, {"signed": True}))
check("for this user", call(f"{signed}&user={user}") == (200, {"signed": True}))
check("and for nobody else", call(f"{signed}&user=mallory") == (200, {"signed": False}))
reply = app.reply(fields)
check("the same answer again succeeds", protocol.post(fields["response_url"], reply) == (200, {"success": True}))
check("what is no JSON is refused in JSON", protocol.post(fields["response_url"], b"{")[1] == {"success": False, "error": "malformed"})
print(f"{steps} steps")
