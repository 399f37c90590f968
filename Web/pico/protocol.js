// The protocol of Pico, decided in Core (Core/Sources/PicoBrowser). It keeps nothing between two calls, computes no AES and
// has no key: each call gets all that there has been so far, and asks for what it needs of WebCrypto.

import { CoreError, b64u, fromB64u, moduleAt } from "../shell/core.js";

const pico = moduleAt("/assets/pico/pico.wasm");

/** Calls a function of it: as `call` of shell/core.js. */
export const call = pico.call;

/** A run needs four answers; what needs more goes in circles. */
const mostAnswers = 6;

/**
 * Calls a function until it needs nothing more of WebCrypto.
 *
 * @param answers what WebCrypto has given already; new answers are added
 * @param how `blobs` of the call; `agree` of the run's own key (own-key.js); `through` another module's `call`
 * @returns the value, whose `step` is not "need"
 */
export async function settled(name, args, answers, { blobs = [], agree = null, through = call } = {}) {
  for (let turn = 0; turn < mostAnswers; turn += 1) {
    const { value } = await through(name, { ...args, answers }, ...blobs);
    if (value.step !== "need") return value;
    answers.push(await computed(value, agree));
  }
  throw new CoreError("suite_failed", "The run asks for more than it has use for.");
}

/** What WebCrypto makes of a question; the result is null where a tag does not hold, or a point is none. */
async function computed({ operation, key, iv, bytes }, agree) {
  const result = await (operation === "agree" ? agree(fromB64u(bytes)).catch(() => null) : ciphered({ operation, key, iv, bytes }));
  return { operation, key, iv, bytes, result: result && b64u(result) };
}

async function ciphered({ operation, key, iv, bytes }) {
  const isSealing = operation === "seal";
  const secret = await crypto.subtle.importKey("raw", fromB64u(key), "AES-GCM", false, [isSealing ? "encrypt" : "decrypt"]);
  const how = { name: "AES-GCM", iv: fromB64u(iv), tagLength: 128 };
  const result = isSealing
    ? await crypto.subtle.encrypt(how, secret, fromB64u(bytes))
    : await crypto.subtle.decrypt(how, secret, fromB64u(bytes)).catch(() => null);
  return result && new Uint8Array(result);
}

/** Milliseconds on a clock that only goes forward. */
export const forward = () => Math.floor(performance.now());
