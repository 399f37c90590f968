// Invitations: made and shown once, listed, withdrawn.

import { api } from "../shell/api.js";
import { $, ask, busy, notice, time } from "../shell/dom.js";
import { latest } from "../shell/events.js";
import { drawQR } from "../shell/qr.js";
import { rows } from "../shell/rows.js";
import { count } from "../shell/text.js";
import { now } from "./mine.js";
import { roles } from "./names.js";

/** Minds form and list; answers a function that fetches and shows the list. */
export function invitations() {
  let isFirst = true;
  /** Ids of what was made while this page was open: the one whose link is shown, and those whose link nobody has seen. */
  let shown = null;
  let unseen = new Set();
  const draw = rows($("#invitations"), { template: "invitation-row", values, fill });
  const show = latest(async () => {
    const items = await list();
    endShown(items);
    // Whether one has expired changes with time alone, so it is part of what a row shows.
    draw(items.map((one) => ({ ...one, state: stateOf(one), about: about(one) })), { mark: !isFirst });
    $("#invitations-title").hidden = items.length === 0;
    isFirst = false;
  });

  $("#invite").addEventListener("submit", (event) => {
    event.preventDefault();
    busy($("#make"), make);
  });
  $("#made-done").addEventListener("click", () => {
    hide();
    $("#make").focus();
    show();
  });

  /** A link that no longer works is not shown any longer, and the person hears why. */
  function endShown(items) {
    if (shown === null || $("#made").hidden) return;
    const one = items.find(({ id }) => id === shown);
    if (one && !one.used && one.expires > now()) return;
    if (one?.used) notice("success", `The invitation${one.recipient ? ` for ${one.recipient}` : ""} was used. Its link no longer works.`);
    hide();
  }

  function hide() {
    shown = null;
    $("#made").hidden = true;
    $("#made-link").textContent = "";
    $("#made-qr").replaceChildren();
  }

  async function make() {
    const before = new Set((await list()).map(({ id }) => id));
    const made = await api.post("/api/invitations", {
      role: $("#role").value, lifetime: Number($("#lifetime").value), recipient: $("#recipient").value.trim() || undefined,
    })
      .catch((error) => ({ error }));
    shown = made.id ?? shown;
    // A lost answer, or a repetition by the browser, leaves invitations whose links nobody has seen.
    const lost = (await list()).filter(({ id }) => !before.has(id) && id !== made.id);
    unseen = new Set([...unseen, ...lost.map(({ id }) => id)]);
    await show();
    if (lost.length > 0) {
      notice("warning", `The connection broke meanwhile: ${count(lost.length, "invitation was", "invitations were")} made whose link nobody has seen. Withdraw what is marked so below.`);
    } else if (made.error) {
      throw made.error;
    }
    if (made.error) return;
    $("#made-role").textContent = roles[made.role].toLowerCase();
    $("#made-for").textContent = made.recipient ? `, and is meant to be ${made.recipient}` : "";
    $("#recipient").value = "";
    $("#made-until").textContent = time(made.expires);
    $("#made-link").textContent = made.link;
    $("#made").hidden = false;
    await drawQR($("#made-qr"), made.link, { label: "The invitation's link as QR code" });
    $("#made-copy").focus();
  }

  function about({ id, used }) {
    if (used) return "";
    return unseen.has(id) ? " · nobody has seen its link" : id === shown ? " · shown above" : "";
  }

  function fill(element, invitation) {
    const badge = $("[data-badge]", element);
    badge.textContent = invitation.state.word;
    badge.classList.add(invitation.state.badge);
    const button = $("[data-act=withdraw]", element);
    button.addEventListener("click", () => busy(button, async () => {
      const isSure = await ask({
        title: "Withdraw this invitation?", text: "Its link stops working. You can make another at any time.", confirm: "Withdraw", cancel: "Keep it",
      });
      if (!isSure) return;
      await api.delete(`/api/invitations/${encodeURIComponent(invitation.id)}`).catch((error) => {
        if (error.kind !== "not-found") throw error;
        notice("warning", "It was used or withdrawn meanwhile.");
      });
      await show();
    }));
  }
  return show;
}

async function list() {
  return api.all("/api/invitations");
}

function stateOf({ used, expires }) {
  if (used) return { word: "Used", badge: "good" };
  return expires > now() ? { word: "Open", badge: "wait" } : { word: "Expired", badge: "bad" };
}

function values({ role, recipient, created, expires, used, state, about }) {
  return {
    role: roles[role], recipient: recipient ? `For ${recipient}` : "",
    when: `Made ${time(created)} · ${used ? `used ${time(used)}` : `${state.word === "Open" ? "until" : "ended"} ${time(expires)}`}${about}`,
    mayWithdraw: state.word === "Open",
  };
}
