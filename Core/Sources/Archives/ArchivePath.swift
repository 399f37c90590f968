public import Encodings

/// Where an entry of an archive belongs: a path that stays inside the folder that it is unpacked into.
public struct ArchivePath: Sendable, Hashable {
    /// The names from the outermost folder on; at least one.
    public let names: [Bytes]

    /// Takes names that are safe.
    ///
    /// - Throws: `unsafePath` if there is no name, or if one is empty, `.` or `..`, has a slash or a control character,
    ///   turns the direction of text, or is no UTF-8; `pathTooLong` beyond `ArchiveLimits`.
    public init(_ names: [Bytes]) throws(ArchiveError) {
        guard !names.isEmpty, names.allSatisfy(Self.isSafe) else { throw .unsafePath }
        guard names.count <= ArchiveLimits.depth, names.allSatisfy({ $0.count <= ArchiveLimits.name }),
            names.reduce(names.count - 1, { $0 + $1.count }) <= ArchiveLimits.path
        else { throw .pathTooLong }
        self.names = names
    }

    /// The path with slashes between its names.
    public var text: Bytes {
        var text = names[0]
        for name in names.dropFirst() { text += [Self.slash] + name }
        return text
    }

    /// A name like the given one that is safe: what may not be in a name becomes `_`, and a long name is cut.
    public static func safeName(for name: Bytes) -> Bytes {
        guard UTF8Text.isValid(name) else { return [replacement] }
        var safe: Bytes = []
        var index = 0
        while index < name.count, let (scalar, length) = UTF8Text.scalar(in: name, at: index) {
            let character = scalar == UInt32(slash) || isHostile(scalar) ? [replacement] : name[index..<index + length]
            guard safe.count + character.count <= ArchiveLimits.name else { break }
            safe += character
            index += length
        }
        return isSafe(safe) ? safe : [replacement]
    }

    /// Reads the path of a header: `./` before it, and a slash behind a folder, do not count.
    ///
    /// - Returns: `nil` for the folder itself that all is in.
    static func read(_ text: Bytes, isFolder: Bool) throws(ArchiveError) -> ArchivePath? {
        var names = text.split(at: slash)
        if names.count > 1, names[0] == [dot] { names.removeFirst() }
        if isFolder {
            if names.count > 1, names.last == [] { names.removeLast() }
            if names == [[dot]] || names == [[]] && text.first == dot { return nil }
        }
        return try ArchivePath(names)
    }

    private static func isSafe(_ name: Bytes) -> Bool {
        guard !name.isEmpty, name != [dot], name != [dot, dot], UTF8Text.isValid(name) else { return false }
        var index = 0
        while index < name.count, let (scalar, length) = UTF8Text.scalar(in: name, at: index) {
            if scalar == UInt32(slash) || isHostile(scalar) { return false }
            index += length
        }
        return true
    }

    /// Control characters, line and paragraph separators, and what turns the direction of text: `fdp.exe` would show as
    /// `exe.pdf`.
    private static func isHostile(_ scalar: UInt32) -> Bool {
        switch scalar {
        case 0..<0x20, 0x7F...0x9F, 0x061C, 0x200E, 0x200F, 0x2028...0x202E, 0x2066...0x2069, 0xFEFF: true
        default: false
        }
    }

    static let slash: UInt8 = 0x2F
    private static let dot: UInt8 = 0x2E
    private static let replacement: UInt8 = 0x5F
}
