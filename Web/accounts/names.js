// What people are called, and their roles and papers. An erased person has no name left, only a row that others'
// documents point to.

import { t } from "../shell/translate.js";

/** Whether the person behind an account was erased. */
export const isErased = (account) => account.name === "";

/** The name, or that it was erased. */
export const nameOf = (account) => (isErased(account) ? t`(erased person)` : account.name);

/** Written in Chinese characters, kana or hangul. */
const eastAsian = /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}ー]+$/u;

/** The whole name of its parts: family name first, without a space, where both are written in an East Asian script. */
export function whole({ given_name: given, family_name: family }) {
  const parts = [given, family].filter(Boolean);
  return parts.length === 2 && parts.every((part) => eastAsian.test(part)) ? family + given : parts.join(" ");
}

/** How a person is greeted: by the given name, or by the first word of a name whose parts are unknown. */
export const greeted = ({ name, parts }) => (parts ? parts.given_name || parts.family_name : name.split(" ")[0]);

/** "Ada Lovelace (ada)": a name is what the person gave, the username tells two of a name apart. */
export function person(account) {
  if (isErased(account)) return nameOf(account);
  return account.name === account.username ? account.name : `${account.name} (${account.username})`;
}

/** Roles, in words. */
export const roles = {
  owner: t`Main administrator`,
  administrator: t`Administrator`,
  operator: t`Operator`,
  member: t`Member`,
};

/** Papers that prove who a person is, in words. */
export const papers = {
  passport: t`Passport`,
  identity_card: t`Identity card`,
  driving_licence: t`Driving licence`,
  residence_permit: t`Residence permit`,
  student_card: t`Student card`,
};
