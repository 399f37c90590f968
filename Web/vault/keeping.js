// Keeping items on this device, so that they open without a network: sealed as they are at the server. The same ways open them
// that need no server: a passkey's secret, this browser's keys, the recovery key. A PIN needs the server, which counts its tries.

import { Problem } from "../shell/api.js";
import { bytes, notice } from "../shell/dom.js";
import { t } from "../shell/translate.js";
import { fromHex } from "./bytes.js";
import { chosenIn, choose, indexes, indexOf, partLength, partsHere, putPart, removeContents, setIndex } from "./kept-store.js";
import { fetched, Transfer } from "./transfers.js";

/** How much of the browser's room stays free, in bytes. */
const spare = 16 << 20;

/**
 * What is kept of the vault that is open.
 *
 * @param page `{vault(), stored()}`: what is open, and what the server says of it
 */
export class Keeping {
  #page;
  #chosen = [];
  #kept = new Set();
  #index = null;
  #work = Promise.resolve();

  constructor(page) {
    this.#page = page;
  }

  /** Reads what is kept of the vault that was opened, and brings it in line with the server. Returns whether other items are kept now. */
  begin() {
    return this.#alone(async () => {
      const vault = this.#page.vault();
      const before = [...this.#kept].join();
      this.#chosen = await chosenIn(vault.name) ?? [];
      this.#know(await indexOf(vault.name));
      if (!vault.isOffline && (this.#chosen.length > 0 || this.#index)) await this.#sync(new Transfer(""));
      return before !== [...this.#kept].join();
    });
  }

  /** Whether an item is kept, by itself or with its folder; and whether it was chosen. */
  isKept(id) { return this.#kept.has(id); }
  isChosen(id) { return this.#chosen.includes(id); }

  /** The chosen items, and how many bytes all that is kept takes. */
  chosen() { return this.#chosen.map((id) => this.#page.vault().item(id)).filter(Boolean); }
  get size() { return Object.values(this.#index?.contents ?? {}).reduce((sum, { length }) => sum + length, 0); }
  get count() { return this.#kept.size; }
  get at() { return this.#index?.at; }

  /** Keeps an item or a folder with all that is in it. Throws when there is no room: then nothing has changed. */
  add(id, transfer) {
    return this.#alone(async () => {
      const before = this.#chosen;
      this.#chosen = [...before.filter((one) => one !== id), id];
      try {
        await this.#sync(transfer);
        await choose(this.#page.vault().name, this.#chosen);
        navigator.storage?.persist?.().catch(() => {});
      } catch (error) {
        this.#chosen = before;
        await this.#tidy().catch(() => {});
        throw full(error);
      }
    });
  }

  /** Removes an item, or with no id everything, from this device. */
  remove(id) {
    return this.#alone(async () => {
      const vault = this.#page.vault();
      this.#chosen = id ? this.#chosen.filter((one) => one !== id) : [];
      await choose(vault.name, this.#chosen);
      if (vault.isOffline) await this.#shrink(vault);
      else await this.#sync(new Transfer(""));
    });
  }

  /** One thing after the other. */
  #alone(work) {
    const done = this.#work.then(work);
    this.#work = done.catch(() => {});
    return done;
  }

  #know(index) {
    this.#index = index ?? null;
    this.#kept = new Set(index?.items ?? []);
  }

  /** Fetches what is missing and forgets what is not wanted. What was kept before stays until the new state is whole. */
  async #sync(transfer) {
    const [vault, stored] = [this.#page.vault(), this.#page.stored()];
    this.#chosen = this.#chosen.filter((id) => isKeepable(vault.item(id)));
    if (this.#chosen.length === 0) {
      await setIndex(vault.name, null);
      this.#know(null);
      return this.#tidy();
    }
    const { items, records, contents } = vault.keepable(this.#chosen);
    const here = await partsHere();
    const missing = [...contents].flatMap(([content, { length, item }]) => (
      Array.from({ length: Math.ceil(length / partLength) }, (_, number) => ({ content, length, item, number }))
        .filter(({ number }) => !here.get(content)?.has(number))));
    await requireRoom(missing);
    for (const [at, { content, length, number }] of missing.entries()) {
      await transfer.turn();
      const from = number * partLength;
      await putPart(content, number, await fetched(fromHex(content), from, Math.min(from + partLength, length), transfer.signal));
      transfer.moved((at + 1) / missing.length);
    }
    // What is kept has to open: now is the time to find out that it does not.
    for (const id of new Set(missing.map(({ item }) => item))) {
      await (await vault.content(vault.item(id))).pour(() => transfer.turn(), { signal: transfer.signal });
    }
    const index = {
      at: Math.floor(Date.now() / 1000), salt: stored.salt, slots: stored.slots, limits: stored.limits, bytes: vault.bytes, quota: vault.quota,
      items, records, contents: Object.fromEntries(contents),
    };
    await setIndex(vault.name, index);
    this.#know(index);
    return this.#tidy();
  }

  /** Without a network: what is not chosen any more goes. */
  async #shrink(vault) {
    const { items, records, contents } = vault.keepable(this.#chosen);
    const index = this.#chosen.length === 0 ? null : { ...this.#index, items, records, contents: Object.fromEntries(contents) };
    await setIndex(vault.name, index);
    this.#know(index);
    await this.#tidy();
  }

  /** Forgets the contents that no compartment's index names. */
  async #tidy() {
    const used = new Set((await indexes()).flatMap(({ contents }) => Object.keys(contents)));
    await removeContents([...(await partsHere()).keys()].filter((content) => !used.has(content)));
  }
}

/** What has got a lock of its own, or has gone, is not kept any more. */
const isKeepable = (item) => Boolean(item) && !item.trashed && item.locks.length === 0;

async function requireRoom(missing) {
  const wanted = missing.reduce((sum, { length, number }) => sum + Math.min(partLength, length - number * partLength), 0);
  const { quota, usage } = await navigator.storage?.estimate?.().catch(() => ({})) ?? {};
  if (quota === undefined || wanted + spare <= quota - usage) return;
  throw new Problem("refused", { detail: t`There is too little room on this device: ${bytes(wanted)} are needed, and ${bytes(Math.max(0, quota - usage - spare))} are free. Nothing was kept.` });
}

/** Storage that is full says so in the browser's words. */
function full(error) {
  if (error.name !== "QuotaExceededError") return error;
  return new Problem("refused", { detail: t`There is no room left on this device. Nothing was kept: remove something else first.`, cause: error });
}

/** Says that what is kept could not be brought up to date. */
export const sayStale = () => notice("warning", t`The items kept on this device could not be brought up to date. They open as they were.`);
