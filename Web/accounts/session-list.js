// The account's sessions: where one is signed in, and the way to end it there.

import { api } from "../shell/api.js";
import { $, notice } from "../shell/dom.js";
import { plural, t } from "../shell/translate.js";
import { perform, showList } from "./rows.js";
import { signOut } from "./keys.js";

export function attach(state) {
  const button = $("#end-others", state.root);
  button.addEventListener("click", () => perform(button, () => endOthers(state), state));
}

export function show(state) {
  const name = (id) => state.devices.find((device) => device.id === id)?.name ?? t`A device`;
  const values = (session) => ({
    ...session, where: session.device ? name(session.device) : t`A browser without keys`,
  });
  showList(state, "#sessions", state.sessions, "session-row", values, { end });
  $("#end-others", state.root).hidden = state.sessions.length < 2;
}

async function end({ id, is_current: isCurrent }) {
  if (isCurrent) {
    await signOut();
    location.assign("/sign-in");
    return false;
  }
  await endOne(id);
}

async function endOthers({ sessions }) {
  const others = sessions.filter((session) => !session.is_current);
  for (const { id } of others) await endOne(id);
  notice("success", plural(others.length, "The other session is ended.", "{0} other sessions are ended."));
}

/** If it has ended by itself by now, that is what was wanted. */
async function endOne(id) {
  try {
    await api.delete(`/api/sessions/${encodeURIComponent(id)}`, { reason: t`End your sessions elsewhere` });
  } catch (problem) {
    if (problem.kind !== "not-found") throw problem;
  }
}
