import Encodings

/// The header of one file in a tar archive (POSIX.1-1988 ustar): the plain form of a backup, which other programs list
/// and unpack too.
///
/// All that varies is name and size, so a header that was changed anywhere is not the one that these two give.
struct TarHeader: Equatable {
    /// Archives consist of blocks of so many bytes.
    static let blockLength = 512
    /// Bytes of a name.
    static let maximumName = 100
    /// The largest file that is read, in bytes: twice the largest sealed package.
    static let maximumSize = 128 << 20

    /// The file's name.
    let name: String
    /// Its length in bytes.
    let size: Int

    init(name: String, size: Int) throws(BackupError) {
        let isPlain = name.utf8.allSatisfy { (0x21...0x7E).contains($0) }
        guard isPlain, (1...Self.maximumName).contains(name.utf8.count), (0...Self.maximumSize).contains(size) else {
            throw .damaged("a part's name or size")
        }
        self.name = name
        self.size = size
    }

    /// How many zeros follow the content.
    var padding: Int { (Self.blockLength - size % Self.blockLength) % Self.blockLength }

    /// The block.
    var bytes: Bytes {
        var block = Bytes(repeating: 0, count: Self.blockLength)
        func put(_ text: String, at offset: Int) {
            for (index, byte) in text.utf8.enumerated() { block[offset + index] = byte }
        }
        put(name, at: 0)
        put("0000600", at: 100)
        put("0000000", at: 108)
        put("0000000", at: 116)
        put(Self.octal(size, digits: 11), at: 124)
        put("00000000000", at: 136)
        put("        ", at: 148)
        put("0", at: 156)
        put("ustar", at: 257)
        put("00", at: 263)
        let sum = block.reduce(0) { $0 + Int($1) }
        put(Self.octal(sum, digits: 6), at: 148)
        block[154] = 0
        return block
    }

    /// Reads a block that `bytes` has made.
    ///
    /// - Returns: `nil` for a block of zeros, which ends an archive.
    static func parse(_ block: Bytes) throws(BackupError) -> TarHeader? {
        guard block.count == blockLength else { throw .damaged("it ends in the middle") }
        if block.allSatisfy({ $0 == 0 }) { return nil }
        let name = String(decoding: block.prefix(maximumName).prefix { $0 != 0 }, as: UTF8.self)
        var size = 0
        for digit in block[124..<135] {
            guard (0x30...0x37).contains(digit) else { throw .damaged("a part's size") }
            size = size << 3 | Int(digit - 0x30)
        }
        let header = try TarHeader(name: name, size: size)
        guard header.bytes == block else { throw .damaged("the header of \(name)") }
        return header
    }

    private static func octal(_ number: Int, digits: Int) -> String {
        let text = String(number, radix: 8)
        return String(repeating: "0", count: digits - text.utf8.count) + text
    }
}
