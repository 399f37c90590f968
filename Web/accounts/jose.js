// Signed statements (JWS, ES256) and sealed messages (JWE, ECDH-ES + A256GCM), byte for byte as the server and the
// command line write and read them: Sources/CryptoProvider/JWE.swift, Core/Sources/Encodings/CompactJWS.swift.

import { b64u, fromB64u, sha256, utf8 } from "../shell/core.js";
import { t } from "../shell/translate.js";

/** A package of 16 MiB in base64 twice, with room to spare. */
const longest = 32 << 20;
const curve = { name: "ECDH", namedCurve: "P-256" };

/** Why a sealed message is not opened. `code` is the name of the case in JWE.swift. */
export class JoseError extends Error {
  constructor(code, message) {
    super(message);
    this.name = "JoseError";
    this.code = code;
  }
}

/**
 * The one spelling of a value (RFC 8785): names sorted by UTF-16 code units, which is JavaScript's own order, and no
 * white space. Only whole numbers, because nothing that we sign holds others.
 */
export function canonical(value) {
  if (value === null || typeof value === "boolean") return String(value);
  if (typeof value === "number") {
    if (!Number.isSafeInteger(value)) throw new TypeError("only whole numbers are signed");
    return String(value);
  }
  if (typeof value === "string") {
    if (value.isWellFormed?.() === false) throw new TypeError("half of a surrogate pair cannot be signed");
    return JSON.stringify(value);
  }
  if (Array.isArray(value)) return `[${value.map(canonical).join()}]`;
  if (typeof value !== "object") throw new TypeError(`${typeof value} cannot be signed`);
  return `{${Object.keys(value).sort().map((name) => `${JSON.stringify(name)}:${canonical(value[name])}`).join()}}`;
}

/** The bytes that a statement's signature covers. */
function jwsInput(type, payload) {
  const header = JSON.stringify({ alg: "ES256", typ: type });
  return utf8(`${b64u(utf8(header))}.${b64u(utf8(canonical(payload)))}`);
}

/** A compact JWS. `sign` turns bytes into the 64 bytes r and s. */
export async function jws(type, payload, sign) {
  const input = jwsInput(type, payload);
  return `${new TextDecoder().decode(input)}.${b64u(await sign(input))}`;
}

/** The JWK of a 65-byte point, members in canonical order. */
function jwk(point) {
  const bytes = pointBytes(point);
  return { crv: "P-256", kty: "EC", x: b64u(bytes.subarray(1, 33)), y: b64u(bytes.subarray(33)) };
}

/** The SHA-256 thumbprint (RFC 7638) of a 65-byte point, base64url. */
export async function thumbprint(point) {
  return sha256(utf8(canonical(jwk(point))));
}

/**
 * Seals `bytes` so that only the recipient's private key opens them.
 *
 * - recipient: their encryption key, a 65-byte point, as bytes or base64url.
 * - type: `typ`, the purpose, authenticated with the rest.
 */
export async function sealJWE(bytes, recipient, type) {
  const point = pointBytes(recipient);
  const ephemeral = await crypto.subtle.generateKey(curve, false, ["deriveBits"]);
  const epk = jwk(new Uint8Array(await crypto.subtle.exportKey("raw", ephemeral.publicKey)));
  const header = b64u(utf8(JSON.stringify({
    alg: "ECDH-ES", enc: "A256GCM", epk, kid: await thumbprint(point), typ: type,
  })));
  const key = await contentKey(ephemeral.privateKey, point, "encrypt");
  const iv = crypto.getRandomValues(new Uint8Array(12));
  const sealed = new Uint8Array(await crypto.subtle.encrypt(gcm(iv, header), key, bytes));
  // WebCrypto appends the tag; JWE gives it a part of its own. The empty part is the encrypted key: there is none.
  return [header, "", b64u(iv), b64u(sealed.subarray(0, -16)), b64u(sealed.subarray(-16))].join(".");
}

/**
 * Opens a compact JWE, text or bytes.
 *
 * - privateKey: a CryptoKey for ECDH; - recipient: its public point; - type: the expected `typ`.
 */
