// The verify page as one file: the same checker, with Core out of the page itself and without a server.

import { useModule } from '../shell/core.js';
import { startChecker, startGiving } from './checker.js';

const packed = atob(document.getElementById('core').textContent.trim());

useModule(Uint8Array.from(packed, (character) => character.charCodeAt(0)));
startGiving();
startChecker({ isServed: false });
