import CryptoProvider
package import Encodings

/// The one source of randomness of the server.
///
/// Tests give their own.
package struct RandomSource: Sendable, RandomNumberGenerator {
    /// So many random bytes.
    package let bytes: @Sendable (Int) -> Bytes

    /// A source from a function.
    package init(bytes: @escaping @Sendable (Int) -> Bytes) {
        self.bytes = bytes
    }

    /// The operating system's cryptographic source.
    package static let system = RandomSource { RandomBytes.make($0) }

    package func next() -> UInt64 {
        bytes(8).reduce(0) { $0 << 8 | UInt64($1) }
    }
}
