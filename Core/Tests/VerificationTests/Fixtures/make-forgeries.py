#!/usr/bin/env python3
"""Makes forgeries.json: presentations that must be accepted, and forged ones with the check that must refuse each.

Run it in this folder; needs `cryptography` 46 or later. The same bytes come out of every run.
Each case names the failing check, its reason's code and how it ends; texts are kept once, in `texts`.
"""
import json

from forged_presentations import LOG, SIGNATURES, b64, forged, good, root, texts
from shown_to_an_employer import employer

made = {"texts": texts, "signatures": sorted(SIGNATURES), "root": b64(root), "log": LOG.vkey, "good": good, "forged": forged,
        "employer": employer}
with open("forgeries.json", "w") as out:
    out.write(json.dumps(made, ensure_ascii=False, indent=0, separators=(",", ":")))
print(len(good), "accepted,", len(forged), "refused,", len(employer), "in the table")
