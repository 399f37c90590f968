// Gives the shell what it asks of the session. What it takes is fetched only when it is asked for.

import { provide } from "../shell/session.js";

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

// Few sessions are held by a wallet: only those load what holds them.
if (sessionStorage.getItem("held-session")) import("./presence.js").then(({ hold }) => hold());
