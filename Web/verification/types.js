// The types of documents, as `Core` knows them.

import { call } from '../shell/core.js';
import { language } from '../shell/translate.js';

const catalogues = new Map();

/** All types with their titles and fields, in a language: that of the page, unless another one is asked for. */
export async function knownTypes(tag = language) {
  if (!catalogues.has(tag)) catalogues.set(tag, (await call('catalogue', { language: tag })).value);
  return catalogues.get(tag);
}

/** One of them; undefined when there is no such type. */
export const knownType = async (type, tag) => (await knownTypes(tag)).find(({ id }) => id === type);

/** Those among `tags` in which a type has labels of its own: other ones than in those before. */
export async function labelLanguages(type, tags) {
  const found = new Map();
  for (const tag of tags) {
    const words = JSON.stringify(await knownType(type, tag));
    if (words && ![...found.values()].includes(words)) found.set(tag, words);
  }
  return [...found.keys()];
}
