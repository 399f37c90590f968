// The chooser of the language, in the foot of every page: a cookie, so that the server knows it before anybody signs in.
// A signed-in person chooses for their account too.

import { api } from './api.js';
import { $ } from './dom.js';
import { session } from './session.js';

const year = 31_536_000;
const attributes = `Path=/; SameSite=Lax${location.protocol === 'https:' ? '; Secure' : ''}`;

$('[data-language]')?.addEventListener('change', async ({ target }) => {
  document.cookie = `language=${target.value}; Max-Age=${year}; ${attributes}`;
  // The account's choice comes first, so it must not stay if the server cannot be told.
  forgetAccountLanguage();
  await keepWithAccount(target.value).catch(() => {});
  // The same page, with its fragment, which may hold a code.
  location.reload();
});

/** The account's language goes with its session; this browser's own choice stays. */
export function forgetAccountLanguage() {
  document.cookie = `account-language=; Max-Age=0; ${attributes}`;
}

async function keepWithAccount(language) {
  const { signedIn } = await session();
  if (await signedIn()) await api.put('/api/account/language', { language }, { allow401: true });
}
