// What the account has: as the server says now, or, when it cannot be told, as it was when this browser last saw it.

import { api } from "../shell/api.js";
import { device } from "../accounts/keys.js";
import { all, get, put, delete as remove } from "../accounts/store.js";

/** Keys of the store `settings` that are ours: `seen ACCOUNT PATH`. */
const prefix = "seen ";

/** These pass by themselves: until then what was seen is shown. */
const passing = new Set(["offline", "unwitnessed", "storage-unreachable"]);

/**
 * Fetches, and remembers for the times without a network.
 *
 * @param path of a GET that answers JSON about the own account
 * @returns `{value, at, isOld, why}`: `at` is when it was fetched, in seconds since 1970; `why` the kind of problem that
 *   kept it from being fetched now
 */
export async function mine(path) {
  const owner = await device();
  // A browser that is no device of the account is perhaps not its own: there, nothing is remembered.
  const key = owner && `${prefix}${owner.account} ${path}`;
  try {
    const value = await api.get(path);
    const at = now();
    // Whoever signed out meanwhile leaves nothing.
    if (key && (await device())?.account === owner.account) await put("settings", key, { value, at });
    return { value, at, isOld: false };
  } catch (problem) {
    const kept = passing.has(problem.kind) && key ? await get("settings", key) : undefined;
    if (!kept) throw problem;
    return { ...kept, isOld: true, why: problem.kind };
  }
}

/** What was last fetched from `path`, without asking the server: a value, or undefined. */
export async function seen(path) {
  const owner = await device();
  return owner && (await get("settings", `${prefix}${owner.account} ${path}`))?.value;
}

/** The items of a listing, as `mine` gives them. */
export async function listed(path) {
  const { value, ...rest } = await mine(path);
  return { items: value.items, ...rest };
}

/** Forgets everything that `mine` remembered. */
export async function forgetSeen() {
  for (const { key } of await all("settings")) {
    if (String(key).startsWith(prefix)) await remove("settings", key);
  }
}

/** Seconds since 1970, by this computer's clock. */
export const now = () => Math.floor(Date.now() / 1000);
