// Invitations: made and shown once, listed, withdrawn.

import { api } from "../shell/api.js";
import { ask } from "../shell/ask.js";
import { $, busy, notice, time } from "../shell/dom.js";
import { latest } from "../shell/events.js";
import { newest } from "../shell/newest.js";
import { drawQR } from "../shell/qr.js";
import { rows } from "../shell/rows.js";
import { sideTools } from "../shell/side-tools.js";
import { language, plural, t } from "../shell/translate.js";
import { now } from "./mine.js";
import { roles } from "./names.js";
import "./refusals.js";

const path = "/api/invitations";
const kinds = [
  { name: "all", word: t`All` }, { name: "open", word: t`Not used yet` }, { name: "used", word: t`Used` },
  { name: "expired", word: t`Expired` },
];

/** Minds form and list; answers a function that fetches and shows the list. */
export function invitations() {
  /** What the rows answer that are shown: after another question none of them has changed. */
  let answered = null;
  /**
   * Ids of invitations made while this page was open: the one whose link is shown, and those whose link nobody has
   * seen.
   */
  let shown = null;
  let unseen = new Set();
  const draw = rows($("#invitations"), { template: "invitation-row", values, fill });
  const tools = sideTools($("#invitations"), {
    path, kinds, things: (number) => plural(number, "{0} invitation", "{0} invitations"), isSearched: true, show: () => show(),
  });
  const show = latest(async () => {
    const items = await newest($("#invitations"), path, show, tools);
    await endShown(items);
    const question = tools.address();
    // Whether one has expired changes with time alone, so it is part of what a row shows.
    draw(items.map((one) => ({ ...one, state: stateOf(one), about: about(one) })), { mark: question === answered });
    $("#invitations-title").hidden = items.length === 0 && !tools.isNarrow();
    answered = question;
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
  async function endShown(items) {
    if (shown === null || $("#made").hidden) return;
    // A search may not find it, and that ends no link.
    const one = (tools.isNarrow() ? await recent() : items).find(({ id }) => id === shown);
    if (one && !one.used && one.expires > now()) return;
    if (one?.used) {
      notice("success", one.recipient ? t`The invitation for ${one.recipient} was used. Its link no longer works.`
        : t`The invitation was used. Its link no longer works.`);
    }
    hide();
  }

  function hide() {
    shown = null;
    $("#made").hidden = true;
    $("#made-link").textContent = "";
    $("#made-qr").replaceChildren();
  }

  async function make() {
    const before = await recent();
    const made = await api.post(path, {
      role: $("#role").value, lifetime: Number($("#lifetime").value), recipient: $("#recipient").value.trim() || undefined,
    })
      .catch((error) => ({ error }));
    shown = made.id ?? shown;
    // A lost answer, or a repetition by the browser, leaves invitations whose links nobody has seen.
    const lost = (await recent()).filter((one) => one.id !== made.id && isSince(before, one));
    unseen = new Set([...unseen, ...lost.map(({ id }) => id)]);
    await show();
    if (lost.length > 0) {
      notice("warning", plural(lost.length,
        "The connection broke while you were working: {0} invitation was made whose link nobody has seen. Withdraw what is marked so below.",
        "The connection broke while you were working: {0} invitations were made whose link nobody has seen. Withdraw what is marked so below."));
    } else if (made.error) {
      throw made.error;
    }
    if (made.error) return;
    $("#made-role").textContent = within(roles[made.role]);
    $("#made-for").textContent = made.recipient ? t`, and is meant to be ${made.recipient}` : "";
    $("#recipient").value = "";
    $("#made-until").textContent = time(made.expires);
    $("#made-link").textContent = made.link;
    $("#made").hidden = false;
    await drawQR($("#made-qr"), made.link, { label: t`The invitation's link as QR code` });
    $("#made-copy").focus();
  }

  function about({ id, used }) {
    if (used) return "";
    return unseen.has(id) ? t`nobody has seen its link` : id === shown ? t`shown above` : "";
  }

  function fill(element, invitation) {
    const badge = $("[data-badge]", element);
    badge.textContent = invitation.state.word;
    badge.classList.add(invitation.state.badge);
    const button = $("[data-act=withdraw]", element);
    button.addEventListener("click", () => busy(button, async () => {
      const isSure = await ask({
        title: t`Withdraw this invitation?`, text: t`Its link stops working. You can make another at any time.`,
        confirm: t`Withdraw`, cancel: t`Keep it{#invitation}`,
      });
      if (!isSure) return;
      await api.delete(`${path}/${encodeURIComponent(invitation.id)}`).catch((error) => {
        if (error.kind !== "not-found") throw error;
        notice("warning", t`It was used or withdrawn while you were working.`);
      });
      await show();
    }));
  }
  return show;
}

/** The newest ones: whatever has just been made is among them. */
const recent = async () => (await api.get(path)).items;

/** Whether one was made after `before` was read: an older one comes into sight when a newer one is withdrawn. */
function isSince(before, { id, created }) {
  return created >= (before[0]?.created ?? 0) && !before.some((one) => one.id === id);
}

function stateOf({ used, expires }) {
  if (used) return { word: t`Used`, badge: "good", isOpen: false };
  return expires > now() ? { word: t`Not used yet`, badge: "wait", isOpen: true } : { word: t`Expired`, badge: "bad", isOpen: false };
}

function values({ role, recipient, created, expires, used, state, about }) {
  const ended = used ? t`used ${time(used)}` : state.isOpen ? t`until ${time(expires)}` : t`ended ${time(expires)}`;
  return {
    role: roles[role], recipient: recipient ? t`For ${recipient}` : "",
    when: [t`Made ${time(created)}`, ended, about].filter(Boolean).join(" · "),
    mayWithdraw: state.isOpen,
  };
}

/** A word as it stands within a sentence: only English writes it with a small letter there. */
const within = (word) => (language === "en" ? word.toLowerCase() : word);
