// Brings files into the vault: from an age file with an archive in it, or from a folder of this computer. Everything goes into
// one new folder, which nobody sees before all is there.

import { Problem } from "../shell/api.js";
import { bytes } from "../shell/dom.js";
import { plural, t } from "../shell/translate.js";
import { sealedLength } from "./content.js";
import { cleanName } from "./metadata.js";
import { Pipe } from "./pipe.js";
import { thumbnailOf } from "./thumbnails.js";

/** How many files are on their way at once, how many go into one change, and the largest picture that gets a small one. */
const [lanes, group, largestPicture] = [4, 32, 16 << 20];
/** The deepest folder. */
const deepest = 64;

/** What files are, by their ending: archives do not say it. */
const types = {
  avif: "image/avif", csv: "text/csv", docx: "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
  gif: "image/gif", heic: "image/heic", html: "text/html", jpeg: "image/jpeg", jpg: "image/jpeg", json: "application/json", md: "text/markdown",
  mp3: "audio/mpeg", mp4: "video/mp4", odt: "application/vnd.oasis.opendocument.text", pdf: "application/pdf", png: "image/png",
  svg: "image/svg+xml", txt: "text/plain", webp: "image/webp", zip: "application/zip",
};
const typeOf = (name) => types[/\.([a-z0-9]+)$/i.exec(name)?.[1]?.toLowerCase()] ?? "application/octet-stream";

/** The files of a folder, as an `<input webkitdirectory>` gives them. */
export class FolderFiles {
  constructor(files) {
    this.files = files;
  }

  /** As AgeFile. */
  async *events(onProgress = () => {}) {
    for (const [at, file] of this.files.entries()) {
      const names = file.webkitRelativePath.split("/").slice(1);
      yield { entry: { names, folder: false, length: file.size, modified: Math.floor(file.lastModified / 1000) } };
      for (let from = 0; from < file.size; from += 1 << 20) {
        yield { content: new Uint8Array(await file.slice(from, from + (1 << 20)).arrayBuffer()) };
      }
      onProgress((at + 1) / this.files.length);
    }
  }
}

/**
 * Reads a source to its end: only then it is known to be whole. Refuses what does not fit into the vault.
 *
 * @returns `{files, folders, size}`
 */
export async function examined(source, vault, transfer) {
  const found = { files: 0, folders: 0, size: 0 };
  const folders = new Set();
  let room = vault.quota - vault.bytes;
  const places = vault.limits.nodes - vault.count - 1;
  for await (const { entry } of source.events((share) => transfer.moved(share))) {
    await transfer.turn();
    if (!entry) continue;
    if (entry.names.length > deepest) throw new Problem("refused", { detail: t`A name or path is too long, or folders are too deep. Shorten it and try again.` });
    const above = entry.folder ? entry.names : entry.names.slice(0, -1);
    above.forEach((_, depth) => folders.add(above.slice(0, depth + 1).join("/")));
    found.folders = folders.size;
    if (!entry.folder) {
      found.files += 1;
      found.size += entry.length;
      room -= sealedLength(entry.length) + 2048;
    }
    if (room < 0) throw new Problem("refused", { detail: t`There is more in it than fits into your vault: ${bytes(Math.max(0, vault.quota - vault.bytes))} are free. Nothing was imported.` });
    if (found.files + found.folders > places) throw new Problem("refused", { detail: t`There are more files in it than your vault can hold. Nothing was imported.` });
  }
  if (found.files + found.folders === 0) throw new Problem("refused", { detail: t`There is nothing in it.` });
  return found;
}

/**
 * Adds all of a source in a new folder. When it fails or is cancelled, nothing of it stays.
 *
 * @param parent the folder that the new one goes into; @param found what `examined` gave
 * @returns the id of the new folder
 */
export async function bring(source, vault, { parent, name, found }, transfer) {
  const stage = await vault.stage(parent, name);
  try {
    await new Bringing(source, vault, stage, found, transfer).all();
    await transfer.turn();
    await vault.restore(stage);
    return stage;
  } catch (error) {
    await vault.remove(stage).catch(() => { /* It stays in the trash, and goes with it. */ });
    throw error;
  }
}

/** What is being brought. */
class Bringing {
  #folders;
  #ready = [];
  #running = new Set();
  #done = 0;
  #error = null;

  constructor(source, vault, stage, found, transfer) {
    Object.assign(this, { source, vault, found, transfer });
    this.#folders = new Map([["", stage]]);
  }

  async all() {
    let file = null;
    try {
      for await (const { entry, content } of this.source.events()) {
        await this.transfer.turn();
        if (this.#error) throw this.#error;
        if (content) {
          await file.write(content);
          this.#done += content.length;
          this.transfer.moved(Math.min(1, this.#done / Math.max(1, this.found.size)));
        } else if (entry.folder) await this.#folder(entry.names);
        else file = await this.#begin(entry);
      }
      await Promise.all(this.#running);
      if (this.#error) throw this.#error;
      await this.#store();
    } catch (error) {
      file?.fail(error);
      await Promise.allSettled(this.#running);
      await this.vault.discard(this.#ready);
      throw this.#error ?? error;
    }
  }

  /** The id of a folder by its names, which is made when it is not there. */
  async #folder(names) {
    const path = names.join("/");
    if (!this.#folders.has(path)) {
      const parent = await this.#folder(names.slice(0, -1));
      this.#folders.set(path, await this.vault.addFolder(parent, names.at(-1)));
    }
    return this.#folders.get(path);
  }

  /** Begins a file: what its content is written to. It is sent while it comes, and others after it. */
  async #begin({ names, length, modified }) {
    while (this.#running.size >= lanes) await Promise.race(this.#running);
    if (this.#ready.length >= group) await this.#store();
    const parent = await this.#folder(names.slice(0, -1));
    const [pipe, type] = [new Pipe(), typeOf(names.at(-1))];
    const picture = type.startsWith("image/") && length <= largestPicture ? [] : null;
    const metadata = {
      kind: "file", name: cleanName(names.at(-1)), media_type: type, size: length, modified: Math.max(0, modified * 1000),
    };
    // The parts of all files count together.
    const transfer = { signal: this.transfer.signal, turn: () => this.transfer.turn(), moved() {} };
    const work = this.vault.draft(parent, metadata, (from, to) => pipe.read(from, to), transfer).then(async (draft) => {
      const thumbnail = picture && await thumbnailOf(new Blob(picture, { type }));
      this.#ready.push(thumbnail ? { ...draft, metadata: { ...metadata, thumbnail } } : draft);
    }).catch((error) => {
      this.#error ??= error;
      pipe.fail(error);
    }).finally(() => this.#running.delete(work));
    this.#running.add(work);
    return {
      async write(content) {
        picture?.push(content);
        await pipe.write(content);
      },
      fail: (error) => pipe.fail(error),
    };
  }

  /** Puts what was sent into the vault. */
  async #store() {
    const drafts = [...this.#ready];
    if (drafts.length > 0) await this.vault.addAll(drafts);
    this.#ready = this.#ready.slice(drafts.length);
  }
}

/** What was found, in words. */
export function inWords({ files, folders, size }) {
  const parts = [plural(files, "{0} file", "{0} files"), ...(folders > 0 ? [plural(folders, "{0} folder", "{0} folders")] : []), bytes(size)];
  return parts.join(", ");
}
