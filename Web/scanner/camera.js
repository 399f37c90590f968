// The camera and its frames. It runs while the dialog is open, and not a moment longer.

/** The longest side of a frame that is read, in pixels: enough for every code that we show. */
const side = 640;
/** Milliseconds from frame to frame: beside the page, and in it. */
const restAside = 50;
const restHere = 160;

/**
 * Shows the camera in `video` and gives its frames to `take(image)`, one at a time, until `signal` ends it.
 *
 * Throws what getUserMedia throws, and NotSupportedError where pages get no camera.
 */
export async function watch(video, { signal, isAside, take, ended }) {
  if (!navigator.mediaDevices?.getUserMedia) throw new DOMException("no camera for pages", "NotSupportedError");
  const stream = await navigator.mediaDevices.getUserMedia({
    audio: false, video: { facingMode: { ideal: "environment" }, width: { ideal: 1280 }, height: { ideal: 720 } },
  });
  const stop = () => {
    for (const track of stream.getTracks()) track.stop();
    video.srcObject = null;
  };
  // The dialog may have been closed while the browser asked.
  if (signal.aborted) return stop();
  signal.addEventListener("abort", stop, { once: true });
  for (const track of stream.getTracks()) track.addEventListener("ended", () => { if (!signal.aborted) ended(); });
  video.srcObject = stream;
  await video.play();
  follow(video, { signal, isAside, take });
  return undefined;
}

async function follow(video, { signal, isAside, take }) {
  const canvas = document.createElement("canvas");
  const pen = canvas.getContext("2d", { willReadFrequently: true });
  for (let count = 0; !signal.aborted; count += 1) {
    await nextFrame(video);
    if (signal.aborted) return;
    const image = video.videoWidth > 0 && frame(video, canvas, pen, count % 2 === 1);
    if (image) await take(image);
    await new Promise((resolve) => { setTimeout(resolve, isAside() ? restAside : restHere); });
  }
}

/** A picture that is not shown has no frames: without the callback, and beside it, a timer goes on. */
function nextFrame(video) {
  return new Promise((resolve) => {
    if (video.requestVideoFrameCallback) video.requestVideoFrameCallback(resolve);
    setTimeout(resolve, 500);
  });
}

/** The whole picture made smaller, and in turn with it the middle as it is: fine codes need every pixel. */
function frame(video, canvas, pen, isMiddle) {
  const { videoWidth: width, videoHeight: height } = video;
  const scale = Math.min(1, side / Math.max(width, height));
  if (isMiddle && scale < 1) {
    [canvas.width, canvas.height] = [Math.min(side, width), Math.min(side, height)];
    pen.drawImage(video, -Math.floor((width - canvas.width) / 2), -Math.floor((height - canvas.height) / 2));
  } else {
    [canvas.width, canvas.height] = [Math.round(width * scale), Math.round(height * scale)];
    pen.drawImage(video, 0, 0, canvas.width, canvas.height);
  }
  return pen.getImageData(0, 0, canvas.width, canvas.height);
}
