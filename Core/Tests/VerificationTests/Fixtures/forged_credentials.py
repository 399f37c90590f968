"""Presentations to be accepted, and those refused for their format, chain or digests."""
from forging import *

LATER = T0 + 40 * DAY + 3600
LATER_STATUS = [status_token(ends=LATER + DAY), status_token(SIGNER_URI, ends=LATER + DAY)]

# --- accepted ---------------------------------------------------------------------------------------------------
accept("everything", plain)
accept("the canonical text", raw(plain))
accept("nothing disclosed", whole(shown=(), file=None))
accept("all disclosed", whole(shown=tuple(FIELDS) + ("document",)))
accept("no receipt and no log key", whole(receipt=False), {"receipt": "no_receipt"}, log=False)
accept("a receipt and no log key", plain, {"receipt": "no_log_key"}, log=False)
accept("made for anybody", plain, {"audience": "any_audience_accepted"}, audience=None, anybody=True)
accept("the last second that its holder chose", whole(status=LATER_STATUS), now=T0 + 3600 + 30 * DAY - 1)
accept("as old as the verifier allows", whole(status=LATER_STATUS), now=T0 + 3600 + 3 * DAY, age=3 * DAY)
accept("without an end, on the same day", whole(binding=drop("exp"), status=LATER_STATUS), now=T0 + 3600 + DAY - 1)
accept("a link's year", whole(binding=put(exp=T0 + 3600 + 366 * DAY), status=LATER_STATUS), now=T0 + 3600 + 40 * DAY)
accept("no nonce asked for", plain, {"freshness": "fresh_by_time_only"}, nonce=None)
identity = Credential(kind="identity", fields={"given_name": "Alice", "family_name": "Example"}, file=None)
accept("an identity credential", whole(identity, receipt=receipt(identity, kind="member.identified")))
late = T0 + 200 * DAY
late_status = [status_token(made=late - 100, ends=late + DAY), status_token(SIGNER_URI, made=late - 100, ends=late + DAY)]
accept("after the administrator's certificate has expired, with a receipt",
       whole(made=late - 50, status=late_status), now=late)
revoked_later = [status_token(), status_token(SIGNER_URI, revoked=[7], times={"7": T0 + 1000})]
accept("the administrator was revoked after the log recorded the credential", whole(status=revoked_later),
       {"revocation": "logged_before_revocation"})
by_listed = Credential(chain=[admin, listed_main])
accept("the main administrator's certificate is in a status list, and not revoked", whole(by_listed))
accept("the main administrator was revoked after the log recorded the credential",
       whole(by_listed, status=[status_token(), status_token(SIGNER_URI, revoked=[9], times={"9": T0 + 1000})]),
       {"revocation": "logged_before_revocation"})
accept("a live status token in place of a stale stapled one",
       whole(status=[status_token(made=T0, ends=T0 + 10), status_token(SIGNER_URI)]), live=[status_token()])
accept("other entries of the list are revoked", whole(status=[status_token(revoked=[1, 41, 43, 99]), GOOD_STATUS[1]]))
nested = Credential(payload=lambda p: p.update(address={"_sd": [digest(disclosure("town", "London"))], "country": "GB"},
                                               roles=["a", {"...": digest(disclosure(None, "b"))}]))
accept("disclosures within objects and arrays",
       whole(nested, add=[disclosure("town", "London"), disclosure(None, "b")]))
accept("decoy digests", cred(payload=lambda p: p["_sd"].extend([b64(sha(b"decoy")), b64(sha(b"another"))])))

