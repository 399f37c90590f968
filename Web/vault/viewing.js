// One item, opened in the page: pictures, PDFs, texts and notes. Nothing of it stays when it is closed or locked.

import { $, busy, bytes, chosenDay, make, time } from "../shell/dom.js";
import { t } from "../shell/translate.js";
import { largest, seenOf } from "./file-element.js";
import { growingFile } from "./growing-file.js";
import { issuedType } from "./issued-type.js";
import { hasPasskey, hasPIN } from "./item-locks.js";
import { reminder, typeName } from "./listing.js";
import { noteElements } from "./note-view.js";
import { isLocked, tell } from "./telling.js";
import { savedAt, untilLocked } from "./until-locked.js";

/**
 * Minds the view of an item.
 *
 * @param page `{vault(), wayBack(item), act(item, name)}`: what is open, the address of the list that the item is closed to, and what
 *   to do when a button of the item was pressed
 */
export function viewing(page) {
  let address = null;
  let turn = 0;
  /** What is fetched for what is shown: nobody waits for it when it is left. */
  let left = new AbortController();
  return { show, clear };

  async function show(id) {
    clear();
    const mine = turn;
    const vault = page.vault();
    const item = vault.item(id);
    if (!item) return false;
    $("#item-title").textContent = item.name;
    $("#item-close").href = page.wayBack(item);
    drawFacts(item);
    drawActs(item);
    $("#item-title").focus();
    if (item.isLocked) {
      $("#item-view").append(make("p", {}, t`This item has a lock of its own. Open it to see what it is.`));
      return true;
    }
    if (item.kind === "note") {
      $("#item-view").append(...noteElements(item.text ?? ""));
      return true;
    }
    if (item.size > largest) {
      $("#item-view").append(make("p", {}, t`This file is too large to be shown here. You can save it.`));
      return true;
    }
    const bar = make("progress", { max: 1, "aria-label": t`Opening ${item.name}` });
    $("#item-view").append(bar);
    try {
      const blob = await vault.blob(item, { signal: left.signal, onProgress: (share) => { bar.value = share; } });
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
    const seen = await seenOf(item, blob);
    if (mine !== turn) return seen.address && URL.revokeObjectURL(seen.address);
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
      ...(item.expires ? [[t`Expires`, reminder(item) || chosenDay(item.expires)]] : []),
      ...(item.original && item.original !== item.name ? [[t`The file’s own name`, item.original]] : []),
    ];
    $("#item-facts").replaceChildren(...facts.map(([name, value]) => make("div", {}, make("dt", {}, name), make("dd", { dir: "auto" }, value))));
    $("#item-facts").hidden = item.isLocked;
  }

  function drawActs(item) {
    const vault = page.vault();
    // A lock opens with what its owner has: it is neither opened nor made in somebody else's vault, or in one that others see.
    const isOwn = vault.mayWrite && !vault.isInner;
    const acts = item.isLocked ? (isOwn ? lockedActs(item) : []) : openActs(item, vault, isOwn);
    if (vault.mayWrite) acts.push(["trash", t`Delete`]);
    // Without a network nothing can be changed.
    if (vault.isOffline) acts.splice(0, acts.length, ...acts.filter(([name]) => ["save", "present"].includes(name)));
    acts.push(...keepingActs(item, vault));
    $("#item-acts").replaceChildren(...acts.map(([name, words]) => {
      const button = make("button", { type: "button", class: `button${name === "trash" ? " danger" : ""}`, "data-act": name }, words);
      button.addEventListener("click", () => busy(button, () => page.act(item, name)));
      return button;
    }));
  }

  function lockedActs(item) {
    return [
      ...(hasPasskey(item) ? [["open-passkey", t`Open with a passkey`]] : []), ...(hasPIN(item) ? [["open-pin", t`Open with the PIN`]] : []),
    ];
  }

  /** Keeping it on this device: what has a lock of its own, or is in a compartment of its own, is not kept. */
  function keepingActs(item, vault) {
    if (vault !== page.home() || item.locks.length > 0) return [];
    const keeping = page.keeping();
    if (keeping.isChosen(item.id)) return [["unkeep", t`Remove from this device`]];
    return vault.isOffline || keeping.isKept(item.id) ? [] : [["keep", t`Keep on this device`]];
  }

  /** What can be done with an item that is open; one that has a lock goes to nobody else before its lock is off. */
  function openActs(item, { mayWrite }, isOwn) {
    const hasLock = item.locks.length > 0;
    return [
      ...(item.kind === "note" ? (mayWrite ? [["edit", t`Edit`]] : []) : item.issued ? [] : [["save", t`Save a copy`]]),
      ...(item.kind === "file" && item.size <= largest ? [["present", t`Show at the counter`]] : []),
      ...(page.vault() === page.home() && !hasLock ? [["share", t`Share`], ...(item.issued ? [] : [["link", t`Make a link`]])] : []),
      ...(hasLock ? [] : [["carry", mayWrite ? t`Move or copy` : t`Copy to my vault`]]),
      ...(mayWrite ? [["change", t`Change`]] : []), ...(item.versions.length > 1 ? [["versions", t`Earlier states`]] : []),
      ...(isOwn ? [hasLock ? ["unlock", t`Take the lock off`] : ["lock", t`Lock it{#item}`]] : []),
    ];
  }

  /** Lets go of everything that was shown. */
  function clear() {
    turn += 1;
    left.abort();
    left = new AbortController();
    if (address) URL.revokeObjectURL(address);
    address = null;
    $("#item-view").replaceChildren();
    $("#item-facts").replaceChildren();
    $("#item-acts").replaceChildren();
    $("#item-title").textContent = "";
  }
}

