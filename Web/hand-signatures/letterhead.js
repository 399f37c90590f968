// The organisation's logo and name at the top of a text: the switch for it, and how it looks.

import { api } from "../shell/api.js";
import { $, make } from "../shell/dom.js";

/**
 * Minds the switch.
 *
 * @returns `{isOn(), set(isOn), drawn()}`: `drawn` gives the header's element, or none, as a list
 */
export function letterhead({ mayWrite, onChange }) {
  const box = $("#letterhead-on");
  /** The logo's address; `null` while none is known. */
  let logo = null;
  box.disabled = !mayWrite;
  box.addEventListener("change", () => {
    show();
    onChange();
  });
  api.get("/api/organisation/face").then((face) => {
    logo = face.logo ? `/organisation/logo?v=${encodeURIComponent(face.logo.digest)}` : null;
    $("#no-logo").hidden = Boolean(face.logo);
    show();
    // Without an answer there is the name alone, as on any page without a network.
  }, () => {});

  const drawn = () => (box.checked
    ? [make("header", {}, ...(logo ? [make("img", { src: logo, alt: "" })] : []), make("span", {}, $(".brand span span").textContent))]
    : []);

  function show() {
    $("#letterhead").hidden = !box.checked;
    $("#letterhead").replaceChildren(...drawn());
  }

  return {
    isOn: () => box.checked,
    set(isOn) {
      box.checked = isOn;
      show();
    },
    drawn,
  };
}
