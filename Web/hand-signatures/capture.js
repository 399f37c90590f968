// Takes a person's signatures: here, on the field, or on a phone that scans a code. What is written is in memory alone.

import { ask } from "../shell/ask.js";
import { describe } from "../shell/dom.js";
import { t } from "../shell/translate.js";
import { captureView } from "./capture-view.js";
import * as words from "./capture-words.js";
import { deviceText } from "./device-text.js";
import { handOver } from "./handing-over.js";
import { makePad } from "./pad.js";
import { NotTaken, Run } from "./run.js";
import { prepare } from "./signature-core.js";

/**
 * Opens a dialog over the whole screen and takes `count` signatures, 1 to 6.
 *
 * @param title what is signed, for the signer
 * @param words what to do; a sentence or two
 * @param check `async captures => words or null`, asked after each signature, or once of all that a phone sent: with words
 *   what is new is taken again
 * @param tool `pen` or `touch` when only that one counts
 * @param way "phone" to begin with the code for a phone
 * @param ticket of the document that is signed: a phone signs with it
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
  /** The signature that was not taken and may be kept: `{text, tool}`. */
  #offered = null;
  #handing = null;
  #isTaking = false;
  #isEnded = false;

  constructor(options, resolve) {
    const { count = 1, words: task = words.task, way = "here", mayHandOver = true } = options;
    this.#options = { ...options, count, words: task, way, mayHandOver };
    this.#resolve = resolve;
    this.#tool = options.tool ?? null;
    this.#run = new Run(count, options.check);
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
      onIgnored: (kind, wanted) => this.#view.say("bad", words.otherTool(wanted, this.#options.tool, this.#run.taken.length)),
      kinds: ["pen", "touch"],
    });
    this.#pad.only(this.#tool);
    addEventListener("beforeunload", this.#stay);
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

  /** Shows which signature is to be written. */
  #next(said = "") {
    const { place, again, captures } = this.#run;
    this.#pad.clear();
    this.#pad.only(this.#tool);
    this.#view.count(place, again === place);
    this.#view.mark(captures, place);
    this.#view.say(again === place ? "bad" : "good", said);
  }

  async #take(text, tool, keep = false) {
    if (this.#pad.isWriting() || this.#isTaking) return;
    if (text === null) return void this.#view.say("bad", words.nothing);
    this.#isTaking = true;
    this.#pad.pause(true);
    try {
      if (this.#pad.isTooLong()) throw new NotTaken(words.tooLong);
      const { place } = this.#run;
      await this.#run.take(text, { keep });
      this.#tool ??= tool;
      if (this.#run.isComplete) return this.#end({ captures: this.#run.captures, device: deviceText(tool), tool, way: "here" });
      const { again } = this.#run;
      this.#next(again === null ? words.taken(place) : words.again(again));
    } catch (error) {
      if (!(error instanceof NotTaken)) return void this.#view.say("bad", describe(error));
      this.#offered = { text, tool };
      this.#pad.spend();
      this.#view.say("bad", error.message, { mayKeep: error.mayKeep });
    } finally {
      this.#isTaking = false;
      this.#pad.pause(false);
    }
  }

  async #handOver() {
    const { title, count, check, tool, ticket } = this.#options;
    if (this.#run.taken.length > 0 && !await this.#mayDrop(t`Write all of them on the phone?`, t`On the phone`)) return;
    this.#run = new Run(count, check);
    this.#tool = tool ?? null;
    this.#next();
    const ending = this.#handing = new AbortController();
    this.#view.show("phone");
    this.#view.state(t`Making a code …`);
    await this.#view.code(null);
    try {
      const { captures, device } = await handOver({ title, count, ticket }, {
        signal: ending.signal,
        onOpen: ({ address }) => {
          this.#view.state(words.states.open);
          this.#view.code(address);
        },
        onState: (state) => this.#view.state(words.states[state] ?? ""),
      });
      const used = JSON.parse(captures[0]).tool;
      const fault = tool && used !== tool ? words.otherTool(tool, tool) : await check?.(captures);
      if (fault) throw new NotTaken(fault);
      this.#end({ captures, device, tool: used, way: "phone" });
    } catch (error) {
      if (this.#handing !== ending) return;
      await this.#view.code(null, { mayRetry: true });
      this.#view.state(error instanceof NotTaken ? t`${error.message} Show a new code for it.` : describe(error));
    }
  }

  /** Said in the dialog, because it covers the page. */
  async #copy() {
    const address = this.#view.address.textContent;
    const isDone = await navigator.clipboard.writeText(address).then(() => true, () => false);
    this.#view.state(isDone ? t`Copied.` : t`The browser does not let this page copy. Select the address and copy it yourself.`);
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

  get #isTouched() { return this.#run.taken.length > 0 || this.#pad.text() !== null; }

  #stay = (event) => { if (this.#isTouched) event.preventDefault(); };

  async #giveUp() {
    if (this.#isTouched && !await this.#mayDrop(t`Give up?`, t`Give up`)) return;
    this.#end(null);
  }

  async #mayDrop(title, confirm) {
    const text = words.lost(this.#run.taken.length);
    return Boolean(await ask({ title, text, confirm, cancel: t`Go on here`, danger: true }));
  }

  #end(result) {
    if (this.#isEnded) return;
    this.#isEnded = true;
    this.#stopHanding();
    removeEventListener("beforeunload", this.#stay);
    this.#pad.close();
    this.#view.close();
    this.#resolve(result);
  }
}
