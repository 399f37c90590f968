// The curves of keys, by the names that backups have for them.

/** Those that WebCrypto has, with its own names. The others are in a module of ours (pico/old-curves.js). */
const named = { p256: "P-256", p384: "P-384", p521: "P-521" };

/** WebCrypto's name of a curve; undefined if it lacks it. Without one, it is that of all keys of a device. */
export const webCurve = (curve = "p256") => named[curve];
