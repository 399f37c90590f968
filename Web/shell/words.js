// The meaning of an error for the person, and what to do about it.

import { known, language, locale, t } from './translate.js';

const otherVersion = t`The server does not understand what this page sent. Reload the page: it may be of another version than
    the server.`;

// By kind of problem (/problems); some come with a detail that says more.
const advice = {
  offline: t`The server cannot be reached. Nothing was lost: check the connection and try again.`,
  unauthenticated: t`Your session has ended. Sign in again.`,
  'session-locked': t`The wallet that signed you in no longer answers. Let it go on, or sign in again.`,
  'sign-in-failed': t`That did not sign you in. Check the name and try again, or use another of your passkeys.`,
  'confirmation-required': t`Confirm with your face, finger or passphrase first, then try again.`,
  'too-many-requests': t`That was too often. Wait a little, then try again.`,
  busy: t`The server is busy. Nothing was done: try again in a few seconds.`,
  storage: t`The server cannot store this now. Nothing was done: tell its operator.`,
  internal: t`Something went wrong at the server. Try again; if it stays so, tell its operator.`,
  'not-found': t`There is nothing here, or it is not for you to see.`,
  gone: t`This is over: it has expired, was used up or was stopped.`,
  conflict: t`Somebody else may have been faster. Reload the page and decide again.`,
  forbidden: t`Your account may not do this. Ask somebody who may.`,
  'wrong-code': t`That is not the code, or it has been used up. Ask for it, or for a new one.`,
  'invalid-member': t`Something that was filled in is missing, too long or not allowed. Correct it and try again.`,
  'too-large': t`This is too large for the server. Nothing was stored: take a smaller file.`,
  'confirmation-failed': t`That did not confirm that it is you. Another failure ends the session.`,
  'device-required': t`This needs the keys of a device of yours. Use the browser that has them, or add this one as a device.`,
  'request-timeout': t`It took too long to reach the server. Check the connection and try again.`,
  'storage-unreachable': t`The server cannot reach its storage now. It may have been done all the same: look before
    you do it again.`,
  unwitnessed: t`The log waits for its witnesses: too few of them answer now. Your act is recorded and stays, so do not
    do it again. The missing part comes by itself when they are back: look again in a few minutes.`,
  'bad-request': otherVersion,
  'range-not-satisfiable': otherVersion,
  'invalid-json': otherVersion,
  'unknown-member': otherVersion,
  'unsupported-media-type': otherVersion,
  'method-not-allowed': otherVersion,
  'target-too-long': otherVersion,
  'headers-too-large': t`This browser sends more along than the server takes. Remove this site's cookies, then sign in again.`,
};

// Errors of the browser. WebAuthn does not tell cancelling from a wrong finger, so neither do we.
const browser = {
  NotAllowedError: t`It was cancelled, took too long, or your face or finger was not recognised. Try again.`,
  InvalidStateError: t`This device has such a passkey already. Use that one to sign in.`,
  NotSupportedError: t`This browser cannot do that. Try a newer one, or another device.`,
  SecurityError: t`The browser does not allow that at this address.`,
  QuotaExceededError: t`This browser has no room left for this site. Free some space and try again.`,
  AbortError: t`It was stopped. Try again when you are ready.`,
  OperationError: t`The key does not open this. Try again, or use another way in.`,
};

// Core's refusals of a person's input, by code. It says so in English.
const refusals = {
  unavailable: t`The checking code could not be loaded. Check the connection and reload the page.`,
  trap: t`The checking code stopped. Reload the page and try again.`,
  not_a_certificate: t`The file is not a certificate in PEM or DER form.`,
  not_a_root: t`The certificate is not an organisation's root.`,
  too_large: t`This is larger than allowed.`,
  bad_log_key: t`The log key, or the log policy, is malformed.`,
  bad_log_policy: t`The main administrator has not signed that log policy.`,
  bad_base64url: t`A value is not base64url.`,
  bad_name: t`The name is empty, too long, or has control characters.`,
  not_a_code: t`This is not such a code or link.`,
  code_malformed: t`A character of the code is wrong or missing.`,
  other_server: t`The code is for another server.`,
};

export function words(error) {
  if (typeof error === 'string') return error;
  if (error?.kind) return known(error.detail ?? '') ?? fromProblem(error);
  if (error?.name in browser) return browser[error.name];
  if (error instanceof TypeError && /fetch|network|load failed/i.test(error.message)) return advice.offline;
  if (error?.name === 'CoreError' && language !== 'en') return refusals[error.code] ?? t`This cannot be read, or it does not hold (${error.code}).`;
  return error?.message || t`Something went wrong. Reload the page and try again.`;
}

function fromProblem(problem) {
  // For how long witnesses stay away nobody knows.
  const seconds = problem.kind !== 'unwitnessed' && problem.retryAfter?.toLocaleString(locale);
  // A detail is written for this very case, so it wins where it says more than the kind does.
  const specific = ['conflict', 'wrong-code', 'gone', 'invalid-member', 'forbidden', 'too-large'];
  // A page's own findings are already in its own language.
  const isOurs = problem.status === 0 && problem.detail && (specific.includes(problem.kind) || !advice[problem.kind]);
  if (isOurs) return problem.detail;
  // It is in English, so in other languages the kind has to do.
  if (language === 'en' && specific.includes(problem.kind) && problem.detail) return problem.detail;
  const own = language === 'en' ? problem.detail ?? problem.title : undefined;
  const said = advice[problem.kind] ?? own ?? t`The server did not accept this.`;
  return seconds ? t`${said} (${seconds} s)` : said;
}
