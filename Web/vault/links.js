// A link to one file or note, with a code: sealed under a key in the link's fragment, for somebody who needs no account.

import { device } from "../accounts/keys.js";
import { Problem, api } from "../shell/api.js";
import { ask } from "../shell/ask.js";
import { b64u } from "../shell/core.js";
import { $, bytes as size, copy, describe, make, notice } from "../shell/dom.js";
import { once } from "../shell/once.js";
import { fits, keyCheck, newKey, purposes, seal } from "../shell/sealed-link.js";
import { t } from "../shell/translate.js";
import { utf8 } from "./bytes.js";
import { field, formDialog } from "./form-dialog.js";
import { packed } from "./link-content.js";
import { tell } from "./telling.js";

const hour = 3_600;
const lifetimes = [[hour, t`An hour`], [24 * hour, t`A day`], [7 * 24 * hour, t`A week`], [30 * 24 * hour, t`30 days`]];

/** Makes a link to an item, after asking how long and how often it works. Returns whether it was made. */
export async function makeLink(home, vault, item) {
  const time = make("select", { name: "lifetime" }, ...lifetimes.map(([value, words], index) => make("option", { value, selected: index === 2 }, words)));
  const views = make("input", { name: "views", type: "number", min: 1, max: 1000, value: 3, required: true, inputmode: "numeric" });
  const made = await formDialog({
    title: t`Link to ${item.name}`,
    text: t`Anyone who has the link and its code can open it, without an account. Send them by two different ways.`,
    parts: [field(t`It works for`, time), field(t`How often it can be opened`, views)], confirm: t`Make the link`,
    act: async (values, news) => {
      news(t`Being sealed and sent`);
      return create(home, vault, item, Number(values.lifetime), Number(values.views));
    },
  });
  if (!made) return false;
  await show(item, made);
  return true;
}

async function create(home, vault, item, lifetime, maximumViews) {
  // What is too large is not fetched first.
  requireRoom(item.size);
  const content = item.kind === "note" ? utf8(item.text ?? "") : new Uint8Array(await (await vault.blob(item)).arrayBuffer());
  const file = packed({ name: item.kind === "note" ? `${item.name}.txt` : item.name, type: item.kind === "note" ? "text/plain" : item.type ?? "" }, content);
  requireRoom(file.length);
  const key = newKey();
  const known = knownLinks(home);
  const before = new Set((await api.all("/api/vault/links")).map(({ id }) => id));
  // Not those that another device makes while this one is sent: they are in neither list.
  const over = new Set(known.filter((id) => !before.has(id)));
  const body = { sealed: await seal(file, key, purposes.vault), lifetime, maximum_views: maximumViews, key_check: await keyCheck(key) };
  // A link whose answer was lost has a code that nobody knows: it is stopped.
  const stopLost = async () => {
    for (const { id, stopped } of await api.all("/api/vault/links")) {
      if (!before.has(id) && !stopped) await api.delete(`/api/vault/links/${id}`);
    }
  };
  const share = await once(t`the link was made`, () => api.post("/api/vault/links", body), stopLost);
  await rememberLink(home, share.id, item, over);
  const origin = (await device())?.trust.publicURL ?? location.origin;
  return { id: share.id, code: share.code, link: `${origin}/v/${share.id}#${b64u(key)}` };
}

function requireRoom(length) {
  if (fits({ length })) return;
  throw new Problem("too-large", { detail: t`This is too large for a link: it has ${size(length)}, and a link holds 12 MB. Share it with a member instead.` });
}

/** The links of which the vault remembers something, those that are over among them. */
const knownLinks = (home) => ["links", "linked"].flatMap((name) => Object.keys(home.remembered(name) ?? {}));

/** What a link leads to stays in the vault: the server knows neither the name nor the item. Forgets the links that are over. */
async function rememberLink(home, id, item, over) {
  const kept = (known = {}) => Object.fromEntries(Object.entries(known).filter(([one]) => !over.has(one)));
  await home.remember("links", (names) => ({ ...kept(names), [id]: item.name }));
  await home.remember("linked", (items) => ({ ...kept(items), [id]: item.id }));
}

/** Ends the links to items: they are being destroyed. */
export async function endLinks(home, ids) {
  const linked = home.remembered("linked") ?? {};
  const ending = new Set(Object.keys(linked).filter((link) => ids.includes(linked[link])));
  if (ending.size === 0) return;
  for (const { id, stopped } of await api.all("/api/vault/links")) {
    if (ending.has(id) && !stopped) await api.delete(`/api/vault/links/${id}`);
  }
}

/** Shows a link until the person says that they have it: a code that nobody knows would leave a link that opens for nobody. */
async function show(item, { id, link, code }) {
  const line = (name, label, value) => {
    const input = make("input", { id: name, readonly: true, value, dir: "ltr" });
    const button = make("button", { type: "button", class: "button", onclick: () => copy(value) }, t`Copy`);
    return make("div", { class: "field" }, make("label", { for: name }, label), make("div", { class: "row" }, input, button));
  };
  const isLocked = () => $("#opened").hidden;
  // Closed by the lock, it asks nothing: nobody may be there any more.
  while (!isLocked()) {
    const hasBoth = await formDialog({
      title: t`The link to ${item.name}`,
      text: t`The code is shown only now. You can stop the link under “Other people”.`,
      parts: [line("made-link", t`Link`, link), line("made-code", t`Code`, code)], confirm: t`I have both`, cancel: t`Close`,
    });
    if (hasBoth) return tell("success", t`The link works from now on.`);
    if (!isLocked() && await isGivenUp(id)) return tell("success", t`The link is stopped.`);
  }
  return undefined;
}

/** Asks whether a link is given up whose code was not taken, and stops it then. */
async function isGivenUp(id) {
  const answer = await ask({
    title: t`Close without the code?`, text: t`Nobody can show it again.`, confirm: t`Stop the link`, cancel: t`Show it again`, danger: true,
  });
  if (!answer) return false;
  try {
    await api.delete(`/api/vault/links/${id}`);
    return true;
  } catch (problem) {
    // The link goes on, and so does its code.
    notice("error", describe(problem));
    return false;
  }
}