export async function openJWE(message, privateKey, recipient, type) {
  const text = typeof message === "string" ? message : new TextDecoder().decode(message);
  if (text.length > longest) throw new JoseError("tooLong", t`This message is too long.`);
  const parts = text.split(".");
  if (parts.length !== 5 || parts[0].length > 4096 || parts[1] !== "") throw malformed();
  const header = decoded(() => JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(fromB64u(parts[0]))));
  const { ephemeral, partyU, partyV } = await agreement(header, recipient, type);
  const [iv, ciphertext, tag] = decoded(() => parts.slice(2).map(fromLongB64u));
  if (iv.length !== 12 || tag.length !== 16) throw malformed();
  const sealed = new Uint8Array(ciphertext.length + 16);
  sealed.set(ciphertext);
  sealed.set(tag, ciphertext.length);
  const key = await contentKey(privateKey, ephemeral, "decrypt", partyU, partyV);
  try {
    return new Uint8Array(await crypto.subtle.decrypt(gcm(iv, parts[0]), key, sealed));
  } catch {
    throw new JoseError("notAuthentic", t`This was changed on the way, or sealed to another key.`);
  }
}

async function agreement(header, recipient, type) {
  const { alg, enc, epk } = Object(header);
  if (typeof alg !== "string" || typeof enc !== "string") throw malformed();
  if (alg !== "ECDH-ES" || enc !== "A256GCM") {
    throw new JoseError("unsupportedAlgorithm", t`This is sealed in a way that is not ours.`);
  }
  if ("crit" in header || "zip" in header) {
    throw new JoseError("unsupportedExtension", t`This is sealed with an extension that is not ours.`);
  }
  if (header.typ !== type) throw new JoseError("wrongPurpose", t`This was sealed for another purpose.`);
  if ("kid" in header && header.kid !== await thumbprint(recipient)) {
    throw new JoseError("wrongRecipient", t`This is sealed to another device.`);
  }
  const party = (name) => decoded(() => (name in header ? fromB64u(header[name]) : new Uint8Array()));
  return { ephemeral: ephemeralPoint(epk), partyU: party("apu"), partyV: party("apv") };
}

function ephemeralPoint(epk) {
  const bad = new JoseError("badKey", t`The key that this was sealed with is not one of ours.`);
  if (Object(epk).kty !== "EC" || epk.crv !== "P-256" || "d" in epk) throw bad;
  try {
    const x = fromB64u(epk.x);
    const y = fromB64u(epk.y);
    if (x.length === 32 && y.length === 32) return Uint8Array.of(4, ...x, ...y);
  } catch {
    // Not base64url: no key.
  }
  throw bad;
}

/** The key of the content: ECDH, then the Concat KDF (RFC 7518 section 4.6.2) with one round of SHA-256. */
async function contentKey(privateKey, point, usage, partyU = new Uint8Array(), partyV = new Uint8Array()) {
  let secret;
  try {
    const peer = await crypto.subtle.importKey("raw", point, curve, false, []);
    secret = new Uint8Array(await crypto.subtle.deriveBits({ name: "ECDH", public: peer }, privateKey, 256));
  } catch {
    throw new JoseError("badKey", t`The key that this was sealed with is not on the curve.`);
  }
  const field = (bytes) => [...uint32(bytes.length), ...bytes];
  const input = Uint8Array.from([
    ...uint32(1), ...secret, ...field(utf8("A256GCM")), ...field(partyU), ...field(partyV), ...uint32(256),
  ]);
  const digest = await crypto.subtle.digest("SHA-256", input);
  return crypto.subtle.importKey("raw", digest, "AES-GCM", false, [usage]);
}

function pointBytes(point) {
  const bytes = typeof point === "string" ? fromB64u(point) : point;
  if (bytes.length !== 65 || bytes[0] !== 4) throw new JoseError("badKey", t`This is not a public key.`);
  return bytes;
}

// A sealed document has millions of characters: where the browser can decode them by itself, it is much quicker.
const fromLongB64u = (text) =>
  Uint8Array.fromBase64?.(text, { alphabet: "base64url", lastChunkHandling: "loose" }) ?? fromB64u(text);
const gcm = (iv, header) => ({ name: "AES-GCM", iv, additionalData: utf8(header) });
const uint32 = (number) => [number >>> 24, number >>> 16 & 255, number >>> 8 & 255, number & 255];
const malformed = () => new JoseError("malformed", t`This is not a sealed message of ours.`);

function decoded(read) {
  try {
    return read();
  } catch {
    throw malformed();
  }
}
