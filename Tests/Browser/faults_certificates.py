"""The main administrator's certificate: warned of in time, renewed once, and what is said while the root is offline."""

from pathlib import Path

from attacks_stage import api, expect, front, ready, shown, tap, until, visit
from faults_network import Network

# This page's clock goes ahead by so many days.
AHEAD = "{ const real = Date.now; Date.now = () => real() + %d * 86_400_000; }"


class Certificates:
    """Cases about what only the root renews."""

    def console_ahead(self, person, days, words=()):
        """What the console's first page of `person` says in so many days, at last with these words."""
        page = person.tab()
        page.send("Page.addScriptToEvaluateOnNewDocument", source=AHEAD % days)
        page.goto(self.stage.url + "/console")
        ready(page)
        for one in words:
            page.see(one, "#ending")
        page.settle()
        said = page.text("#ending") if page.js(shown("#ending")) else ""
        page.close()
        return said

    def warned(self):
        # Two years less 60 days are 670.
        expect(self.console_ahead(self.owner, 660) == "", "warned too early")
        self.console_ahead(self.owner, 680, (
            "Your certificate ends on", "Renew it", "The certificate of the status signer ends on", "countersign admin root renew"))
        self.console_ahead(self.owner, 800, ("has ended",))

    def authority(self):
        return api(self.owner, "GET", "/api/authority")[1]["items"]

    def renewals(self):
        """How many entries of the log say so."""
        return [one["type"] for one in api(self.owner, "GET", "/api/log/mine")[1]["items"]].count("certificate.renewed")

    def settings(self):
        front(self.owner)
        visit(self.owner, "/console/settings", self.stage.url)
        self.owner.wait(shown("#renew"), "the card of the certificate")

    def renewed(self):
        self.settings()
        before, count = self.authority(), self.renewals()
        tap(self.owner, "#renew")
        self.owner.see("Your certificate is renewed, until")
        expect(self.authority() != before and self.renewals() == count + 1, "it is the same certificate")

    def renewal_lost(self, when):
        self.settings()
        count, wire = self.renewals(), Network(self.owner)
        wire.lose("POST /api/authority/renewal$", when)
        tap(self.owner, "#renew")
        done = "document.querySelector('#notices .notice.success')"
        if when == "before":
            self.told(self.owner)
            self.lost(wire, "the renewal")
            tap(self.owner, "#renew")
        self.owner.wait(done, "the renewal")
        wire.heal()
        expect(self.renewals() == count + 1, f"{self.renewals() - count} renewals")

    def root_offline(self):
        self.settings()
        before, key = self.authority(), Path(self.stage.folder, "data", "keys", "root")
        away = key.rename(key.with_name("root-away"))
        try:
            tap(self.owner, "#renew")
            said = until(lambda: self.owner.text("#notices"), "to be told")
        finally:
            away.rename(key)
        expect("The root is offline" in said and "countersign admin root renew" in said, said)
        expect(self.authority() == before, "it was renewed all the same")
