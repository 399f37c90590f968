// What exports and imports are refused for, in words.

import { Problem } from "../shell/api.js";
import { t } from "../shell/translate.js";

const changed = t`The file was changed or cut off. Nothing was imported: use another copy of it.`;
const words = {
  not_age: t`This is no age file. Choose a file that ends in .age.`,
  no_match: t`That passphrase or key does not open this file.`,
  invalid_key: t`This is no private key of age. It begins with AGE-SECRET-KEY-1 and has 74 characters.`,
  malformed: changed,
  truncated: changed,
  corrupt: changed,
  too_much_work: t`The passphrase of this file takes more memory than a page may have. Use the command line: countersign wallet vault import.`,
  unsupported: t`A page cannot open this kind of age file. Use the command line: countersign wallet vault import.`,
  no_archive: t`This age file holds something other than an archive of files. Nothing was imported.`,
  link: t`There is a link in the archive, which could lead to other files. Nothing was imported.`,
  not_a_file: t`There is something in the archive that is neither a file nor a folder. Nothing was imported.`,
  unsafe_path: t`The archive has a name that leads elsewhere or shows something else than it is. Nothing was imported.`,
  path_too_long: t`A name or path is too long, or folders are too deep. Shorten it and try again.`,
  trap: t`This device has too little memory for it. Close other pages, or use the command line.`,
};

/** A refusal of Core as a Problem. */
export const refusal = ({ code, message }) => new Problem("refused", { detail: words[code] ?? message, error: code });
