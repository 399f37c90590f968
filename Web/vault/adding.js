// The ways in: camera, photos, files, notes, and what is dropped or pasted on the page.

import { ask } from "../shell/ask.js";
import { $, busy, describe, notice } from "../shell/dom.js";
import { locale, plural, t } from "../shell/translate.js";
import { thumbnailOf } from "./thumbnails.js";
import { Transfer } from "./transfers.js";
import { drawTransfers } from "./transfer-list.js";

/** How many files are sealed and sent at once. */
const lanes = 2;

/** The name of what has none yet: its date and time, which say nothing about what it is. */
export function dateName(time = new Date()) {
  const [day, clock] = [time.toLocaleDateString(locale, { dateStyle: "medium" }), time.toLocaleTimeString(locale, { timeStyle: "short" })];
  return `${day}, ${clock}`;
}

/**
 * Minds the buttons, and what is dropped or pasted.
 *
 * @param page `{vault(), folder(), drawn()}`: what is open, the folder that is looked at, and what draws it again
 */
export function adding(page) {
  const under = [];
  let running = 0;

  const files = picker("*/*");
  const photos = picker("image/*");
  files.addEventListener("change", () => take(chosen(files), (file) => file.name));
  photos.addEventListener("change", () => take(chosen(photos), (file) => dateName(new Date(file.lastModified))));

  const acts = {
    camera: async () => {
      const { takePhoto } = await import("./camera.js");
      const photo = await takePhoto();
      if (photo) add(photo.cropped ?? photo.original, dateName(), photo.cropped ? photo.original : null);
    },
    photos: () => photos.click(),
    files: () => files.click(),
    note: async () => {
      const { editNote } = await import("./note.js");
      await editNote(page.vault(), { folder: page.folder(), name: dateName() });
    },
    folder: async () => {
      const answer = await ask({ title: t`New folder`, confirm: t`Make it`, input: { label: t`Name`, maximum: 200 } });
      if (answer) await page.vault().addFolder(page.folder(), answer.value);
    },
  };
  for (const button of document.querySelectorAll("[data-add]")) {
    button.addEventListener("click", () => busy(button, async () => {
      await acts[button.dataset.add]();
      page.drawn();
    }));
  }

  // A field for files takes what is dropped on it. Else the browser would leave the page for the file.
  const isField = ({ target }) => target.matches?.("input[type=file]");
  addEventListener("dragover", (event) => { if (!isField(event)) event.preventDefault(); });
  addEventListener("drop", (event) => {
    if (isField(event)) return;
    event.preventDefault();
    if (mayAdd() && event.dataTransfer.files.length > 0) take([...event.dataTransfer.files], (file) => file.name);
  });
  addEventListener("paste", ({ clipboardData, target }) => {
    if (mayAdd() && clipboardData.files.length > 0 && !target.closest("input, textarea")) {
      take([...clipboardData.files], () => dateName());
    }
  });
  addEventListener("beforeunload", (event) => { if (under.some(isUnderWay)) event.preventDefault(); });

  return {
    /** Ends everything that is on its way: the vault is being locked. */
    end() { for (const one of under) one.transfer.cancel(); under.length = 0; draw(); },
    /** What is paused waits for a person, so it keeps nothing open. */
    isBusy: () => under.some(({ transfer }) => transfer.state === "running"),
  };

  /** Whether one may add to what is open, and nothing is before it. Else the buttons cannot be pressed, but something can still be dropped. */
  function mayAdd() {
    const vault = page.vault();
    return Boolean(vault) && vault.mayWrite && !vault.isOffline && !$("dialog[open]");
  }

  function take(list, name) {
    for (const file of list) add(file, name(file), null);
  }

  /** Adds a file to the folder that is looked at now. `before` is an earlier state of it, such as the whole photo. */
  function add(file, name, before, { vault, folder } = { vault: page.vault(), folder: page.folder() }) {
    const one = { transfer: new Transfer(name), vault, folder, file, before };
    one.transfer.addEventListener("change", draw);
    under.push(one);
    draw();
    next();
  }

  async function next() {
    const one = under.find(({ transfer, isBegun }) => transfer.state === "waiting" && !isBegun);
    if (!one || running >= lanes) return;
    one.isBegun = true;
    running += 1;
    const added = await one.transfer.run(async (transfer) => one.vault.addFile(one.folder, {
      name: transfer.name, blob: one.file, before: one.before, thumbnail: await thumbnailOf(one.file),
    }, transfer));
    running -= 1;
    if (added) page.drawn();
    finish(one);
    next();
  }

  function finish(one) {
    const { state, error } = one.transfer;
    // It is none of them any more if the vault was locked: others may be there by now.
    const index = under.indexOf(one);
    if (index < 0) return;
    if (state !== "failed") under.splice(index, 1);
    else notice("error", t`${one.transfer.name} was not added. ${describe(error)}`);
    draw();
    if (state === "done" && under.length === 0) $("#news").textContent = t`Everything is in your vault.`;
  }

  function draw() {
    drawTransfers(under, { again: (one) => {
      under.splice(under.indexOf(one), 1);
      add(one.file, one.transfer.name, one.before, one);
    }, drop: (one) => { under.splice(under.indexOf(one), 1); draw(); } });
    const left = under.filter(isUnderWay).length;
    if (left > 0) $("#news").textContent = plural(left, "{0} file is being sealed and sent.", "{0} files are being sealed and sent.");
  }
}

const isUnderWay = ({ transfer }) => ["waiting", "running", "paused"].includes(transfer.state);

function picker(accept) {
  const input = document.createElement("input");
  Object.assign(input, { type: "file", multiple: true, accept, hidden: true });
  input.setAttribute("aria-label", t`Choose files`);
  document.getElementById("add").append(input);
  return input;
}

function chosen(input) {
  const list = [...input.files];
  input.value = "";
  return list;
}
