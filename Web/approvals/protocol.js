// The protocol of approvals, decided in Core (Core/Sources/ApprovalBrowser): what a challenge shows, which bytes answer
// it, what a receipt proves. It signs nothing: bytes to sign come out, and the signature goes back in.

import { moduleAt } from "../shell/core.js";

const approvals = moduleAt("/assets/approvals/approvals.wasm");

/** Calls a function of it: as `call` of shell/core.js. */
export const call = approvals.call;
