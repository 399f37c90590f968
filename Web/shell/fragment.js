// The part after the # of an address, which no server sees.

/** Calls `handler` with what the fragment names, now if it names something and whenever such a link is opened here. */
export function onFragment(handler) {
  const tell = () => { if (fragment()) handler(fragment()); };
  tell();
  addEventListener("hashchange", tell);
}

/** The name in the address's fragment: an id or a code, `""` when there is none. */
export function fragment() {
  try {
    return decodeURIComponent(location.hash.slice(1));
  } catch {
    return location.hash.slice(1);
  }
}
