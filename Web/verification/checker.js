// From a file to a result: dropped, chosen or pasted; checked again when roots or expectations change.

import { $, busy, bytes, describe, notice } from '../shell/dom.js';
import { core, utf8 } from '../shell/core.js';
import { series } from '../shell/text.js';
import { t } from '../shell/translate.js';
import { anchors, rootOfServer } from './anchor.js';
import { askable, check, claimed, isElsewhere, liveStatus } from './check.js';
import { drawFailure, drawResult, hideResult } from './result.js';
import { offerRoot, startTrust, trustCompared } from './trust-panel.js';

const largest = 16 << 20;
const always = 'verify-live-status'; // set when the person wants live status without being asked again

let file = null; // what is being checked, until another is
let asOf; // the time it is checked for, when that is not now
let live; // newer status tokens
let me; // whom the person said to be when asked, and null when it was somebody else
let last = null; // what the last check found
let turn = 0; // which check is the newest: an answer to an earlier one is thrown away
let hasServer = true; // whether the page came from a server

/** Starts trust panel and result; `isServed` is false for the page that is one file, `scanner` makes a button scan. */
export async function startChecker({ isServed = true, scanner } = {}) {
  hasServer = isServed;
  core().catch(drawFailure); // on its way while the person looks for the file
  $('#live-always').checked = isAlways();
  $('#live-always').addEventListener('change', ({ target }) => setAlways(target.checked));
  $('#result').addEventListener('click', (event) => act(event.target.closest('button')));
  await startTrust({ served: isServed, scanner, onChange: () => file && again() });
}

/** Takes files as they are dropped, chosen or pasted on the page (see checker.mustache). */
export function startGiving() {
  const drop = $('#drop');
  const input = $('#file-input');
  input.addEventListener('change', () => takeAll([...input.files]));
  $('#another').addEventListener('click', reset);
  $('#expected').addEventListener('submit', (event) => {
    event.preventDefault();
    showExpected();
    if (file) again();
    else input.focus();
  });
  $('#paste').addEventListener('submit', (event) => { event.preventDefault(); takeText($('#pasted').value); });
  // The whole page catches what is dropped: a browser would else open the file in place of the page.
  let depth = 0;
  addEventListener('dragenter', () => { depth += 1; drop.classList.add('over'); });
  addEventListener('dragleave', () => { depth -= 1; if (depth <= 0) drop.classList.remove('over'); });
  addEventListener('dragover', (event) => event.preventDefault());
  addEventListener('drop', (event) => {
    event.preventDefault();
    depth = 0;
    drop.classList.remove('over');
    const { files } = event.dataTransfer;
    if (files.length > 0) takeAll([...files]);
    else takeText(event.dataTransfer.getData('text/plain'));
  });
  addEventListener('paste', (event) => {
    if (event.target.closest('input, textarea')) return;
    const [pasted] = event.clipboardData.files;
    if (pasted) take(pasted);
    else takeText(event.clipboardData.getData('text/plain'));
  });
}

// Folded away, what is expected still shows.
function showExpected() {
  const age = $('#maximum-age');
  const said = [$('#audience').value.trim(), $('#nonce').value.trim(), age.value && age.selectedOptions[0].textContent]
    .filter(Boolean);
  $('#expectation').textContent = series(said);
  $('#expecting').open = false;
}

/** Checks these bytes and shows the result; false when the check could not be made here. */
export async function give(content, name) {
  file = content;
  asOf = live = me = undefined;
  if ($('#given')) {
    $('#given-name').textContent = name;
    $('#given-size').textContent = bytes(content.length);
    $('#given').hidden = false;
    $('#drop').hidden = $('#pasting').hidden = true;
  }
  return again();
}

// A file of ours first, and then the document beside it.
async function takeAll(files) {
  const isOurs = ({ name }) => name.endsWith('.countersign');
  for (const file of files.sort((a, b) => isOurs(b) - isOurs(a))) await take(file);
}

async function take(dropped) {
  if (dropped.size > largest) {
    return notice('error', t`The file has ${bytes(dropped.size)}. One to check has at most ${bytes(largest)}.`);
  }
  try {
    const content = new Uint8Array(await dropped.arrayBuffer());
    if (isCertificate(content)) return await offerRoot(content);
    if (last?.content && !isLikely(content)) return await compare(content, dropped.name);
    await give(content, dropped.name);
  } catch (error) {
    notice('error', describe(error));
  }
  return undefined;
}

