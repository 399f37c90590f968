// What is kept of the vault on this device: sealed bytes as the server has them, in a cache of the browser, for one account.
//
//   /kept/index/COMPARTMENT   {at, salt, slots, limits, bytes, quota, items, records,
//                             contents: {id: {length, item}}}
//   /kept/CONTENT/NUMBER      a part of a content's ciphertext

import { keptCache } from "../accounts/kept-caches.js";
import { choice, setChoice, signedIn } from "../accounts/records.js";

/** The length of a part, in bytes. */
export const partLength = 4 << 20;

const indexPlace = (compartment) => `/kept/index/${compartment}`;
const partPlace = (content, number) => `/kept/${content}/${number}`;

/** The cache of the account that is signed in; null without one, or where the browser keeps nothing. */
async function cache(isNeeded) {
  const now = await signedIn().catch(() => null);
  if (!now || !globalThis.caches) return null;
  const name = keptCache(now.account, "vault");
  return isNeeded || await caches.has(name) ? caches.open(name) : null;
}

/** What was chosen in a compartment, as ids, or undefined. */
export const chosenIn = (compartment) => choice(`vault ${compartment}`);
export const choose = (compartment, ids) => setChoice(`vault ${compartment}`, ids.length > 0 ? ids : undefined);

/** What is kept of a compartment, or undefined. */
export async function indexOf(compartment) {
  const found = await (await cache(false))?.match(indexPlace(compartment));
  return found?.json();
}

/** What is kept of all compartments. */
export async function indexes() {
  const kept = await cache(false);
  const places = (await kept?.keys() ?? []).map(({ url }) => new URL(url).pathname).filter((path) => path.startsWith("/kept/index/"));
  return Promise.all(places.map(async (path) => (await kept.match(path)).json()));
}

/** Stores what is kept of a compartment; with null forgets it. */
export async function setIndex(compartment, index) {
  const kept = await cache(true);
  if (index) await kept.put(indexPlace(compartment), Response.json(index));
  else await kept.delete(indexPlace(compartment));
}

export async function putPart(content, number, bytes) {
  await (await cache(true)).put(partPlace(content, number), new Response(bytes));
}

/** The numbers of the parts that are here, by content. */
export async function partsHere() {
  const found = new Map();
  for (const { url } of await (await cache(false))?.keys() ?? []) {
    const [, content, number] = /^\/kept\/([0-9a-f]+)\/(\d+)$/.exec(new URL(url).pathname) ?? [];
    if (!content) continue;
    if (!found.has(content)) found.set(content, new Set());
    found.get(content).add(Number(number));
  }
  return found;
}

/** Forgets contents. */
export async function removeContents(contents) {
  const kept = await cache(false);
  const all = await partsHere();
  for (const content of contents) {
    for (const number of all.get(content) ?? []) await kept.delete(partPlace(content, number));
  }
}

/** Bytes of a content from one place up to before another; null if they are not all here. */
export async function keptBytes(content, from, to) {
  const kept = await cache(false);
  if (!kept) return null;
  const bytes = new Uint8Array(to - from);
  for (let number = Math.floor(from / partLength); number * partLength < to; number += 1) {
    const begin = number * partLength;
    const found = await kept.match(partPlace(content, number));
    const part = found && new Uint8Array(await found.arrayBuffer());
    if (!part || begin + part.length < Math.min(to, begin + partLength)) return null;
    bytes.set(part.subarray(Math.max(0, from - begin), to - begin), Math.max(0, begin - from));
  }
  return bytes;
}
