// Passkey ceremonies (WebAuthn Level 3).
//
// An authenticator's answer is copied field by field. `toJSON()` is never called: it would carry the PRF output, which
// opens the wallet, to everyone who gets the body. The PRF output becomes an HKDF key that nobody can read in the very
// function that receives it, and leaves this module in no other form.

import { Problem } from "../shell/api.js";
import { b64u, fromB64u, utf8 } from "../shell/core.js";
import { t } from "../shell/translate.js";

const prfInput = utf8("countersign wallet v1");

/** Whether this browser has passkeys at all. */
export const isSupported = () => Boolean(
  globalThis.isSecureContext && globalThis.PublicKeyCredential && navigator.credentials?.create);

/** Whether passkeys can be offered in the list that opens under a text field. */
export const canAutofill = async () => isSupported()
  && Boolean(await PublicKeyCredential.isConditionalMediationAvailable?.().catch(() => false));

/**
 * Makes a passkey.
 *
 * - options: the server's RegistrationOptions.
 * - Returns: `{registration, id, user, transports, secret}`; `registration` is the body for the server, `id` the
 *   credential's, `user` its owner's, `secret` the HKDF key from the PRF output, or null without PRF.
 */
export async function create(options, { displayName = options.username, signal } = {}) {
  const credential = await attempt(() => navigator.credentials.create({
    signal,
    publicKey: {
      rp: { id: options.rp_id, name: options.rp_name },
      user: { id: fromB64u(options.user_id), name: options.username, displayName },
      challenge: fromB64u(options.challenge),
      pubKeyCredParams: options.algorithms.map((alg) => ({ type: "public-key", alg })),
      excludeCredentials: options.exclude.map(descriptor),
      authenticatorSelection: { residentKey: "required", requireResidentKey: true, userVerification: "required" },
      attestation: options.attestation,
      timeout: remaining(options),
      extensions: { prf: { eval: { first: prfInput } } },
    },
  }));
  const { response } = credential;
  const transports = response.getTransports?.() ?? [];
  const registration = {
    id: b64u(new Uint8Array(credential.rawId)),
    client_data: b64u(new Uint8Array(response.clientDataJSON)),
    attestation_object: b64u(new Uint8Array(response.attestationObject)),
    transports,
  };
  const secret = await takeSecret(credential) ?? await secretByGet(credential, options, registration, signal);
  return { registration, id: registration.id, user: options.user_id, transports, secret };
}

/**
 * Asks for a passkey.
 *
 * - options: the server's AssertionOptions, or for use without a network `localOptions(…)`.
 * - isAutofill: waits in the list under a text field until the person chooses there.
 * - input: what the secret is asked for, 32 bytes or more; without it the one for the wallet's keys.
 * - Returns: `{assertion, id, secret}` as `create` does.
 */
export async function assert(options, { isAutofill = false, signal, input = prfInput } = {}) {
  const credential = await attempt(() => navigator.credentials.get({
    signal,
    ...(isAutofill ? { mediation: "conditional" } : {}),
    publicKey: {
      rpId: options.rp_id,
      challenge: fromB64u(options.challenge),
      allowCredentials: options.credentials.map(descriptor),
      userVerification: "required",
      timeout: remaining(options),
      extensions: { prf: { eval: { first: input } } },
    },
  }));
  const { response } = credential;
  requireVerified(response.authenticatorData);
  const assertion = {
    id: b64u(new Uint8Array(credential.rawId)),
    client_data: b64u(new Uint8Array(response.clientDataJSON)),
    authenticator_data: b64u(new Uint8Array(response.authenticatorData)),
    signature: b64u(new Uint8Array(response.signature)),
  };
  // An authenticator that was told which passkey to use may leave out whose it is.
  const user = response.userHandle?.byteLength ? b64u(new Uint8Array(response.userHandle))
    : options.credentials.find((known) => known.id === assertion.id)?.user;
  if (user) assertion.user_handle = user;
  return { assertion, id: assertion.id, secret: await takeSecret(credential) };
}

