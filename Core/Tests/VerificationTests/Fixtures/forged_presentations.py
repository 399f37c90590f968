"""Presentations refused for their holder, audience, freshness, revocation or receipt."""
from forged_credentials import *

# --- holder -----------------------------------------------------------------------------------------------------
H = "holder"
refuse("no key in the credential", H, "holder_key_missing", cred(payload=drop("cnf")))
refuse("a key's name only", H, "holder_key_missing", cred(payload=put(cnf={"kid": "alice"})))
refuse("a key on another curve", H, "holder_key_missing", cred(payload=put(cnf={"jwk": {**ALICE.jwk, "crv": "P-384"}})))
refuse("a private key", H, "holder_key_missing", cred(payload=put(cnf={"jwk": {**ALICE.jwk, "d": ALICE.jwk["x"]}})))
refuse("a key that is no point of the curve", H, "not_the_holder", cred(payload=put(cnf={"jwk": {**ALICE.jwk, "y": ALICE.jwk["x"]}})))
refuse("no key binding", H, "key_binding_missing", whole(omit=True))
refuse("holder substitution: Eve presents Alice's degree", H, "not_the_holder", whole(key=EVE))
refuse("holder substitution: Eve's key in the header", H, "not_the_holder", whole(key=EVE, header=put(jwk=EVE.jwk)))
refuse("key binding by the issuer", H, "not_the_holder", whole(key=ADMIN))
refuse("key binding with algorithm none", H, "key_binding_malformed", whole(header=put(alg="none")))
refuse("key binding that is no JWT", H, "key_binding_malformed", whole(kb="hello"))
refuse("key binding of two parts", H, "key_binding_malformed", whole(kb="e30.e30"))
refuse("key binding with a critical extension", H, "key_binding_malformed", whole(header=put(crit=["nonce"])))
refuse("key binding with a payload that is an array", H, "key_binding_malformed",
       whole(kb=jws({"alg": "ES256", "typ": "kb+jwt"}, b64(b"[]"), ALICE)))
for typ in ("JWT", "dc+sd-jwt"):
    refuse(f"key binding of type {typ}", H, "key_binding_wrong_type", whole(header=put(typ=typ)))
refuse("key binding of no type", H, "key_binding_wrong_type", whole(header=drop("typ")))
refuse("a claim removed after binding", H, "other_presentation", whole(after=lambda l: [l[0]] + l[2:]))
refuse("a claim added after binding", H, "other_presentation", whole(after=lambda l: l + [base.by_name["conferred_on"]]))
refuse("claims reordered after binding", H, "other_presentation", whole(after=lambda l: l[::-1]))
refuse("no hash of the presentation", H, "other_presentation", whole(binding=drop("sd_hash")))
refuse("another hash of the presentation", H, "other_presentation", whole(binding=put(sd_hash=b64(sha(b"other")))))
refuse("a hash of the presentation that is a number", H, "other_presentation", whole(binding=put(sd_hash=1)))
other = Credential(fields={**FIELDS, "degree": "Bachelor of Science"})
other_binding = present(other).rsplit("~", 1)[1]
refuse("the key binding of another credential", H, "other_presentation", whole(kb=other_binding))

# --- audience ---------------------------------------------------------------------------------------------------
A = "audience"
refuse("replay: presented to another verifier", A, "wrong_audience", plain, audience="https://bank.example")
refuse("an audience with a slash more", A, "wrong_audience", whole(binding=put(aud=AUDIENCE + "/")))
refuse("an audience in capitals", A, "wrong_audience", whole(binding=put(aud=AUDIENCE.upper())))
refuse("an audience that only begins right", A, "wrong_audience", whole(binding=put(aud=AUDIENCE + ".evil.example")))
refuse("an array of audiences, the right one among them", A, "audience_not_text", whole(binding=put(aud=[AUDIENCE, "https://bank.example"])))
refuse("an array of the right audience", A, "audience_not_text", whole(binding=put(aud=[AUDIENCE])))
refuse("nobody has said who it is for", A, "audience_not_given", plain, audience=None, **OPEN)
refuse("an array of audiences and no audience asked for", A, "audience_not_text", whole(binding=put(aud=[AUDIENCE])), audience=None)
refuse("no audience", A, "audience_not_text", whole(binding=drop("aud")))
refuse("an empty audience", A, "audience_not_text", whole(binding=put(aud="")))

