// What an export holds: every file and note below a folder, with a name that a file may have, each name once in its folder.

import { utf8 } from "../shell/core.js";
import { fileName } from "./viewing.js";

/** The longest name, in bytes. */
const longest = 240;
/** Names that Windows keeps for devices. */
const devices = /^(con|prn|aux|nul|com\d|lpt\d)(\.|$)/i;

/**
 * Lists what an export of a folder holds.
 *
 * @returns `{entries: [{names, item}], size, locked, elsewhere}`: folders come before what is in them; `locked` are items whose own lock
 *   is closed, `elsewhere` are folders that stand for a compartment, because they are shared or have a PIN of their own
 */
export function planOf(vault, folder) {
  const entries = [];
  let size = 0;
  let locked = 0;
  let elsewhere = 0;
  const walk = (id, above) => {
    const taken = new Set();
    const items = vault.children(id).sort((a, b) => (a.name < b.name ? -1 : 1));
    for (const item of items) {
      if (item.isLocked) {
        locked += 1;
        continue;
      }
      if (item.compartment) {
        elsewhere += 1;
        continue;
      }
      const names = [...above, once(nameOf(item), taken)];
      entries.push({ names, item });
      size += item.kind === "note" ? utf8(item.text ?? "").length : item.size;
      if (item.kind === "folder") walk(item.id, names);
    }
  };
  walk(folder, []);
  return { entries, size, locked, elsewhere };
}

/** A name for every system: short enough, and none that Windows reads in another way. */
export function nameOf(item) {
  const name = fileName(item.kind === "note" ? { ...item, type: "text/plain" } : item);
  const [, stem, ending] = /^(.*?)((?:\.[A-Za-z0-9]{1,8})?)$/su.exec(name);
  let short = stem;
  while (utf8(short + ending).length > longest) short = [...short].slice(0, -1).join("");
  const whole = `${short}${ending}`.replace(/[. ]+$/, "_");
  return devices.test(whole) ? `_${whole}` : whole;
}

/** The name, or the name with the first free number. Systems that ignore capitals and accents' spelling see the same. */
function once(name, taken) {
  const [, stem, ending] = /^(.*?)((?:\.[A-Za-z0-9]{1,8})?)$/su.exec(name);
  const key = (text) => text.normalize("NFC").toLowerCase();
  let free = name;
  for (let number = 2; taken.has(key(free)); number += 1) free = `${stem} (${number})${ending}`;
  taken.add(key(free));
  return free;
}
