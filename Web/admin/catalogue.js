// The types of documents: names for people from the server, fields with their columns from the core.

import { api } from "../shell/api.js";
import { call } from "../shell/core.js";
import { typeTitle } from "../shell/text.js";
import { language } from "../shell/translate.js";

let titles = null;

/** The title of a type in the language of the page; the server and the core have it in English. */
export const titleOf = ({ id, title }) => (language === "en" ? title : typeTitle(id));

/** Titles by type: `{transcript: "Transcript of records", …}`, the identity credential included. */
export async function typeTitles() {
  titles ??= api.get("/api/catalogue").then(({ items }) => ({
    identity: typeTitle("identity"), ...Object.fromEntries(items.map((type) => [type.id, titleOf(type)])),
  }));
  return titles;
}

/** A type with its fields, as this program knows it, or `undefined`. */
export async function documentType(id) {
  const { value } = await call("catalogue");
  return (value.items ?? value).find((type) => type.id === id);
}
