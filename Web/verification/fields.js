// A document's content, as a person reads it: a line for each field, a table for a list.

import { make } from '../shell/dom.js';
import { call } from '../shell/core.js';
import { series } from '../shell/text.js';
import { language, locale, t } from '../shell/translate.js';
import { knownType } from './types.js';
import { plain } from './verdict-words.js';

/** Puts `fields` (`[{name, label, value}]` of a document of `type`) into a `dl`, perhaps with labels in another language. */
export async function drawFields(place, fields, type, tag = language) {
  const known = (await knownType(type, tag))?.fields ?? [];
  const sums = known.length > 0 ? await added(fields, type) : {};
  const rows = fields.map(({ name, label: given, value }) => {
    const field = known.find((one) => one.name === name);
    const label = tag === language ? given : field?.label ?? given;
    const words = label === name ? plain(name) : label;
    const columns = field?.fields ?? [];
    const note = name in sums && Number(value) !== Number(sums[name])
      ? [' ', make('strong', {}, t`The rows add up to ${sums[name]}.`)] : [];
    return make('div', {}, make('dt', {}, inLanguage(tag, words)), make('dd', {}, shown(value, columns, words, tag), ...note));
  });
  const unsaid = known.filter(({ name }) => name in sums && !fields.some((field) => field.name === name));
  place.replaceChildren(...rows, ...unsaid.map(({ name, label }) => make('div', {}, make('dt', {}, inLanguage(tag, label)),
    make('dd', {}, String(sums[name]), ' ', make('span', { class: 'meta' }, t`added up from the rows that are shown`)))));
}

/** Words of another language than the page's are read out in theirs, and keep their direction. */
const inLanguage = (tag, words) => (tag === language ? words : make('bdi', { lang: tag }, words));

/** The totals of columns, by the field that holds each. */
async function added(fields, type) {
  const values = Object.fromEntries(fields.map(({ name, value }) => [name, value]));
  return (await call('totals', { type, fields: values })).value.totals;
}

/** The labels of mandatory fields that are not shown. */
export async function labels(names, type, tag = language) {
  const known = (await knownType(type, tag))?.fields ?? [];
  return names.map((name) => known.find((field) => field.name === name)?.label ?? plain(name));
}

function shown(value, columns, caption, tag) {
  if (Array.isArray(value)) {
    return value.every((row) => row && typeof row === 'object' && !Array.isArray(row))
      ? table(value, columns, caption, tag) : series(value.map((part) => line(part)));
  }
  if (value && typeof value === 'object') return table([value], columns, caption, tag);
  return line(value);
}

/** A value in the words of the page, on one line. */
export function line(value) {
  if (typeof value === 'boolean') return value ? t`Yes` : t`No`;
  if (value === null) return '—';
  if (typeof value === 'object') return JSON.stringify(value);
  // A day stays the day it is, wherever the reader's clock is.
  if (/^\d{4}-\d\d-\d\d$/.test(value)) {
    const date = new Date(`${value}T00:00:00Z`);
    const form = { dateStyle: 'long', timeZone: 'UTC' };
    if (!Number.isNaN(date.valueOf())) return date.toLocaleDateString(locale, form);
  }
  return String(value);
}

function table(rows, columns, caption, tag) {
  const names = [...new Set([...columns.map(({ name }) => name), ...rows.flatMap(Object.keys)])]
    .filter((name) => rows.some((row) => name in row));
  const head = (name) => columns.find((column) => column.name === name)?.label ?? plain(name);
  const kind = (name) => (columns.find((column) => column.name === name)?.kind === 'number' ? 'number' : null);
  return make('table', { class: 'data' },
    make('caption', { class: 'visually-hidden' }, caption),
    make('thead', {}, make('tr', {}, ...names.map(
      (name) => make('th', { scope: 'col', class: kind(name) }, inLanguage(tag, head(name)))))),
    make('tbody', {}, ...rows.map((row) => make('tr', {}, ...names.map(
      (name) => make('td', { 'data-label': head(name), class: kind(name) }, name in row ? line(row[name]) : '—'))))));
}
