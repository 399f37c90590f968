import Encodings

/// Takes a record apart; see `TimeSeriesRecord`.
struct TimeSeriesRecordReader {
    private let record: Bytes
    private var position = 0

    init(_ record: Bytes) { self.record = record }

    /// A channel that there is.
    private struct Description {
        let channel: TimeSeriesChannel
        var scale: TimeSeriesScale?
        var most: Int64?
        var isConstant = false
    }

    /// - Throws: `malformed`, `unknownUnit`, `tooManySamples`.
    mutating func read() throws(CaptureError) -> TimeSeries {
        guard try take(4) == TimeSeriesRecord.magic else { throw .malformed(line: 0) }
        guard try take(4) == TimeSeriesRecord.version else { throw .unknownUnit }
        let descriptions = try self.descriptions()
        var series = TimeSeries()
        var hasTime = false
        for description in descriptions {
            switch description.channel {
            case .x: series.xScale = description.scale
            case .y: series.yScale = description.scale
            case .time:
                (series.timeScale, series.isAbsolute) = (description.scale ?? .one, true)
                hasTime = true
            case .timeStep where !series.isAbsolute:
                series.timeScale = description.scale ?? .one
                hasTime = true
            case .force: series.mostForce = description.most ?? series.mostForce
            case .azimuth: series.azimuthScale = description.scale ?? .one
            case .elevation: series.elevationScale = description.scale ?? .one
            default: break
            }
        }
        guard descriptions.count > 1, descriptions[0].channel == .x, descriptions[1].channel == .y, hasTime else {
            throw .unknownUnit
        }
        guard try number(1) == 0 else { throw .malformed(line: 0) }
        guard try number(1) == 0 else { throw .unknownUnit }
        let count = Int(try number(3))
        guard count <= Capture.mostSamples else { throw .tooManySamples(count) }
        let channels = descriptions.filter { !$0.isConstant }.map { $0.channel }
        let size = channels.reduce(0) { $0 + ($1.isByte ? 1 : 2) }
        guard record.count - position == count * size else { throw .malformed(line: 0) }
        series.points.reserveCapacity(count)
        for _ in 0..<count { series.points.append(try point(channels, isAbsolute: series.isAbsolute)) }
        return series
    }

    /// From X on.
    private mutating func descriptions() throws(CaptureError) -> [Description] {
        let included = try number(2)
        var descriptions: [Description] = []
        for place in (0..<16).reversed() where included >> Int64(place) & 1 == 1 {
            guard let channel = TimeSeriesChannel(rawValue: place) else { throw .unknownUnit }
            var description = Description(channel: channel)
            let told = try number(1)
            description.isConstant = told & 0x04 != 0
            guard told & 0x03 == 0, !description.isConstant || channel == .timeStep else { throw .unknownUnit }
            if told & 0x80 != 0 { description.scale = TimeSeriesScale(encoded: UInt16(try number(2))) }
            for value in [0x40, 0x20, 0x10, 0x08] as [Int64] where told & value != 0 {
                let number = try number(2)
                if value == 0x20 { description.most = number }
            }
            descriptions.append(description)
        }
        return descriptions
    }

    private mutating func point(
        _ channels: [TimeSeriesChannel], isAbsolute: Bool
    ) throws(CaptureError) -> TimeSeries.Point {
        // A constant DT is one step.
        var point = TimeSeries.Point(time: 1)
        for channel in channels {
            let value = try number(channel.isByte ? 1 : 2)
            switch channel {
            case .x: point.x = Int32(value - 32_768)
            case .y: point.y = Int32(value - 32_768)
            case .time: point.time = value
            case .timeStep where !isAbsolute: point.time = value
            case .force: point.force = value
            case .tipSwitch: point.touches = value != 0
            case .azimuth: point.azimuth = value
            case .elevation: point.elevation = value
            default: break
            }
        }
        return point
    }

    private mutating func take(_ count: Int) throws(CaptureError) -> Bytes {
        guard record.count - position >= count else { throw .malformed(line: 0) }
        defer { position += count }
        return Array(record[position..<position + count])
    }

    private mutating func number(_ count: Int) throws(CaptureError) -> Int64 {
        guard record.count - position >= count else { throw .malformed(line: 0) }
        var value: Int64 = 0
        for _ in 0..<count {
            value = value << 8 | Int64(record[position])
            position += 1
        }
        return value
    }
}
