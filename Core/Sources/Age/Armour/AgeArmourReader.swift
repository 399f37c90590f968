import Encodings

/// Reads ASCII armour (c2sp.org/age, "ASCII armor") that comes in pieces of any length.
///
/// Strict PEM: lines of 64 columns except for the last, one spelling for one file. Lines may end with CR LF, and there may
/// be white space before and after it all.
struct AgeArmourReader: Sendable {
    private enum Place {
        case before
        case begin
        case lines
        /// After a line that is short or padded.
        case end
        case after
    }

    private var place = Place.before
    /// The line that is not complete yet.
    private var line: Bytes = []
    /// Whole lines that are not decoded yet.
    private var text: Bytes = []

    /// Takes the next bytes, and appends what they say, up to the line that breaks a rule.
    mutating func read(_ bytes: ArraySlice<UInt8>, appendingTo output: inout Bytes) throws(AgeError) {
        do throws(AgeError) {
            try readLines(bytes)
        } catch {
            try decode(appendingTo: &output)
            throw error
        }
        try decode(appendingTo: &output)
    }

    /// Says that nothing follows.
    mutating func finish(appendingTo output: inout Bytes) throws(AgeError) {
        if !line.isEmpty { try finishLine() }
        try decode(appendingTo: &output)
        guard case .after = place else { throw .malformedArmour }
    }

    private mutating func readLines(_ bytes: ArraySlice<UInt8>) throws(AgeError) {
        var start = bytes.startIndex
        while start < bytes.endIndex {
            switch place {
            case .before, .after:
                if Self.isSpace(bytes[start]) {
                    start += 1
                } else if case .before = place {
                    place = .begin
                } else {
                    throw .malformedArmour
                }
            case .begin, .lines, .end:
                let end = bytes[start...].firstIndex(of: Self.lineFeed)
                let part = bytes[start..<(end ?? bytes.endIndex)]
                guard line.count + part.count <= AgeLimits.columns + 1 else { throw .malformedArmour }
                line += part
                start = (end ?? bytes.endIndex) + (end == nil ? 0 : 1)
                if end != nil { try finishLine() }
            }
        }
    }

    private mutating func finishLine() throws(AgeError) {
        if line.last == Self.carriageReturn { line.removeLast() }
        defer { line.removeAll(keepingCapacity: true) }
        if case .begin = place {
            guard line == Self.beginLine else { throw .malformedArmour }
            place = .lines
        } else if line == Self.endLine {
            place = .after
        } else if case .lines = place, !line.isEmpty, line.count <= AgeLimits.columns {
            if line.count < AgeLimits.columns || line.last == Self.padding { place = .end }
            text += line
        } else {
            throw .malformedArmour
        }
    }

    /// Decodes many lines at once, or those before the one that is no base64.
    ///
    /// All but the last are whole groups of four, and only the last may be padded.
    private mutating func decode(appendingTo output: inout Bytes) throws(AgeError) {
        defer { text.removeAll(keepingCapacity: true) }
        if let bytes = Base64.decode(text, .standard) { return output += bytes }
        for start in stride(from: 0, to: text.count, by: AgeLimits.columns) {
            let line = Array(text[start..<min(start + AgeLimits.columns, text.count)])
            guard let bytes = Base64.decode(line, .standard) else { throw .malformedArmour }
            output += bytes
        }
    }

    static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || 0x09...0x0D ~= byte }

    static let beginLine = Bytes(text: "-----BEGIN AGE ENCRYPTED FILE-----")
    static let endLine = Bytes(text: "-----END AGE ENCRYPTED FILE-----")
    static let lineFeed: UInt8 = 0x0A
    private static let carriageReturn: UInt8 = 0x0D
    private static let padding: UInt8 = 0x3D
}
