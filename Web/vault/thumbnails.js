// Small pictures of pictures: made when a picture is added, and looked at with care when they come back, because
// somebody else may have written them.

import { b64u, fromB64u } from "../shell/core.js";

/** The longest side in pixels, and the most bytes. */
const side = 160;
const most = 16 * 1024;

/** A small JPEG of a picture, base64url; undefined for what is no picture that this browser knows. */
export async function thumbnailOf(blob) {
  if (!/^image\/(png|jpeg|gif|webp|avif)$/.test(blob.type)) return undefined;
  const whole = await createImageBitmap(blob).catch(() => null);
  if (!whole) return undefined;
  const scale = Math.min(1, side / Math.max(whole.width, whole.height));
  const canvas = document.createElement("canvas");
  [canvas.width, canvas.height] = [Math.max(1, Math.round(whole.width * scale)), Math.max(1, Math.round(whole.height * scale))];
  const pen = canvas.getContext("2d");
  // What shines through is paper.
  pen.fillStyle = "#fff";
  pen.fillRect(0, 0, canvas.width, canvas.height);
  pen.drawImage(whole, 0, 0, canvas.width, canvas.height);
  whole.close();
  for (const quality of [0.7, 0.4]) {
    const small = await new Promise((resolve) => { canvas.toBlob(resolve, "image/jpeg", quality); });
    if (small && small.size <= most) return b64u(new Uint8Array(await small.arrayBuffer()));
  }
  return undefined;
}

/** The picture of a thumbnail; null for anything but a small JPEG of small sides: a few bytes can ask for gigabytes. */
export function pictureOf(thumbnail) {
  if (typeof thumbnail !== "string" || thumbnail.length > (most * 4) / 3 + 4) return null;
  const bytes = decoded(thumbnail);
  const size = bytes && jpegSize(bytes);
  if (!size || Math.max(...size) > 2 * side) return null;
  return new Blob([bytes], { type: "image/jpeg" });
}

/** Bytes of base64url; null for another text. */
function decoded(text) {
  try {
    return fromB64u(text);
  } catch {
    return null;
  }
}

/** Width and height of a JPEG with one frame; null for anything else (ITU T.81, annex B). */
export function jpegSize(bytes) {
  if (bytes[0] !== 0xff || bytes[1] !== 0xd8) return null;
  let size = null;
  for (let at = 2; at + 4 <= bytes.length;) {
    if (bytes[at] !== 0xff) return null;
    const marker = bytes[at + 1];
    // The scan: no marker of a frame may follow it.
    if (marker === 0xda) return size;
    const length = (bytes[at + 2] << 8) | bytes[at + 3];
    if (length < 2) return null;
    const isFrame = marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
    if (isFrame && (size || at + 9 > bytes.length)) return null;
    if (isFrame) size = [(bytes[at + 7] << 8) | bytes[at + 8], (bytes[at + 5] << 8) | bytes[at + 6]];
    at += 2 + length;
  }
  return null;
}