// A file that is not one of ours may be the document that was saved from the one shown.
async function compare(content, name) {
  const [own, other] = await Promise.all([last.content, content].map((part) => crypto.subtle.digest('SHA-256', part)));
  const isSame = new Uint8Array(own).every((byte, index) => byte === new Uint8Array(other)[index]);
  const { name: attached } = (last.report ?? last.preview).document;
  if (!isSame) return notice('error', t`${name} is not the document in this file. It was changed, or it is another one.`);
  return notice('success', t`${name} is ${attached} of this file, byte for byte. The check's answers hold for it too.`);
}

function isLikely(content) {
  return new TextDecoder().decode(content.subarray(0, 64)).trimStart().startsWith('{');
}

async function takeText(text) {
  // An editor or mail program may have put a line end behind it.
  if (text.trim()) await give(utf8(text.trim()), t`Pasted text`);
}

function isCertificate(content) {
  return new TextDecoder().decode(content.subarray(0, 64)).includes('-----BEGIN CERTIFICATE');
}

async function again() {
  const given = file;
  const mine = ++turn;
  const claims = claimed(given);
  const expected = {
    audience: $('#audience')?.value.trim() || me, nonce: $('#nonce')?.value.trim(),
    maximumAge: Number($('#maximum-age')?.value), time: asOf, isSomebodyElse: me === null,
  };
  try {
    const pinned = await anchors();
    const lists = navigator.onLine ? askable(claims?.statusLists ?? [], pinned) : [];
    // If the server does not answer now, the file's own status counts.
    if (!live && isAlways() && lists.length > 0) await askLive(given, lists).catch(() => {});
    // As of then, what is known since then does not count.
    expected.liveStatus = asOf === undefined ? live : undefined;
    const found = await check(given, pinned, expected);
    if (found.preview) Object.assign(found, await comparable(found.preview, claims));
    // Another file was given meanwhile or other things are expected: that has an answer of its own.
    if (mine !== turn || file !== given) return true;
    last = found;
    if (last.preview && !last.candidate) $('#pinning').open = true;
    await drawResult(last, { expected, canAsk: asOf === undefined && lists.length > 0, isElsewhere: isElsewhere(lists) });
    return true;
  } catch (error) {
    if (mine !== turn || file !== given) return true;
    drawFailure(error);
    return false;
  }
}

// What is asked for one file does not count for the next.
async function askLive(given, lists) {
  const found = await liveStatus(lists);
  if (file === given) live = found;
}

// A file that says it is this server's: its root is compared where the file is, and not typed.
async function comparable(preview, claims) {
  const candidate = hasServer ? await rootOfServer().catch(() => null) : null;
  return candidate?.publicURL === preview.public_url ? { candidate, audience: claims?.audience } : {};
}

function act(button) {
  if (!button) return;
  if ('print' in button.dataset) print();
  if ('asOf' in button.dataset) { asOf = last.report.presented_at; again(); }
  if ('now' in button.dataset) { asOf = undefined; again(); }
  if ('same' in button.dataset) busy(button, () => trustCompared(last.candidate));
  if ('sameMine' in button.dataset) { me = last.audience; busy(button, () => trustCompared(last.candidate)); }
  if ('mine' in button.dataset) { me = last.report.audience; again(); }
  if ('notMine' in button.dataset) { me = null; again(); }
  if ('live' in button.dataset) {
    busy(button, async () => {
      const given = file;
      await askLive(given, askable(claimed(given).statusLists, await anchors()));
      if (file === given) await again();
    });
  }
}

// Looking tells the issuer's server that someone checks, so only the person can turn it on for all files.
function isAlways() {
  try { return localStorage.getItem(always) === 'yes'; } catch { return false; }
}

function setAlways(isWanted) {
  try {
    if (isWanted) localStorage.setItem(always, 'yes');
    else localStorage.removeItem(always);
  } catch {
    notice('error', t`This browser does not remember it.`);
  }
  if (isWanted && file) again();
}

function reset() {
  file = last = null;
  hideResult();
  $('#given').hidden = true;
  $('#drop').hidden = $('#pasting').hidden = false;
  $('#file-input').value = '';
  $('#pasted').value = '';
  $('#file-input').focus();
}
