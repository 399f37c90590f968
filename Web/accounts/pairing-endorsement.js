// The device that has keys: it shows who wants to be added, compares the keys with the code, and decides.

import { scanButton } from "../scanner/scan-button.js";
import { Problem, api } from "../shell/api.js";
import { call } from "../shell/core.js";
import { $, busy, notice, time } from "../shell/dom.js";
import { drawQR } from "../shell/qr.js";
import { t } from "../shell/translate.js";
import { check, fillIn, show } from "./form.js";
import { thumbprint } from "./jose.js";
import { use } from "./keys.js";
import { only, over, shown } from "./pairing-view.js";
import "./refusals.js";
import { verifyReceipt } from "./trust.js";
import { now } from "./unlock.js";

/** Without a code: how to begin on the new device, and a place for its link. */
export async function invite() {
  const page = `${location.origin}/add-device`;
  $("#page-link").textContent = page;
  await drawQR($("#page-qr"), page, { label: t`The address of this page as a QR code` });
  const form = $("#paste-form");
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const given = check(form, { code: (text) => (text ? "" : t`Paste the link that the new device shows.`) });
    if (!given) return;
    const code = given.code.split("#").pop();
    if (/^[A-Za-z0-9_-]+$/.test(code)) location.hash = code;
    else show(form, { code: t`This is not such a link. Copy it again, as a whole.` });
  });
  scanButton($("#scan"), { title: t`Scan the new device's code`, hint: t`It is on the page “Add a device” there.` }, (text) => {
    fillIn(form, "code", text);
    form.requestSubmit();
  });
  only("have-keys");
}

/** With a code: what the server says of the pairing must be what the code says of it. */
export async function decide(code, record) {
  if (!record) {
    return over({
      title: t`This browser cannot add it`,
      text: t`It has no keys of your account. Open the link on a device that has.`,
      href: "/wallet/devices", link: t`Devices`,
    });
  }
  const { value: said } = await call("read_pairing_code", { text: `${record.trust.publicURL}/add-device#${code}` });
  if (said.server !== record.trust.publicURL) {
    throw new Problem("trust", { detail: t`This code is for another organisation's server.` });
  }
  const pairing = await api.get(`/api/pairings/${encodeURIComponent(said.pairing)}`);
  await compare(pairing, said, record);
  if (pairing.state !== "open") return ended(pairing.state);
  $("#decide-device").textContent = pairing.device_name;
  $("#decide-username").textContent = pairing.username;
  $("#decide-created").textContent = time(pairing.created);
  $("#decide-key").textContent = shown(said.key);
  $("#endorse").onclick = ({ currentTarget }) => busy(currentTarget, () => endorse(pairing, said, record));
  $("#refuse").onclick = ({ currentTarget }) => busy(currentTarget, () => refuse(pairing));
  only("decide");
}

async function compare(pairing, said, record) {
  const isSame = pairing.username === record.username
    && await thumbprint(pairing.signing_key) === said.key
    && await thumbprint(pairing.encryption_key) === said.encryption_key;
  if (isSame) return;
  throw new Problem("trust", {
    detail: t`The server names other keys than the code that the new device shows. Do not add it; tell the operator of
      the server.`,
  });
}

async function endorse(pairing, said, record) {
  const { receipt } = await use(t`Add “${pairing.device_name}” to your account`, async (k) => {
    const statement = await k.jws("countersign-pairing+jwt", {
      aud: record.trust.publicURL, username: record.username, pairing: pairing.id,
      signing_key: said.key, encryption_key: said.encryption_key, iat: now(),
    });
    return endorsed(pairing, () => api.post(`/api/pairings/${pairing.id}/endorse`, { statement }, { noConfirm: true }));
  });
  if (receipt) {
    await verifyReceipt(receipt.proof, { type: "device.enrolled", members: { signing_key: pairing.signing_key } });
  }
  ended("endorsed");
}

/** After an answer that was lost, or a second press: what did the server do? */
async function endorsed(pairing, act) {
  try {
    return await act();
  } catch (problem) {
    if (!["offline", "conflict"].includes(problem.kind)) throw problem;
    const after = await api.get(`/api/pairings/${pairing.id}`).catch(() => null);
    if (after?.state !== "endorsed") throw problem;
    return {};
  }
}

async function refuse({ id }) {
  await api.post(`/api/pairings/${id}/refuse`).catch((problem) => {
    if (problem.kind !== "conflict" && problem.kind !== "gone") throw problem;
  });
  notice("success", t`Refused. No device was added.`);
  ended("refused");
}

function ended(state) {
  // The code has done its work: going back to this page must not ask again.
  history.replaceState(null, "", location.pathname);
  const texts = {
    endorsed: [t`The device is added`, t`The new device goes on by itself, and the log says so.`],
    refused: [t`It was refused`, t`No device was added. If you did not start this, somebody only knew your username.`],
    expired: [t`Too late`, t`This code has expired. Start again on the new device.`],
  };
  const [title, text] = texts[state] ?? texts.expired;
  over({ title, text, href: "/wallet/devices", link: t`Your devices` });
}
