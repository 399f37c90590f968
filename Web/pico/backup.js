// Making a backup: the keys go into a file, under a phrase that the person types back before the file is saved.

import { secretNumbers } from "../accounts/key-backup.js";
import { use } from "../accounts/keys.js";
import { now } from "../shell/clock.js";
import { $, busy } from "../shell/dom.js";
import { complain } from "../shell/error-summary.js";
import { plural, t } from "../shell/translate.js";
import { save } from "../transparency/save.js";
import { over, show, titles, underWay } from "./account-steps.js";
import { newPhrase, readPhrase, sealBackup } from "./backup-file.js";
import { isName, kept } from "./keeping.js";

/** `{file, phrase, count}` until it is saved. */
let made = null;

/** Begins. */
export async function beginBackup() {
  const { length: count } = await kept();
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
  const all = await kept();
  const secrets = await secretNumbers(k, all.map(({ name }) => name));
  return all.map(({ service, title, account, secret, asks, made: created }, index) => ({
    id: newID(), service, serviceName: title, name: isName(account) ? account : title, curve: "p256", key: secrets[index],
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
  over("yes", t`The backup is saved`, plural(
    count, "{0} account is in {1}. Keep the file and the paper apart.", "{0} accounts are in {1}. Keep the file and the paper apart.", name), again);
}

/** Forgets a backup that was not saved. */
export function forgetBackup() {
  made = null;
  $("#phrase").textContent = "";
  $("#typed").value = "";
}
