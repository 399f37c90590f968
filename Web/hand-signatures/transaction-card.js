// The card of a transaction: the verdict with its sign and words, the signature as a picture, the figures and the facts.

import { make, time } from "../shell/dom.js";
import { showFacts, codeValue } from "../shell/facts.js";
import { t } from "../shell/translate.js";
import { paperWords } from "./papers.js";
import { deviceWords, told } from "./refusals.js";
import { difference, digestWords, figure, isRecording, meanings, verdict } from "./transaction-words.js";
import { clientName, isErased } from "./words.js";

/** The last drawing; its address is given back when another is drawn. */
let address = null;

/** Draws the verdict on a signature, its picture and its figures. @param signing as the server tells it where one is asked for */
export function drawVerdict(place, signing) {
  const { kind, title } = verdict(signing);
  const sentence = isRecording(signing) ? t`This movement was seen before. Nobody writes the same twice.` : told(signing.comparison?.sentence);
  const means = meanings[signing.state];
  const words = [sentence, signing.state === "pending" ? null : means].filter(Boolean);
  const card = make("div", { class: `verdict ${kind}` },
    make("h2", { tabindex: -1 }, title), make("p", {}, words.join(" ")), ...device(signing.comparison?.device));
  place.replaceChildren(card, ...picture(signing), ...figures(signing.comparison));
}

/** The signature as a picture, alone. */
export const drawPicture = (place, signing) => place.replaceChildren(...picture(signing));

/** The picture comes from the server as SVG: shown as an image, where nothing in it can run. */
function picture({ drawing, client_name: name }) {
  if (address) URL.revokeObjectURL(address);
  address = null;
  if (!drawing) return [];
  // The drawing is only lines: how they look is said here.
  const ink = 'fill="none" stroke="#14212b" stroke-width="3" stroke-linecap="round" stroke-linejoin="round"';
  address = URL.createObjectURL(new Blob([drawing.replace("<svg ", `<svg ${ink} `)], { type: "image/svg+xml" }));
  return [make("figure", { class: "drawn" }, make("img", { src: address, alt: t`The signature that ${name} has written` }))];
}

/** Says whether the model knows such devices; older transactions do not tell. */
function device(device) {
  if (!device) return [];
  const warning = device.fit === "other" ? [make("strong", {}, `${t`Another device.`} `)] : [];
  return [make("p", { class: "meta" }, ...warning, deviceWords(device))];
}

function figures(comparison) {
  if (!comparison) return [];
  const { score, threshold, difference: far, is_match: isMatch } = comparison;
  const one = (label, value, hint) => make("div", {}, make("dt", {}, label), make("dd", {}, make("strong", {}, make("bdi", { dir: "ltr" }, value)), make("span", { class: "meta" }, hint)));
  return [make("details", { class: "fold" }, make("summary", {}, t`Details`), make("dl", { class: "figures" },
    one(t`Comparison score`, figure(score), t`the smaller, the more alike`),
    one(t`Threshold`, figure(threshold), t`the largest score that is accepted`),
    one(t`Difference`, difference(far), isMatch ? t`at most 0: accepted` : t`above 0: not accepted`)))];
}

/** Fills a `dl.facts` with what else is known of a transaction. */
export function drawFacts(list, signing) {
  // A client who was forgotten has no page any more.
  const isKnown = !isErased(signing);
  showFacts(list, [
    [t`Client`, isKnown ? make("a", { href: `/desk/client#${encodeURIComponent(signing.client)}` }, signing.client_name) : clientName(signing)],
    [t`Document`, signing.document_name], [t`Signed as`, signing.field], [t`Operator`, signing.operator_name || t`(erased person)`],
    [t`Signed`, time(signing.created)], [t`Decided`, signing.decided && time(signing.decided)],
    [t`Refused because`, signing.reason && (signing.is_match ? t`“${signing.reason}”` : t`it is not like the client's`)], [t`Compared by`, signing.method],
    [t`Client enrolled`, signing.enrolment && enrolled(signing.enrolment)], [t`ID document seen then`, paperWords(signing.enrolment?.paper)],
    [t`SHA-256 of the document`, signing.digest && codeValue(digestWords(signing.digest))],
    [t`Transaction`, codeValue(signing.id)],
  ]);
}

function enrolled({ time: when, operator_name: name, log_index: index }) {
  return [time(when), name ? t`by ${name}` : t`by nobody on record`, index != null && t`entry ${index} of the log`].filter(Boolean).join(" · ");
}
