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
        place.write(to: &output)
        return output
    }
}

/// One place in the JSON that is being made.
private final class Place: Encoder, SingleValueEncodingContainer {
    private enum Content {
        case nothing
        /// Written already.
        case value(Bytes)
        /// Each name with its quotation marks and colon.
        case members([(name: Bytes, place: Place)])
        case elements([Place])
    }

    private var content = Content.nothing

    var codingPath: [any CodingKey] { [] }
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    func write(to output: inout Bytes) {
        switch content {
        case .nothing: output += Self.null
        case .value(let value): output += value
        case .elements(let places):
            output.append(UInt8(ascii: "["))
            for (index, place) in places.enumerated() {
                if index > 0 { output.append(UInt8(ascii: ",")) }
                place.write(to: &output)
            }
            output.append(UInt8(ascii: "]"))
        case .members(let members):
            output.append(UInt8(ascii: "{"))
            // The quotation mark at a name's end sorts before every letter, so a name comes before its extensions.
            for (index, member) in members.sorted(by: { $0.name.lexicographicallyPrecedes($1.name) }).enumerated() {
                if index > 0 { output.append(UInt8(ascii: ",")) }
                output += member.name
                member.place.write(to: &output)
            }
            output.append(UInt8(ascii: "}"))
        }
    }

    private static let null = Bytes(text: "null")

    var count: Int {
        if case .elements(let places) = content { places.count } else { 0 }
    }

    func encodeNil() throws { content = .value(Self.null) }

    func encode<Value: Encodable>(_ value: Value) throws {
        switch value {
        case let text as String: content = .value(JSON.text(text).serialized())
        case let flag as Bool: content = .value(JSON.bool(flag).serialized())
        case let number as Int64: content = .value(JSON.integer(number).serialized())
        case let number as any BinaryInteger:
            guard let whole = Int64(exactly: number) else { throw Self.refused(value) }
            content = .value(JSON.integer(whole).serialized())
        case is any BinaryFloatingPoint: throw Self.refused(value)
        default: try value.encode(to: self)
        }
    }

    /// A new place behind a name.
    func member(_ key: any CodingKey) -> Place {
        let place = Place()
        let name = WireNames.name(key.stringValue)
        if case .members(var members) = content {
            // So that the list has one owner and grows in place.
            content = .nothing
            members.append((name, place))
            content = .members(members)
        } else {
            content = .members([(name, place)])
        }
        return place
    }

    /// A new place at the end.
    func element() -> Place {
        let place = Place()
        if case .elements(var places) = content {
            // So that the list has one owner and grows in place.
            content = .nothing
            places.append(place)
            content = .elements(places)
        } else {
            content = .elements([place])
        }
        return place
    }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
        if case .nothing = content { content = .members([]) }
        return KeyedEncodingContainer(Members(place: self))
    }

    func unkeyedContainer() -> any UnkeyedEncodingContainer {
        if case .nothing = content { content = .elements([]) }
        return Elements(place: self)
    }

    func singleValueContainer() -> any SingleValueEncodingContainer { self }

    private static func refused(_ value: Any) -> EncodingError {
        .invalidValue(value, .init(codingPath: [], debugDescription: "not a whole number of 64 bits"))
    }
}

private struct Members<Key: CodingKey>: KeyedEncodingContainerProtocol {
    let place: Place
    var codingPath: [any CodingKey] { [] }

    func encodeNil(forKey key: Key) throws { try place.member(key).encodeNil() }
    func encode<Value: Encodable>(_ value: Value, forKey key: Key) throws { try place.member(key).encode(value) }
    func nestedContainer<Nested: CodingKey>(
        keyedBy type: Nested.Type, forKey key: Key
    ) -> KeyedEncodingContainer<Nested> {
        place.member(key).container(keyedBy: type)
    }
    func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
        place.member(key).unkeyedContainer()
    }
    func superEncoder() -> any Encoder { place }
    func superEncoder(forKey key: Key) -> any Encoder { place.member(key) }
}

private struct Elements: UnkeyedEncodingContainer {
    let place: Place
    var codingPath: [any CodingKey] { [] }
    var count: Int { place.count }

    func encodeNil() throws { try place.element().encodeNil() }
    func encode<Value: Encodable>(_ value: Value) throws { try place.element().encode(value) }
    func nestedContainer<Nested: CodingKey>(keyedBy type: Nested.Type) -> KeyedEncodingContainer<Nested> {
        place.element().container(keyedBy: type)
    }
    func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer { place.element().unkeyedContainer() }
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
