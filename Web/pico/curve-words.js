// What a page says of the curve of an old service.

import { t } from "../shell/translate.js";

/** The names of curves, as standards have them. */
const names = { p192: "P-192", p256: "P-256", p384: "P-384", p521: "P-521", secp192k1: "secp192k1" };

/** The name of a curve. */
export const curveName = (curve) => names[curve] ?? curve;

/** What it means that a service has its keys on another curve than P-256. */
export const oldWords = (curve) => (["p192", "secp192k1"].includes(curve)
  ? t`This service uses keys on the old curve ${curveName(curve)}. Their strength is 96 bits, weaker than the 128 bits of today's keys.`
  : t`This service uses keys on the curve ${curveName(curve)}. They are not weaker than today's keys, but only old services use them.`);

/** Why nothing is paired without the mark. */
export const unmarkedWords = () => t`Mark the service as old if you know that it is. Otherwise do not pair.`;
