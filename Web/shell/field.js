// A field that a module makes, with its place for what is wrong with it; and whether it is filled in.

import { make } from './dom.js';
import { complain } from './error-summary.js';
import { t } from './translate.js';

/** A control, which has an id, with its label, a hint, and the place for what is wrong. */
export function field(label, control, hint) {
  const about = [
    ...(hint ? [make('p', { class: 'hint', id: `${control.id}-hint` }, hint)] : []), make('p', { class: 'error', id: `${control.id}-error` }),
  ];
  control.setAttribute('aria-describedby', about.map(({ id }) => id).join(' '));
  return make('div', { class: 'field' }, make('label', { for: control.id }, label), control, ...about);
}

/** What is wrong with a field, as `complain` takes it; without words nothing is. */
export const fault = (control, words) => [control, control.parentElement.lastElementChild, words];

/** Whether these are filled in. Says of each that is not, and of those in `others`, what is wrong. */
export const isFilledIn = (form, controls, ...others) => complain(
  form, ...controls.map((control) => fault(control, control.value.trim() ? '' : t`Fill in “${control.labels[0].textContent}”.`)), ...others);
