// A note that is being written, kept on this device under the vault's key: if the vault locks in the middle of it, by itself or
// because somebody wanted it quickly, nothing that was typed is lost, and nobody can read it.

import { get, put, remove } from "../accounts/store.js";
import { hex, join, padme, Reader, textOf, u32, utf8 } from "./bytes.js";
import { derive, open, seal } from "./sealing.js";

const nameOf = async ({ key }) => `vault draft ${hex(await derive(key, "draft-name", undefined, 16))}`;

/**
 * Keeps a draft, `{id, folder, name, text, before}`. There is one for each place: the last one that was written.
 *
 * @param place `{key, id}`: a compartment, or the key of an item that has a lock, so that its draft is behind the lock too
 */
export async function keepDraft(place, draft) {
  const json = utf8(JSON.stringify(draft));
  const bytes = join(u32(json.length), json);
  const padded = join(bytes, new Uint8Array(padme(bytes.length) - bytes.length));
  await put("settings", await nameOf(place), await seal(await derive(place.key, "draft"), "draft", place.id, padded));
}

/** The draft that is kept; null without one, or if it does not open. */
export async function draftOf(place) {
  const sealed = await get("settings", await nameOf(place)).catch(() => undefined);
  if (!sealed) return null;
  try {
    const reader = new Reader(await open(await derive(place.key, "draft"), "draft", place.id, sealed));
    return JSON.parse(textOf(reader.take(reader.number(4))));
  } catch {
    return null;
  }
}

export const dropDraft = async (place) => remove("settings", await nameOf(place));
