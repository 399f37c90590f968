// The PDF that goes with a document: chosen or dropped, looked at, kept in memory only.

import { sha256 } from "../shell/core.js";
import { $, bytes, notice } from "../shell/dom.js";
import { t } from "../shell/translate.js";

/**
 * The largest file. The server takes sealed packages of 16 MiB of text, which encode the file in base64 twice; the rest
 * is for the credential.
 */
export const largestFile = 9_000_000;
const longestName = 255;

/** Characters that a file's name may not have: separators, controls, and those that turn the direction of writing. */
const unprintable = /[\u0000-\u001f/\\\u007f-\u009f\u200e\u200f\u2028-\u202e\u2066-\u2069]/gu;

/**
 * Minds the drop area in the page.
 *
 * @param onChange called after a file was taken or removed
 * @returns `{file(), isReading()}`; a file is `{name, mediaType, content, digest}`
 */
export function filePicker(onChange) {
  const [drop, input, shown] = [$("#drop"), $("#file"), $("#chosen")];
  let file = null;
  let address = null;
  let reading = null;

  input.addEventListener("change", () => {
    if (input.files[0]) reading = take(input.files[0]).finally(() => { reading = null; });
    input.value = "";
  });
  for (const name of ["dragover", "dragenter"]) {
    drop.addEventListener(name, (event) => {
      event.preventDefault();
      drop.classList.add("over");
    });
  }
  for (const name of ["dragleave", "drop"]) drop.addEventListener(name, () => drop.classList.remove("over"));
  drop.addEventListener("drop", (event) => {
    event.preventDefault();
    const [dropped, second] = event.dataTransfer.files;
    if (second) notice("warning", t`A document has one file. Put several into one PDF.`);
    else if (dropped) reading = take(dropped).finally(() => { reading = null; });
  });
  // A file that misses the area must not replace the page, and with it everything that was typed.
  for (const name of ["dragover", "drop"]) addEventListener(name, (event) => event.preventDefault());
  $("#remove-file").addEventListener("click", () => {
    set(null);
    input.focus();
  });

  async function take(chosen) {
    $("#file-error").textContent = "";
    try {
      set(await read(chosen));
    } catch (error) {
      $("#file-error").textContent = error.message;
    }
  }

  function set(next) {
    if (address) URL.revokeObjectURL(address);
    file = next;
    address = file && URL.createObjectURL(new Blob([file.content], { type: file.mediaType }));
    drop.hidden = Boolean(file);
    shown.hidden = !file;
    if (file) {
      $("#file-name").textContent = file.name;
      $("#file-size").textContent = bytes(file.content.length);
      $("#file-open").href = address;
    }
    // A frame whose address is removed keeps what it showed, so it is replaced.
    const frame = $("#file-preview");
    const fresh = frame.cloneNode();
    fresh.removeAttribute("src");
    if (file) fresh.src = address;
    frame.replaceWith(fresh);
    onChange();
  }

  return { file: () => file, reading: () => reading };
}

async function read(chosen) {
  if (chosen.size > largestFile) {
    throw new Error(t`${chosen.name} has ${bytes(chosen.size)}; a document's file may have ${bytes(largestFile)}. Make
      it smaller, for example by scanning with fewer dots.`);
  }
  let content;
  try {
    content = new Uint8Array(await chosen.arrayBuffer());
  } catch {
    throw new Error(t`${chosen.name} cannot be read. It may have been moved or changed since; choose it again.`);
  }
  const head = new TextDecoder("latin1").decode(content.subarray(0, 1024));
  if (!head.includes("%PDF-")) throw new Error(t`${chosen.name} is not a PDF. Export the document as PDF and choose that.`);
  return { name: label(chosen.name), mediaType: "application/pdf", content, digest: await sha256(content) };
}

/** A name that the core accepts: nobody should be shown `fdp.exe` as `exe.pdf`. */
function label(name) {
  let text = name.toWellFormed?.() ?? name;
  text = text.replace(unprintable, "_");
  while (new TextEncoder().encode(text).length > longestName) text = [...text].slice(0, -5).join("") + ".pdf";
  return text === "" || text === "." || text === ".." ? "document.pdf" : text;
}
