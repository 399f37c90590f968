// The parts of the page that need an open vault, together: fetched when it is opened for the first time.

import { adding } from "./adding.js";
import * as arriving from "./arriving.js";
import * as changing from "./changing.js";
import { isCarrying } from "./carry-dialog.js";
import { clearOthers, drawInside, drawOthers, share } from "./inside.js";
import { drawKept, keep, unkeep } from "./keeping-view.js";
import { Keeping, sayStale } from "./keeping.js";
import { listing } from "./listing.js";
import * as note from "./note.js";
import { present } from "./counter.js";
import { draftOf } from "./drafts.js";
import * as locks from "./item-locks.js";
import * as shared from "./shared-folders.js";
import { drawTrash } from "./trash.js";
import { endWork, isAtWork, untilLocked } from "./until-locked.js";
import { root } from "./vault-state.js";
import * as versions from "./versions.js";
import { saveCopy, viewing } from "./viewing.js";
import { drawWays } from "./ways.js";

/** Makes them for a page. */
export const make = (page) => ({
  root, arriving, changing, locks, note, versions, draftOf, drawTrash, drawWays, drawInside, drawOthers, clearOthers, share, shared,
  adding: adding(page), listing: listing(page), viewing: { ...viewing(page), present, saveCopy },
  keeping: new Keeping({ vault: page.home, stored: page.stored }), kept: { draw: drawKept, keep, unkeep, sayStale }, isCarrying, carrying: () => import("./carrying.js"),
  endWork, isAtWork, untilLocked, offerIssued: async (...of) => (await import("./issued.js")).offerIssued(...of),
});
