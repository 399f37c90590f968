// Staying signed in elsewhere: this page says again and again that its person is there, while they can see it.

import { b64u, fromB64u } from "../shell/core.js";
import { openChannel } from "./channel.js";
import { forward, settled } from "./protocol.js";

/** Random bytes for a message: the number that a session begins with, and an IV. */
const randomBytes = 64;

/**
 * Keeps a session open.
 *
 * @param session `{id, key}`, as the run gave it, and `address` that of its channel
 * @param changed is told each state that the service answered: "active" or "paused"
 * @returns `{pause(), resume(), end(), over}`: `over` resolves when the session was ended, to whether it was here, and rejects when it is lost
 */
export function stay({ session: { id, key }, address, changed }) {
  const channel = openChannel(address);
  let wanted = "active";
  let wake = () => {};
  // A page that nobody sees cannot tell that its person is there.
  const state = () => (wanted === "active" && document.hidden ? "paused" : wanted);
  const want = (next) => () => {
    wanted = next;
    wake();
  };
  const seen = () => wake();
  document.addEventListener("visibilitychange", seen);

  async function turn(kept, announced) {
    const before = kept ? { kept } : {};
    const random = b64u(crypto.getRandomValues(new Uint8Array(randomBytes)));
    const sent = await settled("announce", { id, key, ...before, random, state: announced, time: forward() }, []);
    await channel.write(fromB64u(sent.message));
    const message = b64u(await channel.read(Math.max(0, sent.deadline - forward())));
    return settled("announced", { id, key, kept: sent.kept, message, time: forward() }, []);
  }

  async function whole() {
    let kept = null;
    for (;;) {
      const announced = state();
      const heard = await turn(kept, announced);
      if (heard.send_at === null) return announced === "stopped";
      kept = heard.kept;
      changed(heard.state);
      await new Promise((done) => {
        const timer = setTimeout(done, Math.max(0, heard.send_at - forward()));
        wake = () => {
          if (state() === announced) return;
          clearTimeout(timer);
          done();
        };
        wake();
      });
    }
  }

  const over = whole().finally(() => document.removeEventListener("visibilitychange", seen));
  return { pause: want("paused"), resume: want("active"), end: want("stopped"), over };
}
