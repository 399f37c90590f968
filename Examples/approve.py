"""Asks a member whether a payment is theirs, and waits for the signed answer.

    python Examples/approve.py https://sign.example.edu API-KEY USER
"""
import json, sys, urllib.request, uuid

server, key, user = sys.argv[1:]


def call(path, body=None):
    headers = {"Authorization": f"Bearer {key}", "Content-Type": "application/json"}
    request = urllib.request.Request(server + path, json.dumps(body).encode() if body else None, headers)
    return json.load(urllib.request.urlopen(request))


asked = call("/api/service/challenges", {
    "idempotency_key": str(uuid.uuid4()), "action": "pay", "approvers": [user], "lifetime": 120,
    "fields": [{"type": "amount", "value": 3000, "currency": "GBP"}, {"type": "payee", "text": "Purple Plumbing"}]})
print("Type this code in your wallet:", asked["code"], flush=True)
while asked["state"] == "pending":
    asked = call(f"/api/service/challenges/{asked['id']}?wait=25")
print(asked["state"])
