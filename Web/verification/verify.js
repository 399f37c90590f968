// The verify page: the checker, and a copy of itself to keep.

import { $, busy, group, make } from '../shell/dom.js';
import { t } from '../shell/translate.js';
import { startChecker, startGiving } from './checker.js';
import { scanner } from './root-scanner.js';
// Kept by the browser, so that it opens without a network the next time.
import '../shell/install.js';

startGiving();
startChecker({ scanner });

$('#save').addEventListener('click', () => busy($('#save'), save));

// The page as one file, and what it must hash to: a copy is worth what its hash is worth.
async function save() {
  const response = await fetch('/assets/verification/countersign-verify.html', { cache: 'no-store' });
  if (!response.ok) throw new Error(t`This server was built without the one-file page.`);
  const content = await response.arrayBuffer();
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', content));
  const hex = [...digest].map((byte) => byte.toString(16).padStart(2, '0')).join('');
  const address = URL.createObjectURL(new Blob([content], { type: 'text/html' }));
  const link = make('a', { href: address, download: 'countersign-verify.html' });
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
  $('#saved-digits').textContent = group(hex);
  $('#saved').hidden = false;
}
