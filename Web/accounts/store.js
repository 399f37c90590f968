// What this browser remembers (IndexedDB). Private keys are in here too, but only wrapped: see wrap.js.

const name = "countersign";
const version = 1;
const stores = ["devices", "documents", "anchors", "settings"];

let opening = null;

/** Transactions under way, each with whether it has everything that it needs. */
const running = new Map();
/** The database that is being made again, if any. */
let upgrade = null;

// A page that is put aside for the way back keeps its locks: in Safari every later page would wait for them for ever.
let isAside = false;
addEventListener("pagehide", () => {
  isAside = true;
  for (const [transaction, isWhole] of running) end(transaction, isWhole);
  if (upgrade) end(upgrade, false);
  opening?.then((database) => database.close()).catch(() => {});
  opening = null;
});
addEventListener("pageshow", () => { isAside = false; });

function end(transaction, isWhole) {
  try {
    if (isWhole) transaction.commit();
    else transaction.abort();
  } catch {
    // It has ended by itself.
  }
}

/** The value under `key`, or undefined. */
export const get = (store, key) => run(store, "readonly", (place) => place.get(key));

/** Stores `value` under `key`; resolves once it is durable. */
export const put = (store, key, value) => whole(store, (place) => { place.put(value, key); });

/** Forgets what is under `key`. */
export const remove = (store, key) => whole(store, (place) => { place.delete(key); });
export { remove as delete };

/** Everything in `store`, as `{key, value}`. */
export async function all(store) {
  const found = [];
  await run(store, "readonly", (place) => {
    place.openCursor().onsuccess = ({ target: { result: cursor } }) => {
      if (!cursor) return;
      found.push({ key: cursor.key, value: cursor.value });
      cursor.continue();
    };
  });
  return found;
}

/** Removes what lies between each two keys of `ranges`, then stores `entries`, in one transaction: all of it or nothing. */
export const replace = (store, ranges, entries) => whole(store, (place) => {
  for (const [from, before] of ranges) place.delete(IDBKeyRange.bound(from, before, false, true));
  for (const [key, value] of Object.entries(entries)) place.put(value, key);
});

/** Stores `value` under `key` if what is under `guard` still `holds`, in one transaction. */
export const putWhile = (name, guard, holds, key, value) => run(name, "readwrite", (place) => {
  place.get(guard).onsuccess = ({ target }) => {
    if (holds(target.result)) place.put(value, key);
  };
});

/**
 * Replaces the value under `key` by what `change` makes of it, in one transaction: two tabs cannot overwrite each
 * other. `undefined` removes it. Returns the new value.
 */
export async function update(store, key, change) {
  let value;
  await run(store, "readwrite", (place) => {
    place.get(key).onsuccess = ({ target }) => {
      value = change(target.result);
      if (value === undefined) place.delete(key);
      else place.put(value, key);
    };
  });
  return value;
}

/**
 * Asks the browser not to throw the keys away when space gets short. Nobody waits for it: Firefox asks the person, who
 * need not answer.
 */
export function keep() {
  navigator.storage?.persist?.().catch(() => {});
}

/** A change that reads nothing first: where the page ends, it is done all the same. */
const whole = (store, work) => run(store, "readwrite", work, true);

async function run(store, mode, work, isWhole = false) {
  // A page that only looks makes no database. In WebKit, one whose making is interrupted by leaving the page is never ready
  // for any later page.
  if (mode === "readonly" && !opening && !await exists()) return undefined;
  const database = await open();
  return new Promise((resolve, reject) => {
    if (isAside) throw new Error("the page was left");
    const transaction = database.transaction(store, mode, { durability: "strict" });
    const request = work(transaction.objectStore(store));
    running.set(transaction, isWhole);
    transaction.oncomplete = () => { running.delete(transaction); resolve(request?.result); };
    transaction.onabort = () => {
      running.delete(transaction);
      reject(transaction.error ?? new Error("the page was left"));
    };
  });
}

/** Whether there is a database; true where a browser cannot say. */
const exists = async () => !indexedDB.databases || (await indexedDB.databases()).some((one) => one.name === name);

function open() {
  if (isAside) return Promise.reject(new Error("the page was left"));
  opening ??= new Promise((resolve, reject) => {
    const request = indexedDB.open(name, version);
    request.onupgradeneeded = () => {
      upgrade = request.transaction;
      for (const store of stores) {
        if (!request.result.objectStoreNames.contains(store)) request.result.createObjectStore(store);
      }
    };
    request.onerror = () => reject(request.error);
    request.onsuccess = () => {
      upgrade = null;
      const database = request.result;
      // Another tab has a newer version of this program, or storage was cleared: open again at the next use.
      database.onversionchange = () => { database.close(); opening = null; };
      database.onclose = () => { opening = null; };
      resolve(database);
    };
  }).catch((error) => { opening = null; throw error; });
  return opening;
}
