// One file against the roots that are pinned: everything happens in Core, on this device.

import { call, fromB64u, text } from '../shell/core.js';
import { language, t } from '../shell/translate.js';
import { lookUp } from './look-up.js';

/**
 * Checks a file: `{report, anchor, content, time, milliseconds}`, by the root that its certificates lead to if there
 * is one among `anchors`. If it comes from an organisation that is not among them, `report` is null. Then `preview` is
 * what the file says of itself, or `trouble` is why it cannot be right, no matter who issued it.
 *
 * - expected: `{audience?, nonce?, maximumAge?, time?, liveStatus?}`: what must be in it, how old it may be in seconds, as
 *   of when, and newer status tokens.
 */
export async function check(file, anchors, expected = {}) {
  const started = performance.now();
  const time = expected.time ?? Math.floor(Date.now() / 1000);
  let best = null;
  for (const anchor of anchors) {
    const { value: report, blobs } = await call('verify', {
      root: anchor.root, log_key: anchor.logKey, time, audience: expected.audience || undefined,
      nonce: expected.nonce || undefined, maximum_age: expected.maximumAge || undefined, live_status: expected.liveStatus,
      language,
    }, file);
    const found = { report, anchor, content: blobs[0], nearness: nearness(report) };
    if (!best || found.nearness > best.nearness) best = found;
  }
  const result = { report: null, ...best, time };
  if (!best || best.nearness === 0) Object.assign(result, await unconfirmed(file, anchors));
  return { ...result, milliseconds: performance.now() - started };
}

// A file by a root that is not pinned is not confirmed; one that names a pinned organisation all the same is forged.
async function unconfirmed(file, anchors) {
  try {
    const { value: preview, blobs } = await call('preview', { language }, file);
    if (anchors.some(({ publicURL }) => publicURL === preview.public_url)) return {};
    return { report: null, preview, content: blobs[0] };
  } catch (trouble) {
    if (['unavailable', 'trap'].includes(trouble.code)) throw trouble;
    return { report: null, trouble };
  }
}

// How much this root has to do with the file: the one that the chain leads to, else one that it fails at later.
function nearness(report) {
  const chain = report.checks.find(({ name }) => name === 'chain');
  if (chain.result === 'passed') return 2;
  return ['untrusted_chain', 'foreign_organisation', 'not_reached'].includes(chain.reason) ? 0 : 1;
}

/** A file's unchecked statement about itself: `{issuer, audience, statusLists}`; null when it is not a file of ours. */
export function claimed(file) {
  try {
    const { presentation, status } = JSON.parse(text(file));
    const parts = presentation.split('~');
    const credential = payload(parts[0]);
    const lists = [credential.status?.status_list?.uri, ...status.map((token) => payload(token).sub)];
    const { aud } = payload(parts.at(-1));
    return { issuer: String(credential.iss), audience: String(aud ?? ''), statusLists: [...new Set(lists.filter(Boolean))] };
  } catch {
    return null;
  }
}

function payload(token) {
  return JSON.parse(text(fromB64u(token.split('.')[1])));
}

/**
 * The lists among `addresses` that can be asked for, all of one server. This is the page's own server, or that of an
 * organisation among `anchors`, which the page's server asks for us. A page of no server can ask for none.
 */
export function askable(addresses, anchors) {
  if (!location.protocol.startsWith('http')) return [];
  const known = new Set([location.href, ...anchors.map(({ publicURL }) => publicURL)].map(origin));
  const asked = addresses.filter((address) => known.has(origin(address)));
  const chosen = asked.find((address) => origin(address) === location.origin) ?? asked[0];
  return asked.filter((address) => origin(address) === origin(chosen)).slice(0, 4);
}

const origin = (address) => (URL.canParse(address) ? new URL(address).origin : null);

/** Whether this page's own server asks another one for these lists. */
export const isElsewhere = (addresses) => addresses.some((address) => origin(address) !== location.origin);

/** Status tokens as they are now. */
export async function liveStatus(addresses) {
  if (isElsewhere(addresses)) return (await lookUp('status', { lists: addresses })).tokens;
  return Promise.all(addresses.map(async (address) => {
    const response = await fetch(address, { credentials: 'omit', cache: 'no-store' });
    if (!response.ok) throw new Error(t`The server does not give the status now. Try again in a moment.`);
    return (await response.text()).trim();
  }));
}
