// Amounts of money: as people type them, and in the smallest unit, as they are signed.

/** Decimal places of the currencies that do not have two: those of `Currency` in Core (ISO 4217). */
const decimals = {
  BIF: 0, CLP: 0, DJF: 0, GNF: 0, ISK: 0, JPY: 0, KMF: 0, KRW: 0, PYG: 0, RWF: 0, UGX: 0, UYI: 0, VND: 0, VUV: 0,
  XAF: 0, XOF: 0, XPF: 0, BHD: 3, IQD: 3, JOD: 3, KWD: 3, LYD: 3, OMR: 3, TND: 3, CLF: 4, UYW: 4,
};

/** The largest amount that a question can show, in the smallest unit. */
const largest = 1e15;

const placesOf = (currency) => decimals[currency] ?? 2;

/** `1000.00` of 100000 in GBP. */
export function typedAmount(value, currency) {
  const places = placesOf(currency);
  const digits = String(value).padStart(places + 1, "0");
  return places === 0 ? digits : `${digits.slice(0, -places)}.${digits.slice(-places)}`;
}

/**
 * What somebody typed, in the smallest unit; `null` for what is no amount. A comma is refused: it parts thousands for
 * some, and decimals for others.
 */
export function smallestUnits(text, currency) {
  const [, whole, part = ""] = /^(\d{1,16})(?:\.(\d{1,4}))?$/.exec(text) ?? [];
  const places = placesOf(currency);
  if (whole === undefined || part.length > places) return null;
  const value = Number(whole + part.padEnd(places, "0"));
  return value <= largest ? value : null;
}
