// What a person changes in an open vault: folders, files and notes, added, changed, moved and deleted.

import { Problem } from "../shell/api.js";
import { b64u } from "../shell/core.js";
import { bare, t } from "../shell/translate.js";
import { fromHex, hex } from "./bytes.js";
import { changeNode, makeNode, relockNode } from "./compartment.js";
import { contentSealer, newVersion, openVersion, versionRecord } from "./content.js";
import { groups } from "./groups.js";
import { leftBehind } from "./keepable.js";
import { cleanName, cleanTags } from "./metadata.js";
import { ReadableVault } from "./readable-vault.js";
import { send, unsend } from "./transfers.js";
import { root } from "./vault-state.js";

const keptVersions = 10;

/** A vault as it is read and changed. */
export class Vault extends ReadableVault {
  /** @param members further ones of its metadata, such as those of a shared folder; gives its id */
  async addFolder(parent, name, members = {}) { return this.#add(parent, { kind: "folder", name: cleanName(name), ...members }); }

  /** A folder that stands for a compartment: `key` opens what is in it. */
  addDoor(parent, name, key) { return this.#add(parent, { kind: "folder", name: cleanName(name), compartment: b64u(key) }); }

  addNote(parent, { name, text }) { return this.#add(parent, { kind: "note", name: cleanName(name), text: text.toWellFormed() }); }

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
    return this.addCopy(parent, metadata, before ? [blob, before] : [blob], transfer);
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
    const upload = await send(this.state.name, await contentSealer(version, read), transfer);
    return versionRecord(this.compartment, key, version, fromHex(upload));
  }

  async #add(parent, metadata) { return this.#put(await this.draft(parent, metadata)); }

  async #put(draft) { return this.addAll([draft]).then(([id]) => id); }

  #make(parent, metadata) {
    const now = Date.now();
    return makeNode(this.compartment, { created: now, modified: now, ...metadata }, this.#folder(parent));
  }

  /**
   * Stores new nodes in one change; where another device was quicker, they are sealed again for their folders as they are now.
   *
   * @returns their ids
   */
  async addAll(drafts) {
    const now = Date.now();
    await this.state.change(async ({ compartment }) => ({ put: await Promise.all(drafts.map(async ({ parent, key, metadata, versions }) => {
      const unborn = { key, locks: [], record: { id: key.node, revision: 0 } };
      const whole = { created: now, modified: now, ...metadata };
      return (await changeNode(compartment, unborn, this.#folder(parent), { metadata: whole, versions })).record;
    })) }));
    return drafts.map(({ key }) => hex(key.node));
  }

  /**
   * Puts an item into a folder with metadata and contents that come from elsewhere.
   *
   * @param contents its states as Blobs, the newest first
   */
  async addCopy(parent, metadata, contents, transfer) {
    const { key } = await this.#make(parent, metadata);
    const versions = [];
    for (const content of contents.toReversed()) versions.unshift(await this.#send(key, content.size, reading(content), transfer));
    return this.#put({ parent, key, metadata, versions });
  }

  /** Puts an item with an id and contents that are at the server already into a folder. `seal` gives its versions for its key. */
  async adopt(parent, id, metadata, seal) {
    const { key } = await makeNode(this.compartment, { ...metadata, modified: Date.now() }, this.#folder(parent), { id });
    return this.#put({ parent, key, metadata, versions: await seal(key) });
  }

  /** Changes further members of an item's metadata, such as those of a shared folder; a function gives them for the present metadata. */
  async mark(id, members) {
    await this.#change(id, ({ metadata }) => ({ metadata: { ...metadata, ...(members instanceof Function ? members(metadata) : members) } }));
  }

  /** Takes back what was sent for drafts that will not be stored. What stays all the same is swept after a day. */
  async discard(drafts) {
    await Promise.allSettled(drafts.flatMap(({ versions }) => versions).map(({ content }) => unsend(hex(content))));
  }

  /** Makes a folder that nobody sees, and nothing in it, until it is restored: it waits in the trash. Returns its id. */
  async stage(parent, name) {
    const id = await this.addFolder(parent, name);
    await this.state.change(() => ({ trash: [id] }));
    return id;
  }

  /** What was left in a folder in the trash a day ago goes there too: an import that broke off. So all of it goes together. */
  async settle() {
    const left = leftBehind(this.state, Date.now() / 1000 - 86_400);
    if (left.length > 0) await this.#inGroups(left, (trash) => ({ trash }), ({ trashed }) => !trashed);
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
        ...(text === undefined ? {} : { text: text.toWellFormed() }), ...(tags === undefined ? {} : { tags: cleanTags(tags) }),
        ...(expires === undefined ? {} : { expires: expires === null ? undefined : expires * 1000 }),
      };
      return { metadata, parent };
    }).catch(async (error) => {
      if (!(error instanceof Changed)) throw error;
      const { under, metadata } = this.node(id);
      await this.addNote(under, { name: bare(t`${name ?? metadata.name} (changed here)`), text });
      throw new Problem("conflict", { detail: t`Another device has changed this note. Yours is beside it, with “changed here” in its name.` });
    });
  }

  /** Puts another content before the present one of a file. */
  async replace(id, blob, thumbnail, transfer) {
    const version = await this.#send(this.node(id).key, blob.size, reading(blob), transfer);
    await this.#change(id, ({ metadata, record }) => ({
      metadata: { ...metadata, size: blob.size, media_type: blob.type || metadata.media_type, thumbnail },
      versions: [version, ...record.versions].slice(0, keptVersions),
    }));
  }

