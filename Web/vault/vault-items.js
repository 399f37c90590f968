// What a person does with an open vault: folders, files and notes, added, found, changed, read and deleted.

import { Problem } from "../shell/api.js";
import { b64u } from "../shell/core.js";
import { plain } from "../shell/list-source.js";
import { t } from "../shell/translate.js";
import { fromHex, hex } from "./bytes.js";
import { changeNode, makeNode, openNode, relockNode } from "./compartment.js";
import { contentReader, contentSealer, headerLength, newVersion, openVersion, versionRecord } from "./content.js";
import { cleanName, cleanTags } from "./metadata.js";
import { received, send } from "./transfers.js";
import { root } from "./vault-state.js";

/** How much of a content is fetched and opened at once, in bytes of the message: whole chunks. */
const step = 4 << 20;
/** The most nodes that are moved to the trash in one change. */
const group = 900;
const keptVersions = 10;

export class Vault {
  #state;
  #found = new Map();

  /** @param state a VaultState; @param limits those of the server */
  constructor(state, limits) {
    this.#state = state;
    this.limits = limits;
  }

  get compartment() { return this.#state.compartment; }
  get quota() { return this.#state.quota; }
  get bytes() { return this.#state.bytes; }
  refresh() { return this.#state.refresh(); }

  /** An item, or undefined. */
  item(id) {
    const node = this.#state.nodes.get(id);
    return node && asItem(node);
  }

  /** What is in a folder. */
  children(folder) { return this.#items(({ under }) => under === folder); }

  /** The items whose name, tags or text have all words of a search, which is as `plain` makes it. */
  search(words) {
    const wanted = words.split(/\s+/).filter(Boolean);
    return this.#items((node) => {
      const hay = this.#hay(node);
      return wanted.every((word) => hay.includes(word));
    });
  }

  /** What is in the trash, the newest first; not what is in a folder that is there. */
  trashed() {
    const isTrashed = (id) => Boolean(this.#state.records.get(id)?.trashed);
    return [...this.#state.nodes.values()].filter(({ record, under }) => record.trashed && !isTrashed(under)).map(asItem)
      .sort((a, b) => b.trashed - a.trashed);
  }

  /** The folders that an item can be moved to: `[{id, path}]`, the vault itself first. */
  folders(item) {
    const below = new Set(item ? this.#below(item.id) : []);
    const list = this.#items(({ id, metadata }) => metadata?.kind === "folder" && !metadata.compartment && !below.has(id))
      .map(({ id, name, parent }) => ({ id, path: [...this.path(parent).map((one) => one.name), name].join(" / ") }));
    return [{ id: root, path: "" }, ...list.sort((a, b) => a.path.localeCompare(b.path))];
  }

  /** The folders that stand for compartments of their own. */
  doors() { return this.#items(({ metadata }) => Boolean(metadata?.compartment)); }

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

  addFolder(parent, name) { return this.#add(parent, { kind: "folder", name: cleanName(name) }); }

  /** A folder that stands for a compartment: `key` opens what is in it. */
  addDoor(parent, name, key) { return this.#add(parent, { kind: "folder", name: cleanName(name), compartment: b64u(key) }); }

  addNote(parent, { name, text }) { return this.#add(parent, { kind: "note", name: cleanName(name), text }); }

  /**
   * Seals a file, sends it and puts it in its folder.
   *
   * @param file `{name, blob, before, thumbnail}`; `before` is an earlier state that is kept as a version
   * @param transfer see transfers.js
   */
  async addFile(parent, { name, blob, before, thumbnail }, transfer) {
    const metadata = {
      kind: "file", name: cleanName(name), media_type: (blob.type || "application/octet-stream").slice(0, 127), size: blob.size,
      ...(thumbnail ? { thumbnail } : {}), ...(blob.name && blob.name !== name ? { file_name: cleanName(blob.name) } : {}),
    };
    const made = await this.#make(parent, metadata);
    const versions = [];
    for (const content of before ? [before, blob] : [blob]) versions.unshift(await this.#send(made.key, content, transfer));
    return this.#put(parent, made, metadata, versions);
  }

  /**
   * Takes in what another compartment has: metadata as it is there, dates and all.
   *
   * @param blobs the states of a file, the newest first
   */
  async adopt(parent, metadata, blobs, transfer) {
    const made = await this.#make(parent, metadata);
    const versions = [];
    for (const blob of blobs) versions.push(await this.#send(made.key, blob, transfer));
    return this.#put(parent, made, metadata, versions);
  }

  /** The metadata of an item that is open, as it is stored. */
  metadata(id) { return this.#node(id).metadata; }

  async #send(key, blob, transfer) {
    const version = newVersion(this.compartment, key.node, blob.size, Date.now());
    const content = await contentSealer(version, async (from, to) => new Uint8Array(await blob.slice(from, to).arrayBuffer()));
    const upload = await send(this.#state.name, content, transfer);
    return versionRecord(this.compartment, key, version, fromHex(upload));
  }

  async #add(parent, metadata) { return this.#put(parent, await this.#make(parent, metadata), metadata, []); }

  #make(parent, metadata) {
    const now = Date.now();
    return makeNode(this.compartment, { created: now, modified: now, ...metadata }, this.#folder(parent));
  }

  /** Stores a new node; where another device was quicker, it is sealed again for the folder as it is now. */
  async #put(parent, { key }, metadata, versions) {
    const now = Date.now();
    const dated = { created: now, modified: now, ...metadata };
    await this.#state.change(async ({ compartment }) => {
      const unborn = { key, locks: [], record: { id: key.node, revision: 0 } };
      const { record } = await changeNode(compartment, unborn, this.#folder(parent), { metadata: dated, versions });
      return { put: [record] };
    });
    return hex(key.node);
  }

  /**
   * Changes name, tags, text, reminder or folder of an item.
   *
   * @param before the text that was read; when another device has changed it since, both texts are kept
   */
  async describe(id, { name, tags, text, expires, parent }, before) {
    await this.#change(id, (node) => {
      const old = node.metadata;
      if (text !== undefined && before !== undefined && ![before, text].includes(old.text)) throw new Changed();
      if (parent && this.#below(id).includes(parent)) throw new Problem("invalid", { detail: t`A folder cannot be moved into itself.` });
      const metadata = {
        ...old, ...(name === undefined ? {} : { name: cleanName(name) }),
        ...(text === undefined ? {} : { text }), ...(tags === undefined ? {} : { tags: cleanTags(tags) }),
        ...(expires === undefined ? {} : { expires: expires === null ? undefined : expires * 1000 }),
      };
      return { metadata, parent };
    }).catch(async (error) => {
      if (!(error instanceof Changed)) throw error;
      const { under, metadata } = this.#node(id);
      await this.addNote(under, { name: t`${name ?? metadata.name} (changed here)`, text });
      throw new Problem("conflict", { detail: t`Another device has changed this note. Yours is beside it, with “changed here” in its name.` });
    });
  }

  /** Puts another content before the present one of a file. */
  async replace(id, blob, thumbnail, transfer) {
    const version = await this.#send(this.#node(id).key, blob, transfer);
    await this.#change(id, ({ metadata, record }) => ({
      metadata: { ...metadata, size: blob.size, media_type: blob.type || metadata.media_type, thumbnail },
      versions: [version, ...record.versions].slice(0, keptVersions),
    }));
  }

  /** Changes a node: `make` gives `{metadata, versions, parent}` for its present state. */
  async #change(id, make) {
    await this.#state.change(async ({ compartment }) => {
      const node = this.#node(id);
      const { metadata, versions, parent = node.under } = make(node);
      const changed = defined({ ...metadata, modified: Date.now() });
      return { put: [(await changeNode(compartment, node, this.#folder(parent), { metadata: changed, versions })).record] };
    });
  }

  /** Under which key a draft of a note is kept: that of an item that has a lock is behind it too. */
  draftPlace(id) {
    const node = id === undefined ? null : this.#node(id);
    return node?.locks.length > 0 ? { key: node.key.key, id: this.compartment.id } : this.compartment;
  }

  /** Puts these locks before an item, or takes all off: the item gets another key. */
  async setLocks(id, locks) {
    await this.#state.change(async ({ compartment }) => {
      const node = this.#node(id);
      const rewrap = (key) => Promise.all(node.record.versions.map(
        async (one) => versionRecord(compartment, key, await openVersion(compartment, node.key, one), one.content)));
      return { put: [(await relockNode(compartment, node, this.#folder(node.under), locks, rewrap)).record] };
    });
  }

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
  async closeItem() { if (this.unlocked) await this.#state.unlock([]); }

  /** Moves an item to the trash, with all that is in it. */
  async trash(id) {
    await this.#inGroups([id, ...this.#below(id).slice(1)], (trash) => ({ trash }), ({ trashed }) => !trashed);
  }

  /** Puts an item back, with all that went to the trash with it. */
  async restore(id) {
    await this.#inGroups([id, ...this.#below(id).slice(1)], (restore) => ({ restore }), ({ trashed }) => Boolean(trashed));
    const { under } = this.#state.nodes.get(id) ?? { under: root };
    // Its folder is in the trash itself: it comes back at the top.
    if (under !== root && this.#state.records.get(under)?.trashed) await this.describe(id, { parent: root });
  }

  /** Destroys an item, with all that is in it. */
  async remove(id) { await this.#inGroups([id, ...this.#below(id).slice(1)], (remove) => ({ remove }), () => true); }

  async #inGroups(ids, change, isMeant) {
    for (let at = 0; at < ids.length; at += group) {
      await this.#state.change(({ records }) => change(ids.slice(at, at + group).filter((id) => records.has(id) && isMeant(records.get(id)))));
    }
  }

  /** What the owner knows of the four PIN slots: `[{reset, purpose, node}]`; none in a vault that a PIN for less has opened. */
  pinSlots() { return this.#settings()?.metadata.settings?.pins ?? []; }

  /** Remembers what the owner knows of the four PIN slots. */
  async setPINSlots(pins) {
    const known = this.#settings();
    if (known) await this.#change(known.id, ({ metadata }) => ({ metadata: { ...metadata, settings: { pins } } }));
    else await this.#add(root, { kind: "settings", name: "settings", settings: { pins } });
  }

  #settings() { return [...this.#state.nodes.values()].find(({ metadata, record }) => metadata?.kind === "settings" && !record.trashed); }

  /** The content of a file, or of one of its earlier states, as a Blob. */
  async blob(item, onProgress = () => {}, number = 0) {
    const parts = [];
    await this.#pour(item, number, (bytes) => { parts.push(bytes); }, onProgress);
    return new Blob(parts, { type: item.type ?? "application/octet-stream" });
  }

  /** Writes the content of a file into a stream, a part at a time, and closes it. */
  async pour(item, file, onProgress = () => {}) {
    await this.#pour(item, 0, (bytes) => file.write(bytes), onProgress);
    await file.close();
  }

  async #pour(item, number, take, onProgress) {
    try {
      await this.#read(item, number, take, onProgress);
    } catch (error) {
      if (error.name !== "VaultError") throw error;
      throw new Problem("vault-broken", { detail: t`This file was changed at the server. It was not opened.`, cause: error });
    }
  }

  async #read({ id }, number, take, onProgress) {
    const { key, record } = this.#node(id);
    const stored = record.versions[number];
    if (!stored) throw new Problem("not-found", { detail: t`This file has no content any more.` });
    const version = await openVersion(this.compartment, key, stored);
    const read = (from, to) => received(stored.content, from, to);
    const content = await contentReader(version, await read(0, headerLength), read);
    for (let at = 0; at < version.size; at += step) {
      await take(await content.bytes(at, Math.min(at + step, version.size)));
      onProgress(Math.min(1, (at + step) / version.size));
    }
    await content.checkEnd();
  }

  #node(id) {
    const node = this.#state.nodes.get(id);
    if (!node) throw new Problem("not-found", { detail: t`This item is not in your vault any more.` });
    if (!node.key) throw new Problem("locked", { detail: t`This item has a lock of its own. Open it first.` });
    return node;
  }

  #folder(id) {
    const key = this.#state.keyOf(id);
    if (!key) throw new Problem("not-found", { detail: t`This folder is not in your vault any more.` });
    return key;
  }

  /** An item and all that is in it. */
  #below(id) {
    const byParent = new Map();
    for (const { id: one, under } of this.#state.nodes.values()) byParent.set(under, [...(byParent.get(under) ?? []), one]);
    const all = [id];
    for (let at = 0; at < all.length; at += 1) all.push(...(byParent.get(all[at]) ?? []));
    return all;
  }

  #items(test) {
    return [...this.#state.nodes.values()]
      .filter((node) => !node.record.trashed && node.metadata?.kind !== "settings" && test(node)).map(asItem);
  }

  #hay(node) {
    const { id, record: { revision } } = node;
    const known = this.#found.get(id);
    if (known?.revision === revision && known.isOpen === Boolean(node.key)) return known.hay;
    const { name = "", tags = [], text = "" } = node.metadata ?? {};
    const hay = plain([name, ...tags, text].join(" "));
    this.#found.set(id, { revision, isOpen: Boolean(node.key), hay });
    return hay;
  }
}

/** What the pages show of a node; times in seconds. */
function asItem({ id, record, under, metadata, locks }) {
  const base = { id, parent: under, revision: record.revision, versions: record.versions, trashed: record.trashed, isLocked: !metadata, locks };
  if (!metadata) return { ...base, kind: "file", name: t`Locked item`, tags: [], created: 0, modified: 0, size: 0 };
  const seconds = (time) => (time === undefined ? undefined : Math.floor(time / 1000));
  return {
    ...base, kind: metadata.kind, name: metadata.name, type: metadata.media_type, tags: metadata.tags ?? [], text: metadata.text,
    created: seconds(metadata.created), modified: seconds(metadata.modified), expires: seconds(metadata.expires), size: metadata.size ?? 0,
    thumbnail: metadata.thumbnail, original: metadata.file_name, door: metadata.compartment,
  };
}

/** Another device has changed a text while it was edited here. */
class Changed extends Error {}

/** The members of an object that have a value. */
const defined = (object) => Object.fromEntries(Object.entries(object).filter(([, value]) => value !== undefined));
