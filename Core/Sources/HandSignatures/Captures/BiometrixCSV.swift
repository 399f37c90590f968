public import Encodings

/// The file that Biometrix, the original program, kept of one signature: a line of decimals for each sample.
///
/// Columns: id, x, y, p, ax, ay, vx, vy, altitude, azimuth, timestamp. The reader takes the positions, in steps of a
/// hundredth of their unit, and the pressure, 0 to 1, in 65,535 levels. It takes the angles, either of which may be
/// empty, and the time in seconds, from the first sample on. Velocities and accelerations are computed again from the
/// positions, so their columns are ignored, as is the id. The file does not say where the pen was lifted: no sample is
/// marked, and a lift is the gap in time that it leaves.
public enum BiometrixCSV {
    /// The unit of the angles, which the file does not say.
    public enum AngleUnit: Sendable, Equatable {
        case radians
        case degrees
    }

    /// The longest file that is looked into, in bytes.
    public static let maximumBytes = 8 << 20
    private static let header = "id,x,y,p,ax,ay,vx,vy,altitude,azimuth,timestamp"
    private static let columns = 11
    private static let pressureLevels: Int32 = 65_535

    /// Reads a file.
    ///
    /// - Parameters:
    ///   - angles: what altitude and azimuth count. It has to be known: 1.5 is an angle in both.
    /// - Throws: `malformed` with the line, of a number that is none too; `tooLarge`, `tooManySamples`; what
    ///   `Capture.init` throws; `tooShort`, `tooLong`, `brokenClock`.
    public static func read(
        _ bytes: Bytes, tool: Capture.Tool, angles: AngleUnit
    ) throws(CaptureError) -> Capture {
        guard bytes.count <= maximumBytes else { throw .tooLarge(limit: maximumBytes) }
        var rows = CSVRows(bytes)
        guard let first = rows.next(), first.whole.equals(text: header) else { throw .malformed(line: 1) }
        var samples: [Capture.Sample] = []
        var start: Int64?
        while let row = rows.next() {
            guard samples.count < Capture.mostSamples else { throw .tooManySamples(samples.count + 1) }
            guard row.count == columns, let x = FixedPoint.parse(row.bytes(1), places: 2),
                let y = FixedPoint.parse(row.bytes(2), places: 2),
                let force = FixedPoint.parse(row.bytes(3), places: 9),
                let time = FixedPoint.parse(row.bytes(10), places: 6)
            else { throw .malformed(line: rows.line) }
            let (elapsed, overflow) = time.subtractingReportingOverflow(start ?? time)
            guard (0...1_000_000_000).contains(force), !overflow else { throw .outOfRange(sample: samples.count) }
            start = start ?? time
            let azimuth = try angle(row.bytes(9), angles, line: rows.line)
            samples.append(
                Capture.Sample(
                    time: elapsed, x: Int32(clamping: x), y: Int32(clamping: y),
                    pressure: Int32((force * Int64(pressureLevels) + 500_000_000) / 1_000_000_000),
                    altitude: try angle(row.bytes(8), angles, line: rows.line),
                    // The same direction, told from 0 on.
                    azimuth: azimuth.map { (-18_000..<0).contains($0) ? $0 + 36_000 : $0 }))
        }
        return try Capture(tool: tool, pressureLevels: pressureLevels, samples: samples).withUsableClock()
    }

    /// Hundredths of a degree; `nil` for an empty field.
    private static func angle(_ text: Bytes, _ unit: AngleUnit, line: Int) throws(CaptureError) -> Int32? {
        guard !text.isEmpty else { return nil }
        let places = unit == .degrees ? 2 : 6
        guard let value = FixedPoint.parse(text, places: places) else { throw .malformed(line: line) }
        guard unit == .radians else { return Int32(clamping: value) }
        // A thousand radians are beyond any angle, and their product below fits.
        guard value.magnitude <= 1_000_000_000 else { return .max }
        // A radian is 5,729.577951 hundredths of a degree.
        let scaled = value * 5_729_577_951
        let half: Int64 = scaled < 0 ? -500_000_000_000 : 500_000_000_000
        return Int32(clamping: (scaled + half) / 1_000_000_000_000)
    }
}
