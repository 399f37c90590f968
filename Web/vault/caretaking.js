// A caretaker puts things into somebody else's inbox: sealed to the inbox's key, which only the owner opens.

import { api } from "../shell/api.js";
import { b64u } from "../shell/core.js";
import { make } from "../shell/dom.js";
import { plural, t } from "../shell/translate.js";
import { fromHex, hex, join, random } from "./bytes.js";
import { isThem } from "./comparing.js";
import { contentSealer, newVersion, plaintextOf } from "./content.js";
import { field, formDialog } from "./form-dialog.js";
import { cleanName, encodeMetadata } from "./metadata.js";
import { openGrant } from "./recipients.js";
import { sealTo } from "./sealing.js";
import { tell } from "./telling.js";
import { thumbnailOf } from "./thumbnails.js";
import { Transfer, send } from "./transfers.js";

/**
 * Asks for files, and puts them in.
 *
 * @param home the own vault; @param shared as the server lists it: `{compartment, …}`
 */
export async function putIn(home, shared) {
  const access = await openGrant(home, shared, isThem);
  if (!access) return false;
  const { name } = access.owner;
  const input = make("input", { type: "file", multiple: true, required: true, name: "files" });
  const bar = make("progress", { max: 1, value: 0, hidden: true, "aria-label": t`Being sealed and sent` });
  const count = await formDialog({
    title: t`Put something into the inbox of ${name}`,
    text: t`It is sealed on this device for ${name} alone. You cannot open it again, and you do not see what is there.`,
    parts: [field(t`Files`, input), bar], confirm: t`Put it in`,
    act: async (_, news) => {
      bar.hidden = false;
      // Each one by itself: what has arrived is not sent again after a failure.
      const left = [...input.files].filter((file) => !sent.has(file));
      for (const file of left) {
        news(t`${file.name} is being sealed and sent.`);
        await put(shared.compartment, access.inbox, file, (share) => { bar.value = share; });
        sent.add(file);
      }
      return input.files.length;
    },
  });
  if (!count) return false;
  tell("success", plural(count, "{0} file is in the inbox of {1}.", "{0} files are in the inbox of {1}.", name));
  return true;
}

const sent = new WeakSet();

async function put(compartment, inbox, file, onProgress) {
  const [home, drop, now] = [{ id: fromHex(compartment) }, random(16), Date.now()];
  const version = newVersion(home, drop, file.size, now);
  const content = await contentSealer(version, async (from, to) => new Uint8Array(await file.slice(from, to).arrayBuffer()));
  const transfer = new Transfer(file.name);
  transfer.addEventListener("change", () => onProgress(transfer.progress));
  const upload = await send(compartment, content, transfer);
  const thumbnail = await thumbnailOf(file);
  const metadata = {
    kind: "file", name: cleanName(file.name), created: now, modified: now, size: file.size,
    media_type: (file.type || "application/octet-stream").slice(0, 127), ...(thumbnail ? { thumbnail } : {}),
  };
  const said = join(version.id, plaintextOf(version), encodeMetadata(metadata));
  const sealed = await sealTo(inbox, "inbox", join(home.id, drop), said);
  await api.post(`/api/vault/compartments/${compartment}/inbox`, { id: hex(drop), sealed: b64u(sealed), content: upload });
}
