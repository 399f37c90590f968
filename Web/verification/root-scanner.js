// A button that scans the code of an organisation. The page as one file cannot load the scanner and has none.

import { scanButton } from '../scanner/scan-button.js';
import { t } from '../shell/translate.js';

/** Shows `button`, which hands what it scanned to `take`. */
export function scanner(button, take) {
  button.hidden = false;
  scanButton(button, { title: t`Scan the organisation's code`, hint: t`Take it from the organisation itself, never from who shows you a document.` }, take);
}
