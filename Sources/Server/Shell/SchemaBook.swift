import Encodings

/// JSON Schemas (2020-12) of the interface's types, found by decoding them.
///
/// A type is asked to decode itself from a decoder that answers with made-up values. The decoder notes which members
/// the type asks for, their types, and whether it can do without them. So a schema cannot differ from what the server
/// accepts.
final class SchemaBook {
    typealias Schema = JSON

    /// The types met so far, by name, in the order met.
    private(set) var components: [(name: String, schema: JSON)] = []
    private var underWay: Set<String> = []

    /// What the document cannot be made of.
    struct Unsupported: Error, CustomStringConvertible {
        let description: String
    }

    /// A schema or a reference to a component.
    func schema<Value>(of type: Value.Type) throws -> JSON {
        switch type {
        case is String.Type: return .members([("type", .text("string"))])
        case is Bool.Type: return .members([("type", .text("boolean"))])
        case is Int64.Type, is Int.Type: return .members([("type", .text("integer")), ("format", .text("int64"))])
        case let array as any SchemaArray.Type: return try array.schema(in: self)
        case let choice as any (CaseIterable & RawRepresentable).Type: return try cases(of: choice)
        case let object as any Decodable.Type: return try reference(to: object)
        default: throw Unsupported(description: "\(type) cannot be decoded")
        }
    }

    private func cases<Choice: CaseIterable & RawRepresentable>(of type: Choice.Type) throws -> JSON {
        let names = type.allCases.compactMap { $0.rawValue as? String }
        guard !names.isEmpty else { throw Unsupported(description: "\(type) is no enumeration of strings") }
        return .members([("type", .text("string")), ("enum", .array(names.map { .text($0) }))])
    }

    private func reference<Object: Decodable>(to type: Object.Type) throws -> JSON {
        let name = Self.name(of: type)
        if !underWay.contains(name), !components.contains(where: { $0.name == name }) {
            underWay.insert(name)
            let sampler = Sampler(book: self)
            do {
                _ = try type.init(from: sampler)
            } catch let error as DecodingError {
                throw Unsupported(description: "\(name): \(error)")
            }
            components.append((name, sampler.schema))
        }
        return .members([("$ref", .text("#/components/schemas/" + name))])
    }

    /// `Interface.Listing<Interface.Device>` is `ListingOfDevice`; a nested type keeps its outer name.
    static func name(of type: Any.Type) -> String {
        String(reflecting: type)
            .split(separator: "<")
            .map { part in
                let plain = part.prefix { $0 != ">" }
                return plain.split(separator: ".").dropFirst().joined(separator: ".")
            }
            .joined(separator: "Of")
    }
}

/// Arrays, whose elements have a schema.
protocol SchemaArray {
    static func schema(in book: SchemaBook) throws -> JSON
    static var empty: Self { get }
}

extension Array: SchemaArray {
    static func schema(in book: SchemaBook) throws -> JSON {
        .members([("type", .text("array")), ("items", try book.schema(of: Element.self))])
    }
    static var empty: [Element] { [] }
}

/// A decoder that answers with made-up values and notes what it was asked for.
private final class Sampler: Decoder {
    let book: SchemaBook
    private var properties: [(String, JSON)] = []
    private var required: [JSON] = []
    var codingPath: [any CodingKey] { [] }
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    init(book: SchemaBook) { self.book = book }

    var schema: JSON {
        var members: [(String, JSON)] = [("type", .text("object")), ("properties", .members(properties))]
        if !required.isEmpty { members.append(("required", .array(required))) }
        return .members(members)
    }

    func note<Value>(_ type: Value.Type, _ key: any CodingKey, isRequired: Bool) throws {
        let name = SnakeCase.name(key.stringValue)
        properties.append((name, try book.schema(of: type)))
        if isRequired { required.append(.text(name)) }
    }

    func value<Value: Decodable>(_ type: Value.Type) throws -> Value {
        let value: Any?
        switch type {
        case is String.Type: value = ""
        case is Bool.Type: value = false
        case is Int.Type: value = 0
        case is Int64.Type: value = Int64(0)
        case let array as any SchemaArray.Type: value = array.empty
        case let choice as any CaseIterable.Type: value = Self.first(of: choice)
        default: value = try type.init(from: Sampler(book: book))
        }
        guard let value = value as? Value else {
            throw SchemaBook.Unsupported(description: "\(type) has no made-up value")
        }
        return value
    }

    private static func first<Choice: CaseIterable>(of type: Choice.Type) -> Any? { type.allCases.first }

    func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
        KeyedDecodingContainer(SampleMembers(sampler: self))
    }
    func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
        throw SchemaBook.Unsupported(description: "an array that is not Array")
    }
    func singleValueContainer() throws -> any SingleValueDecodingContainer {
        throw SchemaBook.Unsupported(description: "a single value that is not CaseIterable")
    }
}

private struct SampleMembers<Key: CodingKey>: KeyedDecodingContainerProtocol {
    let sampler: Sampler
    var codingPath: [any CodingKey] { [] }
    var allKeys: [Key] { [] }

    func contains(_ key: Key) -> Bool { true }
    // Reached only through the standard library's `decodeIfPresent` of a type that has no overload below.
    func decodeNil(forKey key: Key) throws -> Bool {
        throw SchemaBook.Unsupported(description: "the optional '\(key.stringValue)' is of a type without a schema")
    }
    func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
        try sampler.note(type, key, isRequired: true)
        return try sampler.value(type)
    }
    // The standard library has a default for each plain type, which would be chosen before the generic one.
    func decodeIfPresent(_ type: String.Type, forKey key: Key) throws -> String? { try optional(type, key) }
    func decodeIfPresent(_ type: Bool.Type, forKey key: Key) throws -> Bool? { try optional(type, key) }
    func decodeIfPresent(_ type: Int.Type, forKey key: Key) throws -> Int? { try optional(type, key) }
    func decodeIfPresent(_ type: Int64.Type, forKey key: Key) throws -> Int64? { try optional(type, key) }
    func decodeIfPresent<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value? {
        try optional(type, key)
    }
    private func optional<Value: Decodable>(_ type: Value.Type, _ key: Key) throws -> Value? {
        try sampler.note(type, key, isRequired: false)
        return nil
    }
    func nestedContainer<Nested: CodingKey>(
        keyedBy type: Nested.Type, forKey key: Key
    ) throws -> KeyedDecodingContainer<Nested> {
        throw SchemaBook.Unsupported(description: "a container by hand")
    }
    func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
        throw SchemaBook.Unsupported(description: "a container by hand")
    }
    func superDecoder() throws -> any Decoder { sampler }
    func superDecoder(forKey key: Key) throws -> any Decoder { sampler }
}
