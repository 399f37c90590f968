// Look-ups that this page's server makes elsewhere for a person who checks. Pages can reach no other server themselves.

import { language, t } from '../shell/translate.js';

/** `organisation` by `{domain}`, or `status` by `{lists}` of one server. An answer proves nothing by itself. */
export async function lookUp(what, question) {
  const response = await fetch(`/api/lookups/${what}`, {
    method: 'POST', credentials: 'omit', cache: 'no-store', headers: { 'content-type': 'application/json' },
    body: JSON.stringify(question),
  });
  const answer = await response.json().catch(() => ({}));
  if (response.ok) return answer;
  // Its words are in English.
  throw new Error((language === 'en' && answer.detail)
    || t`The server found nothing there that counts. Check what you typed, or try again in a moment.`);
}
