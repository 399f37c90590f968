// Keys that sign in elsewhere, on their way into a backup and out of one. No other key of a device leaves its browser.

import { Problem } from "../shell/api.js";
import { b64u } from "../shell/core.js";
import { t } from "../shell/translate.js";
import { ofPico } from "./key-names.js";
import { changeRecord, currentRecord } from "./records.js";

/** The secret numbers of the keys with these names, base64url. `k` is what `use` handed out. */
export const secretNumbers = (k, names) => Promise.all(names.map((name) => k.secretNumber(name)));

/**
 * Takes keys of a backup, all of them at once. Those that are here by then stay as they are.
 *
 * @param k what `use` handed out
 * @param given `{publicKey, secret, about}` each: a point, a secret number, and what is remembered with the key, such as its `curve`
 * @returns how many are new
 */
export async function takeKeys(k, given) {
  const record = await currentRecord();
  const made = await Promise.all(given.map(async ({ publicKey, secret, about }) => {
    const name = ofPico + b64u(crypto.getRandomValues(new Uint8Array(16)));
    return [name, { ...await k.takeKey(name, { publicKey, secret, curve: about.curve }), ...about }];
  }));
  let count = 0;
  const changed = record && await changeRecord(record.id, ({ keys }) => {
    const here = Object.entries(keys).filter(([name, { isPaired }]) => name.startsWith(ofPico) && isPaired);
    const isNew = ([, one]) => !here.some(([, key]) => key.publicKey === one.publicKey && key.service === one.service);
    const added = made.filter(isNew);
    count = added.length;
    return { keys: { ...keys, ...Object.fromEntries(added) } };
  });
  if (!changed) throw new Problem("no-keys", { detail: t`The keys were removed from this browser. Add it again from a device that you have.` });
  return count;
}
