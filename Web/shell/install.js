// Makes the site an app: registers the service worker, and offers to install where the browser can.

import { ownScript } from "./own-script.js";

const worker = "/sw.js";

let prompt = null;
const waiting = new Set();

/** Whether this page runs as an installed app. */
export const isInstalled = () => matchMedia("(display-mode: standalone)").matches || navigator.standalone === true;

/**
 * Calls `handler` with how this browser installs, as soon as that is known: `"prompt"` (call `install`), `"share-menu"`
 * (Safari on a phone: only the person can do it there). Never, when it is installed already or cannot be.
 */
export function onInstallable(handler) {
  if (isInstalled()) return;
  if (prompt) handler("prompt");
  else if (isPhoneSafari()) handler("share-menu");
  else waiting.add(handler);
}

/** Shows the browser's own question; tells whether the person accepted. A prompt works once. */
export async function install() {
  const asked = prompt;
  prompt = null;
  if (!asked) return false;
  await asked.prompt();
  return (await asked.userChoice).outcome === "accepted";
}

// Every iOS browser is Safari underneath; an iPad calls itself a Mac, but has fingers.
const isPhoneSafari = () => /iPhone|iPad|iPod/.test(navigator.userAgent)
  || (navigator.userAgent.includes("Macintosh") && navigator.maxTouchPoints > 1);

addEventListener("beforeinstallprompt", (event) => {
  event.preventDefault();
  prompt = event;
  for (const handler of waiting) handler("prompt");
  waiting.clear();
});

if (navigator.serviceWorker) {
  // A page without it works as well, as long as there is a network.
  navigator.serviceWorker
    .register(ownScript(worker), { updateViaCache: "none" })
    .catch((error) => console.info("not kept for use without a network:", error.message));
}
