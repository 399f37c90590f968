// Devices and passkeys. Each list is a module of its own; this one loads what they show and shows it again after every
// change.

import { api } from "../shell/api.js";
import { $, describe, notice } from "../shell/dom.js";
import { onChange } from "../shell/events.js";
import { listen } from "../shell/tabs.js";
import { t } from "../shell/translate.js";
import * as devices from "./device-list.js";
import * as language from "./own-language.js";
import * as own from "./own-name.js";
import * as passkeys from "./passkey-list.js";
import * as passphrase from "./passphrase-form.js";
import "./mine.js"; // Every page asks it what the account may do (session.js).
import { currentRecord, setSignedIn } from "./records.js";
import "./refusals.js";
import * as sessions from "./session-list.js";
import * as browser from "./this-browser.js";

await mount($("#devices-sections"));

/** Draws everything into the partial `accounts/devices-sections`. */
async function mount(root) {
  const state = { root, reload: () => reload(state) };
  for (const part of [own, language, browser, passkeys, devices, sessions, passphrase]) part.attach?.(state);
  await state.reload();
  onChange(["device", "account"], (event) => event && state.reload());
  listen(({ kind }) => { if (kind === "keys-changed") state.reload(); });
  return state;
}

async function reload(state) {
  try {
    const [current, keys, machines, open, record] = await Promise.all([
      api.get("/api/sessions/current"), api.get("/api/account/passkeys"), api.get("/api/devices"),
      api.get("/api/sessions"), currentRecord(),
    ]);
    Object.assign(state, { current, record, passkeys: keys.items, devices: machines.items, sessions: open.items });
  } catch (problem) {
    $("#devices-loading", state.root).hidden = true;
    document.documentElement.dataset.state = "failed";
    notice("error", describe(problem), { action: t`Try again`, run: state.reload });
    return;
  }
  // The server's word on whose session it is, in case this browser had forgotten.
  await setSignedIn(state.current.account);
  for (const part of [own, language, browser, passkeys, devices, sessions, passphrase]) part.show(state);
  $("#devices-loading", state.root).hidden = true;
  $("#devices-content", state.root).hidden = false;
  document.documentElement.dataset.state = "ready";
}
