// Where a code belongs: decided from its text alone, before anything is asked of a server.

/** Pages that take a code or key behind the #. */
const withCode = ["/add-device", "/console/check", "/join", "/setup", "/sign-here"];
/** Pages that a printed code may name as they are. */
const plain = ["/", "/add-device", "/join", "/sign-in", "/sign-up", "/verifiers", "/verify", "/wallet"];
/** A shared document, and a client's copy: an id in the path, the key behind the #. */
const shared = /^\/(s|copy)\/[A-Za-z0-9_-]{1,64}$/;
/** The longest text of a Pico code, in bytes. */
const mostOfPico = 4096;
const invitation = /^([0-9A-Z]{4}-){4}[0-9A-Z]{4}$/;

/**
 * Decides what to do with a scanned or pasted text.
 *
 * @param origin of the server whose page this is
 * @returns `{href}` to go to here; `{elsewhere, host}` for a code of another server, its address and whose it is; or
 *   `{host?}` for what is not one of ours
 */
export function placeOf(text, origin) {
  const said = text.trim();
  if (/^countersign-enrol:/.test(said)) return { href: `/console/check#${encodeURIComponent(said)}` };
  if (invitation.test(said.toUpperCase())) return { href: `/join#${said.toUpperCase()}` };
  if (isFingerprint(said)) return { href: `/verify#anchor=${said.replace(/[^0-9a-f]/gi, "").toLowerCase()}` };
  if (/^(web\+)?authreq:2:/.test(said)) return { href: `/wallet/approvals/add#${encodeURIComponent(said)}` };
  if (isPicoCode(said)) return { href: `/wallet/pico/answer#${encodeURIComponent(said)}` };
  if (!/^https?:\/\//i.test(said)) return {};
  return placeOfLink(said, origin);
}

/** A code to sign in or pair with, of whichever type: its page says what it is. */
function isPicoCode(said) {
  if (!said.startsWith("{") || said.length > mostOfPico) return false;
  try {
    return /^(K|L)[AP]$|^[TD]P$|^PA$/.test(JSON.parse(said).t);
  } catch {
    return false;
  }
}

function placeOfLink(said, origin) {
  const link = parsed(said);
  // An address with a name and password in front of the host looks like another host's.
  if (!link || link.username || link.password) return {};
  const { pathname, hash, host } = link;
  // A root is compared here, no matter whose page its code names: nothing is asked of that server.
  if (pathname === "/verify" && hash.startsWith("#anchor=")) return { href: `/verify${hash}` };
  const hasCode = hash.length > 1;
  const isCode = hasCode && (withCode.includes(pathname) || shared.test(pathname));
  if (link.origin !== origin) return isCode ? { elsewhere: link.href, host } : { host };
  if (isCode) return { href: pathname + hash };
  return !hasCode && plain.includes(pathname) ? { href: pathname } : { host };
}

function parsed(said) {
  try {
    return new URL(said);
  } catch {
    return null;
  }
}

/** 64 digits, however they are grouped. */
function isFingerprint(said) {
  return /^[0-9a-f\s:]+$/i.test(said) && said.replace(/[\s:]/g, "").length === 64;
}
