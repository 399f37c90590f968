// Some signatures of one person, one after the other: which one is next, and which must be written again.
//
// Nobody writes the same twice, and two signatures are sometimes quite unlike. So a signer who insists may keep one
// that is not like the others. The server decides in the end.

import { t } from '../shell/translate.js';
import { told } from './refusals.js';
import { inspect, strangers } from './signature-core.js';

/** A signature that was not taken: words for the signer, and whether they may keep it all the same. */
export class NotTaken extends Error {
  constructor(words, mayKeep = false) {
    super(words);
    this.mayKeep = mayKeep;
  }
}

export class Run {
  /**
   * @param count how many, 1 to 6
   * @param check `async captures => words or null`: what else is wrong with the last of them
   */
  constructor(count, check) {
    this.check = check;
    this.captures = Array(count).fill(null);
    /** For each place, how often a signature there was not like the others. */
    this.doubts = Array(count).fill(0);
    /** The place that is open again because it turned out to be unlike the others; `null` when none is. */
    this.again = null;
  }

  /** Where the next signature goes; the number of places when all are there. */
  get place() {
    const place = this.captures.indexOf(null);
    return place < 0 ? this.captures.length : place;
  }

  get taken() { return this.captures.filter((one) => one !== null); }

  get isComplete() { return this.place === this.captures.length; }

  /**
   * Takes one signature's text.
   *
   * @throws NotTaken when it must be written again
   */
  async take(text, { keep = false } = {}) {
    const { place, taken } = this;
    await inspect(text).catch((error) => { throw new NotTaken(told(error.message)); });
    const all = [...taken, text];
    if (!keep && taken.length > 0 && (await strangers(all)).includes(all.length - 1)) {
      this.doubts[place] += 1;
      const words = taken.length === 1
        ? t`That is not like the first one. Please write it again, as you always do.`
        : t`That is not like the others. Please write it again, as you always do.`;
      throw new NotTaken(words, this.doubts[place] > 1);
    }
    const words = await this.check?.(all);
    if (words) throw new NotTaken(words);
    this.captures[place] = text;
    this.again = null;
    if (this.isComplete) await this.reopen();
  }

  /** The first one may be the odd one: only the others show that. Nobody is asked for the same place over and over. */
  async reopen() {
    const places = await strangers(this.captures);
    const odd = places.find((place) => this.doubts[place] === 0);
    if (odd === undefined || this.captures.length < 3) return;
    this.doubts[odd] += 1;
    this.captures[odd] = null;
    this.again = odd;
  }
}
