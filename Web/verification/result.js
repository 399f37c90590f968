// The result of a check, the same for a file, a pasted text, a shared link and the one-file page.

import { $, $$, day, describe, fill, group, list, make, time } from '../shell/dom.js';
import { series } from '../shell/text.js';
import { language, locale, t } from '../shell/translate.js';
import { drawFields, labels } from './fields.js';
import { drawFile, forget } from './file-view.js';
import { inDetail, inWords } from './reasons.js';
import { knownType, labelLanguages } from './types.js';
import { advice, answers, checkTitles, questions, results, verdict, why } from './verdict-words.js';

let labelsIn = language; // the language that the reader wants labels in, for as long as the page is open

// An answer looks like a check that ended so.
const marks = { yes: 'passed', no: 'failed', open: 'unknown' };

/**
 * Draws a result of `check` into the page (see result.mustache) and moves there.
 *
 * - expected: what the person expects; `expected.time` when it is checked as of another time.
 * - canAsk: whether the live status can be asked for; isElsewhere: by this server from the issuer's.
 */
export async function drawResult(found, { expected = {}, canAsk = false, isElsewhere = false, quiet = false } = {}) {
  const place = $('#result');
  const { report } = found;
  forget();
  const { kind } = drawVerdict(found, expected);
  const said = report ?? found.preview;
  const reasons = (report?.answers ?? []).map(({ reason }) => reason);
  const isOld = ['presentation_too_old', 'presentation_lapsed', 'status_stale'].some((reason) => reasons.includes(reason));
  fill(place, {
    'as-of': isOld && report.presented_at !== undefined && expected.time === undefined, live: Boolean(report?.signer) && canAsk && !expected.liveStatus,
    'may-ask': Boolean(report?.signer) && canAsk, 'asks-elsewhere': isElsewhere, 'as-of-time': expected.time,
    'is-as-of': expected.time !== undefined, refused: Boolean(report) && kind === 'no', questions: Boolean(report),
    'has-report': Boolean(report), said: Boolean(said?.fields), unconfirmed: Boolean(found.preview),
    'has-file': Boolean(said?.document && found.content),
    asked: isAsked(report), 'shown-to': report?.audience, ...comparison(found),
    took: t`Checked in ${Math.max(1, Math.round(found.milliseconds)).toLocaleString(locale)} ms on this device.`,
  });
  if (said) await drawSaid(place, said, found.content);
  if (report) drawReport(found, expected);
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
  say({ kind: 'unsure', title: t`It could not be checked` }, describe(error));
  fill(place, {
    'as-of': false, live: false, 'may-ask': false, 'is-as-of': false, 'has-report': false, said: false, 'has-file': false, asked: false,
    questions: false, unconfirmed: false, comparable: false,
  });
  place.hidden = false;
  $('#verdict-title').focus();
}

function drawVerdict({ report, preview, trouble, time: checkedAt }, expected) {
  if (report) {
    const found = isDisowned(report, expected)
      ? { kind: 'no', title: t`Genuine, but not shown to you`, words: passedOn(report) } : verdict(report, checkedAt);
    list($('#answers'), report.answers, 'answer', (one) => ({
      question: questions[one.question], answer: answers[one.answer], why: why(report, one),
    }), { each: (element, one) => { element.dataset.result = marks[one.answer]; } });
    return say(found, found.words);
  }
  if (trouble) {
    // The title says that it is no file of this kind.
    const reason = trouble.code === 'not_a_presentation' ? '' : inWords(trouble.code, trouble.message);
    return say(troubled(trouble), [reason, advice[trouble.code]].filter(Boolean).join(' '));
  }
  return say({ kind: 'unsure unconfirmed', title: t`Not confirmed yet` },
    t`The file says that ${preview.organisation} (${preview.public_url}) issued it. Anybody can write that. If you know this
      organisation, confirm its fingerprint below. The file is then checked again by itself.`);
}

// The text to compare before anything counts: the root of this server, if the file says that it is from this server.
function comparison({ preview, candidate, audience }) {
  return {
    comparable: Boolean(preview && candidate), 'claimed-organisation': candidate?.organisation, 'claimed-groups': candidate?.groups,
    'names-somebody': Boolean(audience), 'claimed-audience': audience,
  };
}

