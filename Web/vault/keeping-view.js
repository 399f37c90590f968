// What is kept on this device: the list, and how something is kept or removed.

import { ask } from "../shell/ask.js";
import { $, bytes, clone, busy, make, notice, symbol, time } from "../shell/dom.js";
import { plural, t } from "../shell/translate.js";
import { carryDialog, field } from "./carry-dialog.js";
import { tell } from "./telling.js";

/** Draws what is kept. `drawn` draws the page again. */
export function drawKept(vault, keeping, drawn) {
  const items = keeping.chosen();
  $("#kept-items").replaceChildren(...items.map((item) => {
    const row = clone("kept-row", {
      name: item.name, href: item.kind === "folder" ? `#folder=${item.id}` : `#item=${item.id}`,
      about: item.kind === "folder" ? t`Folder, with everything in it` : vault.placeOf(item) || t`Vault`,
    });
    if (item.kind === "folder") $("use", row).setAttribute("href", symbol("folder"));
    const button = $("[data-act=remove]", row);
    button.addEventListener("click", () => busy(button, () => unkeep(keeping, item, drawn)));
    return row;
  }));
  $("#kept-empty").hidden = items.length > 0;
  $("#kept-room").textContent = items.length > 0 ? t`${bytes(keeping.size)} on this device, as it was on ${time(keeping.at)}.` : "";
  $("#kept-folder").hidden = vault.isOffline;
  $("#kept-folder").onclick = () => keepFolder(vault, keeping, drawn);
  $("#kept-none").hidden = items.length === 0;
  $("#kept-none").onclick = ({ currentTarget }) => busy(currentTarget, async () => {
    const answer = await ask({
      title: t`Remove everything from this device?`, text: t`It stays in your vault. Without a network it opens here no more.`,
      confirm: t`Remove it{#device}`, cancel: t`Keep it{#device}`, danger: true,
    });
    if (!answer) return;
    await keeping.remove();
    await drawn();
  });
}

/** Keeps an item, and shows how far it is. */
export const keep = (keeping, item, drawn) => carryDialog({
  heading: t`Keep ${item.name} on this device`, confirm: t`Keep it here`,
  body: [
    make("p", {}, t`A sealed copy stays in this browser, so that it opens without a network: with your face or finger, with this browser’s keys or with the recovery key. A PIN does not work without a network, because the server counts its tries.`),
    make("p", {}, t`It is removed when you sign out here, and when the session ends.`),
  ],
  act: (transfer, say) => adding(keeping, item.id, transfer, say, drawn),
});

/** Chooses a folder and keeps it. */
function keepFolder(vault, keeping, drawn) {
  const place = make("select", { id: "kept-place" }, ...vault.folders().slice(1).map(({ id, path }) => make("option", { value: id }, path)));
  if (place.options.length === 0) return notice("info", t`There is no folder yet. Open an item and press “Keep on this device”.`);
  return carryDialog({
    heading: t`Keep a folder on this device`, confirm: t`Keep it here`,
    body: [make("p", {}, t`Everything in it is kept, also what is added later. Items with a lock of their own, and folders that are shared or have a PIN of their own, are not kept.`), field(place.id, t`Folder`, place)],
    act: (transfer, say) => adding(keeping, place.value, transfer, say, drawn),
  });
}

async function adding(keeping, id, transfer, say, drawn) {
  say(t`Being fetched and checked …`);
  await keeping.add(id, transfer);
  await drawn();
  return [make("p", {}, plural(keeping.count, "{0} item opens on this device without a network.", "{0} items open on this device without a network."))];
}

/** Removes an item from this device. */
export async function unkeep(keeping, item, drawn) {
  await keeping.remove(item.id);
  tell("success", t`${item.name} is on this device no more. It stays in your vault.`);
  await drawn();
}
