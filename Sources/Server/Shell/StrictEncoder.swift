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
        return place.json.serialized()
    }
}

/// One place in the JSON that is being made.
private final class Place: Encoder, SingleValueEncodingContainer {
    private enum Content {
        case nothing
        case value(JSON)
        case members([(name: Bytes, place: Place)])
        case elements([Place])
    }

    private var content = Content.nothing

    var codingPath: [any CodingKey] { [] }
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    var json: JSON {
        switch content {
        case .nothing: .null
        case .value(let value): value
        case .elements(let places): .array(places.map(\.json))
        case .members(let members):
            .object(
                members.sorted { $0.name.lexicographicallyPrecedes($1.name) }
                    .map { JSON.Member($0.name, $0.place.json) })
        }
    }

    var count: Int {
        if case .elements(let places) = content { places.count } else { 0 }
    }

    func encodeNil() throws { content = .value(.null) }

    func encode<Value: Encodable>(_ value: Value) throws {
        switch value {
        case let text as String: content = .value(.string(Bytes(text: text)))
        case let flag as Bool: content = .value(.bool(flag))
        case let number as Int64: content = .value(.integer(number))
        case let number as any BinaryInteger:
            guard let whole = Int64(exactly: number) else { throw Self.refused(value) }
            content = .value(.integer(whole))
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

/// The wire names of the interface's properties, each made once: they are as many as the source has.
private enum WireNames {
    private static let known = Mutex<[String: Bytes]>([:])

    static func name(_ property: String) -> Bytes {
        known.withLock { known in
            if let name = known[property] { return name }
            let name = Bytes(text: SnakeCase.name(property))
            known[property] = name
            return name
        }
    }
}
