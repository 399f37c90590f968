// The person's roots: shown, pinned by fingerprint, file or link, removed.

import { $, $$, busy, day, describe, fill, group, list, notice, undoable } from '../shell/dom.js';
import { fromB64u } from '../shell/core.js';
import { complain, settle } from '../shell/error-summary.js';
import { t } from '../shell/translate.js';
import { anchors, digits, inFragment, isPolicy, pin, readLogKey, readRoot, rootOfDomain, rootOfServer, unpin } from './anchor.js';

const fields = ['digits', 'domain', 'file', 'log'];

let isServed = true;
let isOfAll = false; // whether what is said of the fingerprint is about domain and certificate too
let changed = () => {};

/** Starts the panel (see trust.mustache); `onChange` runs whenever the roots change, `scanner` makes a button scan a code. */
export async function startTrust({ onChange, served = true, scanner }) {
  isServed = served;
  scanner?.($('#pin-scan'), scanned);
  changed = async () => { await draw(); await onChange(); };
  for (const part of $$('[data-online]')) part.hidden = !isServed;
  $('#pin').addEventListener('submit', (event) => {
    event.preventDefault();
    busy($('#pin .primary'), submit);
  });
  $('#pin').addEventListener('input', ({ target }) => { if (isOfAll && target.id !== 'pin-log') settle($('#pin'), $('#pin-digits')); });
  addEventListener('hashchange', fromLink);
  if ((await draw()).length === 0) $('#pinning').open = true;
  // Now it has its height: nothing below it moves any more.
  $('#trust').dataset.drawn = '';
  await fromLink();
}

/** Takes a certificate that the person chose or dropped: pins it once it was compared. */
export async function offerRoot(bytes) {
  const candidate = await readRoot(bytes);
  if (await compare(candidate)) await take(candidate, 'compared');
}

async function draw() {
  const pinned = await anchors();
  list($('#anchors'), pinned, 'anchor', shown, {
    empty: 'no-anchors',
    each: (element, anchor) => $('[data-remove]', element).addEventListener('click', () => remove(anchor)),
  });
  return pinned;
}

async function submit() {
  const typed = $('#pin-digits').value.trim();
  const file = $('#pin-file').files[0];
  const domain = $('#pin-domain').value.trim();
  const log = await typedLog($('#pin-log').value.trim());
  isOfAll = !typed && !file && !domain;
  const wrong = {
    digits: isOfAll ? t`Type the fingerprint or the domain, or choose the certificate.`
      : typed && !isWhole(typed) ? t`Type all four groups of five, or all 64 digits.` : '',
    file: typed && !file && !isServed ? t`Choose the certificate too: this page has no network to fetch it.` : '',
    log: log.words,
  };
  if (!say(wrong)) return undefined;
  let root;
  try {
    root = await chosen(file, domain, typed);
  } catch (error) {
    return say({ [file ? 'file' : domain ? 'domain' : 'digits']: describe(error) });
  }
  const candidate = { ...root, logKey: log.key ?? root.logKey };
  isOfAll = Boolean(typed && !candidate.isTyped);
  if (isOfAll) return say({ digits: other(candidate, file, domain) });
  if (typed || candidate.domain) await take(candidate, typed ? 'typed' : 'domain');
  else if (await compare(candidate)) await take(candidate, 'compared');
  return undefined;
}

/** What was typed of the log: `{key}`, `{words}` that say what is wrong with it, or neither. */
async function typedLog(typed) {
  try {
    return typed ? { key: await readLogKey(typed) } : {};
  } catch (error) {
    return { words: describe(error) };
  }
}

// A file is what the person has in hand; then what they know; then the server that they are at.
async function chosen(file, domain, typed) {
  if (file) return readRoot(new Uint8Array(await file.arrayBuffer()), typed);
  return domain ? rootOfDomain(domain, typed) : rootOfServer(typed);
}

const isWhole = (typed) => digits(typed).length === 64 || typed.replace(/[\s-]/g, '').length === 20;

function other(candidate, file, domain) {
  const shown = candidate.groups;
  if (domain && !file) return t`${domain} has another root (${shown}), not the one you typed. Do not trust it.`;
  if (file) return t`This file has another root (${shown}), not the one you typed. Do not trust it.`;
  return t`This server has another root (${shown}), not the one you typed. Is it another organisation's fingerprint? Then
    choose that organisation's root.pem.`;
}

