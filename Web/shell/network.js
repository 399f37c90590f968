// Without a network every page of an area says so, until the connection is back.

import { $ } from "./dom.js";
import { t } from "./translate.js";

/** Shows and hides the banner of the layout. */
export function watchNetwork() {
  const banner = $("#no-network");
  if (!banner) return;
  const show = () => {
    banner.hidden = navigator.onLine;
    $("p", banner).textContent = navigator.onLine ? "" : t`No connection. Everything this device has kept is still here.`;
  };
  addEventListener("online", show);
  addEventListener("offline", show);
  show();
}
