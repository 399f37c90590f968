// The inbox: what caretakers have put in, looked at, taken into a folder or thrown away; and who may put things in.

import { api } from "../shell/api.js";
import { ask } from "../shell/ask.js";
import { b64u, fromB64u } from "../shell/core.js";
import { $, busy, bytes, clone, make, notice } from "../shell/dom.js";
import { t } from "../shell/translate.js";
import { fromHex, join, Reader, same } from "./bytes.js";
import { root } from "./compartment.js";
import { contentReader, headerLength, readVersion, versionRecord } from "./content.js";
import { drawn, largest } from "./file-element.js";
import { field, formDialog } from "./form-dialog.js";
import { decodeMetadata } from "./metadata.js";
import { grant } from "./recipients.js";
import { openSealedTo, privateKey } from "./sealing.js";
import { askForPerson } from "./sharing.js";
import { tell } from "./telling.js";
import { pictureOf } from "./thumbnails.js";
import { received } from "./transfers.js";

const curve = { name: "ECDH", namedCurve: "P-256" };

/** The keys of the vault's inbox, made with the first caretaker: `{key, point}`. */
async function keys(home) {
  if (!home.remembered("inbox")) {
    const pair = await crypto.subtle.generateKey(curve, true, ["deriveBits"]);
    const point = new Uint8Array(await crypto.subtle.exportKey("raw", pair.publicKey));
    const key = new Uint8Array(await crypto.subtle.exportKey("pkcs8", pair.privateKey)).slice(36, 68);
    // Another device may have made them since: what was put in is sealed to those.
    await home.remember("inbox", (known) => known ?? { key: b64u(key), point: b64u(point) });
  }
  const { key, point } = home.remembered("inbox");
  return { key: fromB64u(key), point: fromB64u(point) };
}

const path = (home) => `/api/vault/compartments/${home.state.name}`;

/** Draws the view. @param again draws everything again after a change */
export async function draw(home, again) {
  const [{ items: drops }, { items: members }] = await Promise.all([api.get(`${path(home)}/inbox`), api.get(`${path(home)}/members`)]);
  const inbox = drops.length > 0 ? await keys(home) : null;
  $("#drops").replaceChildren(...await Promise.all(drops.map(async (drop) => row(home, drop, await opened(home, inbox, drop), again))));
  $("#drops-none").hidden = drops.length > 0;
  const caretakers = members.filter(({ role }) => role === "caretaker");
  $("#caretakers").replaceChildren(...caretakers.map((one) => caretaker(home, one, again)));
  $("#caretakers-none").hidden = caretakers.length > 0;
  const add = $("#add-caretaker");
  add.onclick = () => busy(add, async () => { if (await admit(home)) await again(); });
}

/**
 * What is in a drop; null for what is not sealed to this inbox, or is not what it should be, whatever is wrong with it: one that
 * stopped the page would hide the others, and nobody could throw it away.
 */
async function opened(home, inbox, drop) {
  try {
    const id = fromHex(drop.id);
    if (same(id, root)) return null;
    const said = await openSealedTo(
      await privateKey(inbox.key), inbox.point, "inbox", join(home.compartment.id, id), fromB64u(drop.sealed));
    const reader = new Reader(said);
    const version = readVersion(reader.take(16), id, reader.take(64));
    const metadata = decodeMetadata(reader.take(reader.remaining));
    // Nothing that somebody else writes becomes a folder, a key or a setting here.
    const { name, media_type: type, size, created, thumbnail } = metadata;
    if (metadata.kind !== "file" || size !== version.size) return null;
    const picture = pictureOf(thumbnail) ? { thumbnail } : {};
    return { id, version, metadata: { kind: "file", name, created, modified: created, size, ...(type ? { media_type: type.toWellFormed() } : {}), ...picture } };
  } catch {
    return null;
  }
}

function row(home, drop, found, again) {
  const sender = drop.sender_name || t`Somebody whose account is gone`;
  const element = clone("drop-row", {
    name: found?.metadata.name ?? t`Something that does not open`, about: found ? `${sender} · ${bytes(found.metadata.size)}` : sender,
    created: drop.created, expires: drop.expires, isOpen: Boolean(found),
  });
  const act = (name, run) => {
    const button = $(`[data-act=${name}]`, element);
    button.addEventListener("click", () => busy(button, async () => { if (await run()) await again(); }));
  };
  act("look", () => look(drop, found));
  act("take", () => take(home, drop, found));
  act("discard", () => discard(home, drop, found));
  return element;
}

