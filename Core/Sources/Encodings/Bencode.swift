/// A Bencode value (BEP 3) in its one canonical spelling: sorted keys, none twice, the shortest numbers and lengths.
///
/// Strings are bytes; the reader decides whether they are text.
public indirect enum Bencode: Sendable, Equatable {
    case integer(Int64)
    case string(Bytes)
    case list([Bencode])
    /// Keys in ascending order of their bytes.
    case dictionary([Entry])

    /// One key and value of a dictionary.
    public struct Entry: Sendable, Equatable {
        /// The key.
        public let key: Bytes
        /// The value.
        public let value: Bencode

        /// A key and its value.
        public init(_ key: Bytes, _ value: Bencode) {
            self.key = key
            self.value = value
        }
    }

    /// A string from a text of the source.
    public static func text(_ text: String) -> Bencode { .string(Bytes(text: text)) }

    /// A dictionary of these entries, put in order.
    ///
    /// Keys must differ.
    public static func entries(_ entries: [(String, Bencode)]) -> Bencode {
        .dictionary(entries.map { Entry(Bytes(text: $0.0), $0.1) }.sorted { $0.key.precedes($1.key) })
    }

    /// The value of `key`, or `nil` when this is no dictionary or has no such key.
    public subscript(key: StaticString) -> Bencode? {
        guard case .dictionary(let entries) = self else { return nil }
        for entry in entries where entry.key.equals(key) { return entry.value }
        return nil
    }

    /// The number of an integer.
    public var integer: Int64? {
        guard case .integer(let number) = self else { return nil }
        return number
    }

    /// The bytes of a string.
    public var string: Bytes? {
        guard case .string(let bytes) = self else { return nil }
        return bytes
    }

    /// The elements of a list.
    public var list: [Bencode]? {
        guard case .list(let elements) = self else { return nil }
        return elements
    }

    /// The entries of a dictionary.
    public var entries: [Entry]? {
        guard case .dictionary(let entries) = self else { return nil }
        return entries
    }

    /// The canonical bytes.
    ///
    /// Entries are put in order, should they not be. Keys must differ.
    public func encoded() -> Bytes {
        var writer = BencodeWriter()
        write(to: &writer)
        return writer.bytes
    }

    /// Writes the canonical bytes.
    public func write(to writer: inout BencodeWriter) {
        switch self {
        case .integer(let number): writer.integer(number)
        case .string(let bytes): writer.string(bytes)
        case .list(let elements):
            writer.beginList()
            for element in elements { element.write(to: &writer) }
            writer.end()
        case .dictionary(let entries):
            writer.beginDictionary()
            for entry in Self.isSorted(entries) ? entries : entries.sorted(by: { $0.key.precedes($1.key) }) {
                writer.string(entry.key)
                entry.value.write(to: &writer)
            }
            writer.end()
        }
    }

    private static func isSorted(_ entries: [Entry]) -> Bool {
        for index in 1..<max(entries.count, 1) where !entries[index - 1].key.precedes(entries[index].key) {
            return false
        }
        return true
    }
}
