#!/usr/bin/env python3
"""Opens the examples of the vault's format in Chromium, with the page's own reader, under the policy of our pages.

    scripts/build-wasm && python3 Tests/Browser/vault_format.py

The examples are Core/Tests/VaultTests/Fixtures/vault.json, which the Swift code makes and opens too. What the page's modules
write, they read again; what was changed, they refuse. Prints how long Argon2id takes in the page.
"""
import pathlib
import sys

import module_page

ROOT = pathlib.Path(__file__).resolve().parents[2]
LIMIT = 120  # seconds, for everything


def files():
    web = ROOT / "Web"
    others = [web / "shell/core.js", web / "shell/translate.js", web / "shell/sealed-link.js", web / "accounts/store.js"]
    found = {"/vectors.json": ("application/json", (ROOT / "Core/Tests/VaultTests/Fixtures/vault.json").read_bytes())}
    for module in [*sorted((web / "vault").glob("*.js")), *others]:
        found[f"/assets/{module.parent.name}/{module.name}"] = ("text/javascript", module.read_bytes())
    for name in ("vault/vault.wasm", "shell/countersign.wasm"):
        found[f"/assets/{name}"] = ("application/wasm", (web / name).read_bytes())
    return found


def main():
    result = module_page.run(pathlib.Path(__file__).with_suffix(".js").read_bytes(), files(), LIMIT)
    if not result:
        sys.exit(f"vault format: no result after {LIMIT} s")
    for failure in result["failures"]:
        print("vault format: FAILED:", failure)
    if result["failures"]:
        sys.exit(1)
    print(f"vault format: the page opens every example; Argon2id takes {result['figures']['argon2_ms']:.0f} ms")


if __name__ == "__main__":
    main()
