// The one way in which a form says what is wrong: a summary at its top, with the number and a link to each field, and the
// words beside the field. Both go as soon as the person changes that field.

import { $, make } from './dom.js';
import { plural } from './translate.js';

/** What is wrong with each form now. */
const shown = new WeakMap();

/**
 * Shows what is wrong with a form; with nothing wrong the summary goes.
 *
 * @param errors `{control, words, clear?, isMissing?}` each: what gets the focus, what the summary says, what takes the words
 *   beside the field away, and whether nothing was given; without `isMissing` the control says that
 */
export function showSummary(form, errors) {
  if (!shown.has(form)) {
    for (const kind of ['input', 'change']) form.addEventListener(kind, ({ target }) => settle(form, target));
  }
  shown.set(form, errors.map((error) => ({ ...error, isMissing: error.isMissing ?? isEmpty(error.control) })).sort(asOnPage));
  draw(form);
  if (errors.length > 0) boxOf(form).focus();
}

/**
 * The same for fields that have their own place for words and no rules in common.
 *
 * @param errors `[control, place, words]` each; without words nothing is wrong with that field
 * @returns whether nothing is wrong
 */
export function complain(form, ...errors) {
  for (const [control, place, words] of errors) {
    place.textContent = words ?? "";
    if (words) control.setAttribute("aria-invalid", "true");
    else control.removeAttribute("aria-invalid");
  }
  const wrong = errors.filter(([, , words]) => words);
  // A form that never had anything wrong has no summary to empty.
  if (wrong.length === 0 && !shown.has(form)) return true;
  showSummary(form, wrong.map(([control, place, words]) => ({ control, words, clear: () => {
    place.textContent = "";
    control.removeAttribute("aria-invalid");
  } })));
  return wrong.length === 0;
}

/** The summary goes through the fields in the order in which a reader comes to them. */
function asOnPage({ control: one }, { control: other }) {
  if (one === other) return 0;
  return one.compareDocumentPosition(other) & Node.DOCUMENT_POSITION_FOLLOWING ? -1 : 1;
}

function boxOf(form) {
  const box = $('.error-summary', form);
  if (box) return box;
  const made = make('div', { class: 'notice error error-summary', role: 'alert', tabindex: '-1', hidden: true });
  form.prepend(made);
  return made;
}

/** The person changes a field: its words are no longer true. Modules call this for a change without an event. */
export function settle(form, target) {
  const errors = shown.get(form) ?? [];
  // Radio buttons and boxes of one name are one answer.
  const isAbout = ({ control }) => control === target || (['radio', 'checkbox'].includes(target.type)
    && control.type === target.type && control.name !== '' && control.name === target.name);
  const settled = errors.filter(isAbout);
  if (settled.length === 0) return;
  for (const { clear } of settled) clear?.();
  shown.set(form, errors.filter((error) => !isAbout(error)));
  draw(form);
}

/**
 * Whether a field has no answer. What a browser cannot read, such as half a date, is an answer that is wrong. So is a file:
 * pages empty the field when they refuse one.
 */
function isEmpty(control) {
  if (!control.matches('input:not([type=file]), select, textarea')) return false;
  if (!['radio', 'checkbox'].includes(control.type)) return control.value.trim() === '' && !control.validity.badInput;
  const same = control.name && control.form ? [...control.form.elements].filter(({ name }) => name === control.name) : [control];
  return !same.some(({ checked }) => checked);
}

/** How many answers are missing, or, where one is wrong, how many problems there are. */
function titleOf(errors) {
  return errors.every(({ isMissing }) => isMissing)
    ? plural(errors.length, '{0} answer is missing', '{0} answers are missing')
    : plural(errors.length, 'There is a problem', 'There are {0} problems');
}

function draw(form) {
  const errors = shown.get(form);
  const box = boxOf(form);
  box.hidden = errors.length === 0;
  if (errors.length === 0) return void box.replaceChildren();
  const items = errors.map(({ control, words }) => {
    const link = make('a', { href: control.id ? `#${control.id}` : '#' }, words);
    // Following the link would change the fragment, which may carry a code.
    link.addEventListener('click', (event) => { event.preventDefault(); control.focus(); });
    return make('li', {}, link);
  });
  box.replaceChildren(make('div', {}, make('h2', {}, titleOf(errors)), make('ul', {}, ...items)));
}
