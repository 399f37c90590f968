"""Writes first inputs for every fuzz target into FOLDER/<target>, made of the fixtures of Core's tests.

    python3 Fuzz/seeds.py FOLDER

`scripts/fuzz` merges them into Fuzz/Corpus, which keeps only those that reach something new.
"""

import base64
import hashlib
import io
import json
import pathlib
import re
import struct
import sys
import tarfile
import zlib

repository = pathlib.Path(__file__).resolve().parent.parent
tests = repository / "Core" / "Tests"
folder = pathlib.Path(sys.argv[1])


def add(target, *contents):
    place = folder / target
    place.mkdir(parents=True, exist_ok=True)
    for content in contents:
        if isinstance(content, str):
            content = content.encode()
        (place / hashlib.sha256(content).hexdigest()[:16]).write_bytes(content)


def fixture(path):
    return json.loads((tests / path).read_text())


def url(text):
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))


def frames(*parts):
    """A call of a page: the length of each part, four bytes, and its bytes."""
    parts = [part.encode() if isinstance(part, str) else part for part in parts]
    return b"".join(len(part).to_bytes(4, "little") + part for part in parts)


def text(data):
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def part(content):
    return len(content).to_bytes(2, "big") + content


def canonical(value):
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False)


def der(pem):
    blocks = re.findall(r"-----BEGIN CERTIFICATE-----(.*?)-----END", pem, re.S)
    return [base64.b64decode("".join(block.split())) for block in blocks]


def encodings():
    add("json", '{"a":[1,-2,3.5e+7,true,false,null,"x\\u00e9\\ud83d\\ude00\\n"],"b":{"c":{}}}', "[[[[[]]]]]", '"é"')
    add("json", '{"€":1,"\\r":2,"דּ":3,"1":4,"😀":5,"\\u0080":6,"ö":7}', "9007199254740991", "-0")
    add("json", json.dumps({f"n{index}": index for index in range(20)}))
    add("base64", "", "Zg==", "Zm8=", "Zm9v", "Zm9vYg", "_-8", "+/+=", "Zh==")
    add("hex", "", "00ff", "ABcd09", "0")
    add("decimal", "0", "18446744073709551615", "18446744073709551616", "007", "42")
    add("utf8", "aé€😀", b"\xed\xa0\x80", b"\xf4\x90\x80\x80", b"\xc0\x80", b"\xe2\x82")
    add("jwk", json.dumps(fixture("DocumentsTests/Fixtures/sd-jwt.json")["issuer"]))
    for line in (tests / "EllipticCurvesTests/Fixtures/wycheproof-der.txt").read_text().splitlines():
        add("ecdsa-der", bytes.fromhex(line.split()[4].replace("-", "")))
    for name, target, prefix in [("p1363", "p256", ""), ("ed25519", "ed25519", "")]:
        key = b""
        for line in (tests / f"EllipticCurvesTests/Fixtures/wycheproof-{name}.txt").read_text().splitlines():
            _, _, written, message, signature = line.split()
            key = key if written == "=" else bytes.fromhex(written)
            values = [bytes.fromhex(value.replace("-", "")) for value in (signature, message)]
            if len(values[0]) == 64:
                add(target, key + values[0] + values[1][:32])


def certificates():
    paths = tests / "CertificatesTests" / "Fixtures"
    root = der((paths / "root.pem").read_text())[0]
    for file in sorted(paths.glob("**/*.pem")):
        content = file.read_text()
        chain = der(content)
        if len(content) < 4096:
            add("pem", content)
        for certificate in chain:
            add("certificate", certificate)
            add("der", certificate)
            add("attestation-certificate", certificate)
        if 1 <= len(chain) <= 2:
            intermediate = chain[1] if len(chain) == 2 else b""
            add("certificate-path", part(root) + part(intermediate) + chain[0])


def passkeys():
    vectors = fixture("PasskeysTests/Fixtures/webauthn-l3.json")
    add("attestation-certificate", bytes.fromhex(vectors["root"]))
    for vector in vectors["vectors"]:
        registration, assertion = vector["registration"], vector["authentication"]
        attested = bytes.fromhex(registration["attestationObject"])
        add("client-data", bytes.fromhex(registration["clientDataJSON"]), bytes.fromhex(assertion["clientDataJSON"]))
        add("attestation-object", attested)
        add("cbor", attested)
        add("authenticator-data", bytes.fromhex(assertion["authenticatorData"]))
        start = attested.index(hashlib.sha256(b"example.org").digest())
        add("authenticator-data", attested[start:])
        length = int.from_bytes(attested[start + 53:start + 55], "big")
        key = attested[start + 55 + length:]
        add("cose-key", key)
        add("cbor", key)
        for match in re.finditer(b"\x30\x82", attested):
            size = int.from_bytes(attested[match.start() + 2:match.start() + 4], "big") + 4
            add("attestation-certificate", attested[match.start():match.start() + size])