# --- freshness --------------------------------------------------------------------------------------------------
N = "freshness"
refuse("replay: another nonce", N, "wrong_nonce", plain, nonce="YW5vdGhlci1ub25jZQ")
refuse("a nonce cut short", N, "wrong_nonce", whole(binding=put(nonce=NONCE[:-1])))
refuse("no nonce", N, "nonce_missing", whole(binding=drop("nonce")))
refuse("an empty nonce", N, "nonce_missing", whole(binding=put(nonce="")), nonce=None)
refuse("a nonce that is a number", N, "nonce_missing", whole(binding=put(nonce=7)))
refuse("a nonce of 600 bytes", N, "nonce_missing", whole(binding=put(nonce="n" * 600)))
refuse("no time", N, "time_missing", whole(binding=drop("iat")))
refuse("a time that is a text", N, "time_missing", whole(binding=put(iat=str(T0))))
refuse("a time with a fraction", N, "time_missing", whole(binding=lambda b: b.update(iat=T0 + 0.5)))
refuse("a presentation older than the verifier allows", N, "presentation_too_old", whole(status=LATER_STATUS),
       now=T0 + 3600 + DAY + 1, age=DAY, **OPEN)
refuse("the holder's time is over", N, "presentation_lapsed", whole(status=LATER_STATUS), now=T0 + 3600 + 30 * DAY, **OPEN)
refuse("without an end, a day later", N, "presentation_lapsed", whole(binding=drop("exp"), status=LATER_STATUS),
       now=T0 + 3600 + DAY, **OPEN)
refuse("the holder's time is over, however old the verifier allows", N, "presentation_lapsed", whole(status=LATER_STATUS),
       now=T0 + 3600 + 31 * DAY, age=60 * DAY, **OPEN)
refuse("an end before the beginning", N, "end_malformed", whole(binding=put(exp=T0 + 3600)))
refuse("an end that is a text", N, "end_malformed", whole(binding=put(exp="never")))
refuse("an end in a century", N, "end_malformed", whole(binding=put(exp=T0 + 3600 + 36_500 * DAY)))
refuse("a presentation from the future", N, "presentation_from_the_future", whole(made=NOW + 301))
refuse("a presentation older than the credential", N, "presented_before_issue", whole(made=T0 - 301))
V = "validity"
refuse("an expired credential", V, "credential_expired", cred(payload=put(exp=NOW)))
refuse("a credential from the future", V, "credential_from_the_future", whole(Credential(issued=NOW + 301), receipt=False, made=NOW + 301 - 10))
refuse("a credential that does not count yet", V, "credential_from_the_future", cred(payload=put(nbf=NOW + 301)))

# --- revocation -------------------------------------------------------------------------------------------------
R = "revocation"


def status(*tokens, **more):
    return whole(status=list(tokens), **more)


mine, theirs = GOOD_STATUS
U = {"result": "unknown"}
refuse("a revoked credential", R, "credential_revoked", status(status_token(revoked=[42]), theirs))
refuse("a revoked credential, as the live list says", R, "credential_revoked", plain, live=[status_token(revoked=[42])])
refuse("a revoked credential, as the newer of two tokens says", R, "credential_revoked",
       status(mine, status_token(revoked=[42], made=T0 + 3500), theirs))
refuse("a suspended credential in a list of two bits", R, "credential_revoked",
       status(status_token(bits=2, lst=b64(zlib.compress(bytes(10) + b"\x20" + bytes(1000)))), theirs))
refuse("a revocation behind a token of the same second", R, "credential_revoked",
       status(mine, status_token(revoked=[42]), theirs))
refuse("a revocation before a token of the same second", R, "credential_revoked",
       status(status_token(revoked=[42]), mine, theirs))
refuse("a revocation behind a live token of the same second", R, "credential_revoked", plain,
       live=[mine, status_token(revoked=[42])])
refuse("a signer revoked behind a token of the same second", R, "signer_revoked",
       status(mine, theirs, status_token(SIGNER_URI, revoked=[7])))
refuse("a signer revoked at two times of the same second's tokens", R, "signer_revoked",
       status(mine, status_token(SIGNER_URI, revoked=[7], times={"7": T0 + 1000}),
              status_token(SIGNER_URI, revoked=[7], times={"7": T0 + 59})))
