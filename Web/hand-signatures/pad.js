// The pad for signing: a canvas that reads pen, finger or mouse, and shows the ink as it is written. It knows nothing
// of the page around it.

import { reading, readings } from './readings.js';
import { Recording } from './recording.js';
import { Surface } from './surface.js';

/** A hand that rests while a pen writes is no finger; after so many milliseconds without the pen it may be one. */
const palmTime = 2_000;

/** No scrolling, zooming, selecting or menus: a hand that signs wants none of them. */
const still = { touchAction: 'none', userSelect: 'none', webkitUserSelect: 'none', webkitTouchCallout: 'none' };
const defaults = ['contextmenu', 'mousedown', 'dragstart', 'selectstart', 'touchstart', 'touchmove'];

/**
 * Makes a pad of a canvas that styles give its size.
 *
 * @param onChange called when a stroke begins or ends, and when the pad was cleared
 * @param onIgnored called as `onIgnored(kind, wanted)` when a person tries another tool than the one that counts;
 *   `wanted` is `null` for a tool that never does
 * @param kinds the tools that may write: `pen`, `touch`, `mouse`
 * @returns see the last lines
 */
export function makePad(canvas, { onChange = () => {}, onIgnored = () => {}, kinds = ['pen', 'touch', 'mouse'] } = {}) {
  let recording = null;
  /** The pointer that writes: `{id, kind}`. */
  let active = null;
  let only = null;
  let isSpent = false;
  let isPaused = false;
  /** When a pen was last seen here, in the air too; `null` when never. */
  let penSeen = null;
  const surface = new Surface(canvas, () => recording);
  const ending = new AbortController();

  Object.assign(canvas.style, still);
  for (const name of defaults) on(canvas, name, (event) => { if (event.cancelable) event.preventDefault(); });
  on(canvas, 'pointerdown', down);
  on(canvas, 'pointermove', move);
  on(canvas, 'pointerup', up);
  // Where the tool was then, neither of them tells.
  on(canvas, 'pointercancel', lost);
  on(canvas, 'lostpointercapture', lost);
  on(window, 'resize', () => surface.refit());
  on(matchMedia('(prefers-color-scheme: dark)'), 'change', () => surface.redraw());

  function on(target, name, handler) {
    target.addEventListener(name, handler, { signal: ending.signal, passive: false });
  }

  function down(event) {
    const kind = ['pen', 'touch'].includes(event.pointerType) ? event.pointerType : 'mouse';
    if (isPaused || event.button !== 0 || !counts(kind, event)) return;
    event.preventDefault();
    if (isSpent || (recording && recording.tool !== kind)) clear();
    active = { id: event.pointerId, kind };
    recording ??= new Recording(kind);
    try {
      canvas.setPointerCapture(event.pointerId);
    } catch {
      // It has left already; what it wrote until now counts.
    }
    write([reading(event)]);
    onChange();
  }

  /** Whether this tool may begin a stroke now. */
  function counts(kind, event) {
    const seen = penSeen;
    if (kind === 'pen') penSeen = event.timeStamp;
    if (!kinds.includes(kind)) return void onIgnored(kind, null);
    // The palm comes down before the pen does; what it drew was not meant.
    if (kind === 'pen' && (only ?? kind) === kind && active?.kind !== kind) return true;
    if (active) return false;
    const wanted = only ?? (kind === 'touch' && seen !== null ? 'pen' : tool() ?? kind);
    if (kind === wanted) return true;
    const isPalm = kind === 'touch' && seen !== null && event.timeStamp - seen < palmTime;
    if (!isPalm) onIgnored(kind, wanted);
    return false;
  }

  function move(event) {
    if (event.pointerType === 'pen') penSeen = event.timeStamp;
    if (event.pointerId !== active?.id) return;
    // The end was missed, as when a menu of the system took it.
    if ((event.buttons & 1) === 0) return end();
    event.preventDefault();
    write(readings(event));
  }

  function up(event) {
    if (event.pointerId !== active?.id) return;
    // Once lifted, nothing is pressed or measured any more, whatever the event says.
    write([{ ...reading(event), pressure: 0, altitude: null, azimuth: null }], { isLift: true });
    end();
  }

  function lost(event) {
    if (event.pointerId === active?.id) end();
  }

  function end() {
    active = null;
    recording.lift();
    surface.lift();
    onChange();
  }

  function write(given, options) {
    for (const one of surface.write(given, recording.tool === 'pen')) recording.add(one, options);
  }

  function clear() {
    active = null;
    recording = null;
    isSpent = false;
    canvas.classList.remove('spent');
    surface.clear();
    onChange();
  }

  const tool = () => (isSpent ? null : recording?.tool ?? null);

  return {
    /** The capture's text; `null` while nothing is written. */
    text: () => (isSpent ? null : recording?.text() ?? null),
    /** What writes; `null` while nothing is written. */
    tool,
    isWriting: () => active !== null,
    isTooLong: () => recording?.isTooLong ?? false,
    clear,
    /** The ink stays visible, and goes when the next stroke begins. */
    spend: () => {
      isSpent = recording !== null;
      canvas.classList.toggle('spent', isSpent);
    },
    /** Lets only this tool write; `null` for any. */
    only: (kind) => { only = kind; },
    pause: (value) => { isPaused = value; },
    close: () => {
      ending.abort();
      surface.close();
    },
  };
}