def documents():
    for case in fixture("DocumentsTests/Fixtures/zlib.json"):
        for value in case.values() if isinstance(case, dict) else case:
            if isinstance(value, str):
                try:
                    stream = url(value)
                except ValueError:
                    continue
                if stream[:1] == b"\x78":
                    add("zlib", stream[:2048])
    add("zlib", *[zlib.compress(bytes(range(64)) * 8, level) for level in (0, 1, 6, 9)])
    for case in fixture("DocumentsTests/Fixtures/status-lists.json"):
        for value in case.values():
            if isinstance(value, str) and value.startswith("eyJ"):
                add("status-token", value)
                add("jws", value)
    for case in fixture("DocumentsTests/Fixtures/sd-jwt.json")["cases"]:
        for value in case.values():
            if isinstance(value, str) and "~" in value:
                add("sd-jwt", value)
                add("sd-jwt-parts", sd_jwt_parts(value))
                parts = value.split("~")
                add("jws", parts[0])
                add("disclosure", *parts[1:-1], *[url(piece) for piece in parts[1:-1]])
                if parts[-1]:
                    add("key-binding", parts[-1])
                payload = json.loads(url(parts[0].split(".")[1]))
                add("credential-claims", json.dumps(payload))
    bound = {"iat": 0, "aud": "a", "nonce": "n", "sd_hash": text(bytes(32))}
    header = {"alg": "ES256", "typ": "kb+jwt"}
    for number in range(4):
        bound["sd_hash"] = text(bytes([number] * 32))
        signed = [text(json.dumps(part).encode()) for part in (header, bound)]
        add("key-binding", ".".join(signed + [text(bytes(64))]))
    add("credential-claims", '{"name":"a.pdf","media_type":"application/pdf","size":3,"sha256":"' + "A" * 43 + '"}')
    course = {"code": "A1", "title": "Logic", "credits": "7.5", "grade": "A"}
    add("catalogue", json.dumps({
        "given_name": "Ada", "family_name": "B", "student_number": "1", "programme": "P", "courses": [course, course],
        "credits_total": 15, "date_of_birth": "2000-02-29",
    }))
    add("catalogue", '{"title":"t","valid_from":"2026-01-01"}', '{"given_name":1,"nothing":[]}')
    people = fixture("DocumentsTests/Fixtures/face-to-face.json")
    code = "countersign-enrol:" + people["code"]
    add("enrolment-code", code, people["server"] + "/console/check#" + people["code"])
    add("pairing-code", people["server"] + "/add-device#" + people["pairing_code"])
    for shown in [people["shown"]] + [case["shown"] for case in people["refused"]]:
        add("enrolment-answer", part(code.encode()) + url(people["nonce"]) + json.dumps(shown).encode())


