// The console's log page: the public log, each shown entry proved to be in it, and the own entries.

import { device } from "../accounts/keys.js";
import { follow } from "../accounts/trust.js";
import { api } from "../shell/api.js";
import { $, busy, clone, describe, symbol } from "../shell/dom.js";
import { showAge, start } from "../shell/frame.js";
import { redraw } from "../shell/redraw.js";
import { series } from "../shell/text.js";
import { plural, t } from "../shell/translate.js";
import { BadLog, readCheckpoint } from "./checkpoint.js";
import { showOwnEntries } from "./own-entries.js";
import { Tree } from "./tree.js";
import { publicAct } from "./words.js";

const pageSize = 12;

let wanted = pageSize;
/** Entries by number: what is in the tree stays there. */
const known = new Map();

start(load, ["document", "device", "enrolment", "delegation", "account", "request"]);

$("#older").addEventListener("click", ({ currentTarget }) => busy(currentTarget, async () => {
  wanted += pageSize * 2;
  await showPublic();
}));

async function load() {
  await showPublic();
  showAge([await showOwnEntries()]);
}

async function showPublic() {
  const owner = await device();
  const badge = $("#public-badge");
  try {
    const note = await api.text("/log/checkpoint");
    const checkpoint = await readCheckpoint(note, owner ? (await follow()).logKey : await saidKey());
    await fetchEntries(new Tree(checkpoint));
    badge.className = `badge ${owner ? "good" : "weak"}`;
    badge.textContent = owner ? t`Checked` : t`Checked, but the key is not pinned here`;
    $("#public-text").textContent = [
      plural(checkpoint.size, "{0} entry in {1}.", "{0} entries in {1}.", checkpoint.origin),
      t`Each one shown was hashed again and led to the root that the log has signed.`,
      ...(checkpoint.witnesses.length > 0 ? [t`Witnessed by ${series(checkpoint.witnesses)}.`] : []),
    ].join(" ");
    draw(checkpoint.size);
  } catch (error) {
    if (!(error instanceof BadLog) && error.kind !== "trust") throw error;
    badge.className = "badge bad";
    badge.textContent = t`Not good`;
    $("#public-text").textContent = describe(error);
  }
}

/** What the server says itself, where nothing is pinned. */
async function saidKey() {
  const said = await api.get("/api/organisation");
  return said.log_policy?.policy ?? said.log_key;
}

async function fetchEntries(tree) {
  const { size } = tree.checkpoint;
  const first = Math.max(0, size - wanted);
  // Ranges that are missing: the newest ones, and older ones that were asked for.
  for (let end = size; end > first;) {
    if (known.has(end - 1)) {
      end -= 1;
      continue;
    }
    let start = end - 1;
    while (start > first && !known.has(start - 1)) start -= 1;
    for (const entry of await tree.entries(start, end)) known.set(entry.index, entry);
    end = start;
  }
}

function draw(size) {
  const first = Math.max(0, size - wanted);
  const entries = [...known.values()].filter((entry) => entry.index >= first).sort((a, b) => b.index - a.index);
  redraw($("#public"), entries, (entry) => {
    const { words, icon } = publicAct(entry.type);
    const row = clone("public-row", { index: entry.index, words, time: entry.time, label: entry.label.slice(0, 8) });
    $("use", row).setAttribute("href", symbol(icon));
    return row;
  }, (entry) => entry.index);
  $("#older").hidden = first === 0;
}
