// The part after the # of an address, which no server sees.

import { api } from "./api.js";

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

/**
 * Takes what the fragment names out of the address, on a page of somebody who is signed in.
 *
 * Until the server knows the session it stays there: a person who has to sign in first comes back with it.
 */
export async function takenFragment() {
  const given = fragment();
  if (given) {
    await api.get("/api/sessions/current");
    history.replaceState(history.state, "", location.pathname);
  }
  return given;
}
