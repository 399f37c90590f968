// Choosing a PDF, by button or by dropping it: looked at before anything is sent.

import { $, bytes, notice } from "../shell/dom.js";
import { t } from "../shell/translate.js";

/** What the server takes. */
export const largestPDF = 12 * 1024 * 1024;

/**
 * Characters that a document's name may not have: separators, controls, and those that turn the direction of writing.
 */
const unprintable = /[\u0000-\u001f/\\\u007f-\u009f\u200e\u200f\u2028-\u202e\u2066-\u2069]/gu;
const longestName = 200;

/**
 * Minds a drop area with its file field and its error line.
 *
 * @param onFile called with `{name, content}`; the name is without its ending
 */
export function pdfPicker({ drop, input, error }, onFile) {
  input.addEventListener("change", () => {
    const [file] = input.files;
    if (file) take(file);
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
    const [file, second] = event.dataTransfer.files;
    if (second) notice("warning", t`One file at a time, please.`);
    else if (file) take(file);
  });
  // A file that misses the area must not replace the page.
  for (const name of ["dragover", "drop"]) addEventListener(name, (event) => event.preventDefault());

  async function take(file) {
    error.textContent = "";
    try {
      const content = await read(file);
      input.value = "";
      await onFile({ name: nameOf(file), content });
    } catch (problem) {
      input.value = "";
      if (problem instanceof Unfit) error.textContent = problem.message;
      else throw problem;
    }
  }
}

class Unfit extends Error {}

async function read(file) {
  if (file.size > largestPDF) throw new Unfit(t`${file.name} has ${bytes(file.size)}; a document may have 12 MiB. Make it smaller, for example by scanning with fewer dots.`);
  let content;
  try {
    content = new Uint8Array(await file.arrayBuffer());
  } catch {
    throw new Unfit(t`${file.name} cannot be read. It may have been moved or changed since; choose it again.`);
  }
  const head = new TextDecoder("latin1").decode(content.subarray(0, 5));
  if (head !== "%PDF-") throw new Unfit(t`${file.name} is not a PDF. Export the document as PDF and choose that.`);
  return content;
}

function nameOf(file) {
  let name = (file.name.toWellFormed?.() ?? file.name).replace(unprintable, "_").replace(/\.pdf$/i, "").trim();
  while (new TextEncoder().encode(name).length > longestName) name = [...name].slice(0, -1).join("");
  return name || t`Document`;
}

/** Shows how far a file has been sent: `part` from 0 to 1, or nothing when there is nothing under way. */
export function showProgress(part) {
  $("#progress").hidden = part === undefined;
  if (part === undefined) return;
  $("#stage").textContent = part < 1 ? t`Sending the PDF` : t`The server looks at it`;
  if (part < 1) $("#bar").value = part;
  else $("#bar").removeAttribute("value");
}
