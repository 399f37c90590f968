// The ways to open the vault: passkeys, browsers, PINs and the recovery key.

import { api } from "../shell/api.js";
import { ask } from "../shell/ask.js";
import { fromB64u } from "../shell/core.js";
import { $, $$, busy, clone, time } from "../shell/dom.js";
import { t } from "../shell/translate.js";
import { random } from "./bytes.js";
import { isOwn, ownSecret, slot } from "./opening-ways.js";
import { pinButtons, pinRows, setPIN } from "./pin-rows.js";
import { showRecovery } from "./recovery-dialogs.js";
import { tell } from "./telling.js";

const titles = {
  passkey: t`A passkey`, device: t`This account’s keys in a browser`, recovery: t`Recovery key on paper`, contact: t`Emergency contact`, share: t`Two of three shares`,
};

/**
 * Draws them, and what can be done.
 *
 * @param stored what the server says of the vault; @param reload reads it again and draws
 */
export async function drawWays(vault, stored, reload) {
  const [count, shown] = [stored.slots.length, await withoutOthers(vault, stored)];
  const rows = shown.map((one) => {
    const row = clone("slot-row", { title: titles[one.kind], about: t`Since ${time(one.created)}`, mayRemove: count > 1 });
    const button = $("[data-act=remove]", row);
    button.addEventListener("click", () => busy(button, async () => { if (await remove(one)) await reload(); }));
    return row;
  });
  const again = (button, run) => button.addEventListener("click", () => busy(button, async () => { if (await run() !== false) await reload(); }));
  $("#slots").replaceChildren(...rows, ...pinRows(vault, stored, again));
  $("#add-pin-way").hidden = vault.pinSlots().some(({ purpose }) => purpose === 1) && stored.guard.state === "ready";
  for (const old of $$("#ways [data-pin]")) old.remove();
  $("#add-pin-way").after(...pinButtons(vault, stored, again));
  act("#add-passkey-way", async () => {
    const salt = fromB64u(stored.salt);
    const own = await ownSecret(t`Add a way to open your vault`, salt);
    await put(await slot(own.kind, own.secret, salt, vault.compartment), t`Add a way to open your vault`);
    tell("success", t`This device opens your vault from now on.`);
  });
  act("#add-pin-way", () => setPIN(vault, stored));
  act("#add-recovery-way", async () => {
    const key = random(32);
    if (!await showRecovery(key)) return false;
    const made = await slot("recovery", key, fromB64u(stored.salt), vault.compartment);
    key.fill(0);
    await put(made, t`Make a new recovery key`);
    for (const old of shown.filter(({ kind }) => kind === "recovery")) {
      if (!await isOwn(vault, stored, old)) continue;
      await api.delete(`/api/vault/slots/${old.id}`, { reason: t`Make a new recovery key` });
    }
    tell("success", t`The new recovery key opens your vault. The old one opens nothing any more: destroy the paper.`);
    return true;
  });

  function act(selector, run) {
    const button = $(selector);
    button.onclick = () => busy(button, async () => { if (await run() !== false) await reload(); });
  }
}

/**
 * The ways that are shown: all, but of the recovery keys and the shares only the vault's own. A vault that a PIN for less has opened
 * has none of its own: the newest stands for it, as in any other vault.
 */
async function withoutOthers(vault, stored) {
  const meant = (await Promise.all(["recovery", "share"].map(async (kind) => {
    const all = stored.slots.filter((one) => one.kind === kind);
    const own = await Promise.all(all.map((one) => isOwn(vault, stored, one)));
    return own.some(Boolean) ? all.filter((_, index) => own[index]) : all.sort((a, b) => b.created - a.created).slice(0, 1);
  }))).flat();
  return stored.slots.filter((one) => !["recovery", "share"].includes(one.kind) || meant.includes(one));
}

const put = ({ id, kind, sealed }, reason) => api.put(`/api/vault/slots/${id}`, { kind, sealed }, { reason });

async function remove({ id, kind }) {
  const answer = await ask({
    title: t`Remove this way?`, text: t`${titles[kind]} opens your vault no more. The other ways still do.`,
    confirm: t`Remove it{#way}`, cancel: t`Keep it{#way}`, danger: true,
  });
  if (!answer) return false;
  await api.delete(`/api/vault/slots/${id}`, { reason: t`Remove a way to open your vault` });
  return true;
}
