// One run: this browser's wallet proves to a service who it is, and the service proves itself first.

import { b64u, fromB64u, utf8 } from "../shell/core.js";
import { openChannel } from "./channel.js";
import { callOld } from "./old-curves.js";
import { newOwnKey } from "./own-key.js";
import { call, forward, settled } from "./protocol.js";

/** Random bytes for a run: its nonce, an IV and, where WebCrypto makes none, its key, with some for numbers out of range. */
const randomBytes = 192;

/**
 * Runs the whole of it.
 *
 * @param code the text that was scanned, and `address` that of its channel
 * @param key `{publicKey, curve, title, secret}` of a pairing; to pair, `{publicKey, curve}` of a new key. The service may use no
 *   other curve
 * @param sign signs bytes with that key: r and s
 * @param signal ends it
 * @returns `{session, account, secret}`: `session` is `{id, key}` if the service wants to hear of this wallet again
 */
export async function prove({ code, address, key: { publicKey, curve, title, secret }, sign, signal }) {
  const channel = openChannel(address, { signal });
  const own = await newOwnKey(curve);
  const run = {
    curve, ...(own ? { ephemeral: own.point } : {}),
    random: b64u(crypto.getRandomValues(new Uint8Array(randomBytes))), times: [forward()], received: [], key: publicKey,
    ...(title ? { name: title } : {}), ...(secret ? { extra: secret } : {}),
  };
  const answers = [];
  const how = { blobs: [utf8(code)], agree: own?.agree, through: curve === "p256" ? call : callOld };
  const next = () => settled("run", run, answers, how);
  const exchange = async ({ message }) => {
    await channel.write(fromB64u(message));
    run.received.push(b64u(await channel.read()));
    run.times.push(forward());
  };
  await exchange(await next());
  // The service has proved to be the one of the code, or this throws.
  const { bytes } = await next();
  run.signature = b64u(await sign(fromB64u(bytes)));
  run.times.push(forward());
  await exchange(await next());
  return next();
}
