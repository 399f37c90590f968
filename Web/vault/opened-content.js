// The content of a file, fetched and opened a part at a time.

import { Problem } from "../shell/api.js";
import { t } from "../shell/translate.js";
import { contentReader, headerLength, openVersion } from "./content.js";
import { received } from "./transfers.js";

/** How much of a content is fetched and opened at once, in bytes of the message: whole chunks. */
const step = 4 << 20;

/**
 * What a version of a file holds: `{size, pour(take, { onProgress, signal })}`. The signal ends it between two parts, and what is being
 * fetched.
 *
 * @param stored the version, as its node has it
 */
export async function openedContent(compartment, key, stored) {
  const version = await openVersion(compartment, key, stored).catch(broken);
  const pour = async (take, { onProgress = () => {}, signal } = {}) => {
    const read = (from, to) => received(stored.content, from, to, signal);
    const content = await contentReader(version, await read(0, headerLength), read);
    for (let at = 0; at < version.size; at += step) {
      const bytes = await content.bytes(at, Math.min(at + step, version.size));
      signal?.throwIfAborted();
      await take(bytes);
      onProgress(Math.min(1, (at + step) / version.size));
    }
    await content.checkEnd();
  };
  return { size: version.size, pour: (take, options) => pour(take, options).catch(broken) };
}

/** A content that does not open was changed at the server. */
function broken(error) {
  if (error.name !== "VaultError") throw error;
  throw new Problem("vault-broken", { detail: t`This file was changed at the server. It was not opened.`, cause: error });
}
