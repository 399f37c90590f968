// The first look at the vault: short steps, shown once for an account, and again from a button.

import { make, symbol } from "../shell/dom.js";
import { t } from "../shell/translate.js";

const steps = [
  {
    icon: "lock", title: t`Sealed before it leaves`,
    text: t`Everything you add is encrypted on this device, name and all. The server stores sealed bytes: it cannot read them, and neither can the people who run it.`,
  },
  {
    icon: "add", title: t`Four ways to add`,
    text: t`Take a photo of a paper and crop it, add photos, add files of any kind, or write a note. Until you choose a name, a photo or note is called by its date.`,
  },
  {
    icon: "folder", title: t`Folders, tags and reminders`,
    text: t`Press “New folder” to make one, and “Change” beside an item to rename, move or tag it, or to be reminded before a passport expires.`,
  },
  {
    icon: "face", title: t`It opens to you`,
    text: t`Your face, your finger or your device’s PIN opens it. It locks when you leave the page, after five minutes without you, and when you press “Lock”.`,
  },
  {
    icon: "key", title: t`Keep the recovery key on paper`,
    text: t`If your passkey or PIN no longer opens the vault, the recovery key does. Nobody has a copy. It helps once you are signed in, so keep a second passkey or device too.`,
  },
  {
    icon: "trash", title: t`Deleted means gone`,
    text: t`Deleted items wait in the trash for 30 days. Then their keys are deleted. 21 days later no backup of the server opens them either.`,
  },
];

/** Shows it from the beginning; ends when it was closed. */
export function open() {
  if (document.getElementById("vault-tutorial")) return Promise.resolve();
  let at = 0;
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  const use = svg.appendChild(document.createElementNS("http://www.w3.org/2000/svg", "use"));
  svg.setAttribute("class", "icon");
  svg.setAttribute("aria-hidden", "true");
  const title = make("h2", { id: "vault-tutorial-title", tabindex: "-1" });
  const [text, place] = [make("p"), make("p", { class: "meta" })];
  const bar = make("progress", { max: steps.length, "aria-hidden": "true" });
  const back = make("button", { type: "button", class: "button", onclick: () => turn(at - 1) }, t`Back`);
  const next = make("button", { type: "button", class: "button primary", onclick: () => turn(at + 1) });
  const skip = make("button", { type: "button", class: "button quiet", onclick: () => dialog.close() }, t`Skip`);
  const dialog = document.body.appendChild(make("dialog", { id: "vault-tutorial", "aria-labelledby": title.id },
    make("div", { class: "stack" }, make("div", { class: "row" }, svg, place), title, text, bar,
      make("div", { class: "actions" }, skip, back, next))));
  turn(0);
  dialog.showModal();
  title.focus();
  return new Promise((done) => {
    dialog.addEventListener("close", () => {
      dialog.remove();
      done();
    });
  });

  function turn(to) {
    if (to === steps.length) return dialog.close();
    at = to;
    use.setAttribute("href", symbol(steps[at].icon));
    title.textContent = steps[at].title;
    text.textContent = steps[at].text;
    place.textContent = t`${at + 1} of ${steps.length}`;
    bar.value = at + 1;
    back.hidden = at === 0;
    skip.hidden = at === steps.length - 1;
    next.textContent = at === steps.length - 1 ? t`Done` : t`Next`;
    title.focus();
    return undefined;
  }
}
