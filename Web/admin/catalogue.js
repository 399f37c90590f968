// The types of documents, their titles and fields in the language of the page. The core has them: the words are for names
// that are signed, and never come with a document.

import { call } from "../shell/core.js";
import { language } from "../shell/translate.js";

const types = async () => (await call("catalogue", { language })).value;

/** Titles by type: `{transcript: "Transcript of records", …}`, the identity credential included. */
export const typeTitles = async () => Object.fromEntries((await types()).map(({ id, title }) => [id, title]));

/** A type with its fields, as this program knows it, or `undefined`. */
export const documentType = async (id) => (await types()).find((type) => type.id === id);
