#!/usr/bin/env python3
"""Looks for what went into a vault, and for every key, in all that a browser sent and all that a server keeps: with its blobs in
an object store (moto's S3).

    COUNTERSIGN=.build/debug/countersign python Tests/Browser/vault_canary.py [--pictures FOLDER] [words of a case …]

The keys are those that the pages gave to WebCrypto, and what passkeys gave to the pages. One line for each case.
"""

import base64
import os
import shlex
import subprocess
import sys
import tempfile
from pathlib import Path

import boto3

from attacks_stage import Cases, expect, server, shown, tap
from chromium import Chromium, until
from face import png
from looking import pictures_folder
from scanning import HEIGHT, WIDTH, write_film
from vault import CLOSED, MARK, OPEN, Vault
from vault_locks import DECOY, ITEM

ROOT = Path(__file__).resolve().parents[2]

# Every key of 32 bytes that a page imports, and whether a credential was ever turned into JSON.
LISTENER = """{ const original = SubtleCrypto.prototype.importKey;
const tell = (bytes) => __secret('key ' + [...bytes].map(b => b.toString(16).padStart(2, '0')).join(''));
SubtleCrypto.prototype.importKey = function (format, data, ...rest) {
    const bytes = format === 'raw' ? new Uint8Array(data.buffer ? data.buffer.slice(data.byteOffset, data.byteOffset + data.byteLength) : data) : [];
    if (bytes.length === 32) tell(bytes);
    return original.call(this, format, data, ...rest); };
if (globalThis.PublicKeyCredential?.prototype.toJSON) PublicKeyCredential.prototype.toJSON = function () { __secret('toJSON'); return {}; }; }"""

# Every picture that the camera or a canvas gives, which is then sealed; and all that is shown again.
PICTURES = """{ globalThis.given = []; globalThis.drawn = [];
const { toBlob } = HTMLCanvasElement.prototype;
HTMLCanvasElement.prototype.toBlob = function (done, ...rest) { return toBlob.call(this, (blob) => { given.push(blob); done(blob); }, ...rest); };
for (const [one, name] of [[globalThis.OffscreenCanvas, 'convertToBlob'], [globalThis.ImageCapture, 'takePhoto']]) {
    if (!one) continue;
    const original = one.prototype[name];
    one.prototype[name] = async function (...rest) { const blob = await original.apply(this, rest); given.push(blob); return blob; };
}
const show = URL.createObjectURL;
URL.createObjectURL = (object) => { drawn.push(object); return show.call(URL, object); }; }"""
# Their bytes, base64.
BYTES = """Promise.all(LIST.filter(one => one instanceof Blob).map(blob => new Promise((done, fail) => {
    const reader = new FileReader(); reader.onload = () => done(reader.result.split(',')[1] ?? ''); reader.onerror = fail; reader.readAsDataURL(blob); })))"""