refuse("a forged token of the same second", R, "status_token_not_signed", status(mine, status_token(key=EVE), theirs))
refuse("no status at all", R, "status_missing", status(), **U)
refuse("no status of the signer", R, "status_missing", status(mine), **U)
refuse("no status of the credential", R, "status_missing", status(theirs), **U)
refuse("the status of another list", R, "status_missing", status(status_token(URL + "/status/2"), theirs), **U)
refuse("no status reference", R, "no_status_reference", cred(status=None), **U)
refuse("a stale status", R, "status_stale", status(status_token(made=T0 - DAY, ends=T0), theirs), **U)
refuse("a status that ends now", R, "status_stale", status(status_token(ends=NOW), theirs), **U)
refuse("a status from the future", R, "status_from_the_future", status(status_token(made=NOW + 1), theirs), **U)
refuse("a status signed by an administrator", R, "status_signer_untrusted",
       status(status_token(key=ADMIN, chain=[admin, main]), theirs))
refuse("a status signed by Eve under her own certificate", R, "status_signer_untrusted",
       status(status_token(key=EVE, chain=[certificate("Status", EVE, ROOT_NAME, EVE_ROOT, T0 - DAY, T0 + DAY, usages=[STATUS])]), theirs))
by_admin = certificate("Status", EVE, MAIN_NAME, MAIN, T0 - DAY, T0 + DAY, usages=[STATUS])
refuse("a status signer that the root did not issue", R, "status_signer_untrusted",
       status(status_token(key=EVE, chain=[by_admin, main]), theirs))
old_signer = certificate("Status", STATUS_SIGNER, ROOT_NAME, ROOT, T0 - 30 * DAY, T0 + 3500, usages=[STATUS])
refuse("a status signer whose certificate has expired", R, "status_signer_untrusted", status(status_token(chain=[old_signer]), theirs))
refuse("the status signer's certificate in the hands of Eve", R, "status_token_not_signed", status(status_token(key=EVE), theirs))
parts = mine.split(".")
unrevoked = json.loads(unb64(status_token(revoked=[42]).split(".")[1]))
refuse("a changed status list", R, "status_token_not_signed",
       status(".".join([parts[0], b64(compact(unrevoked | {"iat": T0 + 3001}).encode()), parts[2]]), theirs))
refuse("a status token of another type", R, "status_token_wrong_type", status(status_token(header=put(typ="JWT")), theirs))
refuse("a status token with algorithm none", R, "status_token_malformed", status(status_token(header=put(alg="none")), theirs))
refuse("a status token without certificates", R, "status_token_malformed", status(status_token(header=drop("x5c")), theirs))
refuse("a status token without a subject", R, "status_token_malformed", status(status_token(payload=drop("sub")), theirs))
refuse("a status token without an end", R, "status_token_malformed", status(status_token(payload=drop("exp")), theirs))
refuse("a status token without a list", R, "status_token_malformed", status(status_token(payload=drop("status_list")), theirs))
refuse("a status token that is no token", R, "status_token_malformed", status("hello", mine, theirs))
refuse("revocation times that are an array", R, "status_token_malformed", status(mine, status_token(SIGNER_URI, times=[T0])))
squeezed = bytearray(zlib.compress(bytes(16384), 9))
squeezed[8] ^= 0x55
refuse("a corrupt list", R, "status_list_corrupt", status(status_token(lst=b64(bytes(squeezed))), theirs))
refuse("a cut list", R, "status_list_corrupt", status(status_token(lst=b64(zlib.compress(bytes(16384), 9)[:-5])), theirs))
refuse("a list with a wrong checksum", R, "status_list_corrupt", status(status_token(lst=b64(zlib.compress(bytes(16384), 9)[:-1] + b"\7")), theirs))
refuse("a list without compression", R, "status_list_corrupt", status(status_token(lst=b64(bytes(100))), theirs))
refuse("a zip bomb", R, "status_list_corrupt", status(status_token(lst=b64(zlib.compress(bytes(2 << 20), 9))), theirs))
refuse("three bits for each status", R, "status_list_corrupt", status(status_token(bits=3), theirs))
refuse("a list too short", R, "status_index_out_of_range", status(status_token(count=40), theirs))
refuse("an index behind the list", R, "status_index_out_of_range", cred(status=(STATUS_URI, 131072)))
refuse("a revoked signer and no receipt", R, "signer_revoked", status(mine, revoked_later[1], receipt=False))
refuse("a revoked signer and a receipt that nobody can check", R, "signer_revoked", status(*revoked_later), log=False)
refuse("a signer revoked before the log entry", R, "signer_revoked",
       status(mine, status_token(SIGNER_URI, revoked=[7], times={"7": T0 + 59})))
