import Encodings
import Fuzzing
import HandSignatures
import Interface

/// A made-up client's hand: every signature another one, and all alike.
///
/// The same name gives the same signatures in the same order.
struct HammerPen {
    private let hand: SyntheticHand
    /// How many movements were made, those that were dropped among them.
    private(set) var number: UInt64 = 0
    private var written: [MovementTrace] = []

    /// - Parameter name: whose hand it is; nobody writes like anybody else.
    init(_ name: String) {
        let seed = name.utf8.reduce(14_695_981_039_346_656_037) { ($0 ^ UInt64($1)) &* 1_099_511_628_211 }
        hand = SyntheticHand(seed: seed)
    }

    /// Goes on behind what was written before.
    init(_ name: String, after number: UInt64) throws {
        self.init(name)
        while self.number < number { _ = try next() }
    }

    /// The next movement, unless a server would take it for a recording of an earlier one.
    ///
    /// Made-up hands vary less than people's: of one in twelve, two of five signatures are as near as a recording would be.
    private mutating func next() throws -> Capture? {
        number += 1
        let capture = try hand.signature(number)
        let trace = try MovementTrace(capture)
        for earlier in written where trace.isReplay(of: earlier) { return nil }
        written.append(trace)
        return capture
    }

    mutating func signature() throws -> String {
        while true {
            guard let capture = try next() else { continue }
            return String(decoding: CaptureJSON.write(capture), as: UTF8.self)
        }
    }

    mutating func enrolment() throws -> NewSignatures {
        NewSignatures(references: try (0..<5).map { _ in try signature() }, check: try signature())
    }
}
