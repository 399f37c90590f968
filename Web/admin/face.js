// The organisation's face: name, logo, colour and imprint, looked at before they are saved.

import { fillIn, show, values } from "../accounts/form.js";
import { api } from "../shell/api.js";
import { b64u, fromB64u } from "../shell/core.js";
import { $, $$, busy, bytes, describe, notice, undoable } from "../shell/dom.js";
import { once } from "../shell/once.js";
import { t } from "../shell/translate.js";
import { verifyReceipt } from "../transparency/receipts.js";

const path = "/api/organisation/face";
const parts = ["legal_notice", "privacy", "contact"];
/** How long to wait while a person types, in milliseconds. */
const pause = 300;

/** Shows the form to those who may change the face. */
export async function showFace(me) {
  if (!me.may("change_face")) return;
  const form = $("#face-form");
  let present = await api.get(path);
  /** The logo that was chosen, base64url; `null` when it shall go, `undefined` when it stays. */
  let logo;
  let turn = 0;
  let typing;

  function put() {
    form.elements.accent.value = present.accent ?? "";
    $("#accent-picker").value = present.accent ?? "#0a8066";
    form.elements.organisation.value = present.name;
    for (const name of parts) form.elements[name].value = present.imprint[name] ?? "";
    form.elements.logo.value = "";
    logo = undefined;
    show(form, {});
    return look();
  }

  /** What the form asks for. */
  function wanted() {
    const { accent, organisation, ...rest } = values(form);
    const imprint = Object.fromEntries(parts.filter((name) => rest[name]).map((name) => [name, rest[name]]));
    return {
      name: organisation, ...(accent && { accent }), ...(logo && { logo }), ...(logo === undefined && present.logo && { keeps_logo: true }), imprint,
    };
  }

  function isChanged() {
    const { accent, imprint, name } = wanted();
    return logo !== undefined || name !== present.name || accent !== present.accent
      || parts.some((name) => (imprint[name] ?? "") !== (present.imprint[name] ?? ""));
  }

  /** Asks the server what would come of it, and draws that. Answers whether it may be saved. */
  async function look({ isSent = false } = {}) {
    turn += 1;
    const mine = turn;
    const asked = wanted();
    $("#face-save").disabled = !isChanged();
    $("#logo-remove").hidden = logo === null || (logo === undefined && !present.logo);
    $("#face-nearest").hidden = true;
    const { seen, errors } = await tried(asked);
    if (mine !== turn) return false;
    const isWhole = Object.keys(errors).length === 0;
    const { colour } = seen;
    if (colour && !colour.holds) {
      errors.accent = t`This colour is hard to see. ${colour.nearest} is the nearest one that holds.`;
      $("#face-nearest").textContent = t`Use ${colour.nearest}`;
      $("#face-nearest").dataset.colour = colour.nearest;
      $("#face-nearest").hidden = false;
    }
    say(errors, isSent);
    if (isWhole) draw(seen, asked);
    return Object.keys(errors).length === 0;
  }

  /** What would come of it, and what is wrong by field. The server names one thing at a time: it is asked again without that. */
  async function tried(asked) {
    const errors = {};
    let rest = asked;
    while (true) {
      try {
        return { seen: await api.post(`${path}/preview`, rest), errors };
      } catch (error) {
        const part = ["invalid-member", "too-large"].includes(error.kind) && partOf(error);
        const name = part === "name" ? "organisation" : part;
        if (!name || name in errors) throw error;
        errors[name] = describe(error).replace(/^[a-z_.]+: /, "");
        rest = without(rest, part);
      }
    }
  }

  /** Which member the problem names. */
  const partOf = ({ detail = "" }) => ["name", "logo", "accent", ...parts].find((one) => detail.startsWith(one) || detail.startsWith(`imprint.${one}`));

  function without({ imprint, ...rest }, part) {
    const left = part === "name" ? { ...rest, name: present.name } : leaving(rest, part);
    return { ...left, imprint: leaving(imprint, part) };
  }

  const leaving = (values, name) => Object.fromEntries(Object.entries(values).filter(([one]) => one !== name));

  /** Words beside the fields; the summary takes the focus, and so waits until somebody saves. Then it stays while they type. */
  function say(errors, isSent) {
    if (isSent || Object.keys(errors).length === 0) return show(form, errors);
    for (const field of form.elements) {
      if (!field.name) continue;
      const words = errors[field.name] ?? "";
      $(".error", field.closest(".field")).textContent = words;
      if (words) field.setAttribute("aria-invalid", "true");
      else field.removeAttribute("aria-invalid");
    }
    return undefined;
  }

  function draw({ colour, logo: kept, file, left_out: leftOut }, { keeps_logo: keeps }) {
    const address = file ? URL.createObjectURL(new Blob([fromB64u(file)], { type: kept.media_type }))
      : keeps ? `/organisation/logo?v=${present.logo.digest}` : "/assets/shell/mark.svg";
    for (const image of $$("#face-preview img")) {
      if (image.src.startsWith("blob:")) URL.revokeObjectURL(image.src);
      image.src = address;
    }
    const shown = colour?.holds ? colour : null;
    for (const sheet of $$("#face-preview [data-sheet]")) {
      sheet.style.borderTopColor = shown?.accent ?? "transparent";
      const button = $("[data-sample]", sheet);
      button.style.background = shown?.accent ?? "";
      button.style.borderColor = shown?.accent ?? "";
      button.style.color = shown?.text ?? "";
    }
    $("#logo-facts").textContent = kept
      ? [
        t`${kept.width} × ${kept.height} pixels, ${bytes(kept.bytes)}.`,
        ...(leftOut.length > 0 ? [t`Left out, because a logo does not need it: ${leftOut.join(", ")}.`] : []),
      ].join(" ") : "";
  }

  async function store(change, what) {
    const before = present;
    const old = before.logo && !change.keeps_logo ? b64u(await file()) : undefined;
    present = await once(
      t`the organisation's face was changed`, () => api.put(path, change, { reason: what }),
      async () => {
        const now = await api.get(path);
        const isSame = now.name === change.name && (now.accent ?? null) === (change.accent?.toLowerCase() ?? null)
          && parts.every((name) => (now.imprint[name] ?? "") === (change.imprint[name] ?? ""))
          && (change.keeps_logo ? now.logo?.digest === before.logo?.digest
            : change.logo ? now.logo && now.logo.digest !== before.logo?.digest : !now.logo);
        return isSame ? now : undefined;
      });
    if (present.receipt && me.record) await verifyReceipt(me.record.trust, present.receipt, "face.changed");
    await put();
    return { name: before.name, ...(before.accent && { accent: before.accent }), ...(old ? { logo: old } : before.logo && { keeps_logo: true }),
      imprint: before.imprint };
  }

  async function file() {
    const response = await fetch("/organisation/logo", { credentials: "same-origin" });
    if (!response.ok) throw new Error(t`The logo that was there cannot be read. Nothing was changed.`);
    return new Uint8Array(await response.arrayBuffer());
  }

  form.addEventListener("input", ({ target }) => {
    if (target.id === "accent-picker") return fillIn(form, "accent", target.value);
    if (target.name === "accent" && /^#[0-9a-f]{6}$/i.test(target.value)) $("#accent-picker").value = target.value;
    clearTimeout(typing);
    typing = setTimeout(() => look().catch((error) => notice("error", describe(error))), pause);
    return undefined;
  });
  form.elements.logo.addEventListener("change", async ({ target }) => {
    const [chosen] = target.files;
    if (!chosen) return;
    logo = b64u(new Uint8Array(await chosen.arrayBuffer()));
    await look().catch((error) => notice("error", describe(error)));
  });
  $("#face-nearest").addEventListener("click", ({ currentTarget }) => {
    fillIn(form, "accent", currentTarget.dataset.colour);
    form.elements.accent.focus();
  });
  $("#logo-remove").addEventListener("click", () => {
    form.elements.logo.value = "";
    logo = null;
    // As if somebody had chosen another one.
    form.elements.logo.dispatchEvent(new Event("input", { bubbles: true }));
  });
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    busy($("#face-save"), async () => {
      clearTimeout(typing);
      if (!(await look({ isSent: true }))) return;
      const back = await store(wanted(), t`Change how the organisation looks`);
      undoable(t`Saved. Pages show it when they are loaded.`, async () => {
        await store(back, t`Change how the organisation looks`);
        notice("success", t`The organisation looks as before.`);
      });
    });
  });

  await put();
  $("#face").hidden = false;
}
