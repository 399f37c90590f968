"""Pages over TLS, as the server itself serves it: one of the cases of fallbacks.py."""

import base64
import hashlib
import subprocess
import tempfile
from pathlib import Path

from attacks_stage import NO_WORKER, expect, set_up
from chromium import Chromium
from organisation import Server


def certificate(folder, name):
    """Makes a certificate for localhost, and answers its file, that of its key, and what tells a browser to trust it."""
    chain, key = Path(folder, f"{name}.pem"), Path(folder, f"{name}.key")
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "2", "-subj",
         "/CN=localhost", "-addext", "subjectAltName=DNS:localhost", "-keyout", key, "-out", chain],
        check=True, capture_output=True)
    public = subprocess.run(["openssl", "pkey", "-in", key, "-pubout", "-outform", "DER"], check=True, capture_output=True).stdout
    return chain, key, base64.b64encode(hashlib.sha256(public).digest()).decode()


def pages_over_tls():
    """A browser that trusts the server's certificate works there, with a cookie for TLS only; one that does not sees nothing."""
    with tempfile.TemporaryDirectory() as folder:
        chain, key, pin = certificate(folder, "served")
        *_, other = certificate(folder, "other")
        with Server("--tls-certificate", str(chain), "--tls-key", str(key), scheme="https") as stage:
            with Chromium(f"--ignore-certificate-errors-spki-list={other}", whole=True) as browser:
                person = browser.person("who trusts another")
                person.goto(stage.url + "/")
                text = person.js("document.body.innerText")
                expect("ERR_CERT" in text and "Countersign" not in text, f"the page of another certificate is shown: {text[:300]}")
            with Chromium(f"--ignore-certificate-errors-spki-list={pin}", whole=True) as browser:
                person = browser.person("owner")
                person.send("Page.addScriptToEvaluateOnNewDocument", source=NO_WORKER)
                person.has_biometrics()
                set_up(person, stage, "Example University", "Olivia Owner", "owner")
                cookies = person.send("Network.getCookies", urls=[stage.url])["cookies"]
                found = [(cookie["name"], cookie["secure"], cookie["httpOnly"], cookie["sameSite"]) for cookie in cookies]
                expect(found == [("__Host-countersign", True, True, "Strict")], f"cookies: {found}")
                expect(person.js("isSecureContext && location.protocol") == "https:", "the page is not secure")
