/// Why a text gets no QR code.
public enum QRCodeError: Error, Equatable, Sendable {
    /// Longer than the largest symbol holds at this level of error correction (2,953 bytes at `low`).
    case tooLong
}

/// A QR code (ISO/IEC 18004:2015, model 2): a square of dark and light modules.
public struct QRCode: Sendable, Equatable {
    /// How much of a symbol may be unreadable.
    public enum ErrorCorrection: Sendable, CaseIterable {
        /// About 7 per cent.
        case low
        /// About 15 per cent.
        case medium
        /// About 25 per cent.
        case quartile
        /// About 30 per cent.
        case high
    }

    /// 1 to 40; each is four modules wider than the one before.
    public let version: Int
    /// The level that was asked for.
    public let errorCorrection: ErrorCorrection
    /// The number of the mask pattern, 0 to 7.
    public let mask: Int
    /// Modules in a row and rows, without the quiet zone: 21 to 177.
    public let size: Int
    private let modules: [Bool]

    /// Encodes bytes in the smallest symbol that holds them, with the mask of the least penalty.
    ///
    /// Texts of digits, capital letters, space and `$%*+-./:` only are packed in alphanumeric mode, everything else in
    /// byte mode. Readers take bytes for UTF-8 or Latin-1: keep to ASCII where it matters.
    /// - Parameters:
    ///   - bytes: what a reader will give back.
    ///   - errorCorrection: `medium` suits screens and paper.
    public init(encoding bytes: [UInt8], errorCorrection: ErrorCorrection = .medium) throws(QRCodeError) {
        try self.init(encoding: bytes, errorCorrection: errorCorrection, minimumVersion: 1, mask: nil)
    }

    /// For tests: a larger symbol than necessary, or a given mask.
    init(
        encoding bytes: [UInt8],
        errorCorrection: ErrorCorrection,
        minimumVersion: Int,
        mask: Int?
    ) throws(QRCodeError) {
        let payload = Payload(bytes)
        guard let version = Version.smallest(from: minimumVersion, holding: payload, errorCorrection) else {
            throw .tooLong
        }
        let blocks = BlockLayout(version, errorCorrection)
        var matrix = Matrix(version)
        matrix.place(blocks.interleaved(payload.codewords(version, count: blocks.dataCount)))
        let (masked, chosen) = matrix.masked(with: mask, errorCorrection)
        self.version = version.number
        self.errorCorrection = errorCorrection
        self.mask = chosen
        size = version.size
        modules = masked.modules
    }

    /// Whether the module is dark.
    ///
    /// Everything outside the symbol is light: the quiet zone.
    public subscript(row: Int, column: Int) -> Bool {
        guard row >= 0, row < size, column >= 0, column < size else { return false }
        return modules[row * size + column]
    }
}