# --- format -----------------------------------------------------------------------------------------------------
F = "format"
refuse("a cut file", F, "bundle_not_json", file_json[:-10])
refuse("an empty file", F, "not_a_presentation", b"", **OPEN)
refuse("a plain PDF", F, "not_a_presentation", b"%PDF-1.7\n", **OPEN)
refuse("a picture larger than any file of ours", F, "not_a_presentation", b"\x89PNG" + bytes(64), **OPEN)
refuse("a byte behind the file", F, "bundle_not_json", file_json + b"x")
refuse("a byte order mark", F, "not_a_presentation", b"\xef\xbb\xbf" + file_json, **OPEN)
refuse("a member twice", F, "bundle_not_json", file_json[:-1] + b',"status":[]}')
refuse("text that is not UTF-8", F, "bundle_not_json", file_json.replace(b"degree.pdf", b"degree\xff.pdf"))
refuse("a line end behind the file", F, "bundle_not_canonical", file_json + b"\n")
refuse("white space", F, "bundle_not_canonical", json.dumps(small, sort_keys=True).encode())
refuse("members in another order", F, "bundle_not_canonical", compact(dict(sorted(small.items(), reverse=True))).encode())
refuse("a needless escape", F, "bundle_not_canonical", file_json.replace(b'"degree.pdf"', b'"degre\\u0065.pdf"'))
refuse("an unknown member", F, "bundle_malformed", raw({**small, "trust": std64(root)}))
refuse("no presentation", F, "bundle_malformed", raw({k: v for k, v in small.items() if k != "presentation"}))
refuse("no status", F, "bundle_malformed", raw({k: v for k, v in small.items() if k != "status"}))
refuse("status that is a text", F, "bundle_malformed", raw({**small, "status": GOOD_STATUS[0]}))
refuse("a receipt that is null", F, "bundle_malformed", raw({**small, "receipt": None}))
refuse("another format", F, "bundle_unknown_format", raw({**small, "format": "countersign-presentation-v2"}), **OPEN)
refuse("five status tokens", F, "bundle_too_large", raw({**small, "status": GOOD_STATUS + ["a", "b", "c"]}))
refuse("a path in the document's name", F, "document_malformed", raw({**small, "document": {**small["document"], "name": "../degree.pdf"}}))
refuse("a name that turns the writing", F, "document_malformed", raw({**small, "document": {**small["document"], "name": "degree\u202efdp.exe"}}))
refuse("a media type with a parameter", F, "document_malformed", raw({**small, "document": {**small["document"], "media_type": "text/html; x=y"}}))
refuse("padded content", F, "document_malformed", raw({**small, "document": {**small["document"], "content": "YQ=="}}))
refuse("algorithm none without a signature", F, "unsupported_algorithm", cred(header=put(alg="none"), signature=b""))
for alg in ("none", "None", "HS256", "ES384", "RS256"):
    refuse(f"algorithm {alg}", F, "unsupported_algorithm", cred(header=put(alg=alg)))
refuse("no algorithm", F, "presentation_malformed", cred(header=drop("alg")))
refuse("a critical extension", F, "unsupported_extension", cred(header=put(crit=["exp"])))
refuse("an unencoded payload", F, "unsupported_extension", cred(header=put(b64=False)))
for typ in ("JWT", "kb+jwt", "vc+sd-jwt", "statuslist+jwt", "DC+SD-JWT", ""):
    refuse(f"type '{typ}'", F, "wrong_type", cred(header=put(typ=typ)))
refuse("no type", F, "wrong_type", cred(header=drop("typ")))
refuse("no certificates", F, "certificates_missing", cred(header=drop("x5c")))
refuse("a bare key in the header", F, "certificates_missing", cred(header=lambda h: (h.pop("x5c"), h.update(jwk=ADMIN.jwk))))
refuse("an empty list of certificates", F, "certificates_missing", cred(header=put(x5c=[])))
refuse("certificates in base64url", F, "certificates_missing", cred(header=put(x5c=[b64(admin) + "-"])))
refuse("five certificates", F, "certificates_missing", cred(header=put(x5c=[std64(admin)] + [std64(main)] * 4)))
refuse("no tilde", F, "presentation_malformed", bundle(base.jwt))
refuse("a presentation of four parts", F, "presentation_malformed", bundle(base.jwt + ".AAAA~"))
refuse("a short signature", F, "presentation_malformed", cred(signature=b"\1" * 63))
refuse("a disclosure that is not base64url", F, "malformed_disclosure", whole(add=["a+b="]))
refuse("an empty disclosure", F, "malformed_disclosure", whole(add=[""]))
refuse("a disclosure of four parts", F, "malformed_disclosure", whole(add=[b64(b'["s","n",1,2]')]))
refuse("a disclosure that is an object", F, "malformed_disclosure", whole(add=[b64(b'{"salt":"s"}')]))
refuse("a salt that is a number", F, "malformed_disclosure", whole(add=[b64(b'[1,"n","v"]')]))
refuse("a claim's name that is a number", F, "malformed_disclosure", whole(add=[b64(b'["s",1,"v"]')]))
refuse("257 disclosures", F, "presentation_too_large", whole(add=[disclosure("n", i) for i in range(254)]))
refuse("no issuer", F, "claim_malformed", cred(payload=drop("iss")))
refuse("a time of issue that is a text", F, "claim_malformed", cred(payload=put(iat="now")))
refuse("an end before the beginning", F, "claim_malformed", cred(payload=put(exp=T0 - 1)))
refuse("an end that is a text", F, "claim_malformed", cred(payload=put(exp="never")))
refuse("a beginning that is a text", F, "claim_malformed", cred(payload=put(nbf="now")))
refuse("a type of another issuer", F, "claim_malformed", cred(payload=put(vct="https://evil.example/credentials/degree")))
refuse("a type with a path", F, "claim_malformed", cred(payload=put(vct=URL + "/credentials/../identity")))
refuse("no type of credential", F, "claim_malformed", cred(payload=drop("vct")))
refuse("a status index below zero", F, "claim_malformed", cred(status=(STATUS_URI, -1)))
refuse("a status without a list", F, "claim_malformed", cred(payload=put(status={})))

