// One item, opened in the page: pictures, PDFs, texts and notes. Nothing of it stays when it is closed or locked.

import { $, busy, bytes, day, make, notice, time } from "../shell/dom.js";
import { t } from "../shell/translate.js";
import { drawn } from "./file-element.js";
import { reminder, typeName } from "./listing.js";

/** The largest file that is put together in memory, in bytes. */
const largest = 512_000_000;

/**
 * Minds the view of an item.
 *
 * @param page `{vault(), act(item, name)}`: what is open, and what to do when a button of the item was pressed
 */
export function viewing(page) {
  let address = null;
  let turn = 0;
  return { show, clear };

  async function show(id) {
    clear();
    const mine = turn;
    const vault = page.vault();
    const item = vault.item(id);
    if (!item) return false;
    $("#item-title").textContent = item.name;
    $("#item-close").href = page.addressOf(item.parent);
    drawFacts(item);
    drawActs(item);
    $("#item-title").focus();
    if (item.kind === "note") {
      $("#item-view").append(make("div", { class: "card as-written", dir: "auto", tabindex: 0 }, item.text || t`This note is empty.`));
      return true;
    }
    if (item.isLocked) {
      $("#item-view").append(make("p", {}, t`This item has a lock of its own. Open it to see what it is.`));
      return true;
    }
    if (item.size > largest) {
      $("#item-view").append(make("p", {}, t`This file is too large to be shown here. You can save it.`));
      return true;
    }
    const bar = make("progress", { max: 1, "aria-label": t`Opening ${item.name}` });
    $("#item-view").append(bar);
    try {
      const blob = await vault.blob(item, (share) => { bar.value = share; });
      if (mine === turn) draw(item, blob);
    } catch (error) {
      if (mine !== turn) return true;
      bar.remove();
      throw error;
    }
    return true;
  }

  async function draw(item, blob) {
    const mine = turn;
    const seen = await drawn(item, blob);
    if (mine !== turn) return URL.revokeObjectURL(seen.address);
    ({ address } = seen);
    $("#item-view").replaceChildren(seen.element);
    return undefined;
  }

  function drawFacts(item) {
    const facts = [
      [t`Kind`, item.kind === "note" ? t`Note` : typeName(item.type)],
      ...(item.kind === "file" ? [[t`Size`, bytes(item.size)]] : []),
      [t`Added`, time(item.created)], [t`Changed`, time(item.modified)],
      ...(item.tags.length > 0 ? [[t`Tags`, item.tags.join(", ")]] : []),
      ...(item.expires ? [[t`Expires`, reminder(item) || day(item.expires)]] : []),
      ...(item.original && item.original !== item.name ? [[t`The file’s own name`, item.original]] : []),
    ];
    $("#item-facts").replaceChildren(...facts.map(([name, value]) => make("div", {}, make("dt", {}, name), make("dd", { dir: "auto" }, value))));
    $("#item-facts").hidden = item.isLocked;
  }

  function drawActs(item) {
    const { mayWrite } = page.vault();
    const isHome = page.vault() === page.home();
    const acts = [
      ...(item.kind === "note" ? (mayWrite ? [["edit", t`Edit`]] : []) : [["save", t`Save a copy`]]),
      ...(item.kind === "file" && !item.isLocked ? [["present", t`Show at the counter`]] : []),
      ...(isHome && !item.isLocked ? [["share", t`Share`], ["link", t`Make a link`]] : []),
      ...(item.isLocked ? [] : [["carry", mayWrite ? t`Move or copy` : t`Copy to my vault`]]),
      ...(mayWrite ? [["change", t`Change`]] : []), ...(item.versions.length > 1 ? [["versions", t`Earlier states`]] : []),
      ...(mayWrite ? [["trash", t`Delete`]] : []),
    ];
    $("#item-acts").replaceChildren(...acts.map(([name, words]) => {
      const button = make("button", { type: "button", class: `button${name === "trash" ? " danger" : ""}` }, words);
      button.addEventListener("click", () => busy(button, () => page.act(item, name)));
      return button;
    }));
  }

  /** Lets go of everything that was shown. */
  function clear() {
    turn += 1;
    if (address) URL.revokeObjectURL(address);
    address = null;
    $("#item-view").replaceChildren();
    $("#item-facts").replaceChildren();
    $("#item-acts").replaceChildren();
    $("#item-title").textContent = "";
  }
}

/** Shows one file and nothing else, to hand the device over: the vault is locked already. Ends when it is closed. */
export async function present(item, blob) {
  const { element, address } = await drawn(item, blob);
  const close = make("button", { type: "button", class: "button", onclick: () => dialog.close() }, t`Close`);
  const dialog = document.body.appendChild(make("dialog", { class: "counter", "aria-label": item.name }, element, make("div", { class: "actions" }, close)));
  dialog.addEventListener("close", () => {
    URL.revokeObjectURL(address);
    dialog.remove();
  });
  dialog.showModal();
}

/** Saves a copy outside the vault. */
export async function saveCopy(vault, item) {
  if (item.size > largest && !globalThis.showSaveFilePicker) {
    notice("warning", t`This browser cannot save so large a file from here. Use the command line: countersign wallet vault get.`);
    return;
  }
  const name = fileName(item);
  if (globalThis.showSaveFilePicker && item.size > largest) {
    const handle = await showSaveFilePicker({ suggestedName: name });
    const file = await handle.createWritable();
    await vault.pour(item, file);
    return;
  }
  const address = URL.createObjectURL(await vault.blob(item));
  const link = make("a", { href: address, download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
  notice("info", t`The copy outside the vault is not encrypted. Delete it when you need it no more.`);
}

const endings = { "image/jpeg": "jpg", "image/png": "png", "image/webp": "webp", "application/pdf": "pdf", "text/plain": "txt" };

/** A name that a file may have: with the ending of its kind, and no characters that lead elsewhere or turn the writing. */
export function fileName({ name, type, original }) {
  const plain = name.replace(/[\u0000-\u001f/\\:*?"<>|\u007f-\u009f\u200e\u200f\u2028-\u202e\u2066-\u2069]/gu, "_").replace(/^\.+/, "_").trim() || t`file`;
  const ending = /\.([A-Za-z0-9]{1,8})$/.exec(original ?? "")?.[1] ?? endings[type];
  return ending && !plain.toLowerCase().endsWith(`.${ending.toLowerCase()}`) ? `${plain}.${ending}` : plain;
}
