// Trusted Types: the addresses that may become scripts by way of a text, and no others.

const ours = new Set([
  "/sw.js", "/assets/scanner/scan-worker.js", "/assets/vault/export-worker.js", "/assets/vault/pin-worker.js",
  "/assets/vault/stretch-worker.js",
]);

const policy = globalThis.trustedTypes?.createPolicy("countersign", {
  createScriptURL(address) {
    if (!ours.has(address)) throw new TypeError(`not one of our scripts: ${address}`);
    return address;
  },
});

/** The address of one of our workers, as the browser wants it. */
export const ownScript = (address) => (policy ? policy.createScriptURL(address) : address);
