import Encodings

/// Why an SVG is no logo.
enum SVGFault: Error, Equatable {
    /// Not well-formed XML in UTF-8: where.
    case malformed(offset: Int)
    /// It declares entities, which can be bombs or read other files.
    case entities
    /// It has neither a usable `viewBox` nor usable `width` and `height`.
    case noSize
    /// More elements, attributes or depth than a logo has.
    case tooMuch
    /// Nothing is left that shows.
    case empty
}

/// Reads the XML that drawing programs write, and no more.
///
/// There are no declared entities, so it never grows.
struct SVGReader {
    /// A part of the file, in its order.
    enum Part {
        case begin(name: String, attributes: [(name: String, value: String)])
        case end(name: String)
        case text(String)
    }

    static let maximumDepth = 32
    static let maximumElements = 4_000
    private static let maximumAttributes = 64

    private let bytes: Bytes
    private var at = 0
    private var parts: [Part] = []
    private var open: [String] = []
    private var elements = 0

    /// All parts of a file.
    static func parts(_ file: Bytes) throws(SVGFault) -> [Part] {
        guard String(validating: file, as: UTF8.self) != nil else { throw .malformed(offset: 0) }
        var reader = SVGReader(bytes: file)
        try reader.read()
        return reader.parts
    }

    private init(bytes: Bytes) { self.bytes = bytes }

    private mutating func read() throws(SVGFault) {
        if starts("\u{FEFF}") { at += 3 }
        while at < bytes.count {
            if starts("<?") {
                try skip(past: "?>")
            } else if starts("<!--") {
                try skip(past: "-->")
            } else if starts("<![CDATA[") {
                let start = at + 9
                try skip(past: "]]>")
                if !open.isEmpty { parts.append(.text(text(start..<at - 3))) }
            } else if starts("<!DOCTYPE") {
                try skipType()
            } else if starts("</") {
                try end()
            } else if starts("<") {
                try begin()
            } else {
                try characters()
            }
        }
        guard open.isEmpty, elements > 0 else { throw .malformed(offset: at) }
    }

    /// Old drawing programs name their document type; one that declares anything itself is refused.
    private mutating func skipType() throws(SVGFault) {
        let start = at
        try skip(past: ">")
        guard elements == 0, !bytes[start..<at].contains(0x5B) else { throw .entities }
    }

    private mutating func begin() throws(SVGFault) {
        guard !open.isEmpty || elements == 0 else { throw .malformed(offset: at) }
        elements += 1
        guard elements <= Self.maximumElements, open.count < Self.maximumDepth else { throw .tooMuch }
        at += 1
        let name = try self.name()
        var attributes: [(name: String, value: String)] = []
        while true {
            let before = at
            skipSpace()
            if starts("/>") || starts(">") { break }
            guard at > before else { throw .malformed(offset: at) }
            let attribute = try attribute()
            guard !attributes.contains(where: { $0.name == attribute.name }) else { throw .malformed(offset: at) }
            attributes.append(attribute)
            guard attributes.count <= Self.maximumAttributes else { throw .tooMuch }
        }
        parts.append(.begin(name: name, attributes: attributes))
        if starts("/>") {
            at += 2
            parts.append(.end(name: name))
        } else {
            at += 1
            open.append(name)
        }
    }

    private mutating func attribute() throws(SVGFault) -> (name: String, value: String) {
        let name = try self.name()
        skipSpace()
        guard starts("=") else { throw .malformed(offset: at) }
        at += 1
        skipSpace()
        guard at < bytes.count, bytes[at] == 0x22 || bytes[at] == 0x27 else { throw .malformed(offset: at) }
        let quote = bytes[at]
        at += 1
        let start = at
        while at < bytes.count, bytes[at] != quote {
            guard bytes[at] != 0x3C else { throw .malformed(offset: at) }
            at += 1
        }
        guard at < bytes.count else { throw .malformed(offset: at) }
        let value = try resolved(start..<at)
        at += 1
        return (name, value)
    }

    private mutating func end() throws(SVGFault) {
        at += 2
        let name = try self.name()
        skipSpace()
        guard starts(">"), open.popLast() == name else { throw .malformed(offset: at) }
        at += 1
        parts.append(.end(name: name))
    }

    private mutating func characters() throws(SVGFault) {
        let start = at
        while at < bytes.count, bytes[at] != 0x3C { at += 1 }
        let text = try resolved(start..<at)
        if !open.isEmpty {
            parts.append(.text(text))
        } else if !text.allSatisfy(\.isWhitespace) {
            throw .malformed(offset: start)
        }
    }

    // MARK: Letters

    private mutating func name() throws(SVGFault) -> String {
        let start = at
        while at < bytes.count, Self.isOfName(bytes[at]) { at += 1 }
        guard at > start, at - start <= 64 else { throw .malformed(offset: start) }
        return text(start..<at)
    }

    private static func isOfName(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x61...0x7A, 0x41...0x5A, 0x30...0x39, 0x2D, 0x2E, 0x3A, 0x5F: true
        default: false
        }
    }

    /// Text with the five entities of XML and character references in their places.
    private func resolved(_ range: Range<Int>) throws(SVGFault) -> String {
        guard bytes[range].contains(0x26) else { return text(range) }
        let parts = bytes[range].split(separator: 0x26, omittingEmptySubsequences: false)
        var result = String(decoding: parts[0], as: UTF8.self)
        for part in parts.dropFirst() {
            guard let semicolon = part.firstIndex(of: 0x3B),
                let scalar = Self.scalar(String(decoding: part[..<semicolon], as: UTF8.self))
            else { throw .malformed(offset: part.startIndex) }
            result.unicodeScalars.append(scalar)
            result += String(decoding: part[part.index(after: semicolon)...], as: UTF8.self)
        }
        return result
    }

    private static func scalar(_ name: String) -> Unicode.Scalar? {
        let known: [String: Unicode.Scalar] = ["lt": "<", "gt": ">", "amp": "&", "quot": "\"", "apos": "'"]
        if let scalar = known[name] { return scalar }
        guard name.utf8.count <= 9, name.hasPrefix("#") else { return nil }
        let digits = name.dropFirst()
        return (digits.hasPrefix("x") ? UInt32(digits.dropFirst(), radix: 16) : UInt32(digits))
            .flatMap(Unicode.Scalar.init)
    }

    private func text(_ range: Range<Int>) -> String { String(decoding: bytes[range], as: UTF8.self) }

    private func starts(_ text: String) -> Bool { bytes[at...].starts(with: text.utf8) }

    private mutating func skipSpace() {
        while at < bytes.count, [0x20, 0x09, 0x0A, 0x0D].contains(bytes[at]) { at += 1 }
    }

    private mutating func skip(past text: String) throws(SVGFault) {
        let start = at
        while !starts(text) {
            guard at < bytes.count else { throw .malformed(offset: start) }
            at += 1
        }
        at += text.utf8.count
    }
}
