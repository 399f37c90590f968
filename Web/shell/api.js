// The one way from a page to the server: JSON in, JSON out, every failure a Problem.

import { noteTime } from "./clock.js";
import { sessionIsLocked } from "./locked.js";
import { isOver, setOver } from "./over.js";
import { session } from "./session.js";
import { listen } from "./tabs.js";
import { t } from "./translate.js";
import { keepTyped } from "./typed.js";

/** Longer than the server's own limit for an answer, so that it gets the chance to say what is wrong. */
const patience = 75_000;

/** The same for a large body, which takes long on a slow line. */
const patienceForBytes = 900_000;

/** Items of a page, where all pages are wanted: the most that the server gives at once. */
const pageSize = 1000;

/**
 * Everything that can go wrong, in one form: what the server answered (RFC 9457), or, with status 0, what happened
 * here.
 */
export class Problem extends Error {
  constructor(kind, { status = 0, title = "", detail = "", retryAfter = null, error = null, cause } = {}) {
    super(detail || title || kind, { cause });
    this.name = "Problem";
    this.kind = kind;
    this.status = status;
    this.title = title;
    this.detail = detail || title;
    this.retryAfter = retryAfter;
    /** The name that the protocol of an answer has for it, where it has one. */
    this.error = error;
  }
}

export const api = {
  get: (path, options) => json("GET", path, undefined, options),
  all,
  find,
  first,
  post: (path, body, options) => json("POST", path, body, options),
  patch: (path, body, options) => json("PATCH", path, body, options),
  put: (path, body, options) => json("PUT", path, body, options),
  delete: (path, options) => json("DELETE", path, undefined, options),
  bytes: async (path, options) => new Uint8Array(
    await whole(() => send("GET", path, undefined, options), "arrayBuffer")),
  text: (path, options) => whole(() => send("GET", path, undefined, options), "text"),
};

/** Why the session is over, when this page knows: the sign-in page says so, too. */
let why = null;

/** Whether the person has signed out: then the page is left with everything on it. */
let signedOut = false;

/** Whether somebody else has signed in since. */
let isOthers = false;

// Before the handlers of pages: the next person is not asked whether to stay with what is not theirs.
addEventListener("beforeunload", (event) => {
  if (signedOut || isOthers) event.stopImmediatePropagation();
}, { capture: true });

export function sessionIsOver(reason) {
  why = reason ?? null;
  signedOut = !why;
  if (!needsSession()) return;
  if (why) setOver(true, { isSaid: true });
  else if (isOver()) goToSignIn();
}

/**
 * Whether the server has answered this page for a signed-in person: then it shows something, and they may have typed.
 */
let hasWorked = false;

/** What the server answers to anybody. */
const isPublic = (path) => !path.startsWith("/api/")
  || /^\/api\/(organisation|catalogue|passkeys|pairings|shares|sign-in|handover|pico\/sign-ins)(\/|$)/.test(path);

/** The server does not know the session. A page that has shown nothing yet leads to signing in at once. */
export function sessionWasRefused() {
  if (needsSession() && hasWorked && !signedOut) setOver(true);
  else goToSignIn();
}

/** Whether this page is being left for another one. Then what the server refuses meanwhile leads nowhere else. */
let isLeaving = false;
addEventListener("pageshow", () => { isLeaving = false; });

/** Leaves for a page that needs no session. */
export function leaveFor(path) {
  isLeaving = true;
  location.assign(path);
}

/** The work that this page still has to do before it is left for the sign-in page. */
let before = Promise.resolve();

/** How long that may take, in milliseconds: the page's content is not for the next person. */
const longest = 3000;

/** Keeps this page until `work` is done, one way or the other. Returns `work`. */
export function finishFirst(work) {
  before = Promise.allSettled([before, work]);
  return work;
}

/**
 * Leaves for the sign-in page, which leads back here. Codes in the fragment stay in the fragment: no server sees them.
 */
export function goToSignIn() {
  if (owner) finishFirst(owner.then((whose) => whose && !signedOut && keepTyped(whose.account)));
  const query = new URLSearchParams({ next: location.pathname + location.search });
  if (why) query.set("reason", why);
  const target = `/sign-in?${query}${location.hash}`;
  // A task later: everything under way has failed by then, and no page asks the person whether they want to leave. Not
  // assign: going back would lead here again, and from here to that page again.
  const soon = new Promise((done) => { setTimeout(done, longest); });
  Promise.race([before, soon]).then(() => setTimeout(() => isLeaving || location.replace(target)));
}

/** The pages of a list, one after the other (docs/http.md, "Lists"). */
async function* pages(path, options) {
  const address = new URL(path, location.origin);
  if (!address.searchParams.has("limit")) address.searchParams.set("limit", pageSize);
  for (;;) {
    const page = await json("GET", address.pathname + address.search, undefined, options);
    yield page;
    if (!page.next) return;
    address.searchParams.set("cursor", page.next);
  }
}

