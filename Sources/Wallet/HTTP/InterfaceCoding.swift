package import Encodings
import Foundation

/// The JSON of the HTTP interface: names in snake case.
package enum InterfaceCoding {
    /// Encodes a value; names are sorted.
    package static func encode(_ value: some Encodable) throws -> Bytes {
        let encoder = JSONEncoder()
        encoder.keyEncodingStrategy = .convertToSnakeCase
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return Bytes(try encoder.encode(value))
    }

    /// Decodes a value.
    ///
    /// Members that we do not know are ignored: a newer server may have more to say.
    package static func decode<Value: Decodable>(_ type: Value.Type, from bytes: Bytes) throws -> Value {
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .custom { path in
            Name(path.last.map { $0.intValue == nil ? camelCase($0.stringValue) : $0.stringValue } ?? "")
        }
        return try decoder.decode(type, from: Data(bytes))
    }

    /// `public_url` becomes `publicURL`, `rp_id` `rpID`: unlike Foundation's own rule, an abbreviation keeps its capitals.
    static func camelCase(_ snake: String) -> String {
        let words = snake.split(separator: "_", omittingEmptySubsequences: true)
        guard let first = words.first else { return snake }
        return words.dropFirst().reduce(String(first)) { text, word in
            text + (abbreviations.contains(word) ? word.uppercased() : word.prefix(1).uppercased() + word.dropFirst())
        }
    }

    private static let abbreviations: Set<Substring> = ["url", "id", "sms"]

    private struct Name: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }
        init(_ text: String) { stringValue = text }
        init?(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { return nil }
    }
}
