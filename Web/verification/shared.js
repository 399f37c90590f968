// The page of a shared link: asks for the code, opens what it gets with the key in the link, and checks it.

import { $, busy, describe, fill, make } from '../shell/dom.js';
import { api } from '../shell/api.js';
import { fromB64u } from '../shell/core.js';
import { plural, t } from '../shell/translate.js';
import { give, startChecker } from './checker.js';
import { attemptAt, keyCheck, linkOf, unseal } from './shared-link.js';

const link = linkOf(location);

if (link.key) show('asking');
else show('broken');

startChecker();

$('#code-form').addEventListener('submit', (event) => {
  event.preventDefault();
  busy($('#code-form .primary'), open);
});
$('#code').addEventListener('input', () => complain(''));
$('#keep').addEventListener('click', () => $('#keep-link').click());

async function open() {
  const code = $('#code').value.trim();
  if (!code) return complain('Type the code that you were given.');
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
  try {
    await present(await unseal(fromB64u(shared.sealed), link.key), shared.views_left);
  } catch {
    show('other-key');
  }
  return undefined;
}

async function present(content, viewsLeft) {
  show('opened');
  const address = URL.createObjectURL(new Blob([content], { type: 'application/vnd.countersign.presentation+json' }));
  const link = make('a', { id: 'keep-link', href: address, download: 'shared.countersign', hidden: true });
  $('#keep-place').replaceChildren(link);
  fill($('#opened'), { views: left(viewsLeft) });
  await give(content, t`Shared document`);
}

function left(views) {
  if (views === 0) return t`That was the last time this link could be opened. Keep the file if you need it again.`;
  return plural(views, 'The link can be opened once more.', 'The link can be opened {0} times more.');
}

// One state at a time; the person hears which.
function show(state) {
  for (const part of document.querySelectorAll('[data-state]')) part.hidden = part.dataset.state !== state;
  const heading = $(`[data-state="${state}"] h2`);
  if (heading && state !== 'asking' && state !== 'opened') heading.focus();
}

function complain(words) {
  $('#code-error').textContent = words;
  if (words) $('#code').setAttribute('aria-invalid', 'true');
  else $('#code').removeAttribute('aria-invalid');
  if (words) $('#code').focus();
}
