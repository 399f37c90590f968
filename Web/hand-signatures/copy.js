// The client's copy: printed here, or sent as a link with a code.

import { $, describe, notice } from "../shell/dom.js";
import { api } from "../shell/api.js";
import { offerLink } from "./copy-link.js";
import { drawCopy } from "./copy-view.js";
import { signedDocument } from "./signed-document.js";
import { fragment, start } from "./start.js";

start(async (me) => {
  addEventListener("hashchange", () => location.reload());
  const id = fragment();
  const signing = id && await api.get(`/api/signings/${encodeURIComponent(id)}`).catch((error) => {
    if (error.kind !== "not-found") throw error;
    return null;
  });
  if (!signing || signing.state !== "confirmed" || !signing.digest) return void ($("#missing").hidden = false);
  $("#back").href = `/desk/transaction#${encodeURIComponent(id)}`;
  const document = await signedDocument(id);
  await drawCopy(signing, document);
  // The copy does not wait for the links that there are.
  if (me.may("take_signatures")) offerLink(signing, document).catch((error) => notice("error", describe(error)));
});
