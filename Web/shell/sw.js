// The service worker: what makes the wallet open without a network, and shows notices while no page is open.
//
// It keeps the pages and files that the server lists in /assets/index.json. It keeps whole answers with their headers,
// so a page from the cache is as strictly guarded as one from the server. Data never goes in: the wallet keeps its own,
// sealed, in IndexedDB.

const LIST = "/assets/index.json";
const PREFIX = "countersign ";
const OFFLINE = "/wallet/offline";

// Pages that make sense without a network.
const PAGES = [
  "/wallet", "/wallet/documents", "/wallet/document", "/wallet/requests", "/wallet/identity", "/wallet/devices",
  "/wallet/log", "/wallet/shared", "/wallet/scan", "/wallet/vault", "/wallet/vault/help", "/wallet/approvals", "/wallet/approvals/add", "/wallet/approval",
  OFFLINE, "/verify", "/receipt", "/help",
];
// Files outside /assets/ that pages refer to.
const FILES = ["/manifest.webmanifest"];
// The organisation's own look, which is kept once it was seen.
const LOOKS = ["/organisation/logo", "/organisation/face.css"];
// Files on the server's list that nobody needs without a network: the console's modules, and pages to be saved
// elsewhere.
const isNeeded = path => !/^\/assets\/(linked\/[a-z-]+\/)?admin\//.test(path) && !path.endsWith(".html");

// How long the network may take, in milliseconds, before the cache answers.
const PATIENCE = 3000;
// For how long a network that was too slow is not waited for again.
const SLOW = 20000;
// How often the list is looked at, at most.
const INTERVAL = 60000;
// How many files are fetched at once for a new version: the page that is open needs the connections more.
const LANES = 2;

let slowUntil = 0;
let lookedAt = 0;

self.addEventListener("install", event => {
  event.waitUntil(update().then(() => self.skipWaiting()));
});

self.addEventListener("activate", event => {
  event.waitUntil(self.clients.claim());
});

self.addEventListener("fetch", event => {
  const { request } = event;
  const url = new URL(request.url);
  if (request.method !== "GET" || url.origin !== self.location.origin) return;
  const isPage = request.mode === "navigate" && (PAGES.includes(url.pathname) || url.pathname.startsWith("/wallet/"));
  if (!isPage && !isFile(url.pathname)) return;
  event.respondWith(answer(event, url.pathname, isPage));
  if (isPage) event.waitUntil(lookForUpdate());
});

// A notice: that something waits, and never what. The screen may be locked, or somebody else's to see.
self.addEventListener("push", event => {
  event.waitUntil(show(event.data));
});

self.addEventListener("notificationclick", event => {
  event.notification.close();
  event.waitUntil(open(pathOf(event.notification.data?.path)));
});

const SOMETHING = "Something waits for you in Countersign.";

async function show(data) {
  const notice = read(data);
  const tag = String(notice.tag ?? "countersign");
  // What was decided elsewhere replaces what is on the screen, and says nothing where nothing is.
  const shown = await self.registration.getNotifications({ tag });
  if (notice.over === true && shown.length === 0) return;
  await self.registration.showNotification("Countersign", {
    body: String(notice.text ?? SOMETHING), tag, lang: String(notice.language ?? "en"),
    dir: notice.direction === "rtl" ? "rtl" : "ltr", renotify: notice.over !== true, silent: notice.over === true,
    icon: "/assets/shell/icon-192.png", badge: "/assets/shell/icon-192.png", data: { path: notice.path },
  });
}

// What cannot be read is a notice all the same: browsers end a subscription that shows none.
function read(data) {
  try {
    return data?.json() ?? {};
  } catch {
    return {};
  }
}

// Pages of this server, and nothing else.
function pathOf(path) {
  const url = new URL(typeof path === "string" ? path : "/wallet", self.location.origin);
  return url.origin === self.location.origin && url.pathname.startsWith("/wallet") ? url.href : "/wallet";
}

// The page that is open already, if it is the one; another page of the wallet is left as it is.
async function open(address) {
  const target = new URL(address, self.location.origin).href;
  const pages = await self.clients.matchAll({ type: "window", includeUncontrolled: true });
  const same = pages.find(({ url }) => url === target);
  return same ? same.focus() : self.clients.openWindow(target);
}

function isFile(path) {
  return FILES.includes(path) || LOOKS.includes(path) || (path.startsWith("/assets/") && path !== LIST);
}

// The network first, so that nobody works with an old page; the cache when it fails or takes too long.
async function answer(event, path, isPage) {
  // On its way while the cache is looked through.
  const fetching = fetch(event.request);
  fetching.catch(() => { /* Whoever waits for it below sees that it fails. */ });
  const kept = await find(path);
  const isLook = LOOKS.includes(path);
  if (!kept && !isPage && !isLook) return fetching;
  try {
    const wait = kept ? (Date.now() < slowUntil ? 0 : PATIENCE) : null;
    const response = await within(wait, fetching);
    if (((isPage && kept) || isLook) && response.ok && !response.redirected) event.waitUntil(renew(path, response.clone()));
    // The proxy in front of the server says that it is down: no better than no network.
    return kept && response.status >= 502 && response.status <= 504 ? kept : response;
  } catch (error) {
    if (error instanceof TooSlow) slowUntil = Date.now() + SLOW;
    return kept ?? (await find(OFFLINE)) ?? Response.error();
  }
}

class TooSlow extends Error {}

// The promise, if it is kept within so many milliseconds; `null` waits for ever.
function within(milliseconds, promise) {
  if (milliseconds === null) return promise;
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new TooSlow()), milliseconds);
    promise.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}

// A kept answer, from whichever version has it.
//
// By path alone: a query or fragment is for the page, not for its file.
function find(path) {
  return caches.match(path, { ignoreSearch: true, ignoreVary: true });
}

async function lookForUpdate() {
  if (Date.now() - lookedAt < INTERVAL) return;
  lookedAt = Date.now();
  try {
    await update();
  } catch {
    // Without a network the version that is here goes on.
  }
}

// Keeps everything the server lists, unless this version is here already, and then forgets other versions.
async function update() {
  const { version, files } = await (await get(LIST)).json();
  const name = PREFIX + version;
  if (!(await isWhole(name))) await fill(name, [...PAGES, ...FILES, ...files.filter(isNeeded)]);
  for (const other of await caches.keys()) {
    if (other.startsWith(PREFIX) && other !== name) await caches.delete(other);
  }
}

// A page that was just fetched replaces its older copy.
async function renew(path, response) {
  for (const name of await caches.keys()) {
    if (name.startsWith(PREFIX) && (await isWhole(name))) await (await caches.open(name)).put(path, response.clone());
  }
}

// The list is kept last: where it is missing, the worker was stopped in the middle.
async function isWhole(name) {
  return (await caches.has(name)) && Boolean(await (await caches.open(name)).match(LIST));
}

// All or nothing: a version that came half is none.
async function fill(name, paths) {
  const cache = await caches.open(name);
  try {
    const waiting = [...new Set(paths)];
    await Promise.all(Array.from({ length: LANES }, async () => {
      while (waiting.length > 0) {
        const path = waiting.shift();
        await cache.put(path, await get(path));
      }
    }));
    await cache.put(LIST, await get(LIST));
  } catch (error) {
    await caches.delete(name);
    throw error;
  }
}

// From the server itself, past the browser's own cache; an error, or the page one was sent on to, is not kept.
async function get(path) {
  const response = await fetch(path, { cache: "no-cache", credentials: "same-origin" });
  if (!response.ok || response.redirected) throw new Error(`${path}: ${response.status}`);
  return response;
}
