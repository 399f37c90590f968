import Approvals
import Encodings
import Foundation
import Testing

struct Missing: Error {}

/// A JSON file of `Fixtures`; its `README.md` says where each is from.
enum Fixture {
    static func json(_ name: String) throws -> JSON {
        guard let url = Bundle.module.url(forResource: name, withExtension: "json", subdirectory: "Fixtures") else {
            throw Missing()
        }
        return try JSON.parse(Bytes(Data(contentsOf: url)), maximumLength: 1 << 23, maximumCount: 1 << 18)
    }

    static func vectors(_ name: String) throws -> [JSON] { try json(name).list("vectors") }
}

extension JSON {
    func text(_ name: StaticString) throws -> Bytes {
        guard let text = self[name]?.string else { throw Missing() }
        return text
    }

    func number(_ name: StaticString) throws -> Int64 {
        guard let number = self[name]?.integer else { throw Missing() }
        return number
    }

    func list(_ name: StaticString) throws -> [JSON] {
        guard let list = self[name]?.array else { throw Missing() }
        return list
    }

    func member(_ name: StaticString) throws -> JSON {
        guard let member = self[name] else { throw Missing() }
        return member
    }

    func hex(_ name: StaticString) throws -> Bytes {
        guard let bytes = Hex.decode(try text(name)) else { throw Missing() }
        return bytes
    }
}

func string(_ bytes: Bytes) -> String { String(decoding: bytes, as: UTF8.self) }
func string(_ text: StaticString) -> String { "\(text)" }

extension OriginalChallenge {
    /// The nine fields as the vectors write them.
    init(_ fields: JSON) throws {
        try self.init(
            body: fields.text("body"), category: fields.text("category"), expiry: fields.number("expiry"),
            messageID: fields.number("message_id"), nonce: fields.text("nonce"),
            responseURL: fields.text("response_url"), shortTitle: fields.text("short_title"),
            subtitle: fields.text("subtitle"), title: fields.text("title"))
    }
}
