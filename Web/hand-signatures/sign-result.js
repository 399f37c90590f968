// The step after the signature: it is compared, shown with its figures, and confirmed or refused.

import { api } from "../shell/api.js";
import { $, busy, describe, make } from "../shell/dom.js";
import { once } from "../shell/once.js";
import { t } from "../shell/translate.js";
import { confirmSigning, refuseSigning } from "./deciding.js";
import { drawFacts, drawVerdict } from "./transaction-card.js";

/**
 * Minds the parts of the page.
 *
 * @returns `{begin(), compare(body), failed(error, retry), isOver()}`
 */
export function resultStep(me, { onAgain, onStop, onDone }) {
  let signing = null;
  let isOver = true;
  let retry = null;

  $("#confirm").addEventListener("click", ({ currentTarget }) => busy(currentTarget, () => decide(confirmSigning)));
  $("#refuse").addEventListener("click", ({ currentTarget }) => busy(currentTarget, () => decide(refuseSigning)));
  $("#again").addEventListener("click", () => (retry ? retry() : onAgain()));
  $("#stop").addEventListener("click", () => onStop());

  /** Nothing of the last signature is left when the next one is on its way. */
  function begin() {
    isOver = false;
    signing = retry = null;
    head(t`The signature is being compared`, "");
    $("#result").replaceChildren(make("progress", { "aria-label": t`Comparing` }));
    $("#result-more").hidden = true;
    buttons({ mayDecide: false, isRefused: false });
  }

  /** Sends the signature and shows what came of it. */
  async function compare(body) {
    const before = new Set((await list(body)).map(({ id }) => id));
    try {
      signing = await once(t`the signature was recorded`, () => api.post("/api/signings", body), () => lost(body, before));
    } catch (error) {
      isOver = true;
      throw error;
    }
    show();
  }

  /** The very signature whose answer was lost. */
  async function lost(body, before) {
    const mine = (await list(body)).filter((one) => !before.has(one.id) && one.operator_id === me.account.id);
    for (const { id } of mine) {
      const found = await api.get(`/api/signings/${encodeURIComponent(id)}`);
      if (found.digest === body.digest) return found;
    }
    return undefined;
  }

  function show() {
    drawVerdict($("#result"), signing);
    drawFacts($("#result-facts"), signing);
    $("#result-more").hidden = false;
    if (signing.state === "pending") {
      head(t`Confirm or refuse`, t`Confirm only if you have seen ${signing.client_name} write this. If nobody decides in time, it expires.`);
      buttons({ mayDecide: true, isRefused: false });
    } else {
      isOver = true;
      head(t`Recorded as refused`, t`Nobody signs the same twice. ${signing.client_name} may sign again; each try is its own transaction.`);
      buttons({ mayDecide: false, isRefused: true });
    }
  }

  async function decide(act) {
    let decided;
    try {
      decided = await act(me, signing);
    } catch (error) {
      if (error.kind !== "gone" && error.kind !== "conflict" && error.kind !== "not-found") throw error;
      // Time may be over, or it was decided elsewhere: what it is now is shown, and said.
      decided = error.kind === "not-found" ? { ...signing, state: "lapsed" } : await api.get(`/api/signings/${encodeURIComponent(signing.id)}`);
      if (decided.state === "pending") throw error;
    }
    if (!decided) return;
    signing = decided;
    isOver = true;
    done();
  }

  function done() {
    const { kind, title, text } = endings[signing.state];
    $("#done-verdict").className = `verdict ${kind}`;
    $("#done-title").textContent = title;
    $("#done-text").textContent = text(signing);
    $("#done-copy").href = `/desk/copy#${encodeURIComponent(signing.id)}`;
    $("#done-copy").hidden = signing.state !== "confirmed";
    $("#done-link").href = `/desk/transaction#${encodeURIComponent(signing.id)}`;
    onDone(signing);
  }

  /** Nothing is known to be recorded; the same signature may be sent again. */
  function failed(error, again) {
    isOver = false;
    retry = again;
    head(t`The signature was not sent`, "");
    $("#result").replaceChildren(make("div", { class: "notice error", role: "alert" }, make("p", {}, describe(error))));
    buttons({ mayDecide: false, isRefused: true });
    $("#again").textContent = t`Send it again`;
  }

  function buttons({ mayDecide, isRefused }) {
    $("#confirm").disabled = $("#refuse").disabled = !mayDecide;
    $("#again-part").hidden = !isRefused;
    $("#decision").hidden = isRefused;
    $("#again").textContent = t`Have it signed again`;
  }

  return { begin, compare, failed, isOver: () => isOver };
}

const endings = {
  confirmed: { kind: "yes", title: t`Signed and confirmed`, text: (one) => t`${one.client_name} has signed “${one.document_name}”. The transaction is in the log.` },
  refused: { kind: "no", title: t`Refused`, text: (one) => t`The signature on “${one.document_name}” counts for nothing. The transaction is in the log, with the reason: ${one.reason}.` },
  lapsed: { kind: "unsure", title: t`Too late`, text: (one) => t`The signature on “${one.document_name}” has expired, because nobody decided in time. Have it signed again.` },
};

function head(title, words) {
  const heading = $("#result-title");
  heading.textContent = title;
  heading.focus({ preventScroll: true });
  $("#decide-words").textContent = words;
}

async function list({ client, document }) {
  const query = new URLSearchParams({ client, document, limit: 20 });
  return (await api.get(`/api/signings?${query}`)).items;
}
