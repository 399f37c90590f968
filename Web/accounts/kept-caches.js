// What pages keep on this device for one account, sealed, in caches of the browser: which they are, and that they go when the
// session ends.

const beginning = "kept ";

/** The cache of an account for what `what` names. */
export const keptCache = (account, what) => `${beginning}${account} ${what}`;

/** Forgets what is kept for every account but this one. Without a cache, as at an address without TLS, nothing is kept. */
export async function forgetKept(account) {
  const names = await globalThis.caches?.keys().catch(() => []) ?? [];
  const others = names.filter((name) => name.startsWith(beginning) && !(account && name.startsWith(`${beginning}${account} `)));
  await Promise.all(others.map((name) => caches.delete(name)));
}
