import Encodings
import Synchronization

/// Writes a value as JSON in the interface's form: names in snake case and sorted, no white space.
///
/// The counterpart of ``StrictDecoder``, over the same values; the interface has neither dictionaries nor fractions. The
/// bytes are those of Foundation's encoder, a test compares, in a fraction of its time: every answer passes here.
enum StrictEncoder {
    /// The bytes.
    ///
    /// - Throws: `EncodingError` for a number that is no whole one of 64 bits.
    static func bytes(_ value: some Encodable) throws -> Bytes {
        let place = Place()
        try place.encode(value)
        var output: Bytes = []
        output.reserveCapacity(512)
        place.write(to: &output)
        return output
    }
}

/// One place in the JSON that is being made.
///
/// Texts, numbers and flags inside it are written at once, one after the other; only what has parts of its own gets a
/// place of its own.
private final class Place: Encoder, SingleValueEncodingContainer {
    private enum Kind { case nothing, value, members, elements }

    /// The value at a name, or between two commas.
    private struct Part {
        /// With quotation marks and colon; empty for an element.
        let name: Bytes
        /// Where its value is in `written`.
        var range: Range<Int>
        /// Instead of a value in `written`.
        var place: Place?
    }

    private var kind = Kind.nothing
    /// The values that have no place, in the order in which they came.
    private var written: Bytes = []
    private var parts: [Part] = []

    var codingPath: [any CodingKey] { [] }
    var userInfo: [CodingUserInfoKey: Any] { [:] }
    var count: Int { parts.count }

    func write(to output: inout Bytes) {
        switch kind {
        case .nothing: output += Self.null
        case .value: output += written
        case .elements:
            output.append(UInt8(ascii: "["))
            writeParts(to: &output)
            output.append(UInt8(ascii: "]"))
        case .members:
            output.append(UInt8(ascii: "{"))
            // The quotation mark at a name's end sorts before every letter, so a name comes before its extensions.
            parts.sort { $0.name.lexicographicallyPrecedes($1.name) }
            writeParts(to: &output)
            output.append(UInt8(ascii: "}"))
        }
    }

    private func writeParts(to output: inout Bytes) {
        for (index, part) in parts.enumerated() {
            if index > 0 { output.append(UInt8(ascii: ",")) }
            output += part.name
            if let place = part.place { place.write(to: &output) } else { output += written[part.range] }
        }
    }

    fileprivate static let null = Bytes(text: "null")
    /// So that most answers grow without being moved.
    private static let (usualParts, usualLength) = (8, 256)

    // MARK: Values

    /// Puts a value where it belongs: at a name, as an element, or as all there is.
    func put(_ name: Bytes?, _ write: (inout Bytes) -> Void) {
        let start = written.count
        write(&written)
        guard let name else {
            kind = .value
            return
        }
        parts.append(Part(name: name, range: start..<written.count))
    }

    func put(_ name: Bytes?, text: String) {
        put(name) { output in
            // Most texts are in JSON as they are.
            if text.utf8.allSatisfy({ $0 >= 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "\\") })
            {
                output.append(UInt8(ascii: "\""))
                output.append(contentsOf: text.utf8)
                output.append(UInt8(ascii: "\""))
            } else {
                output += JSON.text(text).serialized()
            }
        }
    }
    func put(_ name: Bytes?, flag: Bool) { put(name) { $0 += JSON.bool(flag).serialized() } }
    func put(_ name: Bytes?, number: Int64) { put(name) { $0 += JSON.integer(number).serialized() } }

    func put<Value: Encodable>(_ name: Bytes?, _ value: Value) throws {
        switch value {
        case let text as String: put(name, text: text)
        case let flag as Bool: put(name, flag: flag)
        case let number as Int64: put(name, number: number)
        case let number as any BinaryInteger:
            guard let whole = Int64(exactly: number) else { throw Self.refused(value) }
            put(name, number: whole)
        case is any BinaryFloatingPoint: throw Self.refused(value)
        default: try value.encode(to: name.map(place) ?? self)
        }
    }

    /// A new place at a name, or as an element.
    func place(_ name: Bytes) -> Place {
        let place = Place()
        parts.append(Part(name: name, range: 0..<0, place: place))
        return place
    }

    private static func refused(_ value: Any) -> EncodingError {
        .invalidValue(value, .init(codingPath: [], debugDescription: "not a whole number of 64 bits"))
    }

    // MARK: Encoder

    func encodeNil() throws { put(nil) { $0 += Self.null } }
    func encode<Value: Encodable>(_ value: Value) throws { try put(nil, value) }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
        kind = .members
        if parts.isEmpty {
            parts.reserveCapacity(Self.usualParts)
            written.reserveCapacity(Self.usualLength)
        }
        return KeyedEncodingContainer(Members(place: self))
    }

    func unkeyedContainer() -> any UnkeyedEncodingContainer {
        kind = .elements
        return Elements(place: self)
    }

    func singleValueContainer() -> any SingleValueEncodingContainer { self }
}

private struct Members<Key: CodingKey>: KeyedEncodingContainerProtocol {
    let place: Place
    var codingPath: [any CodingKey] { [] }

    private func name(_ key: Key) -> Bytes { WireNames.name(key.stringValue) }

    func encodeNil(forKey key: Key) throws { place.put(name(key)) { $0 += Place.null } }
    func encode(_ value: String, forKey key: Key) throws { place.put(name(key), text: value) }
    func encode(_ value: Bool, forKey key: Key) throws { place.put(name(key), flag: value) }
    func encode(_ value: Int, forKey key: Key) throws { place.put(name(key), number: Int64(value)) }
    func encode(_ value: Int64, forKey key: Key) throws { place.put(name(key), number: value) }
    func encode<Value: Encodable>(_ value: Value, forKey key: Key) throws { try place.put(name(key), value) }
    func nestedContainer<Nested: CodingKey>(
        keyedBy type: Nested.Type, forKey key: Key
    ) -> KeyedEncodingContainer<Nested> {
        place.place(name(key)).container(keyedBy: type)
    }
    func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
        place.place(name(key)).unkeyedContainer()
    }
    func superEncoder() -> any Encoder { place }
    func superEncoder(forKey key: Key) -> any Encoder { place.place(name(key)) }
}

private struct Elements: UnkeyedEncodingContainer {
    let place: Place
    var codingPath: [any CodingKey] { [] }
    var count: Int { place.count }

    func encodeNil() throws { place.put([]) { $0 += Place.null } }
    func encode<Value: Encodable>(_ value: Value) throws { try place.put([], value) }
    func nestedContainer<Nested: CodingKey>(keyedBy type: Nested.Type) -> KeyedEncodingContainer<Nested> {
        place.place([]).container(keyedBy: type)
    }
    func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer { place.place([]).unkeyedContainer() }
    func superEncoder() -> any Encoder { place }
}

/// The wire names of the interface's properties as they are written, each made once: as many as the source has.
private enum WireNames {
    private static let known = Mutex<[String: Bytes]>([:])

    static func name(_ property: String) -> Bytes {
        known.withLock { known in
            if let name = known[property] { return name }
            let name = JSON.text(SnakeCase.name(property)).serialized() + [UInt8(ascii: ":")]
            known[property] = name
            return name
        }
    }
}