refuse("a signer revoked in the second of the log entry", R, "signer_revoked",
       status(mine, status_token(SIGNER_URI, revoked=[7], times={"7": T0 + 60})))
refuse("a signer revoked at an unknown time", R, "signer_revoked", status(mine, status_token(SIGNER_URI, revoked=[7])))
refuse("a revoked main administrator and no receipt", R, "signer_revoked",
       whole(by_listed, status=[mine, status_token(SIGNER_URI, revoked=[9], times={"9": T0 + 1000})], receipt=False))
refuse("a main administrator revoked before the log entry", R, "signer_revoked",
       whole(by_listed, status=[mine, status_token(SIGNER_URI, revoked=[9], times={"9": T0 + 59})]))
refuse("a signer revoked, and the time of another", R, "signer_revoked",
       status(mine, status_token(SIGNER_URI, revoked=[7], times={"8": T0 + 1000})))

# --- receipt ----------------------------------------------------------------------------------------------------
P = "receipt"


def logged(**more):
    return whole(receipt=receipt(base, **more))


refuse("the receipt of another credential", P, "receipt_for_another_credential", whole(receipt=receipt(other)))
refuse("the receipt of another log", P, "receipt_of_another_log", logged(log=EVE_LOG))
refuse("the receipt of a log of another name", P, "receipt_of_another_log", logged(log=LogKey("log", "evil.example/log")))
refuse("a proof with a changed hash", P, "receipt_proof_wrong", logged(proof=lambda p: [bytes(32)] + p[1:]))
refuse("a proof with a hash less", P, "receipt_proof_wrong", logged(proof=lambda p: p[:-1]))
refuse("a proof with a hash more", P, "receipt_proof_wrong", logged(proof=lambda p: p + [bytes(32)]))
refuse("a proof in another order", P, "receipt_proof_wrong", logged(proof=lambda p: p[::-1]))
refuse("a proof without hashes", P, "receipt_proof_wrong", logged(proof=lambda p: []))
refuse("another index", P, "receipt_proof_wrong", logged(shown_index=4))
refuse("an index behind the tree", P, "receipt_proof_wrong", logged(shown_index=11))


def entry_of(**change):
    def alter(extra):
        extra["entry"] = b64(canonical(json.loads(unb64(extra["entry"])) | change).encode())
    return alter


refuse("an entry with another time", P, "receipt_proof_wrong", logged(extra=entry_of(time=T0 - DAY)))
refuse("another opening", P, "receipt_commitment_wrong", logged(extra=put(opening=b64(bytes(32)))))
refuse("another record", P, "receipt_commitment_wrong", logged(extra=lambda e: e["record"].update(status_index=43)))
refuse("a record of another status index", P, "receipt_for_another_credential", logged(record=put(status_index=43)))
refuse("a record of another status list", P, "receipt_for_another_credential", logged(record=put(status_uri=SIGNER_URI)))
refuse("a record without a credential", P, "receipt_for_another_credential", logged(record=drop("credential")))
refuse("an entry of another kind", P, "receipt_for_another_credential", logged(kind="document.revoked"))
refuse("an entry that is not canonical", P, "receipt_malformed",
       logged(extra=lambda e: e.update(entry=b64(json.dumps(json.loads(unb64(e["entry"]))).encode()))))
refuse("a checkpoint of another size", P, "receipt_of_another_log", logged(checkpoint=lambda c: c.replace("\n11\n", "\n12\n")))
refuse("a checkpoint without a signature", P, "receipt_malformed", logged(checkpoint=lambda c: c.split("\n\n")[0] + "\n\n"))
refuse("a cut receipt", P, "receipt_malformed", whole(receipt=receipt(base)[:300]))
refuse("the receipt left out for a verifier who pins the log", P, "receipt_missing", whole(receipt=False),
       result="unknown")
refuse("a receipt that is no receipt", P, "receipt_malformed", whole(receipt="hello"))
refuse("a receipt from the future", P, "receipt_from_the_future", logged(time=NOW + 301))
