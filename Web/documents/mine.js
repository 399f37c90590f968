// What the account has: as the server says now, or, when it cannot be told, as it was when this browser last saw it.

import { api } from "../shell/api.js";
import { device } from "../accounts/keys.js";
import { rememberSeen, rememberedSeen } from "../accounts/records.js";

/** These pass by themselves: until then what was seen is shown. */
const passing = new Set(["offline", "unwitnessed", "storage-unreachable"]);

/**
 * Fetches, and remembers for the times without a network.
 *
 * @param path of a GET that answers JSON about the own account
 * @param fetched fetches it, where one GET is not all
 * @returns `{value, at, isOld, why}`: `at` is when it was fetched, in seconds since 1970; `why` the kind of problem that
 *   kept it from being fetched now
 */
export async function mine(path, fetched = () => api.get(path)) {
  const owner = await device();
  // A browser that is no device of the account is perhaps not its own: there, nothing is remembered.
  try {
    const value = await fetched();
    const at = now();
    // Whoever signed out meanwhile leaves nothing. Where storage is full, nothing is remembered either.
    if (owner) await rememberSeen(owner.account, path, { value, at }).catch(() => {});
    return { value, at, isOld: false };
  } catch (problem) {
    const kept = passing.has(problem.kind) && owner ? await rememberedSeen(owner.account, path) : undefined;
    if (!kept) throw problem;
    return { ...kept, isOld: true, why: problem.kind };
  }
}

/** What was last fetched from `path`, without asking the server: a value, or undefined. */
export async function seen(path) {
  const owner = await device();
  return owner && (await rememberedSeen(owner.account, path))?.value;
}

/** All items of a listing, as `mine` gives a value. */
export async function listed(path) {
  const { value, ...rest } = await mine(path, async () => ({ items: await api.all(path) }));
  return { items: value.items, ...rest };
}

/** Seconds since 1970, by this computer's clock. */
export const now = () => Math.floor(Date.now() / 1000);
