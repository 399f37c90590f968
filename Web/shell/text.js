// Words that the pages of several folders put together: numbers with their noun, lists of words, types of documents.

import { language, locale, t } from "./translate.js";

const titles = {
  identity: t`Identity credential`,
  transcript: t`Transcript of records`,
  degree: t`Degree certificate`,
  employment: t`Certificate of employment`,
  generic: t`Other document`,
};

/** A type of document, in words; a type that is new to this page is called by its name. */
export function typeTitle(type) {
  const words = type.replaceAll("_", " ");
  return titles[type] ?? words.charAt(0).toUpperCase() + words.slice(1);
}

/** "1 view", "2 views", "1,234 views". */
export function count(number, one, many = `${one}s`) {
  return `${number.toLocaleString(locale)} ${number === 1 ? one : many}`;
}

/** Words joined as people do: "a, b and c". */
export function listing(words) {
  return new Intl.ListFormat(language === "en" ? "en-GB" : locale).format(words);
}

/** Words one after the other, whether all of them count or one: "a, b, c". */
export function series(words) {
  return new Intl.ListFormat(locale, { type: "unit", style: "short" }).format(words);
}

/** A title in the middle of a sentence: English writes it small there, other languages leave it as it is. */
export const inSentence = (title) => (language === "en" ? title.toLowerCase() : title);

/** The UTF-8 length of a text, which is what limits count. */
export const byteLength = (text) => new TextEncoder().encode(text).length;

/** A query that finds a name in a list: beginnings of words, no longer than a search may be. */
export const asSearch = (name) => name.slice(0, 40);

/** Alternatives in words: "a passkey or the passphrase". */
export const either = (words) => new Intl.ListFormat(locale, { type: "disjunction" }).format(words);
