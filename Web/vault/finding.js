// Finding things in an open vault: quick however many there are, so that a list appears at once and a search while one types.

import { plain } from "../shell/list-source.js";

/** How many texts of a search are made ready in one go, and how many first pages of folders are remembered. */
const [group, mostPages] = [1000, 32];
/** Up to so many are picked out; of more, all are put in order, and that is kept. */
const mostFirst = 1000;

/**
 * The first of a list in an order, without putting the others in order.
 *
 * @param compare as for `sort`
 */
export function first(list, count, compare) {
  const kept = list.slice(0, count).sort(compare);
  for (let at = count; at < list.length; at += 1) {
    const one = list[at];
    if (compare(one, kept[count - 1]) >= 0) continue;
    let [low, high] = [0, count - 1];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (compare(one, kept[middle]) < 0) high = middle;
      else low = middle + 1;
    }
    kept.pop();
    kept.splice(low, 0, one);
  }
  return kept;
}

/** Lists that are in order each, as one in order: its first `count`. */
export function merged(lists, count, compare) {
  if (lists.length === 1) return lists[0];
  const heads = lists.filter((list) => list.length > 0).map((list) => ({ list, at: 0 }));
  const found = [];
  while (found.length < count && heads.length > 0) {
    let least = 0;
    for (let one = 1; one < heads.length; one += 1) {
      if (compare(heads[one].list[heads[one].at], heads[least].list[heads[least].at]) < 0) least = one;
    }
    const head = heads[least];
    found.push(head.list[head.at]);
    head.at += 1;
    if (head.at === head.list.length) heads.splice(least, 1);
  }
  return found;
}

/** What is found in a vault. */
export class Finding {
  #state;
  /** What a search looks at, by node: a changed node is another one. */
  #hays = new WeakMap();
  #sorted = { key: "", list: [] };
  /** First pages of folders, as they are since something was opened the last time: people keep coming back to them. */
  #pages = new Map();
  #pagesVersion = 0;

  /** @param state a VaultState */
  constructor(state) {
    this.#state = state;
  }

  /** The nodes that people may see, for which a test holds. */
  nodes(test) {
    const found = [];
    for (const node of this.#state.nodes.values()) {
      if (!node.record.trashed && !node.isHidden && node.metadata?.kind !== "settings" && test(node)) found.push(node);
    }
    return found;
  }

  /** The nodes whose name, tags or text have all words of a search, which is as `plain` makes it. */
  matching(words) {
    const wanted = words.split(/\s+/).filter(Boolean);
    return this.nodes((node) => {
      const hay = this.#hay(node);
      return wanted.every((word) => hay.includes(word));
    });
  }

  /**
   * The first of what a search finds in the whole vault, in order.
   *
   * @param order `{name, compare}` of nodes
   * @returns `{nodes, total}`
   */
  best(words, order, count) {
    const list = this.matching(words);
    const nodes = count <= mostFirst ? first(list, count, order.compare) : this.#all(list, ["", words, order.name], order).slice(0, count);
    return { nodes, total: list.length };
  }

  /**
   * A page of what is in a folder.
   *
   * @param order `{name, compare}` of nodes
   * @returns `{nodes, total}`
   */
  page(question) {
    const { folder, order, begin, limit } = question;
    if (begin > 0) return this.#page(question);
    if (this.#pagesVersion !== this.#state.version) this.#pages.clear();
    this.#pagesVersion = this.#state.version;
    const key = JSON.stringify([folder, order.name, limit]);
    if (!this.#pages.has(key)) {
      if (this.#pages.size >= mostPages) this.#pages.clear();
      this.#pages.set(key, this.#page(question));
    }
    return this.#pages.get(key);
  }

  #page({ folder, order, begin, limit }) {
    const list = this.nodes(({ under }) => under === folder);
    const nodes = begin === 0 ? first(list, limit, order.compare) : this.#all(list, [folder, "", order.name], order).slice(begin, begin + limit);
    return { nodes, total: list.length };
  }

  /** The whole list in order, kept until something changes. */
  #all(list, question, order) {
    const key = JSON.stringify([this.#state.version, ...question]);
    if (this.#sorted.key !== key) this.#sorted = { key, list: list.sort(order.compare) };
    return this.#sorted.list;
  }

  /** Lets go of what is kept in order: the lock of an item in it has closed. */
  forget() {
    this.#sorted = { key: "", list: [] };
    this.#pages.clear();
  }

  /** Makes searches ready while nobody waits. */
  async prepare() {
    const { version } = this.#state;
    const nodes = [...this.#state.nodes.values()];
    for (let at = 0; at < nodes.length && version === this.#state.version; at += group) {
      for (const node of nodes.slice(at, at + group)) this.#hay(node);
      await new Promise((done) => { setTimeout(done); });
    }
  }

  #hay(node) {
    let hay = this.#hays.get(node);
    if (hay === undefined) {
      const { name = "", tags = [], text = "" } = node.metadata ?? {};
      hay = plain([name, ...tags, text].join(" "));
      this.#hays.set(node, hay);
    }
    return hay;
  }
}
