// What a person does with an open vault: folders, files and notes, added, found, changed, read and deleted.

import { Problem } from "../shell/api.js";
import { t } from "../shell/translate.js";
import { fromHex, hex } from "./bytes.js";
import { changeNode, makeNode } from "./compartment.js";
import { contentReader, contentSealer, headerLength, newVersion, openVersion, versionRecord } from "./content.js";
import { Finding } from "./finding.js";
import { issuedType } from "./issued-type.js";
import { cleanName, cleanTags } from "./metadata.js";
import { toServer } from "./reading.js";
import { received, send, unsend } from "./transfers.js";
import { root } from "./vault-state.js";

/** How much of a content is fetched and opened at once, in bytes of the message: whole chunks. */
const step = 4 << 20;
/** The most nodes that are moved to the trash in one change. */
const group = 900;
const keptVersions = 10;

export class Vault {
  #state;
  #finding;

  /** @param state a VaultState; @param limits those of the server */
  constructor(state, limits) {
    this.#state = state;
    this.#finding = new Finding(state);
    this.limits = limits;
    this.#finding.prepare();
  }

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
    return node && asItem(node);
  }

  /** What is in a folder. */
  children(folder) { return this.#items(({ under }) => under === folder); }

  /**
   * A page of a folder, or of what a search finds: `{items, total}`.
   *
   * @param question see finding.js; `order.compare` is given what `asItem` would say, times in milliseconds
   */
  page({ order, ...question }) {
    const compare = (a, b) => order.compare(a.metadata ?? sealed, b.metadata ?? sealed);
    const { nodes, total } = this.#finding.page({ ...question, order: { name: order.name, compare } });
    return { items: nodes.map(asItem), total };
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
    const list = this.#items(({ id, metadata }) => metadata?.kind === "folder" && !below.has(id))
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

  addFolder(parent, name) { return this.#add(parent, { kind: "folder", name: cleanName(name) }); }

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
    const { key } = await this.#make(parent, metadata);
    const versions = [];
    for (const content of before ? [before, blob] : [blob]) versions.unshift(await this.#send(key, content.size, reading(content), transfer));
    return this.addAll([{ parent, key, metadata, versions }]).then(([id]) => id);
  }

  /**
   * An item that is not in the vault yet, with its content sent: `addAll` puts it there.
   *
   * @param read gives the bytes of the content from one place to another, each part once and in order; none for a folder
   */
  async draft(parent, metadata, read, transfer) {
    const { key } = await this.#make(parent, metadata);
    return { parent, key, metadata, versions: read ? [await this.#send(key, metadata.size, read, transfer)] : [] };
  }

  async #send(key, size, read, transfer) {
    const version = newVersion(this.compartment, key.node, size, Date.now());
    const upload = await send(this.#state.name, await contentSealer(version, read), transfer);
    return versionRecord(this.compartment, key, version, fromHex(upload));
  }

  async #add(parent, metadata) { return this.addAll([await this.draft(parent, metadata)]).then(([id]) => id); }

  #make(parent, metadata) {
    const now = Date.now();
    return makeNode(this.compartment, { ...metadata, created: now, modified: now }, this.#folder(parent));
  }

  /**
   * Stores new nodes in one change; where another device was quicker, they are sealed again for their folders as they are now.
   *
   * @returns their ids
   */
  async addAll(drafts) {
    const now = Date.now();
    await this.#state.change(async ({ compartment }) => ({ put: await Promise.all(drafts.map(async ({ parent, key, metadata, versions }) => {
      const unborn = { key, locks: [], record: { id: key.node, revision: 0 } };
      const whole = { created: now, modified: now, ...metadata };
      return (await changeNode(compartment, unborn, this.#folder(parent), { metadata: whole, versions })).record;
    })) }));
    return drafts.map(({ key }) => hex(key.node));
  }

  /** Takes back what was sent for drafts that will not be stored. What stays all the same is swept after a day. */
  async discard(drafts) {
    await Promise.allSettled(drafts.flatMap(({ versions }) => versions).map(({ content }) => unsend(hex(content))));
  }

  /** Makes a folder that nobody sees, and nothing in it, until it is restored: it waits in the trash. Returns its id. */
  async stage(parent, name) {
    const id = await this.addFolder(parent, name);
    await this.#state.change(() => ({ trash: [id] }));
    return id;
  }

  /** What was left in a folder in the trash a day ago goes there too: an import that broke off. So all of it goes together. */
  async settle() {
    const { nodes, records } = this.#state;
    const since = ({ under }) => records.get(under)?.trashed ?? (nodes.has(under) ? since(nodes.get(under)) : Infinity);
    const left = [...nodes.values()].filter((node) => node.isHidden && !node.record.trashed && since(node) < Date.now() / 1000 - 86_400);
    if (left.length > 0) await this.#inGroups(left.map(({ id }) => id), (trash) => ({ trash }), ({ trashed }) => !trashed);
  }

  /**
   * What it takes to open some items without the server: `{items, records, contents}`, with all that is in folders and the folders
   * above. `contents` are the newest contents by id: `{length, item}`, the length sealed.
   */
  keepable(ids) {
    const { nodes } = this.#state;
    const items = [...new Set(ids.flatMap((id) => this.#below(id)))].filter((id) => nodes.has(id) && !nodes.get(id).record.trashed && !nodes.get(id).isHidden);
    const wanted = new Set(items);
    for (const id of items) for (let at = nodes.get(id).under; at !== root && nodes.has(at); at = nodes.get(at).under) wanted.add(at);
    const records = [...wanted].map((id) => nodes.get(id).record)
      .map((record) => ({ ...toServer(record), versions: toServer({ ...record, versions: record.versions.slice(0, 1) }).versions }));
    const contents = new Map();
    for (const item of items) {
      const newest = nodes.get(item).record.versions[0];
      if (newest) contents.set(hex(newest.content), { length: newest.sealedLength, item });
    }
    return { items, records, contents };
  }

  /** The folder that everything is in. */
  get top() { return root; }

  /** The ids of the issued documents that have a copy here, those in the trash included. */
  issued() { return new Set([...this.#state.nodes.values()].map(({ metadata }) => metadata?.issued?.id).filter(Boolean)); }

  /** How many items there are, those in the trash included. */
  get count() { return this.#state.records.size; }

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
    const version = await this.#send(this.#node(id).key, blob.size, reading(blob), transfer);
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
    await this.#inGroups([id, ...this.#below(id).slice(1)], (trash) => ({ trash }), ({ trashed }) => !trashed);
  }

  /** Puts an item back, with all that went to the trash with it. */
  async restore(id) {
    await this.#inGroups([id, ...this.#below(id).slice(1)], (restore) => ({ restore }), ({ trashed }) => Boolean(trashed));
    const { under } = this.#node(id);
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
    await (await this.content(item, number)).pour((bytes) => { parts.push(bytes); }, onProgress);
    return new Blob(parts, { type: item.type ?? "application/octet-stream" });
  }

  /** Writes the content of a file into a stream, a part at a time, and closes it. */
  async pour(item, file, onProgress = () => {}) {
    await (await this.content(item)).pour((bytes) => file.write(bytes), onProgress);
    await file.close();
  }

  /** The content of a file, or of one of its earlier states: `{size, pour(take, onProgress)}`, a part at a time. */
  async content({ id }, number = 0) {
    const { key, record } = this.#node(id);
    const stored = record.versions[number];
    if (!stored) throw new Problem("not-found", { detail: t`This file has no content any more.` });
    const version = await openVersion(this.compartment, key, stored).catch(broken);
    const read = (from, to) => received(stored.content, from, to);
    const pour = async (take, onProgress = () => {}) => {
      const content = await contentReader(version, await read(0, headerLength), read);
      for (let at = 0; at < version.size; at += step) {
        await take(await content.bytes(at, Math.min(at + step, version.size)));
        onProgress(Math.min(1, (at + step) / version.size));
      }
      await content.checkEnd();
    };
    return { size: version.size, pour: (take, onProgress) => pour(take, onProgress).catch(broken) };
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
    for (const { id: one, under } of this.#state.nodes.values()) {
      if (!byParent.has(under)) byParent.set(under, []);
      byParent.get(under).push(one);
    }
    const all = [id];
    for (let at = 0; at < all.length; at += 1) all.push(...(byParent.get(all[at]) ?? []));
    return all;
  }

  #items(test) { return this.#finding.nodes(test).map(asItem); }
}

/** How the bytes of a blob are read. */
const reading = (blob) => async (from, to) => new Uint8Array(await blob.slice(from, to).arrayBuffer());

/** A content that does not open was changed at the server. */
function broken(error) {
  if (error.name !== "VaultError") throw error;
  throw new Problem("vault-broken", { detail: t`This file was changed at the server. It was not opened.`, cause: error });
}

/** What is known of an item that has a lock of its own. */
const sealed = { kind: "file", name: t`Locked item`, modified: 0, size: 0 };

/** What the pages show of a node; times in seconds. */
function asItem({ id, record, under, metadata, locks }) {
  const base = { id, parent: under, revision: record.revision, versions: record.versions, trashed: record.trashed, isLocked: !metadata, locks };
  if (!metadata) return { ...base, ...sealed, tags: [], created: 0 };
  const seconds = (time) => (time === undefined ? undefined : Math.floor(time / 1000));
  return {
    ...base, kind: metadata.kind, name: metadata.name, type: metadata.media_type, tags: metadata.tags ?? [], text: metadata.text,
    created: seconds(metadata.created), modified: seconds(metadata.modified), expires: seconds(metadata.expires), size: metadata.size ?? 0,
    thumbnail: metadata.thumbnail, original: metadata.file_name,
    issued: metadata.media_type === issuedType && metadata.issued ? metadata.issued : undefined,
  };
}

/** Another device has changed a text while it was edited here. */
class Changed extends Error {}

/** The members of an object that have a value. */
const defined = (object) => Object.fromEntries(Object.entries(object).filter(([, value]) => value !== undefined));
