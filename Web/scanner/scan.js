// Scans a QR code: with the camera, from a picture, or pasted. One dialog for all pages.

import { describe } from "../shell/dom.js";
import { t } from "../shell/translate.js";
import { watch } from "./camera.js";
import { startDecoding } from "./decoding.js";
import { pixels } from "./picture.js";
import { scanView } from "./scan-view.js";

/**
 * Asks for a code.
 *
 * @param title of the dialog; `hint` says where the code is; `more(text)` puts several codes together: it gives null for
 *   a code that stands alone, `{text}` once it has all, and `{words}` to say while some are missing
 * @returns `{ text, isFilmed }`: the code's text and whether the camera saw it; null when the person gave up
 */
export function scan({ title, hint, more = null }) {
  return new Promise((resolve) => {
    let result = null;
    const over = new AbortController();
    const decoding = startDecoding();
    const view = scanView({ title, hint }, { choose, use, turnOn, closed });
    // A page that is left keeps no camera.
    addEventListener("pagehide", () => {
      over.abort();
      view.close();
    }, { signal: over.signal });
    turnOn();

    function closed() {
      over.abort();
      decoding.close();
      view.remove();
      resolve(result);
    }

    function finish(text, { isFilmed = false } = {}) {
      result = { text, isFilmed };
      view.close();
    }

    /** One of several codes is put to the others. */
    async function add(text, how) {
      const part = await more?.(text);
      if (over.signal.aborted) return;
      if (part?.words) view.say(part.words);
      else finish(part?.text ?? text, how);
    }

    function use(text) {
      if (text.trim()) return finish(text.trim());
      view.say(t`Nothing was pasted. Paste the link or the code as text.`);
      return view.askForText();
    }

    async function turnOn() {
      view.say(t`Asking for the camera …`);
      try {
        await watch(view.video, { signal: over.signal, isAside: () => decoding.isAside, take, ended: () => failed({ name: "NotReadableError" }) });
        if (over.signal.aborted) return;
        view.showCamera(true);
        view.say(t`Hold the code in front of the camera.`);
      } catch (error) {
        if (!over.signal.aborted) failed(error);
      }
    }

    function failed(error) {
      view.showCamera(false);
      view.say(cameraWords(error), { mayRetry: !["NotSupportedError", "NotFoundError"].includes(error.name) });
    }

    async function take(image) {
      try {
        const found = await decoding.read(image);
        if (over.signal.aborted) return;
        if (found.state === "text") await add(found.text, { isFilmed: true });
        else if (found.state !== "not-found") view.say(words[found.state]());
      } catch (error) {
        if (!over.signal.aborted) view.say(t`Codes cannot be read here (${error.message}). Paste the code as text.`);
      }
    }

    async function choose(file) {
      view.say(t`Reading the picture …`);
      try {
        const found = await decoding.read(await pixels(file), { isStill: true });
        if (over.signal.aborted) return;
        if (found.state === "text") await add(found.text);
        else view.say(words[found.state]());
      } catch (error) {
        if (!over.signal.aborted) view.say(describe(error));
      }
    }
  });
}

/** What to do when a picture gives no text. */
const words = {
  "not-found": () => t`There is no QR code in this picture. Choose another one.`,
  damaged: () => t`There is a code, but it cannot be read. Hold it closer, flat and in good light.`,
  bytes: () => t`This code holds no text. It is not one of ours.`,
  malformed: () => t`This code breaks the standard and cannot be read. It is not one of ours.`,
  "part-of-several": () => t`This is one code of several that belong together. It is not one of ours.`,
  "bad-frame": () => t`The picture has no pixels. Choose another one.`,
};

/** What to do when the camera does not come. */
function cameraWords({ name }) {
  if (name === "NotAllowedError") {
    return t`The browser does not give this page the camera. Allow it in the browser's settings for this site, or choose a picture or paste.`;
  }
  if (name === "NotReadableError") return t`The camera is in use or was unplugged. Close what uses it and turn it on again, or choose a picture.`;
  return t`This device has no camera for this page. Choose a picture or paste.`;
}