/**
 * Refuses an answer without user presence (bit 0) and verification (bit 2). The server checks this too; without a network
 * nobody else does, and the answer opens keys.
 */
function requireVerified(authenticatorData) {
  const flags = new Uint8Array(authenticatorData)[32] ?? 0;
  if ((flags & 0b101) === 0b101) return;
  throw new Problem("failed", { detail: t`The device answered without verifying that it is you.` });
}

/** Options for a ceremony that no server sees: it only opens this browser's keys. */
export const localOptions = (rpID, credentials) => ({
  challenge: b64u(crypto.getRandomValues(new Uint8Array(32))),
  expires: Date.now() / 1000 + 120,
  rp_id: rpID,
  credentials,
});

/** Tells the authenticator that the server does not know this passkey, so that it is not offered again. */
export async function forget(rpID, credentialID) {
  try {
    await PublicKeyCredential.signalUnknownCredential?.({ rpId: rpID, credentialId: credentialID });
  } catch {
    // A courtesy: without it the passkey stays in the list and does nothing.
  }
}

/** An authenticator that has PRF may yet give no output when a passkey is made: then it does when it is used. */
async function secretByGet(credential, options, registration, signal) {
  if (credential.getClientExtensionResults().prf?.enabled === false || await lacksPRF()) return null;
  const local = localOptions(options.rp_id, [registration]);
  return (await assert(local, { signal })).secret;
}

async function lacksPRF() {
  const capabilities = await PublicKeyCredential.getClientCapabilities?.().catch(() => ({})) ?? {};
  return capabilities["extension:prf"] === false;
}

async function takeSecret(credential) {
  const output = credential.getClientExtensionResults().prf?.results?.first;
  if (!output) return null;
  const bytes = ArrayBuffer.isView(output)
    ? new Uint8Array(output.buffer, output.byteOffset, output.byteLength) : new Uint8Array(output);
  const secret = await crypto.subtle.importKey("raw", bytes, "HKDF", false, ["deriveBits", "deriveKey"]);
  bytes.fill(0);
  return secret;
}

/**
 * A page cannot tell a finger that was not recognised from a person who cancelled or has no passkey here: one message,
 * and it is true in each case.
 */
async function attempt(ceremony) {
  if (!isSupported()) throw new Problem("unsupported", { detail: t`This browser has no passkeys.` });
  try {
    return await ceremony() ?? Promise.reject(new DOMException("no answer", "NotAllowedError"));
  } catch (error) {
    throw problem(error);
  }
}

function problem(error) {
  switch (error.name) {
    case "InvalidStateError":
      return new Problem("exists", {
        detail: t`There is a passkey for this account on this device already.`, cause: error,
      });
    case "SecurityError":
      return new Problem("unsupported", {
        detail: t`Passkeys do not work at this address. Open the page at the organisation's own address.`, cause: error,
      });
    case "NotSupportedError":
    case "ConstraintError":
      return new Problem("unsupported", { detail: t`This device cannot make a passkey that we can use.`, cause: error });
    default:
      return new Problem("failed", {
        detail: t`Nothing happened. Try again, or sign in another way.`,
        cause: error,
      });
  }
}

const descriptor = ({ id, transports }) => ({
  type: "public-key",
  id: fromB64u(id),
  ...(transports?.length ? { transports } : {}),
});

/** Up to the challenge's end, by this computer's clock, within reason: the clock may be wrong. */
function remaining({ expires }) {
  const milliseconds = (expires - Date.now() / 1000) * 1000;
  return Math.min(Math.max(milliseconds, 30_000), 300_000);
}

/** The details of a passkey that are remembered, to ask for it again. */
export const named = ({ id, user, transports = [] }) => ({ id, transports, ...(user ? { user } : {}) });
