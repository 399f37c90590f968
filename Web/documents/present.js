// Making a presentation: chosen fields, bound to one verifier, signed, and checked here the way the verifier will.

import { use } from "../accounts/keys.js";
import { now } from "../accounts/mine.js";
import { Problem } from "../shell/api.js";
import { b64u, call } from "../shell/core.js";
import { typeTitle } from "../shell/text.js";
import { tooLong } from "../shell/too-long.js";
import { t } from "../shell/translate.js";
import { inDetail } from "../verification/reasons.js";
import { statusTokens } from "./status.js";
import { means } from "./words.js";

/** The longest name of a verifier and the longest number, in bytes of UTF-8. */
export const longest = 512;

/** The end of the file's name. */
export const ending = ".countersign";

/**
 * Presents an opened document.
 *
 * @param opened as `open` gave it
 * @param choice `{audience, nonce, lifetime, fields, withDocument}`: `lifetime` in seconds; where `nonce` is empty one is
 *   made, and freshness is by time only
 * @param say is told what is being done, in words
 * @returns `{file, report, hasFreshStatus}`, the file as bytes
 */
export async function present(opened, choice, say) {
  const { owner, info, content } = opened;
  say(t`Fetching the document's status …`);
  const { tokens, isFresh } = await statusTokens(opened.status_uris, owner);
  const nonce = choice.nonce || b64u(crypto.getRandomValues(new Uint8Array(16)));
  const { blobs: [input, shown] } = await call("present", {
    audience: choice.audience, nonce, time: now(), lifetime: choice.lifetime, fields: choice.fields, with_document: choice.withDocument,
  }, opened.credential);
  say(t`Waiting for ${means(owner)} …{#means}`);
  const signature = await use(t`Show ${typeTitle(info.type)} to ${choice.audience}`, (k) => k.sign(input));
  say(t`Making the file and checking it as the verifier will …`);
  const attached = choice.withDocument && content;
  const { blobs: [file] } = await call("present_finish", {
    signature: b64u(signature),
    status: tokens,
    receipt: info.receipt.proof,
    ...(attached ? { document: { name: opened.document.name, media_type: opened.document.media_type } } : {}),
  }, input, shown, ...(attached ? [content] : []));
  // Without a number from the verifier they can only go by the time, and this must say so too.
  const { value: report } = await call("verify", {
    root: owner.trust.root, log_key: owner.trust.logKey, time: now(), audience: choice.audience,
    ...(choice.nonce ? { nonce } : {}),
  }, file);
  return { file, report, hasFreshStatus: isFresh };
}

/** A wrong audience or nonce as a sentence, or an empty text. */
export function mistakeIn(text, isMandatory) {
  if (!text) return isMandatory ? t`Say who may see it.` : "";
  return tooLong(text, { bytes: longest }) || (/[\u0000-\u001f\u007f]/.test(text) ? t`It has characters that cannot be printed.` : "");
}

/** Refuses a file that a verifier would refuse: such a file is never handed out. */
export function checkReport(report) {
  if (report.verdict !== "not_valid") return;
  const failed = report.checks.filter((check) => check.result === "failed");
  throw new Problem("bad-document", {
    detail: t`A verifier would refuse this, so the file was not made. ${failed.map(inDetail).join(" ")}`,
  });
}
