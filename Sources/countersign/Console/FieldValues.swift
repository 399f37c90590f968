import ArgumentParser
import Documents
import Encodings

/// The typed fields of a document, from a JSON file and from flags.
struct FieldOptions: ParsableArguments {
    @Option(help: "A JSON object of field names and values.") var fields: String?
    @Option(name: .customLong("field"), help: "One field as NAME=VALUE; may be repeated, and replaces the file's.")
    var assignments: [String] = []

    /// The values as the type wants them.
    func values(for type: CatalogueType) throws -> [JSON.Member] {
        var members: [JSON.Member] = []
        if let fields {
            let bytes = try Files.read(fields)
            guard let json = try? JSON.parse(bytes), let listed = json.members else {
                throw CommandError("\(fields) is not one JSON object of field names and values")
            }
            members = listed
        }
        for assignment in assignments {
            let member = try Self.parse(assignment, type)
            members.removeAll { $0.name == member.name }
            members.append(member)
        }
        return members
    }

    /// `NAME=VALUE`: whole numbers for numbers, JSON for lists, text for everything else.
    static func parse(_ assignment: String, _ type: CatalogueType) throws -> JSON.Member {
        guard let separator = assignment.firstIndex(of: "="), separator != assignment.startIndex else {
            throw CommandError("'\(assignment)' is not NAME=VALUE")
        }
        let name = String(assignment[..<separator])
        let value = String(assignment[assignment.index(after: separator)...])
        guard let field = type.fields.first(where: { $0.name == name }) else {
            let names = type.fields.map(\.name).joined(separator: ", ")
            throw CommandError("a \(type.name) has no field '\(name)'; it has \(names)")
        }
        switch field.kind {
        case .text, .date: return JSON.Member(name, .text(value))
        case .number:
            if let number = parseDecimal(Bytes(text: value)), number <= UInt64(JSON.safeInteger) {
                return JSON.Member(name, .integer(Int64(number)))
            }
            return JSON.Member(name, .text(value))
        case .list:
            guard let json = try? JSON.parse(Bytes(text: value)) else {
                throw CommandError("the list '\(name)' must be given as JSON: [{...}, {...}]")
            }
            return JSON.Member(name, json)
        }
    }

    /// Fields in the order in which the type has them; others stay behind.
    static func ordered(_ fields: [JSON.Member], type name: Bytes) -> [JSON.Member] {
        let names = (DocumentCatalogue.type(named: name)?.fields ?? []).map { Bytes(text: $0.name) }
        return names.compactMap { name in fields.first { $0.name == name } }
            + fields.filter { !names.contains($0.name) }
    }

    /// A value for people.
    static func words(_ value: JSON) -> String {
        switch value {
        case .string(let text): text.shown
        case .array(let rows): rows.map(words).joined(separator: "; ")
        case .object(let members): members.map { words($0.value) }.joined(separator: ", ")
        case .null, .bool, .integer, .decimal: String(decoding: value.serialized(), as: UTF8.self)
        }
    }
}
