// What time it is at the server, whose time counts. A device's own clock may be wrong by hours.

/** Milliseconds that an answer's Date may differ by the way that it took, and because it counts whole seconds. */
const usual = 5000;

/** How far this device's clock is ahead, in milliseconds. */
let ahead = 0;

/** Notes the Date of an answer that came just now. */
export function noteTime(date) {
  const time = Date.parse(date ?? "");
  if (Number.isNaN(time)) return;
  const difference = Date.now() - time;
  ahead = Math.abs(difference) > usual ? difference : 0;
}

/** Seconds since 1970. */
export const now = () => Math.floor((Date.now() - ahead) / 1000);
