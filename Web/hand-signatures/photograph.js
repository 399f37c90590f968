// A photograph of the signer: only after they have agreed, with a picture that they see, before and after it is taken.
// The camera runs while its picture is on the page, and not a moment longer.

import { b64u } from "../shell/core.js";
import { busy, describe } from "../shell/dom.js";
import { t } from "../shell/translate.js";

/** The most bytes that the server takes, and the width that is needed. */
const largest = 256 * 1024;
const width = 640;

/** Minds box, picture and button; answers `{value(), clear(), isMissing()}`, where the value is base64url or `null`. */
export function photographConsent({ box, part, preview, shot, shoot, state }) {
  let stream = null;
  let taken = null;
  let address = null;

  box.addEventListener("change", () => (box.checked ? begin() : clear()));
  shoot.addEventListener("click", () => busy(shoot, () => (taken ? begin() : take())));
  addEventListener("pagehide", stop);

  async function begin() {
    drop();
    part.hidden = false;
    shoot.hidden = true;
    state.textContent = t`Asking for the camera …`;
    try {
      const wanted = await navigator.mediaDevices.getUserMedia({ audio: false, video: { facingMode: "user", width: { ideal: 1280 } } });
      // The box may have been cleared while the browser asked.
      if (!box.checked) return wanted.getTracks().forEach((track) => track.stop());
      stop();
      stream = wanted;
      preview.srcObject = stream;
      preview.hidden = shoot.hidden = false;
      shoot.textContent = t`Take the photograph`;
      state.textContent = t`The camera is on. This is what it sees.`;
    } catch (error) {
      clear();
      state.textContent = words(error);
    }
    return undefined;
  }

  async function take() {
    const blob = await picture(preview);
    taken = b64u(new Uint8Array(await blob.arrayBuffer()));
    stop();
    address = URL.createObjectURL(blob);
    shot.src = address;
    shot.hidden = false;
    preview.hidden = true;
    shoot.textContent = t`Take another one`;
    state.textContent = t`The camera is off. This photograph is kept with the signature.`;
  }

  function stop() {
    stream?.getTracks().forEach((track) => track.stop());
    stream = null;
    preview.srcObject = null;
  }

  function drop() {
    taken = null;
    shot.hidden = true;
    shot.removeAttribute("src");
    if (address) URL.revokeObjectURL(address);
    address = null;
  }

  function clear() {
    stop();
    drop();
    box.checked = false;
    part.hidden = true;
    state.textContent = "";
  }

  return { clear, value: () => taken, isMissing: () => box.checked && !taken };
}

/** A JPEG that the server takes. */
async function picture(video) {
  const scale = Math.min(1, width / video.videoWidth);
  const canvas = document.createElement("canvas");
  [canvas.width, canvas.height] = [Math.round(video.videoWidth * scale), Math.round(video.videoHeight * scale)];
  canvas.getContext("2d").drawImage(video, 0, 0, canvas.width, canvas.height);
  for (const quality of [0.85, 0.6, 0.35]) {
    const blob = await new Promise((resolve) => { canvas.toBlob(resolve, "image/jpeg", quality); });
    if (blob && blob.size <= largest) return blob;
  }
  throw new Error(t`The photograph is too large, however it is made. Sign without it.`);
}

function words(error) {
  if (error.name === "NotAllowedError") return t`The browser does not give this page the camera. Allow it in the browser, or sign without a photograph.`;
  if (error.name === "NotFoundError") return t`This device has no camera. Sign without a photograph.`;
  return t`${describe(error)} Sign without a photograph.`;
}