/** Everything in a list that cannot be long: the items of all pages, in order. */
async function all(path, options) {
  const items = [];
  for await (const page of pages(path, options)) items.push(...page.items);
  return items;
}

/** The first item for which `test` holds, or undefined; pages after it are not read. */
async function find(path, test) {
  for await (const page of pages(path)) {
    for (const item of page.items) if (await test(item)) return item;
  }
  return undefined;
}

/** The first `number` items of a list, fewer if it has no more, whether others come after them, and how many each part has. */
async function first(path, number) {
  const address = new URL(path, location.origin);
  // One more tells whether there are others.
  address.searchParams.set("limit", Math.min(number + 1, pageSize));
  const items = [];
  let counts;
  for await (const page of pages(address.pathname + address.search)) {
    items.push(...page.items);
    counts ??= page.counts;
    if (items.length > number) break;
  }
  return { items: items.slice(0, number), isMore: items.length > number, counts };
}

async function json(method, path, body, options) {
  return whole(async () => {
    try {
      return await send(method, path, body, options);
    } catch (problem) {
      if (problem.kind !== "confirmation-required" || options?.noConfirm) throw problem;
      // Nothing was done yet: the server wants to see first that it is the person. Then again, and only once.
      const { confirm } = await session();
      await confirm(options?.reason ?? t`Confirm that it is you`);
      return send(method, path, body, { ...options, noConfirm: true });
    }
  }, "json");
}

async function send(method, path, body, { allow401 = false, signal, headers = {} } = {}) {
  if (isOver() && !allow401) throw new Problem("unauthenticated", { status: 401, title: t`Sign in first` });
  const response = await fetch(path, {
    method,
    headers: {
      Accept: "application/json, */*",
      ...(body === undefined ? {} : { "Content-Type": isBytes(body) ? "application/octet-stream" : "application/json" }),
      // Says that this very page means it: a form on another site cannot set a header.
      ...(method === "GET" ? {} : { "Countersign-Session": "cookie" }),
      ...headers,
    },
    body: body === undefined || isBytes(body) ? body : JSON.stringify(body),
    credentials: "same-origin",
    cache: "no-store",
    redirect: "error",
    signal: until(signal, isBytes(body) ? patienceForBytes : patience),
  }).catch((error) => { throw unreachable(error, signal); });
  noteTime(response.headers.get("Date"));
  if (response.ok) {
    hasWorked ||= !isPublic(path);
    return response;
  }
  const problem = await read(response);
  if (problem.kind === "session-locked") sessionIsLocked();
  // A page that knows why says it itself, and the person goes on from there.
  if (problem.kind === "unauthenticated" && !allow401 && !why) sessionWasRefused();
  throw problem;
}

/** The body can break off too, after a good beginning. */
async function whole(request, form) {
  const response = await request();
  if (response.status === 204) return null;
  try {
    return await response[form]();
  } catch (error) {
    throw unreachable(error);
  }
}

async function read(response) {
  const retryAfter = Number(response.headers.get("Retry-After")) || null;
  const said = await response.json().catch(() => ({}));
  const kind = typeof said.type === "string" ? said.type.split("/").pop() : "internal";
  return new Problem(kind, {
    status: response.status,
    title: said.title ?? t`The server could not do this`,
    detail: said.detail,
    error: said.error,
    retryAfter,
  });
}

function unreachable(error, signal) {
  if (signal?.aborted) return new Problem("cancelled", { detail: t`You cancelled.`, cause: error });
  return new Problem("offline", {
    title: t`No connection`,
    detail: t`The server cannot be reached. Check your connection and try again; nothing is lost.`,
    cause: error,
  });
}

/** Whether a body is sent as it is. */
const isBytes = (body) => body instanceof Uint8Array;

function until(signal, patience) {
  const limit = AbortSignal.timeout?.(patience);
  if (!signal || !limit) return signal ?? limit;
  return AbortSignal.any?.([signal, limit]) ?? signal;
}

/** Whether this page belongs to a signed-in account. */
export function needsSession() {
  return /^\/(wallet|console|desk)(\/|$)/.test(location.pathname);
}

/** The owner of this page: the account that was signed in when it was loaded. */
const owner = needsSession() ? session().then(({ signedIn }) => signedIn()).catch(() => null) : null;

/** Whether this page belongs to this account. */
export const isOwner = async (account) => (await owner)?.account === account;

// Any change to the session in another tab happens to this one too.
listen(async ({ kind, account, reason }) => {
  if (!needsSession()) return;
  if (kind === "signed-out") {
    sessionIsOver(reason);
    goToSignIn();
  }
  if (kind !== "signed-in") return;
  // The same person again: what was typed here stays, and the page goes on.
  if (!await isOwner(account)) {
    isOthers = true;
    return location.reload();
  }
  why = null;
  signedOut = false;
  setOver(false);
});

// A page from the back-forward cache shows what was true then, perhaps to another person now.
addEventListener("pageshow", (event) => {
  if (event.persisted && needsSession()) location.reload();
});
