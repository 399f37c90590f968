import Encodings

/// Takes XML apart; see `TimeSeriesXML`.
struct TimeSeriesXMLReader {
    private static let namespace = "http://standards.iso.org/iso-iec/19794/-7"
    private var xml: StrictXML
    private var series = TimeSeries()
    /// Whether the scale of DT, which T has not, was told.
    private var timeStepScale: TimeSeriesScale?

    init(_ text: Bytes) throws(CaptureError) { xml = try StrictXML(text) }

    /// - Throws: `malformed`, `unknownUnit`, `tooManySamples`.
    mutating func read() throws(CaptureError) -> TimeSeries {
        guard let root = try xml.child() else { throw xml.broken }
        let declaration = Bytes(text: root.prefix.isEmpty ? "xmlns" : "xmlns:") + root.prefix
        guard root.isNamed("SignatureSignTimeSeries"),
            root.attributes.contains(where: {
                $0.name == declaration && $0.value.starts(with: Bytes(text: Self.namespace))
            })
        else { throw .unknownUnit }
        var representations = 0
        while let list = try xml.child() {
            guard list.isNamed("RepresentationList") else {
                try xml.skip()
                continue
            }
            while let one = try xml.child() {
                representations += 1
                guard one.isNamed("Representation") else { throw xml.broken }
                guard representations == 1 else { throw .unknownUnit }
                try representation()
            }
        }
        try xml.finish()
        guard representations == 1 else { throw xml.broken }
        if !series.isAbsolute { series.timeScale = timeStepScale ?? .one }
        return series
    }

    private mutating func representation() throws(CaptureError) {
        while let part = try xml.child() {
            if part.isNamed("ChannelDescriptionList") {
                while let description = try xml.child() { try self.description(description) }
            } else if part.isNamed("SamplePointList") {
                while let point = try xml.child() {
                    guard point.isNamed("SamplePoint") else { throw xml.broken }
                    guard series.points.count < Capture.mostSamples else {
                        throw .tooManySamples(series.points.count + 1)
                    }
                    try self.point()
                }
            } else {
                try xml.skip()
            }
        }
    }

    private mutating func description(_ tag: StrictXML.Tag) throws(CaptureError) {
        var scale: TimeSeriesScale?
        var most: Int64?
        while let value = try xml.child() {
            if value.isNamed("ScalingValue") {
                scale = try self.scale()
            } else if value.isNamed("MaxChannelValue") {
                most = try number()
            } else if value.isNamed("ConstantValue") || value.isNamed("RemovedLinearComponent") {
                let flag = try xml.content().trimmingSpace()
                guard flag.equals("false") || flag.equals("0") else { throw .unknownUnit }
            } else {
                try xml.skip()
            }
        }
        if tag.isNamed("XChannelDescription") { series.xScale = scale }
        if tag.isNamed("YChannelDescription") { series.yScale = scale }
        if tag.isNamed("TChannelDescription") { series.timeScale = scale ?? .one }
        if tag.isNamed("DTChannelDescription") { timeStepScale = scale }
        if tag.isNamed("FChannelDescription") { series.mostForce = most ?? series.mostForce }
        if tag.isNamed("PenTipOrientationChannelDescription") {
            (series.azimuthScale, series.elevationScale) = (scale ?? .one, scale ?? .one)
        }
    }

    /// A positive number with up to six places.
    private mutating func scale() throws(CaptureError) -> TimeSeriesScale {
        guard var steps = FixedPoint.parse(try xml.content().trimmingSpace(), places: 6), steps > 0 else {
            throw xml.broken
        }
        var units: Int64 = 1_000_000
        while units > 1, steps % 10 == 0 { (steps, units) = (steps / 10, units / 10) }
        return TimeSeriesScale(numerator: steps, denominator: units)
    }

    private mutating func point() throws(CaptureError) {
        var x: Int64?
        var y: Int64?
        var absolute: Int64?
        var step: Int64?
        var force: Int64?
        var touches: Int64?
        var azimuth: Int64?
        var elevation: Int64?
        while let value = try xml.child() {
            if value.isNamed("PenTipCoord") {
                try both("X", &x, "Y", &y)
            } else if value.isNamed("PenOrient") {
                try both("PenAzimuth", &azimuth, "PenElevation", &elevation)
            } else if value.isNamed("TChannel") || value.isNamed("TimeChannel") {
                try once(&absolute)
            } else if value.isNamed("DTChannel") {
                try once(&step)
            } else if value.isNamed("FChannel") {
                try once(&force)
            } else if value.isNamed("SChannel") {
                try once(&touches)
            } else {
                try xml.skip()
            }
        }
        let hasTime = series.points.isEmpty || series.isAbsolute == (absolute != nil)
        guard let x, let y, let time = absolute ?? step, hasTime, touches == nil || touches == 0 || touches == 1 else {
            throw xml.broken
        }
        series.isAbsolute = absolute != nil
        series.points.append(
            TimeSeries.Point(
                x: Int32(clamping: x), y: Int32(clamping: y), time: time, force: force,
                touches: touches.map { $0 == 1 }, azimuth: azimuth, elevation: elevation))
    }

    /// Takes two numbers inside an element; either may be missing.
    private mutating func both(
        _ firstName: StaticString, _ first: inout Int64?, _ secondName: StaticString, _ second: inout Int64?
    ) throws(CaptureError) {
        while let value = try xml.child() {
            if value.isNamed(firstName) {
                try once(&first)
            } else if value.isNamed(secondName) {
                try once(&second)
            } else {
                try xml.skip()
            }
        }
    }

    /// Takes a number that may be there once.
    private mutating func once(_ value: inout Int64?) throws(CaptureError) {
        guard value == nil else { throw xml.broken }
        value = try number()
    }

    private mutating func number() throws(CaptureError) -> Int64 {
        let text = try xml.content().trimmingSpace()
        let isNegative = text.first == 0x2D
        guard let size = parseDecimal(isNegative ? Array(text.dropFirst()) : text), let number = Int64(exactly: size)
        else {
            throw xml.broken
        }
        return isNegative ? -number : number
    }
}
