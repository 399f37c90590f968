// The types of documents: names for people from the server, fields with their columns from the core.

import { api } from "../shell/api.js";
import { call } from "../shell/core.js";

let titles = null;

/** Titles by type: `{transcript: "Transcript of records", …}`, the identity credential included. */
export async function typeTitles() {
  titles ??= api.get("/api/catalogue").then(({ items }) => ({
    identity: "Identity credential", ...Object.fromEntries(items.map(({ id, title }) => [id, title])),
  }));
  return titles;
}

/** A type with its fields, as this program knows it, or `undefined`. */
export async function documentType(id) {
  const { value } = await call("catalogue");
  return (value.items ?? value).find((type) => type.id === id);
}
