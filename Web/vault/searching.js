// A search looks in everything that is open. What is behind a PIN or a lock is not open before somebody opens it; shared folders are
// opened for the search, after its first answer.

import { Problem } from "../shell/api.js";
import { t } from "../shell/translate.js";
import { merged } from "./finding.js";
import { ofNodes } from "./readable-vault.js";
import { at, opened, shared, wayTo } from "./shared-folders.js";

/** So many shared folders are opened for a search, with so many items in each and in all: 500 items are one request. */
const [mostFolders, mostOfOne, mostItems] = [24, 5_000, 20_000];
/** For so long they are as they were when they were opened, in milliseconds; the next search reads what others have changed since. */
const freshTime = 60_000;

/**
 * A page of what is found: `{items, total}`. Each item has the `vault` that it is in, and in `within` the id of its place, "" in the
 * own vault.
 *
 * @param open as `everywhere` of shared-folders.js gives it
 * @param question `{words, order, begin, limit}`, as finding.js takes it
 */
export function search(open, { words, order, begin, limit }) {
  const found = open.map(({ vault }) => vault.best(words, order, begin + limit));
  const nodes = merged(found.map((one) => one.nodes), begin + limit, ofNodes(order).compare).slice(begin, begin + limit);
  const items = nodes.map((node) => {
    const { vault, place } = open.find((one) => one.vault.state.nodes.get(node.id) === node);
    return { ...vault.item(node.id), vault, within: place?.id ?? "" };
  });
  return { items, total: found.reduce((sum, { total }) => sum + total, 0) };
}

/** Where a hit is, in words: the folders above it, and whose they are if they are shared. */
export function placeOf(home, { place }, item) {
  const path = [...wayTo(home, place), ...(place?.vault ?? home).path(item.parent)].map(({ name }) => name).join(" / ");
  // The vault of somebody else, opened in an emergency, has their name.
  if (!place || place.isDoor || place.isWhole) return path || t`Vault`;
  return `${path} · ${place.by ? t`Shared by ${place.by}` : t`Shared folder`}`;
}

/** Opens the shared folders of a vault for its searches, one after the other. */
export class SharedFolderOpener {
  /** Whether it is at work. */
  isBusy = false;
  /** The ids of the folders that it could not open, or left out. */
  #missing = [];
  #home = null;
  #begun = 0;

  /**
   * @param home gives the vault that is open, null once it is locked
   * @param told called as it begins and ends, and with true after each folder: there may be more hits
   */
  constructor(home, told) {
    Object.assign(this, { home, told });
  }

  /** How many folders are not searched: somebody may have opened one since. */
  get left() {
    const open = opened().map(({ id }) => id);
    return this.#missing.filter((id) => !open.includes(id)).length;
  }

  /** Begins, unless it was done a moment ago. */
  async begin() {
    const home = this.home();
    if (!home || home.isOffline || (this.#home === home && (this.isBusy || Date.now() - this.#begun < freshTime))) return;
    [this.#home, this.#begun, this.#missing, this.isBusy] = [home, Date.now(), [], false];
    const { mine, others } = shared(home);
    if (mine.length + others.length === 0) return;
    this.isBusy = true;
    this.told(false);
    let room = mostItems;
    for (const [number, { id }] of [...mine, ...others].entries()) {
      try {
        let read = 0;
        if (number >= mostFolders) throw tooMuch();
        await at(home, id, { onProgress: (count) => {
          room -= count - read;
          read = count;
          if (room < 0 || count > mostOfOne) throw tooMuch();
        } });
      } catch (problem) {
        // What was ended is in the vault no more than by its name.
        if (problem.kind !== "ended") this.#missing.push(id);
      }
      // It was locked, or opened again, while that was read.
      if (this.home() !== home) break;
      this.told(true);
    }
    // The next opening is at work.
    if (this.#home !== home) return;
    this.isBusy = false;
    this.told(false);
  }
}

const tooMuch = () => new Problem("too-much");
