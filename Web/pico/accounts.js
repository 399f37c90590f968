// The accounts that this browser signs in to elsewhere: listed, named, forgotten, put into a backup and taken out of one.

import { device } from "../accounts/keys.js";
import { showList } from "../accounts/rows.js";
import { Problem, api } from "../shell/api.js";
import { ask } from "../shell/ask.js";
import { $, $$, busy, notice } from "../shell/dom.js";
import { start } from "../shell/frame.js";
import { t } from "../shell/translate.js";
import { current, show } from "./account-steps.js";
import { beginBackup, forgetBackup, mayGiveUp } from "./backup.js";
import { forget, isName, kept, rename as keepName } from "./keeping.js";
import { beginRestore, forgetRestore } from "./restore.js";

const run = start(load, []);
const state = { root: document, reload: run };

async function load() {
  // Only this page's owner sees what is kept: whose session it is, the server says.
  await api.get("/api/sessions/current");
  if (!await device()) {
    throw new Problem("no-keys", { detail: t`This browser has no keys for your account. Add it under Devices, or use the device that has them.` });
  }
  // A connection that comes back takes no step away.
  if (!current() || current() === "list") await showAll();
}

async function showAll() {
  const items = await kept();
  showList(state, "#accounts", items, "account-row", (one) => ({ ...one, account: one.account || t`No name` }), { rename, remove }, {
    allowed: ({ isOwn }, act) => act === "rename" || !isOwn,
  });
  $("#none").hidden = items.length > 0;
  $("#make").hidden = items.length === 0;
  show("list");
}

async function rename({ name, title, account }) {
  const answer = await ask({
    title: t`Rename the account`, confirm: t`Save`, input: { label: t`Your name for this account at ${title}`, value: account ?? "", maximum: 60 },
  });
  if (!answer) return false;
  if (!isName(answer.value)) {
    throw new Problem("invalid-member", { detail: t`A name has 1 to 60 characters, all of them visible.` });
  }
  return keepName(name, answer.value);
}

async function remove({ name, title, account }) {
  const answer = await ask({
    title: t`Forget ${account || title}?`,
    text: t`Its key is destroyed in this browser, and only a backup brings it back. Remove this wallet at the service too, if you no longer use it.`,
    confirm: t`Forget the account`, cancel: t`Keep it{#account}`, danger: true,
  });
  if (!answer) return false;
  await forget(name);
  notice("success", t`The account at ${title} is forgotten.`);
  return true;
}

$("#make").addEventListener("click", ({ currentTarget }) => busy(currentTarget, beginBackup));
$("#take").addEventListener("click", beginRestore);
for (const button of $$("[data-back]")) {
  button.addEventListener("click", () => busy(button, async () => {
    if (!await mayGiveUp()) return;
    forgetBackup();
    forgetRestore();
    await showAll();
  }));
}
