// QR codes as inline SVG, drawn from the path that Core computes.

import { call } from './core.js';
import { t } from './translate.js';

const namespace = 'http://www.w3.org/2000/svg';

/**
 * Puts the QR code of `text` into `element`, in place of what is there.
 *
 * It is dark on light in both colour schemes: many readers refuse an inverted code. `label` is what people hear who do
 * not see it; `level` is L, M, Q or H (error correction).
 */
export async function drawQR(element, text, { label = t`QR code`, level } = {}) {
  const { value } = await call('qr', { text, level });
  const image = shape('svg', {
    viewBox: `0 0 ${value.size} ${value.size}`,
    'shape-rendering': 'crispEdges',
    role: 'img',
    'aria-label': label,
  });
  image.append(
    shape('rect', { width: value.size, height: value.size, fill: '#fff' }),
    shape('path', { d: value.path, fill: '#000' }),
  );
  element.replaceChildren(image);
  return image;
}

function shape(name, attributes) {
  const element = document.createElementNS(namespace, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  return element;
}
