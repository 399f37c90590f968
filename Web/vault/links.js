// A link to one file or note, with a code: sealed under a key in the link's fragment, for somebody who needs no account.

import { device } from "../accounts/keys.js";
import { Problem, api } from "../shell/api.js";
import { b64u } from "../shell/core.js";
import { bytes as size, copy, make, notice } from "../shell/dom.js";
import { once } from "../shell/once.js";
import { fits, keyCheck, newKey, purposes, seal } from "../shell/sealed-link.js";
import { t } from "../shell/translate.js";
import { utf8 } from "./bytes.js";
import { field, formDialog } from "./form-dialog.js";
import { packed } from "./link-content.js";

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
  const content = item.kind === "note" ? utf8(item.text ?? "") : new Uint8Array(await (await vault.blob(item)).arrayBuffer());
  const file = packed({ name: item.kind === "note" ? `${item.name}.txt` : item.name, type: item.kind === "note" ? "text/plain" : item.type ?? "" }, content);
  if (!fits(file)) {
    throw new Problem("too-large", { detail: t`This is too large for a link: it has ${size(file.length)}, and a link holds 12 MB. Share it with a member instead.` });
  }
  const key = newKey();
  const before = new Set((await api.get("/api/vault/links")).items.map(({ id }) => id));
  const body = { sealed: await seal(file, key, purposes.vault), lifetime, maximum_views: maximumViews, key_check: await keyCheck(key) };
  // A link whose answer was lost has a code that nobody knows: it is stopped.
  const stopLost = async () => {
    for (const { id, stopped } of (await api.get("/api/vault/links")).items) {
      if (!before.has(id) && !stopped) await api.delete(`/api/vault/links/${id}`);
    }
  };
  const share = await once(t`the link was made`, () => api.post("/api/vault/links", body), stopLost);
  await rememberName(home, share.id, item.name, before);
  const origin = (await device())?.trust.publicURL ?? location.origin;
  return { code: share.code, link: `${origin}/v/${share.id}#${b64u(key)}` };
}

/** The name stays in the vault: the server does not know what a link leads to. */
async function rememberName(home, id, name, before) {
  await home.remember("links", (names = {}) => ({ ...Object.fromEntries(Object.entries(names).filter(([known]) => before.has(known))), [id]: name }));
}

async function show(item, { link, code }) {
  const line = (id, label, value) => {
    const input = make("input", { id, readonly: true, value, dir: "ltr" });
    const button = make("button", { type: "button", class: "button", onclick: () => copy(value) }, t`Copy`);
    return make("div", { class: "field" }, make("label", { for: id }, label), make("div", { class: "row" }, input, button));
  };
  await formDialog({
    title: t`The link to ${item.name}`,
    text: t`The code is shown only now. You can stop the link under “Other people”.`,
    parts: [line("made-link", t`Link`, link), line("made-code", t`Code`, code)], confirm: t`I have both`, cancel: t`Close`,
  });
  notice("success", t`The link works from now on.`);
}
