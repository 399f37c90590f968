// Showing a document to a verifier: choose, see exactly what they will see, sign, hand over. Each step has its place in
// the browser's history, so that the back button goes one step back.

import { nameOf } from "../accounts/names.js";
import { $, $$, busy, bytes, clearNotices, clone, time } from "../shell/dom.js";
import { showFacts } from "../shell/facts.js";
import { drawQR } from "../shell/qr.js";
import { redraw } from "../shell/redraw.js";
import { inSentence, listing } from "../shell/text.js";
import { language, plural, t } from "../shell/translate.js";
import { save, slug } from "../transparency/save.js";
import { drawFields } from "../verification/fields.js";
import { inDetail } from "../verification/reasons.js";
import { checkTitles } from "../verification/verdict-words.js";
import { chosen, clearChoice, prepareChoice } from "./choosing.js";
import { checkReport, ending, present } from "./present.js";
import { linksBefore, share } from "./sharing.js";

const verdicts = {
  valid: { mark: "yes", title: t`Ready` },
  could_not_tell: { mark: "unsure", title: t`Ready, with a question left open` },
};

/** The core's English words about it, in the language of the page. */
function summaryOf({ verdict, signer, summary, checks }) {
  if (language === "en") return summary;
  if (verdict === "valid" && signer) return t`Valid. Signed by ${signer.name} for ${signer.organisation}.`;
  return t`Not confirmed. ${inDetail(checks.find(({ result }) => result === "unknown"))}`;
}

/**
 * The steps of the page: closed, read, choose, preview, done; null when there is no document.
 *
 * @param page `{opened(), title(), linksChanged()}`
 */
export function showing(page) {
  let choice = null;
  let made = null;
  let step = null;

  $("#choose").addEventListener("submit", (event) => {
    event.preventDefault();
    choice = chosen(page.opened());
    if (choice) go("preview");
  });
  $("#sign").addEventListener("click", ({ currentTarget }) => busy(currentTarget, sign));
  $("#finish").addEventListener("click", () => show("read"));
  $("#save").addEventListener("click", () => save(made.file, made.name));
  $("#send").addEventListener("click", ({ currentTarget }) => busy(currentTarget, send));
  for (const button of $$("[data-back]")) button.addEventListener("click", () => history.back());
  addEventListener("popstate", ({ state }) => {
    if (!page.opened()) return show("closed");
    return show(reachable(state?.step));
  });

  return { begin, show, clear };

  function begin() {
    prepareChoice(page.opened());
    go("choose");
  }

  function go(name) {
    history.pushState({ step: name }, "", location.href);
    show(name);
  }

  /** A step of the history may need what is not there any more. */
  function reachable(name) {
    if (name === "choose") return "choose";
    if (name === "preview" && choice) return "preview";
    return "read";
  }

  function show(name) {
    const isMove = step !== null && step !== name;
    step = name;
    if (name === "preview") showPreview();
    for (const part of $$("[data-step]")) part.hidden = part.dataset.step !== name;
    if (!isMove) return;
    // Leaving a part settles what was said about it.
    clearNotices();
    $(`[data-step=${name}] h2`)?.focus();
  }

  /** Forgets what the document said. */
  function clear() {
    choice = made = null;
    clearChoice();
    for (const place of ["#preview", "#preview-fields", "#checks", "#link-qr"]) $(place).replaceChildren();
    for (const place of ["#link-text", "#link-code", "#preview-hidden"]) $(place).textContent = "";
  }

  function showPreview() {
    const { info, owner, document: attached, content, issued_at: issued, expires_at: expires } = page.opened();
    showFacts($("#preview"), [
      [t`For{#audience}`, choice.audience],
      [t`What`, t`${page.title()} of ${owner.trust.organisation}, signed by ${nameOf(info.issuer)}`],
      [t`Issued{#state}`, time(issued)],
      [t`Valid until`, expires ? time(expires) : ""],
      [t`With the file`, choice.withDocument ? t`${attached.name}, ${bytes(content.length)}` : ""],
      [t`The verifier's reference`, choice.nonce],
    ]);
    $("#preview-fields-title").hidden = choice.shown.length === 0;
    drawFields($("#preview-fields"), choice.shown, info.type);
    const hidden = [...choice.hidden.map(({ label }) => inSentence(label)),
      ...(attached && !choice.withDocument ? [t`the file`] : [])];
    const left = hidden.length > 0 ? t`Not shown: ${listing(hidden)}.` : t`Nothing is left out.`;
    const always = t`Always visible: the public key of this device, and where to see whether the document was revoked.`;
    $("#preview-hidden").textContent = `${left} ${always}`;
    const isLink = choice.way === "link";
    $("#preview-way").textContent = isLink
      ? t`By a link that works for ${choice.lifetimeWords} and can be opened ${choice.viewsWords}.`
      : t`As a file that you send yourself, good for ${choice.lifetimeWords}.`;
    $("#sign-words").textContent = isLink ? t`Sign and make the link` : t`Sign and make the file`;
  }

  async function sign() {
    const say = (words) => { $("#progress").textContent = words; };
    try {
      const opened = page.opened();
      // Before the person is asked: without a network there is no link.
      const before = choice.way === "link" ? await linksBefore(opened.info.id) : null;
      const result = await present(opened, choice, say);
      checkReport(result.report);
      made = { ...result, name: `${opened.info.type}-${slug(choice.audience) || "verifier"}${ending}` };
      if (choice.way === "link") {
        say(t`Encrypting it and sending it to the server …`);
        made.link = await share(result.file, opened, before, choice.lifetime, choice.views);
      }
      await showDone();
    } finally {
      say("");
    }
  }

  async function showDone() {
    const { report, file, name, link, hasFreshStatus } = made;
    const verdict = verdicts[report.verdict] ?? verdicts.could_not_tell;
    $("#verdict").className = `verdict ${verdict.mark}`;
    $("#done-title").textContent = verdict.title;
    $("#done-text").textContent = hasFreshStatus
      ? summaryOf(report)
      : `${summaryOf(report)} ${t`There is no network, so the status that goes along is an older one.`}`;
    for (const place of $$("[data-audience]")) place.textContent = choice.audience;
    $("#file-done").hidden = Boolean(link);
    $("#link-done").hidden = !link;
    $("#save-facts").textContent = `${name}, ${bytes(file.length)}`;
    $("#send").hidden = !navigator.canShare?.({ files: [asFile()] });
    showChecks(report.checks);
    if (link) {
      await showLink(link);
      await page.linksChanged();
    }
    // Replaces the preview: going back from here must not offer to sign the same again.
    history.replaceState({ step: "read" }, "", location.href);
    show("done");
  }

  async function showLink({ link, share: { code, expires, maximum_views: views } }) {
    $("#link-text").textContent = link;
    $("#link-code").textContent = code;
    $("#link-facts").textContent = plural(
      views, "It works until {1} and can be opened {0} time.", "It works until {1} and can be opened {0} times.",
      time(expires));
    await drawQR($("#link-qr"), link, { label: t`The link as a QR code` });
  }

  function showChecks(checks) {
    redraw($("#checks"), checks, (check) => {
      const element = clone("check-row", { title: checkTitles[check.name] ?? check.name, words: inDetail(check) });
      element.dataset.result = check.result;
      return element;
    }, (check) => check.name);
  }

  const asFile = () => new File([made.file], made.name, { type: "application/vnd.countersign.presentation+json" });

  async function send() {
    try {
      await navigator.share({ files: [asFile()], title: page.title() });
    } catch (error) {
      // Closing the system's list is no failure.
      if (error.name !== "AbortError") throw error;
    }
  }
}
