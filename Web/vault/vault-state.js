// A compartment that is open: what is in it, and how it changes. Two devices may change it at once: a change holds for the
// state that it was made for, and is made again for a newer one.

import { get, put, remove } from "../accounts/store.js";
import { Problem, api } from "../shell/api.js";
import { b64u } from "../shell/core.js";
import { t } from "../shell/translate.js";
import { hex, same, sameSecret } from "./bytes.js";
import { changedHead, checkHead, emptyHead, openHead, openNode, parentOf, root as rootID, sealHead, unwrap } from "./compartment.js";
import { fromServer, readAfter, toServer } from "./reading.js";
import { derive } from "./sealing.js";
import { SeenState } from "./seen.js";

/** The root folder. */
export const root = hex(rootID);

/** How often a change is made again when other devices are quicker, and the most nodes of one change. */
const tries = 6;
const most = 1000;

/** After these nobody knows whether the server has made the change. */
export const uncertain = new Set(["offline", "request-timeout", "busy", "internal", "storage-unreachable"]);

/** How many things are opened at once. */
const atOnce = 2000;

/** Does `work` for each of a list, many at once. */
async function inGroups(list, work) {
  for (let at = 0; at < list.length; at += atOnce) await Promise.all(list.slice(at, at + atOnce).map(work));
}

/** Only what is kept on this device is open. */
const unreachable = () => new Problem("offline", { title: t`No connection`, detail: t`Only what is kept on this device is here. Connect, and try again.` });

/** What the server answers does not fit together: it has withheld something, or brought back something old. */
const broken = (detail) => new Problem("vault-broken", { title: t`The server’s answer does not fit together`, detail });

/** The name under which this device keeps how much of a compartment it has seen. */
const seenName = async (compartment) => `vault ${hex(await derive(compartment.key, "local-name", undefined, 16))}`;

/** Whether this device has seen that something is, or was, in a compartment; not after `forgetSeen`. */
export const hasSeen = async (compartment) => await get("settings", await seenName(compartment)) !== undefined;

export class VaultState {
  /** Records by id, as the server has them, and opened nodes by id. */
  records = new Map();
  nodes = new Map();
  /** The locks that are open, each of one item: `{method, id, key, node}`. */
  locks = [];
  head = emptyHead();
  sequence = 0;
  /** Whether this is only what was kept on this device. */
  isKept = false;
  /** Grows before and after something is opened: what was found for an earlier one may not hold any more. */
  version = 0;
  bytes = 0;
  quota = 0;
  /** The name under which this device keeps what it has seen. */
  #seenName;
  /** The work on the state that is under way: the next one waits for it. */
  #work = Promise.resolve();

  constructor(compartment) {
    this.compartment = compartment;
    this.name = hex(compartment.id);
  }

  /** Opens a compartment, and reads all of it. */
  static async open(compartment, onProgress) {
    const state = new VaultState(compartment);
    state.#seenName = await seenName(compartment);
    await state.#readAll(onProgress);
    return state;
  }

  /** What is kept of a compartment on this device, opened without the server: nothing of it changes. `kept` as kept-store.js has it. */
  static async kept(compartment, { records, bytes, quota }) {
    const state = new VaultState(compartment);
    for (const record of records.map(fromServer)) state.records.set(hex(record.id), record);
    Object.assign(state, { bytes, quota, isKept: true });
    await state.#openAll();
    return state;
  }

  /** What the server stores of an empty compartment. */
  static async made(compartment) {
    return { id: hex(compartment.id), head: b64u(await sealHead(compartment, emptyHead())) };
  }

  async #readAll(onProgress) {
    const seen = await this.#seen();
    const answer = await readAfter(this.name, 0, onProgress);
    // Of a shared compartment another member may have written it.
    const head = await openHead(this.compartment, answer.head).catch(() => null);
    for (const record of answer.records) if (!record.removed) this.records.set(hex(record.id), record);
    const isWhole = head && await checkHead(this.compartment, head, this.#live()).then(() => true, () => false);
    if (!isWhole || head.sequence !== answer.sequence) {
      throw broken(t`Something in your vault is missing or was changed at the server. Nothing was opened. Tell the people who run it, and try another device.`);
    }
    await this.#accept(answer, head, seen);
    await this.#openAll();
  }

