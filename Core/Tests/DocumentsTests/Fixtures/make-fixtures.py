#!/usr/bin/env python3
"""Makes the fixtures of DocumentsTests: run it in this folder. Needs `cryptography` and `sd-jwt` 0.10.4.

- status-lists.json: the vectors of the Token Status List draft, appendix "Test vectors for Status List encoding".
  The draft's `lst` values are zlib at level 9 of its tables, so they are made again from the tables; the values that
  the draft prints are compared here, whole or by their beginning.
- zlib.json: zlib streams at every level and strategy.
- sd-jwt.json: credentials and presentations made by the `sd-jwt` package, with what they disclose.
"""
import base64, hashlib, json, random, zlib


def b64(data):
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


# --- status lists -----------------------------------------------------------------------------------------------
ONE = [(i, 1) for i in (0, 1993, 25460, 159495, 495669, 554353, 645645, 723232, 854545, 934534, 1000345)]
TWO = [(0, 1), (1993, 2), (25460, 1), (159495, 3), (495669, 1), (554353, 1), (645645, 2), (723232, 1), (854545, 1),
       (934534, 2), (1000345, 3)]
FOUR = [(0, 1), (1993, 2), (35460, 3), (459495, 4), (595669, 5), (754353, 6), (845645, 7), (923232, 8), (924445, 9),
        (934534, 10), (1004534, 11), (1000345, 12), (1030203, 13), (1030204, 14), (1030205, 15)]
EIGHT_INDICES = """
233478 52451 576778 513575 468106 292632 214947 182323 884834 66653 62489 196493 458517 487925 55649 416992 879796
462297 942059 583408 13628 334829 886286 713557 582738 326064 451545 705889 214350 194502 796765 202828 752834 721327
554740 91122 963483 261779 793844 165255 614839 758403 403258 145867 96100 477937 606890 167335 488197 211815 797182
582952 950870 765108 341110 776325 745056 439368 559893 149741 358903 513405 342679 969429 795775 566121 460566 680070
117310 480348 67319 661552 841303 561493 138807 442463 659927 445910 1046963 829700 962282 299623 555493 292826 517215
551009 898490 837603 759161 459948 290102 1034977 190650 98810 229950 320531 335506 885333 133227 806915 800313 981571
527253 24077 240232 559572 713399 233941 615514 911768 331680 951527 6805 552366 374660 223159 625884 417146 320527
784154 338792 1199 679804 1024680 40845 234603 761225 644903 502167 121477 505144 165165 179628 1019195 145149 263738
269256 996739 346296 555864 887384 444173 421844 653716 836747 783119 918762 946835 253764 519895 471224 134272 709016
44112 482585 461829 15080 148883 123467 480125 141348 65877 692958 148598 499131 584009 1017987 449287 277478 991262
509602 991896 853666 399318 197815 203278 903979 743015 888308 862143 979421 113605 206397 127113 844358 711569 229153
521470 401793 398896 940810 293983 884749 384802 584151 970201 523882 158093 929312 205329 106091 30949 195586 495723
348779 852312 1018463 1009481 448260 841042 122967 345269 794764 4520 818773 556171 954221 598210 887110 1020623 324632
398244 622241 456551 122648 127837 657676 119884 105156 999897 330160 119285 168005 389703 143699 142524 493258 846778
251420 516351 83344 171931 879178 663475 546865 428362 658891 500560 557034 830023 274471 629139 958869 663071 152133
19535
"""
EIGHT = [(int(i), v) for v, i in enumerate(EIGHT_INDICES.split())]
# What the draft prints: beginning and end (the end holds the checksum of the whole list).
PRINTED = {
    1: ("eNrt3AENwCAMAEGogklACtKQPg9LugC9k_ACvreiogEAAKkeCQAAAAAAAAAAAAAAAAAAAIBylgQ", "AKjDMAQAAAACAZC8L2AEb"),
    2: ("eNrt2zENACEQAEEuoaBABP5VIO01fCjIHTMStt9ovGVIAAAAAABAbiEB", "ACoYUoAAAAAAAAAAAAAAEBqH81gAQw"),
    4: ("eNrt0EENgDAQADAIHwImkIIEJEwCUpCEBBQRHOy35Li1EjoOQGabAgAAAAAAAAAAAAAAAAAAACC1SQEA", "jsA9xMBMA"),
    8: ("eNrt0WOQM2kYhtGsbdu2bdu2bdu2bdu2bdu2jVnU1my-SWYm6U5enFPVf7ue97orFYAo7CQBAACQuuckAABStqUEAAAAAAAAtN6wEgAE71QJ", ""),
}


