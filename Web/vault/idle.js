// Nobody is there: neither pointer nor keys for some minutes, or the page was out of sight for one.

const idleTime = 5 * 60_000;
/** Somebody who copies words by hand looks at paper, and touches nothing. */
const copyingTime = 15 * 60_000;
const hiddenTime = 60_000;

/**
 * Calls `act` whenever nobody has been there for too long, and again after as long: it may not have been the time yet.
 *
 * @param isCopying whether something is shown now that is to be copied by hand
 */
export function watchIdle(act, isCopying) {
  let timer = 0;
  let isHidden = false;
  let since = Date.now();
  const limit = () => (isHidden ? hiddenTime : isCopying() ? copyingTime : idleTime);
  const wait = () => {
    since = Date.now();
    look();
  };
  /** Looks again after the shorter time: nothing says here that such words came or went. */
  const look = () => {
    clearTimeout(timer);
    timer = setTimeout(() => {
      // A timer may be a moment early by the other clock.
      if (!isHidden && isCopying() && Date.now() - since < copyingTime - 1000) look();
      else {
        act();
        wait();
      }
    }, isHidden ? hiddenTime : idleTime);
  };
  /** Somebody is there again. While a device or a page sleeps no timer runs: the time may have been over long ago. */
  const end = () => {
    if (Date.now() - since >= limit()) act();
  };
  const begin = () => {
    end();
    wait();
  };
  for (const kind of ["pointerdown", "pointermove", "keydown", "wheel", "touchstart"]) addEventListener(kind, begin, { passive: true });
  document.addEventListener("visibilitychange", () => {
    end();
    isHidden = document.visibilityState === "hidden";
    wait();
  });
  wait();
}
