// The last days as a chart: one bar a day, what was confirmed below and what was refused above, and the same as a table.

import { make } from "../shell/dom.js";
import { locale, plural, t } from "../shell/translate.js";

const namespace = "http://www.w3.org/2000/svg";
const [barWidth, step, height] = [8, 10, 100];

/** Draws `days`, `[{day, confirmed, refused}]`, into a figure. */
export function drawDays(figure, days) {
  const isOpen = figure.querySelector("details")?.open ?? false;
  const most = Math.max(1, ...days.map((one) => one.confirmed + one.refused));
  const [confirmed, refused] = ["confirmed", "refused"].map((name) => days.reduce((sum, one) => sum + one[name], 0));
  const total = plural(
    confirmed, "{0} transaction was confirmed, {1} refused.", "{0} transactions were confirmed, {1} refused.", refused.toLocaleString(locale));
  const words = make("figcaption", { class: "row meta" },
    make("span", { class: "key confirmed" }, t`${confirmed.toLocaleString(locale)} confirmed`),
    make("span", { class: "key refused" }, t`${refused.toLocaleString(locale)} refused`),
    make("span", { class: "end" }, t`most on one day: ${most.toLocaleString(locale)}`));
  const details = make("details", { class: "fold", open: isOpen }, make("summary", {}, t`The same as a table`), make("div", { class: "scroll" }, table(days)));
  figure.replaceChildren(words, bars(days, most, total), scale(days), details);
}

function bars(days, most, total) {
  const picture = shape("svg", {
    class: "days", viewBox: `0 0 ${days.length * step} ${height}`, preserveAspectRatio: "none", role: "img", "aria-label": t`In 30 days ${total}`,
  });
  days.forEach((one, index) => {
    const x = index * step + (step - barWidth) / 2;
    const [low, high] = [one.confirmed, one.refused].map((number) => (number / most) * (height - 2));
    picture.append(
      // A day without transactions has a foot, so that it is seen to be a day.
      shape("rect", { class: "foot", x, y: height - 1, width: barWidth, height: 1 }),
      shape("rect", { class: "confirmed", x, y: height - low, width: barWidth, height: low }),
      shape("rect", { class: "refused", x, y: height - low - high, width: barWidth, height: high }));
  });
  return picture;
}

/** First, middle and last day under the bars. */
function scale(days) {
  const marks = [days.at(0), days.at(Math.floor(days.length / 2)), days.at(-1)];
  return make("p", { class: "row meta scale", "aria-hidden": "true" }, ...marks.filter(Boolean).map((one) => make("span", {}, dayName(one.day))));
}

function table(days) {
  const head = make("tr", {}, ...[t`Day`, t`Confirmed`, t`Refused`].map((word, index) => make("th", { scope: "col", class: index > 0 ? "number" : null }, word)));
  const body = [...days].reverse().map((one) => make("tr", {},
    make("th", { scope: "row", "data-label": t`Day` }, dayName(one.day)),
    make("td", { class: "number", "data-label": t`Confirmed` }, one.confirmed.toLocaleString(locale)),
    make("td", { class: "number", "data-label": t`Refused` }, one.refused.toLocaleString(locale))));
  return make("table", { class: "data" }, make("caption", { class: "visually-hidden" }, t`Transactions by day`), make("thead", {}, head), make("tbody", {}, ...body));
}

// Days begin at midnight UTC, wherever the reader is.
const dayName = (seconds) => new Date(seconds * 1000).toLocaleDateString(locale, { day: "numeric", month: "short", timeZone: "UTC" });

function shape(name, attributes) {
  const element = document.createElementNS(namespace, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  return element;
}