async function read(drop, { version, metadata }) {
  const bytesOf = (from, to) => received(fromHex(drop.content), from, to);
  const content = await contentReader(version, await bytesOf(0, headerLength), bytesOf);
  const all = await content.bytes(0, version.size);
  await content.checkEnd();
  return new Blob([all], { type: metadata.media_type ?? "application/octet-stream" });
}

async function look(drop, found) {
  if (found.version.size > largest) {
    notice("warning", t`This file is too large to be shown here. Take it into your vault, and save it from there.`);
    return false;
  }
  const blob = await read(drop, found);
  const { element, address } = await drawn({ name: found.metadata.name, type: found.metadata.media_type }, blob);
  // The vault was locked while it was fetched: nothing comes up then.
  if ($("#opened").hidden) {
    URL.revokeObjectURL(address);
    return false;
  }
  await shownUntilClosed(found.metadata.name, make("p", {}, t`From ${drop.sender_name || t`Somebody whose account is gone`}`), element);
  URL.revokeObjectURL(address);
  return false;
}

/** Shows something in a dialog; ends when it was closed. */
async function shownUntilClosed(name, ...parts) {
  const title = make("h2", { id: "drop-title", tabindex: "-1", dir: "auto" }, name);
  const close = make("button", { type: "button", class: "button primary", onclick: () => dialog.close() }, t`Close`);
  const dialog = document.body.appendChild(make("dialog", { "aria-labelledby": title.id },
    make("div", { class: "stack" }, title, ...parts, make("div", { class: "actions" }, close))));
  dialog.showModal();
  title.focus();
  await new Promise((resolve) => { dialog.addEventListener("close", resolve); });
  dialog.remove();
}

async function take(home, drop, found) {
  // An earlier try may have been cut off when it was in the vault: only the inbox has to let go of it then.
  const isTaken = () => home.state.records.has(drop.id);
  const letGo = async () => {
    await api.delete(`${path(home)}/inbox/${drop.id}`);
    return true;
  };
  const select = make("select", { name: "folder" }, ...home.folders().map(({ id, path: words }) => make("option", { value: id }, words || t`Vault`)));
  const done = isTaken() ? await letGo() : await formDialog({
    title: t`Take ${found.metadata.name} into your vault`, parts: [field(t`Folder`, select)], confirm: t`Take it`,
    act: async ({ folder }) => {
      if (!isTaken()) {
        await home.adopt(folder, found.id, found.metadata, async (key) => [
          await versionRecord(home.compartment, key, found.version, fromHex(drop.content))]);
      }
      // Its content is the vault's by now, and stays.
      return letGo();
    },
  });
  if (done) tell("success", t`${found.metadata.name} is in your vault.`);
  return Boolean(done);
}

async function discard(home, drop, found) {
  const answer = await ask({
    title: t`Throw ${found?.metadata.name ?? t`this`} away?`, text: t`It is destroyed at once, and nobody can bring it back.`,
    confirm: t`Throw it away`, cancel: t`Keep it{#document}`, danger: true,
  });
  if (!answer) return false;
  await api.delete(`${path(home)}/inbox/${drop.id}`);
  return true;
}

function caretaker(home, one, again) {
  const element = clone("person-row", { name: one.name, about: t`may put things in` });
  const button = $("[data-act=dismiss]", element);
  button.setAttribute("aria-label", t`End it for ${one.name}`);
  button.addEventListener("click", () => busy(button, async () => {
    const answer = await ask({
      title: t`End this for ${one.name}?`, text: t`${one.name} can put nothing more into your inbox. Everything there stays.`,
      confirm: t`End it`, cancel: t`Leave it`, danger: true,
    });
    if (!answer) return;
    await api.delete(`${path(home)}/members/${one.account}`);
    await again();
  }));
  return element;
}

async function admit(home) {
  const found = await askForPerson({
    title: t`Add a caretaker`, text: t`A caretaker puts files into your inbox, sealed for you, and sees nothing of your vault.`,
    confirm: ({ name }) => t`Add ${name}`, finally: ({ name }) => t`${name} can put files into your inbox, and see nothing.`,
  });
  if (!found) return false;
  const { recipient } = found;
  const { point } = await keys(home);
  const reason = t`Let ${recipient.name} put things into your inbox`;
  const sealed = await grant({ recipient, compartment: home.compartment.id, role: "caretaker", access: { inbox: point, name: "inbox" }, reason });
  await api.put(`${path(home)}/members/${recipient.account}`, { role: "caretaker", sealed }, { reason });
  tell("success", t`${recipient.name} can put files into your inbox from now on.`);
  return true;
}
