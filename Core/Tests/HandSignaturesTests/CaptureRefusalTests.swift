import Encodings
import Testing

@testable import HandSignatures

/// Inputs that are not captures: each reader says so, and none does more work than it has to.
@Suite("Captures that are refused")
struct CaptureRefusalTests {
    typealias Reader = @Sendable (Bytes) throws(CaptureError) -> Capture

    private static let record: Reader = { bytes throws(CaptureError) in try TimeSeriesRecord.read(bytes, tool: .pen) }
    private static let xml: Reader = { bytes throws(CaptureError) in try TimeSeriesXML.read(bytes, tool: .pen) }
    private static let csv: Reader = { bytes throws(CaptureError) in
        try BiometrixCSV.read(bytes, tool: .pen, angles: .radians)
    }

    private static func json(_ samples: String, tool: String = "pen", units: String = Self.units) -> Bytes {
        Bytes(
            text:
                #"{"format":"countersign-capture-1","pressure_levels":9,"samples":[\#(samples)],"tool":"\#(tool)","units":\#(units)}"#
        )
    }

    private static let units =
        #"{"angle":"centidegree","position":"step","step_nanometres":0,"time":"microsecond"}"#

    private static func jsonSamples(_ count: Int, step: Int) -> String {
        (0..<count).map { "[\($0 * step),0,0,0,null,null,0]" }.joined(separator: ",")
    }

