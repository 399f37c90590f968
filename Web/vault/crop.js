// Choosing a part of a picture: four corners that move with pointer and arrow keys.

import { make } from "../shell/dom.js";
import { t } from "../shell/translate.js";

/** How small the part may be, and how far an arrow key moves a corner, as shares of the picture. */
const [least, step] = [0.05, 0.01];

/** Each corner moves one side of each direction. */
const corners = [
  { name: t`Top left corner`, x: "left", y: "top" }, { name: t`Top right corner`, x: "right", y: "top" },
  { name: t`Bottom left corner`, x: "left", y: "bottom" }, { name: t`Bottom right corner`, x: "right", y: "bottom" },
];

/**
 * Shows a picture with the part that is chosen, at first all of it.
 *
 * @returns `{element, finish(quality), end(), result}`: `finish` makes `result`, a JPEG of the part, or null for all of it
 */
export async function cropper(blob) {
  const image = await createImageBitmap(blob);
  const canvas = make("canvas", { class: "crop-picture", role: "img", "aria-label": t`The photo` });
  [canvas.width, canvas.height] = [image.width, image.height];
  canvas.getContext("2d").drawImage(image, 0, 0);
  const part = { left: 0, top: 0, right: 1, bottom: 1 };
  const frame = make("div", { class: "crop-part" });
  const element = make("div", { class: "crop" }, canvas, frame);
  for (const corner of corners) element.append(handle(corner));
  draw();

  const cropper = { element, result: null, finish, end: () => image.close() };
  return cropper;

  function handle({ name, x, y }) {
    const knob = make("button", { type: "button", class: `crop-corner ${x} ${y}`, "aria-label": name });
    knob.addEventListener("pointerdown", (event) => {
      event.preventDefault();
      knob.focus();
      knob.setPointerCapture(event.pointerId);
    });
    knob.addEventListener("pointermove", ({ pointerId, clientX, clientY }) => {
      if (!knob.hasPointerCapture(pointerId)) return;
      const box = canvas.getBoundingClientRect();
      move(x, (clientX - box.left) / box.width);
      move(y, (clientY - box.top) / box.height);
    });
    knob.addEventListener("keydown", (event) => {
      const [side, by] = { ArrowLeft: [x, -step], ArrowRight: [x, step], ArrowUp: [y, -step], ArrowDown: [y, step] }[event.key] ?? [];
      if (!side) return;
      event.preventDefault();
      move(side, part[side] + by * (event.shiftKey ? 5 : 1));
    });
    return knob;
  }

  function move(side, to) {
    const [lowest, highest] = {
      left: [0, part.right - least], right: [part.left + least, 1], top: [0, part.bottom - least], bottom: [part.top + least, 1],
    }[side];
    part[side] = Math.min(Math.max(to, lowest), highest);
    draw();
  }

  function draw() {
    for (const side of ["left", "top"]) element.style.setProperty(`--${side}`, `${part[side] * 100}%`);
    for (const side of ["right", "bottom"]) element.style.setProperty(`--${side}`, `${(1 - part[side]) * 100}%`);
  }

  async function finish(quality) {
    if (part.left === 0 && part.top === 0 && part.right === 1 && part.bottom === 1) return;
    const [x, y] = [Math.round(part.left * image.width), Math.round(part.top * image.height)];
    const cut = document.createElement("canvas");
    [cut.width, cut.height] = [Math.round(part.right * image.width) - x, Math.round(part.bottom * image.height) - y];
    cut.getContext("2d").drawImage(image, -x, -y);
    cropper.result = await new Promise((resolve) => { cut.toBlob(resolve, "image/jpeg", quality); });
  }
}
