// The verdict in words for people: three answers, what they mean together, and what to do now.

import { count } from '../shell/text.js';

export const questions = {
  genuine: 'Is it genuine?', holds: 'Does it still hold?', shown: 'Was it shown to you, and lately?',
};

export const answers = { yes: 'Yes', no: 'No', open: 'Open' };

export const checkTitles = {
  format: 'Well formed', chain: 'Signed by whom you trust', digest: 'Unchanged', receipt: 'In the log',
  validity: 'Within its time', revocation: 'Not revoked', holder: 'Shown by its holder', audience: 'Made for you',
  freshness: 'Recent',
};

export const results = {
  passed: 'Holds', failed: 'Does not hold', unknown: 'Not confirmed', not_included: 'Not asked for',
};

// By reason of the check that stands in the way.
export const advice = {
  bundle_not_json: 'The file was cut short or changed on its way. Ask for it again.',
  not_a_presentation: 'Look for one that ends in .countersign. A PDF or a picture alone shows nothing: anybody can '
    + 'make one. If it came with such a file, give that one first and this one after it.',
  bundle_unknown_format: 'A newer Countersign may have made it. Reload this page, and try again.',
  untrusted_chain: 'None of the organisations that you trust here signed it.',
  foreign_organisation: 'None of the organisations that you trust here signed it.',
  document_altered: 'Somebody changed the attached document after it was signed.',
  not_the_holder: 'The person who made this file does not hold the key that the document was signed for.',
  wrong_audience: 'It was made to be shown to somebody else, and was passed on. Ask the holder for one made for you.',
  wrong_nonce: 'It does not answer your reference: it may be an old one. Ask the holder for a new one.',
  presentation_too_old: 'Ask the holder for a new one, or allow more time.',
  presentation_lapsed: 'Ask the holder for a new one, if you need to know that they show it today.',
  presentation_from_the_future: 'It was made later than your clock says. Is the clock of this device right?',
  credential_from_the_future: 'It was signed later than your clock says. Is the clock of this device right?',
  credential_expired: 'It was meant for a limited time, and that is over.',
  credential_revoked: 'The organisation no longer stands behind it.',
  signer_revoked: 'The administrator who signed it had been revoked.',
  status_stale: "The file's word about revocation is some time old. Look at the live status, or ask for a new file.",
  status_missing: 'The file does not say whether it was revoked. Look at the live status, or ask for a new file.',
  receipt_unwitnessed: 'Fewer witnesses have signed the receipt than you ask for. Ask the holder for a new file.',
  receipt_missing: 'The file has no receipt of the log that you trust. Ask the holder for a new file.',
  certificate_expired: 'Somebody may have used an old key. Ask the organisation.',
  certificate_expired_since: 'Ask for a file with a receipt: it proves that the certificate held when it was used.',
};

/** What three answers mean together: `{kind, title, words}`; `kind` is `yes`, `no` or `unsure`. */
export function verdict(report, checkedAt) {
  const { genuine, holds, shown } = answersOf(report);
  const words = sentence(report);
  if (report.verdict === 'valid') return { kind: 'yes', title: 'Yes, this is genuine', words };
  if (genuine.answer === 'no') return { kind: 'no', title: 'No, do not rely on this', words };
  if (genuine.answer === 'open') {
    const title = ['not_a_presentation', 'bundle_unknown_format'].includes(genuine.reason)
      ? 'This is not a Countersign file' : 'We can\'t confirm this yet';
    return { kind: 'unsure', title, words };
  }
  if (holds.answer === 'no') return { kind: 'no', title: 'It was genuine, and no longer holds', words };
  if (shown.answer === 'no') return { kind: 'no', title: 'Genuine, but not shown to you', words };
  if (holds.answer === 'open') return { kind: 'unsure', title: 'Genuine. Does it still hold?', words };
  if (shown.reason === 'audience_not_given') return { kind: 'unsure', title: 'Genuine. Was it shown to you?', words };
  const days = Math.floor((checkedAt - report.presented_at) / 86_400);
  return { kind: 'unsure', title: `Genuine, shown ${days > 0 ? `${count(days, 'day')} ago` : 'earlier today'}`, words };
}

/** The answers by question: `{genuine, holds, shown}`, each `{answer, reason}`. */
export function answersOf(report) {
  return Object.fromEntries(report.answers.map((one) => [one.question, one]));
}

function sentence(report) {
  if (report.verdict === 'valid') {
    const { name, organisation } = report.signer;
    return `${name} signed it for ${organisation}. It is unchanged, and its holder showed it to you.`;
  }
  const telling = decisive(report);
  return advice[telling?.reason] ? `${telling.words} ${advice[telling.reason]}` : telling?.words ?? report.summary;
}

/** The check that decided a verdict other than yes. */
export function decisive(report) {
  const failed = report.checks.find(({ result }) => result === 'failed');
  return failed ?? report.checks.find(({ result, reason }) => result === 'unknown' && reason !== 'not_reached');
}

/** Why an answer is not yes, in a few words; empty when it is. */
export function why(report, { answer, reason }) {
  if (answer === 'yes' || reason === 'not_reached') return '';
  return report.checks.find((check) => check.reason === reason)?.words ?? '';
}

/** A claim's name as people write it, where the catalogue has no label. */
export function plain(name) {
  const words = name.replaceAll('_', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}
