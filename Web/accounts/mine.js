// The account's data: as the server has it now, or, when the server cannot be reached, as this browser last saw it.

import { api } from "../shell/api.js";
import { device } from "./keys.js";
import { rememberSeen, rememberedSeen } from "./records.js";

/** These pass by themselves: until then what was seen is shown. */
const passing = new Set(["offline", "unwitnessed", "storage-unreachable"]);

/**
 * Fetches, and remembers for the times without a network.
 *
 * @param path of a GET that answers JSON about the own account
 * @param fetched fetches it, where one GET is not all
 * @returns `{value, at, isOld, why}`: `at` is when it was fetched, in seconds since 1970; `why` is the kind of problem
 *   that prevented fetching it now
 */
export async function mine(path, fetched = () => api.get(path)) {
  const owner = await device();
  // A browser that is no device of the account is perhaps not its own: there, nothing is remembered.
  try {
    const value = await fetched();
    const at = now();
    // A person who has signed out by now leaves nothing. Where storage is full, nothing is remembered either.
    if (owner) await rememberSeen(owner.account, path, { value, at }).catch(() => {});
    return { value, at, isOld: false };
  } catch (problem) {
    const kept = passing.has(problem.kind) && owner ? await rememberedSeen(owner.account, path) : undefined;
    if (!kept) throw problem;
    return { ...kept, isOld: true, why: problem.kind };
  }
}

/** The value last fetched from `path`, without asking the server, or undefined. */
export async function seen(path) {
  const owner = await device();
  return owner && (await rememberedSeen(owner.account, path))?.value;
}

const session = "/api/sessions/current";
const accountOf = ({ account, permissions }) => ({ ...account, permissions });

/** The own account with what it may do (permissions.js), as `mine` gives a value. */
export async function myself() {
  const { value, ...rest } = await mine(session);
  return { value: accountOf(value), ...rest };
}

/** The same, as it was seen last, or from the server where nothing is remembered. */
export const knownSelf = async () => accountOf((await seen(session)) ?? (await api.get(session, { allow401: true })));

/**
 * All items of one of the person's own lists, as `mine` gives a value: they are for the times without a network, too.
 */
export async function listed(path) {
  const { value, ...rest } = await mine(path, async () => ({ items: await api.all(path) }));
  return { items: value.items, ...rest };
}

/** Seconds since 1970, by this computer's clock. */
export const now = () => Math.floor(Date.now() / 1000);
