// The wallet's log page.

import { showAge, start } from "../shell/frame.js";
import { showOwnEntries } from "./own-entries.js";

start(async () => showAge([await showOwnEntries()]), ["document", "device", "enrolment", "delegation"]);
