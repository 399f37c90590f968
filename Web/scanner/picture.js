// A picture that a person chose or pasted, as pixels.

import { t } from "../shell/translate.js";

/** The largest file that is opened, in bytes, and the most pixels that are looked at. */
const largest = 40 << 20;
const most = 4_000_000;

/** The picture's pixels; throws an Error with words for the person when it is no picture. */
export async function pixels(file) {
  if (file.size > largest) throw new Error(t`The picture is larger than 40 MB. Choose a smaller one.`);
  const image = new Image();
  image.src = URL.createObjectURL(file);
  try {
    await image.decode();
  } catch {
    throw new Error(t`The browser cannot open this file as a picture. Choose a PNG or JPEG.`);
  } finally {
    URL.revokeObjectURL(image.src);
  }
  // A drawing may have no size of its own.
  const [width, height] = [image.naturalWidth || 800, image.naturalHeight || 800];
  const scale = Math.min(1, Math.sqrt(most / (width * height)));
  const canvas = document.createElement("canvas");
  [canvas.width, canvas.height] = [Math.max(1, Math.round(width * scale)), Math.max(1, Math.round(height * scale))];
  const pen = canvas.getContext("2d", { willReadFrequently: true });
  // What is transparent is paper.
  pen.fillStyle = "#fff";
  pen.fillRect(0, 0, canvas.width, canvas.height);
  pen.drawImage(image, 0, 0, canvas.width, canvas.height);
  return pen.getImageData(0, 0, canvas.width, canvas.height);
}
