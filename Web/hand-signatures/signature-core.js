// The WebAssembly face of Core's hand signatures (Core/Sources/SignatureBrowser). It tells a person at once what the server
// would refuse; the server decides.

import { moduleAt } from '../shell/core.js';

const module = moduleAt('/assets/hand-signatures/hand-signatures.wasm');

/** The most captures that are compared with each other. */
const most = 5;

/** Reasons that lie with this page and not with what was written: without an answer from here the server's must do. */
const ours = new Set(['unavailable', 'trap', 'not_json', 'too_large', 'malformed_frames']);

/** Begins to load the module, so that the first answer is quick. */
export function prepare() {
  module.core().catch((error) => console.warn(error));
}

/**
 * Looks at one capture's text.
 *
 * @returns `{samples, milliseconds, strokes}`; `null` when nobody can tell here. Throws CoreError, whose message is for
 *   the signer, for a capture that no comparison would take.
 */
export function inspect(text) {
  return told(() => module.call('inspect', { capture: JSON.parse(text) }), null);
}

/** The places of those captures that are not like any other one; only the last five count. */
export async function strangers(texts) {
  const first = Math.max(texts.length - most, 0);
  const captures = texts.slice(first).map((text) => JSON.parse(text));
  const { strangers: places } = await told(() => module.call('strangers', { captures }), { strangers: [] });
  return places.map((place) => place + first);
}

async function told(ask, otherwise) {
  try {
    return (await ask()).value;
  } catch (error) {
    if (!ours.has(error.code)) throw error;
    console.warn(error);
    return otherwise;
  }
}
