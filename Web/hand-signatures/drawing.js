// A capture as a small picture: so that those at the desk see which signatures were taken.

import { Ink } from "./ink.js";

/** Around the picture, in CSS pixels. */
const margin = 4;

/** Draws a capture's text into a canvas that styles give its size; what is not written by a pen has one width. */
export function drawCapture(canvas, text) {
  const { samples, pressure_levels: levels } = JSON.parse(text);
  const { clientWidth: width, clientHeight: height } = canvas;
  [canvas.width, canvas.height] = [width * devicePixelRatio, height * devicePixelRatio].map(Math.round);
  const [left, right] = range(samples, 1);
  const [top, bottom] = range(samples, 2);
  const scale = Math.min((width - 2 * margin) / Math.max(right - left, 1), (height - 2 * margin) / Math.max(bottom - top, 1));
  const context = canvas.getContext("2d");
  context.scale(devicePixelRatio, devicePixelRatio);
  context.lineCap = context.lineJoin = "round";
  context.strokeStyle = context.fillStyle = getComputedStyle(canvas).color;
  const ink = new Ink(context);
  for (const [, x, y, pressure, , , isLift] of samples) {
    ink.add(
      width / 2 + (x - (left + right) / 2) * scale, height / 2 + (y - (top + bottom) / 2) * scale,
      // Lighter than on the pad, as it is smaller.
      levels > 0 ? pressure / levels / 3 : 0);
    if (isLift) ink.lift();
  }
}

function range(samples, member) {
  let [least, most] = [Infinity, -Infinity];
  for (const sample of samples) [least, most] = [Math.min(least, sample[member]), Math.max(most, sample[member])];
  return [least, most];
}
