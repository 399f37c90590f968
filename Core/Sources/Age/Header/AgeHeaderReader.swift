import Encodings

/// Reads a header that comes in pieces of any length (c2sp.org/age, "ABNF definition of file header").
struct AgeHeaderReader: Sendable {
    private enum Place {
        case version
        case stanzaOrEnd
        case body([Bytes])
    }

    private var place = Place.version
    private var stanzas: [AgeStanza] = []
    /// The line that is not complete yet.
    private var line: Bytes = []
    /// The base64 of the stanza that is being read.
    private var text: Bytes = []
    private var length = 0

    /// Takes the next bytes.
    ///
    /// - Returns: the header and what follows it, or `nil` if more is needed.
    mutating func read(_ bytes: ArraySlice<UInt8>) throws(AgeError) -> (header: AgeHeader, rest: ArraySlice<UInt8>)? {
        var start = bytes.startIndex
        while start < bytes.endIndex {
            let end = bytes[start...].firstIndex(of: 0x0A)
            line += bytes[start..<(end ?? bytes.endIndex)]
            try checkBeginning()
            length += (end ?? bytes.endIndex) - start + (end == nil ? 0 : 1)
            guard length <= AgeLimits.header else { throw .headerTooLong }
            guard let end else { break }
            start = end + 1
            defer { line.removeAll(keepingCapacity: true) }
            if let header = try finishLine() { return (header, bytes[start...]) }
        }
        return nil
    }

    /// The header if the line was its last one.
    private mutating func finishLine() throws(AgeError) -> AgeHeader? {
        switch place {
        case .version:
            guard line == AgeHeader.version else {
                throw line.starts(with: Self.anyVersion) ? .unsupportedVersion : .notAge
            }
            place = .stanzaOrEnd
        case .stanzaOrEnd:
            guard line.starts(with: AgeStanza.mark) else {
                return try finishHeader()
            }
            guard let arguments = AgeStanza.arguments(of: line) else { throw .malformedHeader }
            place = .body(arguments)
        case .body(let arguments):
            guard line.count <= AgeLimits.columns else { throw .malformedHeader }
            text += line
            guard line.count < AgeLimits.columns else { return nil }
            guard let body = RawBase64.decode(text) else { throw .malformedHeader }
            stanzas.append(AgeStanza(arguments: arguments, body: body))
            text.removeAll(keepingCapacity: true)
            place = .stanzaOrEnd
        }
        return nil
    }

    private func finishHeader() throws(AgeError) -> AgeHeader {
        let mark = AgeHeader.end + [0x20]
        guard line.starts(with: mark), !stanzas.isEmpty,
            let mac = RawBase64.decode(Array(line.dropFirst(mark.count))), mac.count == AgeLimits.key
        else { throw .malformedHeader }
        return AgeHeader(stanzas: stanzas, mac: mac)
    }

    /// What is no age file is refused at its first bytes, not at its first line feed.
    private func checkBeginning() throws(AgeError) {
        guard case .version = place else { return }
        let shared = min(line.count, Self.anyVersion.count)
        guard line.prefix(shared) == Self.anyVersion.prefix(shared) else { throw .notAge }
    }

    private static let anyVersion = Bytes(text: "age-encryption.org/")
}
