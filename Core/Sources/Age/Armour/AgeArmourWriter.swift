import Encodings

/// Writes ASCII armour (c2sp.org/age, "ASCII armor") piece by piece.
struct AgeArmourWriter: Sendable {
    private var hasBegun = false
    /// Fewer bytes than make a line.
    private var rest: Bytes = []

    /// Appends the lines that are complete with these bytes.
    mutating func write(_ bytes: Bytes, appendingTo output: inout Bytes) {
        begin(&output)
        rest += bytes
        let whole = rest.count / Self.bytesPerLine * Self.bytesPerLine
        guard whole > 0 else { return }
        appendLines(of: Base64.encode(Array(rest[..<whole]), .standard), to: &output)
        rest.removeFirst(whole)
    }

    /// Appends the last line and the end.
    mutating func finish(appendingTo output: inout Bytes) {
        begin(&output)
        appendLines(of: Base64.encode(rest, .standard), to: &output)
        rest.removeAll()
        output += AgeArmourReader.endLine
        output.append(AgeArmourReader.lineFeed)
    }

    private mutating func begin(_ output: inout Bytes) {
        guard !hasBegun else { return }
        hasBegun = true
        output += AgeArmourReader.beginLine
        output.append(AgeArmourReader.lineFeed)
    }

    private func appendLines(of text: Bytes, to output: inout Bytes) {
        var start = 0
        while start < text.count {
            let end = min(start + AgeLimits.columns, text.count)
            output += text[start..<end]
            output.append(AgeArmourReader.lineFeed)
            start = end
        }
    }

    private static let bytesPerLine = AgeLimits.columns / 4 * 3
}
