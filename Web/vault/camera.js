// A photo of a paper: taken with the camera, cropped if wanted, and given as a file. The camera runs while the dialog is
// open, and not a moment longer.

import { busy, describe, make } from "../shell/dom.js";
import { t } from "../shell/translate.js";
import { cropper } from "./crop.js";

/** How good the pictures are that are made here: the camera's own, as long as the browser gives it. */
const quality = 0.95;

/**
 * Takes a photo.
 *
 * @returns `{original, cropped}`, JPEG or what the camera gave; `cropped` is null when all of it is wanted. Null when the
 *   person has cancelled.
 */
export function takePhoto() {
  const button = (kind, text) => make("button", { type: "button", class: `button ${kind}` }, text);
  const video = make("video", { autoplay: true, playsinline: true, "aria-label": t`What the camera sees now` });
  video.muted = true;
  const state = make("p", { role: "status" });
  const place = make("div", { class: "scan-frame" }, video);
  const [cancel, again, shoot] = [button("", t`Cancel`), button("", t`Take it again`), button("primary", t`Take the photo`)];
  const title = make("h2", { id: "camera-title", tabindex: "-1" }, t`Take a photo`);
  const dialog = document.body.appendChild(make("dialog", { class: "scan", "aria-labelledby": title.id },
    make("div", { class: "stack" }, title, state, place, make("div", { class: "actions" }, cancel, again, shoot))));
  let [stream, crop, original] = [null, null, null];

  cancel.addEventListener("click", () => dialog.close());
  again.addEventListener("click", () => busy(again, begin));
  shoot.addEventListener("click", () => busy(shoot, () => (crop ? use() : take())));
  dialog.showModal();
  title.focus();
  begin();

  return new Promise((resolve) => {
    dialog.addEventListener("close", () => {
      stop();
      crop?.end();
      dialog.remove();
      resolve(dialog.returnValue === "use" ? { original, cropped: crop.result } : null);
    });
  });

  async function begin() {
    crop?.end();
    crop = null;
    again.hidden = shoot.hidden = true;
    place.classList.add("scan-frame");
    place.replaceChildren(video);
    state.textContent = t`Asking for the camera …`;
    try {
      const given = await navigator.mediaDevices.getUserMedia({
        audio: false, video: { facingMode: { ideal: "environment" }, width: { ideal: 3840 }, height: { ideal: 2160 } },
      });
      // The dialog may have been closed while the browser asked.
      if (!dialog.open) return given.getTracks().forEach((track) => track.stop());
      stream = given;
      video.srcObject = stream;
      shoot.hidden = false;
      shoot.textContent = t`Take the photo`;
      state.textContent = t`Hold the paper so that it fills the picture.`;
    } catch (error) {
      state.textContent = words(error);
    }
    return undefined;
  }

  async function take() {
    original = await picture(video, stream);
    stop();
    crop = await cropper(original);
    place.classList.remove("scan-frame");
    place.replaceChildren(crop.element);
    again.hidden = false;
    shoot.textContent = t`Use this photo`;
    state.textContent = t`Drag the corners to keep only the paper, or use the arrow keys on them.`;
  }

  async function use() {
    await crop.finish(quality);
    dialog.close("use");
  }

  function stop() {
    stream?.getTracks().forEach((track) => track.stop());
    stream = null;
    video.srcObject = null;
  }
}

/** The camera's own photo where the browser has it, else the frame that is shown. */
async function picture(video, stream) {
  const [track] = stream.getVideoTracks();
  const whole = globalThis.ImageCapture && await new ImageCapture(track).takePhoto().catch(() => null);
  if (whole?.size) return whole;
  const canvas = document.createElement("canvas");
  [canvas.width, canvas.height] = [video.videoWidth, video.videoHeight];
  canvas.getContext("2d").drawImage(video, 0, 0);
  return new Promise((resolve, reject) => {
    canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error(t`The camera gave no picture. Try again.`))), "image/jpeg", quality);
  });
}

function words(error) {
  if (error.name === "NotAllowedError") return t`The browser does not give this page the camera. Allow it in the browser, or add a photo that you have.`;
  if (error.name === "NotFoundError") return t`This device has no camera. Add a photo that you have.`;
  return describe(error);
}
