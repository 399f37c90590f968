// Two of three recovery shares: made, printed, typed back, and typed in to open the vault.

import { api } from "../shell/api.js";
import { fromB64u } from "../shell/core.js";
import { $, busy, make } from "../shell/dom.js";
import { t } from "../shell/translate.js";
import { random, sameSecret } from "./bytes.js";
import { field, formDialog } from "./form-dialog.js";
import { recoveryShares, sharedSecret } from "./kernel.js";
import { isOwn, openedBy, slot } from "./opening-ways.js";
import { tell } from "./telling.js";

const count = 3;
const bare = (typed) => typed.replaceAll(/[\s-]/g, "");

/** Minds the button that makes them. @param reload reads what the server says, and draws */
export function drawShares(vault, stored, reload) {
  const button = $("#add-shares-way");
  button.onclick = () => busy(button, async () => {
    if (!await make3(vault, stored)) return;
    tell("success", t`Any two of the three shares open your vault. Give them to people who do not know each other.`);
    await reload();
  });
}

async function make3(vault, stored) {
  const secret = random(32);
  const shares = await recoveryShares(secret);
  if (!await show(shares) || !await typedBack(secret)) return false;
  const { id, kind, sealed } = await slot("share", secret, fromB64u(stored.salt), vault.compartment);
  secret.fill(0);
  const reason = t`Make three recovery shares`;
  await api.put(`/api/vault/slots/${id}`, { kind, sealed }, { reason });
  for (const old of stored.slots.filter((one) => one.kind === "share")) {
    if (await isOwn(vault, stored, old)) await api.delete(`/api/vault/slots/${old.id}`, { reason });
  }
  return true;
}

async function show(shares) {
  const print = make("button", { type: "button", class: "button", onclick: () => globalThis.print() }, t`Print them`);
  const papers = shares.map((share, index) => make("section", { class: "card stack tight share-paper" },
    make("h3", {}, t`Share ${index + 1} of ${count}`),
    make("p", { class: "fingerprint long share", dir: "ltr" }, share),
    make("p", { class: "meta" }, t`This and one other share open the vault. One alone opens nothing. Keep them in different places.`)));
  const promise = formDialog({
    title: t`Three recovery shares`,
    text: t`Any two of them open your vault when nothing else does. Print them, cut the page, and give them to three people or places. Nobody can show them again.`,
    parts: [...papers, make("div", { class: "actions" }, print)], confirm: t`I have all three`,
  });
  document.querySelector("dialog[open]").classList.add("printed");
  return promise;
}

const typedBack = (secret) => formDialog({
  title: t`Type two of them back`, text: t`This shows that you wrote them down correctly.`, parts: fields(), confirm: t`Compare`,
  act: async ({ first, second }) => {
    if (!sameSecret(await combined(first, second), secret)) throw wrong(t`These are two shares, but not of these three. Compare them with your paper.`);
    return true;
  },
});

const fields = () => [["first", t`One share`], ["second", t`Another share`]].map(([name, label]) => field(label,
  make("textarea", { name, id: `share-${name}`, rows: 3, required: true, autocomplete: "off", autocapitalize: "characters", spellcheck: "false", dir: "ltr", maxlength: 200 })));

async function combined(first, second) {
  if (bare(first).toUpperCase() === bare(second).toUpperCase()) throw wrong(t`That is the same share twice. Type another one.`);
  try {
    return await sharedSecret(first.trim(), second.trim());
  } catch (error) {
    if (!error.code) throw error;
    throw wrong(t`A letter of a share is wrong or missing, or they are shares of two different sets. Compare them with your paper.`);
  }
}

const wrong = (words) => new Error(words);

/** Opens the vault with two shares. Null when the person has cancelled. */
export async function byShares(stored) {
  let found = null;
  const done = await formDialog({
    title: t`Open with two shares`, text: t`Type any two of the three shares.`, parts: fields(), confirm: t`Open the vault`,
    act: async ({ first, second }) => {
      found = await openedBy(stored, "share", await combined(first, second));
      if (!found) throw wrong(t`These are recovery shares, but not the ones of this vault.`);
      return true;
    },
  });
  return done ? found : null;
}
