// Writing to the workspace, so that a lost answer neither loses a document nor makes it twice.

import { api } from "../shell/api.js";
import { b64u } from "../shell/core.js";
import { once } from "../shell/once.js";
import { asSearch, byteLength } from "../shell/text.js";
import { bare, t } from "../shell/translate.js";
import { upload } from "../shell/upload.js";

const path = (id) => `/api/workspace/${encodeURIComponent(id)}`;

/** The newest documents of this name: among them is one that was just made. */
async function named(name) {
  const { items } = await api.get(`/api/workspace?${new URLSearchParams({ q: asSearch(name) })}`);
  return items.filter((one) => one.name === name);
}

/**
 * Makes a document.
 *
 * @param content `{name, text}` or `{name, pdf}`; a PDF is bytes
 */
export async function makeDocument(me, content, onProgress) {
  const body = onWire(content);
  const before = new Set((await named(body.name)).map(({ id }) => id));
  return once(t`the template was saved`, () => upload("/api/workspace", body, onProgress), async () => {
    const made = await named(body.name);
    return made.find((one) => !before.has(one.id) && one.changed_by.id === me.account.id);
  });
}

/** How long a name may be, in UTF-8. */
const longestName = 200;

/** What is in a document: `{text}` or `{pdf}`. */
export async function contentOf({ id, kind }) {
  return kind === "pdf" ? { pdf: await api.bytes(`${path(id)}/content`) } : { text: (await api.get(path(id))).text };
}

/** Makes another document with the content of this one: `Copy of …`. */
export async function duplicateDocument(me, { name, ...one }, onProgress) {
  const content = await contentOf(one);
  let copy = bare(t`Copy of ${name}`);
  while (byteLength(copy) > longestName) copy = [...copy].slice(0, -1).join("");
  return makeDocument(me, { name: copy, ...content }, onProgress);
}

/** Changes a document; `version` is the one that was changed. A conflict means that there is another by now. */
export async function changeDocument(me, id, version, content, onProgress) {
  const body = { ...onWire(content), version };
  return once(t`the template was saved`, () => upload(path(id), body, onProgress, "PUT"), async () => {
    const present = await api.get(path(id));
    // The content of a PDF is not sent: for a PDF, the next version by the same person has to do.
    const isMine = present.version === version + 1 && present.changed_by.id === me.account.id && present.name === body.name;
    return isMine && (body.text === undefined || present.text === body.text) ? present : undefined;
  });
}

/** Deletes a document; what was signed stays with its transaction. */
export async function deleteDocument(id) {
  await once(t`the template was deleted`, () => api.delete(path(id)), async () => {
    await api.get(path(id));
    return undefined;
  }).catch((error) => {
    // That is what was wanted, no matter who did it.
    if (error.kind !== "not-found") throw error;
  });
}

const onWire = ({ name, text, pdf }) => ({ name, ...(text !== undefined && { text }), ...(pdf && { pdf: b64u(pdf) }) });
