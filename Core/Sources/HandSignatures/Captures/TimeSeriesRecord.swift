public import Encodings

/// A capture as a record of bytes: the general format of ISO/IEC 19794-7, first edition (2007), big-endian.
///
/// | field | bytes | |
/// | --- | --- | --- |
/// | format, version | 8 | `SDI`, 0, space, `10`, 0 |
/// | channels | 2 | a bit each from the highest: X Y Z VX VY AX AY T DT F S TX TY AZ EL R |
/// | for each: what is told | 1 | a bit each: scale, minimum, maximum, mean, deviation; constant; trend removed; reserved |
/// | for each: these | 2 each | |
/// | reserved | 1 | 0 |
/// | extended data | 1 | 0: none |
/// | points | 3 | how many |
/// | for each point: its channels | 2 each, S 1 | |
///
/// Numbers of the channels that can be negative (X, Y, VX, VY, AX, AY, TX, TY) have 32,768 added.
///
/// It writes X, Y and DT with scales (X and Y only when the step is known), F with minimum and maximum, and S. It
/// writes AZ and EL with scales when the capture has them. It reads the same, T before DT, and a constant DT (one step
/// of its scale each time, and not in the points). It skips other channels, minima, means and deviations. It refuses
/// other versions, including the second edition's (2014), whose header is not public. It also refuses extended data,
/// other constant channels and those without their trend, and records without X, Y or a time. The compact format of
/// cards, which says nothing of its channels, is not read. What all this was checked with is in
/// `docs/capture-formats.md`.
public enum TimeSeriesRecord {
    /// The longest record that is looked into, in bytes: all channels of the most samples and their descriptions.
    public static let maximumBytes = 31 * Capture.mostSamples + 256

    static let magic: Bytes = [0x53, 0x44, 0x49, 0]
    static let version: Bytes = [0x20, 0x31, 0x30, 0]

    /// The capture as a record, without loss.
    ///
    /// - Throws: `inexact` when numbers of 16 bits do not hold it.
    public static func write(_ capture: Capture) throws(CaptureError) -> Bytes {
        let series = try TimeSeries(capture)
        let first = series.points[0]
        var channels: [(channel: TimeSeriesChannel, told: UInt8, values: [UInt16])] = []
        func scaled(_ channel: TimeSeriesChannel, _ scale: TimeSeriesScale?) {
            if let scale = scale?.encoded {
                channels.append((channel, 0x80, [scale]))
            } else {
                channels.append((channel, 0, []))
            }
        }
        scaled(.x, series.xScale)
        scaled(.y, series.yScale)
        scaled(.timeStep, series.timeScale)
        if first.force != nil { channels.append((.force, 0x60, [0, UInt16(clamping: series.mostForce)])) }
        channels.append((.tipSwitch, 0, []))
        if first.azimuth != nil { scaled(.azimuth, series.azimuthScale) }
        if first.elevation != nil { scaled(.elevation, series.elevationScale) }

        var record = magic + version
        append(channels.reduce(0) { $0 | 1 << UInt16($1.channel.rawValue) }, to: &record)
        for channel in channels {
            record.append(channel.told)
            for value in channel.values { append(value, to: &record) }
        }
        record += [0, 0, 0, UInt8(series.points.count >> 8 & 0xFF), UInt8(series.points.count & 0xFF)]
        for point in series.points {
            for (channel, _, _) in channels {
                let value = channel.value(of: point) + (channel.isSigned ? 32_768 : 0)
                if channel.isByte {
                    record.append(UInt8(value))
                } else {
                    append(UInt16(value), to: &record)
                }
            }
        }
        return record
    }

    private static func append(_ value: UInt16, to record: inout Bytes) {
        record += [UInt8(value >> 8), UInt8(value & 0xFF)]
    }

    /// Reads a record, whole.
    ///
    /// - Parameter tool: what it was made with, which a record does not say.
    /// - Throws: `unknownUnit` for what is refused; `malformed` for what is no record, has an end in the wrong place
    ///   included; `tooLarge`, `tooManySamples`; what `Capture.init` throws; `tooShort`, `tooLong`, `brokenClock`.
    public static func read(_ record: Bytes, tool: Capture.Tool) throws(CaptureError) -> Capture {
        guard record.count <= maximumBytes else { throw .tooLarge(limit: maximumBytes) }
        var reader = TimeSeriesRecordReader(record)
        return try reader.read().capture(tool: tool)
    }
}

/// The channels, by their place in the field that says which there are.
enum TimeSeriesChannel: Int {
    case rotation, elevation, azimuth, tiltY, tiltX, tipSwitch, force, timeStep, time
    case accelerationY, accelerationX, velocityY, velocityX, z, y, x

    /// Whether its numbers can be negative.
    var isSigned: Bool {
        switch self {
        case .x, .y, .velocityX, .velocityY, .accelerationX, .accelerationY, .tiltX, .tiltY: true
        case .z, .time, .timeStep, .force, .tipSwitch, .azimuth, .elevation, .rotation: false
        }
    }

    /// Whether it takes one byte in a point, and not two.
    var isByte: Bool { self == .tipSwitch }

    /// The point's number in a channel that is written; 0 for the others.
    func value(of point: TimeSeries.Point) -> Int64 {
        switch self {
        case .x: Int64(point.x)
        case .y: Int64(point.y)
        case .timeStep: point.time
        case .force: point.force ?? 0
        case .tipSwitch: point.touches == true ? 1 : 0
        case .azimuth: point.azimuth ?? 0
        case .elevation: point.elevation ?? 0
        default: 0
        }
    }
}