    @Test("JSON")
    func json() throws {
        let good = Self.jsonSamples(9, step: 20_000)
        #expect(throws: Never.self) { try CaptureJSON.read(Self.json(good)) }
        func sample(_ text: String) -> Bytes { Self.json(good + "," + text) }
        let cases: [(Bytes, CaptureError)] = [
            (Bytes(), .malformed(line: 0)), (Bytes(text: "{}"), .unknownUnit), (Bytes(text: "[]"), .unknownUnit),
            (Self.json("[0,0,0,0,null,null,0]"), .tooFewSamples(1)), (Self.json(""), .tooFewSamples(0)),
            (sample("[180000,NaN,0,0,null,null,0]"), .malformed(line: 0)),
            (sample("[180000,1.0,0,0,null,null,0]"), .malformed(line: 0)),
            (sample("[180000,1e3,0,0,null,null,0]"), .malformed(line: 0)),
            (sample("[180000,-0,0,0,null,null,0]"), .malformed(line: 0)),
            (sample("[180000,0,0,-1,null,null,0]"), .outOfRange(sample: 9)),
            (sample("[180000,0,0,10,null,null,0]"), .outOfRange(sample: 9)),
            (sample("[180000,9007199254740991,0,0,null,null,0]"), .outOfRange(sample: 9)),
            (sample("[180000,0,0,0,9001,null,0]"), .outOfRange(sample: 9)),
            (sample("[180000,0,0,0,null,36001,0]"), .outOfRange(sample: 9)),
            (sample("[180000,0,0,0,null,null,2]"), .malformed(line: 0)),
            (sample("[180000,0,0,0,null,null,false]"), .malformed(line: 0)),
            (sample("[180000,0,0,0,null,null]"), .malformed(line: 0)),
            (sample("{}"), .malformed(line: 0)), (sample("[180000,0,0,[0],null,null,0]"), .malformed(line: 0)),
            (Self.json(Self.jsonSamples(9, step: 1_000)), .tooShort),
            (Self.json(Self.jsonSamples(360, step: 10_000_000)), .tooLong),
            (Self.json(Self.jsonSamples(9, step: -20_000)), .brokenClock),
            (Self.json(Self.jsonSamples(Capture.mostSamples + 1, step: 1)), .tooManySamples(Capture.mostSamples + 1)),
            (Self.json(Self.jsonSamples(1_000_000, step: 1)), .tooLarge(limit: CaptureJSON.maximumBytes)),
            (Self.json(String(repeating: "0,", count: 900_000)), .tooManySamples(Capture.mostSamples + 1)),
            (Self.json(good, tool: "stylus"), .unknownUnit),
            (Self.json(good, units: Self.units.replacingWord("microsecond", "millisecond")), .unknownUnit),
            (Self.json(good, units: Self.units.replacingWord("centidegree", "degree")), .unknownUnit),
            (Self.json(good, units: #"{"angle":"centidegree","position":"step","time":"microsecond"}"#), .unknownUnit),
            (Self.json(good, units: Self.units.replacingWord(":0,", ":-1,")), .outOfRange(sample: 0)),
            (Bytes(text: #"{"more":1,"#) + Self.json(good).dropFirst(), .unknownUnit),
            (Bytes(text: #"{"tool":"pen","#) + Self.json(good).dropFirst(), .malformed(line: 0)),
            (Self.json(good) + [0x20, 0x7D], .malformed(line: 0)),
        ]
        for (text, error) in cases {
            #expect(throws: error, "\(Array(text.prefix(300)).shown)") { try CaptureJSON.read(text) }
        }
    }

    @Test("the CSV of Biometrix")
    func biometrix() throws {
        let header = "id,x,y,p,ax,ay,vx,vy,altitude,azimuth,timestamp\n"
        func rows(_ count: Int, seconds: Int = 0, step: Double = 0.02) -> String {
            (0..<count).map { "\($0),1.5,-2,0.5,,,,,,,\(Double(seconds) + Double($0) * step)\n" }.joined()
        }
        func row(_ text: String) -> Bytes { Bytes(text: header + rows(9) + text) }
        let good = try Self.csv(row("9,0.005,-0.015,1,a,b,c,nan,1.5707963267948966,-3.141592653589793,1.8E-1"))
        #expect(
            good.samples[9]
                == Capture.Sample(time: 180_000, x: 1, y: -2, pressure: 65_535, altitude: 9_000, azimuth: 18_000))
        #expect(good.samples[0] == Capture.Sample(time: 0, x: 150, y: -200, pressure: 32_768))
        let epoch = try Self.csv(Bytes(text: header + rows(9, seconds: 1_700_000_000)))
        #expect(epoch.samples[8].time == 160_000)
        let degrees = try BiometrixCSV.read(row("9,0,0,0,,,,,45.5,-90,0.18\r\n"), tool: .pen, angles: .degrees)
        #expect(degrees.samples[9].altitude == 4_550 && degrees.samples[9].azimuth == 27_000)
        let cases: [(Bytes, CaptureError)] = [
            (Bytes(), .malformed(line: 1)), (Bytes(text: rows(9)), .malformed(line: 1)),
            (Bytes(text: header), .tooFewSamples(0)), (Bytes(text: header + rows(1)), .tooFewSamples(1)),
            (Bytes(text: "\u{FEFF}" + header), .malformed(line: 1)),
            (row("9,nan,0,0,,,,,,,1"), .malformed(line: 11)), (row("9,0,inf,0,,,,,,,1"), .malformed(line: 11)),
            (row("9,0,0,-0.1,,,,,,,1"), .outOfRange(sample: 9)), (row("9,0,0,1.1,,,,,,,1"), .outOfRange(sample: 9)),
            (row("9,0,0,0.1,,,,,,,"), .malformed(line: 11)), (row("9,0,0,0.1,,,,,x,,1"), .malformed(line: 11)),
            (row("9,1e9,0,0.1,,,,,,,1"), .outOfRange(sample: 9)), (row("9,1e99,0,0.1,,,,,,,1"), .malformed(line: 11)),
            // Degrees that are read as radians.
            (row("9,0,0,0.1,,,,,45.5,,1"), .outOfRange(sample: 9)),
            (row("9,0,0,0.1,,,,,,-90,1"), .outOfRange(sample: 9)),
            (row("9,0,0,0.1,,,,,1e9,,1"), .outOfRange(sample: 9)),
            (row("9,0,0,0.1,,,,,,,1e12"), .outOfRange(sample: 9)),
            (row("9,0,0,0.1,,,,,,,-9e12"), .outOfRange(sample: 9)),
            (row("9,0,0,0.1"), .malformed(line: 11)), (row("9,0,0,0.1,,,,,,,1,"), .malformed(line: 11)),
            (row("9,\"0\",0,0.1,,,,,,,1"), .malformed(line: 11)), (row(" 9, 0,0,0.1,,,,,,,1"), .malformed(line: 11)),
            (Bytes(text: header + rows(9, step: 0.001)), .tooShort),
            (Bytes(text: header + rows(9, step: 0)), .brokenClock),
            (Bytes(text: header + rows(360, step: 10)), .tooLong),
            (Bytes(text: header + rows(Capture.mostSamples + 1)), .tooManySamples(Capture.mostSamples + 1)),
            (Bytes(text: header) + Bytes(repeating: 0x2C, count: 9 << 20), .tooLarge(limit: BiometrixCSV.maximumBytes)),
            (Bytes(text: header) + Bytes(repeating: 0x2C, count: 4 << 20), .malformed(line: 2)),
        ]
        for (text, error) in cases {
            #expect(throws: error, "\(Array(text.suffix(60)).shown)") { try Self.csv(text) }
        }
    }

    @Test("XML: bombs, references, other encodings, and depth without end")
    func xmlBombs() throws {
        let root = #"<SignatureSignTimeSeries xmlns="http://standards.iso.org/iso-iec/19794/-7/ed-1/amd/1">"#
        let laughs = #"<!DOCTYPE a [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;">]>"#
        let cases: [(String, Int)] = [
            ("", 1), ("   \n", 2), ("<", 1), (laughs + root + "&b;", 1),
            (#"<!DOCTYPE a SYSTEM "file:///etc/passwd">"# + root, 1),
            (root + "<A>&b;</A>", 1), (root + "\n<A>&#65;</A>", 2), (root + "<A>&amp</A>", 1),
            (root + "<!-- a -->", 1), (root + "<A><![CDATA[a]]></A>", 1), (root + "<?a?>", 1),
            (#"<?xml version="1.0" encoding="utf-16"?>"# + root, 1), (#"<?xml version="1.1"?>"# + root, 1),
            (root + String(repeating: "<A>", count: 100_000), 1), (root + "<A" + String(repeating: " a", count: 99), 1),
            (root + "<A " + (0..<99).map { "a\($0)=''" }.joined(separator: " "), 1), (root + "<A a='1' a='2'/>", 1),
            (root + "<A a='<'/>", 1), (root + "<A></B>", 1), (root + "<1/>", 1), (root + "<A\u{1}/>", 1),
            (root + "<A>" + String(repeating: "a", count: 100_000), 1),
            (root + "<" + String(repeating: "a", count: 99), 1),
            (root + "</SignatureSignTimeSeries>", 1), (root + "</SignatureSignTimeSeries><a/>", 1),
        ]
        for (text, line) in cases {
            #expect(throws: CaptureError.malformed(line: line), "\(text.prefix(200))") {
                try Self.xml(Bytes(text: text))
            }
        }
        #expect(throws: CaptureError.malformed(line: 0)) { try Self.xml([0xFF, 0xFE] + Bytes(text: root)) }
        #expect(throws: CaptureError.unknownUnit) { try Self.xml(Bytes(text: "<SignatureSignTimeSeries/>")) }
        #expect(throws: CaptureError.unknownUnit) { try Self.xml(Bytes(text: #"<a xmlns="b"/>"#)) }
        let limit = TimeSeriesXML.maximumBytes
        #expect(throws: CaptureError.tooLarge(limit: limit)) { try Self.xml(Bytes(repeating: 0x3C, count: limit + 1)) }
    }

    @Test("XML whose points say too little, too much or twice")
    func xmlPoints() throws {
        let good = try SyntheticSignature(seed: 1).capture
        let text = String(
            decoding: try TimeSeriesXML.write(good, date: Bytes(text: "2026-11-22T02:30:00Z")), as: UTF8.self)
        let cases: [(String, String, CaptureError)] = [
            ("<DTChannel>0</DTChannel>", "", .malformed(line: 8)),
            ("<DTChannel>0</DTChannel>", "<TChannel>0</TChannel>", .malformed(line: 9)),
            ("<DTChannel>0</DTChannel>", "<DTChannel>0</DTChannel><DTChannel>0</DTChannel>", .malformed(line: 8)),
            ("<DTChannel>0</DTChannel>", "<DTChannel>-1</DTChannel>", .outOfRange(sample: 0)),
            ("<DTChannel>0</DTChannel>", "<DTChannel>1.5</DTChannel>", .malformed(line: 8)),
            ("<DTChannel>0</DTChannel>", "<DTChannel>NaN</DTChannel>", .malformed(line: 8)),
            ("<cmn:X>", "<cmn:X>99999", .outOfRange(sample: 0)),
            ("<cmn:Y>", "<cmn:Z>1</cmn:Z><cmn:Y>x", .malformed(line: 8)),
            ("<SChannel>1<", "<SChannel>2<", .malformed(line: 8)),
            ("<SamplePoint>", "<Sample>", .malformed(line: 8)),
            ("<ScalingValue>100<", "<ScalingValue>0<", .malformed(line: 8)),
            ("<ScalingValue>100<", "<ConstantValue>true</ConstantValue><ScalingValue>100<", .unknownUnit),
            ("<Representation>", "<Representation></Representation><Representation>", .unknownUnit),
            ("<MaxChannelValue>2047<", "<MaxChannelValue>1<", .outOfRange(sample: 0)),
        ]
        for (from, to, error) in cases {
            let changed = text.replacingWord(from, to)
            #expect(changed != text)
            #expect(throws: error, "\(from) \(to)") { try Self.xml(Bytes(text: changed)) }
        }
    }

    @Test("every form that ends too early, at every byte")
    func truncated() throws {
        // The least that is a capture: each form is read as often as it has bytes.
        var capture = try SyntheticSignature(seed: 5).capture
        capture.samples.removeLast(capture.samples.count - Capture.fewestSamples)
        for index in capture.samples.indices { capture.samples[index].time *= 2 }
        let forms: [(whole: Bytes, least: Int, read: Reader)] = [
            (CaptureJSON.write(capture), 1, { bytes throws(CaptureError) in try CaptureJSON.read(bytes) }),
            (try TimeSeriesRecord.write(capture), 1, Self.record),
            // Without its last line feed it is whole too.
            (try TimeSeriesXML.write(capture, date: Bytes(text: "2026-11-22T02:30:00Z")), 2, Self.xml),
        ]
        for (whole, least, read) in forms {
            #expect(try read(whole) == capture)
            for count in 0...whole.count - least {
                #expect(throws: CaptureError.self, "\(count)") { try read(Array(whole.prefix(count))) }
            }
        }
    }

    @Test("hours and masses of points, in the forms of the standard")
    func masses() throws {
        let signature = try SyntheticSignature(seed: 9).capture
        var record = try TimeSeriesRecord.write(signature)
        let points = record.count - signature.samples.count * 13
        // Every DT as long as it can be: 65,535 steps.
        for index in signature.samples.indices {
            record.replaceSubrange(points + 13 * index + 4..<points + 13 * index + 6, with: [0xFF, 0xFF])
        }
        #expect(throws: CaptureError.tooLong) { try Self.record(record) }
        // A million points that are announced, and the same that are there.
        record.replaceSubrange(points - 3..<points, with: [0x0F, 0x42, 0x40])
        #expect(throws: CaptureError.tooManySamples(1_000_000)) { try Self.record(record) }
        #expect(throws: CaptureError.tooLarge(limit: TimeSeriesRecord.maximumBytes)) {
            try Self.record(record + Bytes(repeating: 0, count: 13_000_000))
        }
        let text = String(
            decoding: try TimeSeriesXML.write(signature, date: Bytes(text: "2026-11-22T02:30:00Z")), as: UTF8.self)
        let point = "<SamplePoint><PenTipCoord><X>0</X><Y>0</Y></PenTipCoord><DTChannel>1</DTChannel></SamplePoint>"
        let many = text.replacingWord(
            "<SamplePointList>", "<SamplePointList>" + String(repeating: point, count: Capture.mostSamples + 1))
        #expect(throws: CaptureError.tooManySamples(Capture.mostSamples + 1)) { try Self.xml(Bytes(text: many)) }
    }
}

extension String {
    /// The text with the first `word` replaced.
    fileprivate func replacingWord(_ word: String, _ other: String) -> String {
        let bytes = Array(utf8)
        let wanted = Array(word.utf8)
        let place = bytes.indices.first { bytes[$0...].starts(with: wanted) }
        guard let place else { return self }
        return String(decoding: bytes[..<place] + Array(other.utf8) + bytes[(place + wanted.count)...], as: UTF8.self)
    }
}

extension [UInt8] {
    fileprivate var shown: String { String(decoding: self, as: UTF8.self) }
}
