// The page of a shared link: asks for the code, opens what it gets with the key in the link, and checks it.

import { $, fill, make } from '../shell/dom.js';
import { linkPage } from '../shell/link-page.js';
import { purposes } from '../shell/sealed-link.js';
import { t } from '../shell/translate.js';
import { give, startChecker } from './checker.js';
import { scanner } from './root-scanner.js';

linkPage(purposes.presentation, present);

startChecker({ scanner });

$('#keep').addEventListener('click', () => $('#keep-link').click());

async function present(content, views) {
  const address = URL.createObjectURL(new Blob([content], { type: 'application/vnd.countersign.presentation+json' }));
  const link = make('a', { id: 'keep-link', href: address, download: 'shared.countersign', hidden: true });
  $('#keep-place').replaceChildren(link);
  fill($('#opened'), { views });
  return give(content, t`Shared document`);
}
