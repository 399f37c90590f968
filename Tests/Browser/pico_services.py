"""Codes of other services and protocols, and strangers on the channel: the part of pico.py about them."""

import base64
import http.client
import json
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

from attacks_stage import api, expect, mistakes, shown, tap

CHANGING = """(() => {
    const ask = fetch;
    self.fetch = async (...given) => {
        const answer = await ask(...given);
        if (answer.headers.get('Content-Type') !== 'application/octet-stream') return answer;
        const bytes = new Uint8Array(await answer.arrayBuffer());
        const place = new TextDecoder().decode(bytes).indexOf('encryptedData') + 20;
        bytes[place] = bytes[place] === 65 ? 66 : 65;
        return new Response(bytes, { headers: answer.headers });
    };
})()"""
# The other server's rendezvous: this server's own, whatever the name.
RELAY = """(() => {
    const original = self.fetch, outcomes = { 0: 'taken', 1: 'occupied', 2: 'timed-out', [-1]: 'closed' };
    const b64u = bytes => btoa(String.fromCharCode(...bytes)).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
    self.relayed = [];
    self.fetch = async (url, options) => {
        if (!String(url).endsWith('/api/pico/relay')) return original(url, options);
        const { address, message } = JSON.parse(options.body);
        self.relayed.push(address);
        const body = message && Uint8Array.from(atob(message.replaceAll('-', '+').replaceAll('_', '/')), c => c.charCodeAt(0));
        const answer = await original(new URL(address).pathname, {
            method: body ? 'POST' : 'GET', body, headers: { 'Content-Type': 'application/octet-stream' } });
        const bytes = new Uint8Array(await answer.arrayBuffer());
        return Response.json(answer.headers.get('Content-Type') === 'application/octet-stream'
            ? { outcome: 'message', message: b64u(bytes) } : { outcome: outcomes[JSON.parse(new TextDecoder().decode(bytes)).code] });
    };
})()"""
# Kinds of codes with the words that a page has for them.
COMMITMENT = base64.b64encode(bytes(32)).decode()
TERMINAL = {"ta": "https://host.example/channel/a", "tc": COMMITMENT}
AUTHENTICATION = {"t": "KA", "sc": COMMITMENT, "sa": "https://host.example/channel/a", "ed": "", "td": {}}
NOT_RUN = [
    ({"t": "LP", "sc": COMMITMENT, "td": TERMINAL}, "wants your wallet to type a password"),
    ({"t": "TP", "tn": "A browser", "n": "AAECAwQFBgc=", "td": TERMINAL}, "nothing to pair"),
    (AUTHENTICATION | {"sa": "btspp://0123456789ab:1f"}, "over Bluetooth"),
    (AUTHENTICATION | {"sa": "tcp://127.0.0.1:80"}, "at a port that pages cannot reach"),
    ({"t": "PA"}, "nobody uses any more"),
    ({"t": "KA"}, "not a code to sign in or pair with"),
]


class Services:
    def not_run(self):
        """Every other code is refused with its reason, in one way, and nothing is sent anywhere."""
        phone = self.phone
        for code, words in NOT_RUN:
            sent = len(phone.requests)
            self.scan(phone, json.dumps(code))
            phone.wait(shown("#code-error"), "the reason")
            said = mistakes(phone, "#form")
            expect(len(said) == 1 and words in said[0], f"{code}: {said}")
            channels = [r["url"] for r in phone.requests[sent:] if "/channel/" in r["url"] or "host.example" in r["url"]]
            expect(channels == [], f"{channels}")
        self.look(phone, "refused")
        # A text that was typed is read the same way, and a scanned one comes here.
        phone.fill("#code", "hello")
        tap(phone, "#use")
        expect("not a code" in mistakes(phone, "#form")[0], phone.text("#form"))
        place = phone.js(f"import('/assets/documents/scanned.js').then(m => m.placeOf({json.dumps(json.dumps(AUTHENTICATION))}, location.origin).href)")
        expect(place.startswith("/wallet/pico/answer#%7B"), place)

    def other_server(self):
        """A service that is met at another server: this server takes the messages there. One behind this name is asked instead."""
        phone, verifier = self.phone, Path(__file__).parents[1] / "Interop/pico/verifier.py"
        environment = os.environ | {"SHOWN_BASE": "https://service.example"}
        with tempfile.TemporaryDirectory() as folder:
            def service(*words):
                process = subprocess.Popen(
                    [sys.executable, verifier, words[0], self.stage.url, f"{folder}/state", *words[1:]], env=environment,
                    stdout=subprocess.PIPE, text=True)
                return process, process.stdout.readline().strip()

            # Nobody has such a name: nothing is paired, and the key is forgotten.
            unmet, text = service("pair", "p256", "ada")
            self.scan(phone, text)
            phone.wait(shown("#pair"), "the pairing")
            expect("service.example" in phone.text("#pair-facts"), phone.text("#pair-facts"))
            tap(phone, "#pair")
            phone.wait(shown("#verdict.no"), "that it failed", 60)
            expect("cannot reach service.example" in phone.text("#over-text"), phone.text("#over-text"))
            unmet.kill()
            for words, button, end in (("pair", "p256", "ada"), "#pair", "paired"), (("auth",), "#allow", "signed_in"):
                process, text = service(*words)
                self.scan(phone, text)
                phone.wait(shown(button), "the question")
                expect("false" not in phone.text("#content"), phone.text("#content"))
                phone.js(RELAY)
                self.look(phone, f"elsewhere-{end}")
                tap(phone, button)
                phone.wait(shown("#verdict.yes"), end, 30)
                expect(process.wait(60) == 0 and end in json.loads(process.stdout.read()), end)
                expect(phone.js("self.relayed.every(one => one.startsWith('https://service.example/channel/'))"), "asked elsewhere")

    def strangers(self):
        """Who knows the channel can write there. The server goes on, and the wallet tells its key to nobody."""
        phone, desk = self.phone, self.desk
        text = self.show_code()
        self.scan(phone, text)
        phone.wait(shown("#allow"))
        channel = re.search(r"/channel/[0-9A-Za-z_-]+", text).group(0)
        connection = http.client.HTTPConnection("localhost", self.stage.port, timeout=60)
        message = json.dumps({"sessionId": 0, "encryptedData": "AAAA", "iv": "AAAA"}).encode()
        body = len(message).to_bytes(4, "big") + message
        connection.request("POST", channel, body, {"Content-Type": "application/octet-stream"})
        expect(connection.getresponse().read() == b'{"status":"ok","code":0}\n', "nobody has read it")
        # Every message to the wallet comes with one byte changed.
        phone.js(CHANGING)
        sent = len(phone.requests)
        tap(phone, "#allow")
        phone.wait(shown("#verdict.no"), "that it failed", 60)
        written = [r for r in phone.requests[sent:] if "/channel/" in r["url"] and r["method"] == "POST"]
        expect(len(written) == 1, f"{len(written)} messages were written")
        self.look(phone, "changed")
        expect(api(desk, "GET", "/api/sessions/current")[0] == 401, "somebody is signed in")
        # The code still counts for a wallet whose messages arrive whole.
        self.scan(phone, text)
        tap(phone, "#allow")
        phone.wait(shown("#verdict.yes"), "to be signed in there", 60)
        desk.wait("location.pathname === '/wallet'", "the wallet at the desk", 60)
        self.leave_desk()
