public import Encodings

/// An array of small numbers, one for each credential, packed from the least significant bit up
/// (Token Status List section 4.1).
public struct StatusList: Sendable, Equatable {
    /// The most bytes that a list may unpack to.
    public static let maximumBytes = 1 << 20
    /// The entries of the lists that we issue.
    public static let standardCount = 131_072

    /// The status of a credential that counts.
    public static let valid: UInt8 = 0
    /// The status of a credential that was revoked, for good.
    public static let invalid: UInt8 = 1

    /// Bits for each status: 1, 2, 4 or 8.
    public let bits: Int
    /// The packed statuses.
    public private(set) var bytes: Bytes

    /// A list of `count` valid entries, rounded up to whole bytes.
    public init(count: Int = standardCount, bits: Int = 1) throws(StatusError) {
        guard Self.isSupported(bits) else { throw .unsupportedBits }
        guard count >= 0, count <= Self.maximumBytes * 8 / bits else { throw .tooLarge }
        self.bits = bits
        bytes = Bytes(repeating: 0, count: (count * bits + 7) / 8)
    }

    /// A list from its packed bytes.
    public init(bytes: Bytes, bits: Int) throws(StatusError) {
        guard Self.isSupported(bits) else { throw .unsupportedBits }
        guard bytes.count <= Self.maximumBytes else { throw .tooLarge }
        self.bits = bits
        self.bytes = bytes
    }

    /// A list from its zlib form.
    public init(compressed: Bytes, bits: Int) throws(StatusError) {
        guard Self.isSupported(bits) else { throw .unsupportedBits }
        try self.init(bytes: Zlib.decompress(compressed, maximumLength: Self.maximumBytes), bits: bits)
    }

    /// The number of entries.
    public var count: Int { bytes.count * 8 / bits }

    /// The status at `index`.
    public func status(at index: Int64) throws(StatusError) -> UInt8 {
        guard index >= 0, index < Int64(count) else { throw .indexOutOfRange }
        let bit = Int(index) * bits
        return bytes[bit / 8] >> UInt8(bit % 8) & mask
    }

    /// Sets the status at `index`.
    public mutating func set(_ status: UInt8, at index: Int64) throws(StatusError) {
        guard index >= 0, index < Int64(count) else { throw .indexOutOfRange }
        guard status & ~mask == 0 else { throw .valueOutOfRange }
        let bit = Int(index) * bits
        let shift = UInt8(bit % 8)
        bytes[bit / 8] = bytes[bit / 8] & ~(mask << shift) | status << shift
    }

    /// The list in zlib form.
    public func compressed() -> Bytes { Zlib.compress(bytes) }

    private var mask: UInt8 { bits == 8 ? 0xFF : (1 << UInt8(bits)) - 1 }

    private static func isSupported(_ bits: Int) -> Bool { bits == 1 || bits == 2 || bits == 4 || bits == 8 }
}
