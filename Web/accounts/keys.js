// The keys of this browser, as the pages use them. Every use asks for the person's face, finger or passphrase once,
// and after it the keys are forgotten again.

import { Problem, api, finishFirst, goToSignIn, sessionIsOver } from "../shell/api.js";
import { dropDrafts } from "../shell/draft.js";
import { listen, tell } from "../shell/tabs.js";
import { t } from "../shell/translate.js";
import { finishEnding, leave } from "./ending.js";
import { ofService } from "./key-names.js";
import { currentRecord, changeRecord, face, forgetChoices, signedIn } from "./records.js";

// Reading a page does not need it, so it is fetched when a person begins to act. It is there by the time they are asked
// for their face.
const opening = () => import("./opening.js");
for (const kind of ["pointerdown", "keydown"]) {
  addEventListener(kind, () => { opening().catch(() => { /* Whoever needs it then says so. */ }); }, { once: true, capture: true });
}

/** The device of this browser for the account that is signed in, without anything wrapped; null without one. */
export const device = async () => face(await currentRecord());

/** The owner of the session: `{username, role}`, as this browser remembers or as the server says. */
export const whose = async () => (await signedIn()) ?? (await api.get("/api/account", { allow401: true }));

/**
 * Opens the keys for `work`, after the person agreed to `reason`, a sentence that they read.
 *
 * - work: `async k => result`; `k.sign`, `k.authoritySign`, `k.jws`, `k.open`: see keyring.js.
 * - Returns: what `work` returns. Throws Problem "cancelled", "no-keys", "ended", "unsupported", or what `work` throws.
 */
export async function use(reason, work, { extractable = false, only } = {}) {
  const record = await currentRecord();
  if (!record) {
    throw new Problem("no-keys", {
      detail: t`This browser has no keys for your account. Add it under Devices, or use the device that has them.`,
    });
  }
  const { methodsOf, prompt, unlock } = await opening();
  const methods = methodsOf(record).filter((method) => !only || method === only);
  if (methods.length === 0) {
    throw new Problem("unsupported", { detail: t`This browser has no way to open its keys. Use another device.` });
  }
  const { keyring } = await prompt({
    title: t`Confirm that it is you`,
    reason,
    methods,
    username: record.username,
    attempt: (method, given) => unlock(record, method, { ...given, extractable }),
  });
  keyring.device = face(record);
  try {
    return await work(keyring);
  } finally {
    keyring.close();
  }
}

/**
 * Lets the server see that it is the person, for what needs no keys.
 *
 * - Returns: until when it holds, in seconds since 1970.
 */
export async function confirm(reason) {
  const record = await currentRecord();
  // A passkey will do, whether or not it opens keys here. Without one the passphrase proves it, through the keys.
  const { passkeys: count } = await api.get("/api/sessions/current");
  const { isSupported, methodsOf, prompt } = await opening();
  const methods = count > 0 && isSupported() ? ["passkey"] : [];
  if (record && methodsOf(record).includes("passphrase")) methods.push("passphrase");
  if (methods.length === 0) {
    throw new Problem("unsupported", {
      detail: t`Nothing in this browser can confirm it. Use one of your other devices.`,
    });
  }
  return prompt({
    title: t`Confirm that it is you`,
    reason,
    methods,
    username: record?.username,
    attempt: (method, given) => (method === "passkey" ? confirmOnly(given) : confirmByPassphrase(record, given)),
  });
}

/**
 * Asks for a passkey, and for the secret that it has for `input`. The server sees that it is the person, if it can be reached.
 *
 * - Returns: `{id, secret}`: the passkey's id, and an HKDF key that nobody can read. Throws Problem "unsupported" if the passkey has
 *   no secrets.
 */
export async function passkeySecret(reason, input) {
  const { isSupported, prompt, secretOfPasskey } = await opening();
  if (!isSupported()) throw new Problem("unsupported", { detail: t`This browser has no passkeys.` });
  const record = await currentRecord();
  const { id, secret } = await prompt({
    title: t`Confirm that it is you`, reason, methods: ["passkey"],
    attempt: (_, { signal }) => secretOfPasskey(record, signal, input),
  });
  if (!secret) throw new Problem("unsupported", { detail: t`This passkey gives no secrets in this browser. Use another way, or another browser.` });
  return { id, secret };
}

