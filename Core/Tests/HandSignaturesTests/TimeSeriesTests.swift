import Encodings
import Testing

@testable import HandSignatures

/// The forms of ISO/IEC 19794-7, put together by hand from the tables of `docs/capture-formats.md`.
@Suite("Signature time series")
struct TimeSeriesTests {
    /// A record of ten points with the channels X, Y and others, whose description and points are hexadecimal digits.
    private static func record(_ channels: String, _ descriptions: String, points: (Int) -> String) -> Bytes {
        Hex.decode(
            Bytes(
                text: "53444900" + "20313000" + channels + descriptions + "00" + "00" + "00000a"
                    + (0..<10).map(points).joined())) ?? []
    }

    private static func hex(_ value: Int) -> String {
        Array(Hex.encode([UInt8(value >> 8), UInt8(value & 0xFF)])).map { String(UnicodeScalar($0)) }.joined()
    }

    @Test("a scale is a mantissa and a power of two")
    func scales() {
        for (encoded, numerator, denominator) in [
            (0x8000 as UInt16, 2_048 as Int64, 2_048 as Int64), (0xCFA0, 4_000, 4), (0xFFFF, 65_520, 1),
            (0x0000, 2_048, 1 << 27),
        ] {
            let scale = TimeSeriesScale(encoded: encoded)
            #expect(scale.numerator * denominator == numerator * scale.denominator)
        }
        for whole in [1, 2, 3, 96, 100, 1_000, 2_047, 2_048, 10_000, 50_000, 65_520] as [Int64] {
            let encoded = TimeSeriesScale(numerator: whole, denominator: 1).encoded
            #expect(encoded.map { TimeSeriesScale(encoded: $0).value(of: whole, parts: 1_000) } == 1_000, "\(whole)")
        }
        for other in [2_049 * 2 + 1, 65_521, 65_536, 100_000] as [Int64] {
            #expect(TimeSeriesScale(numerator: other, denominator: 1).encoded == nil, "\(other)")
        }
    }

    @Test("the least: X, Y and T in thousandths of a second")
    func absoluteTime() throws {
        let record = Self.record("c100", "00" + "00" + "80cfa0") { index in
            Self.hex(32_768 + 10 * index) + Self.hex(32_768 - index) + Self.hex(500 + 15 * index)
        }
        let capture = try TimeSeriesRecord.read(record, tool: .touch)
        #expect(capture.tool == .touch && capture.pressureLevels == 0 && capture.stepNanometres == 0)
        #expect(capture.samples.map(\.time) == (0..<10).map { $0 * 15_000 })
        #expect(capture.samples[3] == Capture.Sample(time: 45_000, x: 30, y: -3))
    }

    @Test(
        "a constant DT is not in the points; without a tip switch no force is a lift; what is not used is passed over")
    func constantTime() throws {
        // X and Y in hundredths of a millimetre, Z, a constant DT of 1/50 s, F with minimum, maximum and mean, R.
        let descriptions = "80b480" + "80b480" + "00" + "84ac80" + "70000003ff0100" + "00"
        let record = Self.record("e0c1", descriptions) { index in
            Self.hex(32_768 + index) + Self.hex(32_768) + "1234" + Self.hex([5, 6].contains(index) ? 0 : 700) + "ffff"
        }
        let capture = try TimeSeriesRecord.read(record, tool: .pen)
        #expect(capture.samples.map(\.time) == (0..<10).map { $0 * 20_000 })
        #expect(capture.pressureLevels == 1_023 && capture.stepNanometres == 10_000)
        #expect(capture.samples.indices.filter { capture.samples[$0].isPenUp } == [5, 6])
    }

    @Test("a pen in the air is marked as long as it is there, so that it can be told from one that writes")
    func inAir() throws {
        let record = Self.record("c120", "00" + "00" + "80cfa0" + "00") { index in
            Self.hex(32_768 + index) + Self.hex(32_768) + Self.hex(15 * index) + ((4...6).contains(index) ? "00" : "01")
        }
        let capture = try TimeSeriesRecord.read(record, tool: .pen)
        #expect(capture.samples.indices.filter { capture.samples[$0].isPenUp } == [4, 5, 6])
        #expect(try capture.written().samples.map(\.x) == [0, 1, 2, 3, 4, 7, 8, 9])
    }

