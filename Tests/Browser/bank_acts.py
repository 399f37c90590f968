"""The acts that a customer of the example bank does: by a wallet that films the bank's page, and as documented."""

import base64
import json
import re
from pathlib import Path

from air_gap import GREY, write_film
from attacks_stage import expect, front, shown, tap, visit

# Each factor as the table in docs/approvals.md calls it.
FACTORS = {
    "approval": "approval in the wallet, the code typed", "approval, scanned": "approval in the wallet, the page scanned",
    "SMS": "code by SMS", "TOTP": "authenticator app", "card reader": "card reader", "none": "none",
}
# The code on the bank's page, as grey pixels: its first path is the ground.
PICTURE = "(() => {" + GREY + """
    const image = document.querySelector('.picture svg');
    return grey(image.viewBox.baseVal.width, image.querySelector('path:last-child').getAttribute('d')); })()"""


def scanned(bank, film):
    """The wallet films the bank's page, and nothing is typed: an act less than to open the question and type."""
    member, customer = bank.member, bank.customer
    for kind, begin in (("sign-in", lambda: bank.begin("ada")), ("transfer", bank.pay)):
        begin()
        code = bank.code()
        bank.press("main details > summary")
        write_film(film, [base64.b64decode(customer.js(PICTURE))])
        front(member)
        # The phone is taken and held in front of the page: filming begins by itself.
        bank.acts += 1
        visit(member, "/wallet/scan", bank.stage.url)
        member.wait(f"document.querySelector('#code')?.value === {json.dumps(code)}", "the code to be there", 60)
        bank.acts += 1
        tap(member, "#allow")
        member.wait(shown("#verdict.yes"))
        front(customer)
        bank.at("/")
        bank.done("approval, scanned", kind)


def documented(times):
    """The table in docs/approvals.md says what was counted."""
    text = (Path(__file__).parents[2] / "docs" / "approvals.md").read_text()
    rows = re.findall(r"(?m)^\| ([^|]+) \| (\d+) \| (\d+) \|", text)
    table = {name: [int(sign_in), int(transfer)] for name, sign_in, transfer in rows}
    for factor, name in FACTORS.items():
        counted = {kind: acts for known, kind, acts, _ in times if known == factor}
        expect(table.get(name) == [counted.get("sign-in"), counted.get("transfer")],
               f"{name}: {counted} counted, {table.get(name)} documented")
