// The parts of the page that need an open vault, together: fetched when it is opened for the first time.

import { adding } from "./adding.js";
import * as changing from "./changing.js";
import { clearOthers, drawInside, drawOthers, share } from "./inside.js";
import { listing } from "./listing.js";
import * as note from "./note.js";
import * as shared from "./shared-folders.js";
import { drawTrash } from "./trash.js";
import { root } from "./vault-state.js";
import * as versions from "./versions.js";
import { present, saveCopy, viewing } from "./viewing.js";
import { drawWays } from "./ways.js";

/** Makes them for a page. */
export const make = (page) => ({
  root, changing, note, versions, drawTrash, drawWays, drawInside, drawOthers, clearOthers, share, shared,
  adding: adding(page), listing: listing(page), viewing: { ...viewing(page), present, saveCopy },
});