def pack(bits, table):
    data = bytearray(2**20 * bits // 8)
    for index, value in table:
        data[index * bits // 8] |= value << index * bits % 8
    return bytes(data)


lists = []
for bits, table in ((1, ONE), (2, TWO), (4, FOUR), (8, EIGHT)):
    lst = b64(zlib.compress(pack(bits, table), 9))
    assert lst.startswith(PRINTED[bits][0]) and lst.endswith(PRINTED[bits][1]), bits
    lists.append({"bits": bits, "lst": lst, "set": [list(e) for e in table if e[1]]})
lists.append({"bits": 1, "lst": "eNrbuRgAAhcBXQ", "set": [[i, 1] for i in (0, 3, 4, 5, 7, 8, 9, 13, 15)]})
lists.append({"bits": 2, "lst": "eNo76fITAAPfAgc", "set": [[0, 1], [1, 2], [3, 3], [5, 1], [7, 1], [8, 1], [9, 2], [10, 3], [11, 3]]})
json.dump(lists, open("status-lists.json", "w"), indent=1)

# --- zlib -------------------------------------------------------------------------------------------------------
rng = random.Random(1950)
sparse = bytearray(16384)
for _ in range(160):
    sparse[rng.randrange(16384)] |= 1 << rng.randrange(8)
contents = {
    "empty": b"",
    "one byte": b"x",
    "text": b"Purple Plumbing pays thirty pounds to Purple Plumbing. " * 40,
    "noise": bytes(rng.randrange(256) for _ in range(800)),
    "zeros": bytes(70000),
    "sparse list": bytes(sparse),
    "few symbols": bytes(rng.choice(b"abc") for _ in range(2500)),
    "far matches": (lambda a: a + bytes(rng.randrange(256) for _ in range(30000)) + a)(bytes(rng.randrange(256) for _ in range(300))),
}
streams = []
for name, content in contents.items():
    for level in range(10):
        for strategy in (0, 1, 2, 3, 4):
            if level not in (1, 6, 9) and strategy:
                continue
            packer = zlib.compressobj(level, zlib.DEFLATED, 15, 8, strategy)
            stream = packer.compress(content) + packer.flush()
            if len(stream) > 6000 and (level != 9 or strategy):
                continue
            streams.append({"name": f"{name}, level {level}, strategy {strategy}", "stream": b64(stream),
                            "size": len(content), "sha256": b64(hashlib.sha256(content).digest())})
json.dump(streams, open("zlib.json", "w"), indent=1)

# --- SD-JWT -----------------------------------------------------------------------------------------------------
from cryptography.hazmat.primitives.asymmetric import ec
from jwcrypto.jwk import JWK
from sd_jwt.common import SDObj
from sd_jwt.holder import SDJWTHolder
from sd_jwt.issuer import SDJWTIssuer
from sd_jwt.verifier import SDJWTVerifier


def key(seed):
    d = int.from_bytes(hashlib.sha256(seed).digest(), "big")
    private = ec.derive_private_key(d, ec.SECP256R1())
    numbers = private.private_numbers()
    return JWK(kty="EC", crv="P-256", d=b64(numbers.private_value.to_bytes(32, "big")),
               x=b64(numbers.public_numbers.x.to_bytes(32, "big")), y=b64(numbers.public_numbers.y.to_bytes(32, "big")))


issuer, holder = key(b"fixture issuer"), key(b"fixture holder")
S = SDObj
base = {"iss": "https://university.example", "iat": 1790000000,
        "vct": "https://university.example/credentials/transcript"}
cases = {
    "flat": ({S("given_name"): "Ada", S("family_name"): "Lovelace", "visible": True}, {"given_name": True}),
    "nothing shown": ({S("given_name"): "Ada", S("family_name"): "Lovelace"}, {}),
    "all shown": ({S("given_name"): "Ada", S("b"): [1, 2, {"c": None}], S("d"): {"e": "\u00e9\U0001f393"}},
                  {"given_name": True, "b": True, "d": True}),
    "nested object, hidden inside": (
        {"address": {S("street"): "St James's Square 12", S("town"): "London", "country": "GB"}},
        {"address": {"town": True}}),
    "hidden in hidden": (
        {S("address"): {S("street"): "St James's Square 12", S("town"): "London"}}, {"address": {"street": True}}),
    "hidden in hidden, outer only": (
        {S("address"): {S("street"): "St James's Square 12", S("town"): "London"}}, {"address": {"street": False}}),
    "array elements": ({"nationalities": [S("GB"), S("FR"), "NO"]}, {"nationalities": [False, True]}),
    "array in hidden array": ({S("grid"): [S([S(1), S(2)]), [S(3), 4]]}, {"grid": [[False, True], [True]]}),
    "objects in an array": (
        {"courses": [{S("code"): "A1", S("grade"): 1}, S({"code": "B2", S("grade"): 2})]},
        {"courses": [{"code": True}, {"grade": True}]}),
}
fixtures = {"issuer": json.loads(issuer.export_public()), "holder": json.loads(holder.export_public()), "cases": []}
for name, (claims, chosen) in cases.items():
    for decoys in (False, True):
        made = SDJWTIssuer({**base, **claims}, issuer, holder_key=holder, sign_alg="ES256", add_decoy_claims=decoys,
                           extra_header_parameters={"typ": "dc+sd-jwt"})
        shown = SDJWTHolder(made.sd_jwt_issuance)
        shown.create_presentation(chosen, nonce="n-0S6_WzA2Mj", aud="https://employer.example",
                                  holder_key=holder, sign_alg="ES256")
        expected = SDJWTVerifier(shown.sd_jwt_presentation, lambda *_: issuer, "https://employer.example",
                                 "n-0S6_WzA2Mj").get_verified_payload()
        expected.pop("cnf")
        fixtures["cases"].append({
            "name": name + (", with decoys" if decoys else ""), "issued": made.sd_jwt_issuance,
            "presentation": shown.sd_jwt_presentation, "claims": expected})
json.dump(fixtures, open("sd-jwt.json", "w"), indent=1, ensure_ascii=False)
