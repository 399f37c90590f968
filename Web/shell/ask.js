// Questions before something is done, with a line or two to fill in.

import { make } from './dom.js';
import { field, isFilledIn } from './field.js';
import { t } from './translate.js';

/**
 * Asks before something is done. Answers null, or `{reason}`, or `{reason, value}` when `input` asks for one:
 * `{label, value?, type?, hint?, maximum?}`. With `inputs`, each with a `name` too, the answer has `values` by name,
 * some of which may be empty. With `danger` the safe answer has the focus. `check(form)` may say no and why, beside the
 * inputs; then the question stays.
 */
export function ask({
  title, text, confirm = t`Continue`, cancel = t`Cancel`, danger = false, reason = false, input, inputs = [], check,
}) {
  const form = make('form', { method: 'dialog', novalidate: true }, make('h2', { id: 'question' }, title));
  if (text) form.append(make('p', {}, text));
  const put = (label, control, hint) => {
    form.append(field(label, control, hint));
    return control;
  };
  const line = (id, { label, value = '', type = 'text', maximum = 200, hint }, required) => put(
    label, make('input', { id, type, value, required, maxlength: maximum, autocomplete: 'off', dir: 'auto' }), hint);
  const value = input && line('question-value', input, true);
  const several = inputs.map((one) => [one.name, line(`question-${one.name}`, one, false)]);
  const why = reason && put(t`Reason`, make('textarea', { id: 'question-reason', required: true, maxlength: 500 }), t`The people concerned will see this.`);
  const no = make('button', { type: 'button', class: 'button', onclick: () => dialog.close() }, cancel);
  const yes = make('button', { class: `button primary${danger ? ' danger' : ''}`, value: 'yes' }, confirm);
  form.append(make('div', { class: 'actions' }, no, yes));
  const required = [value, why].filter(Boolean);
  form.addEventListener('submit', (event) => { if (!isFilledIn(form, required) || (check && !check(form))) event.preventDefault(); });
  const dialog = document.body.appendChild(make('dialog', { 'aria-labelledby': 'question' }, form));
  dialog.showModal();
  (value || several[0]?.[1] || why || (danger ? no : yes)).focus();
  return new Promise((resolve) => {
    dialog.addEventListener('close', () => {
      dialog.remove();
      if (dialog.returnValue !== 'yes') return resolve(null);
      resolve({ reason: why ? why.value.trim() : undefined, ...(value ? { value: value.value.trim() } : {}),
        values: Object.fromEntries(several.map(([name, control]) => [name, control.value.trim()])) });
    });
  });
}