# --- chain ------------------------------------------------------------------------------------------------------
C = "chain"
refuse("the root in the file", C, "self_issued_certificate", cred(chain=[admin, main, root]))
self_signed = certificate("Eve", EVE, "Eve", EVE, T0 - DAY, T0 + DAY, usages=[DOCUMENTS])
refuse("a self-signed signer", C, "untrusted_chain", cred(key=EVE, chain=[self_signed]))
refuse("the chain without its middle", C, "untrusted_chain", cred(chain=[admin]))
refuse("the chain the wrong way round", C, "untrusted_chain", cred(chain=[main, admin]))
eve_main = certificate(MAIN_NAME, EVE, ROOT_NAME, EVE_ROOT, T0 - DAY, T0 + DAY, ca=True, path_length=0)
eve_admin = administrator(key=EVE, issuer_key=EVE)
refuse("a chain to another root of the same names", C, "untrusted_chain", cred(key=EVE, chain=[eve_admin, eve_main]))
root_id = x509.SubjectKeyIdentifier.from_public_key(ROOT.public).digest
posing = certificate(MAIN_NAME, EVE, ROOT_NAME, EVE_ROOT, T0 - DAY, T0 + DAY, ca=True, path_length=0, issuer_identifier=root_id)
refuse("a chain to another root of the same names and key identifiers", C, "untrusted_chain",
       cred(key=EVE, chain=[eve_admin, posing]))
refuse("a certificate for another site", C, "foreign_organisation",
       cred(chain=[administrator(url="https://evil.example"), main]))
refuse("a certificate of another organisation", C, "foreign_organisation",
       cred(chain=[administrator(organisation="University of Evil"), main]))
expired = administrator(end=T0 + DAY)
refuse("an expired certificate without a receipt", C, "certificate_expired_since",
       whole(Credential(chain=[expired, main]), receipt=False, made=late - 50, status=late_status), now=late, **OPEN)
refuse("an expired certificate, and a receipt that nobody can check", C, "certificate_expired_since",
       whole(Credential(chain=[expired, main]), made=late - 50, status=late_status), now=late, log=False, **OPEN)
refuse("an expired certificate, and a signature by another key", C, "bad_signature",
       whole(Credential(chain=[expired, main], key=EVE), receipt=False, made=late - 50, status=late_status), now=late)
refuse("an expired certificate that is none of this root's", C, "untrusted_chain",
       whole(Credential(chain=[administrator(end=T0 + DAY, key=EVE, issuer_key=EVE), main], key=EVE), receipt=False,
             made=late - 50, status=late_status), now=late)
dated_back = Credential(chain=[expired, main])
refuse("an expired certificate, a time dated back and an honest log", C, "certificate_expired",
       whole(dated_back, receipt=receipt(dated_back, time=late - 100), made=late - 50, status=late_status), now=late)
slow = Credential(chain=[administrator(end=T0 + 10 * DAY), main])
refuse("a log entry three days after the signature", C, "certificate_expired",
       whole(slow, receipt=receipt(slow, time=T0 + 3 * DAY), made=late - 50, status=late_status), now=late)
early = Credential(chain=[expired, main], issued=T0 + 2000)
refuse("a log entry before the signature", C, "certificate_expired",
       whole(early, receipt=receipt(early, time=T0 + 60), made=late - 50, status=late_status), now=late)
refuse("a certificate that begins later", C, "certificate_not_yet_valid",
       whole(Credential(chain=[administrator(start=T0 + DAY), main]), receipt=False))
