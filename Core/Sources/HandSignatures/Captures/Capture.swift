/// A signature as a sensor recorded it: what a reader makes of a file, and what everything else begins with.
///
/// Integers, so that what is stored, sent and hashed is what is compared. Positions and pressure are in the sensor's own
/// steps: comparisons are with captures of the same kind of device, and do not depend on the unit.
public struct Capture: Sendable, Equatable {
    /// What touched the surface.
    ///
    /// Pens and fingers move differently: each has a model of its own.
    public enum Tool: Sendable, Equatable {
        case pen
        case touch
        case mouse
    }

    /// One position of the tool.
    public struct Sample: Sendable, Equatable {
        /// Microseconds since the first sample; not always increasing, which is repaired later.
        public var time: Int64
        /// To the right, in steps.
        public var x: Int32
        /// Upwards or downwards, as the sensor has it, in steps.
        public var y: Int32
        /// From 0 to `pressureLevels`.
        public var pressure: Int32
        /// The angle between tool and surface in hundredths of a degree: 0 lying, 9,000 upright; `nil` when unknown.
        public var altitude: Int32?
        /// Where the tool points, in hundredths of a degree, 0 to 36,000; `nil` when unknown.
        public var azimuth: Int32?
        /// Whether the tool leaves the surface here: the last sample of a stroke, or a marker of a sensor that has some.
        public var isPenUp: Bool

        /// A position.
        public init(
            time: Int64, x: Int32, y: Int32, pressure: Int32 = 0, altitude: Int32? = nil, azimuth: Int32? = nil,
            isPenUp: Bool = false
        ) {
            self.time = time
            self.x = x
            self.y = y
            self.pressure = pressure
            self.altitude = altitude
            self.azimuth = azimuth
            self.isPenUp = isPenUp
        }
    }

    /// What touched the surface.
    public var tool: Tool
    /// The largest pressure that the sensor can tell; 0 when it tells none.
    public var pressureLevels: Int32
    /// Nanometres from one step of position to the next; 0 when nobody knows, as in a page.
    ///
    /// Told for pictures and for other programs: no comparison depends on it.
    public var stepNanometres: Int32
    /// In the order in which they were made.
    public var samples: [Sample]

    /// The largest coordinate, either way: a sensor a metre wide with steps of a micrometre.
    public static let largestCoordinate: Int32 = 1_000_000
    /// The coarsest step that positions can have, in nanometres.
    public static let largestStep: Int32 = 10_000_000
    /// The most samples: a minute at 500 a second.
    public static let mostSamples = 30_000
    /// The longest recording, in microseconds.
    public static let longest: Int64 = 60_000_000
    /// The longest that anybody signs, in microseconds.
    ///
    /// Twice as long as the slowest of 3,520 genuine signatures of four research sets (9.97 s). Nine of 2,639 practised
    /// forgeries took longer.
    public static let longestSignature: Int64 = 20_000_000
    /// The most samples of a signature: 20 s at 500 a second.
    public static let mostSignatureSamples = 10_000
    /// The shortest signature, in microseconds.
    public static let shortest: Int64 = 100_000
    /// The fewest samples.
    public static let fewestSamples = 8

    /// A capture whose values a sensor can have given.
    ///
    /// - Throws: the first fault. A capture in one point or line is not a fault: it is compared.
    public init(
        tool: Tool, pressureLevels: Int32, stepNanometres: Int32 = 0, samples: [Sample]
    ) throws(CaptureError) {
        guard samples.count <= Self.mostSamples else { throw .tooManySamples(samples.count) }
        guard samples.count >= Self.fewestSamples else { throw .tooFewSamples(samples.count) }
        guard (0...1_000_000).contains(pressureLevels), (0...Self.largestStep).contains(stepNanometres) else {
            throw .outOfRange(sample: 0)
        }
        for (index, sample) in samples.enumerated() {
            guard sample.x.magnitude <= Self.largestCoordinate.magnitude,
                sample.y.magnitude <= Self.largestCoordinate.magnitude,
                (0...pressureLevels).contains(sample.pressure),
                (0...9_000).contains(sample.altitude ?? 0), (0...36_000).contains(sample.azimuth ?? 0),
                // So that sums of steps cannot overflow.
                sample.time.magnitude <= 1 << 40
            else { throw .outOfRange(sample: index) }
        }
        self.tool = tool
        self.pressureLevels = pressureLevels
        self.stepNanometres = stepNanometres
        self.samples = samples
    }
}
