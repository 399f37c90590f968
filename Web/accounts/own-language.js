// The language that the account keeps: pages are in it wherever this person signs in.

import { api } from "../shell/api.js";
import { $, busy } from "../shell/dom.js";

export function attach({ root }) {
  const choice = $("#own-language", root);
  choice.addEventListener("change", () => busy(choice, async () => {
    // The answer brings the cookie by which the server knows it for pages.
    await api.put("/api/account/language", { language: choice.value });
    location.reload();
  }));
}

export function show({ root, current }) {
  const choice = $("#own-language", root);
  choice.value = current.language ?? "";
}
