// What a person does with an open vault: folders, files and notes, added, found, changed, read and deleted.

import { Problem } from "../shell/api.js";
import { plain } from "../shell/list-source.js";
import { t } from "../shell/translate.js";
import { fromHex, hex } from "./bytes.js";
import { changeNode, makeNode } from "./compartment.js";
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

  /**
   * @param state a VaultState; @param limits those of the server
   * @param mayWrite false for somebody else's folder that one may only read
   * @param isInner true for a shared folder: others write there, so no item of it stands for a folder of the account's
   */
  constructor(state, limits, { mayWrite = true, isInner = false } = {}) {
    this.#state = state;
    this.limits = limits;
    this.mayWrite = mayWrite;
    this.isInner = isInner;
  }

  /** For what goes from one vault to another (moving.js). */
  get state() { return this.#state; }

  get compartment() { return this.#state.compartment; }
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
    return [...this.#state.nodes.values()].filter(({ record, under }) => record.trashed && !isTrashed(under)).map((node) => this.#shown(node))
      .sort((a, b) => b.trashed - a.trashed);
  }

  /** The folders that an item can be moved to: `[{id, path}]`, the vault itself first. */
  folders(item) {
    const below = new Set(item ? this.below(item.id) : []);
    const list = this.#items(({ id, metadata }) => metadata?.kind === "folder" && !metadata.compartment && !below.has(id))
      .map(({ id, name, parent }) => ({ id, path: [...this.path(parent).map((one) => one.name), name].join(" / ") }));
    return [{ id: root, path: "" }, ...list.sort((a, b) => a.path.localeCompare(b.path))];
  }

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

  /** @param members further ones of its metadata, such as those of a shared folder; gives its id */
  async addFolder(parent, name, members = {}) { return this.#add(parent, { kind: "folder", name: cleanName(name), ...members }); }

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
    await this.#put(parent, made, metadata, versions);
    return hex(made.key.node);
  }

  async #send(key, blob, transfer) {
    const version = newVersion(this.compartment, key.node, blob.size, Date.now());
    const content = await contentSealer(version, async (from, to) => new Uint8Array(await blob.slice(from, to).arrayBuffer()));
    const upload = await send(this.#state.name, content, transfer);
    return versionRecord(this.compartment, key, version, fromHex(upload));
  }

  async #add(parent, metadata) {
    const made = await this.#make(parent, metadata);
    await this.#put(parent, made, metadata, []);
    return hex(made.key.node);
  }

  #make(parent, metadata) {
    const now = Date.now();
    return makeNode(this.compartment, { ...metadata, created: now, modified: now }, this.#folder(parent));
  }

  /**
   * Puts an item into a folder with metadata and contents that come from elsewhere.
   *
   * @param contents its states as Blobs, the newest first
   */
  async addCopy(parent, metadata, contents, transfer) {
    const made = await this.#make(parent, metadata);
    const versions = [];
    for (const content of contents.toReversed()) versions.unshift(await this.#send(made.key, content, transfer));
    await this.#put(parent, made, metadata, versions);
    return hex(made.key.node);
  }

  /** Puts an item with an id and contents that are at the server already into a folder. `seal` gives its versions for its key. */
  async adopt(parent, id, metadata, seal) {
    const made = await makeNode(this.compartment, { ...metadata, modified: Date.now() }, this.#folder(parent), { id });
    await this.#put(parent, made, metadata, await seal(made.key));
    return hex(id);
  }

  /** Changes further members of an item's metadata, such as those of a shared folder. */
  async mark(id, members) { await this.#change(id, ({ metadata }) => ({ metadata: { ...metadata, ...members } })); }

  /** Stores a new node; where another device was quicker, it is sealed again for the folder as it is now. */
  async #put(parent, { key }, metadata, versions) {
    const now = Date.now();
    await this.#state.change(async ({ compartment }) => {
      const unborn = { key, locks: [], record: { id: key.node, revision: 0 } };
      const { record } = await changeNode(compartment, unborn, this.#folder(parent), { metadata: { ...metadata, created: now, modified: now }, versions });
      return { put: [record] };
    });
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
      if (parent && this.below(id).includes(parent)) throw new Problem("invalid", { detail: t`A folder cannot be moved into itself.` });
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

  /** Moves an item to the trash, with all that is in it. */
  async trash(id) {
    this.#refuseShared(id);
    await this.#inGroups([id, ...this.below(id).slice(1)], (trash) => ({ trash }), ({ trashed }) => !trashed);
  }

  /** Puts an item back, with all that went to the trash with it. */
  async restore(id) {
    await this.#inGroups([id, ...this.below(id).slice(1)], (restore) => ({ restore }), ({ trashed }) => Boolean(trashed));
    const { under } = this.#node(id);
    // Its folder is in the trash itself: it comes back at the top.
    if (under !== root && this.#state.records.get(under)?.trashed) await this.describe(id, { parent: root });
  }

  /** A folder that is shared has its key here alone: it is not thrown away with another one. */
  #refuseShared(id) {
    if (this.isInner || !this.below(id).slice(1).some((one) => this.#state.nodes.get(one)?.metadata?.compartment)) return;
    throw new Problem("conflict", { detail: t`There is a shared folder in it. Move it out, or end it, first.` });
  }

  /** Destroys an item, with all that is in it. */
  async remove(id) { await this.#inGroups([id, ...this.below(id).slice(1)], (remove) => ({ remove }), () => true); }

  async #inGroups(ids, change, isMeant) {
    for (let at = 0; at < ids.length; at += group) {
      await this.#state.change(({ records }) => change(ids.slice(at, at + group).filter((id) => records.has(id) && isMeant(records.get(id)))));
    }
  }

  /** What the vault remembers beside its items under a name, such as the names of links. */
  remembered(name) { return this.#settings()?.metadata[name]; }

  /** Remembers it. */
  async remember(name, value) {
    const known = this.#settings();
    if (known) await this.mark(known.id, { [name]: value });
    else await this.#add(root, { kind: "settings", name: "settings", [name]: value });
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

  /** The ids of an item and of all that is in it, from the top down. */
  below(id) {
    const byParent = new Map();
    for (const { id: one, under } of this.#state.nodes.values()) byParent.set(under, [...(byParent.get(under) ?? []), one]);
    const all = [id];
    for (let at = 0; at < all.length; at += 1) all.push(...(byParent.get(all[at]) ?? []));
    return all;
  }

  #items(test) {
    return [...this.#state.nodes.values()]
      .filter((node) => !node.record.trashed && node.metadata?.kind !== "settings" && test(node)).map((node) => this.#shown(node));
  }

  #shown(node) {
    const { compartment, share, ...item } = asItem(node);
    return this.isInner ? item : { ...item, compartment, share };
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
    thumbnail: metadata.thumbnail, original: metadata.file_name, compartment: metadata.compartment, share: metadata.share,
  };
}

/** Another device has changed a text while it was edited here. */
class Changed extends Error {}

/** The members of an object that have a value. */
const defined = (object) => Object.fromEntries(Object.entries(object).filter(([, value]) => value !== undefined));
