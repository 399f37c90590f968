// Sending a body with its progress, which `fetch` cannot tell, by POST or PUT. Same rules as shell/api.js.

import { goToSignIn, Problem } from "../shell/api.js";

/** As api.js waits: longer than the server's own limit. */
const patience = 75_000;

/**
 * Sends a body.
 *
 * @param onProgress called with the part that was sent, 0 to 1
 * @throws Problem, as the functions of `api` do
 */
export function send(method, path, body, onProgress = () => {}) {
  return new Promise((resolve, reject) => {
    const sending = new XMLHttpRequest();
    sending.open(method, path);
    sending.setRequestHeader("Accept", "application/json");
    sending.setRequestHeader("Content-Type", "application/json");
    sending.setRequestHeader("Countersign-Session", "cookie");
    sending.upload.onprogress = ({ loaded, total }) => onProgress(total > 0 ? loaded / total : 1);
    // Only the silence after the last byte is limited: a slow line may take its time.
    sending.upload.onload = () => { sending.timeout = patience + performance.now() - begun; };
    sending.onload = () => {
      if (sending.status >= 200 && sending.status < 300) return resolve(JSON.parse(sending.responseText));
      const problem = read(sending);
      if (problem.kind === "unauthenticated") goToSignIn();
      return reject(problem);
    };
    sending.onerror = sending.ontimeout = sending.onabort = () => reject(new Problem("offline", {
      title: "No connection", detail: "The connection was lost while sending.",
    }));
    const begun = performance.now();
    sending.send(JSON.stringify(body));
  });
}

function read(sending) {
  let said = {};
  try {
    said = JSON.parse(sending.responseText);
  } catch {
    // An answer by something between us and the server.
  }
  return new Problem(typeof said.type === "string" ? said.type.split("/").pop() : "internal", {
    status: sending.status, title: said.title ?? "The server could not do this", detail: said.detail,
    retryAfter: Number(sending.getResponseHeader("Retry-After")) || null,
  });
}
