// Fingerprints of keys, for people to compare: the log proves that a key was announced under an account, and not who the person is.

import { make } from "../shell/dom.js";
import { t } from "../shell/translate.js";
import { formDialog } from "./form-dialog.js";

const fingerprint = (print) => make("p", { class: "fingerprint", dir: "ltr" }, print);

/** The fingerprints of somebody's devices, folded: for who wants to be sure. */
export function prints({ name, devices }) {
  return make("details", { class: "fold" }, make("summary", {}, t`Compare the keys`),
    make("div", { class: "stack" },
      make("p", {}, t`To be sure that the server names the right person, compare these with what ${name} sees under “Other people”.`),
      ...devices.map(({ print }) => fingerprint(print))));
}

/**
 * Asks whether a key is somebody's, before something that it has signed is opened.
 *
 * @param isOther whether the vault knows another key of theirs
 */
export async function isThem({ name, print, isOther }) {
  const answer = await formDialog({
    title: t`Is this ${name}?`,
    text: [
      isOther ? t`Your vault knows another key of ${name}. People have a new key when they have a new device.`
        : t`Your vault does not know the key of ${name} yet.`,
      t`Compare this with what ${name} sees under “Other people”. If it is not the same, open nothing, and tell the people who run the server.`,
    ].join(" "),
    parts: [fingerprint(print)], confirm: t`It is the same`, act: () => true,
  });
  return Boolean(answer);
}

/** Asks whether people get the next key of a folder whose owner's vault does not remember whom it was shared with. */
export async function areThem(people) {
  const answer = await formDialog({
    title: t`Who gets the new key?`,
    text: t`Your vault does not remember whom you share this folder with. The server names these people. Compare their keys with what they see under “Other people”.`,
    parts: people.map(({ name, devices }) => make("div", { class: "stack tight" }, make("p", { dir: "auto" }, name),
      ...devices.map(({ print }) => fingerprint(print)))),
    confirm: t`Give them the new key`, cancel: t`Give it to nobody`, act: () => true,
  });
  return Boolean(answer);
}
