// Takes items out of the vault: into one sealed file, or into a folder of this computer.

import { Problem } from "../shell/api.js";
import { t } from "../shell/translate.js";
import { utf8 } from "./bytes.js";
import { ageWriter } from "./export-kernel.js";
import { growingFile } from "./growing-file.js";

/** The largest file that is put together in memory, in bytes. */
const largest = 512_000_000;
/** What says in a folder that the export was not finished. */
const marker = "NOT COMPLETE.txt";

/** Whether this browser writes into folders, and into files as they grow. */
export const writesFolders = () => Boolean(globalThis.showDirectoryPicker);
export const writesFiles = () => Boolean(globalThis.showSaveFilePicker);

/** The content of an item: `{size, pour(take)}`. */
async function contentOf(vault, item) {
  if (item.kind !== "note") return vault.content(item);
  const bytes = utf8(item.text ?? "");
  return { size: bytes.length, pour: async (take) => { if (bytes.length > 0) await take(bytes); } };
}

/**
 * Writes a plan as an age file.
 *
 * @param sink `{write(bytes), close(), abort()}`: nothing is kept unless it was closed
 */
export async function toAge(vault, plan, passphrase, sink, transfer, options) {
  let writer = null;
  try {
    writer = await ageWriter(passphrase, sink, options);
    const moved = counting(plan, transfer);
    for (const { names, item } of plan.entries) {
      await transfer.turn();
      if (item.kind === "folder") await writer.folder(names, item.modified);
      else {
        const content = await contentOf(vault, item);
        await writer.file(names, content.size, item.modified);
        await content.pour(async (bytes) => {
          await transfer.turn();
          await writer.content(bytes);
          moved(bytes.length);
        }, { signal: transfer.signal });
      }
    }
    await writer.end();
    await sink.close();
  } catch (error) {
    await sink.abort();
    throw error;
  } finally {
    writer?.close();
  }
}

/**
 * Writes a plan into a new folder of a folder that the person has chosen. It is removed again unless it is whole.
 *
 * @param parent a FileSystemDirectoryHandle; @param name of the new folder
 * @returns the name of the folder
 */
export async function toFolder(vault, plan, parent, name, transfer) {
  const [made, folder] = await newFolder(parent, name);
  try {
    await written(folder, marker, t`The export into this folder was not finished. Delete the folder and export again.`);
    const moved = counting(plan, transfer);
    const folders = new Map([["", folder]]);
    for (const { names, item } of plan.entries) {
      await transfer.turn();
      const place = folders.get(names.slice(0, -1).join("/"));
      if (item.kind === "folder") {
        folders.set(names.join("/"), await allowed(names.at(-1), (one) => place.getDirectoryHandle(one, { create: true })));
        continue;
      }
      const handle = await allowed(names.at(-1), (one) => place.getFileHandle(one, { create: true }));
      const file = await handle.createWritable();
      try {
        await (await contentOf(vault, item)).pour(async (bytes) => {
          await transfer.turn();
          await file.write(bytes);
          moved(bytes.length);
        }, { signal: transfer.signal });
      } catch (error) {
        await file.abort().catch(() => {});
        throw error;
      }
      await file.close();
    }
    await folder.removeEntry(marker);
    return made;
  } catch (error) {
    await parent.removeEntry(made, { recursive: true }).catch(() => { /* Then the marker in it says what it is. */ });
    throw error;
  }
}

/** A folder that is not there yet. */
async function newFolder(parent, name) {
  for (let number = 1; ; number += 1) {
    const made = number === 1 ? name : `${name} (${number})`;
    const isThere = await parent.getDirectoryHandle(made).then(() => true, (error) => error.name !== "NotFoundError");
    if (!isThere) return [made, await parent.getDirectoryHandle(made, { create: true })];
  }
}

/** Browsers refuse some names, such as those of shortcuts: then with a line behind it. */
async function allowed(name, make) {
  try {
    return await make(name);
  } catch (error) {
    if (error.name !== "TypeError") throw error;
    return make(`${name}_`);
  }
}

async function written(folder, name, text) {
  const file = await (await folder.getFileHandle(name, { create: true })).createWritable();
  await file.write(text);
  await file.close();
}

/** Tells the transfer how far it is. */
function counting(plan, transfer) {
  let done = 0;
  return (count) => {
    done += count;
    transfer.moved(Math.min(1, done / Math.max(1, plan.size)));
  };
}

/** Where the file goes: chosen by the person where the browser writes files as they grow, else gathered and downloaded. */
export async function chosenFile(name, size) {
  if (!writesFiles()) return gathered(name, size);
  return growingFile({ suggestedName: name, types: [{ accept: { "application/octet-stream": [".age"] } }] });
}

function gathered(name, size) {
  if (size > largest) {
    throw new Problem("too-large", { detail: t`This browser cannot write so large a file. Export one folder at a time, or use the command line: countersign wallet vault export.` });
  }
  let parts = [];
  return {
    write: async (bytes) => { parts.push(new Blob([bytes])); },
    async close() {
      const link = document.createElement("a");
      link.href = URL.createObjectURL(new Blob(parts, { type: "application/octet-stream" }));
      link.download = name;
      link.click();
      setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
      parts = [];
    },
    abort: async () => { parts = []; },
  };
}

/** A passphrase of seven words of the list: more than anybody can try. */
export async function madePassphrase() {
  const { recoveryWords } = await import("./kernel.js");
  const words = await recoveryWords(crypto.getRandomValues(new Uint8Array(32)));
  return words.split(" ").slice(0, 7).join("-");
}
