// How a browser becomes a device of an account: at set-up, by invitation, at sign-up, and beside a first device.
//
// The keys are stored before the server hears of them, and the server hears of everything in one request. When its
// answer does not come, the same `Joining` is asked again: it looks whether the thing happened before it repeats it.

import { Problem, api } from "../shell/api.js";
import { t } from "../shell/translate.js";
import { thumbprint } from "./jose.js";
import { Keyring, makeKeys, passkeySlot, passphraseSlot } from "./keyring.js";
import * as passkeys from "./passkeys.js";
import { addRecord, changeRecord, removeRecord } from "./records.js";
import { settle, signInWithPasskey, signInWithPassphrase } from "./sessions.js";
import { verifyReceipt } from "./trust.js";
import { now } from "./unlock.js";
import { passphraseKeys } from "./wrap.js";

export class Joining {
  /** Whether a request is out whose answer never came. */
  isUnanswered = false;
  #person;
  #trust;
  #authority;
  #passkey = null;
  #passphrase = null;
  #record = null;
  #keyring = null;
  #body = null;

  /**
   * - person: `{username, name?, deviceName}`.
   * - trust: the pin, or before set-up what is known of it.
   * - authority: whether an administrator's key is made, and whether it is sent with the request.
   */
  constructor(person, trust, authority = { make: false, send: false }) {
    this.#person = { ...person, username: person.username.toLowerCase() };
    this.#trust = trust;
    this.#authority = authority;
  }

  get record() {
    return this.#record;
  }

  /** The id of a passkey that was made for this; null for one that was there. */
  get madePasskey() {
    return this.#passkey?.registration?.id ?? null;
  }

