// Nobody is there: neither pointer nor keys for some minutes, or the page was out of sight for one.

const idleTime = 5 * 60_000;
const hiddenTime = 60_000;

/** Calls `act` whenever nobody has been there for too long, and again after as long: it may not have been the time yet. */
export function watchIdle(act) {
  let timer = 0;
  let isHidden = false;
  const begin = () => {
    clearTimeout(timer);
    timer = setTimeout(() => {
      act();
      begin();
    }, isHidden ? hiddenTime : idleTime);
  };
  for (const kind of ["pointerdown", "pointermove", "keydown", "wheel", "touchstart"]) addEventListener(kind, begin, { passive: true });
  document.addEventListener("visibilitychange", () => {
    isHidden = document.visibilityState === "hidden";
    begin();
  });
  begin();
}
