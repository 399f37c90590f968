// The whole format of the vault, for pages that read and write it: docs/vault-format.md.

export { VaultError } from "./bytes.js";
export * from "./compartment.js";
export * from "./content.js";
export { isName } from "./metadata.js";
export * from "./slots.js";
