// The view of a person who scans: the camera's picture, its message, and the ways without a camera.

import { make } from "../shell/dom.js";
import { t } from "../shell/translate.js";

/** Makes the dialog and shows it. `acts` has what its parts do: `choose(file), use(text), turnOn, closed`. */
export function scanView({ title, hint }, acts) {
  const button = (kind, text, run) => make("button", { type: "button", class: `button ${kind}`, onclick: run }, text);
  const video = make("video", { autoplay: true, muted: true, playsinline: true, "aria-label": t`What the camera sees now` });
  video.muted = true; // the attribute alone does not count for a new element
  // It has its place before the camera comes: what a person is about to press does not move.
  const frame = make("div", { class: "scan-frame" }, video);
  const state = make("p", { role: "status" });
  const again = button("", t`Turn on the camera`, acts.turnOn);
  again.hidden = true;
  const file = make("input", { type: "file", accept: "image/*", hidden: true, "aria-label": t`Picture of the code` });
  file.addEventListener("change", () => {
    if (file.files[0]) acts.choose(file.files[0]);
    file.value = "";
  });
  const text = make("textarea", {
    class: "code", id: "scan-text", rows: 2, autocomplete: "off", autocapitalize: "off", spellcheck: "false", dir: "auto",
    "aria-describedby": "scan-text-hint",
  });
  const heading = make("h2", { id: "scan-title", tabindex: "-1" }, title);
  const paste = make("form", { method: "dialog", class: "stack", novalidate: true },
    make("div", { class: "field" }, make("label", { for: "scan-text" }, t`Or paste it`), text,
      make("p", { class: "hint", id: "scan-text-hint" }, t`A link or code as text, or a picture of it.`)),
    make("div", { class: "actions" }, button("", t`Cancel`, () => dialog.close()),
      button("", t`Choose a picture`, () => file.click()), again, make("button", { class: "button primary" }, t`Use the text`)));
  paste.addEventListener("submit", (event) => {
    event.preventDefault();
    acts.use(text.value);
  });
  const dialog = make("dialog", { class: "scan", "aria-labelledby": "scan-title", onclose: acts.closed },
    make("div", { class: "stack" }, heading, ...(hint ? [make("p", {}, hint)] : []), frame, state, file, paste));
  dialog.addEventListener("paste", (event) => pasted(event, text, acts));
  document.body.append(dialog);
  dialog.showModal();
  heading.focus();

  return {
    video,
    /** Says what happens or what to do; the same words are not said again. */
    say(words, { mayRetry = false } = {}) {
      if (state.textContent !== words) state.textContent = words;
      again.hidden = !mayRetry;
    },
    showCamera(isOn) { frame.hidden = !isOn; },
    askForText() { text.focus(); },
    close() { if (dialog.open) dialog.close(); },
    remove() { dialog.remove(); },
  };
}

/** A picture is read at once, and so is a text that was pasted beside the field. */
function pasted(event, text, acts) {
  const picture = [...event.clipboardData.files].find(({ type }) => type.startsWith("image/"));
  if (picture) {
    event.preventDefault();
    acts.choose(picture);
  } else if (event.target !== text) {
    event.preventDefault();
    acts.use(event.clipboardData.getData("text/plain"));
  }
}
