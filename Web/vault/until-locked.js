// Work that the lock ends: what it fetches is let go of, and it says nothing any more.

/** What is under way, and the addresses of copies that are being saved. */
const under = new Set();
const addresses = new Set();

/** How long a browser may take to begin with a copy, in milliseconds. */
const addressTime = 60_000;

/** Whether something is under way: the vault stays open for it. */
export const isAtWork = () => under.size > 0;

/**
 * Does `work`, which gets a signal that the lock gives. Behind the lock it gives undefined, whether it has failed or not.
 */
export async function untilLocked(work) {
  const stop = new AbortController();
  under.add(stop);
  try {
    const done = await work(stop.signal);
    return stop.signal.aborted ? undefined : done;
  } catch (error) {
    if (stop.signal.aborted) return undefined;
    throw error;
  } finally {
    under.delete(stop);
  }
}

/** An address of a copy that is being saved, until the browser has it or the vault is locked. */
export function savedAt(blob) {
  const address = URL.createObjectURL(blob);
  addresses.add(address);
  setTimeout(() => forget(address), addressTime);
  return address;
}

/** The vault is being locked. */
export function endWork() {
  for (const stop of under) stop.abort();
  addresses.forEach(forget);
}

function forget(address) {
  URL.revokeObjectURL(address);
  addresses.delete(address);
}
