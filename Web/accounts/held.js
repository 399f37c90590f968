// Of a session that is open only while a wallet answers: what this browser keeps, so that any of its pages can hold it.

/** Where `{id, secret}` of the sign-in is. The session's cookie is the whole browser's too. */
export const place = "held-session";

/** The sign-in that the session rests on; `null` if no wallet holds it. */
export const read = () => JSON.parse(localStorage.getItem(place) ?? "null");

/** Remembers it. */
export const remember = ({ id, secret }) => localStorage.setItem(place, JSON.stringify({ id, secret }));

/** Forgets it: there is another session now. */
export const forget = () => localStorage.removeItem(place);
