import Encodings

/// One recipient's part of a header: arguments, the first of which is the type, and a body.
struct AgeStanza: Sendable, Equatable {
    let arguments: [Bytes]
    let body: Bytes

    /// What "-> " begins; `nil` unless there are arguments of visible characters with single spaces between them.
    static func arguments(of line: Bytes) -> [Bytes]? {
        let arguments = Array(line.dropFirst(mark.count)).split(at: 0x20)
        let areVisible = arguments.allSatisfy { argument in
            !argument.isEmpty && argument.allSatisfy { 0x21...0x7E ~= $0 }
        }
        return areVisible ? arguments : nil
    }

    /// The lines of the stanza, with their ends.
    var encoded: Bytes {
        var lines = Self.mark
        for (index, argument) in arguments.enumerated() {
            if index > 0 { lines.append(0x20) }
            lines += argument
        }
        lines.append(0x0A)
        let text = RawBase64.encode(body)
        var start = 0
        // The last line is shorter than the others, so it may have to be empty.
        while start + AgeLimits.columns <= text.count {
            lines += text[start..<start + AgeLimits.columns]
            lines.append(0x0A)
            start += AgeLimits.columns
        }
        lines += text[start...]
        lines.append(0x0A)
        return lines
    }

    static let mark = Bytes(text: "-> ")
}
