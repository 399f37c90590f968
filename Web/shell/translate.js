// The texts of pages in the language of the page. The English stands where it is used and is the key of its translation;
// the server sends those of a module in the file that brings it (docs/languages.md).
//
// The verify page as one file has those of all languages in it (`one-file-language.js`).

const texts = globalThis.countersignWords ??= {};

/** The language of this page, as in `lang`. */
export const language = document.documentElement.lang || 'en';

/**
 * How this person writes numbers and dates: as in their own part of the world, if they speak the page's language there.
 * Digits and days are those of codes, fingerprints and certificates, in all languages: people compare them.
 */
export const locale = new Intl.Locale(
  (navigator.languages ?? []).find((tag) => tag === language || tag.startsWith(`${language}-`)) ?? language,
  { numberingSystem: 'latn', calendar: 'gregory' }).toString();

const rules = new Intl.PluralRules(language);
const put = (text, values) => text.replace(/\{#\w+\}|\{(\d)\}/g, (_, index) => apart(values[index]));

// In a page from right to left, an address or a name of another script would pull the signs beside it along. So would a
// name that runs from right to left on any other page.
const isMirrored = document.documentElement.dir === 'rtl';
const mirrored = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/;
const isApart = (value) => typeof value === 'string' && value !== '' && (isMirrored || mirrored.test(value));
const apart = (value) => (isApart(value) ? `\u2068${value}\u2069` : value ?? '');

/**
 * A text with values: t`Signed by ${name}`. Its key is `Signed by {0}`. English that means two things says which one, and
 * nobody sees that: t`Open{#answer}`.
 */
export function t(strings, ...values) {
  const key = strings.reduce((text, part, index) => `${text}{${index - 1}}${part}`).replace(/[ \n]+/g, ' ').trim();
  return put(texts[key] ?? key, values);
}

/** A text for what is kept and not only shown, such as a name: without the signs that keep its values apart on the page. */
export const bare = (text) => text.replace(/[\u2068\u2069]/g, '');

/** A text by a number, which is `{0}`: plural(3, '{0} view', '{0} views'). Its key is the second. */
export function plural(number, one, other, ...values) {
  const forms = texts[other] ?? { one, other };
  return put(forms[rules.select(number)] ?? forms.other, [number.toLocaleString(locale), ...values]);
}

/** The translation of a text that came in English, such as a refusal of the server's; its numbers are values. `undefined` when
 *  the page has none. */
export function known(text) {
  const values = [];
  const counted = text.replace(/\d+/g, (digits) => `{${values.push(digits) - 1}}`);
  if (typeof texts[text] === 'string') return texts[text];
  return typeof texts[counted] === 'string' ? put(texts[counted], values) : undefined;
}
