"""A degree shown to a named employer, without a reference of hers, and looked at later: the table of docs/documents.md."""
from forging import *
from forged_presentations import bundle  # the cases before these keep their texts' numbers

shown_at = T0 + 3600
short_lived = administrator(end=T0 + 20 * DAY)
revoked_at = T0 + 2 * DAY


def fresh(day, revoked=()):
    """Status tokens as they are on a day, half an hour before somebody looks."""
    made = shown_at + day * DAY - 1800
    return [status_token(revoked=revoked, made=made, ends=made + DAY), status_token(SIGNER_URI, made=made, ends=made + DAY)]


employer = []
for day in (0, 3, 29, 31):
    for what in ("nothing", "the document is revoked on the second day", "the issuer's certificate expires on the 20th day"):
        credential = Credential(chain=[short_lived, main]) if "certificate" in what else base
        file = whole(credential, status=fresh(0), receipt=receipt(credential))
        for network in ("offline", "online", "offline, as of then"):
            live = fresh(day, [42] if "revoked" in what and day >= 2 else ()) if network == "online" else ()
            now = shown_at if "as of" in network else shown_at + day * DAY + (60 if day == 0 else 0)
            add(employer, f"{what}; day {day}; {network}", file, {}, now=now, nonce=None, live=live)
