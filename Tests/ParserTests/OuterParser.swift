import Encodings
import Testing

/// A parser outside Core: its names are internal to a package, so that the fuzzer of `Fuzz/` cannot call it.
struct OuterParser: Sendable, CustomTestStringConvertible {
    /// A name for the table of `scripts/fuzz`.
    let name: String
    /// Inputs that it accepts.
    let good: [Bytes]
    /// The longest input that is tried, in bytes.
    var maximumLength = 4096
    /// Feeds one input to it; whether it was accepted.
    ///
    /// Throws `BrokenPromise` when the parser does not keep what it promises; a refusal is no error.
    let accepts: @Sendable (Bytes) throws -> Bool

    var testDescription: String { name }

    static let all = server + wallet + storage + keys
}

/// What a parser should have kept and did not.
struct BrokenPromise: Error {
    let promise: String
}

func promise(_ isKept: Bool, _ promise: String) throws {
    guard isKept else { throw BrokenPromise(promise: promise) }
}

/// The value, or `nil` when it is refused.
func accepted<Value>(_ parse: () throws -> Value) -> Value? { try? parse() }

func bytes(_ texts: String...) -> [Bytes] { texts.map { Bytes(text: $0) } }

extension Array where Element == UInt8 {
    /// The bytes as text; what is not UTF-8 is replaced.
    var asText: String { String(decoding: self, as: UTF8.self) }
}
