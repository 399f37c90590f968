// An emergency contact has asked for the vault: said above everything else, whether it is open or locked.

import { api } from "../shell/api.js";
import { busy, make, notice, time } from "../shell/dom.js";
import { t } from "../shell/translate.js";

/** Says no to a contact who has asked. */
export async function refuse({ id }) {
  await api.delete(`/api/vault/slots/${id}/asked`);
  notice("success", t`You said no. Your vault stays closed to them. They can ask again, and you are told again.`);
  return true;
}

/** Tells it. @param again reads what the server says, and draws */
export function drawAsked(place, stored, again) {
  place.hidden = !stored?.slots.some(({ asked }) => asked);
  place.replaceChildren(...(stored?.slots ?? []).filter(({ asked }) => asked).map((slot) => {
    const button = make("button", { type: "button", class: "button danger" }, t`Say no`);
    button.addEventListener("click", () => busy(button, async () => { if (await refuse(slot)) await again(); }));
    const opens = slot.asked + slot.wait;
    const words = opens * 1000 > Date.now()
      ? t`Your emergency contact asked for your vault on ${time(slot.asked)}. It opens to them on ${time(opens)}, unless you say no.`
      : t`Your emergency contact asked for your vault on ${time(slot.asked)}, and can read it since ${time(opens)}. Say no to end that. They may have saved copies.`;
    return make("div", { class: "notice warning", role: "alert" }, make("p", {}, words), button);
  }));
}
