// The verdict in words for people: three answers, what they mean together, and what to do now.

import { plural, t } from '../shell/translate.js';
import { inWords } from './reasons.js';

export const questions = {
  genuine: t`Is it genuine?`, holds: t`Does it still hold?`, shown: t`Was it shown to you, and lately?`,
};

export const answers = { yes: t`Yes`, no: t`No`, open: t`Open{#answer}` };

export const checkTitles = {
  format: t`Well formed`, chain: t`Signed by whom you trust`, digest: t`Unchanged`, receipt: t`In the log`,
  validity: t`Within its time`, revocation: t`Not revoked`, holder: t`Shown by its holder`, audience: t`Made for you`,
  freshness: t`Recent`,
};

export const results = {
  passed: t`Holds`, failed: t`Does not hold`, unknown: t`Not confirmed`, not_included: t`Not asked for`,
};

// By reason of the check that is in the way.
export const advice = {
  bundle_not_json: t`The file was cut short or changed on its way. Ask for it again.`,
  not_a_presentation: t`Look for one that ends in .countersign. A PDF or a picture alone shows nothing: anybody can
    make one. If it came with such a file, give that one first and this one after it.`,
  bundle_unknown_format: t`A newer Countersign may have made it. Reload this page, and try again.`,
  untrusted_chain: t`None of the organisations that you trust here signed it.`,
  foreign_organisation: t`None of the organisations that you trust here signed it.`,
  document_altered: t`Somebody changed the attached document after it was signed.`,
  not_the_holder: t`The person who made this file does not hold the key that the document was signed for.`,
  wrong_audience: t`It was made to be shown to somebody else, and was passed on. Ask the holder for one made for you.`,
  wrong_nonce: t`It does not answer your reference: it may be an old one. Ask the holder for a new one.`,
  presentation_too_old: t`Ask the holder for a new one, or allow more time.`,
  presentation_lapsed: t`Ask the holder for a new one, if you need to know that they show it today.`,
  presentation_from_the_future: t`It was made later than your clock says. Is the clock of this device right?`,
  credential_from_the_future: t`It was signed later than your clock says. Is the clock of this device right?`,
  credential_expired: t`It was meant for a limited time, and that is over.`,
  credential_revoked: t`The organisation no longer stands behind it.`,
  signer_revoked: t`The administrator who signed it had been revoked.`,
  status_stale: t`The file's word about revocation is some time old. Look at the live status, or ask for a new file.`,
  status_missing: t`The file does not say whether it was revoked. Look at the live status, or ask for a new file.`,
  receipt_unwitnessed: t`Fewer witnesses have signed the receipt than you ask for. Ask the holder for a new file.`,
  receipt_missing: t`The file has no receipt of the log that you trust. Ask the holder for a new file.`,
  certificate_not_yet_valid: t`It was signed later than your clock says. Is the clock of this device right?`,
  receipt_from_the_future: t`It was signed later than your clock says. Is the clock of this device right?`,
  certificate_expired: t`Somebody may have used an old key. Ask the organisation.`,
  certificate_expired_since: t`Ask for a file with a receipt: it proves that the certificate held when it was used.`,
};

// By reason of the check that decides: titles of results that are not yes, and for which nobody is to blame. A
// certificate of this morning and its receipt begin later than a clock that is behind, and are not forged by that.
const milder = {
  credential_expired: t`Genuine, and its time is over`,
  certificate_not_yet_valid: t`We can't confirm this yet`,
  receipt_from_the_future: t`We can't confirm this yet`,
  credential_from_the_future: t`We can't confirm this yet`,
  presentation_from_the_future: t`We can't confirm this yet`,
  presented_before_issue: t`We can't confirm this yet`,
};

/** The meaning of three answers together: `{kind, title, words}`; `kind` is `yes`, `no` or `unsure`. */
export function verdict(report, checkedAt) {
  const { genuine, holds, shown } = answersOf(report);
  const words = sentence(report);
  if (report.verdict === 'valid') return { kind: 'yes', title: t`Yes, this is genuine`, words };
  // A clock that is wrong, and a time that is over, accuse nobody.
  const accusesNobody = milder[decisive(report)?.reason];
  if (genuine.answer === 'no' && !accusesNobody) return { kind: 'no', title: t`No, do not rely on this`, words };
  if (genuine.answer === 'open') {
    const title = ['not_a_presentation', 'bundle_unknown_format'].includes(genuine.reason)
      ? t`This is not a Countersign file` : t`We can't confirm this yet`;
    return { kind: 'unsure', title, words };
  }
  if (accusesNobody) return { kind: 'unsure', title: accusesNobody, words };
  if (holds.answer === 'no') return { kind: 'no', title: t`It was genuine, and no longer holds`, words };
  if (shown.answer === 'no') return { kind: 'no', title: t`Genuine, but not shown to you`, words };
  if (holds.answer === 'open') return { kind: 'unsure', title: t`Genuine. Does it still hold?`, words };
  if (shown.reason === 'audience_not_given') return { kind: 'unsure', title: t`Genuine. Was it shown to you?`, words };
  const days = Math.floor((checkedAt - report.presented_at) / 86_400);
  const title = days > 0 ? plural(days, 'Genuine, shown {0} day ago', 'Genuine, shown {0} days ago')
    : t`Genuine, shown earlier today`;
  return { kind: 'unsure', title, words };
}

/** The answers by question: `{genuine, holds, shown}`, each `{answer, reason}`. */
export function answersOf(report) {
  return Object.fromEntries(report.answers.map((one) => [one.question, one]));
}

function sentence(report) {
  if (report.verdict === 'valid') {
    const { name, organisation } = report.signer;
    return t`${name} signed it for ${organisation}. It is unchanged, and its holder showed it to you.`;
  }
  const telling = decisive(report);
  const said = telling && inWords(telling.reason, telling.words);
  return advice[telling?.reason] ? `${said} ${advice[telling.reason]}` : said ?? report.summary;
}

/**
 * The check that decided a verdict other than yes. A reason that accuses someone counts more than one that accuses
 * nobody.
 */
export function decisive(report) {
  const failed = report.checks.filter(({ result }) => result === 'failed');
  return failed.find(({ reason }) => !(reason in milder)) ?? failed[0]
    ?? report.checks.find(({ result, reason }) => result === 'unknown' && reason !== 'not_reached');
}

/** Why an answer is not yes, in a few words; empty when it is. */
export function why(report, { answer, reason }) {
  if (answer === 'yes' || reason === 'not_reached') return '';
  const check = report.checks.find((one) => one.reason === reason);
  return check ? inWords(reason, check.words) : '';
}

/** A claim's name as people write it, where the catalogue has no label. */
export function plain(name) {
  const words = name.replaceAll('_', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}
