// PINs for less than the whole vault: one for some folders, and a decoy. What they are for is said before they are made, with what
// they cannot do.

import { make } from "../shell/dom.js";
import { field, isFilledIn } from "../shell/field.js";
import { plural, t } from "../shell/translate.js";
import { makeDoor, setDoorPIN } from "./doors.js";
import { pinRefusal } from "./kernel.js";
import { movable, move } from "./moving.js";
import { askForNewPIN } from "./pin-dialogs.js";
import { requireFreeSlot } from "./pin.js";
import { pinPurposes } from "./slots.js";
import { tell } from "./telling.js";
import { Transfer } from "./transfers.js";
import { root } from "./vault-state.js";

const kinds = {
  tier: {
    purpose: pinPurposes.tier, title: t`A PIN for some folders`, name: t`Travel`,
    text: [
      t`This PIN opens only the folders that you choose, for example on a journey or for somebody who helps you. Your vault opens them too, as one folder.`,
      t`The folders you choose are sealed again for this PIN.`,
    ],
    set: t`Set a PIN for some folders`,
  },
  decoy: {
    purpose: pinPurposes.decoy, title: t`A decoy PIN`, name: t`Papers`,
    text: [
      t`If somebody makes you type a PIN, this one opens a second vault with things that you can show. The page looks the same and asks the server for the same.`,
      t`It does not help against somebody who can use your passkey or your recovery key: those open the real vault. Nor does it help against somebody who examines this device or the server’s data: they can see that there is more than one compartment.`,
      t`Put something believable into it, and change your PINs only in the real vault: the decoy does not know the other PINs and may overwrite one.`,
    ],
    set: t`Set a decoy PIN`,
  },
};

/** Makes one. Returns whether it was made. */
export async function makeTier(vault, stored, kind) {
  const { purpose, title, name, text, set } = kinds[kind];
  requireFreeSlot(vault);
  const folders = kind === "tier" ? vault.children(root).filter((item) => item.kind === "folder" && !item.compartment) : [];
  const chosen = await askWhat({ title, text, name, folders });
  if (!chosen) return false;
  for (const id of chosen.folders) movable(vault, id);
  const made = await askForNewPIN(pinRefusal, {
    heading: set, confirm: t`Set the PIN`, text: t`Take another PIN than those that you have. All your PINs share one count of wrong tries.`,
    use: (pin) => makeDoor(vault, stored, { name: chosen.name, purpose, pin }),
  });
  if (!made) return false;
  if (chosen.folders.length > 0) await moveAll(vault, chosen.folders, made.inner);
  // What is in it was changed behind the page's back: it is read when somebody goes there.
  tell("success", kind === "tier" ? t`The PIN opens the folder “${chosen.name}”, and nothing else.` : t`The decoy PIN opens “${chosen.name}”. Go into it and add what you can show.`);
  return true;
}

async function moveAll(vault, folders, inner) {
  const news = document.getElementById("news");
  let count = 0;
  for (const id of folders) {
    count += vault.below(id).length;
    await move(vault, id, inner, root, { isOwn: true, earlier: true, transfer: new Transfer("") });
    news.textContent = plural(count, "{0} item sealed again", "{0} items sealed again");
  }
}

/** Sets another PIN, instead of the one with this `reset`, for what is behind a door. Returns whether it was set. */
export async function changePIN(vault, stored, { purpose, reset: replaces }, item) {
  const set = Object.values(kinds).find((kind) => kind.purpose === purpose).set;
  const done = await askForNewPIN(pinRefusal, {
    heading: set, confirm: t`Set the PIN`, text: t`Take another PIN than those that you have. All your PINs share one count of wrong tries.`,
    use: (pin) => setDoorPIN(vault, stored, pin, { purpose, item: item.id, replaces }),
  });
  if (done) tell("success", t`From now on the new PIN opens it, and the old one opens nothing.`);
  return Boolean(done);
}

/** Asks for a name and for folders: `{name, folders}`, null when the person has cancelled. */
function askWhat({ title, text, name, folders }) {
  const heading = make("h2", { id: "tier-title", tabindex: "-1" }, title);
  const called = make("input", { id: "tier-name", value: name, maxlength: 200, required: true, autocomplete: "off", dir: "auto" });
  const boxes = folders.map((item) => ({ item, input: make("input", { type: "checkbox" }) }));
  const rows = boxes.map(({ item, input }) => make("label", { class: "choice" }, input, make("span", { dir: "auto" }, item.name)));
  const cancel = make("button", { type: "button", class: "button", onclick: () => dialog.close() }, t`Cancel`);
  const form = make("form", { class: "stack", novalidate: true }, heading, ...text.map((one) => make("p", {}, one)),
    field(t`Name of the folder in your vault`, called),
    ...(rows.length > 0 ? [make("fieldset", {}, make("legend", {}, t`Folders that move into it`), ...rows)] : []),
    make("div", { class: "actions" }, cancel, make("button", { class: "button primary" }, t`Choose the PIN`)));
  const dialog = document.body.appendChild(make("dialog", { "aria-labelledby": heading.id }, form));
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    if (isFilledIn(form, [called])) dialog.close("go");
  });
  dialog.showModal();
  heading.focus();
  return new Promise((resolve) => {
    dialog.addEventListener("close", () => {
      dialog.remove();
      const chosen = { name: called.value.trim(), folders: boxes.filter(({ input }) => input.checked).map(({ item }) => item.id) };
      resolve(dialog.returnValue === "go" ? chosen : null);
    });
  });
}
