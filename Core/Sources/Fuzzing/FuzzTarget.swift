public import Encodings

/// A parser under arbitrary bytes: what libFuzzer calls a million times, and what the tests call once for every file of
/// `Fuzz/Corpus`.
///
/// A target must not trap on any input. It also checks what its parser promises: that there is one spelling for one
/// value, that what was read can be written and read again, that a limit holds.
public struct FuzzTarget: Sendable {
    typealias Body = @Sendable (Bytes) throws(BrokenPromise) -> Void

    /// The name: that of the folder in `Fuzz/Corpus`.
    public let name: StaticString
    /// The longest input that is worth trying, in bytes.
    public let maximumLength: Int
    private let body: Body

    init(_ name: StaticString, maximumLength: Int, _ body: @escaping Body) {
        self.name = name
        self.maximumLength = maximumLength
        self.body = body
    }

    /// Feeds one input to the parser.
    ///
    /// - Throws: what the parser should have kept and did not. A refused input is no error.
    public func run(_ input: Bytes) throws(BrokenPromise) { try body(input) }

    /// Every target; `Fuzz/README.md` says which parser is under which.
    public static let all =
        encodings + curves + certificates + documents + faceToFace + transparency + trees + passkeys
        + handSignatures + wholeFiles + pictures + approvals + pico + vault + exports

    /// The target of this name, or `nil` when there is none.
    public static func named(_ name: Bytes) -> FuzzTarget? { all.first { name.equals($0.name) } }
}

/// A promise that a parser did not keep.
public struct BrokenPromise: Error, Sendable {
    /// What should have held.
    public let promise: StaticString
}

/// Throws unless the promise is kept.
func expect(_ isKept: Bool, _ promise: StaticString) throws(BrokenPromise) {
    guard isKept else { throw BrokenPromise(promise: promise) }
}