  /** Changes a node: `make` gives `{metadata, versions, parent}` for its present state. */
  async #change(id, make) {
    await this.state.change(async ({ compartment }) => {
      const node = this.node(id);
      const { metadata, versions, parent = node.under } = make(node);
      const changed = defined({ ...metadata, modified: Date.now() });
      return { put: [(await changeNode(compartment, node, this.#folder(parent), { metadata: changed, versions })).record] };
    });
  }

  /** Under which key a draft of a note is kept: that of an item that has a lock is behind it too. */
  draftPlace(id) {
    const node = id === undefined ? null : this.node(id);
    return node?.locks.length > 0 ? { key: node.key.key, id: this.compartment.id } : this.compartment;
  }

  /** Puts these locks before an item, or takes all off: the item gets another key. */
  async setLocks(id, locks) {
    await this.state.change(async ({ compartment }) => {
      const node = this.node(id);
      const rewrap = (key) => Promise.all(node.record.versions.map(
        async (one) => versionRecord(compartment, key, await openVersion(compartment, node.key, one), one.content)));
      return { put: [(await relockNode(compartment, node, this.#folder(node.under), locks, rewrap)).record] };
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
    const { under } = this.state.nodes.get(id) ?? { under: root };
    // Its folder is in the trash itself: it comes back at the top.
    if (under !== root && this.state.records.get(under)?.trashed) await this.describe(id, { parent: root });
  }

  /** A folder that is shared has its key here alone: it is not thrown away with another one. */
  #refuseShared(id) {
    if (this.isInner || !this.below(id).slice(1).some((one) => this.state.nodes.get(one)?.metadata?.compartment)) return;
    throw new Problem("conflict", { detail: t`There is a shared folder in it. Move it out, or end it, first.` });
  }

  /** Destroys an item, with all that is in it. */
  async remove(id) { await this.#inGroups([id, ...this.below(id).slice(1)], (remove) => ({ remove }), () => true); }

  async #inGroups(ids, change, isMeant) {
    for (const group of groups(ids, this.state.records)) {
      await this.state.change(({ records }) => change(group.filter((id) => records.has(id) && isMeant(records.get(id)))));
    }
  }

  /** What the vault remembers beside its items under a name, such as the names of links. */
  remembered(name) { return this.#settings()?.metadata[name]; }

  /** Remembers it. `make` gives it for what is remembered now, and is called again when another device was quicker. */
  async remember(name, make) {
    const known = this.#settings();
    if (known) await this.mark(known.id, (metadata) => ({ [name]: make(metadata[name]) }));
    else await this.#add(root, { kind: "settings", name: "settings", [name]: make() });
  }

  /** What the owner knows of the four PIN slots: `[{reset, purpose, node}]`; none in a vault that a PIN for less has opened. */
  pinSlots() { return this.remembered("settings")?.pins ?? []; }

  /** Changes what the owner knows of them. `make` gets what is known now, and is called again when another device was quicker. */
  async changePINSlots(make) { await this.remember("settings", (known) => ({ pins: make(known?.pins ?? []) })); }

  #settings() { return [...this.state.nodes.values()].find(({ metadata, record }) => metadata?.kind === "settings" && !record.trashed); }

  #folder(id) {
    const key = this.state.keyOf(id);
    if (!key) throw new Problem("not-found", { detail: t`This folder is not in your vault any more.` });
    return key;
  }
}

/** How the bytes of a blob are read. */
const reading = (blob) => async (from, to) => new Uint8Array(await blob.slice(from, to).arrayBuffer());

/** Another device has changed a text while it was edited here. */
class Changed extends Error {}

/** The members of an object that have a value. */
const defined = (object) => Object.fromEntries(Object.entries(object).filter(([, value]) => value !== undefined));
