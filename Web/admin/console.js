// What every page of the console begins with.

import { start as begin } from "../accounts/official.js";

/** Starts a page of the console with `page(me)` (accounts/official.js). */
export const start = (page) => begin(page, "read_requests");
