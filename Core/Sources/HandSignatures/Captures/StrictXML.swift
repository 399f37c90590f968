import Encodings

/// Reads the XML that programs write of measurements: elements, attributes and text.
///
/// It refuses document types (and with them every entity but the five), numeric references, comments, instructions and
/// CDATA, with `malformed` and the line. It also refuses encodings other than UTF-8, and more than 16 levels, 16
/// attributes of a tag, 64 bytes of a name, or 64 KiB of a text. So the work is a few steps for each byte, and what is
/// kept is one tag or text.
struct StrictXML {
    /// A start tag.
    struct Tag {
        /// As it is written, with its prefix.
        let name: Bytes
        let attributes: [(name: Bytes, value: Bytes)]

        /// The part before the colon; empty when there is none.
        var prefix: Bytes { name.firstIndex(of: 0x3A).map { Array(name[..<$0]) } ?? [] }

        /// Whether this is what is behind the colon.
        func isNamed(_ local: StaticString) -> Bool {
            name.firstIndex(of: 0x3A).map { Array(name[($0 + 1)...]).equals(local) } ?? name.equals(local)
        }
    }

    private static let mostLevels = 16
    private static let mostAttributes = 16
    private static let longestName = 64
    private static let longestText = 1 << 16

    private let text: Bytes
    private var position = 0
    /// The names of the elements that are open.
    private var open: [Bytes] = []
    /// Whether the last tag was its own end.
    private var isEmptyElement = false

    /// Goes to the first tag.
    init(_ text: Bytes) throws(CaptureError) {
        self.text = text
        guard UTF8Text.isValid(text) else { throw .malformed(line: 0) }
        if text.starts(with: [0xEF, 0xBB, 0xBF]) { position = 3 }
        guard text[position...].starts(with: Bytes(text: "<?xml")) else { return }
        position += 5
        for (name, value) in try self.attributes() {
            let isEncoding = name.equals("encoding")
            let isKnown = isEncoding ? value.map { $0 | 0x20 }.equals(text: "utf-8") : value.equals("1.0")
            guard name.equals("standalone") || ((isEncoding || name.equals("version")) && isKnown) else { throw broken }
        }
        try take("?>")
    }

    /// The error at this place.
    var broken: CaptureError { .malformed(line: 1 + text[..<position].count { $0 == 0x0A }) }

    /// The next element inside the open one, or the outermost; `nil` when the open one ends, which is then left.
    mutating func child() throws(CaptureError) -> Tag? {
        if isEmptyElement {
            leave()
            return nil
        }
        skipSpace()
        guard peek() == 0x3C else { throw broken }
        return try tag()
    }

    /// The text of the element that was just entered, which is then left: it has nothing else in it.
    mutating func content() throws(CaptureError) -> Bytes {
        if isEmptyElement {
            leave()
            return []
        }
        let content = try characters(until: 0x3C)
        guard try tag() == nil else { throw broken }
        return content
    }

    /// Leaves the element that was just entered, with everything in it.
    mutating func skip() throws(CaptureError) {
        let level = open.count - 1
        while open.count > level {
            if isEmptyElement {
                leave()
            } else {
                _ = try characters(until: 0x3C)
                _ = try tag()
            }
        }
    }

    /// Nothing may follow the outermost element.
    mutating func finish() throws(CaptureError) {
        skipSpace()
        guard open.isEmpty, position == text.count else { throw broken }
    }

    /// A start tag, after which its element is open; `nil` for the end of the open one.
    private mutating func tag() throws(CaptureError) -> Tag? {
        try take("<")
        if peek() == 0x2F {
            position += 1
            guard let last = open.last, try self.name() == last else { throw broken }
            skipSpace()
            try take(">")
            leave()
            return nil
        }
        let tag = Tag(name: try self.name(), attributes: try self.attributes())
        guard open.count < Self.mostLevels else { throw broken }
        open.append(tag.name)
        if peek() == 0x2F {
            position += 1
            isEmptyElement = true
        }
        try take(">")
        return tag
    }

    private mutating func leave() {
        isEmptyElement = false
        open.removeLast()
    }

    private mutating func attributes() throws(CaptureError) -> [(name: Bytes, value: Bytes)] {
        var attributes: [(name: Bytes, value: Bytes)] = []
        while true {
            let start = position
            skipSpace()
            guard let next = peek(), next != 0x2F, next != 0x3E, next != 0x3F else { return attributes }
            guard position > start, attributes.count < Self.mostAttributes else { throw broken }
            let name = try self.name()
            guard !attributes.contains(where: { $0.name == name }) else { throw broken }
            skipSpace()
            try take("=")
            skipSpace()
            guard let quote = peek(), quote == 0x22 || quote == 0x27 else { throw broken }
            position += 1
            let value = try characters(until: quote)
            position += 1
            attributes.append((name, value))
        }
    }

    private mutating func name() throws(CaptureError) -> Bytes {
        let start = position
        while let next = peek() {
            let isLetter = (0x61...0x7A).contains(next | 0x20) || next == 0x5F
            let isLater = (0x2D...0x2E).contains(next) || (0x30...0x3A).contains(next)
            guard isLetter || (isLater && position > start) else { break }
            position += 1
        }
        guard position > start, position - start <= Self.longestName else { throw broken }
        return Array(text[start..<position])
    }

    /// Text up to a character that ends it, which is not taken; the five entities are replaced.
    private mutating func characters(until end: UInt8) throws(CaptureError) -> Bytes {
        var characters: Bytes = []
        while let next = peek(), next != end {
            guard next != 0x3C, next >= 0x20 || next == 0x09 || next == 0x0A || next == 0x0D,
                characters.count < Self.longestText
            else { throw broken }
            if next == 0x26 {
                characters.append(try entity())
            } else {
                characters.append(next)
                position += 1
            }
        }
        guard position < text.count else { throw broken }
        return characters
    }

    private mutating func entity() throws(CaptureError) -> UInt8 {
        let entities: [(StaticString, UInt8)] = [
            ("&lt;", 0x3C), ("&gt;", 0x3E), ("&amp;", 0x26), ("&quot;", 0x22), ("&apos;", 0x27),
        ]
        for (name, character) in entities where begins(with: name) {
            position += name.utf8CodeUnitCount
            return character
        }
        throw broken
    }

    private func begins(with literal: StaticString) -> Bool {
        let end = position + literal.utf8CodeUnitCount
        return end <= text.count && Array(text[position..<end]).equals(literal)
    }

    private mutating func take(_ literal: StaticString) throws(CaptureError) {
        guard begins(with: literal) else { throw broken }
        position += literal.utf8CodeUnitCount
    }

    private func peek() -> UInt8? { position < text.count ? text[position] : nil }

    private mutating func skipSpace() {
        while let next = peek(), next == 0x20 || next == 0x09 || next == 0x0A || next == 0x0D { position += 1 }
    }
}
