#!/usr/bin/env python3
"""Backs up the accounts of a wallet in a page, and restores them: here, in another browser, and on the command line.

    COUNTERSIGN=.build/release/countersign python Tests/Browser/pico_backup.py [--pictures FOLDER] [words of a case …]

The phone is a browser with accounts; the laptop is another person's. One line for each case.
"""

import json
import re
import subprocess
import sys
import tempfile

from attacks_stage import Cases, end_session, expect, mistakes, server, shown, sign_in, tap, visit
from chromium import Chromium, until
from looking import pictures_folder
from pico_backup_stage import INTEROP, BackupStage

WORDS = "merit inventive miser jamaica mural leprosy necklace liberty newborn matchmaker oakland medusa"


class Backups(BackupStage):
    def empty(self):
        """Without an account there is nothing to back up, and the page says how to get one. The keyboard is enough."""
        phone = self.phone
        visit(phone, "/wallet/pico", self.stage.url)
        tap(phone, "#here")
        phone.wait("location.pathname === '/wallet/pico/accounts'", "the page")
        phone.wait(shown("#none"), "the empty page")
        expect(not phone.js(shown("#make")) and phone.js(shown("#take")), "a backup of nothing")
        self.look(phone, "backup-none")

    def named(self):
        """Accounts at this server and elsewhere are listed; one is renamed, with a name that can be shown."""
        phone = self.phone
        visit(phone, "/wallet/pico", self.stage.url)
        tap(phone, "#pair-here")
        phone.wait("[...document.querySelectorAll('#wallets .badge')].some(e => e.checkVisibility())", "to be paired", 60)
        process, code = self.service("pair", "--user", "ada")
        self.scan(phone, code)
        tap(phone, "#pair")
        phone.wait(shown("#verdict.yes"), "to be paired", 60)
        expect(process.wait(60) == 0, "the service has nobody")
        listed = self.accounts(phone)
        expect(len(listed) == 2 and any("Example computer ada" in one for one in listed), f"{listed}")
        expect(any("Example University mary" in one and "this server" in one for one in listed), f"{listed}")
        own = "[...document.querySelectorAll('#accounts > li')].find(e => e.innerText.includes('this server'))"
        expect(not phone.js(f"{own}.querySelector('[data-act=remove]').checkVisibility()"), "this server's wallet can be forgotten here")
        for name, words in (("a\u202eb", "all of them visible"), ("Work", None)):
            tap(phone, "#accounts [aria-label*='Rename: Example computer']")
            phone.fill("#question-value", name)
            tap(phone, "dialog[open] .actions .primary")
            if words:
                phone.see(words, "#notices", 60)
        phone.see("Work", "#accounts", 60)
        self.look(phone, "backup-accounts")

    def make(self):
        """The phrase is shown once and typed back, and then the file is saved. Nothing of it goes to the server."""
        phone = self.phone
        self.accounts(phone)
        sent = len(phone.requests)
        tap(phone, "#make")
        phone.see("1 account goes into one file", "#make-what")
        self.look(phone, "backup-make")
        tap(phone, "[data-step=make] [data-back]")
        phone.wait(shown("#accounts"), "the list again")
        # Cancelled while it computes.
        tap(phone, "#make")
        phone.js("""(() => { const original = Worker; self.Worker = class extends original { postMessage() {} }; self.before = original; })()""")
        tap(phone, "#make-go")
        phone.wait(shown("#work-cancel"), "to be under way", 60)
        self.look(phone, "backup-work")
        tap(phone, "#work-cancel")
        phone.wait(shown("#make-go"), "to be back")
        phone.js("self.Worker = self.before")
        tap(phone, "[data-step=make] [data-back]")
        # What was begun is not given up without a question.
        given_up = self.to_phrase(phone)
        tap(phone, "[data-step=phrase] [data-back]")
        phone.see("the phrase on your paper will open nothing", "dialog[open]")
        self.look(phone, "backup-give-up")
        tap(phone, "dialog[open] .actions [value=cancel], dialog[open] .actions button:not(.danger)")
        expect(phone.text("#phrase") == given_up, "the phrase is gone")
        tap(phone, "[data-step=phrase] [data-back]")
        tap(phone, "dialog[open] .actions .danger")
        phone.wait(shown("#accounts"), "the list again")
        self.phrase = self.to_phrase(phone)
        self.look(phone, "backup-phrase")
        tap(phone, "#phrase-written")
        expect(self.phrase not in phone.js("document.body.innerHTML"), "the phrase is still in the page")
        self.look(phone, "backup-typed")
        other = ("1" if self.phrase[0] == "0" else "0") + self.phrase[1:]
        for typed, words in (("", "six groups"), (self.phrase[:-1], "six groups"), (other, "another phrase")):
            phone.fill("#typed", typed)
            tap(phone, "#typed-go")
            phone.wait(shown("#typed-form .error-summary"), "to be told")
            said = mistakes(phone, "#typed-form")
            expect(len(said) == 1 and words in said[0], f"{typed}: {said}")
        self.look(phone, "backup-typed-wrong")
        tap(phone, "#phrase-again")
        expect(phone.text("#phrase") == self.phrase, "another phrase")
        tap(phone, "#phrase-written")
        place = self.folder / "page"
        place.mkdir()
        phone.downloads(place)
        phone.fill("#typed", self.phrase.lower().replace("-", " "))
        tap(phone, "#typed-go")
        phone.wait(shown("#verdict.yes"), "to be saved", 60)
        self.look(phone, "backup-saved")
        self.saved = until(lambda: next(iter(place.glob("*.backup")), None), "the file", 60)
        text = until(lambda: self.saved.read_text() or None, "its content", 60)
        head = json.loads(text)
        expect(head["format"] == "countersign-accounts-v1" and head["derivation"]["memory_kib"] == 65536, f"{head}")
        for secret in ("Example", "mary", "Work"):
            expect(secret not in text, f"{secret} is in the file")
        spoken = json.dumps(phone.requests[sent:])
        for secret in (self.phrase, self.phrase.replace("-", ""), self.phrase.lower().replace("-", " "), head["sealed"][:40]):
            expect(secret not in spoken, "it was sent somewhere")

    def on_the_command_line(self):
        """The command line takes the page's file with its phrase, and signs in with what came."""
        made = self.wallet.restore(self.saved, self.phrase)
        expect([one["name"] for one in made["added"]] == ["Work"] and made["known"] == 0, f"this server's own wallet left its browser: {made}")
        expect(self.wallet.restore(self.saved, self.phrase)["known"] == 1, "it was added twice")
        process, code = self.service("auth")
        self.wallet.run("scan", code, "--yes")
        expect('"user":"ada"' in process.stdout.readline() and process.wait(60) == 0, "the service saw nobody")

    def wrong(self):
        """A wrong phrase, a changed file and another file bring nothing, and the page says what to do."""
        phone, text = self.phone, self.saved.read_text()
        head = json.loads(text)

        def file(name, content):
            path = self.folder / name
            path.write_text(content if isinstance(content, str) else json.dumps(content))
            return path

        sealed = head["sealed"]
        changed = head | {"sealed": sealed[:100] + ("A" if sealed[100] != "A" else "B") + sealed[101:]}
        cheap = head | {"derivation": head["derivation"] | {"memory_kib": 64}}
        salted = head | {"derivation": head["derivation"] | {"salt": "AAAAAAAAAAAAAAAAAAAAAA"}}
        other = ("1" if self.phrase[0] == "0" else "0") + self.phrase[1:]
        original = self.folder / "phone.backup"
        subprocess.run([sys.executable, INTEROP / "app_backup.py", original, "000102030405060708090a0b"], check=True, stdout=subprocess.DEVNULL)
        before = self.accounts(phone)
        for path, phrase, words in (
                (None, "", ["Choose the file", "six groups"]), (self.saved, "0000", ["six groups"]),
                (self.saved, other, ["does not open the file"]), (file("changed", changed), self.phrase, ["does not open the file"]),
                (file("salted", salted), self.phrase, ["does not open the file"]), (file("cheap", cheap), self.phrase, ["too weak or too slow"]),
                (file("cut", text[:-20]), self.phrase, ["no backup of accounts"]), (file("other", "hello"), self.phrase, ["no backup of accounts"]),
                (file("long", "x" * ((4 << 20) + 1)), self.phrase, ["too large"]), (original, self.phrase, ["original Pico app"])):
            said = self.open(phone, path, phrase)
            expect(len(said) == len(words) and all(word in one for word, one in zip(words, said)), f"{path}: {said}")
            if path in (None, original):
                self.look(phone, f"restore-{'empty' if path is None else 'original'}")
        expect(self.accounts(phone) == before, "something was added")

    def again(self):
        """An account that was forgotten comes back and signs in; what is here already stays as it is."""
        phone = self.phone
        self.accounts(phone)
        tap(phone, "#accounts [aria-label*='Forget: Example computer']")
        phone.wait("document.activeElement.textContent === 'Keep it'", "the safe answer to have the focus")
        self.look(phone, "backup-forget")
        tap(phone, "dialog[open] .actions .danger")
        phone.see("is forgotten", "#notices", 60)
        expect(len(self.accounts(phone)) == 1, "it is still there")
        process, code = self.service("auth")
        self.scan(phone, code)
        phone.wait(shown("[data-step=unpaired]"), "that it is not paired")
        expect(self.open(phone, self.saved, f" {self.phrase.lower()} ") == [], "it did not open")
        found = self.found(phone)
        expect(len(found) == 1 and found[0].endswith("new"), f"{found}")
        expect(re.search(r"([0-9A-Z]{5}\s){3}[0-9A-Z]{5}", found[0]), f"no fingerprint: {found}")
        self.look(phone, "restore-found")
        self.add(phone, 1)
        self.look(phone, "restore-added")
        expect(len(self.accounts(phone)) == 2, "it is not there")
        expect('"user":"ada"' in self.sign_in(phone, process, code), "the service saw somebody else")
        # All are here by now.
        expect(self.open(phone, self.saved, self.phrase) == [] and phone.js(shown("#found-none")), phone.text("[data-step=found]"))
        expect(all(one.endswith("already here") for one in self.found(phone)), f"{self.found(phone)}")
        expect(not phone.js(shown("#add")), "there is something to add")

    def elsewhere(self):
        """The original's backup goes to the command line, and its backup into the browser of another person."""
        laptop, wallet = self.laptop, self.wallet
        state, old_state = self.folder / "imported", self.folder / "imported-old"
        made = subprocess.run([sys.executable, INTEROP / "app_backup.py", self.folder / "app.backup", "000102030405060708090a0b"],
                              check=True, capture_output=True, text=True)
        for file, curve in (state, "p256"), (old_state, "p192"):
            file.write_text(json.dumps(next(one for one in json.loads(made.stdout) if one["curve"] == curve)))
        taken = wallet.restore(self.folder / "app.backup", WORDS, "--original", "--old-services")
        expect(len(taken["added"]) == 2, f"{taken}")
        strict, old = (next(one["id"] for one in taken["added"] if one["curve"] == curve) for curve in ("p256", "p192"))
        wallet.run("accounts", "strict", strict)
        backup = wallet.path("cli.backup")
        phrase = wallet.run("backup", str(backup))["phrase"]
        expect(self.open(laptop, backup, phrase) == [], "it did not open")
        found = self.found(laptop)
        expect(len(found) == 3 and all(one.endswith("new") for one in found), f"{found}")
        expect(sum("old service" in one for one in found) == 1 and laptop.js(shown("#found-old")), f"no word about the old service: {found}")
        self.look(laptop, "restore-old-curve")
        self.add(laptop, 3)
        listed = self.accounts(laptop)
        expect(len(listed) == 3 and sum("old service" in one for one in listed) == 1, f"{listed}")
        self.sign_in(laptop, *self.verifier("auth", state))
        self.sign_in(laptop, *self.verifier("auth", old_state))
        # The same key as on the phone: another person's browser signs in as the one who paired it.
        process, code = self.service("auth")
        expect('"user":"ada"' in self.sign_in(laptop, process, code), "the service saw somebody else")
        # What the command line had switched on comes through the page and back, and so does the mark of an old service.
        self.accounts(laptop)
        place = self.folder / "laptop"
        place.mkdir()
        laptop.downloads(place)
        phrase = self.to_phrase(laptop)
        tap(laptop, "#phrase-written")
        laptop.fill("#typed", phrase)
        tap(laptop, "#typed-go")
        file = until(lambda: next((one for one in place.glob("*.backup") if one.stat().st_size), None), "the file", 60)
        for one in (strict, old):
            wallet.run("accounts", "forget", one, "--yes")
        back = wallet.restore(file, phrase)
        expect({one["curve"]: one["asks_every_time"] for one in back["added"]} == {"p256": True, "p192": False}, f"{back}")
        expect(len(back["added"]) == 2 and back["known"] == 1, f"{back}")
        process, code = self.verifier("auth", old_state)
        wallet.run("scan", code, "--yes")
        expect("signed_in" in process.stdout.readline() and process.wait(60) == 0, "the old service saw nobody")

    def left(self):
        """Signing out in another tab leaves no phrase behind, and nobody is asked whether to stay."""
        phone = self.phone
        self.accounts(phone)
        self.to_phrase(phone)
        phone.is_touched(False)
        tab = phone.tab()
        tab.goto(self.stage.url + "/help")
        end_session(tab)
        where = lambda: self.browser.send("Target.getTargetInfo", targetId=phone.target)["targetInfo"]["url"]
        until(lambda: phone.dialogs or "/sign-in" in where(), "to leave", 60)
        expect(not phone.dialogs, f"the browser asks whether to leave: {phone.dialogs}")
        tab.close()
        phone.is_touched(True)
        sign_in(phone, self.stage)

    def session_over(self):
        """A phrase that was typed is not kept when the session ends."""
        phone = self.phone
        self.accounts(phone)
        tap(phone, "#take")
        phone.fill("#open-phrase", self.phrase)
        phone.is_touched(False)
        phone.send("Network.deleteCookies", name="countersign", url=self.stage.url)
        phone.js("void dispatchEvent(new Event('online'))")
        tap(phone, "#session-over button")
        phone.wait("location.pathname === '/sign-in'", "the sign-in page", 60)
        expect(self.phrase not in phone.js("JSON.stringify(Object.values(sessionStorage))"), "the phrase is kept")
        phone.is_touched(True)
        sign_in(phone, self.stage)

    def keys(self):
        """No other key leaves a browser, and a face that is not the owner's opens none for a backup."""
        phone = self.phone
        self.accounts(phone)
        phone.js("""import('/assets/accounts/keys.js').then(({ use }) => { self.outcome = null; use('Try it', async (k) => {
            const ends = {};
            for (const name of ['signing', 'encryption', 'pico none']) {
                ends[name] = await k.secretNumber(name).then(() => 'left', (error) => error.name);
                ends[`${name}?`] = await k.lend(name, () => 'lent').then((end) => end, (error) => error.name);
                ends[`${name}!`] = await k.takeKey(name, { publicKey: '', secret: '' }).then(() => 'came', (error) => error.name);
            }
            return ends; }).then((ends) => { self.outcome = ends; }, (error) => { self.outcome = { error: error.message }; }); })""")
        phone.wait("self.outcome", "the keys", 60)
        ends = phone.js("self.outcome")
        for name in ("signing", "encryption"):
            expect(ends[name] == ends[name + "!"] == ends[name + "?"] == "TypeError", f"{ends}")
        expect(not {"left", "came", "lent"} & set(ends.values()), f"{ends}")
        phone.is_recognised(False)
        tap(phone, "#make")
        tap(phone, "#make-go")
        phone.wait("document.querySelector('dialog[open]')?.innerText.length > 0 || document.querySelector('#notices .notice')", "to be told", 60)
        expect(not phone.js(shown("#phrase")) and not phone.js(shown("#work-cancel")), "a backup was made")
        phone.is_recognised(True)


def main():
    pictures = pictures_folder()
    case = Cases()
    with tempfile.TemporaryDirectory() as folder, server() as stage, Chromium() as browser:
        backups = Backups(stage, browser, folder, pictures)
        case("without accounts there is nothing to back up", backups.empty)
        case("accounts are listed and named", backups.named)
        case("a backup is made, and its phrase typed back", backups.make)
        case("the command line takes the page's backup", backups.on_the_command_line)
        case("a phrase does not outlive the session", backups.left)
        case("a phrase that was typed is not kept", backups.session_over)
        case("wrong phrases and other files bring nothing", backups.wrong)
        case("a forgotten account comes back", backups.again)
        case("the page takes the command line's backup", backups.elsewhere)
        # It may end the session: the last one.
        case("no other key leaves", backups.keys)
    return case.end()


if __name__ == "__main__":
    sys.exit(main())
