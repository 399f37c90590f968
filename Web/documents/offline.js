// What this device can do on its own. The service worker also answers with this page when it has no other.

import { seen } from "../accounts/mine.js";
import { nameOf } from "../accounts/names.js";
import { $, clone } from "../shell/dom.js";
import { isInstalled } from "../shell/install.js";
import { redraw } from "../shell/redraw.js";
import { typeTitle } from "../shell/text.js";
import { t } from "../shell/translate.js";
import { offerInstall } from "./install-hint.js";
import { isKept } from "./kept.js";

const isElsewhere = location.pathname !== "/wallet/offline";

showWhy();
await showDocuments();
await showKept();
offerInstall($("#install"));
addEventListener("online", () => { if (isElsewhere) location.reload(); });
$("#retry").addEventListener("click", () => location.reload());
document.documentElement.dataset.state = "ready";

/** This page replaces another one, which needs the network. */
function showWhy() {
  if (!isElsewhere) return;
  $("#heading").textContent = t`No connection`;
  $("#lead").textContent = t`This page needs the server, which cannot be reached. See below what this device can do by itself.`;
  $("#retry").hidden = false;
}

async function showDocuments() {
  const items = (await seen("/api/documents"))?.items ?? [];
  const kept = await Promise.all(items.map((info) => isKept(info.id)));
  const here = items.filter((_, index) => kept[index]);
  $("#none").hidden = here.length > 0;
  redraw($("#documents"), here, (info) => clone("document-row", {
    title: typeTitle(info.type), href: `/wallet/document#${encodeURIComponent(info.id)}`, issuer: nameOf(info.issuer),
    issued: info.issued,
  }));
}

async function showKept() {
  const names = (await caches?.keys().catch(() => []) ?? []).filter((name) => name.startsWith("countersign "));
  const isReady = Boolean(navigator.serviceWorker?.controller) && names.length > 0;
  const ready = isInstalled()
    ? t`The wallet's pages are kept on this device, and it is installed. It opens without a network.`
    : t`The wallet's pages are kept on this device. It opens without a network.`;
  $("#kept").textContent = isReady ? ready
    : t`The wallet's pages are not kept in this browser. In a private window, or an old browser, it needs the network.`;
}
