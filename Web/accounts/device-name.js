// How a browser is called that becomes a device.

import { bare, t } from "../shell/translate.js";

/** The name of this browser until the person gives another. */
export function suggestedDeviceName() {
  const text = navigator.userAgent;
  const find = (table) => table.find(([mark]) => text.includes(mark))?.[1];
  const browser = find([["Edg/", "Edge"], ["Firefox/", "Firefox"], ["OPR/", "Opera"], ["Chrome/", "Chrome"],
    ["CriOS/", "Chrome"], ["Safari/", "Safari"]]) ?? t`Browser`;
  const system = find([["iPhone", "iPhone"], ["iPad", "iPad"], ["Android", "Android"], ["Windows", "Windows"],
    ["Mac OS X", "Mac"], ["CrOS", "ChromeOS"], ["Linux", "Linux"]]);
  return system ? bare(t`${browser} on ${system}`) : browser;
}