/** Says what is wrong with each field of the form, by its name; answers whether nothing is. */
function say(wrong) {
  return complain($('#pin'), ...fields.map((name) => [$(`#pin-${name}`), $(`#pin-${name}-error`), wrong[name]]));
}

// The person says whether it is the same: nothing else can.
function compare(candidate) {
  const dialog = $('#candidate');
  fill(dialog, { ...candidate, digits: group(candidate.fingerprint) });
  dialog.returnValue = '';
  dialog.showModal();
  return new Promise((resolve) => {
    dialog.addEventListener('close', () => resolve(dialog.returnValue === 'same'), { once: true });
  });
}

/** Trusts a root that the person has just compared. */
export const trustCompared = (candidate) => take(candidate, 'compared');

async function take(candidate, why) {
  const isKept = await pin(candidate, why);
  $('#pin').reset();
  say({});
  $('#pinning').open = false;
  notice('success', isKept ? t`You trust ${candidate.organisation} (${candidate.publicURL}).`
    : t`You trust ${candidate.organisation} until you close this page: the browser does not remember it.`);
  await changed();
}

async function remove(anchor) {
  await unpin(anchor.fingerprint);
  await changed();
  undoable(t`You no longer trust ${anchor.organisation}.`, async () => {
    await pin(anchor, anchor.why);
    await changed();
  });
}

// A link names a root; it proves nothing, so the person compares as with a file.
async function fromLink() {
  const named = inFragment(location.hash);
  if (!named) return;
  history.replaceState(null, '', location.pathname + location.search);
  await takeNamed(named);
}

// A code is a link as above, or a fingerprint. Only a code in front of the camera spares the comparison: a picture or a
// pasted link may have come from the person who shows the document.
async function scanned(text, isFilmed) {
  const named = inFragment(text.includes('#') ? text.slice(text.indexOf('#')) : '');
  if (named) return takeNamed(named, isFilmed ? 'scanned' : 'compared');
  if (!isWhole(text)) return say({ digits: t`This code names no organisation. Scan the one that the organisation publishes.` });
  $('#pin-digits').value = text;
  return busy($('#pin .primary'), submit);
}

/** Trusts the root that a link or a code names. Scanning the organisation's own code counts as comparing it. */
async function takeNamed(named, why = 'compared') {
  try {
    const candidate = named.root ? await readRoot(fromB64u(named.root)) : await fromServer(named.fingerprint);
    if (why === 'scanned' || await compare(candidate)) await take({ ...candidate, logKey: named.logKey ?? candidate.logKey }, why);
  } catch (error) {
    notice('error', t`The link names a root that cannot be used. ${describe(error)}`);
  }
}

async function fromServer(fingerprint) {
  const candidate = isServed ? await rootOfServer() : null;
  if (candidate?.fingerprint !== fingerprint) throw new Error(t`It is not the root of this server.`);
  return candidate;
}

function shown(anchor) {
  const digitsInGroups = group(anchor.fingerprint);
  return {
    ...anchor, digits: digitsInGroups, short: anchor.groups ?? `${digitsInGroups.slice(0, 9)} …`,
    log: logWords(anchor.logKey), since: since(anchor),
  };
}

// Since when and why a root is trusted; the reason is unknown for roots added before it was kept.
function since({ why, domain, added }) {
  const date = day(added);
  if (why === 'domain') return t`Added on ${date}, because ${domain} names it: weaker than a fingerprint on paper.`;
  if (why === 'typed') return t`Added on ${date}, because you typed its fingerprint.`;
  if (why === 'scanned') return t`Added on ${date}, because you scanned its code.`;
  return why === 'compared' ? t`Added on ${date}, because you compared its fingerprint.` : t`Added on ${date}.`;
}

function logWords(logKey) {
  if (!logKey) return t`Receipts are not checked: the key of its log is not pinned.`;
  return isPolicy(logKey) ? t`Receipts count when as many witnesses have signed as its log policy asks for.`
    : t`Receipts are checked with the key of its log.`;
}
