// The vault without a network: what is kept of it on this device.

import { indexes, indexOf } from "./kept-store.js";

/** What the server would say of the vault, as far as this device knows it; null when nothing is kept. */
export async function keptVault() {
  const [index] = await indexes();
  if (!index) return null;
  const { salt, slots, limits } = index;
  return { isOffline: true, salt, slots, limits, pins: [], guard: { state: "offline" } };
}

/** What is kept of a compartment. */
export const keptOf = indexOf;
