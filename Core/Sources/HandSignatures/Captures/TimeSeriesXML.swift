public import Encodings

/// A capture as XML after ISO/IEC 19794-7:2014, Amendment 1 (2015).
///
/// Names and units are those of public examples of the amendment, where there are any; the schema itself is not public.
/// For three elements no example was found, and their names are made like the others: `XChannelDescription`,
/// `YChannelDescription` and `SChannel`. `docs/capture-formats.md` says what could be checked with what.
///
/// It writes version 2.0: one representation with the time of capture, a device that says nothing of itself, the
/// channels, their scales, and the points. The channels are as in `TimeSeriesRecord`, and so are the bits of the
/// inclusion field. It reads, by local names, one representation's scales, largest force, and points: `PenTipCoord` (X,
/// Y), `DTChannel`, or `TChannel` or `TimeChannel`, `FChannel`, `SChannel`, `PenOrient` (`PenAzimuth`, `PenElevation`).
/// It skips every other element. That includes the inclusion field, whose bits differ from example to example: the
/// points tell which channels there are. It refuses other roots and namespaces, a second representation, channels that
/// are constant or without their trend, points without a position or a time, and everything that `StrictXML` refuses.
public enum TimeSeriesXML {
    /// The longest text that is looked into, in bytes; none that is written is as long.
    public static let maximumBytes = 16 << 20

    /// The capture as XML, without loss.
    ///
    /// - Parameter date: when it was made, as XML Schema writes it: `2026-11-22T02:30:00Z`.
    /// - Throws: `inexact` when numbers of 16 bits do not hold it; `malformed` for a date that has other characters.
    public static func write(_ capture: Capture, date: Bytes) throws(CaptureError) -> Bytes {
        let isDate = date.allSatisfy { Bytes(text: "0123456789-:.+TZ").contains($0) }
        guard isDate, (19...35).contains(date.count) else { throw .malformed(line: 0) }
        let series = try TimeSeries(capture)
        let first = series.points[0]
        var channels: UInt16 = 0xC0A0
        if first.force != nil { channels |= 0x0040 }
        if first.azimuth != nil { channels |= 0x0004 }
        if first.elevation != nil { channels |= 0x0002 }
        var text = Bytes(
            text: """
                <?xml version="1.0" encoding="UTF-8"?>
                <SignatureSignTimeSeries xmlns="http://standards.iso.org/iso-iec/19794/-7/ed-1/amd/1" \
                xmlns:cmn="http://standards.iso.org/iso-iec/19794/-1/ed-2/amd/2" cmn:SchemaVersion="1.0">
                <Version><cmn:Major>2</cmn:Major><cmn:Minor>0</cmn:Minor></Version>
                <RepresentationList><Representation>
                <CaptureDateAndTime>
                """)
        text += date
        text += Bytes(
            text: """
                </CaptureDateAndTime>
                <CaptureDevice><DeviceID><cmn:Organization>0</cmn:Organization><cmn:Identifier>0</cmn:Identifier>\
                </DeviceID><DeviceTechnology>Unknown</DeviceTechnology></CaptureDevice>
                <InclusionField>
                """)
        text += Hex.encode([UInt8(channels >> 8), UInt8(channels & 0xFF)]).map { $0 > 0x60 ? $0 - 0x20 : $0 }
        text += Bytes(text: "</InclusionField>\n")
        element("ChannelDescriptionList", in: &text) { text in
            func scale(_ name: String, _ scale: TimeSeriesScale) {
                element(name, in: &text) { number("ScalingValue", scale.numerator, in: &$0) }
            }
            if let x = series.xScale { scale("XChannelDescription", x) }
            if let y = series.yScale { scale("YChannelDescription", y) }
            scale("DTChannelDescription", series.timeScale)
            if first.force != nil {
                element("FChannelDescription", in: &text) { text in
                    number("MinChannelValue", 0, in: &text)
                    number("MaxChannelValue", series.mostForce, in: &text)
                }
            }
            if first.azimuth != nil || first.elevation != nil {
                scale("PenTipOrientationChannelDescription", series.azimuthScale)
            }
        }
        element("SamplePointList", in: &text) { text in
            for point in series.points { write(point, to: &text) }
        }
        return text + Bytes(text: "</Representation></RepresentationList>\n</SignatureSignTimeSeries>\n")
    }

    private static func write(_ point: TimeSeries.Point, to text: inout Bytes) {
        element("SamplePoint", in: &text) { text in
            element("PenTipCoord", in: &text) { text in
                number("cmn:X", Int64(point.x), in: &text)
                number("cmn:Y", Int64(point.y), in: &text)
            }
            number("DTChannel", point.time, in: &text)
            if let force = point.force { number("FChannel", force, in: &text) }
            number("SChannel", point.touches == true ? 1 : 0, in: &text)
            if point.azimuth != nil || point.elevation != nil {
                element("PenOrient", in: &text) { text in
                    if let azimuth = point.azimuth { number("PenAzimuth", azimuth, in: &text) }
                    if let elevation = point.elevation { number("PenElevation", elevation, in: &text) }
                }
            }
        }
        text.append(0x0A)
    }

    private static func element(_ name: String, in text: inout Bytes, _ content: (inout Bytes) -> Void) {
        text += Bytes(text: "<") + Bytes(text: name) + Bytes(text: ">")
        content(&text)
        text += Bytes(text: "</") + Bytes(text: name) + Bytes(text: ">")
    }

    private static func number(_ name: String, _ value: Int64, in text: inout Bytes) {
        element(name, in: &text) { text in
            if value < 0 { text.append(0x2D) }
            text += decimalBytes(value.magnitude)
        }
    }

    /// Reads the XML of a capture.
    ///
    /// - Parameter tool: what it was made with, which the XML does not say reliably.
    /// - Throws: `unknownUnit` for other roots, namespaces and kinds of channels; `malformed` with the line; `tooLarge`,
    ///   `tooManySamples`; what `Capture.init` throws; `tooShort`, `tooLong`, `brokenClock`.
    public static func read(_ text: Bytes, tool: Capture.Tool) throws(CaptureError) -> Capture {
        guard text.count <= maximumBytes else { throw .tooLarge(limit: maximumBytes) }
        var reader = try TimeSeriesXMLReader(text)
        return try reader.read().capture(tool: tool)
    }
}
