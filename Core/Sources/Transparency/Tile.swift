public import Encodings

/// The name of a file of the log: a tile of hashes or a bundle of entries (C2SP tlog-tiles).
public struct Tile: Sendable, Equatable {
    /// What the file holds.
    public enum Kind: Sendable, Equatable {
        /// Entries, each with its length in front.
        case entries
        /// Hashes of level 0 (leaf hashes) to 63 (each hash covers 256^level entries).
        case hashes(level: Int)
    }

    /// The number of hashes or entries of a full tile.
    public static let fullWidth = 256

    /// What the file holds.
    public let kind: Kind
    /// The number of the tile within its level, from zero.
    public let index: UInt64
    /// How many hashes or entries it holds: 1 to 256.
    public let width: Int

    /// A tile of that kind, place and width.
    ///
    /// - Returns: `nil` when the width is not 1 to 256 or the level not 0 to 63.
    public init?(_ kind: Kind, index: UInt64, width: Int = Tile.fullWidth) {
        guard width >= 1, width <= Tile.fullWidth else { return nil }
        if case .hashes(let level) = kind {
            guard level >= 0, level <= 63 else { return nil }
        }
        self.init(unchecked: kind, index: index, width: width)
    }

    /// A tile whose level and width are right by construction.
    init(unchecked kind: Kind, index: UInt64, width: Int) {
        self.kind = kind
        self.index = index
        self.width = width
    }

    /// Whether it holds 256 hashes or entries and will never change again.
    public var isFull: Bool { width == Tile.fullWidth }

    /// The tile at that place as wide as a tree of `size` entries makes it.
    ///
    /// - Returns: `nil` when that tree has no such tile.
    public init?(_ kind: Kind, index: UInt64, inTreeOf size: UInt64) {
        var level = 0
        if case .hashes(let number) = kind { level = number }
        guard level >= 0, level < 8 else { return nil }
        let count = size >> UInt64(8 * level)
        guard index <= count >> 8 else { return nil }
        self.init(kind, index: index, width: Int(min(count - index << 8, 256)))
    }

    /// The partial tiles and the partial bundle of entries at the right of a tree of `size` entries.
    ///
    /// The bundle comes first, then level by level; a level that ends with a full tile, or has none, is left out.
    public static func partial(inTreeOf size: UInt64) -> [Tile] {
        var tiles: [Tile] = []
        var count = size
        var level = 0
        while count > 0 {
            let width = Int(count & 255)
            if width > 0 {
                if level == 0 { tiles.append(Tile(unchecked: .entries, index: count >> 8, width: width)) }
                tiles.append(Tile(unchecked: .hashes(level: level), index: count >> 8, width: width))
            }
            count >>= 8
            level += 1
        }
        return tiles
    }

    /// The path below the prefix of the log, such as `tile/0/x001/x234/067.p/8`.
    public var path: String {
        String(decoding: pathBytes, as: UTF8.self)
    }

    /// The path below the prefix of the log as bytes.
    public var pathBytes: Bytes {
        var path = Bytes(text: "tile/")
        switch kind {
        case .entries: path.append(contentsOf: "entries".utf8)
        case .hashes(let level): path.append(contentsOf: decimalBytes(UInt64(level)))
        }
        let digits = decimalBytes(index)
        let padded = Bytes(repeating: 0x30, count: (3 - digits.count % 3) % 3) + digits
        for start in stride(from: 0, to: padded.count, by: 3) {
            path.append(0x2F)
            if start + 3 < padded.count { path.append(0x78) }
            path.append(contentsOf: padded[start..<start + 3])
        }
        if !isFull {
            path.append(contentsOf: ".p/".utf8)
            path.append(contentsOf: decimalBytes(UInt64(width)))
        }
        return path
    }

    /// Reads a path below the prefix of the log.
    ///
    /// Every tile has exactly one spelling.
    ///
    /// - Throws: `malformedPath`.
    public static func parse(_ path: Bytes) throws(TransparencyError) -> Tile {
        guard path.count <= 64 else { throw .malformedPath }
        var parts = path.split(at: 0x2F)
        guard parts.count >= 3, parts.removeFirst().equals("tile") else { throw .malformedPath }
        let kind: Kind
        let name = parts.removeFirst()
        if name.equals("entries") {
            kind = .entries
        } else {
            guard let level = parseDecimal(name), level <= 63 else { throw .malformedPath }
            kind = .hashes(level: Int(level))
        }
        var width = fullWidth
        if parts.count >= 2, Array(parts[parts.count - 2].suffix(2)).equals(".p") {
            guard let number = parseDecimal(parts.removeLast()), number >= 1, number <= 255 else {
                throw .malformedPath
            }
            width = Int(number)
            parts[parts.count - 1].removeLast(2)
        }
        var digits: Bytes = []
        for part in parts { digits.append(contentsOf: part.first == 0x78 ? Array(part.dropFirst()) : part) }
        while digits.count > 1, digits[0] == 0x30 { digits.removeFirst() }
        guard let index = parseDecimal(digits), let tile = Tile(kind, index: index, width: width),
            tile.pathBytes == path
        else { throw .malformedPath }
        return tile
    }
}
