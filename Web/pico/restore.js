// Restoring a backup: what it brings is shown first, and what is here already stays as it is.

import { takeKeys } from "../accounts/key-backup.js";
import { use } from "../accounts/keys.js";
import { Problem, api } from "../shell/api.js";
import { CoreError } from "../shell/core.js";
import { $, busy, list } from "../shell/dom.js";
import { complain } from "../shell/error-summary.js";
import { plural, t } from "../shell/translate.js";
import { over, show, titles, underWay } from "./account-steps.js";
import { largest, openBackup, readPhrase } from "./backup-file.js";
import { commitmentOf, kept, mostKept } from "./keeping.js";
import { sameCommitment } from "./marks.js";

/** What the backup brings that is not here, as Core read it. */
let fresh = [];

/** Why a file is not opened. */
const refused = {
  malformed: t`This file is no backup of accounts. Choose one that this page or the command line made.`,
  too_large: t`This file is too large to be a backup of accounts. Choose another one.`,
  unsupported_version: t`This is a backup of the original Pico app. Take it with the command line, and make a backup there: countersign wallet restore --original.`,
  unacceptable: t`This file asks for a way from phrase to key that is too weak or too slow. Somebody may have changed it: use another copy.`,
  invalid_key: t`A key in this backup is none. Use another copy of it.`,
  trap: t`This browser has too little memory to open the file. Use the command line: countersign wallet restore.`,
  unavailable: t`This browser could not start what opens the file. Load the page again, or use another browser.`,
};

/** Begins. */
export function beginRestore() {
  $("#open-form").reset();
  complain($("#open-form"), [$("#file"), $("#file-error"), ""], [$("#open-phrase"), $("#open-phrase-error"), ""]);
  show("open");
}

$("#open-form").addEventListener("submit", (event) => {
  event.preventDefault();
  busy($("#open-go"), async () => {
    const [file] = $("#file").files;
    const phrase = await readPhrase($("#open-phrase").value);
    const wrong = file ? file.size > largest ? refused.too_large : "" : t`Choose the file of the backup.`;
    const words = phrase ? "" : t`A recovery phrase has six groups of four letters and digits.`;
    if (say(wrong, words)) await open(new Uint8Array(await file.arrayBuffer()), phrase);
  });
});

/** Says what is wrong with the file, and with the phrase; whether nothing is. */
const say = (file, phrase) => complain(
  $("#open-form"), [$("#file"), $("#file-error"), file], [$("#open-phrase"), $("#open-phrase-error"), phrase]);

async function open(file, phrase) {
  try {
    const found = await underWay(titles.opening, (signal) => openBackup(file, phrase, signal));
    if (!found) return show("open");
    return await showFound(found);
  } catch (error) {
    show("open");
    if (!(error instanceof CoreError)) throw error;
    if (error.code === "cannot_open") {
      return say("", t`This phrase does not open the file. Compare it with your paper. If it is right, the file was damaged: use another copy.`);
    }
    return say(refused[error.code] ?? refused.malformed, "");
  }
}

async function showFound(found) {
  $("#open-phrase").value = "";
  const here = await kept();
  const isHere = (one) => here.some(({ service, publicKey }) => service === one.service && publicKey === one.publicKey);
  const items = found.map((one) => ({ ...one, isOld: one.curve !== "p256", isKnown: isHere(one) }));
  fresh = items.filter(({ isKnown }) => !isKnown);
  list($("#found"), items, "found-row", ({ isOld, isKnown, ...one }) => ({
    title: one.serviceName, account: one.name, made: one.created, fingerprint: one.fingerprint, isOld, isKnown, isNew: !isKnown,
  }));
  $("#found-old").hidden = !items.some(({ isOld }) => isOld);
  $("#found-none").hidden = fresh.length > 0;
  $("#add").hidden = fresh.length === 0;
  $("#add").textContent = plural(fresh.length, "Add {0} account", "Add {0} accounts");
  if (here.length + fresh.length > mostKept) {
    throw new Problem("full", { detail: t`A browser keeps ${mostKept} accounts at most. Forget some first.` });
  }
  return show("found");
}

$("#add").addEventListener("click", ({ currentTarget }) => busy(currentTarget, async () => {
  const own = await ownWallets();
  const given = await Promise.all(fresh.map(async (one) => ({
    publicKey: one.publicKey, secret: one.key, about: {
      service: one.service, title: one.serviceName, account: one.name, curve: one.curve, secret: one.extraData, made: one.created,
      asks: one.asksEveryTime, isPaired: true,
      isOwn: await own(one),
    },
  })));
  const count = await use(t`Add the accounts of a backup to this browser`, (k) => takeKeys(k, given));
  forgetRestore();
  over("yes", plural(count, "{0} account was added", "{0} accounts were added"),
    t`The keys are the same as before. If you no longer use them elsewhere, forget them there.`);
}));

/** Tells whether an account is a wallet of this very server, which lists it. */
async function ownWallets() {
  const [{ commitment: server }, wallets] = await Promise.all([api.get("/api/pico/service"), api.all("/api/pico/pairings")]);
  return async (one) => {
    const { service } = one;
    const commitment = await commitmentOf(one);
    return sameCommitment(service, server) && wallets.some((wallet) => sameCommitment(wallet.commitment, commitment));
  };
}

/** Forgets what was opened and typed. */
export function forgetRestore() {
  fresh = [];
  $("#found").replaceChildren();
  $("#open-form").reset();
}
