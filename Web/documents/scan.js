// Scans anything that a person holds in front of the camera, and goes where it belongs.

import { keepFilmed } from "../scanner/filmed.js";
import { scan } from "../scanner/scan.js";
import { $, busy } from "../shell/dom.js";
import { t } from "../shell/translate.js";
import { placeOf } from "./scanned.js";

/** So much of a text that is not ours is shown. */
const mostShown = 200;

const button = $("#scan");
button.disabled = false;
button.addEventListener("click", ask);
document.documentElement.dataset.state = "ready";
// A person who comes back from where a code led has not asked for the camera again.
if (performance.getEntriesByType("navigation")[0]?.type !== "back_forward") ask();

function ask() {
  return busy(button, async () => {
    const found = await scan({ title: t`Scan a code`, hint: t`A document, an organisation, a device, a desk, a sign-in page or an invitation.` });
    if (found?.isFilmed) keepFilmed(found.text.trim());
    if (found) take(found.text);
  });
}

function take(text) {
  const place = placeOf(text, location.origin);
  if (place.href) return location.assign(place.href);
  return show(text, place);
}

function show(text, { elsewhere, host }) {
  $("#foreign").hidden = false;
  $("#foreign-title").textContent = elsewhere ? t`This code belongs to another server` : t`This is not one of our codes`;
  $("#foreign-text").textContent = elsewhere
    ? t`It leads to ${host}. Open it only if you know who runs that server.`
    : host ? t`It leads to ${host}. Nothing was opened.` : t`Nothing was opened. This is what it says:`;
  $("#foreign-says").textContent = text.length > mostShown ? `${text.slice(0, mostShown)} …` : text;
  const link = $("#foreign-link");
  link.hidden = !elsewhere;
  if (elsewhere) {
    link.href = elsewhere;
    link.textContent = t`Open ${host}`;
  }
  $("#foreign-title").focus();
}