def transparency():
    log = tests / "TransparencyTests" / "Fixtures"
    for file in sorted((log / "tlog").glob("checkpoint*")):
        add("signed-note", file.read_text())
        add("checkpoint", file.read_text().split("\n\n")[0] + "\n")
    head = "log\n3\n" + base64.b64encode(bytes(32)).decode() + "\n\n"
    for number in range(3):
        lines = "".join(
            "\u2014 " + name + " " + base64.b64encode(key_id(name, kind) + bytes(size)).decode() + "\n"
            for name, kind, size in [("log", 1, 64), ("w", 4, 72), ("log", 1, 64)][:number + 1])
        add("signed-note", head + lines)
    add("verifier-key", (log / "receipt" / "log.vkey").read_text(), "log+" + key_id("log", 1).hex() + "+" +
        base64.b64encode(b"\x01" + bytes(32)).decode())
    add("log-proof", (log / "receipt" / "256.tlog-proof").read_text())
    add("receipt", (log / "receipt" / "256.tlog-proof").read_text())
    entries = sorted((log / "tlog/tile/entries/000.p").iterdir())
    for file in entries:
        bundle = file.read_bytes()
        add("entry-bundle", bytes([int(file.name) - 1]) + bundle)
        add("tree-audit", bytes([int(file.name) // 2, int(file.name)]) + bundle)
        hashes = (log / "tlog/tile/0/000.p" / file.name).read_bytes()
        add("tree-files", int(file.name).to_bytes(2, "big") + hashes + bundle)
    add("tile-path", "tile/0/000", "tile/entries/x001/x234/067.p/8", "tile/63/999.p/255", "tile/7/x123/000")
    for small, large in [(0, 1), (2, 5), (255, 256), (1000, 70000), (2**62, 2**63 - 1)]:
        add("tree-proof", small.to_bytes(8, "big") + large.to_bytes(8, "big") + bytes(32 * 8))
    entry = {"v": 1, "type": "document.issued", "time": 1, "label": text(bytes(32)), "commitment": text(bytes(32))}
    add("log-entry", canonical(entry))


def key_id(name, kind):
    return hashlib.sha256(name.encode() + b"\n" + bytes([kind]) + bytes(32)).digest()[:4]


def sd_jwt_parts(compact):
    """Header, payload, disclosures, payload of the key binding: a line each."""
    texts = compact.split("~")
    binding = texts[-1].split(".")[1] if texts[-1] else ""
    return b"\n".join(url(piece) for piece in texts[0].split(".")[:2] + texts[1:-1] + [binding])


def status_parts(compact):
    """Header, payload up to the list, payload behind it, packed list."""
    header, payload = [url(piece) for piece in compact.split(".")[:2]]
    packed = json.loads(payload).get("status_list", {}).get("lst")
    if not packed:
        return None
    before, after = payload.split(packed.encode(), 1)
    return part(header) + part(before) + part(after) + url(packed)


def whole_files():
    forgeries = fixture("VerificationTests/Fixtures/forgeries.json")
    texts = forgeries["texts"]
    for case in forgeries["good"] + forgeries["forged"]:
        bundle = case["bundle"]
        if "raw" in bundle:
            continue
        file = {"format": "countersign-presentation-v1", "presentation": texts[bundle["presentation"]],
                "status": [texts[index] for index in bundle["status"]]}
        if bundle.get("receipt") is not None:
            file["receipt"] = texts[bundle["receipt"]]
            add("receipt", file["receipt"])
            add("log-proof", file["receipt"])
        if bundle.get("document"):
            content = {name: texts[index] for name, index in bundle["document"].items()}
            if len(content["content"]) > 400:
                continue
            file["document"] = content
        add("verification", canonical(file))
        if len(canonical(file)) < 4096:
            add("bundle", canonical(file))
        for token in file["status"]:
            add("status-token", token)
        parts = file["presentation"].split("~")
        add("sd-jwt", file["presentation"])
        try:
            lines = sd_jwt_parts(file["presentation"])
            add("sd-jwt-parts", lines)
            tokens = [status_parts(token) for token in file["status"]]
            add("status-token-parts", *filter(None, tokens))
            add("verification-parts", part((tokens or [b""])[0] or b"") + part(file.get("receipt", "").encode()) + lines)
        except (ValueError, IndexError):
            pass  # forged so that it has no such parts
        package = {"format": "countersign-package-v1", "credential": "~".join(parts[:-1]) + "~"}
        if "document" in file:
            package["document"] = file["document"]
        add("package", canonical(package))
        add("held-document", part(file.get("receipt", "").encode()) + canonical(package).encode())
    add("bundle", canonical({"format": "countersign-presentation-v1", "presentation": "a~", "status": ["b"],
                             "receipt": "c", "document": {"content": "AA", "media_type": "a/b", "name": "n"}}))
    for call in fixture("BrowserTests/Fixtures/calls.json")["calls"]:
        add("browser", url(call["call"]))


def strokes():
    """A movement that nobody made: time in ms, x, y, pressure, altitude, azimuth, whether the pen leaves."""
    for index in range(24):
        up = index in (11, 23)
        yield (index * 10 + (200 if index > 11 else 0), 30 * index - 200, (index * index * 7) % 90 - 40,
               0 if up else 400 + 20 * index, 5200 + 10 * index, 13000 + 25 * index, int(up))


def time_series_record():
    """All that a record has: scales, minimum and maximum, the tip switch, two angles."""
    record = b"SDI\0 10\0" + (0xC0E6).to_bytes(2, "big")
    # Scales of 100 steps a unit, and 1,000 for the time: exponent and sixteen, fraction.
    hundred, thousand = ((6 + 16) << 11 | 1152).to_bytes(2, "big"), ((9 + 16) << 11 | 1952).to_bytes(2, "big")
    record += b"\x80" + hundred + b"\x80" + hundred + b"\x80" + thousand
    record += b"\x60" + (0).to_bytes(2, "big") + (2047).to_bytes(2, "big") + b"\0" + (b"\x80" + hundred) * 2 + b"\0"
    points, before = list(strokes()), 0
    record += b"\0" + len(points).to_bytes(3, "big")
    for time, x, y, pressure, altitude, azimuth, up in points:
        for value in (x + 32768, y + 32768, time - before, pressure):
            record += value.to_bytes(2, "big")
        record += bytes([1 - up]) + azimuth.to_bytes(2, "big") + altitude.to_bytes(2, "big")
        before = time
    return record


def time_series_xml(prefix):
    name = prefix + ":" if prefix else ""
    points, before = "", 0
    for time, x, y, pressure, altitude, azimuth, up in strokes():
        points += (f"<{name}SamplePoint><{name}PenTipCoord><cmn:X>{x}</cmn:X><cmn:Y>{y}</cmn:Y></{name}PenTipCoord>"
                   f"<{name}DTChannel>{time - before}</{name}DTChannel><{name}FChannel>{pressure}</{name}FChannel>"
                   f"<{name}SChannel>{1 - up}</{name}SChannel></{name}SamplePoint>")
        before = time
    scale = f"<{name}DTChannelDescription><{name}ScalingValue>1000</{name}ScalingValue></{name}DTChannelDescription>"
    return (f'<?xml version="1.0" encoding="utf-8"?>\n<{name}SignatureSignTimeSeries xmlns{":" * bool(prefix)}{prefix}='
            f'"http://standards.iso.org/iso-iec/19794/-7/ed-1/amd/1" xmlns:cmn="c"><{name}RepresentationList>'
            f"<{name}Representation><{name}Other a='&quot;'>&lt;<b/></{name}Other><{name}ChannelDescriptionList>{scale}"
            f"</{name}ChannelDescriptionList><{name}SamplePointList>{points}</{name}SamplePointList>"
            f"</{name}Representation></{name}RepresentationList></{name}SignatureSignTimeSeries>")


def hand_signatures():
    units = {"angle": "centidegree", "position": "step", "step_nanometres": 0, "time": "microsecond"}
    samples = [[time * 1000, x, y, pressure, altitude, azimuth, up]
               for time, x, y, pressure, altitude, azimuth, up in strokes()]
    for tool, levels, rows in [("pen", 65535, samples), ("touch", 0, [row[:3] + [0, None, None, row[6]] for row in samples])]:
        add("capture-json", canonical({"format": "countersign-capture-1", "tool": tool, "pressure_levels": levels,
                                       "units": units, "samples": rows}))
    add("capture-record", time_series_record(), time_series_record()[:-3])
    add("capture-xml", time_series_xml(""), time_series_xml("sig"),
        '<!DOCTYPE a [<!ENTITY b "bb">]><SignatureSignTimeSeries>&b;</SignatureSignTimeSeries>')
    table = "id,x,y,p,ax,ay,vx,vy,altitude,azimuth,timestamp\n"
    research = "user,signature,kind,session,index,x,y,t,pressure,azimuth,altitude,penup\n"
    for index, (time, x, y, pressure, altitude, azimuth, up) in enumerate(strokes()):
        table += (f"{index},{x / 4},{y / 4},{pressure / 2048},0.0,1e-05,nan,,{altitude / 5730:.12f},"
                  f"{azimuth / 5730 - 3:.12f},{1700000000 + time / 1000}\n")
        kind = "genuine" if index < 12 else "forgery"
        research += f"001,1,{kind},1,{index},{x},{y},{time},{pressure},{azimuth // 100},{altitude // 100},{up}\n"
    add("biometrix-csv", table, table.replace("\n", "\r\n"))
    add("research-csv", research)
    capture = {"format": "countersign-capture-1", "tool": "pen", "pressure_levels": 65535, "units": units,
               "samples": samples}
    tree = [0, 500_000, [80, -1_000_000, 250_000, -250_000], 1_000_000]
    model = {"format": "countersign-signature-model-1", "tool": "pen", "threshold": -970_000_000,
             "linear": {"means": [0] * 85, "scales": [10**9] * 85, "coefficients": [10**9] + [0] * 84, "intercept": 0,
                        "clip": 5 * 10**9},
             "trees": {"intercept": -200_000, "trees": [tree, 7]}}
    add("signature-model", canonical(model))
    trace = [100 - abs(place % 50 - 25) * 8 for place in range(128)]
    add("signature-template", canonical({
        "format": "countersign-signature-template-1", "traces": [trace],
        "references": [{"capture": capture, "time": 1_790_000_000 + number} for number in range(5)]}))
    add("signature-rates", canonical({
        "format": "countersign-signature-rates-1", "genuine": [-2500, -1800, -400], "judged_by": "cross-validation", "others": [900, 2400],
        "sets": ["a set"], "skilled": [-700, 300, 1200], "tool": "pen"}))
    runs = [{"text": "I, "}, {"field": "given_name", "bold": True}, {"text": " <b>&\n", "italic": True}]
    header = canonical({"alg": "ES256", "typ": "countersign-signing-report+jwt", "x5c": ["MAA="]})
    jws = b".".join(base64.urlsafe_b64encode(part).rstrip(b"=") for part in (
        header if isinstance(header, bytes) else header.encode(), b'{"iat":1790000000,"sha256":""}', bytes(64))).decode()
    add("signing-report", canonical({"format": "countersign-signing-report-1", "signature": jws, "report": {
        "record": {"decided_at": 1790000000, "decision": "confirmed", "drawing": "", "public_url": "http://localhost"},
        "record_signature": jws, "drawing": "<svg></svg>", "receipt": ""}}))
    add("written-text", canonical({"format": "countersign-text-1", "blocks": [
        {"kind": "heading", "level": 2, "runs": runs}, {"kind": "paragraph", "runs": runs},
        {"kind": "list", "ordered": True, "items": [runs, []]}, {"kind": "table", "rows": [[runs, []], [[], runs]]}]}),
        canonical({"format": "countersign-text-2", "header": True, "blocks": [
            {"align": "centre", "kind": "heading", "level": 2, "runs": runs}, {"kind": "page-break"},
            {"align": "end", "kind": "paragraph", "runs": runs}, {"kind": "signature", "runs": runs}]}))
    add("signature-module", frames(b"inspect", canonical({"capture": capture})),
        frames(b"compare", canonical({"capture": capture, "references": [capture] * 5}), canonical(model)))



def pictures():
    """Modules with their quiet zone, a bit each: AC-42 in a symbol of version 1, and the same with half of it missing."""
    symbol = bytes.fromhex(
        "000000000000000000000000000000fe93f8041690402e84ba017555d00ba22e8041210403faafe000140000b7425806"
        "c14a400dd3fc000918a008f34d800072ac03fb9ae01053c500ba520805d524802ead28010435800fe991000000000000"
        "00000000000000000000"
    )
    add("qr-picture", bytes([29]) + symbol, bytes([29]) + symbol[:60], bytes([3]) + bytes(2))
    add("scanner-module", *(url(frame["call"]) for frame in fixture("CodeScannerTests/Fixtures/frames.json")["frames"]
                            if len(frame["call"]) < 10_000))
    palette = chunk(b"PLTE", bytes(range(12)))
    for depth, colour, row in ((1, 0, 1), (8, 0, 8), (16, 0, 16), (8, 2, 24), (2, 3, 2), (8, 4, 16), (8, 6, 32)):
        for interlaced in (0, 1):
            header = struct.pack(">IIBBBBB", 8, 8, depth, colour, 0, 0, interlaced)
            rows = [1, 1, 2, 2, 2, 4, 4, 4, 4, 4, 4, 8, 8, 8, 8] if interlaced else 8 * [8]
            data = b"".join(bytes([index % 5]) + bytes((width * row + 7) // 8) for index, width in enumerate(rows))
            add("png", b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + (palette if colour == 3 else b"")
                + chunk(b"IDAT", zlib.compress(data)) + chunk(b"IEND", b""))


def approvals():
    made = fixture("ApprovalsTests/Fixtures/approvals.json")
    unhex = bytes.fromhex
    add("bencode", *(unhex(vector["bytes_hex"]) for vector in fixture("ApprovalsTests/Fixtures/bencode.json")["vectors"]
                     if "bytes_hex" in vector))
    links = fixture("ApprovalsTests/Fixtures/payloads.json")
    for vector in links["vectors"]:
        add("original-challenge", vector["url"])
        if vector["id"] != "p03-bad-base64":
            add("original-challenge", base64.b64decode(vector["url"].split("://", 1)[1]))
    replies = fixture("ApprovalsTests/Fixtures/replies.json")["vectors"]
    add("original-reply", *(vector["body"] for vector in replies))
    add("original-key", links["server_public_pem"], replies[0]["stored_device_pem"])
    for vector in made["challenges"] + made["rendering"][:8] + made["challenges_refused"][::8]:
        add("approval-challenge", unhex(vector["message"]))
    for vector in made["answers"] + made["answers_refused"][::4]:
        add("approval-answer", unhex(vector["message"]))
    for vector in made["enrolments"] + made["enrolments_refused"][::4]:
        add("approval-enrolment", part(unhex(made["offer"])) + unhex(vector["message"]))
    for vector in made["receipts"] + made["receipts_refused"][::5]:
        add("approval-receipt", unhex(vector["receipt"]))
    short = unhex(made["answers"][0]["message"])
    digest = text(hashlib.sha256(short).digest())
    pieces = [f"authreq:2:{place + 1}/4/{digest}/{text(short[place * 80:place * 80 + 80])}" for place in range(4)]
    add("approval-part", "authreq:2:" + text(short), "web+authreq:2:QQ", "\n".join(pieces), "\n".join(pieces[::-1]),
        pieces[0] + "\n" + pieces[0])
    module_calls(made)


def module_calls(made):
    """Calls of a page about approvals, one for each function."""
    unhex = bytes.fromhex
    kept = {"service": made["service"], "server_key": text(unhex(made["server"]))}
    trusted = {"services": [{"id": made["service"], "key": kept["server_key"]}]}
    first, enrolment = made["challenges"][0], made["enrolments"][0]
    device = {"time": enrolment["now"], "name": enrolment["name"], "key": text(unhex(enrolment["key"]))}
    for name, arguments, blob in (
            ("challenge", kept, first["message"]), ("challenge_sender", {}, first["message"]),
            ("answer_bytes", kept | {"decision": "allow", "code": "42"}, first["message"]),
            ("answer_bytes", kept | {"decision": "deny", "reason": "not-me", "scope": "account"}, first["message"]),
            ("offer", {"time": enrolment["now"]}, made["offer"]), ("enrolment_bytes", device, made["offer"]),
            ("receipt", trusted, made["receipts"][0]["receipt"]),
            ("receipt_service", {}, made["receipts"][0]["receipt"]), ("links", {}, first["message"])):
        add("approval-module", frames(name, canonical(arguments), unhex(blob)))
    for name, arguments in (
            ("read_link", {"text": made["air_gap"][0]["link"]}), ("join_parts", {"texts": made["air_gap"][0]["parts"]})):
        add("approval-module", frames(name, canonical(arguments)))


def chunk(name, content):
    """A chunk of a PNG."""
    return struct.pack(">I", len(content)) + name + content + struct.pack(">I", zlib.crc32(name + content))


def sealed(plaintext, session=0):
    """A sealed message as the lenient suite opens it: the tag is zeros."""
    return {
        "sessionId": session, "encryptedData": base64.b64encode(plaintext + bytes(16)).decode(),
        "iv": base64.b64encode(bytes(16)).decode(),
    }


def element(content):
    return len(content).to_bytes(4, "big") + content


def pico_calls():
    """Calls of a page: a code, the beginning of a run and of its next step, and the turns of a session."""
    messages = fixture("PicoTests/Fixtures/p256-auth-pico-libpico.json")["messages"]
    service_auth = next(message["wire"] for message in messages if message["name"] == "service_auth")
    commitment = base64.b64encode(bytes(32)).decode()
    code = canonical({"t": "KA", "sc": commitment, "sa": "https://host.example/channel/a", "ed": "", "td": {}})
    key = text(bytes.fromhex("046b17d1f2e12c4247f8bce6e563a440f277037d812deb33a0f4a13945d898c296"
                             "4fe342e2fe1a7f9b8ee7eb4a7c0f9e162bce33576b315ececbb6406837bf51f5"))
    random = text(bytes(range(96)))
    answer = {"operation": "open", "key": text(bytes(16)), "iv": text(bytes(16)), "bytes": text(bytes(20)), "result": None}
    run = {"random": random, "times": [0], "key": key, "ephemeral": key, "name": "a service"}
    add("pico-module", frames("code", "{}", code), frames("run", canonical(run), code))
    # The generator of P-192, for a service that was marked as old.
    old = run | {"curve": "p192", "key": text(bytes.fromhex(
        "04188da80eb03090f67cbf20eb43a18800f4ff0afd82ff101207192b95ffc8da78631011ed6b24cdd573f977a11e794811"))}
    del old["ephemeral"]
    made = {"curve": "secp192k1", "random": random}
    add("pico-module", frames("code", canonical({"old": True}), code), frames("run", canonical(old), code))
    add("pico-module", frames("key_make", canonical(made)))
    add("pico-module", frames("key_sign", canonical(made | {"random": text(bytes(32))}), bytes([1]) * 24, b"message"))
    later = run | {"times": [0, 1], "received": [text(service_auth.encode())], "answers": [answer]}
    add("pico-module", frames("run", canonical(later), code))
    session = {"id": 7, "key": text(bytes(16)), "time": 0}
    kept = bytes([0, 0, 0]) + bytes([0x80]) + bytes(63) + bytes([0, 0, 0, 9, 0, 0, 0x75, 0x30]) + bytes(8)
    add("pico-module", frames("announce", canonical(session | {"random": random, "state": "active"})))
    add("pico-module", frames("announced", canonical(
        session | {"kept": text(kept), "message": text(canonical(sealed(bytes(4))).encode())})))


def pico_backups():
    """A backup of accounts as a file, its contents, its phrase, and the calls of a page about each."""
    made = fixture("PicoTests/Fixtures/account-backup.json")
    salt, plain = text(bytes.fromhex(made["salt"])), made["plain"]
    accounts = json.loads(plain)
    add("pico-accounts", made["file"], plain, canonical([]), canonical(accounts[:1] * 2), made["phrase"], "7k3m q0xa 9tbe" * 2)
    add("pico-module", frames("backup_read", "{}", made["file"]), frames("backup_contents", "{}", plain),
        frames("backup_typed", "{}", made["phrase"]), frames("backup_phrase", canonical({"random": text(bytes(24))})),
        frames("backup_begin", canonical({"salt": salt})), frames("backup_file", canonical({"salt": salt}), bytes(40)))
    add("pico-module", frames("backup_plain", "{}", plain))
    typed = made["password"].encode()
    add("vault-module", frames("stretch", canonical({"salt": salt, "memory": 64, "passes": 1, "lanes": 2}), typed))


def pico():
    unhex = bytes.fromhex

    def vectors(name):
        return fixture(f"PicoTests/Fixtures/{name}.json")

    add("pico-code", *(case["text"] for case in vectors("codes")["cases"]))
    terminal = json.loads(next(case["text"] for case in vectors("codes")["cases"] if case["id"] == "lp"))
    add("pico-code", canonical(terminal | {"t": "LA"}))
    for kind in ("TP", "DP"):
        add("pico-code", canonical({"t": kind, "tn": "a browser", "n": "AAECAwQFBgc=", "td": terminal["td"]}))
    add("pico-code", "tcp://host.example:443", "btspp://0123456789ab:1f", "https://host.example:8443/channel/a")
    runs = [vectors(name) for name in ("p192-pair-pico-libpico", "p256-auth-pico-libpico")]
    for run in runs:
        wires = {message["name"]: message["wire"] for message in run["messages"]}
        # With zeros for codes and tags both roles take these; signatures are not looked at.
        proof = {}
        for who in ("service", "pico"):
            spki = unhex(run["keys"][f"{who}_identity"]["spki"])
            proof[who] = element(spki) + element(bytes(8)) + element(bytes(32))
        commitment = unhex(run["service_commitment"])
        head = {key: json.loads(wires["service_auth"])[key] for key in ("serviceEphemPublicKey", "serviceNonce")}
        service = canonical(head | sealed(proof["service"])).encode()
        for status in (b"\0", b"\1", b"\xff"):
            add("pico-prover", part(service) + commitment + canonical(sealed(status + element(b"x"))).encode())
        start = wires["start"].encode()
        add("pico-service", part(start) + canonical(sealed(proof["pico"] + element(b"x"))).encode())
        add("pico-service", part(start) + wires["pico_auth"].encode(), element(start))
        add("pico-prover", part(wires["service_auth"].encode()) + commitment + wires["status"].encode())
    number = bytes(range(32))
    following = bytes(range(31)) + b"\x20"
    for first, second in ((0, 0), (0, 1), (1, 2), (3, 0), (4, 0)):
        pair = [bytes([first]) + element(number) + element(b""), bytes([second]) + element(following) + element(b"")]
        add("pico-session", b"".join(part(canonical(sealed(each)).encode()) for each in pair))
        pair = [
            bytes([first]) + (10000).to_bytes(4, "big") + element(number),
            bytes([second]) + (50000).to_bytes(4, "big") + element(following),
        ]
        add("pico-session", b"".join(part(canonical(sealed(each)).encode()) for each in pair))
    token = vectors("auth-token")
    add("pico-stored", unhex(token["browser"]["bytes"]), unhex(token["simple"]["bytes"]))
    add("pico-stored", vectors("backup")["file_text"], '{"name":"alice","data":"secret"}', "secret")
    add("pico-stored", *(case["sealed_by_libpico"] for case in vectors("sealed-secret")["cases"]))
    pico_calls()
    pico_backups()
    add("pico-stored", '{"status":"ok","code":0}', '{"status":"error","code":2,"message":"request timed out"}')


def vault():
    unhex = bytes.fromhex
    made = fixture("VaultTests/Fixtures/vault.json")
    for node in made["nodes"]:
        json_text = node["json"].encode()
        body = len(json_text).to_bytes(4, "big") + json_text
        add("vault-metadata", body + bytes(max(512, len(node["metadata"]) // 2 - 28) - len(body)))
    tag = bytes(16)

    def box(plaintext):
        return bytes(12) + plaintext + tag

    def record(parent, wrapping, metadata, version=bytes(92), length=656):
        padded = metadata + bytes(512 - len(metadata))
        return (version + length.to_bytes(3, "big") + box(parent) + (1).to_bytes(4, "big")
                + box(wrapping + bytes(160 - len(wrapping))) + part(box(padded)))

    def metadata(kind):
        text = canonical({"created": 1, "kind": kind, "modified": 1, "name": "n"}).encode()
        return len(text).to_bytes(4, "big") + text

    ids = [bytes([number]) * 16 for number in range(4)]
    plain = b"\0" + bytes(range(32))
    lock = b"\1\1" + bytes(16) + box(bytes(32))
    content = box(bytes(48) + (5).to_bytes(8, "big") + bytes(8))
    head = part(box(bytes(48))) + part(box(bytes(8) + ids[1] + bytes(8)))
    for wrapping in (plain, lock):
        add("vault-node", head + record(ids[0], plain, metadata("folder"), content) + record(ids[1], wrapping, metadata("file"), content)
            + record(ids[3], plain, metadata("note")))
    for changes in (b"", bytes([0, 0, 60, 1]), b"\5", b"\5\0"):
        add("vault-content", part(changes) + bytes(range(200)), part(changes) + bytes(16_400))
    for slot in made["slots"]["secret"]:
        add("vault-slot", unhex(slot["slot"]))
    add("vault-slot", unhex(made["slots"]["contact"]["slot"]), unhex(made["pin"]["verifier"]))
    add("vault-slot", b"\1\1" + bytes(32 + 16) + bytes(range(48)) + bytes(14))
    add("vault-slot", box(b"\1\1" + bytes(32) + b"\1n" + bytes(512 - 36)))
    state = unhex(made["pin"]["guard_state"])
    identity = unhex(made["pin"]["try"])
    for steps in ([], [0, 1], [0, 0, 0, 0, 2], [1, 2]):
        add("vault-guard", part(state) + b"".join(
            (1 << 30).to_bytes(4, "big") + bytes([step]) + (identity if step == 1 else bytes([index]) * 16 if step == 0 else b"")
            for index, step in enumerate(steps)))
    words = next(slot["words"] for slot in made["slots"]["secret"] if "words" in slot)
    shares = next(slot["shares"] for slot in made["slots"]["secret"] if "shares" in slot)
    add("vault-typed", words, words.upper(), shares[0], shares[1].lower(), "583920", "../../etc/passwd")
    pin = made["pin"]
    same = {"input": text(unhex(pin["input"])), "salt": text(unhex(made["account_salt"])), "random": text(bytes(range(48)))}
    add("vault-module", frames("pin_refusal", "{}", "583920"), frames("pin_blind", canonical(same)))
    add("vault-module", frames("pin_input", canonical({"salt": same["salt"], "memory": 8, "passes": 1, "lanes": 1}), "583920"))
    add("vault-module", frames("pin_value", canonical(same | {
        "evaluated": text(unhex(pin["evaluated"])), "proof": text(unhex(pin["evaluation_proof"])),
        "public_key": text(unhex(pin["public_key"]))})))
    add("vault-module", frames("words_key", "{}", words), frames("shares_secret", "{}", shares[0], shares[1]))
    add("vault-module", frames("pin_proofs", canonical(same | {
        "opened": [None] * 4, "reset_keys": [None] * 4, "try": text(identity), "more_random": text(bytes(1000))})))


def exports():
    kit = zlib.decompress((tests / "AgeTests/Fixtures/testkit.zlib").read_bytes())
    while kit:
        line, _, kit = kit.partition(b"\n")
        length = int(line.split()[1])
        head, _, file = kit[:length].partition(b"\n\n")
        kit = kit[length:]
        if b"compressed: zlib" in head:
            file = zlib.decompress(file)
        if len(file) > 4000:
            continue
        add("age-file", file)
        # With zeros for the header's code and any tag the suite of the fuzzer takes these to their end.
        add("age-file", re.sub(rb"\n--- .*\n", b"\n--- " + 43 * b"A" + b"\n", file, count=1))
        add("age-key", *re.findall(rb"AGE-SECRET-KEY-\S+", head))
    identity = "AGE-SECRET-KEY-1GFPYYSJZGFPYYSJZGFPYYSJZGFPYYSJZGFPYYSJZGFPYYSJZGFPQ4EGAEX"
    recipient = "age1zvkyg2lqzraa2lnjvqej32nkuu0ues2s82hzrye869xeexvn73equnujwj"
    add("age-key", recipient, identity, f"# public key: {recipient}\n{identity}\n\n", f"{recipient}\r\n{recipient}")
    for form in (tarfile.USTAR_FORMAT, tarfile.GNU_FORMAT, tarfile.PAX_FORMAT):
        names = ["a", "folder/b", "x" * 90 + "/" + "y" * 90]
        if form != tarfile.USTAR_FORMAT:
            names += ["\u00e9" * 60, "z" * 200]
        packed = io.BytesIO()
        with tarfile.open(fileobj=packed, mode="w", format=form) as archive:
            for index, name in enumerate(names):
                member = tarfile.TarInfo(name)
                member.size, member.mtime = index * 5, index + 0.5 if form == tarfile.PAX_FORMAT else index
                archive.addfile(member, io.BytesIO(bytes(index * 5)))
            member = tarfile.TarInfo("folder")
            member.type = tarfile.DIRTYPE
            archive.addfile(member)
        add("tar", packed.getvalue()[:8192].rstrip(b"\0") + bytes(1536))
        add("tar", packed.getvalue()[:1536])
        link = tarfile.TarInfo("l")
        link.type, link.linkname = tarfile.SYMTYPE, "/etc/passwd"
        add("tar", link.tobuf(form) + bytes(1024))
    random = {"random": text(bytes(48)), "log_work": 1}
    write = part(frames("write", canonical(random), "passphrase", bytes(32)))
    entry = part(frames("entry", canonical({"names": ["a"], "folder": False, "length": 3, "modified": 1}))) + part(frames("content", "{}", "abc"))
    add("export-module", part(frames("write", canonical(random), "passphrase")), write + entry + part(frames("write_end", "{}")))
    stanza = b"age-encryption.org/v1\n-> scrypt " + b"A" * 22 + b" 1\n" + b"A" * 43 + b"\n--- " + b"A" * 43 + b"\n" + bytes(60)
    feed = part(frames("feed", "{}", stanza)) + part(frames("feed", "{}", "", bytes(32)))
    add("export-module", part(frames("read", "{}", "passphrase")) + feed + part(frames("read_end", "{}")), part(frames("read", "{}", identity)))


for make in (encodings, certificates, passkeys, documents, transparency, hand_signatures, whole_files, pictures, approvals,
             pico, vault, exports):
    make()
