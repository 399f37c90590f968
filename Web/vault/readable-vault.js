// What is in an open vault: folders, files and notes, listed, found and read.

import { Problem } from "../shell/api.js";
import { t } from "../shell/translate.js";
import { openNode } from "./compartment.js";
import { Finding } from "./finding.js";
import { below, keepable } from "./keepable.js";
import { openedContent } from "./opened-content.js";
import { asItem, sealed } from "./shown-item.js";
import { root } from "./vault-state.js";

/** An order of items as one of nodes. */
export const ofNodes = ({ name, compare }) => ({ name, compare: (a, b) => compare(a.metadata ?? sealed, b.metadata ?? sealed) });

/** A vault as it is read; see vault-items.js for what changes it. */
export class ReadableVault {
  #state;
  #finding;

  /**
   * @param state a VaultState; @param limits those of the server
   * @param mayWrite false for somebody else's folder that one may only read
   * @param isInner true for a shared folder: others write there, so no item of it stands for a folder of the account's
   */
  constructor(state, limits, { mayWrite = true, isInner = false } = {}) {
    this.#state = state;
    this.#finding = new Finding(state);
    this.limits = limits;
    this.mayWrite = mayWrite;
    this.isInner = isInner;
    this.#finding.prepare();
  }

  /** For what changes it (vault-items.js), and what goes from one vault to another (moving.js). */
  get state() { return this.#state; }

  get compartment() { return this.#state.compartment; }
  /** The compartment's id, and whether only what is kept on this device is there. */
  get name() { return this.#state.name; }
  get isOffline() { return this.#state.isKept; }
  get quota() { return this.#state.quota; }
  get bytes() { return this.#state.bytes; }
  refresh() { return this.#state.refresh(); }

  /** An item, or undefined. */
  item(id) {
    const node = this.#state.nodes.get(id);
    return node && this.#shown(node);
  }

  /** What is in a folder. */
  children(folder) { return this.#items(({ under }) => under === folder); }

  /**
   * A page of a folder: `{items, total}`.
   *
   * @param question see finding.js; `order.compare` is given what `asItem` would say, times in milliseconds
   */
  page({ order, ...question }) {
    const { nodes, total } = this.#finding.page({ ...question, order: ofNodes(order) });
    return { items: nodes.map((node) => this.#shown(node)), total };
  }

  /** The first of what a search finds, as nodes in order; `search` in searching.js asks each vault. */
  best(words, order, count) { return this.#finding.best(words, ofNodes(order), count); }

  /** What is in the trash, the newest first; not what is in a folder that is there. */
  trashed() {
    const isTrashed = (id) => Boolean(this.#state.records.get(id)?.trashed);
    return [...this.#state.nodes.values()].filter(({ record, under }) => record.trashed && !isTrashed(under)).map((node) => this.#shown(node))
      .sort((a, b) => b.trashed - a.trashed);
  }

  /** The folders that an item can be moved to: `[{id, path}]`, the vault itself first. */
  folders(item) {
    const within = new Set(item ? this.below(item.id) : []);
    const list = this.#items(({ id, metadata }) => metadata?.kind === "folder" && !metadata.compartment && !within.has(id))
      .map(({ id, name, parent }) => ({ id, path: [...this.path(parent).map((one) => one.name), name].join(" / ") }));
    return [{ id: root, path: "" }, ...list.sort((a, b) => a.path.localeCompare(b.path))];
  }

  /** The folders that stand for compartments which a PIN opens too. */
  doors() { return this.#items(() => true).filter(({ door }) => door); }

  /** The folders from the top down to this one. */
  path(folder) {
    const path = [];
    for (let id = folder; id !== root; id = this.#state.nodes.get(id)?.under ?? root) {
      const item = this.item(id);
      if (!item) break;
      path.unshift(item);
    }
    return path;
  }

  /** Where an item is, in words. */
  placeOf({ parent }) { return this.path(parent).map(({ name }) => name).join(" / "); }

  /** What it takes to open some items without the server; see keepable.js. */
  keepable(ids) { return keepable(this.#state, ids.flatMap((id) => this.below(id))); }

  /** The folder that everything is in. */
  get top() { return root; }

  /** The ids of the issued documents that have a copy here, those in the trash included. */
  issued() { return new Set([...this.#state.nodes.values()].map(({ metadata }) => metadata?.issued?.id).filter(Boolean)); }

  /** How many items there are, those in the trash included. */
  get count() { return this.#state.records.size; }

  /** How many items a PIN opens, and no passkey does. */
  onlyByPIN() {
    return [...this.#state.nodes.values()].filter(({ locks }) => locks.length > 0 && locks.every(({ method }) => method === 1)).length;
  }

  /** The item whose lock is open; "" for none. */
  get unlocked() { return this.#state.locks[0]?.node ?? ""; }

  /** Opens the lock of one item, and of no other, until `closeItem`. Returns whether the key was right. */
  async openItem(id, lock) {
    const { record, folder } = this.#state.nodes.get(id) ?? {};
    if (!record) throw new Problem("not-found", { detail: t`This item is not in your vault any more.` });
    if (!await openNode(this.compartment, record, folder, [lock]).catch(() => null)) return false;
    await this.#state.unlock([{ ...lock, node: id }]);
    return true;
  }

  /** Closes the lock that `openItem` has opened. */
  async closeItem() {
    if (!this.unlocked) return;
    await this.#state.unlock([]);
    this.#finding.forget();
  }

  /** The content of a file, or of one of its earlier states, as a Blob. @param options those of `pour` in opened-content.js */
  async blob(item, { number = 0, ...options } = {}) {
    const parts = [];
    await (await this.content(item, number)).pour((bytes) => { parts.push(bytes); }, options);
    return new Blob(parts, { type: item.type ?? "application/octet-stream" });
  }

  /** The content of a file, or of one of its earlier states: `{size, pour(take, options)}`, a part at a time. */
  async content({ id }, number = 0) {
    const { key, record } = this.node(id);
    const stored = record.versions[number];
    if (!stored) throw new Problem("not-found", { detail: t`This file has no content any more.` });
    return openedContent(this.compartment, key, stored);
  }

  /** The node of an item, opened; refuses one that is gone or locked. */
  node(id) {
    const node = this.#state.nodes.get(id);
    if (!node) throw new Problem("not-found", { detail: t`This item is not in your vault any more.` });
    if (!node.key) throw new Problem("locked", { detail: t`This item has a lock of its own. Open it first.` });
    return node;
  }

  /** The ids of an item and of all that is in it, from the top down. */
  below(id) { return below(this.#state, id); }

  #items(test) { return this.#finding.nodes(test).map((node) => this.#shown(node)); }

  #shown(node) {
    const { compartment, share, ...item } = asItem(node);
    // A folder that stands for a compartment is shared, or it is a door: a PIN opens it too.
    return this.isInner ? item : { ...item, compartment, share, door: share ? undefined : compartment };
  }
}
