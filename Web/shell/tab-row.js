// A row of tabs that is wider than the screen.

/** Scrolls the row of this tab, and nothing else, so that the tab is in the middle as far as the row goes. */
export function bringIntoSight(tab) {
  const [own, row] = [tab, tab.parentElement].map((one) => one.getBoundingClientRect());
  tab.parentElement.scrollLeft += own.left + own.width / 2 - row.left - row.width / 2;
}
