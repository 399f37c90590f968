import Encodings

/// Reads the members of a dictionary in their order, each by its name, and refuses those that nobody asks for.
struct MemberReader {
    private let entries: [Bencode.Entry]
    private var index = 0

    init(_ value: Bencode?) throws(ApprovalError) {
        guard let entries = value?.entries else { throw .malformed }
        self.entries = entries
    }

    /// The next member, if it has this name.
    mutating func takeIf(_ name: StaticString) -> Bencode? {
        guard index < entries.count, entries[index].key.equals(name) else { return nil }
        index += 1
        return entries[index - 1].value
    }

    mutating func take(_ name: StaticString) throws(ApprovalError) -> Bencode {
        guard let value = takeIf(name) else { throw .malformed }
        return value
    }

    mutating func string(_ name: StaticString, _ length: ClosedRange<Int>) throws(ApprovalError) -> Bytes {
        guard let bytes = try take(name).string, length.contains(bytes.count) else { throw .malformed }
        return bytes
    }

    mutating func string(_ name: StaticString, exactly length: Int) throws(ApprovalError) -> Bytes {
        try string(name, length...length)
    }

    mutating func integer(_ name: StaticString) throws(ApprovalError) -> Int64 {
        guard let number = try take(name).integer else { throw .malformed }
        return number
    }

    mutating func key(_ name: StaticString) throws(ApprovalError) -> P256PublicKey {
        guard let bytes = try take(name).string, let key = P256PublicKey(x963: bytes) else { throw .malformed }
        return key
    }

    /// The member must be this text.
    mutating func expect(_ name: StaticString, _ text: StaticString) throws(ApprovalError) {
        guard try take(name).string?.equals(text) == true else { throw .malformed }
    }

    /// Nothing may be left.
    func finish() throws(ApprovalError) {
        guard index == entries.count else { throw .malformed }
    }
}
