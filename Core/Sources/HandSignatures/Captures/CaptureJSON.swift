public import Encodings

/// The project's own form of a capture: JSON of whole numbers, which a page makes and the server keeps.
///
/// ```json
/// {"format":"countersign-capture-1","pressure_levels":65535,
///  "samples":[[0,1250,-310,20000,4500,18000,0],[7500,1262,-305,0,null,null,1]],"tool":"pen",
///  "units":{"angle":"centidegree","position":"step","step_nanometres":0,"time":"microsecond"}}
/// ```
///
/// A sample is time, x, y, pressure, altitude, azimuth (numbers or null) and whether the tool leaves the surface here, 0
/// or 1. A page gives positions in hundredths of a CSS pixel. It does not know the size of a pixel, so
/// `step_nanometres` is 0. Written is the canonical form (RFC 8785). Members may come in any order; none may be
/// missing, unknown or twice.
public enum CaptureJSON {
    /// The longest text that is looked into, in bytes; none that is written is as long.
    public static let maximumBytes = 2 << 20
    private static let format = "countersign-capture-1"
    /// A sample is an array and seven values; the rest are the members around them.
    private static let mostValues = 8 * Capture.mostSamples + 16

    /// The capture as canonical JSON.
    public static func write(_ capture: Capture) -> Bytes { json(capture).serialized() }

    /// The capture as a part of other JSON.
    public static func json(_ capture: Capture) -> JSON {
        .members([
            ("format", .text(format)),
            ("pressure_levels", .integer(Int64(capture.pressureLevels))),
            ("samples", .array(capture.samples.map(value))),
            ("tool", .text(name(of: capture.tool))),
            (
                "units",
                .members([
                    ("angle", .text("centidegree")), ("position", .text("step")),
                    ("step_nanometres", .integer(Int64(capture.stepNanometres))), ("time", .text("microsecond")),
                ])
            ),
        ])
    }

    /// Reads a capture.
    ///
    /// - Throws: `tooLarge`, `tooManySamples`; `unknownUnit` for another format, tool or unit; `malformed` for what is no
    ///   such JSON; what `Capture.init` throws; `tooShort`, `tooLong`, `brokenClock`.
    public static func read(_ bytes: Bytes) throws(CaptureError) -> Capture {
        guard bytes.count <= maximumBytes else { throw .tooLarge(limit: maximumBytes) }
        return try read(try parse(bytes))
    }

    /// Reads a capture that is a part of other JSON; `read` says what it throws.
    public static func read(_ json: JSON) throws(CaptureError) -> Capture {
        guard json.members?.count == 5, json["format"]?.string?.equals(text: format) == true,
            let tool = Self.tool(json["tool"]),
            let levels = json["pressure_levels"]?.integer, let units = json["units"], units.members?.count == 4,
            units["angle"]?.isString("centidegree") == true, units["position"]?.isString("step") == true,
            units["time"]?.isString("microsecond") == true, let step = units["step_nanometres"]?.integer
        else { throw .unknownUnit }
        guard let values = json["samples"]?.array else { throw .malformed(line: 0) }
        guard values.count <= Capture.mostSamples else { throw .tooManySamples(values.count) }
        var samples: [Capture.Sample] = []
        samples.reserveCapacity(values.count)
        for (index, value) in values.enumerated() { samples.append(try sample(value, index: index)) }
        return try Capture(
            tool: tool, pressureLevels: Int32(clamping: levels), stepNanometres: Int32(clamping: step), samples: samples
        ).withUsableClock()
    }

    private static func parse(_ bytes: Bytes) throws(CaptureError) -> JSON {
        do {
            return try JSON.parse(
                bytes, maximumLength: maximumBytes, maximumDepth: 3, maximumCount: mostValues)
        } catch {
            // More values than the most samples have: at least one sample more.
            throw error == .tooManyValues ? .tooManySamples(Capture.mostSamples + 1) : .malformed(line: 0)
        }
    }

    private static func value(_ sample: Capture.Sample) -> JSON {
        func angle(_ angle: Int32?) -> JSON { angle.map { .integer(Int64($0)) } ?? .null }
        return .array([
            .integer(sample.time), .integer(Int64(sample.x)), .integer(Int64(sample.y)),
            .integer(Int64(sample.pressure)),
            angle(sample.altitude), angle(sample.azimuth), .integer(sample.isPenUp ? 1 : 0),
        ])
    }

    private static func sample(_ value: JSON, index: Int) throws(CaptureError) -> Capture.Sample {
        guard let values = value.array, values.count == 7, let time = values[0].integer, let x = values[1].integer,
            let y = values[2].integer, let pressure = values[3].integer, let altitude = angle(values[4]),
            let azimuth = angle(values[5]), let penUp = values[6].integer, penUp == 0 || penUp == 1
        else { throw .malformed(line: 0) }
        // A value that does not fit is out of range too, and stays so when it is made to fit.
        return Capture.Sample(
            time: time, x: Int32(clamping: x), y: Int32(clamping: y), pressure: Int32(clamping: pressure),
            altitude: altitude.map { Int32(clamping: $0) }, azimuth: azimuth.map { Int32(clamping: $0) },
            isPenUp: penUp == 1)
    }

    /// An angle that may be unknown; `nil` when it is neither number nor null.
    private static func angle(_ value: JSON) -> Int64?? {
        value == .null ? .some(nil) : value.integer.map { .some($0) }
    }

    private static func name(of tool: Capture.Tool) -> String {
        switch tool {
        case .pen: "pen"
        case .touch: "touch"
        case .mouse: "mouse"
        }
    }

    private static func tool(_ value: JSON?) -> Capture.Tool? {
        guard let name = value?.string else { return nil }
        for tool in [Capture.Tool.pen, .touch, .mouse] where name.equals(text: Self.name(of: tool)) { return tool }
        return nil
    }
}
