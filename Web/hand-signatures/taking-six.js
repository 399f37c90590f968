// The signatures that a template is made of: five, and one more that must be like them. They are in memory alone.

import { t } from "../shell/translate.js";
import { takeSignatures } from "./capture.js";
import { takeOne } from "./taking-one.js";

export class Six {
  /** @param name the signer's */
  constructor(name) {
    this.name = name;
    this.references = [];
    this.check = null;
    /** The tool and place of the five: the rest use the same. */
    this.tool = null;
    this.way = "here";
    this.device = "";
  }

  get isTouched() { return this.references.length > 0; }

  /** As the server wants them. */
  get signatures() { return { references: this.references, check: this.check }; }

  /** Takes the five. @returns whether they are there */
  async takeFive() {
    const taken = await takeSignatures({
      title: t`${this.name} signs five times`, count: 5, words: t`Sign in the field, as you always do. Five signatures show how you write.`,
    });
    if (!taken) return false;
    [this.references, this.tool, this.way, this.device, this.check] = [taken.captures, taken.tool, taken.way, taken.device, null];
    return true;
  }

  /** Takes one of the five again. @param place from 0 */
  async takeAgain(place) {
    const others = this.references.filter((_, index) => index !== place);
    const capture = await this.#take(t`${this.name} signs again`, t`Sign in the field, as you always do.`, others);
    if (capture) this.references[place] = capture;
    return capture !== null;
  }

  /** Takes the check signature. */
  async takeCheck() {
    const capture = await this.#take(t`${this.name} signs again`, t`Sign again, as you always do. It is compared with the five.`, this.references);
    this.check = capture ?? this.check;
    return capture !== null;
  }

  #take(title, words, others) {
    return takeOne({ title, words, others, tool: this.tool, way: this.way });
  }
}
