// Gives the shell what it asks of the session. What it takes is fetched only when it is asked for.

import { onLocked } from "../shell/locked.js";
import { provide } from "../shell/session.js";
import { listen } from "../shell/tabs.js";

const keys = () => import("./keys.js");
const records = () => import("./records.js");

provide({
  confirm: async (reason) => (await keys()).confirm(reason),
  signedIn: async () => (await records()).signedIn(),
  async may(permission) {
    const [{ knownSelf }, { may }] = await Promise.all([import("./mine.js"), import("./permissions.js")]);
    return may(await knownSelf(), permission);
  },
  whose: async () => (await keys()).whose(),
  signOut: async () => (await keys()).signOut(),
});

// Few sessions are held by a wallet: only those load what holds them, or locks their pages.
const presence = () => import("./presence.js");
if (localStorage.getItem("held-session")) presence().then(({ hold }) => hold());
onLocked(async () => (await presence()).act(localStorage.getItem("held-session") ? "paused" : "lost"));
listen(async ({ kind, state }) => { if (kind === "held") (await presence()).act(state); });
