// What this device has seen of a compartment (docs/vault-format.md, "What a device keeps"): a server that answers with less is
// found out.

import { number, VaultError } from "./bytes.js";
import { derive, open, seal } from "./sealing.js";

const [idLength, entryLength] = [16, 24];

/** An id as a text: such texts are in the order of the ids. */
const nameOf = (id) => String.fromCharCode(...id);

export class SeenState {
  sequence = 0;
  #revisions = new Map();

  /** Reads what is kept; undefined at first. */
  static async read(compartment, kept) {
    const seen = new SeenState();
    if (kept) seen.#take(await open(await derive(compartment.key, "seen"), "seen", compartment.id, kept));
    return seen;
  }

  /** What is seen now: all records of the compartment, those in the trash too. */
  static of(sequence, records) {
    const seen = new SeenState();
    seen.sequence = sequence;
    for (const { id, revision } of records) seen.#revisions.set(nameOf(id), revision);
    return seen;
  }

  /** Whether an answer is not older than what was seen. The head does not vouch for what is in the trash: its revision does. */
  allows(sequence, records) {
    return sequence >= this.sequence && records.every(({ id, revision }) => revision >= (this.#revisions.get(nameOf(id)) ?? 0));
  }

  /** What the device keeps, sealed under the key of the compartment. */
  async sealed(compartment) {
    const names = [...this.#revisions.keys()].sort();
    const bytes = new Uint8Array(8 + names.length * entryLength);
    bytes.set(number(this.sequence, 8));
    for (const [index, name] of names.entries()) {
      const at = 8 + index * entryLength;
      for (let place = 0; place < idLength; place += 1) bytes[at + place] = name.charCodeAt(place);
      bytes.set(number(this.#revisions.get(name), 8), at + idLength);
    }
    return seal(await derive(compartment.key, "seen"), "seen", compartment.id, bytes);
  }

  #take(bytes) {
    if (bytes.length < 8 || (bytes.length - 8) % entryLength !== 0) throw new VaultError("malformed");
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
    this.sequence = Number(view.getBigUint64(0));
    let before = "";
    for (let at = 8; at < bytes.length; at += entryLength) {
      const name = nameOf(bytes.subarray(at, at + idLength));
      if (name <= before) throw new VaultError("malformed");
      this.#revisions.set(name, Number(view.getBigUint64(at + idLength)));
      before = name;
    }
  }
}
