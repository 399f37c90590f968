// The page of a link with a code (link-states.mustache): asks for the code, fetches what is sealed, and opens it with the key
// in the link. The key stays in this page.

import { api } from './api.js';
import { fromB64u } from './core.js';
import { $, busy, describe, notice } from './dom.js';
import { attemptAt, keyCheck, linkOf, unseal } from './sealed-link.js';
import { plural, t } from './translate.js';

/**
 * Shows what this page's link leads to, once its code is typed.
 *
 * @param purpose what the link is for: one of `purposes`
 * @param present shows the opened bytes, and the words about how often the link can still be opened; resolves to false when
 *   nothing could be shown
 */
export function linkPage(purpose, present) {
  const link = linkOf(location);
  show(link.key ? 'asking' : 'broken');
  $('#code-form').addEventListener('submit', (event) => {
    event.preventDefault();
    busy($('#code-form .primary'), () => open(link, purpose, present));
  });
  $('#code').addEventListener('input', () => complain(''));
}

async function open(link, purpose, present) {
  const code = $('#code').value.trim();
  if (!code) return complain(t`Type the code that you were given.`);
  let shared;
  try {
    // Counts as an opening, once for this tab, and only with the key that opens it.
    shared = await api.post(
      `/api/shares/${encodeURIComponent(link.id)}/open`,
      { code, key_check: await keyCheck(link.key), attempt: attemptAt(link.id) }, { allow401: true });
  } catch (problem) {
    if (problem.kind === 'gone') return show('over');
    if (problem.kind === 'not-found') return show('unknown');
    if (problem.kind === 'conflict') return show('other-key');
    return complain(describe(problem));
  }
  let content;
  try {
    content = await unseal(fromB64u(shared.sealed), link.key, purpose);
  } catch {
    await giveBack(link);
    return show('other-key');
  }
  show('opened');
  let isShown = false;
  try {
    isShown = await present(content, left(shared.views_left)) !== false;
  } finally {
    if (!isShown) await giveBack(link);
  }
  return undefined;
}

// An opening counts when something was shown.
async function giveBack(link) {
  try {
    await api.post(`/api/shares/${encodeURIComponent(link.id)}/return`, { attempt: attemptAt(link.id) }, { allow401: true });
    notice('info', t`Nothing could be shown, so this opening does not count. Try another browser.`);
  } catch {
    // It counts, then: the page says how often the link can still be opened.
  }
}

function left(views) {
  if (views === 0) return t`That was the last time this link could be opened. Keep the file if you need it again.`;
  return plural(views, 'The link can be opened one more time.', 'The link can be opened {0} times more.');
}

// One state at a time; the person hears which.
function show(state) {
  for (const part of document.querySelectorAll('main [data-state]')) part.hidden = part.dataset.state !== state;
  const heading = $(`[data-state="${state}"] h2`);
  if (heading && state !== 'asking' && state !== 'opened') heading.focus();
}

function complain(words) {
  $('#code-error').textContent = words;
  if (words) $('#code').setAttribute('aria-invalid', 'true');
  else $('#code').removeAttribute('aria-invalid');
  if (words) $('#code').focus();
}
