// The readings of a pointer event: all since the last one, with the angles in one form.

/**
 * The readings of an event, the oldest first: `[{time, clientX, clientY, pressure, altitude, azimuth}]`.
 *
 * Browsers put several readings into one event; without them most of a signature would be lost.
 */
export function readings(event) {
  const all = event.getCoalescedEvents?.() ?? [];
  return (all.length > 0 ? all : [event]).map(reading);
}

/** The reading of one event, without those that it combines. */
export function reading(event) {
  return {
    time: event.timeStamp, clientX: event.clientX, clientY: event.clientY, pressure: event.pressure, ...angles(event),
  };
}

/** Altitude and azimuth in radians; `null` where the browser tells neither them nor a tilt. */
export function angles({ pointerType, altitudeAngle, azimuthAngle, tiltX, tiltY }) {
  // Fingers and mice have no angles, whatever the event says.
  if (pointerType !== 'pen') return { altitude: null, azimuth: null };
  if (typeof altitudeAngle === 'number' && typeof azimuthAngle === 'number') {
    return { altitude: altitudeAngle, azimuth: azimuthAngle };
  }
  return Number.isFinite(tiltX) && Number.isFinite(tiltY) ? fromTilt(tiltX, tiltY) : { altitude: null, azimuth: null };
}

/** The tilts are the angles, in degrees, of the pen's shadows on two upright planes; the tangents add like a vector. */
function fromTilt(tiltX, tiltY) {
  const tangent = (degrees) => Math.tan(Math.min(Math.max(degrees, -89.9), 89.9) * Math.PI / 180);
  const [x, y] = [tangent(tiltX), tangent(tiltY)];
  const azimuth = Math.atan2(y, x);
  return { altitude: Math.atan2(1, Math.hypot(x, y)), azimuth: azimuth < 0 ? azimuth + 2 * Math.PI : azimuth };
}
