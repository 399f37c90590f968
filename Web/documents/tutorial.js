// The first round through the wallet: five short steps, shown once, and again on request.

import { device } from "../accounts/keys.js";
import { get, put } from "../accounts/store.js";
import { $, make, symbol } from "../shell/dom.js";
import { t } from "../shell/translate.js";

const seen = "tutorial seen";

const pages = [
  {
    icon: "face", title: t`Your keys are here`,
    text: t`This browser has made keys that open only to your face, your finger or the device's PIN. They never leave
      it, and the server has no copy.`,
    weaker: t`This browser has made keys that open only to your passphrase. They never leave it, and the server has
      neither them nor the passphrase.`,
  },
  {
    icon: "identity", title: t`First, meet an administrator`,
    text: t`Take this device and an ID document along. Your wallet shows a code, both of you compare six digits, and
      from then on you are verified.`,
  },
  {
    icon: "requests", title: t`Ask for documents`,
    text: t`Choose a transcript, a degree or another one. An administrator signs it. It arrives here by itself, sealed
      so that only this device opens it.`,
  },
  {
    icon: "verify", title: t`Show what is needed, and no more`,
    text: t`Say who may see it and tick what they need. You get one file, or a link with a code. They check it in a
      second, without an account, even without a network.`,
  },
  {
    icon: "devices", title: t`Before you lose this device`,
    text: t`Add a second one. If one is lost, the other revokes it. “Activity” has everything that was ever
      recorded about you, with proofs that nobody can rewrite.`,
  },
];

/** Shows it, unless it was shown in this browser before. */
export async function firstTime() {
  try {
    if (!(await get("settings", seen))) await showTutorial();
  } catch {
    // Where nothing can be remembered it would come up every time.
  }
}

/** Shows it from the beginning. */
async function showTutorial() {
  const isWeaker = (await device().catch(() => null))?.kind === "passphrase";
  if ($("#tutorial")) return;
  let at = 0;
  const use = document.createElementNS("http://www.w3.org/2000/svg", "use");
  const icon = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  icon.setAttribute("class", "icon");
  icon.setAttribute("aria-hidden", "true");
  icon.append(use);
  const title = make("h2", { id: "tutorial-title", tabindex: "-1" });
  const text = make("p");
  const place = make("p", { class: "meta" });
  const bar = make("progress", { max: pages.length, "aria-hidden": "true" });
  const back = make("button", { type: "button", class: "button", onclick: () => turn(at - 1) }, t`Back`);
  const next = make("button", { type: "button", class: "button primary", onclick: () => turn(at + 1) });
  const skip = make("button", { type: "button", class: "button quiet", onclick: () => dialog.close() }, t`Skip`);
  const dialog = document.body.appendChild(make("dialog", { id: "tutorial", "aria-labelledby": "tutorial-title" },
    make("div", { class: "stack" }, make("div", { class: "row" }, icon, place), title, text, bar,
      make("div", { class: "actions" }, skip, back, next))));
  dialog.addEventListener("close", () => {
    dialog.remove();
    put("settings", seen, true).catch(() => {});
  });
  dialog.addEventListener("keydown", ({ key }) => {
    if (key === "ArrowRight" && at < pages.length - 1) turn(at + 1);
    if (key === "ArrowLeft" && at > 0) turn(at - 1);
  });
  turn(0);
  dialog.showModal();
  title.focus();

  function turn(to) {
    if (to === pages.length) return dialog.close();
    at = to;
    const page = pages[at];
    use.setAttribute("href", symbol(page.icon));
    title.textContent = page.title;
    text.textContent = (isWeaker && page.weaker) || page.text;
    place.textContent = t`${at + 1} of ${pages.length}`;
    bar.value = at + 1;
    back.hidden = at === 0;
    const isLast = at === pages.length - 1;
    skip.hidden = isLast;
    next.textContent = isLast ? t`Done` : t`Next`;
    title.focus();
  }
}

/** What a button with this module does. */
export const open = showTutorial;
