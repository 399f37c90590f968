// The chooser of the language, in the foot of every page: a cookie, so that the server knows it before anybody signs in.

import { $ } from './dom.js';

const year = 31_536_000;

$('[data-language]')?.addEventListener('change', ({ target }) => {
  const secure = location.protocol === 'https:' ? '; Secure' : '';
  document.cookie = `language=${target.value}; Path=/; Max-Age=${year}; SameSite=Lax${secure}`;
  // The same page, with its fragment: what stands in it may be a code.
  location.reload();
});
