// The server's English refusals, in the language of the page. It is looked up by the English, so it stands here only to
// be translated.

import { t } from "../shell/translate.js";

/** Such sentences; a number in them is a value. */
export const sentences = [
  t`This server is already set up.`,
  t`That is not the set-up code. The server prints it at its start.`,
  t`The code is unknown, used or expired, or not for this username. Ask for a new one.`,
  t`That username is taken. Choose another.`,
  t`The invitation is unknown, used or expired. Ask for a new one.`,
  t`device: the keys are malformed or not proved, or the wallet's clock is wrong. Set the clock, and try again.`,
  t`These device keys are registered already. Make a new wallet.`,
  t`The device is revoked already.`,
  t`An administrator has checked this name, so you cannot change it.`,
  t`passkey: not made for this server, name and challenge with user verification, or too late. Try again.`,
  t`This passkey is registered already.`,
  t`An account has at most ${20} passkeys. Remove one first.`,
  t`You would have no way left to sign in. Add another passkey, or a passphrase, first.`,
  t`That was decided already.`,
  t`The pairing was refused, used or has expired. Start again there.`,
  t`The new device gave a passphrase that is not the account's. Start again there.`,
  t`There are too many devices, or too many between this one and the first. Revoke one.`,
];
