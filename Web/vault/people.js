// Other people: what they share with you, what you share with them, and your links.

import { device, whose } from "../accounts/keys.js";
import { Problem, api } from "../shell/api.js";
import { ask } from "../shell/ask.js";
import { b64u } from "../shell/core.js";
import { $, busy, clone, describe, make } from "../shell/dom.js";
import { draw as drawLinks } from "../shell/link-list.js";
import { newest } from "../shell/newest.js";
import { t } from "../shell/translate.js";
import { isThem } from "./comparing.js";
import { compartmentOf } from "./compartment.js";
import { members } from "./memberships.js";
import { isOf, openGrant, ownPrint } from "./recipients.js";
import * as folders from "./shared-folders.js";
import { admitTo, dismiss, end, finish, roleWords } from "./sharing.js";
import { tell } from "./telling.js";
import { root } from "./vault-state.js";

/** Draws the view. @param home the own vault; @param again draws everything again after a change */
export async function draw(home, again) {
  const [received, print, own] = await Promise.all([
    api.all("/api/vault/shared"), ownPrint(), whose(), drawOwnLinks(home, again),
  ]);
  $("#people-username").textContent = own?.username ?? "";
  drawReceived(home, received, again);
  await drawGiven(home, again);
  $("#own-print").textContent = print ?? t`This browser has no keys for your account.`;
}

/** How many folders of others wait to be put into the vault. */
export async function waiting(home) {
  const items = await api.all("/api/vault/shared");
  return items.filter(({ compartment, role }) => role !== "caretaker" && !known(home, compartment)).length;
}

const known = (home, compartment) => folders.shared(home).others.some(({ share }) => share.compartment === compartment);

function act(row, name, run, again) {
  const button = $(`[data-act=${name}]`, row);
  button.addEventListener("click", () => busy(button, async () => { if (await run()) await again(); }));
}

function drawReceived(home, items, again) {
  const { others } = folders.shared(home);
  const rows = items.map((one) => {
    const item = others.find(({ share }) => share.compartment === one.compartment);
    const isCaretaker = one.role === "caretaker";
    const row = clone("received-row", {
      title: item?.name ?? (isCaretaker ? t`The inbox of ${one.owner_name}` : t`A folder of ${one.owner_name}`),
      about: `${one.owner_name} · ${you(one.role)}`, href: item ? `#folder=${item.id}` : "",
      isKnown: Boolean(item), isOther: !item, isNew: !item && !isCaretaker, isInbox: isCaretaker,
    });
    act(row, "add", () => add(home, one), again);
    act(row, "put", async () => (await import("./caretaking.js")).putIn(home, one), again);
    act(row, "leave", () => (item ? end(home, item) : leave(one)), again);
    return row;
  });
  // Those that have ended stay in the vault as an empty name until somebody removes them.
  for (const item of others.filter(({ share }) => !items.some(({ compartment }) => compartment === share.compartment))) {
    const row = clone("received-row", { title: item.name, about: t`${item.share.by} no longer shares it, or gave it another key.`, isOther: true });
    act(row, "leave", () => end(home, item), again);
    rows.push(row);
  }
  $("#received").replaceChildren(...rows);
  $("#received-none").hidden = rows.length > 0;
}

const you = (role) => ({ reader: t`you may look`, writer: t`you may look and change`, caretaker: t`you may put things in, and see nothing` })[role];

/** Puts somebody else's folder into the own vault: so it opens on every device of the account. */
async function add(home, shared) {
  const access = await openGrant(home, shared, isThem);
  if (!access) return false;
  const { owner } = access;
  const isWhole = access.key && isOf(await compartmentOf(access.key), shared.compartment);
  if (!isWhole) throw new Problem("vault-broken", { detail: t`The part that was sealed to you belongs to another folder. It was not opened.` });
  const { account } = await device();
  const share = { owner: owner.account, by: owner.name, role: shared.role, compartment: shared.compartment, me: account };
  const pointer = { compartment: b64u(access.key), share };
  const old = folders.shared(home).others.find(({ share: { owner: other, compartment }, name }) => (
    other === owner.account && (compartment === shared.compartment || name === access.name)));
  if (old) await home.mark(old.id, pointer);
  else await home.addFolder(root, access.name, pointer);
  tell("success", t`${access.name} is in your vault.`);
  return true;
}

async function leave({ compartment, owner_name: name }) {
  const answer = await ask({
    title: t`Leave what ${name} shares?`, text: t`You cannot see it until ${name} shares it with you again.`,
    confirm: t`Leave it{#folder}`, cancel: t`Keep it{#folder}`, danger: true,
  });
  if (!answer) return false;
  await api.delete(`/api/vault/compartments/${compartment}/members/${(await device()).account}`);
  return true;
}

async function drawGiven(home, again) {
  const { mine } = folders.shared(home);
  const rows = await Promise.all(mine.map(async (item) => {
    const row = clone("given-row", { title: item.name, href: `#folder=${item.id}`, isUnfinished: Boolean(item.share.former) });
    const list = $("[data-members]", row);
    try {
      const items = await members(item);
      list.replaceChildren(...items.map((one) => person(home, item, one, again)));
      if (items.length === 0) list.replaceChildren(make("li", { class: "meta" }, t`Nobody else yet.`));
    } catch (problem) {
      list.replaceChildren(make("li", { class: "meta" }, describe(problem)));
    }
    act(row, "admit", async () => admitTo(home, (await folders.at(home, item.id)).place), again);
    act(row, "finish", () => finish(home, item), again);
    act(row, "end", () => end(home, item), again);
    return row;
  }));
  $("#given").replaceChildren(...rows);
  $("#given-none").hidden = rows.length > 0;
}

function person(home, item, one, again) {
  const row = clone("person-row", { name: one.name, about: roleWords[one.role] });
  $("[data-act=dismiss]", row).setAttribute("aria-label", t`End it for ${one.name}`);
  act(row, "dismiss", () => dismiss(home, item, one), again);
  return row;
}

async function drawOwnLinks(home, again) {
  const items = await newest($("#vault-links"), "/api/vault/links", again);
  const names = home.remembered("links") ?? {};
  const linked = home.remembered("linked") ?? {};
  const leadsTo = (id) => (Object.hasOwn(linked, id) && home.item(linked[id]) ? linked[id] : null);
  // With where it leads, so that a row is drawn again when its item is gone.
  const titled = items.map((one) => ({ ...one, title: names[one.id] ?? t`A file`, item: leadsTo(one.id) }));
  drawLinks($("#vault-links"), titled, (id) => api.delete(`/api/vault/links/${id}`), again);
  $("#vault-links-none").hidden = items.length > 0;
}
