// The tabs of one browser tell each other what happened to the session and to the keys.

const channel = "BroadcastChannel" in globalThis ? new BroadcastChannel("countersign") : null;

/** Tells all other tabs: `{kind: "signed-out" | "signed-in" | "keys-changed" | "drafts-dropped" | "held"}`, and why, where that matters. */
export function tell(message) {
  channel?.postMessage(message);
}

/** Calls `handler` with what another tab told. */
export function listen(handler) {
  channel?.addEventListener("message", (event) => {
    if (typeof event.data?.kind === "string") handler(event.data);
  });
}
