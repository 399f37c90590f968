// Sending a large body with its progress, which `fetch` cannot tell. Same rules as shell/api.js.

import { Problem, sessionWasRefused } from "./api.js";
import { isOver } from "./over.js";
import { t } from "./translate.js";

/** As api.js waits: longer than the server's own limit. */
const patience = 75_000;

/**
 * Sends a body, by POST unless `method` says otherwise.
 *
 * @param onProgress called with the part that was sent, 0 to 1
 * @throws Problem, as the functions of `api` do
 */
export function upload(path, body, onProgress = () => {}, method = "POST") {
  if (isOver()) return Promise.reject(new Problem("unauthenticated", { status: 401, title: t`Sign in first` }));
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open(method, path);
    request.setRequestHeader("Accept", "application/json");
    request.setRequestHeader("Content-Type", "application/json");
    request.setRequestHeader("Countersign-Session", "cookie");
    request.upload.onprogress = ({ loaded, total }) => onProgress(total > 0 ? loaded / total : 1);
    // Only the silence after the last byte is limited: a slow line may take its time.
    request.upload.onload = () => { request.timeout = patience + performance.now() - begun; };
    request.onload = () => {
      if (request.status >= 200 && request.status < 300) {
        resolve(JSON.parse(request.responseText));
        return;
      }
      const problem = read(request);
      if (problem.kind === "unauthenticated") sessionWasRefused();
      reject(problem);
    };
    request.onerror = request.ontimeout = request.onabort = () => reject(new Problem("offline", {
      title: t`No connection`, detail: t`The connection was lost while sending.`,
    }));
    const begun = performance.now();
    request.send(JSON.stringify(body));
  });
}

function read(request) {
  let said = {};
  try {
    said = JSON.parse(request.responseText);
  } catch {
    // An answer by something between us and the server.
  }
  return new Problem(typeof said.type === "string" ? said.type.split("/").pop() : "internal", {
    status: request.status, title: said.title ?? t`The server could not do this`, detail: said.detail,
    retryAfter: Number(request.getResponseHeader("Retry-After")) || null,
  });
}
