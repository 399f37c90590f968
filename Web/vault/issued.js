// Documents that were issued to the person: sealed to one device, until a copy is put into the vault. Then they can be read on
// every device that opens the vault. To prove to a verifier whose they are takes the key of the device that they were issued to.

import { device, use } from "../accounts/keys.js";
import { listed } from "../accounts/mine.js";
import { nameOf } from "../accounts/names.js";
import { sealedPackage } from "../documents/kept.js";
import { $, busy, day } from "../shell/dom.js";
import { typeTitle } from "../shell/text.js";
import { plural, t } from "../shell/translate.js";
import { issuedType } from "./issued-type.js";
import { tell } from "./telling.js";

/** The purpose that packages are sealed for. */
const packageType = "countersign-package+jwe";

/** Whether the person has said "not now": until the page is left. */
let isDismissed = false;
/** How often it was looked whether there is something to offer: only the last look counts, it may be another vault. */
let turn = 0;

/** The documents that open on this device and are not in the vault yet. */
async function missing(vault) {
  const owner = await device();
  if (!owner) return [];
  const here = vault.issued();
  const { items } = await listed("/api/documents");
  return items.filter(({ id, device: where, revoked }) => where === owner.device && !revoked && !here.has(id));
}

/** Offers to put them into the vault, in the folder that is at the top. `drawn` draws the page again. */
export async function offerIssued(vault, isTop, drawn) {
  const box = $("#issued");
  const mine = turn += 1;
  box.hidden = true;
  if (isDismissed || !isTop || vault.isOffline) return;
  const documents = await missing(vault).catch(() => []);
  if (mine !== turn || documents.length === 0) return;
  $("p", box).textContent = plural(documents.length,
    "{0} document was issued to you and opens on this device alone. In the vault you can read it on all your devices.",
    "{0} documents were issued to you and open on this device alone. In the vault you can read them on all your devices.");
  box.hidden = false;
  $("#issued-later").onclick = () => {
    isDismissed = true;
    box.hidden = true;
  };
  $("#issued-add").onclick = ({ currentTarget }) => busy(currentTarget, async () => {
    await add(vault, documents);
    tell("success", plural(documents.length, "{0} document is in your vault.", "{0} documents are in your vault."));
    await drawn();
  });
}

/** Opens them with this device's keys, once for all, and seals each in the vault. */
async function add(vault, documents) {
  const owner = await device();
  const drafts = await use(t`Put your documents into your vault`, async (keys) => {
    const made = [];
    for (const info of documents) {
      const plain = await keys.open(await sealedPackage(info), packageType);
      const metadata = {
        kind: "file", name: `${typeTitle(info.type)}, ${day(info.issued)}`, media_type: issuedType, size: plain.length,
        issued: {
          id: info.id, type: info.type, issuer: nameOf(info.issuer), time: info.issued, device: info.device, signing_key: owner.publicKeys.signing,
          credential_digest: info.credential_digest, receipt: info.receipt.proof,
        },
      };
      made.push(await vault.draft(vault.top, metadata, async (from, to) => plain.slice(from, to), { turn: async () => {}, moved() {} }));
    }
    return made;
  });
  await vault.addAll(drafts);
}
