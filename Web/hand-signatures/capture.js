// Taking somebody's signatures: here, on the field, or on a phone that scans a code. What is written is in memory alone.

import { ask, describe } from "../shell/dom.js";
import { captureView } from "./capture-view.js";
import { deviceText } from "./device-text.js";
import { handOver } from "./handing-over.js";
import { makePad } from "./pad.js";
import { NotTaken, Run } from "./run.js";
import { prepare } from "./signature-core.js";
import { tools } from "./words.js";

/**
 * Opens a dialog over the whole screen and takes `count` signatures, 1 to 6.
 *
 * @param title what is signed, for whoever signs
 * @param words what to do; a sentence or two
 * @param check `async captures => words or null`, asked after each signature: with words the last one is taken again
 * @param tool `pen` or `touch` when only that one counts
 * @param way "phone" to begin with the code for a phone
 * @param mayHandOver whether signing on a phone is offered
 * @returns `{captures, device, tool, way}`, or `null` when it was given up
 */
export function takeSignatures(options) {
  return new Promise((resolve) => { new Taking(options, resolve).open(); });
}

class Taking {
  #options;
  #resolve;
  #run;
  #view;
  #pad;
  #tool;
  /** What was not taken and may be kept: `{text, tool}`. */
  #offered = null;
  #handing = null;
  #isEnded = false;

  constructor({ title, count = 1, words = "Sign in the field, as you always do.", check, tool, way = "here", mayHandOver = true }, resolve) {
    this.#options = { title, count, words, check, tool, way, mayHandOver };
    this.#resolve = resolve;
    this.#tool = tool ?? null;
    this.#run = new Run(count, check);
    this.#view = captureView(this.#options, {
      done: () => this.#take(this.#pad.text(), this.#pad.tool()),
      keep: () => this.#take(this.#offered.text, this.#offered.tool, true),
      clear: () => this.#pad.clear(),
      giveUp: () => this.#giveUp(),
      handOver: () => this.#handOver(),
      takeBack: () => this.#takeBack(),
      again: () => this.#handOver(),
      copy: () => this.#copy(),
      closed: () => this.#closed(),
    });
  }

  open() {
    prepare();
    this.#view.open();
    this.#pad = makePad(this.#view.canvas, {
      onChange: () => this.#changed(),
      onIgnored: (kind, wanted) => this.#view.say("bad", wanted ? this.#otherTool(wanted) : noMouse),
      kinds: ["pen", "touch"],
    });
    this.#pad.only(this.#tool);
    addEventListener("beforeunload", stay);
    this.#next();
    if (this.#options.way === "phone") this.#handOver();
  }

  #changed() {
    // Called by the pad's own making, too.
    if (!this.#pad) return;
    const isWriting = this.#pad.isWriting();
    if (isWriting) this.#view.hush();
    this.#view.writing(isWriting, this.#pad.text() === null);
  }

  /** Pens and fingers move differently, so they are not compared with one another. */
  #otherTool(wanted) {
    if (this.#options.tool) return `Please sign with ${tools[wanted]}: so were the signatures that this is compared with.`;
    if (this.#run.taken.length > 0) return `Please go on with ${tools[wanted]}: so were the other signatures written.`;
    return `This was begun with ${tools[wanted]}. Go on with it, or clear the field first.`;
  }

  /** Shows which signature is to be written. */
  #next(words = "") {
    const { place, again, captures } = this.#run;
    this.#pad.clear();
    this.#pad.only(this.#tool);
    this.#view.count(place, again === place);
    this.#view.mark(captures, place);
    this.#view.say(again === place ? "bad" : "good", words);
  }

  async #take(text, tool, keep = false) {
    if (this.#pad.isWriting()) return;
    if (text === null) return void this.#view.say("bad", "Nothing is written yet. Sign in the field.");
    this.#pad.pause(true);
    try {
      if (this.#pad.isTooLong()) throw new NotTaken("That is longer than any signature. Sign again, in one go.");
      const { place } = this.#run;
      await this.#run.take(text, { keep });
      this.#tool ??= tool;
      if (this.#run.isComplete) return this.#end({ captures: this.#run.captures, device: deviceText(tool), tool, way: "here" });
      const { again } = this.#run;
      this.#next(again === null ? `Signature ${place + 1} is taken.`
        : `Signature ${again + 1} is not like the others. Please write that one again, as you always do.`);
    } catch (error) {
      if (!(error instanceof NotTaken)) return void this.#view.say("bad", describe(error));
      this.#offered = { text, tool };
      this.#pad.spend();
      this.#view.say("bad", error.message, { mayKeep: error.mayKeep });
    } finally {
      this.#pad.pause(false);
    }
  }

  async #handOver() {
    const { title, count, check } = this.#options;
    if (this.#run.taken.length > 0 && !await this.#mayDrop("Write all of them on the phone?", "On the phone")) return;
    this.#run = new Run(count, check);
    this.#next();
    const ending = this.#handing = new AbortController();
    this.#view.show("phone");
    this.#view.state("Making a code …");
    await this.#view.code(null);
    try {
      const { captures, device } = await handOver({ title, count }, {
        signal: ending.signal,
        onOpen: ({ address }) => {
          this.#view.state(states.open);
          this.#view.code(address);
        },
        onState: (state) => this.#view.state(states[state] ?? ""),
      });
      const words = await check?.(captures);
      if (words) throw new NotTaken(words);
      this.#end({ captures, device, tool: toolOf(captures[0]), way: "phone" });
    } catch (error) {
      if (this.#handing !== ending) return;
      await this.#view.code(null, { mayRetry: true });
      this.#view.state(error instanceof NotTaken ? `${error.message} Show a new code for it.` : describe(error));
    }
  }

  /** Said in the dialog: what lies under it is not seen. */
  async #copy() {
    const address = this.#view.address.textContent;
    const isDone = await navigator.clipboard.writeText(address).then(() => true, () => false);
    this.#view.state(isDone ? "Copied." : "The browser does not let this page copy. Select the address and copy it yourself.");
  }

  #takeBack() {
    this.#stopHanding();
    this.#view.show("field");
  }

  #stopHanding() {
    const handing = this.#handing;
    this.#handing = null;
    handing?.abort();
  }

  /** Browsers close a dialog when Escape is pressed once too often, without asking: nothing is lost by that. */
  #closed() {
    if (this.#isEnded) return;
    this.#view.open();
    this.#giveUp();
  }

  async #giveUp() {
    const isTouched = this.#run.taken.length > 0 || this.#pad.text() !== null;
    if (isTouched && !await this.#mayDrop("Give up?", "Give up")) return;
    this.#end(null);
  }

  async #mayDrop(title, confirm) {
    const { length } = this.#run.taken;
    const text = length > 0 ? `${length === 1 ? "The signature that was" : `The ${length} signatures that were`} written here ${length === 1 ? "is" : "are"} lost.`
      : "What is written here is lost.";
    return Boolean(await ask({ title, text, confirm, cancel: "Go on here", danger: true }));
  }

  #end(result) {
    this.#isEnded = true;
    this.#stopHanding();
    removeEventListener("beforeunload", stay);
    this.#pad.close();
    this.#view.close();
    this.#resolve(result);
  }
}

const states = {
  open: "Waiting for the phone …",
  opened: "The phone has opened it. Waiting for what is written there …",
};

const noMouse = "A mouse is not compared with anything: sign with a pen or a finger, or on a phone.";

function toolOf(text) {
  try {
    return JSON.parse(text).tool;
  } catch {
    return null;
  }
}

function stay(event) {
  event.preventDefault();
}
