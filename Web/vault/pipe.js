// Bytes that come one after the other, for a reader that asks for them by their places: a window of them is kept.

/** How much is kept at most, and how much before the place that was read last, in bytes: a part begins in its own first chunk. */
const [window, behind] = [12 << 20, 64 << 10];

/** A pipe: `write` waits while the reader is slow, `read` while the writer is. */
export class Pipe {
  #chunks = [];
  #start = 0;
  #end = 0;
  #error = null;
  #changed = Promise.withResolvers();

  /** Adds bytes. Throws what `fail` was given. */
  async write(bytes) {
    while (!this.#error && this.#end - this.#start + bytes.length > window) await this.#changed.promise;
    if (this.#error) throw this.#error;
    this.#chunks.push(bytes);
    this.#end += bytes.length;
    this.#tell();
  }

  /** The bytes from one place up to before another. Places only grow, except for a little. */
  async read(from, to) {
    while (!this.#error && this.#end < to) await this.#changed.promise;
    if (this.#error) throw this.#error;
    if (from < this.#start) throw new RangeError("those bytes are gone");
    const bytes = new Uint8Array(to - from);
    let place = this.#start;
    for (const chunk of this.#chunks) {
      const [first, last] = [Math.max(from, place), Math.min(to, place + chunk.length)];
      if (first < last) bytes.set(chunk.subarray(first - place, last - place), first - from);
      place += chunk.length;
    }
    while (this.#chunks.length > 0 && this.#start + this.#chunks[0].length <= to - behind) this.#start += this.#chunks.shift().length;
    this.#tell();
    return bytes;
  }

  /** Ends both sides with an error. */
  fail(error) {
    this.#error ??= error;
    this.#tell();
  }

  #tell() {
    const told = this.#changed;
    this.#changed = Promise.withResolvers();
    told.resolve();
  }
}