only_identity, only_documents = administrator(usages=(IDENTITY,)), administrator(usages=(DOCUMENTS,))
refuse("a degree by one who may only identify members", C, "certificate_not_for_this", cred(chain=[only_identity, main]))
refuse("an identity by one who may only sign documents", C, "certificate_not_for_this",
       cred(kind="identity", chain=[only_documents, main]))
refuse("a degree by the status signer", C, "certificate_not_for_this", cred(key=STATUS_SIGNER, chain=[status_signer]))
refuse("a degree by the main administrator's own certificate", C, "certificate_not_for_this", cred(key=MAIN, chain=[main]))
refuse("no purpose in the certificate", C, "certificate_not_for_this", cred(chain=[administrator(usages=()), main]))
student = administrator("Eve Student", EVE, issuer="Ada Admin", issuer_key=ADMIN, status=None)
refuse("delegation confusion: a student certified by an administrator issues a degree", C, "issuer_not_authority",
       cred(key=EVE, chain=[student, admin, main]))
refuse("delegation confusion: a student issues with the administrator's chain", C, "bad_signature", cred(key=EVE))
sub = certificate("Eve Sub", EVE, MAIN_NAME, MAIN, T0 - DAY, T0 + DAY, ca=True, path_length=0)
below = administrator("Eve Leaf", EVE, issuer="Eve Sub", issuer_key=EVE)
refuse("an authority below the main administrator", C, "chain_too_long", cred(key=EVE, chain=[below, sub, main]))
critical = administrator(extra=[(x509.UnrecognizedExtension(ObjectIdentifier("1.2.3.4"), b"\x05\x00"), True)])
refuse("an unknown critical extension", C, "certificate_malformed", cred(chain=[critical, main]))
refuse("bytes that are no certificate", C, "certificate_malformed", cred(header=put(x5c=[std64(b"hello"), std64(main)])))
refuse("a byte behind the certificate", C, "certificate_malformed", cred(header=put(x5c=[std64(admin + b"\0"), std64(main)])))
refuse("a certificate of nine kilobytes", C, "certificate_malformed", cred(header=put(x5c=[std64(b"\x30" * 9000), std64(main)])))
flipped = bytearray(admin)
flipped[-5] ^= 1
refuse("a certificate with a changed signature", C, "untrusted_chain", cred(chain=[bytes(flipped), main]))
swapped = bytearray(admin)
at = swapped.index(b"Ada Admin")
swapped[at:at + 9] = b"Eve Admin"
refuse("a certificate with a changed name", C, "untrusted_chain", cred(chain=[bytes(swapped), main]))
evil = "https://university.example.evil.example"
refuse("another issuer than the certificate's", C, "issuer_mismatch",
       cred(payload=put(iss=evil, vct=evil + "/credentials/degree")))
refuse("an issuer with a slash more", C, "issuer_mismatch",
       cred(payload=put(iss=URL + "/", vct=URL + "//credentials/degree")))
refuse("the signature of another key", C, "bad_signature", cred(key=ALICE))
refuse("a signature of zeros", C, "bad_signature", cred(signature=bytes(64)))
refuse("a changed signature", C, "bad_signature", whole(Credential(signature=(lambda s: s[:63] + bytes([s[63] ^ 1]))(unb64(base.jwt.split(".")[2])))))
refuse("the signature of another credential", C, "bad_signature", cred(fields={"degree": "Doctor of Science"}, signature=unb64(base.jwt.split(".")[2])))
head, body, sign = base.jwt.split(".")
promoted = compact(base.payload | {"iat": T0 + 1})
altered = Credential()
altered.jwt = ".".join([head, b64(promoted.encode()), sign])
refuse("a changed payload", C, "bad_signature", whole(altered))
stolen = Credential()
stolen.jwt = ".".join([head, b64(compact(base.payload | {"cnf": {"jwk": EVE.jwk}}).encode()), sign])
refuse("holder substitution: another key in the signed credential", C, "bad_signature", whole(stolen, key=EVE))
spaced = Credential()
spaced.jwt = ".".join([b64(json.dumps(base.header).encode()), body, sign])
refuse("the header in another spelling", C, "bad_signature", whole(spaced))

# --- digest -----------------------------------------------------------------------------------------------------
D = "digest"
refuse("an added claim", D, "unreferenced_disclosure", whole(add=[disclosure("honours", "First class")]))
refuse("a changed value", D, "unreferenced_disclosure",
       whole(shown=("given_name", "document"), add=[disclosure("degree", "Doctor of Science")]))
