/// An element of the little XML that object stores answer with.
///
/// Read strictly: one root, elements with either elements or text in them, CDATA, the five named entities and numbered
/// ones. Attributes are passed over. Comments, document types and processing instructions are refused.
struct SmallXML: Equatable {
    struct Malformed: Error {}

    let name: String
    private(set) var text = ""
    private(set) var children: [SmallXML] = []

    private static let maximumDepth = 8

    private init(name: String) { self.name = name }

    /// Reads a document.
    init(_ bytes: [UInt8]) throws(Malformed) {
        guard String(validating: bytes, as: UTF8.self) != nil else { throw Malformed() }
        var reader = Reader(bytes: bytes)
        reader.skip(Reader.mark)
        reader.skipBlanks()
        if reader.skip(Array("<?xml ".utf8)) {
            guard reader.skip(through: Array("?>".utf8)) else { throw Malformed() }
            reader.skipBlanks()
        }
        self = try Self.element(&reader, depth: 0)
        reader.skipBlanks()
        guard reader.isAtEnd else { throw Malformed() }
    }

    /// The only child of that name, or `nil`.
    func child(_ name: String) -> SmallXML? {
        let found = children.filter { $0.name == name }
        return found.count == 1 ? found[0] : nil
    }

    private static func element(_ reader: inout Reader, depth: Int) throws(Malformed) -> SmallXML {
        guard depth < maximumDepth, reader.skip([UInt8(ascii: "<")]) else { throw Malformed() }
        var element = SmallXML(name: try reader.name())
        guard try !reader.skipAttributes() else { return element }
        let end = Array("</\(element.name)".utf8)
        var text: [UInt8] = []
        while true {
            try reader.collectText(&text)
            if reader.skip(end) {
                reader.skipBlanks()
                guard reader.skip([UInt8(ascii: ">")]) else { throw Malformed() }
                break
            }
            element.children.append(try Self.element(&reader, depth: depth + 1))
        }
        guard let decoded = String(validating: text, as: UTF8.self) else { throw Malformed() }
        let isBlank = text.allSatisfy(Reader.isBlank)
        guard element.children.isEmpty || isBlank else { throw Malformed() }
        if element.children.isEmpty { element.text = decoded }
        return element
    }
}

/// A place in the bytes of a document.
private struct Reader {
    static let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
    private let bytes: [UInt8]
    private var place = 0

    init(bytes: [UInt8]) { self.bytes = bytes }

    var isAtEnd: Bool { place == bytes.count }

    static func isBlank(_ byte: UInt8) -> Bool { [0x20, 0x09, 0x0A, 0x0D].contains(byte) }

    /// - Returns: whether they were there.
    @discardableResult
    mutating func skip(_ expected: [UInt8]) -> Bool {
        guard bytes[place...].starts(with: expected) else { return false }
        place += expected.count
        return true
    }

    mutating func skip(through end: [UInt8]) -> Bool {
        while place < bytes.count {
            if skip(end) { return true }
            place += 1
        }
        return false
    }

    mutating func skipBlanks() {
        while place < bytes.count, Self.isBlank(bytes[place]) { place += 1 }
    }

    /// A name of ASCII letters and digits.
    mutating func name() throws(SmallXML.Malformed) -> String {
        let start = place
        while place < bytes.count, Self.isName(bytes[place]) { place += 1 }
        guard place > start else { throw SmallXML.Malformed() }
        return String(decoding: bytes[start..<place], as: UTF8.self)
    }

    private static func isName(_ byte: UInt8) -> Bool {
        0x30...0x39 ~= byte || 0x41...0x5A ~= byte || 0x61...0x7A ~= byte || "-_.:".utf8.contains(byte)
    }

    /// Reads to the end of a tag.
    ///
    /// - Returns: whether the tag also ends its element.
    mutating func skipAttributes() throws(SmallXML.Malformed) -> Bool {
        while true {
            let start = place
            skipBlanks()
            if skip(Array("/>".utf8)) { return true }
            if skip([UInt8(ascii: ">")]) { return false }
            guard place > start else { throw SmallXML.Malformed() }
            _ = try name()
            guard skip([UInt8(ascii: "=")]), place < bytes.count, "\"'".utf8.contains(bytes[place]) else {
                throw SmallXML.Malformed()
            }
            let quote = bytes[place]
            place += 1
            guard let end = bytes[place...].firstIndex(of: quote), !bytes[place..<end].contains(UInt8(ascii: "<"))
            else { throw SmallXML.Malformed() }
            place = end + 1
        }
    }

    /// Reads text up to the next tag.
    mutating func collectText(_ text: inout [UInt8]) throws(SmallXML.Malformed) {
        while place < bytes.count {
            if skip(Array("<![CDATA[".utf8)) {
                let start = place
                guard skip(through: Array("]]>".utf8)) else { throw SmallXML.Malformed() }
                text += bytes[start..<place - 3]
            } else if bytes[place] == UInt8(ascii: "<") {
                return
            } else if bytes[place] == UInt8(ascii: "&") {
                text += try entity()
            } else {
                text.append(bytes[place])
                place += 1
            }
        }
        throw SmallXML.Malformed()
    }

    private mutating func entity() throws(SmallXML.Malformed) -> [UInt8] {
        guard let end = bytes[place...].prefix(12).firstIndex(of: UInt8(ascii: ";")) else {
            throw SmallXML.Malformed()
        }
        let name = String(decoding: bytes[place + 1..<end], as: UTF8.self)
        place = end + 1
        switch name {
        case "amp": return [UInt8(ascii: "&")]
        case "lt": return [UInt8(ascii: "<")]
        case "gt": return [UInt8(ascii: ">")]
        case "quot": return [UInt8(ascii: "\"")]
        case "apos": return [UInt8(ascii: "'")]
        default:
            let digits = name.dropFirst(name.hasPrefix("#x") ? 2 : 1)
            guard name.hasPrefix("#"), digits.allSatisfy(\.isHexDigit),
                let number = UInt32(digits, radix: name.hasPrefix("#x") ? 16 : 10), number != 0,
                let scalar = Unicode.Scalar(number)
            else { throw SmallXML.Malformed() }
            return Array(String(Character(scalar)).utf8)
        }
    }
}
