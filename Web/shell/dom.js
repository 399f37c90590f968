// Drawing and talking to the person: templates, notices, times. Text goes in as text, never as markup.

import { locale, plural, t } from './translate.js';
import { words } from './words.js';

export const $ = (selector, root = document) => root.querySelector(selector);
export const $$ = (selector, root = document) => [...root.querySelectorAll(selector)];

/**
 * An element of `<template id>` filled with values: `data-text`, `data-href`, `data-value`, `data-show` and
 * `data-datetime` name the value that goes in as text, link, field value, visibility (hidden unless truthy) and local
 * time of seconds since 1970. `values.id` becomes `data-id` of the element, for delegated events.
 */
export function clone(templateId, values = {}) {
  const template = document.getElementById(templateId);
  const element = template.content.firstElementChild.cloneNode(true);
  if (values.id !== undefined) element.dataset.id = values.id;
  // Of what an answer leaves out nothing is shown.
  for (const part of [element, ...$$('[data-show]', element)]) if (part.dataset.show) part.hidden = true;
  return fill(element, values);
}

/** Fills an element that is already in the page, by the same attributes. */
export function fill(element, values) {
  const each = (name, put) => {
    const attribute = `data-${name}`;
    for (const part of [element, ...$$(`[${attribute}]`, element)]) {
      const key = part.getAttribute(attribute);
      if (key !== null && key in values) put(part, values[key]);
    }
  };
  each('text', (part, value) => { part.textContent = value ?? ''; });
  each('value', (part, value) => { part.value = value ?? ''; });
  each('show', (part, value) => { part.hidden = !value; });
  each('href', (part, value) => { setLink(part, value); });
  each('datetime', (part, value) => { setTime(part, value); });
  return element;
}

// Only addresses that lead to a page or file: `javascript:` and its like never become links.
function setLink(part, value) {
  const address = value ? new URL(value, document.baseURI) : null;
  const isSafe = address && ['http:', 'https:', 'blob:', 'mailto:', 'file:'].includes(address.protocol);
  if (isSafe) part.setAttribute('href', value);
  else part.removeAttribute('href');
}

function setTime(part, seconds) {
  part.textContent = seconds == null ? '' : part.hasAttribute('data-day') ? day(seconds) : time(seconds);
  if (seconds != null && part.localName === 'time') part.dateTime = new Date(seconds * 1000).toISOString();
}

/**
 * Shows `items` in `container`, one clone each; with none, the template `empty`.
 * `each(element, item)` runs for every new element, to attach what a template cannot say.
 */
export function list(container, items, templateId, toValues, { empty, each } = {}) {
  const elements = items.map((item, index) => {
    const element = clone(templateId, toValues(item, index));
    each?.(element, item);
    return element;
  });
  if (elements.length === 0 && empty) elements.push(clone(empty));
  container.removeAttribute('aria-busy');
  container.replaceChildren(...elements);
}

/** A new element with attributes and children; strings become text. */
export function make(name, attributes = {}, ...children) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (key.startsWith('on')) element.addEventListener(key.slice(2), value);
    else if (value === true) element.setAttribute(key, '');
    else if (value !== false && value != null) element.setAttribute(key, value);
  }
  element.append(...children);
  return element;
}

/** How many messages are on the page at once: more than these nobody reads. */
const mostNotices = 3;

/** Takes the oldest messages away: first those of success, then others. */
function thinOut(place) {
  const all = $$('.notice', place);
  while (all.length > mostNotices) {
    const success = all.findIndex((box, index) => index < all.length - 1 && box.classList.contains('success'));
    all.splice(Math.max(0, success), 1)[0].remove();
  }
}

/**
 * Says something at the top of the page, each thing once and at most three at a time. `kind` is success, info, warning or error.
 * `action` is a link's words with `href`, or a button's with `run`. Successes leave by themselves.
 */
