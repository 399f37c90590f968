// How a person will open their keys: with a passkey, with a passphrase where that is impossible, or with both where a
// passkey can sign in but cannot lock keys. Works on the partial `accounts/way-fields`.

import { $ } from "../shell/dom.js";
import { t } from "../shell/translate.js";
import { revealable } from "./form.js";
import * as passkeys from "./passkeys.js";

const texts = {
  passkey: {
    go: t`Continue with a passkey`,
    other: t`Use a passphrase instead`,
    hint: t`Your device asks for your face, finger or PIN, and never sends it anywhere.`,
  },
  passphrase: {
    go: t`Continue with the passphrase`,
    other: t`Use a passkey instead`,
    hint: t`The passphrase is worked on in this page only. The server never sees it.`,
  },
  both: {
    go: t`Continue`,
    other: "",
    hint: t`You sign in with the passkey. The passphrase opens the keys in this browser.`,
  },
};

const notices = {
  unsupported: t`This browser has no passkeys, so it cannot use your face or finger. A passphrase can lock your keys
    instead. That is weaker: prefer another browser or device, if you have one.`,
  noSecret: t`Your passkey is made and will sign you in. But this device cannot lock keys with it, so choose a
    passphrase for the keys in this browser. That is weaker, and it is marked so wherever it shows.`,
};

export class Way {
  mode = "passkey";

  constructor(root = document) {
    this.root = root;
    revealable(root);
    $("#other-way", root).addEventListener("click", () => {
      this.use(this.mode === "passkey" ? "passphrase" : "passkey");
      if (this.mode === "passphrase") $("#passphrase", root).focus();
    });
    if (passkeys.isSupported()) this.use("passkey");
    else {
      this.use("passphrase", notices.unsupported);
      $("#other-way", root).hidden = true;
    }
  }

  get wantsPasskey() {
    return this.mode !== "passphrase";
  }

  get wantsPassphrase() {
    return this.mode !== "passkey";
  }

  /** The passkey gave no secret: a passphrase is needed as well. */
  needPassphrase() {
    this.use("both", notices.noSecret);
    $("#way-notice", this.root).focus();
  }

  use(mode, notice = "") {
    this.mode = mode;
    const { go, other, hint } = texts[mode];
    $("#passphrase-field", this.root).hidden = mode === "passkey";
    $("#go", this.root).textContent = go;
    $("#other-way", this.root).textContent = other;
    $("#other-way", this.root).hidden = !other;
    $("#way-hint", this.root).textContent = hint;
    const box = $("#way-notice", this.root);
    box.hidden = !notice;
    $("p", box).textContent = notice;
  }
}
