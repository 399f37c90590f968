// What stands behind the # of an address, which no server sees.

/** What the fragment of the address names: an id or a code, `""` when there is none. */
export function fragment() {
  try {
    return decodeURIComponent(location.hash.slice(1));
  } catch {
    return location.hash.slice(1);
  }
}
