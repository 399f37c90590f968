public import Encodings

/// The cryptography of the age format by `Core` alone: for pages, whose WebCrypto lacks most of it.
public struct PureAgeSuite: AgeCryptoSuite {
    private let source: @Sendable (Int) -> Bytes

    /// - Parameter randomBytes: gives so many bytes from a source fit for keys.
    public init(randomBytes: @escaping @Sendable (Int) -> Bytes) { source = randomBytes }

    /// From the given source.
    public func randomBytes(_ count: Int) -> Bytes { source(count) }
}
