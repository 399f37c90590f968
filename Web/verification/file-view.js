// The document inside a file: to look at, where that is safe and possible, and to keep.

import { $, bytes, make } from '../shell/dom.js';
import { t } from '../shell/translate.js';

// What a browser shows without running anything in it. Everything else can only be saved.
const pictures = ['image/png', 'image/jpeg', 'image/gif', 'image/webp', 'image/avif'];
const longestText = 200_000;

let addresses = [];

/** Shows a document of `{name, media_type}` with these bytes in `place` (see result.mustache). */
export function drawFile(place, { name, media_type: type }, content) {
  forget();
  const isPDF = type === 'application/pdf';
  const isShown = isPDF || pictures.includes(type);
  const address = keep(new Blob([content], { type: isShown ? type : 'application/octet-stream' }));
  $('[data-name]', place).textContent = name;
  $('[data-size]', place).textContent = t`${kind(type)}, ${bytes(content.length)}`;
  const save = $('[data-save]', place);
  save.href = address;
  save.download = name;
  const open = $('[data-open]', place);
  open.hidden = !isShown;
  if (isShown) open.href = address;
  $('[data-preview]', place).replaceChildren(...preview(type, address, name, content));
}

function preview(type, address, name, content) {
  if (type === 'application/pdf' && navigator.pdfViewerEnabled) {
    return [make('iframe', { src: `${address}#navpanes=0`, title: t`The document ${name}` })];
  }
  if (pictures.includes(type)) return [make('img', { src: address, alt: t`The document ${name}` })];
  if (type.startsWith('text/plain') && content.length <= longestText) {
    return [make('pre', { tabindex: 0 }, new TextDecoder().decode(content))];
  }
  return [];
}

function kind(type) {
  if (type === 'application/pdf') return 'PDF';
  if (pictures.includes(type)) return t`Picture`;
  return type;
}

function keep(blob) {
  const address = URL.createObjectURL(blob);
  addresses.push(address);
  return address;
}

/** Lets go of the document that was shown last. */
export function forget() {
  addresses.forEach((address) => URL.revokeObjectURL(address));
  addresses = [];
}
