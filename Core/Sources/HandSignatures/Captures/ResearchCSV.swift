/// The packed file of a research set: the signatures of many users, genuine and forged, a line for each sample.
///
/// Columns: user, signature, kind, session, index, x, y, t, pressure, azimuth, altitude, penup; times in milliseconds,
/// angles in degrees, empty where a sensor has none. Rows are grouped by signature.
public struct ResearchCSV: Sendable {
    /// A signature with what is known of it.
    public struct Signature: Sendable {
        /// The writer, or the person imitated.
        public var user: [UInt8]
        /// Whether another person wrote it, who had practised.
        public var isForgery: Bool
        /// 1, 2, … among those of the user and the kind.
        public var number: Int
        /// What was recorded.
        public var capture: Capture
    }

    private static let header =
        "user,signature,kind,session,index,x,y,t,pressure,azimuth,altitude,penup"

    /// Reads a whole file.
    ///
    /// - Throws: `malformed` with the line; what `Capture.init` throws of a signature.
    public static func read(_ bytes: [UInt8]) throws(CaptureError) -> [Signature] {
        var rows = CSVRows(bytes)
        guard let header = rows.next(), header.whole == Array(Self.header.utf8) else {
            throw .malformed(line: 1)
        }
        var signatures: [Signature] = []
        var open: (user: [UInt8], kind: [UInt8], number: Int64)?
        var samples: [Capture.Sample] = []
        func close() throws(CaptureError) {
            guard let open else { return }
            var most: Int32 = 0
            for sample in samples { most = max(most, sample.pressure) }
            signatures.append(
                Signature(
                    user: open.user, isForgery: open.kind == Array("forgery".utf8), number: Int(clamping: open.number),
                    capture: try Capture(tool: .pen, pressureLevels: most, samples: samples)))
            samples = []
        }
        while let row = rows.next() {
            guard row.count == 12, let number = row.integer(1), let x = row.integer(5), let y = row.integer(6),
                let time = row.integer(7), let pressure = row.integer(8), let penup = row.integer(11)
            else { throw .malformed(line: rows.line) }
            let (user, kind) = (row.bytes(0), row.bytes(2))
            if open?.user != user || open?.number != number || open?.kind != kind {
                try close()
                guard kind == Array("genuine".utf8) || kind == Array("forgery".utf8) else {
                    throw .malformed(line: rows.line)
                }
                open = (user, kind, number)
            }
            samples.append(
                Capture.Sample(
                    time: time * 1_000, x: Int32(clamping: x), y: Int32(clamping: y),
                    pressure: Int32(clamping: pressure), altitude: row.integer(10).map { Int32(clamping: $0 * 100) },
                    azimuth: row.integer(9).map { Int32(clamping: $0 * 100) }, isPenUp: penup != 0))
        }
        try close()
        return signatures
    }
}
