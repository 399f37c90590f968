// The code of this server's organisation, to print and to publish: it holds the whole root, and the key of its log.

import { $, describe, notice } from '../shell/dom.js';
import { drawQR } from '../shell/qr.js';
import { t } from '../shell/translate.js';
import { rootOfServer } from './anchor.js';

const place = $('#root-code');
if (place) draw().catch((error) => notice('error', describe(error)));

async function draw() {
  const { root, logKey } = await rootOfServer();
  const link = `${location.origin}/verify#anchor=${root}${logKey ? `&log=${encodeURIComponent(logKey)}` : ''}`;
  // Low correction: the code is printed, and a large one of many points is hard to scan.
  await drawQR(place, link, { label: t`The organisation's code`, level: 'L' });
}
