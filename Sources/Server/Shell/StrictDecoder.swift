import Encodings

/// Reads a value out of strict JSON and refuses every member that the value does not have.
///
/// Swift's own decoder ignores what it does not know, keeps the last of two equal names, and reads the bytes a second
/// time with other eyes. This one walks the value that `JSON.parse` has already made. Names are in snake case.
/// Dictionaries are not supported: the interface has none.
enum StrictDecoder {
    /// The value.
    ///
    /// - Throws: a `Problem` that names the member.
    static func decode<Value: Decodable>(_ type: Value.Type, from json: JSON) throws -> Value {
        try Node(json: json, path: "").decode(type)
    }
}

/// One place in the JSON, with the names that the value has asked for so far.
private final class Node: Decoder {
    let json: JSON
    let path: String
    var asked: Set<String> = []

    var codingPath: [any CodingKey] { [] }
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    init(json: JSON, path: String) {
        self.json = json
        self.path = path
    }

    func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
        let value: Value
        do {
            value = try type.init(from: self)
        } catch is DecodingError {
            // In our values, only an enumeration without such a case throws one.
            throw invalid("has a value that is not one of those allowed")
        }
        if let stranger = json.members?.first(where: { !asked.contains(String(decoding: $0.name, as: UTF8.self)) }) {
            let name = String(decoding: stranger.name.prefix(64), as: UTF8.self)
            throw Problem(.unknownMember, "This request takes no member '\(join(path, name))'.")
        }
        return value
    }

    func member(_ key: any CodingKey) -> JSON? {
        let name = SnakeCase.name(key.stringValue)
        asked.insert(name)
        return json[bytes: Bytes(text: name)]
    }

    func child(_ key: any CodingKey) throws -> Node {
        let name = SnakeCase.name(key.stringValue)
        guard let value = member(key) else { throw Problem(.invalidMember, "'\(join(path, name))' is missing.") }
        return Node(json: value, path: join(path, name))
    }

    func invalid(_ what: String) -> Problem {
        Problem(.invalidMember, path.isEmpty ? "The body \(what)." : "'\(path)' \(what).")
    }

    func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
        guard json.members != nil else { throw invalid("must be an object") }
        return KeyedDecodingContainer(Members(node: self))
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
        guard let elements = json.array else { throw invalid("must be an array") }
        return Elements(node: self, elements: elements)
    }

    func singleValueContainer() throws -> any SingleValueDecodingContainer { Single(node: self) }
}

private func join(_ path: String, _ name: String) -> String { path.isEmpty ? name : path + "." + name }

private struct Members<Key: CodingKey>: KeyedDecodingContainerProtocol {
    let node: Node
    var codingPath: [any CodingKey] { [] }
    var allKeys: [Key] { [] }

    func contains(_ key: Key) -> Bool { node.member(key) != nil }
    func decodeNil(forKey key: Key) throws -> Bool { try node.child(key).json == .null }
    func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
        try node.child(key).decode(type)
    }
    func nestedContainer<Nested: CodingKey>(
        keyedBy type: Nested.Type, forKey key: Key
    ) throws -> KeyedDecodingContainer<Nested> {
        try node.child(key).container(keyedBy: type)
    }
    func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
        try node.child(key).unkeyedContainer()
    }
    func superDecoder() throws -> any Decoder { node }
    func superDecoder(forKey key: Key) throws -> any Decoder { try node.child(key) }
}

private struct Elements: UnkeyedDecodingContainer {
    let node: Node
    let elements: [JSON]
    var currentIndex = 0
    var codingPath: [any CodingKey] { [] }
    var count: Int? { elements.count }
    var isAtEnd: Bool { currentIndex == elements.count }

    init(node: Node, elements: [JSON]) {
        self.node = node
        self.elements = elements
    }

    private func next() throws -> Node {
        guard !isAtEnd else { throw node.invalid("has too few elements") }
        return Node(json: elements[currentIndex], path: "\(node.path)[\(currentIndex)]")
    }

    mutating func decodeNil() throws -> Bool {
        guard try next().json == .null else { return false }
        currentIndex += 1
        return true
    }
    mutating func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
        let value = try next().decode(type)
        currentIndex += 1
        return value
    }
    mutating func nestedContainer<Nested: CodingKey>(
        keyedBy type: Nested.Type
    ) throws -> KeyedDecodingContainer<Nested> {
        defer { currentIndex += 1 }
        return try next().container(keyedBy: type)
    }
    mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
        defer { currentIndex += 1 }
        return try next().unkeyedContainer()
    }
    mutating func superDecoder() throws -> any Decoder { node }
}

private struct Single: SingleValueDecodingContainer {
    let node: Node
    var codingPath: [any CodingKey] { [] }

    func decodeNil() -> Bool { node.json == .null }

    func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
        let value: (any Sendable)?
        let expected: String
        switch type {
        case is String.Type:
            value = node.json.string.map { String(decoding: $0, as: UTF8.self) }
            expected = "must be a string"
        case is Bool.Type:
            if case .bool(let flag) = node.json { value = flag } else { value = nil }
            expected = "must be true or false"
        case let integer as any (FixedWidthInteger & Sendable).Type:
            value = whole(integer)
            expected = "must be a whole number in range"
        default:
            return try node.decode(type)
        }
        guard let value = value as? Value else { throw node.invalid(expected) }
        return value
    }

    private func whole<Number: FixedWidthInteger & Sendable>(_ type: Number.Type) -> (any Sendable)? {
        node.json.integer.flatMap { Number(exactly: $0) }
    }
}
