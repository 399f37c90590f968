// The log's Merkle tree (RFC 6962), read from its tiles (C2SP tlog-tiles). Nothing that is fetched here is believed:
// every answer is a root computed here, and compared with one that the log's key has signed.

import { api } from "../shell/api.js";
import { t } from "../shell/translate.js";
import { BadLog, hex, json } from "./checkpoint.js";

const width = 256;

/** The tree of one checkpoint. */
export class Tree {
  #tiles = new Map();
  #nodes = new Map();

  constructor(checkpoint) {
    this.checkpoint = checkpoint;
  }

  /** Throws `BadLog` unless this tree goes on where an earlier checkpoint ended (RFC 9162, section 2.1.4). */
  async extends(earlier) {
    const { size, root } = this.checkpoint;
    if (earlier.size > size) throw new BadLog(t`The log is shorter than it was when this browser last looked.`);
    if (earlier.size === 0) return;
    // The same nodes give both roots. If the old and the new root are right, the old tree is in the new one.
    const isSame = same(await this.#range(0, earlier.size, earlier.size), earlier.root)
      && same(await this.#range(0, size, earlier.size), root);
    if (!isSame) throw new BadLog(t`The log does not begin as it did before: somebody has rewritten it.`);
  }

  /** The entries from `first` up to, not including, `end`, each proved to be in the tree: `{index, type, …}`. */
  async entries(first, end) {
    const found = [];
    for (let bundle = Math.floor(first / width); bundle * width < end; bundle += 1) {
      const bytes = await this.#fetch("entries", bundle, this.checkpoint.size);
      let index = bundle * width;
      for (const entry of split(bytes)) {
        if (index >= first && index < end) {
          await this.#includes(index, entry);
          found.push({ index, ...json(entry) });
        }
        index += 1;
      }
    }
    if (found.length !== end - first) throw new BadLog(t`Entries are missing from the log.`);
    return found;
  }

  async #includes(index, entry) {
    const leaf = await sha256(Uint8Array.of(0), entry);
    const root = await this.#climb(0, this.checkpoint.size, index, leaf);
    if (same(root, this.checkpoint.root)) return;
    throw new BadLog(t`Entry ${index} is not in the tree that the log has signed.`);
  }

  async #climb(low, high, index, leaf) {
    if (high - low === 1) return leaf;
    const middle = low + halfOf(high - low);
    return index < middle
      ? pair(await this.#climb(low, middle, index, leaf), await this.#range(middle, high, 0))
      : pair(await this.#range(low, middle, 0), await this.#climb(middle, high, index, leaf));
  }

  /** The hash over leaves `low` to `high`, out of whole subtrees that do not reach across `border`. */
  async #range(low, high, border) {
    const count = high - low;
    const isWhole = Number.isInteger(Math.log2(count));
    if (isWhole && (high <= border || low >= border)) return this.#node(Math.log2(count), low / count);
    const middle = low + halfOf(count);
    return pair(await this.#range(low, middle, border), await this.#range(middle, high, border));
  }

  /** The hash of the whole subtree with 2^level leaves and this number, from the tile that has it. */
  async #node(level, number) {
    const key = `${level}/${number}`;
    if (!this.#nodes.has(key)) this.#nodes.set(key, await this.#compute(level, number));
    return this.#nodes.get(key);
  }

  async #compute(level, number) {
    const row = level % 8;
    if (row > 0) return pair(await this.#node(level - 1, number * 2), await this.#node(level - 1, number * 2 + 1));
    const tile = await this.#tile(level / 8, Math.floor(number / width));
    const start = (number % width) * 32;
    if (tile.length < start + 32) throw new BadLog(t`A tile of the log is too short.`);
    return tile.subarray(start, start + 32);
  }

  #tile(level, number) {
    const key = `${level}/${number}`;
    if (!this.#tiles.has(key)) {
      this.#tiles.set(key, this.#fetch(level, number, Math.floor(this.checkpoint.size / width ** level)));
    }
    return this.#tiles.get(key);
  }

  /** A tile at the right edge has fewer hashes, and says so in its name; it may be gone when the full one is there. */
  async #fetch(level, number, count) {
    const full = `/log/tile/${level}/${digits(number)}`;
    const partial = count - number * width;
    if (partial >= width) return api.bytes(full);
    try {
      return await api.bytes(`${full}.p/${partial}`);
    } catch (problem) {
      if (problem.kind !== "not-found") throw problem;
      return api.bytes(full);
    }
  }
}

/** A number as tiles are named: `x001/x234/067`. */
function digits(number) {
  const groups = [String(number % 1000).padStart(3, "0")];
  for (let rest = Math.floor(number / 1000); rest > 0; rest = Math.floor(rest / 1000)) {
    groups.unshift(`x${String(rest % 1000).padStart(3, "0")}`);
  }
  return groups.join("/");
}

/** The largest power of two below `count`. */
const halfOf = (count) => 2 ** Math.ceil(Math.log2(count) - 1);

const pair = (left, right) => sha256(Uint8Array.of(1), left, right);

const same = (one, other) => hex(one) === hex(other);

async function sha256(...parts) {
  return new Uint8Array(await crypto.subtle.digest("SHA-256", await new Blob(parts).arrayBuffer()));
}

/** In a bundle, each entry comes after its length in two bytes. */
function* split(bundle) {
  for (let offset = 0; offset + 2 <= bundle.length;) {
    const end = offset + 2 + bundle[offset] * 256 + bundle[offset + 1];
    if (end > bundle.length) throw new BadLog(t`A bundle of entries is cut off.`);
    yield bundle.subarray(offset + 2, end);
    offset = end;
  }
}
