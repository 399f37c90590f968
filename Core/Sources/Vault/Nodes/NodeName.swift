public import Encodings

/// The name of a file or folder: 1 to 255 bytes of UTF-8 that are safe as the name of a file and honest on a screen.
///
/// No slash or backslash, no control character, no mark that turns the direction of writing, and neither `.` nor `..`.
public struct NodeName: Sendable, Equatable {
    /// The longest name in bytes.
    public static let maximum = 255

    /// The UTF-8 bytes.
    public let bytes: Bytes

    /// Takes a name as it is.
    ///
    /// - Throws: `outOfRange` for what no name may be.
    public init(_ bytes: Bytes) throws(VaultError) {
        guard UTF8Text.isValid(bytes), !bytes.isEmpty, bytes.count <= Self.maximum, !Self.isDots(bytes),
            Self.scalars(bytes).allSatisfy({ Self.isAllowed($0.scalar) })
        else { throw .outOfRange }
        self.bytes = bytes
    }

    /// Makes a name of what somebody else called a file: what is not allowed becomes an underscore, and the end of a
    /// name that is too long is cut.
    ///
    /// - Parameter bytes: any bytes, also no UTF-8.
    public static func cleaned(_ bytes: Bytes) -> NodeName {
        var name: Bytes = []
        for (scalar, text) in scalars(bytes) {
            let part = isAllowed(scalar) ? text : [0x5F]
            guard name.count + part.count <= maximum else { break }
            name += part
        }
        if name.isEmpty || isDots(name) { name.append(0x5F) }
        return NodeName(checked: name)
    }

    private init(checked bytes: Bytes) {
        self.bytes = bytes
    }

    private static func isDots(_ name: Bytes) -> Bool { name.equals(".") || name.equals("..") }

    private static func isAllowed(_ scalar: UInt32) -> Bool {
        switch scalar {
        case 0x00..<0x20, 0x7F..<0xA0, 0x2F, 0x5C, 0x061C, 0x200E, 0x200F, 0x2028...0x202E, 0x2066...0x2069, 0xFEFF:
            false
        default: true
        }
    }

    /// The scalars; a byte that begins none counts as a zero byte.
    private static func scalars(_ bytes: Bytes) -> [(scalar: UInt32, text: Bytes)] {
        var scalars: [(scalar: UInt32, text: Bytes)] = []
        var index = 0
        while index < bytes.count {
            let (scalar, length) = UTF8Text.scalar(in: bytes, at: index) ?? (0, 1)
            scalars.append((scalar, Array(bytes[index..<index + length])))
            index += length
        }
        return scalars
    }
}
