// What every page of the desk begins with.

import { start as begin } from "../accounts/official.js";
import "./refusals.js";

export { fragment } from "../shell/fragment.js";

/** Starts a page of the desk with `page(me)` (accounts/official.js). */
export const start = (page) => begin(page, "read_desk");
