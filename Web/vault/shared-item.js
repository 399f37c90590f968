// The page of a link to a file of somebody's vault: asks for the code, opens it with the key in the link, shows it and saves it.

import { $, make } from "../shell/dom.js";
import { linkPage } from "../shell/link-page.js";
import { purposes } from "../shell/sealed-link.js";
import { drawn } from "./file-element.js";
import { unpacked } from "./link-content.js";

linkPage(purposes.vault, async (bytes, views) => {
  const { name, type, content } = unpacked(bytes);
  const blob = new Blob([content], { type });
  const { element, address } = await drawn({ name, type }, blob);
  $("#name").textContent = name;
  $("#views").textContent = views;
  $("#shown").replaceChildren(element);
  const save = make("a", { class: "button primary", href: address, download: name }, $("#save-words").textContent);
  $("#save").replaceChildren(save);
});