export function notice(kind, text, { action, href, run } = {}) {
  const place = $('#notices') ?? document.body.appendChild(make('div', { id: 'notices', 'aria-live': 'polite' }));
  for (const old of $$('.notice', place)) if (old.dataset.words === text) old.remove();
  const box = make('div', { class: `notice ${kind}`, role: kind === 'error' ? 'alert' : 'status', 'data-words': text });
  box.append(make('p', {}, text));
  if (action && href) setLink(box.appendChild(make('a', { class: 'button' }, action)), href);
  else if (action) box.append(make('button', { type: 'button', class: 'button', onclick: run }, action));
  const attributes = { type: 'button', class: 'button quiet dismiss', 'aria-label': t`Dismiss` };
  box.append(make('button', { ...attributes, onclick: () => box.remove() }, '×'));
  place.append(box);
  thinOut(place);
  const leave = () => { if (!box.matches(':hover, :focus-within')) box.remove(); };
  if (kind === 'success' && !action) setTimeout(leave, 8000);
  return box;
}

/** How long an act can be taken back from its notice, in milliseconds. */
const undoTime = 20_000;

/** Says that something was done, with a button that takes it back. The button keeps the focus if it has it. */
export function undoable(text, undo) {
  const box = notice('success', text, { action: t`Undo`, run: ({ currentTarget }) => busy(currentTarget, async () => {
    await undo();
    box.remove();
  }) });
  const leave = () => {
    if (box.matches(':hover, :focus-within')) setTimeout(leave, undoTime);
    else box.remove();
  };
  setTimeout(leave, undoTime);
  return box;
}

export function clearNotices() { $('#notices')?.replaceChildren(); }

/**
 * Runs an act once, however often the button is pressed; an error becomes a notice.
 * Answers what the act answered, or undefined when it failed or was running already.
 */
export async function busy(button, act) {
  if (button.getAttribute('aria-busy') === 'true') return undefined;
  button.setAttribute('aria-busy', 'true');
  button.setAttribute('aria-disabled', 'true');
  try {
    return await act();
  } catch (error) {
    notice('error', describe(error));
    return undefined;
  } finally {
    button.removeAttribute('aria-busy');
    button.removeAttribute('aria-disabled');
  }
}

/**
 * Writes dates in a form. Browsers take longer to make a format than to draw a row with it, so all that is drawn at once
 * shares one; the next drawing has another, because a device may have come to another time zone.
 */
function dates(form) {
  let format = null;
  return (seconds) => {
    const date = new Date(seconds * 1000);
    // No date, or one that is too far away: a format throws then.
    if (Number.isNaN(date.valueOf())) return String(date);
    if (!format) {
      format = new Intl.DateTimeFormat(locale, form);
      setTimeout(() => { format = null; });
    }
    return format.format(date);
  };
}

/** Date and time of seconds since 1970, as this person writes them. */
export const time = dates({ dateStyle: 'medium', timeStyle: 'short' });

/** The day of seconds since 1970. */
export const day = dates({ dateStyle: 'long' });

/** A day that somebody has chosen, kept as its beginning in UTC: the same everywhere. */
export const chosenDay = dates({ dateStyle: 'long', timeZone: 'UTC' });

/** How numbers are written, by how many digits follow the point. */
const numbers = new Map();
function written(number, digits) {
  if (!numbers.has(digits)) numbers.set(digits, new Intl.NumberFormat(locale, { minimumFractionDigits: digits, maximumFractionDigits: digits }));
  return numbers.get(digits).format(number);
}

/** A number of bytes, in the unit that suits it. */
export function bytes(n) {
  if (n < 1000) return plural(n, '{0} byte', '{0} bytes');
  const [size, unit] = n < 999_500 ? [n / 1000, 'kB'] : n < 999_500_000 ? [n / 1_000_000, 'MB'] : [n / 1_000_000_000, 'GB'];
  return `${written(size, size < 10 ? 1 : 0)} ${unit}`;
}

/** The address of a symbol, in the file that the page has: a file under another address would be fetched. */
export function symbol(name) { return $('use').getAttribute('href').replace(/#.*/, `#${name}`); }

/** Hexadecimal digits in groups of four, as people compare them. */
export function group(hex) {
  return hex.toLowerCase().replace(/[^0-9a-f]/g, '').replace(/(.{4})(?=.)/g, '$1 ');
}

/** An error as a sentence that says what to do. */
export function describe(error) { return words(error); }

/** Puts text into the clipboard and says so; answers whether it went there. */
export async function copy(text) {
  try {
    await navigator.clipboard.writeText(text);
    notice('success', t`Copied.`);
    return true;
  } catch {
    notice('warning', t`The browser does not let this page copy. Select the text and copy it yourself.`);
    return false;
  }
}
