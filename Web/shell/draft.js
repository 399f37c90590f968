// The text typed for one document, kept in this tab until it is sent: a reload, an ended session or an error loses
// nothing. Files are not kept: unsealed documents do not belong on a disk.

const prefix = "countersign draft ";

/** The draft under this name, or `{}`. */
export function loadDraft(name) {
  try {
    return JSON.parse(sessionStorage.getItem(prefix + name)) ?? {};
  } catch {
    return {};
  }
}

/** Keeps `value` under this name. */
export function saveDraft(name, value) {
  try {
    sessionStorage.setItem(prefix + name, JSON.stringify(value));
  } catch (error) {
    // Without room for it the page works as before, only a reload costs what was typed.
    console.info("the draft is not kept:", error.message);
  }
}

/** Forgets the draft under this name. */
export function dropDraft(name) {
  sessionStorage.removeItem(prefix + name);
}

/** Forgets all of them: another person may use this tab after the person has signed out. */
export function dropDrafts() {
  for (const key of Object.keys(sessionStorage)) if (key.startsWith(prefix)) sessionStorage.removeItem(key);
}