/** Whether the keys of this browser have a secret called `name` with them. */
export const hasSecret = async (name) => Boolean((await currentRecord())?.keys[name]);

/**
 * A secret that opens with this browser's keys, made when there is none: an HKDF key that nobody can read.
 *
 * - k: what `use` handed out.
 */
export async function deviceSecret(k, name) {
  const record = await currentRecord();
  if (!record.keys[name]) {
    // Stored before anything is sealed under it. Another tab may have been quicker: then its secret is the one.
    const made = await k.makeSecret(name);
    k.know(await changeRecord(record.id, (old) => ({ keys: { [name]: made, ...old.keys } })));
  }
  return k.secret(name);
}

/** Ends the session, in all tabs. Throws Problem "offline" when the server cannot be told: then it has not ended. */
export const signOut = () => finishFirst(signOutNow());

async function signOutNow() {
  await api.delete("/api/sessions/current", { allow401: true }).catch((problem) => {
    if (problem.kind !== "unauthenticated") throw problem;
  });
  // A session that merely ends keeps what was typed. Signing out leaves nothing for the next person, in any tab.
  dropDrafts();
  tell({ kind: "drafts-dropped" });
  await forgetChoices();
  await leave();
}

listen(({ kind }) => { if (kind === "drafts-dropped") dropDrafts(); });

/**
 * Makes this device's authority key, the one that an administrator signs with, unless there is one.
 *
 * - k: what `use` handed out.
 * - Returns: the public key, a 65-byte point in base64url.
 */
export async function makeAuthorityKey(k) {
  const record = await currentRecord();
  if (record.keys.authority) return record.keys.authority.publicKey;
  const made = await k.makeKey("authority");
  // Stored before anybody hears of it. Another tab may have been quicker: then its key is the one.
  const changed = await changeRecord(record.id, (old) => ({ keys: { authority: made, ...old.keys } }));
  k.know(changed);
  return changed.keys.authority.publicKey;
}

/**
 * Makes a key for one service, and remembers it under `name` with what belongs to it.
 *
 * - k: what `use` handed out.
 * - about: `curve` says on which curve the key is; P-256 if it is left out.
 * - number: `{publicKey, number}` of a key that was made elsewhere, on a curve that WebCrypto lacks.
 * - Returns: the public key, a point in base64url.
 */
export async function makeServiceKey(k, name, about, number = null) {
  const record = await currentRecord();
  const { curve } = about;
  const made = { ...await (number ? k.keepNumber(name, { ...number, curve }) : k.makeKey(name, curve)), ...about };
  // Stored before the service hears of it.
  k.know(await changeRecord(record.id, (old) => ({ keys: { ...old.keys, [name]: made } })));
  return made.publicKey;
}

/** Changes what is remembered with a service's key; null forgets the key. */
export async function changeServiceKey(name, change) {
  const record = await currentRecord();
  if (!record) return;
  await changeRecord(record.id, ({ keys }) => {
    const { [name]: old, ...others } = keys;
    return { keys: change && old ? { ...others, [name]: { ...old, ...change } } : others };
  });
}

/** The keys for services in this browser whose names begin with `kind`: `{name, publicKey, …}` with what is remembered of each. */
export async function serviceKeys(kind = ofService) {
  const record = await currentRecord();
  return Object.entries(record?.keys ?? {}).filter(([name]) => name.startsWith(kind))
    .map(([name, { wrapped, ...rest }]) => ({ name, ...rest }));
}

async function confirmOnly({ signal }) {
  const { ceremony, confirmWithPasskey } = await opening();
  return (await confirmWithPasskey(await ceremony(), signal)).confirmedUntil;
}

async function confirmByPassphrase(record, given) {
  const { unlock } = await opening();
  const { keyring, confirmedUntil } = await unlock(record, "passphrase", given);
  keyring.close();
  return confirmedUntil;
}

// A session that was ended here without a network is over, even if the cookie is still there.
if (/^\/(wallet|console|desk)(\/|$)/.test(location.pathname) && await finishEnding() && navigator.onLine) {
  sessionIsOver("ended");
  goToSignIn();
}