class ObjectStore:
    """moto's S3, as scripts/with-s3 starts it."""

    def __init__(self):
        self.folder = tempfile.mkdtemp(prefix="countersign-s3-")
        ready = Path(self.folder, "ready")
        self.process = subprocess.Popen([sys.executable, ROOT / "Tests" / "Interop" / "s3" / "serve.py", ready],
                                        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        until(lambda: ready.exists() or self.process.poll() is not None, "the object store to start", 60)
        settings = dict(line.split("=", 1) for line in ready.read_text().splitlines())
        self.settings = {name: shlex.split(value)[0] for name, value in settings.items()}
        self.endpoint = self.settings.pop("TEST_S3")

    def __enter__(self):
        os.environ.update(self.settings)
        return self

    def __exit__(self, *_):
        for name in self.settings:
            os.environ.pop(name, None)
        # It keeps nothing, and may have been started by a program that holds polite signals back.
        self.process.kill()
        self.process.wait(30)

    def objects(self):
        """Everything that is in it, by its name."""
        client = boto3.client("s3", endpoint_url=self.endpoint, region_name="us-east-1",
                              aws_access_key_id=self.settings["AWS_ACCESS_KEY_ID"],
                              aws_secret_access_key=self.settings["AWS_SECRET_ACCESS_KEY"])
        pages = client.get_paginator("list_objects_v2").paginate(Bucket="countersign")
        names = [one["Key"] for page in pages for one in page.get("Contents", [])]
        return {name: client.get_object(Bucket="countersign", Key=name)["Body"].read() for name in names}


class Canary(Vault):
    # What the camera and canvases gave, and what is called by its date alone.
    photos, dates = (), ()

    def person(self, name, prf=True):
        person = super().person(name, prf)
        person.send("Page.addScriptToEvaluateOnNewDocument", source=LISTENER + PICTURES)
        return person

    def four_ways(self):
        """Remembers the camera's photo, whole and cut, the small pictures, and the names that nobody gave."""
        super().four_ways()
        given, drawn = ({base64.b64decode(one) for one in self.mary.js(BYTES.replace("LIST", name))} for name in ("given", "drawn"))
        large = [one for one in given if len(one) > 50_000]
        expect(len(large) >= 2 and len(given) > len(large), f"pictures of {sorted(map(len, given))} bytes were given")
        # The photo that the vault shows is one of them: these are the bytes that were sealed.
        expect(any(one in drawn for one in large), f"none is among those of {sorted(map(len, drawn))} bytes that were shown")
        self.photos = sorted(given, key=len)
        self.dates = [one for one in self.names(self.mary) if MARK not in one]
        expect(len(self.dates) == 2, f"{self.dates}")

    def more(self):
        """A PIN, an item with two locks, a decoy: each brings keys of its own."""
        mary = self.mary
        mary.js("location.hash = ''")
        self.note(mary, f"{MARK} locked", f"{MARK} behind a lock")
        self.follow(mary, f"{MARK} locked")
        tap(mary, "#item-acts [data-act=lock]")
        tap(mary, "dialog[open] .primary")
        self.new_pin(mary, ITEM)
        mary.see("The item has a lock", "#notices", 90)
        mary.js("location.hash = 'ways'")
        tap(mary, "[data-pin=decoy]")
        mary.fill("#tier-name", f"{MARK} other")
        tap(mary, "dialog[open] .primary")
        self.new_pin(mary, DECOY)
        mary.see("The decoy PIN opens", "#notices", 90)
        tap(mary, "#lock")
        mary.wait(CLOSED)
        tap(mary, "#open-pin")
        mary.fill("#pin", DECOY)
        tap(mary, "dialog[open] .primary")
        mary.wait(OPEN, "the decoy to be open", 60)
        self.note(mary, f"{MARK} to show", f"{MARK} is in the decoy")
        mary.upload("#add input[accept='*/*']", self.file(f"{MARK}-2.png", png(200, 100)), self.file(f"{MARK}.bin", os.urandom(100_000)))
        self.has(mary, f"{MARK}-2.png")
        self.has(mary, f"{MARK}.bin")
        self.keep(mary)

    def new_pin(self, page, pin):
        page.wait(shown("#pin-new"), "to be asked for a new PIN", 60)
        page.fill("#pin-new", pin)
        page.fill("#pin-again", pin)
        tap(page, "dialog[open] .primary")

    def wanted(self):
        """What must not be anywhere: `{bytes: what it is}`."""
        wanted = {}
        for text in (MARK, "Passport", "is written here", "behind a lock", ITEM + "\0", "#border", " ".join(self.words[:4]), *self.dates):
            for form in forms(text.rstrip("\0").encode()) if text != ITEM + "\0" else []:
                wanted[form] = text
        for path in self.folder.iterdir():
            content = path.read_bytes()
            middle = len(content) // 2
            if path.suffix in (".png", ".bin"):
                wanted[content[middle:middle + 24]] = path.name
        for photo in self.photos:
            for run in runs(photo):
                for form in forms(run):
                    wanted[form] = "a picture"
        for one in self.browser.secrets:
            digits = one.removeprefix("key ")
            if len(digits) == 64 and len(set(digits)) > 8:
                for form in forms(bytes.fromhex(digits)):
                    wanted[form] = "a key"
        return wanted

    def sent_nothing(self):
        """No name, no content and no key is in the body of a request, in any spelling."""
        expect("toJSON" not in self.browser.secrets, "a credential was turned into JSON")
        keys = [one for one in self.browser.secrets if one.startswith("key ")]
        results = [one for one in self.browser.secrets if len(one) == 64]
        expect(len(keys) > 30 and results, f"{len(keys)} keys and {len(results)} results of passkeys were heard")
        expect(len(self.sent) > 40, f"only {len(self.sent)} bodies were recorded")
        strange = [one for one in self.sent if one.startswith("not recorded")]
        expect(not strange, f"{strange}")
        # The camera's photo and a file of 100,000 bytes were sent, and are here whole.
        expect(sum(len(one) > 100_000 for one in self.sent) >= 2, f"bodies of {sorted(map(len, self.sent))[-5:]} bytes")
        # Bytes are characters of Latin-1; what is text may have others.
        joined = "\n".join(self.sent)
        bodies = joined.encode("latin-1", "replace") + joined.encode()
        requests = "\n".join(one["url"] + one.get("postData", "") for page in self.browser.all_pages for one in page.requests).encode()
        for form, what in self.wanted().items():
            expect(form not in bodies, f"{what} was sent")
            if len(form) > 8:
                expect(form not in requests, f"{what} was sent")
        for word in (b"clientExtensionResults", b"\"prf\""):
            expect(word not in bodies and word not in requests, f"{word} was sent")

    def kept_nothing(self):
        """Nor is it in the object store, in the database and its write-ahead log, in the guard's and epochs' files, or in the log."""
        objects = self.store.objects()
        expect(len(objects) > 6 and sum(map(len, objects.values())) > 100_000, f"{ {name: len(body) for name, body in objects.items()} }")
        places = {**objects, "the server's own words": "".join(self.stage.lines).encode()}
        for path in Path(self.stage.folder).rglob("*"):
            if path.is_file():
                places[str(path)] = path.read_bytes()
        expect(not any("/data/blobs/" in name for name in places), "the blobs are in a folder")
        expect(any(name.endswith("-wal") for name in places) and any("vault-guards" in name for name in places), f"{list(places)}")
        for form, what in self.wanted().items():
            for name, content in places.items():
                expect(form not in content, f"{what} is in {name}")

    def heard(self):
        """The search finds what is there: a body of its own with a name, with a key and with a part of the photo."""
        key = next(one for one in self.browser.secrets if one.startswith("key ") and len(set(one)) > 10).removeprefix("key ")
        probe = b"x" + base64.urlsafe_b64encode(b"12" + bytes.fromhex(key) + b"3") + b" " + base64.b64encode(f"a {MARK}".encode())
        photo = self.photos[-1]
        probe += b" " + photo[len(photo) // 2 - 10:len(photo) // 2 + 40]
        found = {what for form, what in self.wanted().items() if form in probe}
        expect(found == {"a key", MARK, "a picture"}, f"{found}")


def forms(value):
    """The spellings of bytes: as they are, as digits, and within base64 at each of the three places that they may begin."""
    found = {value, value.hex().encode(), value.hex().upper().encode()}
    for shift in range(3):
        # The characters that also depend on what is before and behind are left out.
        text = base64.b64encode(bytes(shift) + value)
        begin = (shift * 8 + 5) // 6
        inner = text[begin:(shift + len(value)) * 8 // 6]
        found |= {inner, inner.replace(b"+", b"-").replace(b"/", b"_")}
    return {form for form in found if len(form) >= 6}


def runs(content, count=8):
    """Bytes from several places of a picture; not where they are nearly all alike, as anything may have such."""
    found = [content[len(content) * one // count:][:24] for one in range(1, count)]
    return [run for run in found if len(set(run)) > 8]


def main():
    pictures = pictures_folder()
    case = Cases()
    with tempfile.TemporaryDirectory() as outside, tempfile.TemporaryDirectory() as folder, ObjectStore() as store:
        film = Path(outside, "film.y4m")
        # Noise: no two parts of the photo are alike.
        write_film(film, os.urandom(WIDTH * HEIGHT))
        flags = ["--use-fake-device-for-media-stream", "--use-fake-ui-for-media-stream", f"--use-file-for-fake-video-capture={film}"]
        with server("--blobs", "s3://countersign/vault", "--s3-endpoint", store.endpoint) as stage, Chromium(*flags, whole=True) as browser:
            canary = Canary(stage, browser, folder, pictures)
            canary.store = store
            case("the vault is made, with its recovery key", canary.first)
            case("things go in in four ways, and are seen again", canary.four_ways)
            case("folders, names, tags and reminders; search and sort", canary.in_order)
            case("an item is locked, and a decoy filled", canary.more)
            case("the search finds what is there", canary.heard)
            case("no name, content or key was sent", canary.sent_nothing)
            case("none is in the object store, the database or the log", canary.kept_nothing)
    return case.end()


if __name__ == "__main__":
    sys.exit(main())