/** Saves a copy outside the vault, of an item or of one of its earlier states. The lock ends it: nothing is written any more. */
export async function saveCopy(vault, item, { number = 0, size = item.size } = {}) {
  const name = fileName(item);
  if (size > largest) {
    if (globalThis.showSaveFilePicker) await saveGrowing(vault, item, name, number);
    else tell("warning", t`This browser cannot save so large a file from here. Use the command line: countersign wallet vault get.`);
    return;
  }
  await untilLocked(async (signal) => {
    const blob = await vault.blob(item, { number, signal });
    signal.throwIfAborted();
    make("a", { href: savedAt(blob), download: name }).click();
    tell("info", t`The copy outside the vault is not encrypted. Delete it when you need it no more.`);
  });
}

/** Saves what is too large for the memory. */
async function saveGrowing(vault, item, name, number) {
  const file = await growingFile({ suggestedName: name }).catch((error) => {
    if (error.name === "AbortError") return null;
    throw error;
  });
  if (!file) return;
  // Nobody may be there any more when a place was chosen.
  if (isLocked()) return file.abort();
  await untilLocked(async (signal) => {
    try {
      await (await vault.content(item, number)).pour((bytes) => file.write(bytes), { signal });
      signal.throwIfAborted();
      await file.close();
    } catch (error) {
      await file.abort();
      throw error;
    }
    tell("info", t`The copy outside the vault is not encrypted. Delete it when you need it no more.`);
  });
}

/** The endings of kinds that a page shows, the usual one first. */
const endings = {
  "image/jpeg": ["jpg", "jpeg", "jpe", "jfif"], "image/png": ["png"], "image/gif": ["gif"], "image/webp": ["webp"], "image/avif": ["avif"],
  "application/pdf": ["pdf"], [issuedType]: ["package"],
};
/** Endings that people trust. Behind one of them comes no other: many systems hide the last one. */
const familiar = /\.(?:pdf|jpe?g|png|gif|webp|avif|heic|txt|rtf|csv|docx?|xlsx?|pptx?|od[tsp]|mp[34]|mov)$/i;

/** The ending that a file gets: of its kind, or the one that it had. Somebody else may have written both, and the name. */
function endingOf(name, type, original) {
  const own = /\.([A-Za-z0-9]{1,8})$/.exec(original ?? "")?.[1];
  const usual = Object.hasOwn(endings, type ?? "") ? endings[type] : null;
  if (usual) return usual.includes(own?.toLowerCase()) ? own : usual[0];
  if (own) return familiar.test(name) ? "" : own;
  return type === "text/plain" ? "txt" : "";
}

/** A name that a file may have: with the ending of its kind, and no characters that lead elsewhere or turn the writing. */
export function fileName({ name, type, original }) {
  const plain = name.replace(/[\u0000-\u001f/\\:*?"<>|\u007f-\u009f\u200e\u200f\u2028-\u202e\u2066-\u2069]/gu, "_").replace(/^\.+/, "_").trim() || t`file`;
  const ending = endingOf(plain, type, original);
  return ending && !plain.toLowerCase().endsWith(`.${ending.toLowerCase()}`) ? `${plain}.${ending}` : plain;
}
