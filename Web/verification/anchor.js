// The roots that this person trusts. Only the person puts one in: a file that is checked never brings its own.

import { logOf } from '../accounts/log-policy.js';
import * as store from '../accounts/store.js';
import { call, utf8 } from '../shell/core.js';
import { t } from '../shell/translate.js';
import { lookUp } from './look-up.js';

const place = 'anchors';

// Where the browser keeps nothing (private windows, some local files), roots last as long as the page does.
const unkept = new Map();

/** All pinned roots: `{fingerprint, organisation, publicURL, root, notAfter, logKey?, domain?, added, why?}`, the oldest first. */
export async function anchors() {
  const kept = await store.all(place).then((found) => found.map(({ value }) => value)).catch(() => []);
  return [...kept, ...unkept.values()].sort((a, b) => a.added - b.added);
}

/** The log's verifier key, `name+hash+key`, or log policy that was typed; throws when it is neither. */
export async function readLogKey(typed) {
  // A text copied out of a file often lacks its last line end, and a policy must have it.
  const text = isPolicy(typed) ? `${typed.trim()}\n` : typed.trim();
  // The proof is nothing, so that this always fails: it matters at what.
  const problem = await call('receipt', { log_key: text, proof: '' }).catch((error) => error);
  if (problem.code === 'bad_log_key') throw problem;
  return text;
}

/** Whether what is pinned of a log is a policy, with witnesses perhaps, and not one key. */
export const isPolicy = (logKey) => /^log /m.test(logKey);

/** Pins a root; answers whether the browser remembers it. @param why the person trusts it: "typed", "compared", "scanned" or "domain" */
export async function pin(candidate, why) {
  const { isTyped, added = Math.floor(Date.now() / 1000), ...root } = candidate;
  const anchor = { ...root, why, added };
  try {
    await store.put(place, anchor.fingerprint, anchor);
    return true;
  } catch {
    unkept.set(anchor.fingerprint, anchor);
    return false;
  }
}

export async function unpin(fingerprint) {
  unkept.delete(fingerprint);
  await store.remove(place, fingerprint).catch(() => {});
}

/**
 * The facts in a root certificate in PEM or DER; reading does not pin it.
 *
 * `isTyped`: whether `typed` is its fingerprint, in four groups or in 64 digits.
 */
export async function readRoot(bytes, typed = '') {
  const { value } = await call('anchor', { typed: typed || undefined }, bytes);
  return {
    fingerprint: value.fingerprint, groups: value.groups, isTyped: value.matches || digits(typed) === value.fingerprint,
    organisation: value.organisation, publicURL: value.public_url, root: value.der,
    notAfter: value.not_after,
  };
}

/** The root and log key that this server names as its own: to be compared, not to be believed. */
export async function rootOfServer(typed) {
  const response = await fetch('/api/organisation', { credentials: 'omit', cache: 'no-store' });
  const said = response.ok ? await response.json() : {};
  if (!said.root_certificate) throw new Error(t`This server has no root yet: its organisation has not been set up.`);
  const root = await readRoot(utf8(said.root_certificate), typed);
  const { logKey } = await logOf(said, root.root);
  return { ...root, logKey };
}

/** The root and log key that a domain publishes. Its owner is who the person knows; the address is the organisation's. */
export async function rootOfDomain(domain, typed) {
  const said = await lookUp('organisation', { domain });
  const root = await readRoot(utf8(said.root_certificate), typed);
  const { logKey } = await logOf(said, root.root);
  return { ...root, logKey, domain };
}

/** The digits of a fingerprint, however they were grouped; `sha256:` and the like in front do not count. */
export function digits(text) {
  return text.toLowerCase().replace(/sha-?256/g, '').replace(/[^0-9a-f]/g, '');
}

/**
 * The anchor that `#anchor=` in a link names: `{fingerprint}` or `{root}` (DER, base64url), perhaps with `logKey`; or
 * null.
 */
export function inFragment(fragment) {
  const said = new URLSearchParams(fragment.replace(/^#/, '').replaceAll('+', '%2B'));
  const named = said.get('anchor');
  if (!named) return null;
  const logKey = said.get('log') ?? undefined;
  const isFingerprint = /^[0-9a-f: ]+$/i.test(named) && digits(named).length === 64;
  return isFingerprint ? { fingerprint: digits(named), logKey } : { root: named, logKey };
}