  /**
   * What this device has seen stays seen: a server that answers with an older state, or with an older item, is found out.
   *
   * @param seen as it was before the server was asked: while its answer was on the way, another tab may have seen more
   */
  async #accept({ sequence, bytes, quota }, head, seen) {
    const records = [...this.records.values()];
    if (sequence < this.sequence || !seen.allows(sequence, records)) {
      throw broken(t`The server answers with an older state of your vault than this device has seen. Nothing was opened. Tell the people who run it.`);
    }
    Object.assign(this, { sequence, bytes, quota, head });
    if (sequence <= (await this.#seen()).sequence) return;
    const kept = await SeenState.of(sequence, records).sealed(this.compartment);
    await put("settings", this.#seenName, kept).catch(() => { /* No room here: the next time then. */ });
  }

  /** What this device, also in another tab, has seen. What does not open is as good as lost. */
  async #seen() {
    const kept = await get("settings", this.#seenName).catch(() => undefined);
    return SeenState.read(this.compartment, kept).catch(() => new SeenState());
  }

  /** Forgets what this device has seen, before a compartment is removed that nothing is in any more. */
  async forgetSeen() { await remove("settings", this.#seenName).catch(() => { /* Then it kept nothing before. */ }); }

  #live() { return [...this.records.values()].filter(({ trashed }) => !trashed); }

  /** Does `work` when nothing else changes the state: each one begins where the one before has ended. */
  #alone(work) {
    const done = this.#work.then(work);
    this.#work = done.catch(() => {});
    return done;
  }

  /** Reads what other devices have changed. Returns whether there was something. */
  refresh() { return this.#alone(() => this.#refresh()); }

  async #refresh() {
    if (this.isKept) throw unreachable();
    const seen = await this.#seen();
    const answer = await readAfter(this.name, this.sequence);
    if (answer.sequence === this.sequence && answer.records.length === 0) return false;
    const head = await openHead(this.compartment, answer.head).catch(() => null);
    const [removed, added] = [[], []];
    for (const record of answer.records) {
      const old = this.records.get(hex(record.id));
      if (old && record.revision < old.revision) throw broken(t`The server answers with an older state of an item. Nothing was changed.`);
      if (old && !old.trashed) removed.push(old);
      if (!record.removed && !record.trashed) added.push(record);
    }
    const expected = await changedHead(this.compartment, this.head, removed, added);
    if (head?.sequence !== answer.sequence || head.count !== expected.count || !sameSecret(head.sum, expected.sum)) {
      throw broken(t`Something in your vault is missing or was changed at the server. Lock it, and open it again.`);
    }
    for (const record of answer.records) {
      if (record.removed) this.records.delete(hex(record.id));
      else this.records.set(hex(record.id), record);
    }
    await this.#accept(answer, head, seen);
    await this.#openAll();
    return true;
  }

  /** The key of a folder. */
  keyOf(folder) { return folder === root ? this.compartment.root : this.nodes.get(folder)?.key; }

  /** Opens every record that has changed, from the root down. What is known already takes no time: there may be 100,000. */
  async #openAll() {
    const before = this.nodes;
    const byParent = new Map();
    const file = (parent, id, record) => {
      if (!byParent.has(parent)) byParent.set(parent, []);
      byParent.get(parent).push([id, record]);
    };
    const fresh = [];
    for (const [id, record] of this.records) {
      const known = before.get(id);
      if (known?.record === record) file(known.under, id, record);
      else fresh.push([id, record]);
    }
    await inGroups(fresh, async ([id, record]) => {
      const parent = await parentOf(this.compartment, record).then(hex, () => null);
      if (parent !== null) file(parent, id, record);
    });
    this.nodes = new Map();
    this.version += 1;
    for (let folders = [{ key: this.compartment.root, isHidden: false }]; folders.length > 0;) {
      const closed = [];
      const next = [];
      const take = (node, isHidden) => {
        // What lies in a folder in the trash is in no list and found by no search.
        node.isHidden = isHidden;
        this.nodes.set(node.id, node);
        if (node.metadata?.kind === "folder") next.push({ key: node.key, isHidden: isHidden || Boolean(node.record.trashed) });
      };
      for (const { key: folder, isHidden } of folders) {
        for (const [id, record] of byParent.get(hex(folder.node)) ?? []) {
          const known = before.get(id);
          if (known?.record === record && known.folder === folder) take(known, isHidden);
          else closed.push({ id, record, folder, isHidden });
        }
      }
      await inGroups(closed, async ({ id, record, folder, isHidden }) => {
        const node = await this.#open(id, record, folder);
        if (node) take(node, isHidden);
      });
      folders = next;
    }
    // What was found while they were being opened is not all of it.
    this.version += 1;
  }

  /** An opened node; without key and metadata if a lock is before it, null if it does not open. */
  async #open(id, record, folder) {
    const about = { id, under: hex(folder.node), folder };
    try {
      return { ...await openNode(this.compartment, record, folder, this.locks.filter(({ node }) => node === id)), ...about };
    } catch (error) {
      if (error.code !== "locked") return null;
      return { record, locks: (await unwrap(this.compartment, record, folder)).locks, ...about };
    }
  }

  /** Opens what locks of items are before, from now on; with an empty list they are closed again. */
  unlock(locks) {
    return this.#alone(async () => {
      this.locks = locks;
      for (const [id, node] of this.nodes) if (node.locks.length > 0) this.nodes.delete(id);
      await this.#openAll();
    });
  }

  /**
   * Changes the compartment.
   *
   * @param make gives what is to be changed in the present state, and is called again when another device was quicker:
   *   `{put: [records], trash: [ids], restore: [ids], remove: [ids]}`
   */
  change(make) { return this.#alone(() => this.#change(make)); }

  async #change(make) {
    if (this.isKept) throw unreachable();
    for (let left = tries; ; left -= 1) {
      const change = await this.#prepared(await make(this));
      try {
        await change.apply(await api.post(`/api/vault/compartments/${this.name}/changes`, change.body));
        return;
      } catch (problem) {
        if (uncertain.has(problem.kind) && await change.isDone()) return;
        if (problem.error !== "sequence" || left <= 1) throw problem;
        await this.#refresh();
      }
    }
  }

  /** A change of the present state: what the server is sent, what its answer does here, and whether it was made after all. */
  async #prepared({ put: records = [], trash = [], restore = [], remove = [] }) {
    if (records.length + trash.length + restore.length + remove.length > most) throw new RangeError("too many nodes in one change");
    const live = (id) => { const record = this.records.get(id); return record && !record.trashed ? [record] : []; };
    const removed = [...records.map(({ id }) => hex(id)), ...trash, ...remove].flatMap(live);
    const head = await changedHead(this.compartment, this.head, removed, [...records, ...restore.map((id) => this.records.get(id))]);
    const seen = await this.#seen();
    return {
      body: {
        sequence: this.sequence, head: b64u(await sealHead(this.compartment, head)), put: records.map(toServer), trash, restore, remove,
      },
      apply: (answer) => this.#apply(answer, head, seen, { records, trash, restore, remove }),
      isDone: () => this.#isDone(records, trash, restore, remove),
    };
  }

  /**
   * Takes nodes from one compartment of the account to another, with their contents: both change, or neither.
   *
   * @param make gives `{departure, arrival}` for the present states, two changes as in `change`
   */
  static handOver(from, to, make) {
    // Always in the same order: two that wait for each other would wait for ever.
    const [first, second] = from.name < to.name ? [from, to] : [to, from];
    return first.#alone(() => second.#alone(() => VaultState.#handOver(from, to, make)));
  }

  static async #handOver(from, to, make) {
    for (let left = tries; ; left -= 1) {
      const { departure, arrival } = await make(from, to);
      const [leaving, coming] = [await from.#prepared(departure), await to.#prepared(arrival)];
      try {
        const answer = await api.post("/api/vault/handovers", {
          from: from.name, departure: leaving.body, to: to.name, arrival: coming.body,
        });
        await coming.apply(answer.to);
        await leaving.apply(answer.from);
        return;
      } catch (problem) {
        if (uncertain.has(problem.kind) && await coming.isDone() && await leaving.isDone()) return;
        if (problem.error !== "sequence" || left <= 1) throw problem;
        await Promise.all([from.#refresh(), to.#refresh()]);
      }
    }
  }

  /** Whether the server has made a change whose answer was lost. */
  async #isDone(records, trash, restore, remove) {
    const hasCome = await this.#refresh().catch(() => false);
    return hasCome && records.every((record) => {
      const stored = this.records.get(hex(record.id));
      return stored && same(stored.metadata, record.metadata);
    }) && [...trash, ...remove].every((id) => !this.records.has(id) || this.records.get(id).trashed)
      && restore.every((id) => this.records.has(id) && !this.records.get(id).trashed);
  }

  async #apply({ sequence, bytes, quota }, head, seen, { records, trash, restore, remove }) {
    const now = Math.floor(Date.now() / 1000);
    for (const record of records) this.records.set(hex(record.id), record);
    for (const id of trash) this.records.set(id, { ...this.records.get(id), trashed: now });
    for (const id of restore) this.records.set(id, { ...this.records.get(id), trashed: undefined });
    for (const id of remove) this.records.delete(id);
    await this.#accept({ sequence, bytes, quota }, head, seen);
    await this.#openAll();
  }
}
