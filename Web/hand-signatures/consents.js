// The place and a photograph are kept with a signature only if the organisation allows them and the signer agrees.

import { $ } from "../shell/dom.js";
import { t } from "../shell/translate.js";
import { photographConsent } from "./photograph.js";
import { placeConsent } from "./place.js";

/** Minds that part of the page; answers `{clear(), missing(), values()}`. */
export function consents({ takes_place: takesPlace, takes_photographs: takesPhotographs }) {
  const place = placeConsent({ box: $("#place"), state: $("#place-state") });
  const photograph = photographConsent({
    box: $("#photograph"), part: $("#camera"), preview: $("#preview"), shot: $("#shot"), shoot: $("#shoot"), state: $("#photograph-state"),
  });
  $("#place-part").hidden = !takesPlace;
  $("#photograph-part").hidden = !takesPhotographs;
  $("#consents").hidden = !takesPlace && !takesPhotographs;

  return {
    /** The next signer is asked again. */
    clear() {
      place.clear();
      photograph.clear();
    },
    /** Says so when a photograph was agreed to and not taken; answers whether that is so. */
    missing() {
      if (!photograph.isMissing()) return false;
      $("#photograph-state").textContent = t`Take the photograph first, or clear the box.`;
      $("#shoot").focus();
      return true;
    },
    /** What was agreed to, as the server takes it. */
    async values() {
      const [where, picture] = [await place.value(), photograph.value()];
      return { ...(where && { place: where }), ...(picture && { photograph: picture }) };
    },
  };
}
