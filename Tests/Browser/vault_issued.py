#!/usr/bin/env python3
"""A document that was issued to one device is put into the vault, and read on another: checked there too.

    COUNTERSIGN=.build/debug/countersign python Tests/Browser/vault_issued.py [--pictures FOLDER] [words of a case …]
"""

import sys
import tempfile
from pathlib import Path

from attacks_stage import NO_WORKER, Cases, appoint, check, expect, front, issue, pdf, server, set_up, shown, sign_in, sign_up, tap, visit
from chromium import Chromium
from looking import pictures_folder
from vault import Vault


class Issued(Vault):
    def __init__(self, stage, browser, folder, pictures=None):
        self.stage, self.browser, self.folder, self.pictures, self.sent = stage, browser, Path(folder), pictures, []
        self.owner, self.admin, self.mary = (self.person(name) for name in ("owner", "admin", "mary"))
        set_up(self.owner, stage, "Example University", "Olivia Owner", "owner")
        appoint(self.owner, self.admin, stage, "Reza Registrar", "reza")
        sign_up(self.mary, stage, "mary", "Mary", "Smith")
        check(self.admin, self.mary, stage, "Smith")
        self.words = self.make(self.mary)

    def person(self, name, prf=True):
        person = self.browser.person(name)
        person.send("Page.addScriptToEvaluateOnNewDocument", source=NO_WORKER)
        person.has_biometrics(prf=prf)
        return person

    def keep(self, page):
        """What was sent is not looked at here."""

    def put(self):
        """The vault offers it; one look at the device puts all of them in, marked as issued."""
        issue(self.admin, self.mary, self.stage, text="A letter for Mary", file=pdf("letter.pdf", "Letter"))
        mary = self.mary
        self.open(mary)
        mary.see("documents were issued to you and open on this device alone", "#issued", 60)
        self.look(mary, "issued-offer")
        tap(mary, "#issued-add")
        mary.see("documents are in your vault", "#notices", 60)
        mary.wait(f"!{shown('#issued')}", "the offer to be gone", 60)
        mary.wait("document.querySelectorAll('#items .title').length === 2", "both in the list", 60)
        mary.see("Issued document", "#items")
        self.note(mary, "A note beside it", "mine")
        self.look(mary, "issued-list")
        expect(any(name.startswith("Other document") for name in self.names(mary)), f"{self.names(mary)}")

    def shown_here(self):
        """It is read here, and leads to where it is shown to a verifier."""
        mary = self.mary
        self.follow(mary, next(name for name in self.names(mary) if name.startswith("Other document")))
        mary.see("A letter for Mary", "#item-view", 60)
        mary.see("Reza Registrar", "#item-view")
        mary.wait("document.querySelector('#item-view iframe')", "its PDF", 60)
        mary.see("Show it to a verifier", "#item-view")
        expect("Save a copy" not in mary.text("#item-acts"), mary.text("#item-acts"))
        self.look(mary, "issued-item")

    def elsewhere(self):
        """Another browser without any keys of hers opens the vault, and reads it; it says what it cannot do."""
        other = self.person("mary's laptop")
        for credential in self.mary.send("WebAuthn.getCredentials", authenticatorId=self.mary.authenticator)["credentials"]:
            other.send("WebAuthn.addCredential", authenticatorId=other.authenticator, credential=credential)
        sign_in(other, self.stage)
        self.visit(other)
        self.recover(other)
        other.wait("document.querySelectorAll('#items .title').length === 3", "all in the list", 60)
        expect(not other.js(shown("#issued")), "it offers what this device cannot open")
        self.follow(other, next(name for name in self.names(other) if name.startswith("Other document")))
        other.see("A letter for Mary", "#item-view", 60)
        other.see("show it from the device that it was issued to", "#item-view")
        self.look(other, "issued-elsewhere")
        self.other = other

    def forged(self):
        """A copy whose digest, key or content is another one does not pass its check, and is not shown."""
        other = self.other
        change = """(async () => { const view = await (globalThis.countersignModules ? countersignModules.load('/assets/vault/issued-view.js') : import('/assets/vault/issued-view.js'));
            const { core } = await (globalThis.countersignModules ? countersignModules.load('/assets/shell/core.js') : import('/assets/shell/core.js')); await core();
            globalThis.told = null; const digest = ITEM; try { await view.drawnIssued({ issued: digest }, new Blob(['{}']), () => {}); globalThis.told = 'shown'; }
            catch (error) { globalThis.told = error.kind + ': ' + error.detail; } return globalThis.told; })()"""
        said = other.js(change.replace("ITEM", "{ id: 'x', type: 'generic', device: 'x', signing_key: '', credential_digest: '', receipt: '' }"))
        expect(said.startswith("bad-document") and "does not pass its check" in said, said)

    def counter(self):
        """It is shown at the counter too, with the vault locked behind it."""
        mary = self.mary
        front(mary)
        tap(mary, '"Show at the counter"')
        mary.wait(f"{shown('dialog.counter')} && {shown('#closed')} || {shown('dialog.counter')}", "the counter", 60)
        mary.see("A letter for Mary", "dialog.counter")
        tap(mary, "dialog.counter .actions button")
        mary.wait("!document.querySelector('dialog.counter')")

    def not_again(self):
        """What is in the vault is not offered again; what was dismissed comes with the next visit."""
        issue(self.admin, self.mary, self.stage, text="A second letter", note="Another one")
        mary = self.mary
        self.open(mary)
        mary.see("1 document was issued to you", "#issued", 60)
        tap(mary, "#issued-later")
        expect(not mary.js(shown("#issued")), "it is still offered")
        visit(mary, "/wallet", self.stage.url)
        self.open(mary)
        mary.see("1 document was issued to you", "#issued", 60)


def main():
    pictures = pictures_folder()
    case = Cases()
    with tempfile.TemporaryDirectory() as folder, server() as stage, Chromium(whole=True) as browser:
        issued = Issued(stage, browser, folder, pictures)
        case("documents are put into the vault", issued.put)
        case("one is read here", issued.shown_here)
        case("one is shown at the counter", issued.counter)
        case("what is there is not offered again", issued.not_again)
        case("one is read on another device", issued.elsewhere)
        case("what does not pass its check is not shown", issued.forged)
    return case.end()


if __name__ == "__main__":
    sys.exit(main())
