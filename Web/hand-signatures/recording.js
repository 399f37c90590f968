// The readings of a surface while a person signs, as a capture (`countersign-capture-1`): whole numbers, in the order
// of time.
//
// Nothing here knows of a page: readings go in, text comes out.

/** The most samples and the longest time, in microseconds, that a signature may have. */
const mostSamples = 10_000;
const longest = 20_000_000;
/** The largest coordinate, either way, in hundredths of a pixel. */
const farthest = 1_000_000;
const pressureLevels = 65_535;
const quarterTurn = 9_000;
const fullTurn = 36_000;

/** One signature, reading by reading. */
export class Recording {
  /** @param tool `pen`, `touch` or `mouse` */
  constructor(tool) {
    this.tool = tool;
    /** `{time, x, y, pressure, altitude, azimuth, isLift}`: microseconds, hundredths of a pixel, 0...1, radians or null. */
    this.samples = [];
    this.start = null;
  }

  /**
   * Adds a reading.
   *
   * @param reading `{time, x, y, pressure, altitude, azimuth}`: milliseconds of any clock, CSS pixels, 0...1, radians or
   *   `null`
   */
  add({ time, x, y, pressure = 0, altitude = null, azimuth = null }, { isLift = false } = {}) {
    // One more than fits stays, so that what reads the text refuses it, too.
    if (this.samples.length > mostSamples) return;
    this.start ??= time;
    // Clocks of devices repeat themselves and go back. Later readings are later: a step back in time is left out.
    const elapsed = Math.max(Math.round((time - this.start) * 1000), this.samples.at(-1)?.time ?? 0);
    const sample = { time: elapsed, x: hundredths(x), y: hundredths(y), pressure, altitude, azimuth, isLift };
    this.samples.push(sample);
  }

  /** The tool leaves the surface, there where it was last. */
  lift() {
    const last = this.samples.at(-1);
    if (last) last.isLift = true;
  }

  get isEmpty() { return this.samples.length === 0; }

  /** Whether it is more than any capture may hold: nothing that comes now can make it a signature. */
  get isTooLong() {
    return this.samples.length > mostSamples || (this.samples.at(-1)?.time ?? 0) > longest;
  }

  /** The capture as canonical JSON; `null` when there is nothing. */
  text() {
    if (this.isEmpty) return null;
    const levels = this.tellsPressure ? pressureLevels : 0;
    const tellsAngles = this.tellsAngles;
    const samples = this.samples.map(({ time, x, y, pressure, altitude, azimuth, isLift }, index) => [
      time, x, y, Math.round(Math.min(Math.max(pressure, 0), 1) * levels),
      tellsAngles && altitude !== null ? centidegrees(altitude, quarterTurn) : null,
      tellsAngles && azimuth !== null ? centidegrees(azimuth, fullTurn) % fullTurn : null,
      isLift || index === this.samples.length - 1 ? 1 : 0,
    ]);
    // In the order of the names, without spaces: the same capture has the same bytes.
    return JSON.stringify({
      format: 'countersign-capture-1', pressure_levels: levels, samples, tool: this.tool,
      units: { angle: 'centidegree', position: 'step', step_nanometres: 0, time: 'microsecond' },
    });
  }

  /**
   * Only pens do. For fingers, browsers tell a size or nothing, and the model for fingers knows no pressure. A pen that
   * cannot tell it says the same all the time, mostly a half; one that can is never so steady.
   */
  get tellsPressure() {
    const pressed = this.samples.filter(({ isLift }) => !isLift);
    return this.tool === 'pen' && pressed.some(({ pressure }) => pressure !== pressed[0].pressure);
  }

  /** The same of angles: a pen that stands upright in every sample is one whose angles nobody measures. */
  get tellsAngles() {
    return this.tool === 'pen' && this.samples.some(({ altitude }) => altitude !== null && altitude < Math.PI / 2);
  }
}

function hundredths(pixels) {
  return Math.min(Math.max(Math.round(pixels * 100), -farthest), farthest);
}

function centidegrees(radians, most) {
  return Math.min(Math.max(Math.round(radians * quarterTurn * 2 / Math.PI), 0), most);
}
