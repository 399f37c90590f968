// The work of every page: mark the present place, copy what is to be copied, show whose session it is.

import { goToSignIn, leaveFor } from './api.js';
import { $, $$, copy, make, notice, describe } from './dom.js';
import { watchNetwork } from './network.js';
import { onOver } from './over.js';
import './language.js';
import { session } from './session.js';
import { bringIntoSight } from './tab-row.js';
import { t } from './translate.js';
import { restoreTyped } from './typed.js';

// A text that the layouts cut short is whole in a title.
const whole = (element) => { if (element) element.title = element.textContent.trim(); };

const here = location.pathname.replace(/\/$/, '') || '/';

for (const link of $$('nav a[href]')) {
  const place = new URL(link.href).pathname;
  // A page below a place, such as one document below the documents, belongs to it.
  const belongs = (link.dataset.also ?? '').split(' ').includes(here);
  if (place === here || belongs) link.setAttribute('aria-current', 'page');
}

for (const tab of $$('nav.tabs > [aria-current]')) bringIntoSight(tab);

for (const name of $$('.brand span span')) whole(name);

// A menu floats over the page, except the places that are open in the rail of a wide screen.
const floats = (details) => getComputedStyle($('.menu', details)).position === 'absolute';

// What is chosen in a floating menu closes it, before it acts: a dialog gives the focus back to where the menu is opened. The
// editor's toolbar minds its own.
document.addEventListener('click', (event) => {
  const menu = event.target.closest?.('.menu :is(a, button)')?.closest('details:not(.tool-menu)');
  if (!menu || !floats(menu)) return;
  menu.open = false;
  $('summary', menu).focus({ preventScroll: true });
}, true);

document.addEventListener('click', (event) => {
  const button = event.target.closest?.('[data-copy]');
  if (button) copy($(button.dataset.copy)?.textContent.trim() ?? '');
  // A module that few people open is fetched when it is opened.
  const opener = event.target.closest?.('[data-module]');
  if (opener) import(opener.dataset.module).then(({ open }) => open()).catch((error) => notice('error', describe(error)));
  for (const open of $$('details:has(> .menu)[open]')) {
    if (floats(open) && !open.contains(event.target)) open.open = false;
  }
});

document.addEventListener('keydown', (event) => {
  if (event.key !== 'Escape') return;
  for (const open of $$('details:has(> .menu)[open]').filter(floats)) {
    open.open = false;
    $('summary', open).focus();
  }
});

// On a wide screen the folded places stand open in the rail.
const more = $('.places details');
if (more) {
  const wide = matchMedia('(min-width: 48rem)');
  const unfold = () => { more.open = wide.matches; };
  wide.addEventListener('change', unfold);
  unfold();
}

// Every area is an app that can be installed, says when there is no network, and has the palette.
if (document.body.classList.contains('framed')) {
  import('./install.js').catch(() => {});
  watchNetwork();
  const palette = () => import('./palette.js').then(({ togglePalette }) => togglePalette())
    .catch((error) => notice('error', describe(error)));
  document.addEventListener('keydown', (event) => {
    const isKey = event.key.toLowerCase() === 'k' && (event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey;
    if (!isKey || $('dialog[open]:not(.palette)')) return;
    event.preventDefault();
    palette();
  });
  $('[data-palette]').addEventListener('click', palette);
  if (/Mac|iPhone|iPad/.test(navigator.userAgent)) $('[data-palette] kbd').textContent = '⌘ K';
}

// The session's owner, also in a browser that is not a device of the account.
const account = $('.account');
if (account) {
  session().then(async ({ whose, may, signOut }) => {
    $('[data-sign-out]', account).addEventListener('click', async () => {
      try {
        await signOut();
        leaveFor('/');
      } catch (error) {
        notice('error', describe(error));
      }
    });
    const who = await whose().catch(() => null);
    if (who) for (const place of $$('[data-account]', account)) place.textContent = who.username;
    whole($('[data-account]', account));
    for (const link of $$('.areas [data-may], .places [data-may]')) {
      link.hidden = !who || !await may(link.dataset.may).catch(() => false);
    }
  }).catch(() => { /* Without it the page still shows what it shows; the page's own module says what is wrong. */ });
}

// A page whose session has ended stays as it is. It says so once, and asks nothing until a person signs in.
onOver((isOver, isSaid) => {
  $('#session-over')?.remove();
  if (!isOver) return void notice('success', t`You are signed in again.`);
  if (isSaid) return undefined;
  return $('#main').prepend(make('div', { id: 'session-over', class: 'notice warning', role: 'alert' },
    make('p', {}, t`Your session has ended. Sign in to go on; what you typed stays.`),
    make('button', { type: 'button', class: 'button', onclick: goToSignIn }, t`Sign in`)));
});

// What this browser remembers, for the server is not asked for it: public pages lead to the wallet instead of to signing in.
const showSignedIn = (isSignedIn) => document.documentElement.classList.toggle('signed-in', isSignedIn);
onOver((isOver) => showSignedIn(!isOver));

session().then(({ signedIn }) => signedIn()).then((whose) => {
  showSignedIn(Boolean(whose));
  return whose && restoreTyped(whose.account);
}).catch(() => { /* Without it the page works as before. */ });
