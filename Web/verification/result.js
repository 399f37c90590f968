// What a check found, the same for a file, a pasted text, a shared link and the one-file page.

import { $, clone, day, describe, fill, group, list, make, time } from '../shell/dom.js';
import { drawFields, labels } from './fields.js';
import { drawFile, forget } from './file-view.js';
import { checkTitles, decisive, results, sentence, verdicts } from './verdict-words.js';

/**
 * Draws a result of `check` into the page (see result.mustache) and moves there.
 *
 * - claims: what the file says of itself, unchecked.
 * - expected: what the person expects; `expected.time` when it is checked as of another time.
 * - canAsk: whether the live status can be asked for.
 */
export async function drawResult(found, { claims, expected = {}, canAsk = false, quiet = false } = {}) {
  const place = $('#result');
  const { report } = found;
  forget();
  drawVerdict(report, claims);
  const telling = report && report.verdict !== 'valid' ? decisive(report) : null;
  const isOld = telling?.reason === 'presentation_too_old' && report.presented_at !== undefined;
  fill(place, {
    'as-of': isOld, live: Boolean(report?.signer) && canAsk, 'as-of-time': expected.time,
    'is-as-of': expected.time !== undefined, refused: report?.verdict === 'not_valid',
    'has-report': Boolean(report), said: Boolean(report?.fields),
    'has-file': Boolean(report?.document && found.content),
    passed: passedOn(report, expected), 'passed-for': report?.audience,
    took: `Checked in ${Math.max(1, Math.round(found.milliseconds))} ms on this device.`,
  });
  if (report) await drawReport(place, found, expected);
  place.hidden = false;
  if (!quiet) {
    place.scrollIntoView({ block: 'start' });
    $('#verdict-title').focus({ preventScroll: true });
  }
}

export function hideResult() {
  forget();
  $('#result').hidden = true;
}

/** Draws that the check itself could not be made. */
export function drawFailure(error) {
  const place = $('#result');
  say({ kind: 'unsure', title: 'It could not be checked' }, describe(error));
  fill(place, {
    'as-of': false, live: false, 'is-as-of': false, 'has-report': false, said: false, 'has-file': false, passed: false,
  });
  place.hidden = false;
  $('#verdict-title').focus();
}

function drawVerdict(report, claims) {
  if (report) return say(verdicts[report.verdict], sentence(report));
  const origin = claims ? ` The file says it comes from ${claims.issuer}, which anybody can write.` : '';
  return say(verdicts.could_not_tell,
    `Whose root do you trust? Nothing is pinned in this browser yet.${origin} Pin the root of the organisation below, `
    + 'and the file is checked again by itself.');
}

function say({ kind, title }, words) {
  const box = $('#verdict');
  box.className = `verdict ${kind}`;
  $('#verdict-title').textContent = title;
  $('#verdict-words').textContent = words;
}

// Without an expectation the holder's choice of audience is only reported: the person has to look.
function passedOn(report, expected) {
  return report?.verdict === 'valid' && !expected.audience && Boolean(report.audience);
}

async function drawReport(place, { report, anchor, content, time: checkedAt }, expected) {
  if (report.fields) {
    $('#said-title').textContent = report.title ?? report.type;
    await drawFields($('#fields'), report.fields, report.type);
    const hidden = await labels(report.withheld, report.type);
    fill(place, { hidden: hidden.length > 0, 'hidden-names': `Not shown by the holder: ${hidden.join(', ')}.` });
  }
  if (report.document && content) drawFile($('#file'), report.document, content);
  $('#facts').replaceChildren(...facts(report, anchor, checkedAt, expected));
  list($('#checks'), report.checks, 'check', (check) => ({
    title: checkTitles[check.name] ?? check.name, result: results[check.result] ?? check.result, words: check.detail,
  }), { each: (element, check) => { element.dataset.result = check.result; } });
  $('#all-checks').open = report.verdict !== 'valid';
}

function facts(report, anchor, checkedAt, expected) {
  const { signer } = report;
  const rows = [
    ['Signed by', signer && `${signer.name}, ${signer.organisation}`],
    ['Address', signer?.public_url],
    ['Signed on', report.issued_at && time(report.issued_at)],
    ['Holds until', report.expires_at && day(report.expires_at)],
    ['In the log since', report.logged_at && time(report.logged_at)],
    ['Shown to', report.audience],
    ['Shown on', report.presented_at && time(report.presented_at)],
    ['Word it answers', report.nonce],
    ['Revocation as of', report.status_at && time(report.status_at) + (expected.liveStatus ? ' (asked just now)' : '')],
    ['Checked as of', time(checkedAt)],
    ['Against the root of', anchor.organisation],
    ['Its fingerprint', make('code', { class: 'fingerprint' }, group(anchor.fingerprint))],
  ];
  return rows.filter(([, value]) => value)
    .map(([name, value]) => make('div', {}, make('dt', {}, name), make('dd', {}, value)));
}
