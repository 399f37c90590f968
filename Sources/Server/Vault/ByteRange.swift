/// What the field `Range` asks for of bytes (RFC 9110 section 14).
enum ByteRange: Equatable {
    /// All of them: nothing was asked for, or nothing that this server takes.
    case all
    /// A part.
    case part(Range<Int64>)
    /// None of them are there.
    case none

    /// Reads the field's value, of something that has so many bytes.
    ///
    /// A field that is malformed, has another unit or several ranges counts as none (section 14.2).
    init(_ field: String?, size: Int64) {
        guard let field, field.hasPrefix("bytes=") else {
            self = .all
            return
        }
        let parts = field.dropFirst(6).split(separator: "-", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2 else {
            self = .all
            return
        }
        switch (Self.number(parts[0]), Self.number(parts[1])) {
        case (.number(let first), .number(let last)) where first <= last:
            self = first < size ? .part(first..<min(size, last == .max ? last : last + 1)) : .none
        case (.number(let first), .empty): self = first < size ? .part(first..<size) : .none
        case (.empty, .number(let last)): self = last > 0 && size > 0 ? .part(max(0, size - last)..<size) : .none
        default: self = .all
        }
    }

    private enum Number { case empty, number(Int64), malformed }

    private static func number(_ text: Substring) -> Number {
        guard !text.isEmpty else { return .empty }
        guard text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return .malformed }
        // Beyond every size.
        return .number(Int64(text) ?? .max)
    }
}
