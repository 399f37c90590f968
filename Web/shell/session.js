// What the shell asks of the session. The folder that knows sessions gives it (Web/accounts/session.js), so that no module
// of the shell imports one of another folder.

let give = null;
const given = new Promise((resolve) => { give = resolve; });

/** Gives `{confirm(reason), signedIn(), whose(), may(permission), signOut()}`, all of them asynchronous. */
export const provide = (functions) => give(functions);

/** Those functions, as soon as they are given. */
export const session = () => given;