    @Test("records that are refused")
    func refusedRecords() throws {
        func points(_ index: Int) -> String { Self.hex(32_768) + Self.hex(32_768) + Self.hex(15 * index) }
        let good = Self.record("c100", "0000" + "80cfa0", points: points)
        #expect(throws: Never.self) { try TimeSeriesRecord.read(good, tool: .pen) }
        var versions = good
        versions.replaceSubrange(4..<8, with: [0x30, 0x32, 0x30, 0])
        var extended = good
        extended[8 + 2 + 5 + 1] = 1
        for (record, what) in [
            (versions, "the second edition"), (extended, "extended data"),
            (Self.record("c000", "0000") { _ in Self.hex(32_768) + Self.hex(32_768) }, "no time"),
            (Self.record("4100", "00" + "80cfa0") { Self.hex(32_768) + Self.hex(15 * $0) }, "no X"),
            (Self.record("c100", "0400" + "80cfa0") { Self.hex(32_768) + Self.hex(15 * $0) }, "a constant X"),
            (Self.record("c100", "0200" + "80cfa0", points: points), "no trend"),
            (Self.record("c100", "0100" + "80cfa0", points: points), "a reserved bit"),
            (Self.record("c100", "800000" + "800000" + "80cfa0", points: points), "a step of 65 metres"),
        ] {
            #expect(throws: CaptureError.unknownUnit, "\(what)") { try TimeSeriesRecord.read(record, tool: .pen) }
        }
        #expect(throws: CaptureError.malformed(line: 0)) { try TimeSeriesRecord.read(good + [0], tool: .pen) }
        #expect(throws: CaptureError.malformed(line: 0)) { try TimeSeriesRecord.read([0] + good, tool: .pen) }
    }

    @Test("XML with prefixes, other elements and either time")
    func xml() throws {
        for (channel, scale) in [("DTChannel", "DTChannelDescription"), ("TimeChannel", "TChannelDescription")] {
            let points = (0..<10).map { index in
                """
                <s:SamplePoint><s:PenTipVelocity><s:VelocityX>9</s:VelocityX></s:PenTipVelocity>
                <s:\(channel)>\(channel == "DTChannel" ? 20 : 20 * index)</s:\(channel)>
                <s:PenTipCoord><c:Z>0</c:Z><c:Y> -\(index + 1) </c:Y><c:X>\(index)</c:X></s:PenTipCoord></s:SamplePoint>
                """
            }
            let text = """
                <?xml version='1.0' encoding='utf-8' standalone="yes"?>
                <s:SignatureSignTimeSeries SchemaVersion="1.0" xmlns:c="c" xmlns:s="http://standards.iso.org/iso-iec/19794/-7">
                <s:Version><c:Major>2</c:Major></s:Version><s:RepresentationList><s:Representation>
                <s:CaptureDevice><s:DeviceTechnology a="&lt;">Pen &amp; ink</s:DeviceTechnology><s:Nothing/></s:CaptureDevice>
                <s:InclusionField>6CC0</s:InclusionField>
                <s:ChannelDescriptionList><s:\(scale)><s:ScalingValue>1000.0</s:ScalingValue></s:\(scale)>
                </s:ChannelDescriptionList><s:SamplePointList>\(points.joined())</s:SamplePointList>
                </s:Representation></s:RepresentationList><s:VendorSpecificData/></s:SignatureSignTimeSeries>

                """
            let capture = try TimeSeriesXML.read(Bytes(text: text), tool: .pen)
            #expect(capture.samples.map(\.time) == (0..<10).map { $0 * 20_000 })
            #expect(capture.samples[2] == Capture.Sample(time: 40_000, x: 2, y: -3))
        }
    }
}
