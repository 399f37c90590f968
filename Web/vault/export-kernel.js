// age files with an archive inside, as docs/export-format.md says: a worker computes them with Core/Sources/ExportBrowser,
// a piece at a time, so that memory does not grow with the file.

import { Problem } from "../shell/api.js";
import { b64u, utf8 } from "../shell/core.js";
import { ownScript } from "../shell/own-script.js";
import { random } from "./bytes.js";
import { refusal } from "./export-words.js";

/** How much goes to the worker at once, in bytes. */
const piece = 1 << 20;
/** The work factor of a new file, as age has it: 256 MiB of memory. Tests may ask for less. */
const usualWork = 18;

/** A worker that has one export or import under way. */
class Desk {
  #worker = new Worker(ownScript("/assets/vault/export-worker.js"), { type: "module" });
  #waiting = new Map();
  #last = 0;

  constructor() {
    this.#worker.onmessage = ({ data: { id, answer, error } }) => {
      const { resolve, reject } = this.#waiting.get(id);
      this.#waiting.delete(id);
      if (error) reject(refusal(error));
      else resolve(answer);
    };
    this.#worker.onerror = ({ message }) => this.close(refusal({ code: "unavailable", message }));
  }

  call(name, args, ...blobs) {
    this.#last += 1;
    const answer = Promise.withResolvers();
    this.#waiting.set(this.#last, answer);
    this.#worker.postMessage({ id: this.#last, name, args, blobs });
    return answer.promise;
  }

  close(why = new Problem("cancelled")) {
    this.#worker.terminate();
    for (const { reject } of this.#waiting.values()) reject(why);
    this.#waiting.clear();
  }
}

/** scrypt in a worker of its own, which ends with its memory. */
async function stretched({ salt, log_work: work }, secret) {
  const desk = new Desk();
  try {
    return (await desk.call("stretch", { salt, log_work: work }, secret)).blobs[0].slice();
  } finally {
    desk.close();
  }
}

/**
 * Begins an age file for a passphrase.
 *
 * @param sink `{write(bytes)}`
 * @returns `{folder(names, modified), file(names, length, modified), content(bytes), end(), close()}`, each to be waited for
 */
export async function ageWriter(passphrase, sink, { work = usualWork } = {}) {
  const desk = new Desk();
  const secret = utf8(passphrase);
  const args = { random: b64u(random(48)), log_work: work };
  const put = async ({ blobs: [bytes] }) => { if (bytes.length > 0) await sink.write(bytes); };
  try {
    const asked = await desk.call("write", args, secret);
    await desk.call("write", args, secret, await stretched(asked.value, secret));
  } catch (error) {
    desk.close();
    throw error;
  }
  return {
    folder: async (names, modified) => put(await desk.call("entry", { names, folder: true, modified })),
    file: async (names, length, modified) => put(await desk.call("entry", { names, length, modified })),
    async content(bytes) {
      for (let at = 0; at < bytes.length; at += piece) await put(await desk.call("content", {}, bytes.slice(at, at + piece)));
    },
    end: async () => put(await desk.call("write_end", {})),
    close: () => desk.close(),
  };
}

/** An age file that somebody brought, with what opens it: a passphrase, or a private key of age. */
export class AgeFile {
  #secret;
  #stretched = new Map();

  constructor(file, secret) {
    this.file = file;
    this.#secret = utf8(secret.startsWith("AGE-SECRET-KEY-") ? secret.trim() : secret);
  }

  /**
   * What is in the file, one after the other: `{entry: {names, folder, length, modified}}` and `{content}`. Whether it is whole
   * shows only at the end: then this returns, and else it throws.
   */
  async *events(onProgress = () => {}) {
    const desk = new Desk();
    try {
      await desk.call("read", {}, this.#secret);
      for (let at = 0; at < this.file.size; at += piece) {
        const bytes = new Uint8Array(await this.file.slice(at, at + piece).arrayBuffer());
        let answer = await desk.call("feed", {}, bytes);
        if (answer.value.salt) answer = await desk.call("feed", {}, new Uint8Array(0), await this.#key(answer.value));
        yield* eventsOf(answer);
        onProgress(Math.min(1, (at + piece) / this.file.size));
      }
      yield* eventsOf(await desk.call("read_end", {}));
    } finally {
      desk.close();
    }
  }

  /** The file may be read twice: its passphrase is stretched once. */
  async #key(asked) {
    const name = `${asked.salt} ${asked.log_work}`;
    if (!this.#stretched.has(name)) this.#stretched.set(name, await stretched(asked, this.#secret));
    return this.#stretched.get(name).slice();
  }
}

function* eventsOf({ value, blobs: [content] }) {
  let at = 0;
  for (const event of value.events) {
    if (event.content === undefined) yield { entry: event };
    else {
      yield { content: content.slice(at, at + event.content) };
      at += event.content;
    }
  }
}