refuse("a changed salt", D, "unreferenced_disclosure",
       whole(shown=("given_name", "document"), add=[disclosure("degree", "Master of Science", salt=b64(bytes(16)))]))
refuse("a disclosure in another spelling", D, "unreferenced_disclosure", whole(
    shown=("document",), add=[b64(json.dumps(json.loads(unb64(base.by_name["degree"])), indent=1).encode())]))
refuse("a disclosure of another credential", D, "unreferenced_disclosure",
       whole(add=[Credential(fields={"honours": "First class"}).by_name["honours"]]))
refuse("an array element that nobody signed", D, "unreferenced_disclosure", whole(add=[disclosure(None, "b")]))
refuse("a disclosure twice", D, "repeated_disclosure", whole(add=[base.by_name["degree"]]))
for reserved in ("_sd", "...", "_sd_alg", "iss", "iat", "exp", "nbf", "cnf", "vct", "status"):
    hidden = Credential(hidden=[(reserved, "x")])
    refuse(f"a hidden claim named {reserved}", D, "reserved_name", whole(hidden, add=hidden.hidden))
clash = Credential(hidden=[("given_name", "Eve")])
refuse("two disclosures of one name", D, "duplicate_claim", whole(clash, add=clash.hidden))
visible = Credential(payload=put(given_name="Eve"))
refuse("a disclosure beside a visible claim", D, "duplicate_claim", whole(visible))
refuse("a digest twice", D, "duplicate_digest", cred(payload=lambda p: p["_sd"].append(p["_sd"][0])))
refuse("a digest again in an object", D, "duplicate_digest", cred(payload=lambda p: p.update(more={"_sd": [p["_sd"][0]]})))
refuse("a decoy twice", D, "duplicate_digest", cred(payload=lambda p: p["_sd"].extend([b64(sha(b"decoy"))] * 2)))
refuse("a digest again in an array", D, "duplicate_digest", cred(payload=lambda p: p.update(more=[{"...": digest(base.by_name["conferred_on"])}])))
element = disclosure(None, "b")
misplaced = Credential(payload=lambda p: p["_sd"].append(digest(element)))
refuse("an array element among the claims", D, "misplaced_disclosure", whole(misplaced, add=[element]))
member = disclosure("town", "London")
in_array = Credential(payload=lambda p: p.update(roles=[{"...": digest(member)}]))
refuse("a claim in an array", D, "misplaced_disclosure", whole(in_array, add=[member]))
refuse("digests that are no array", D, "malformed_digests", whole(Credential(payload=put(_sd="x")), shown=(), file=None))
refuse("a digest that is a number", D, "malformed_digests", cred(payload=lambda p: p["_sd"].append(1)))
refuse("an ellipsis outside an array", D, "malformed_digests", cred(payload=lambda p: p.update({"...": p["_sd"][0]})))
refuse("an ellipsis beside a claim", D, "malformed_digests", cred(payload=put(roles=[{"...": b64(sha(b"d")), "x": 1}])))
refuse("an ellipsis that is a number", D, "malformed_digests", cred(payload=put(roles=[{"...": 1}])))
refuse("another hash function", D, "unsupported_hash", cred(payload=put(_sd_alg="sha-512")))
refuse("a hash function that is a number", D, "unsupported_hash", cred(payload=put(_sd_alg=256)))


def file(**change):
    return {**FILE, **change}


refuse("a changed byte in the document", D, "document_altered", whole(file=file(content=FILE["content"].replace(b"degree", b"decree"))))
refuse("a byte more in the document", D, "document_altered", whole(file=file(content=FILE["content"] + b" ")))
refuse("a byte less in the document", D, "document_altered", whole(file=file(content=FILE["content"][:-1])))
refuse("an empty document", D, "document_altered", whole(file=file(content=b"")))
refuse("another name of the document", D, "document_altered", whole(file=file(name="doctorate.pdf")))
refuse("another media type of the document", D, "document_altered", whole(file=file(media_type="text/html")))
refuse("no document", D, "document_missing", whole(file=None))
refuse("a document that is not spoken of", D, "document_unexpected", whole(shown=("degree",)))
refuse("a document that was asked for and is not shown", D, "document_missing", whole(shown=("degree",), file=None), require=True)
about_less = Credential(file=None, hidden=[("document", {"name": "degree.pdf"})])
refuse("a claim about the document that says too little", D, "document_claim_malformed",
       whole(about_less, add=about_less.hidden, file=FILE))
