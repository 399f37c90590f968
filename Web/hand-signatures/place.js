// Where the device is: asked for only when the signer has agreed.

import { locale, t } from "../shell/translate.js";

/** Minds the box; answers `{value(), clear()}`, where the value is a promise of the place or `null`. */
export function placeConsent({ box, state }) {
  let asked = null;

  box.addEventListener("change", () => (box.checked ? ask() : clear()));

  function ask() {
    state.textContent = t`Asking this device where it is …`;
    const mine = (asked = position());
    mine.then((place) => {
      if (asked === mine) state.textContent = t`${degrees(place.latitude)}, ${degrees(place.longitude)}, within ${place.accuracy.toLocaleString(locale)} m.`;
    }, (error) => {
      if (asked !== mine) return;
      clear();
      state.textContent = words(error);
    });
  }

  function clear() {
    asked = null;
    box.checked = false;
    state.textContent = "";
  }

  return { clear, value: async () => (asked ? asked.catch(() => null) : null) };
}

function position() {
  return new Promise((resolve, reject) => {
    if (!navigator.geolocation) return reject(new Error("unsupported"));
    const options = { enableHighAccuracy: true, timeout: 20_000, maximumAge: 60_000 };
    return navigator.geolocation.getCurrentPosition(({ coords }) => resolve({
      latitude: Math.round(coords.latitude * 1e6), longitude: Math.round(coords.longitude * 1e6),
      accuracy: Math.max(1, Math.round(coords.accuracy)),
    }), reject, options);
  });
}

function words({ code }) {
  if (code === 1) return t`The browser does not tell this page the place. Allow it in the browser, or sign without it.`;
  return code === 3 ? t`This device did not find its place in time. Try again, or sign without it.`
    : t`This device does not know where it is. Sign without it.`;
}

const degrees = (millionths) => (millionths / 1e6).toFixed(5);
