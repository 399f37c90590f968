// The signer's view: a dialog over the whole screen with the field, or with the code for a phone.

import { make } from "../shell/dom.js";
import { drawQR } from "../shell/qr.js";
import { t } from "../shell/translate.js";

/** How long what lies around the field stays untouchable after a stroke, in milliseconds: a palm leaves later than the pen. */
const palmLeaves = 400;

/** Makes the dialog. `acts` has what its buttons do: `done, keep, clear, giveUp, handOver, takeBack, again, copy`; `closed` is
 * called when it is no longer shown. */
export function captureView({ title, words, count, mayHandOver }, acts) {
  const button = (kind, text, run) => make("button", { type: "button", class: `button ${kind}`, onclick: run }, text);
  const parts = {
    title: make("h2", { id: "signing-title", tabindex: "-1" }, title),
    counter: make("p", { class: "meta", hidden: count === 1 }),
    marks: make("ol", { class: "signing-marks", "aria-hidden": "true", hidden: count === 1 }),
    canvas: make("canvas", { role: "img", "aria-label": t`The field to sign in, with pen, finger or mouse` }),
    message: make("p", { class: "signing-message", role: "status" }),
    done: button("primary", t`Done`, acts.done),
    keep: button("", t`Keep it`, acts.keep),
    clear: button("", t`Clear`, acts.clear),
    phone: button("quiet", t`Sign on a phone`, acts.handOver),
    code: make("div", { class: "qr" }),
    address: make("output", { class: "fingerprint long", id: "signing-address" }),
    state: make("p", { role: "status" }),
    again: button("primary", t`Show a new code`, acts.again),
  };
  parts.spelt = make("details", { class: "fold" }, make("summary", {}, t`Show the address`), make("p", {}, parts.address),
    make("div", { class: "actions" }, button("", t`Copy the address`, acts.copy)));
  parts.marks.append(...Array.from({ length: count }, () => make("li")));
  parts.phone.hidden = !mayHandOver;
  const field = make("section", { class: "signing-field", "aria-label": t`The field` },
    make("p", { class: "signing-words" }, words), make("div", { class: "pad" }, parts.canvas), parts.message,
    make("div", { class: "actions" }, parts.phone, parts.clear, parts.keep, parts.done));
  const phone = make("section", { class: "signing-phone", "aria-label": t`On a phone`, hidden: true },
    make("ol", { class: "steps" },
      make("li", {}, t`Take the phone or tablet to sign on. It needs no account.`),
      make("li", {}, t`Scan this code with its camera. It works once, and only for this.`),
      make("li", {}, t`Sign there. This page goes on by itself.`)),
    parts.code, parts.state,
    parts.spelt,
    make("div", { class: "actions" }, button("", t`Sign here instead`, acts.takeBack), parts.again));
  const dialog = make("dialog", { class: "signing", "aria-labelledby": "signing-title",
    oncancel: (event) => { event.preventDefault(); acts.giveUp(); }, onclose: acts.closed },
    make("div", { class: "signing-head" }, parts.title, button("quiet", t`Give up`, acts.giveUp), make("div", { class: "row" }, parts.counter, parts.marks)),
    field, phone);
  document.body.append(dialog);
  let leaving = 0;

  return {
    dialog,
    canvas: parts.canvas,
    address: parts.address,
    open() {
      dialog.showModal();
      parts.title.focus();
    },
    close() {
      dialog.close();
      dialog.remove();
    },
    /** Which one is written now: `place` counts from 0. */
    count(place, isAgain) {
      parts.counter.textContent = isAgain ? t`Signature ${Math.min(place + 1, count)} of ${count}, again`
        : t`Signature ${Math.min(place + 1, count)} of ${count}`;
    },
    /** Marks the places that are filled, and the one that is written now. */
    mark(filled, place) {
      for (const [index, mark] of [...parts.marks.children].entries()) {
        mark.className = filled[index] ? "done" : index === place ? "now" : "";
      }
    },
    /** Says something below the field; `kind` is "", "good" or "bad". */
    say(kind, text, { mayKeep = false } = {}) {
      parts.message.className = `signing-message ${kind}`;
      parts.message.textContent = text;
      parts.keep.className = "button";
      parts.keep.hidden = !mayKeep;
    },
    /** The message is over; it keeps its room, because nothing may move under a hand that has begun to write. */
    hush() {
      for (const part of [parts.message, parts.keep]) part.classList.add("past");
    },
    /** Guards what may be pressed: nothing beside the field while a hand rests on the screen. */
    writing(isWriting, isEmpty) {
      clearTimeout(leaving);
      if (isWriting) dialog.dataset.writing = "";
      else leaving = setTimeout(() => delete dialog.dataset.writing, palmLeaves);
      parts.clear.setAttribute("aria-disabled", String(isEmpty));
    },
    show(name) {
      field.hidden = name !== "field";
      phone.hidden = name !== "phone";
    },
    /** Shows the code, or that another one can be had; with neither only the state. */
    async code(address, { mayRetry = false } = {}) {
      parts.code.hidden = parts.spelt.hidden = !address;
      parts.again.hidden = !mayRetry;
      parts.address.textContent = address ?? "";
      if (address) await drawQR(parts.code, address, { label: t`The address for the phone, as a QR code` });
    },
    state(text) { parts.state.textContent = text; },
  };
}