function troubled({ code }) {
  return ['not_a_presentation', 'bundle_unknown_format'].includes(code)
    ? { kind: 'unsure', title: t`This is not a Countersign file` } : { kind: 'no', title: t`No, do not rely on this` };
}

function say(found, words) {
  const { kind, title } = found;
  const box = $('#verdict');
  box.className = `verdict ${kind}`;
  $('#verdict-title').textContent = title;
  $('#verdict-words').textContent = words;
  return found;
}

// Without an expectation only the person can tell: a file that was passed on must not look good by itself.
function isAsked(report) {
  return report?.answers.find(({ question }) => question === 'shown').reason === 'audience_not_given';
}

// The person has said that the audience of the file is someone else.
function isDisowned(report, expected) {
  return Boolean(expected.isSomebodyElse) && isAsked(report);
}

function passedOn({ audience }) {
  return t`It was made to be shown to ${audience}, and was passed on. Ask its holder for one made for you.`;
}

async function drawSaid(place, said, content) {
  if (said.fields) await drawLabelled(place, said, await offerLanguages(place, said));
  if (said.document && content) drawFile($('#file'), said.document, content);
}

/**
 * Offers the languages that the type has labels in, of those that the page knows, and answers the one to draw in. No document
 * says which language its issuer speaks.
 */
async function offerLanguages(place, said) {
  const known = $$('footer select option');
  const offered = await labelLanguages(said.type, known.map(({ value }) => value));
  const select = $('#label-language');
  select.replaceChildren(...known.filter(({ value }) => offered.includes(value))
    .map(({ value, text }) => make('option', { value, lang: value }, text)));
  select.value = [labelsIn, language, offered[0]].find((tag) => offered.includes(tag));
  select.onchange = () => {
    labelsIn = select.value;
    drawLabelled(place, said, labelsIn);
  };
  fill(place, { 'label-languages': offered.length > 1 });
  return offered.length > 1 ? select.value : language;
}

async function drawLabelled(place, said, tag) {
  const title = $('#said-title');
  title.textContent = (tag === language ? said.title : (await knownType(said.type, tag))?.title) ?? said.type;
  title.lang = tag;
  await drawFields($('#fields'), said.fields, said.type, tag);
  const hidden = await labels(said.withheld, said.type, tag);
  fill(place, { hidden: hidden.length > 0, 'hidden-names': t`Not shown by the holder: ${series(hidden)}.` });
}

function drawReport({ report, anchor, time: checkedAt }, expected) {
  $('#facts').replaceChildren(...facts(report, anchor, checkedAt, expected));
  list($('#checks'), report.checks, 'check', (check) => ({
    title: checkTitles[check.name] ?? check.name, result: results[check.result] ?? check.result, words: inDetail(check),
  }), { each: (element, check) => { element.dataset.result = check.result; } });
  $('#all-checks').open = report.verdict !== 'valid';
}

function facts(report, anchor, checkedAt, expected) {
  const { signer } = report;
  const rows = [
    [t`Signed by`, signer && t`${signer.name}, ${signer.organisation}`],
    [t`Address`, signer?.public_url],
    [t`Signed on`, report.issued_at && time(report.issued_at)],
    [t`Holds until`, report.expires_at && day(report.expires_at)],
    [t`In the log since`, report.logged_at && time(report.logged_at)],
    [t`Shown to`, report.audience],
    [t`Shown on`, report.presented_at && time(report.presented_at)],
    [t`Good until`, report.presented_until && time(report.presented_until)],
    [t`Reference it answers`, expected.nonce && report.nonce],
    [t`Revocation as of`, report.status_at && asOf(report.status_at, expected.liveStatus)],
    [t`Checked as of`, time(checkedAt)],
    [t`Against the root of`, anchor.organisation],
    [t`Its fingerprint`, make('code', { class: 'fingerprint' }, group(anchor.fingerprint))],
  ];
  return rows.filter(([, value]) => value)
    .map(([name, value]) => make('div', {}, make('dt', {}, name), make('dd', {}, value)));
}

function asOf(moment, isLive) {
  return isLive ? t`${time(moment)} (asked just now)` : time(moment);
}
