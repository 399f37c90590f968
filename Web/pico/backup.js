// Making a backup: the keys go into a file, under a phrase that the person types back before the file is saved.

import { secretNumbers } from "../accounts/key-backup.js";
import { use } from "../accounts/keys.js";
import { Problem, api } from "../shell/api.js";
import { ask } from "../shell/ask.js";
import { now } from "../shell/clock.js";
import { $, busy } from "../shell/dom.js";
import { complain } from "../shell/error-summary.js";
import { plural, t } from "../shell/translate.js";
import { save } from "../transparency/save.js";
import { over, show, titles, underWay } from "./account-steps.js";
import { newPhrase, readPhrase, sealBackup } from "./backup-file.js";
import { isName, kept } from "./keeping.js";
import { sameCommitment } from "./marks.js";

/** `{file, phrase, count}` until it is saved. */
let made = null;

/** What a backup takes: not the wallet of this server, which has to end with its browser, and is paired again with a touch. */
async function portable() {
  const { commitment } = await api.get("/api/pico/service");
  return (await kept()).filter(({ service }) => !sameCommitment(service, commitment));
}

/** Begins. */
export async function beginBackup() {
  const { length: count } = await portable();
  if (count === 0) {
    throw new Problem("nothing", { detail: t`There is nothing to back up: this browser is paired with this server alone, and another one pairs again with a touch.` });
  }
  $("#make-what").textContent = plural(
    count, "{0} account goes into one file, with its key.", "{0} accounts go into one file, with their keys.");
  show("make");
}

$("#make-go").addEventListener("click", ({ currentTarget }) => busy(currentTarget, async () => {
  const accounts = await use(t`Make a backup of your accounts, with their keys`, taken);
  try {
    made = await underWay(titles.sealing, async (signal) => {
      const phrase = await newPhrase();
      return { phrase, count: accounts.length, file: await sealBackup(accounts, phrase, signal) };
    });
  } catch (error) {
    show("make");
    throw error;
  }
  if (made) showPhrase();
  else show("make");
}));

/** The accounts of this browser, as the file has them. */
async function taken(k) {
  const all = await portable();
  const secrets = await secretNumbers(k, all.map(({ name }) => name));
  return all.map(({ service, title, account, curve, secret, asks, made: created }, index) => ({
    id: newID(), service, serviceName: title, name: isName(account) ? account : title, curve, key: secrets[index],
    extraData: secret ?? "", asksEveryTime: Boolean(asks), created,
  }));
}

const newID = () => Array.from(crypto.getRandomValues(new Uint8Array(6)), (byte) => byte.toString(16).padStart(2, "0")).join("");

function showPhrase() {
  $("#phrase").textContent = made.phrase;
  show("phrase");
}

$("#phrase-written").addEventListener("click", () => {
  $("#phrase").textContent = "";
  $("#typed").value = "";
  complain($("#typed-form"), [$("#typed"), $("#typed-error"), ""]);
  show("typed");
});
$("#phrase-again").addEventListener("click", showPhrase);

$("#typed-form").addEventListener("submit", (event) => {
  event.preventDefault();
  busy($("#typed-go"), async () => {
    const [typed, phrase] = await Promise.all([$("#typed").value, made.phrase].map(readPhrase));
    const words = typed === null ? t`A recovery phrase has six groups of four letters and digits.`
      : typed === phrase ? "" : t`This is another phrase. Compare it with your paper, letter by letter.`;
    if (complain($("#typed-form"), [$("#typed"), $("#typed-error"), words])) finish();
  });
});

function finish() {
  const { file, count } = made;
  const name = `countersign-accounts-${new Date(now() * 1000).toISOString().slice(0, 10)}.backup`;
  forgetBackup();
  const again = () => save(file, name);
  again();
  over("yes", t`Your browser saves the backup`, plural(
    count, "{0} account is in {1}. Move the file off this device, and keep it and the paper apart. Accounts that you pair later are not in it.",
    "{0} accounts are in {1}. Move the file off this device, and keep it and the paper apart. Accounts that you pair later are not in it.", name), again);
}

/** Whether the person leaves a backup that was not saved, or has none. */
export const mayGiveUp = async () => !made || Boolean(await ask({
  title: t`Give up this backup?`, text: t`Nothing is saved yet, and the phrase on your paper will open nothing.`,
  confirm: t`Give it up`, cancel: t`Go on with it`, danger: true,
}));

/** Forgets a backup that was not saved. */
export function forgetBackup() {
  made = null;
  $("#phrase").textContent = "";
  $("#typed").value = "";
}