  get hasPasskey() {
    return Boolean(this.#passkey);
  }

  isFor(username, name) {
    return this.#person.username === username.toLowerCase() && this.#person.name === name;
  }

  /** Whether the keys can be locked: by the passkey's secret, or by a passphrase. */
  get canLockKeys() {
    return Boolean(this.#passkey?.secret || this.#passphrase);
  }

  /** Makes a passkey. Afterwards `canLockKeys` says whether a passphrase is needed as well. */
  async makePasskey({ signal } = {}) {
    const { username, name } = this.#person;
    const options = await api.post("/api/passkeys/registration", { username }, { signal });
    const made = await passkeys.create(options, { displayName: name || username, signal });
    this.#passkey = { ...made, rpID: options.rp_id };
  }

  /**
   * Uses a passkey that the account has already (`{id, user, secret, transports, rpID}`): only its secret is needed.
   */
  usePasskey(passkey) {
    this.#passkey = passkey;
  }

  /** Takes the passphrase; the server gets only the half that does not open the keys. */
  async takePassphrase(passphrase) {
    const keys = await passphraseKeys(passphrase, this.#trust.publicURL, this.#person.username);
    this.#passphrase = { ...keys, passphrase };
  }

  /**
   * Makes the keys, stores them, and sends everything.
   *
   * - path, more: where to, and what else this way of joining needs.
   * - Returns: `{answer}`, or `{session}` when it had happened before. Throws what the server said; after Problem
   *   "offline" and the like the request is unanswered.
   */
  async send(path, more = {}) {
    if (!this.#record) await this.#makeRecord();
    this.#body ??= { ...more, ...await this.#parts() };
    try {
      this.isUnanswered = true;
      const answer = await api.post(path, this.#body, { allow401: true });
      this.isUnanswered = false;
      return { answer };
    } catch (problem) {
      if (isFinal(problem) && !this.#mayBeRepetition(problem)) await this.discard();
      else if (isFinal(problem) && !this.#passkey) return { session: await this.#signIn(problem) };
      throw problem;
    }
  }

  /**
   * After an answer that did not come: finds out what happened, and does it only if it did not.
   *
   * - Returns: `{answer}` of the request, or `{session}` when it had happened before.
   */
  async askAgain(path) {
    const before = await this.#currentSession();
    if (before) return { session: await settle(before) };
    try {
      const answer = await api.post(path, this.#body, { allow401: true });
      this.isUnanswered = false;
      return { answer };
    } catch (problem) {
      if (!isFinal(problem)) throw problem;
      return { session: await this.#signIn(problem) };
    }
  }

  /** The account is there: what the server said of it goes into the record. */
  async finish(session, { trust = this.#trust, certificate } = {}) {
    this.isUnanswered = false;
    await finishRecord(this.#record, session, { trust, certificate });
  }

  /** Nothing came of it: the keys go, and the authenticator hears that the passkey is of no use. */
  async discard() {
    this.isUnanswered = false;
    if (this.#record) await removeRecord(this.#record.id);
    if (this.#passkey?.registration) await passkeys.forget(this.#passkey.rpID, this.#passkey.id);
    this.#record = this.#body = this.#passkey = null;
  }

  async #makeRecord() {
    const { username, name, deviceName } = this.#person;
    const { walletKey, keys } = await makeKeys({ withAuthority: this.#authority.make });
    const slots = [];
    if (this.#passkey?.secret) slots.push(await passkeySlot(walletKey, this.#passkey));
    if (this.#passphrase) slots.push(await passphraseSlot(walletKey, this.#passphrase.slotKey));
    if (slots.length === 0) throw new Error("nothing would open these keys");
    this.#record = await addRecord({
      username, name: name || username, deviceName, slots, keys, trust: this.#trust,
      rpID: this.#passkey?.rpID ?? location.hostname,
      passkeys: this.#passkey ? [passkeys.named(this.#passkey)] : [],
    });
    this.#keyring = new Keyring(this.#record, walletKey);
  }

  /** The data that every way of joining sends: who joins, how they will sign in, and the proved keys. */
  async #parts() {
    const { username, deviceName } = this.#person;
    const audience = { aud: this.#trust.publicURL, username, iat: now() };
    const encryption = this.#keyring.publicKey("encryption");
    const proof = await this.#keyring.jws(
      "countersign-device+jwt", { ...audience, encryption_key: await thumbprint(encryption) });
    const authority = this.#authority.send && {
      authority_key: this.#keyring.publicKey("authority"),
      authority_proof: await this.#keyring.jws("countersign-authority+jwt", audience, { authority: true }),
    };
    this.#keyring.close();
    return {
      username,
      ...(this.#passkey?.registration ? { passkey: this.#passkey.registration } : {}),
      ...(this.#passphrase ? { passphrase: this.#passphrase.forServer } : {}),
      device: {
        name: deviceName, signing_key: this.#keyring.publicKey("signing"), encryption_key: encryption, proof,
      },
      ...authority,
    };
  }

  async #currentSession() {
    const current = await api.get("/api/sessions/current", { allow401: true }).catch((problem) => {
      if (problem.kind === "unauthenticated") return null;
      throw problem;
    });
    return current?.device?.signing_key === this.#record.keys.signing.publicKey ? current : null;
  }

  /**
   * Browsers repeat a request by themselves when a connection breaks before the answer. Then the first one may have
   * done it, and what is refused is the second: the passkey's challenge is used up, or name and code are.
   */
  #mayBeRepetition({ kind, detail }) {
    if (!this.#body.passkey) return ["conflict", "wrong-code"].includes(kind);
    return kind === "invalid-member" && detail.startsWith("passkey");
  }

  /**
   * The server refuses the repetition: because it was done already, or because it cannot be done any more. Signing in
   * tells the two apart.
   */
  async #signIn(refusal) {
    try {
      return this.#passkey
        ? await signInWithPasskey({ record: this.#record, passphrase: this.#passphrase?.passphrase })
        : await signInWithPassphrase(this.#record, this.#passphrase.passphrase);
    } catch (problem) {
      if (problem.kind !== "sign-in-failed") throw problem;
      await this.discard();
      throw refusal;
    }
  }
}

/** Makes a draft the device that the server says it is, and checks the log's receipt for it. */
export async function finishRecord(record, session, { trust = record.trust, certificate } = {}) {
  await changeRecord(record.id, { trust, pairing: undefined, ...(certificate ? { certificate } : {}) });
  await settle(session);
  const key = record.keys.signing.publicKey;
  const wanted = { type: "device.enrolled", members: { signing_key: key }, trust };
  if (session.receipt) return verifyReceipt(session.receipt.proof, wanted);
  // The session came on another way than with the answer that had the receipt: the log has it too.
  const isOurs = ({ type, receipt }) => type === wanted.type
    && verifyReceipt(receipt.proof, wanted).then(() => true, () => false);
  if (await api.find("/api/log/mine", isOurs)) return true;
  throw new Problem("trust", { detail: t`The log has no entry for this browser's keys. Tell the operator of the server.` });
}

/** Whether the server has decided: not when it was unreachable, overloaded, or failed in the middle. */
const isFinal = ({ status }) => status >= 400 && status < 500 && ![408, 429].includes(status);
