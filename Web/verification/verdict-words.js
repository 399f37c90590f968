// The verdict in words for people: what it means, and what to do now.

export const verdicts = {
  valid: { kind: 'yes', title: 'Yes, this is genuine' },
  not_valid: { kind: 'no', title: 'No, do not rely on this' },
  could_not_tell: { kind: 'unsure', title: 'It could not be told' },
};

export const checkTitles = {
  format: 'Well formed', chain: 'Signed by whom you trust', digest: 'Unchanged', holder: 'Shown by its holder',
  audience: 'Made for you', freshness: 'Recent', revocation: 'Not revoked', receipt: 'In the log',
};

export const results = {
  passed: 'Holds', failed: 'Does not hold', unknown: 'Could not be told', not_included: 'Not asked for',
};

// By reason of the first check that does not hold.
const advice = {
  bundle_not_json: 'This is not a file of Countersign. Look for one that ends in .countersign.',
  bundle_unknown_format: 'This is not a file of Countersign. Look for one that ends in .countersign.',
  untrusted_chain: 'None of the organisations that you trust here signed it.',
  foreign_organisation: 'None of the organisations that you trust here signed it.',
  document_altered: 'Somebody changed the attached document after it was signed.',
  not_the_holder: 'Whoever made this file does not hold the key that the document was signed for.',
  wrong_audience: 'It was made to be shown to somebody else, and was passed on. Ask the holder for one made for you.',
  wrong_nonce: 'It does not answer your word: it may be an old one. Ask the holder for a new one.',
  presentation_too_old: 'The holder made this file more than a day ago. Ask for a new one, or check it as of then.',
  presentation_from_the_future: 'It was made later than your clock says. Is the clock of this device right?',
  credential_from_the_future: 'It was signed later than your clock says. Is the clock of this device right?',
  credential_expired: 'It was meant for a limited time, and that is over.',
  credential_revoked: 'The organisation no longer stands behind it.',
  signer_revoked: 'The administrator who signed it had been revoked.',
  status_stale: 'What the file says about revocation is too old. Ask for a new file, or look at the live status.',
  status_missing: 'The file does not say whether it was revoked. Ask for a new one, or look at the live status.',
  receipt_unwitnessed: 'Fewer witnesses have signed the receipt than you ask for. Ask the holder for a new file.',
  receipt_missing: 'The file has no receipt of the log that you trust. Ask the holder for a new file.',
  certificate_expired: 'Ask for a file with a receipt: it proves that the certificate held when it was used.',
};

/** The sentences under the verdict. */
export function sentence(report) {
  if (report.verdict === 'valid') {
    const { name, organisation } = report.signer;
    return `${name} signed it for ${organisation}. It is unchanged, and its holder showed it.`;
  }
  const telling = decisive(report);
  return advice[telling?.reason] ? `${telling.words} ${advice[telling.reason]}` : telling?.words ?? report.summary;
}

/** The check that decided a verdict other than yes. */
export function decisive(report) {
  const failed = report.checks.find(({ result }) => result === 'failed');
  return failed ?? report.checks.find(({ result, reason }) => result === 'unknown' && reason !== 'not_reached');
}

/** A claim's name as people write it, where the catalogue has no label. */
export function plain(name) {
  const words = name.replaceAll('_', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}
