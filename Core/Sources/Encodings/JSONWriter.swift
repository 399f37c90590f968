extension JSON {
    /// The value as compact JSON, members in their own order.
    public func serialized() -> Bytes {
        var output: Bytes = []
        write(to: &output, sorted: false)
        return output
    }

    /// The one canonical form (RFC 8785): no white space, names sorted by UTF-16 code units, whole numbers only.
    ///
    /// - Throws: `notCanonical` for a number that is not whole; nothing that we sign holds one.
    public func canonical() throws(JSONError) -> Bytes {
        guard isCanonicalizable else { throw .notCanonical }
        var output: Bytes = []
        write(to: &output, sorted: true)
        return output
    }

    private var isCanonicalizable: Bool {
        switch self {
        case .decimal: false
        case .integer(let number): number.magnitude <= UInt64(Self.safeInteger)
        case .array(let elements): elements.allSatisfy { $0.isCanonicalizable }
        case .object(let members): members.allSatisfy { $0.value.isCanonicalizable }
        case .null, .bool, .string: true
        }
    }

    private func write(to output: inout Bytes, sorted: Bool) {
        switch self {
        case .null: output.append(contentsOf: Bytes(text: "null"))
        case .bool(let flag): output.append(contentsOf: Bytes(text: flag ? "true" : "false"))
        case .integer(let number):
            if number < 0 { output.append(0x2D) }
            output.append(contentsOf: decimalBytes(number.magnitude))
        case .decimal(let written): output.append(contentsOf: written)
        case .string(let text): Self.write(text, to: &output)
        case .array(let elements):
            output.append(0x5B)
            for (index, element) in elements.enumerated() {
                if index > 0 { output.append(0x2C) }
                element.write(to: &output, sorted: sorted)
            }
            output.append(0x5D)
        case .object(let members):
            output.append(0x7B)
            let ordered = sorted ? members.sorted { Self.precedes($0.name, $1.name) } : members
            for (index, member) in ordered.enumerated() {
                if index > 0 { output.append(0x2C) }
                Self.write(member.name, to: &output)
                output.append(0x3A)
                member.value.write(to: &output, sorted: sorted)
            }
            output.append(0x7D)
        }
    }

    private static func write(_ text: Bytes, to output: inout Bytes) {
        output.append(0x22)
        var index = 0
        while index < text.count {
            let end = PlainText.endOfRun(in: text, from: index)
            output.append(contentsOf: text[index..<end])
            index = end
            guard index < text.count else { break }
            escape(text[index], to: &output)
            index += 1
        }
        output.append(0x22)
    }

    private static func escape(_ byte: UInt8, to output: inout Bytes) {
        switch byte {
        case 0x22, 0x5C: output.append(contentsOf: [0x5C, byte])
        case 0x08: output.append(contentsOf: [0x5C, 0x62])
        case 0x09: output.append(contentsOf: [0x5C, 0x74])
        case 0x0A: output.append(contentsOf: [0x5C, 0x6E])
        case 0x0C: output.append(contentsOf: [0x5C, 0x66])
        case 0x0D: output.append(contentsOf: [0x5C, 0x72])
        case 0..<0x20:
            output.append(contentsOf: [0x5C, 0x75, 0x30, 0x30])
            output.append(contentsOf: Hex.encode([byte]))
        default: output.append(byte)
        }
    }

    /// Order by UTF-16 code units (RFC 8785 section 3.2.3).
    ///
    /// It differs from the order of bytes only where one name has
    /// a scalar above U+FFFF, whose surrogates sort before U+E000.
    private static func precedes(_ left: Bytes, _ right: Bytes) -> Bool {
        let shared = min(left.count, right.count)
        var index = 0
        while index < shared, left[index] == right[index] { index += 1 }
        guard index < shared else { return left.count < right.count }
        var start = index
        while start > 0, left[start] & 0xC0 == 0x80 { start -= 1 }
        guard let a = UTF8Text.scalar(in: left, at: start)?.scalar,
            let b = UTF8Text.scalar(in: right, at: start)?.scalar
        else { return left[index] < right[index] }
        if (a > 0xFFFF) != (b > 0xFFFF) {
            return a > 0xFFFF ? b >= 0xE000 : a < 0xE000
        }
        return a < b
    }
}
