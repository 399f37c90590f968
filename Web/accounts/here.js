// Tells a person who is not new to a page for newcomers that they are signed in, or that they began here before and
// never heard how it ended.

import { api } from "../shell/api.js";
import { $ } from "../shell/dom.js";
import { t } from "../shell/translate.js";
import { leave } from "./ending.js";
import { allRecords, signedIn } from "./records.js";
import { destination } from "./sessions.js";

/** Shows `#here` to a person who is signed in, `#draft` to one whose answer was lost. */
export async function sayWhoIsHere() {
  const account = await currentAccount();
  const here = $("#here");
  if (account && here) {
    $("p", here).textContent = t`You are signed in as ${account.username}.`;
    $("a", here).href = destination(account);
    here.hidden = false;
  }
  const draft = (await allRecords()).find(({ state, pairing }) => state === "draft" && !pairing);
  const box = $("#draft");
  if (draft && box && !account) {
    $("p", box).textContent = t`You began here as ${draft.username}, and the server's answer never came. Signing in
      tells whether it worked.`;
    box.hidden = false;
  }
}

/** The account that is signed in, as the server says; null without one, or when the server cannot be asked. */
export async function currentAccount() {
  if (!await signedIn()) return null;
  try {
    const { account } = await api.get("/api/sessions/current", { allow401: true });
    return account;
  } catch (problem) {
    if (problem.kind === "unauthenticated") await leave();
    return null;
  }
}
