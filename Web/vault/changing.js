// Changing an item: its name, folder, tags and reminder; and deleting it.

import { ask } from "../shell/ask.js";
import { busy, describe, make } from "../shell/dom.js";
import { fault, field, isFilledIn } from "../shell/field.js";
import { askBeforeLeaving } from "../shell/leaving.js";
import { t } from "../shell/translate.js";
import { behind, removeDoor } from "./doors.js";
import { move } from "./moving.js";
import { elsewhere } from "./shared-folders.js";
import { tellUndoable } from "./telling.js";
import { Transfer } from "./transfers.js";
import { root } from "./vault-state.js";

/**
 * Asks what is to be changed, in one form.
 *
 * @param page `{home(), act(item, name)}`: the vault that was opened, and what more can be done with it
 * @returns whether something was changed
 */
export function changeItem(vault, item, page) {
  const title = make("h2", { id: "change-title" }, t`Change ${item.name}`);
  const name = make("input", { id: "change-name", value: item.name, maxlength: 200, required: true, autocomplete: "off", dir: "auto" });
  const others = item.compartment ? [] : elsewhere(page.home(), vault);
  const folder = make("select", { id: "change-folder", disabled: Boolean(item.door) }, ...[...vault.folders(item), ...others].map(({ id, path }) => (
    make("option", { value: id, selected: id === item.parent }, path || t`Vault`))));
  const tagsBefore = item.tags.join(", ");
  const tags = make("input", { id: "change-tags", value: tagsBefore, maxlength: 300, autocomplete: "off", dir: "auto" });
  const expires = make("input", { id: "change-expires", type: "date", value: dayOf(item.expires) });
  // A field of days does not take every time that somebody may have written: what it does not show stays as it is.
  const expiresBefore = expires.value;
  const other = () => others.find(({ id }) => id === folder.value);
  const error = make("p", { class: "error-text", role: "alert" });
  const remove = make("button", { type: "button", class: "button quiet danger" }, item.share?.owner ? t`Leave` : t`Delete`);
  // A folder has no view with buttons of its own.
  const share = item.kind === "folder" && !item.door && !item.share?.owner && vault === page.home()
    ? [make("button", { type: "button", class: "button quiet", onclick: () => { dialog.close(); page.act(item, "share"); } }, t`Share`)] : [];
  const cancel = make("button", { type: "button", class: "button", onclick: () => leave() }, t`Cancel`);
  const save = make("button", { class: "button primary" }, t`Save`);
  const form = make("form", { class: "stack", novalidate: true }, title, field(t`Name`, name), field(t`Folder`, folder),
    field(t`Tags`, tags, t`Words with commas between them, such as travel, 2026.`),
    ...(item.kind === "folder" ? [] : [field(t`Expires on`, expires, t`You are reminded here 60 days before. Nothing is deleted.`)]),
    error, make("div", { class: "actions" }, remove, ...share, cancel, save));
  const dialog = document.body.appendChild(make("dialog", { "aria-labelledby": title.id }, form));
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    // The browser hands out no half of a date: a reminder would go.
    const halfDate = expires.validity.badInput ? t`Write a day that exists, as year, month and day.` : "";
    if (!isFilledIn(form, [name], ...(item.kind === "folder" ? [] : [fault(expires, halfDate)]))) return;
    await busyWith(save, error, async () => {
      // Only what was changed here: another device may have changed the rest.
      const change = {
        ...(name.value.trim() === item.name ? {} : { name: name.value.trim() }),
        ...(tags.value === tagsBefore ? {} : { tags: tagsOf(tags.value) }),
        ...(folder.value === item.parent || other() ? {} : { parent: folder.value }),
        ...(expires.value === expiresBefore ? {} : { expires: expires.value ? Date.parse(expires.value) / 1000 : null }),
      };
      if (Object.keys(change).length > 0) await vault.describe(item.id, change);
      if (other()) await move(vault, item.id, await other().open(), root, { isOwn: true, earlier: true, transfer: new Transfer(item.name) });
      dialog.close("changed");
    });
  });
  remove.addEventListener("click", () => busyWith(remove, error, async () => {
    if (await trashItem(vault, item)) dialog.close("changed");
  }));
  const before = [name, folder, tags, expires].map(({ value }) => value);
  const leave = askBeforeLeaving(dialog, () => [name, folder, tags, expires].some(({ value }, at) => value !== before[at]));
  dialog.showModal();
  name.focus();
  return new Promise((resolve) => {
    dialog.addEventListener("close", () => {
      dialog.remove();
      resolve(dialog.returnValue === "changed");
    });
  });
}

/** The day of a time in seconds, as a field of days takes it; empty for none and for times that no calendar has. */
function dayOf(time) {
  const date = new Date(time * 1000);
  return time && !Number.isNaN(date.getTime()) ? date.toISOString().slice(0, 10) : "";
}

async function busyWith(button, error, act) {
  error.textContent = "";
  await busy(button, async () => {
    try {
      await act();
    } catch (problem) {
      error.textContent = describe(problem);
    }
  });
}

/** Tags as they are typed: without # and doubles. */
const tagsOf = (text) => [...new Set(text.split(/[,،]/).map((tag) => tag.trim().replace(/^#+/, "")).filter(Boolean))].slice(0, 20);

/** Moves an item to the trash, with a way back. Returns whether it was done. */
export async function trashItem(vault, item, drawn = () => {}) {
  if (item.door) return destroyDoor(vault, item);
  if (item.share) return (await import("./sharing.js")).end(vault, item);
  await vault.trash(item.id);
  tellUndoable(t`${item.name} is in the trash.`, async () => {
    await vault.restore(item.id);
    drawn();
  });
  return true;
}

/** What is behind a door is in a compartment of its own, which has no trash here. */
async function destroyDoor(vault, item) {
  const answer = await ask({
    title: t`Destroy ${item.name} now?`, text: t`Everything in it is destroyed with it, at once. It does not go to the trash.`,
    confirm: t`Destroy it`, cancel: t`Keep it{#document}`, danger: true,
  });
  if (!answer) return false;
  await endLinks(vault, await behind(vault, item));
  await removeDoor(vault, item);
  return true;
}

/** Ends the links to what is destroyed: first they, so that what fails leaves no link to something that is gone. */
const endLinks = async (home, ids) => (await import("./links.js")).endLinks(home, ids);

/** Asks, and destroys an item for good, and the links to it. `home` is the vault that was opened. Returns whether it was done. */
export async function destroyItem(vault, item, home) {
  const answer = await ask({
    title: t`Destroy ${item.name} now?`, text: t`Its keys are deleted at once, and you cannot bring it back. 21 days later no backup of the server opens it either. Your links to it end.`,
    confirm: t`Destroy it`, cancel: t`Keep it{#document}`, danger: true,
  });
  if (!answer) return false;
  await endLinks(home, vault.below(item.id));
  await vault.remove(item.id);
  return true;
}
