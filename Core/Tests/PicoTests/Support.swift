import Encodings
import Foundation
import Testing

@testable import Pico

struct Missing: Error {}

/// A JSON file of `Fixtures`; its `README.md` says where each is from.
enum Fixture {
    static func json(_ name: String) throws -> JSON {
        guard let url = Bundle.module.url(forResource: name, withExtension: "json", subdirectory: "Fixtures") else {
            throw Missing()
        }
        return try JSON.parse(Bytes(Data(contentsOf: url)))
    }

    static func cases(_ name: String) throws -> [JSON] { try json(name).list("cases") }
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

    /// The object with another value for a member, or with one more member.
    func setting(_ name: String, _ value: JSON?) -> JSON {
        var members = (members ?? []).filter { $0.name != Bytes(text: name) }
        if let value { members.append(Member(name, value)) }
        return .object(members)
    }
}

extension Bytes {
    /// The bytes with one bit of one byte changed.
    func flipping(_ index: Int) -> Bytes {
        var changed = self
        changed[index] ^= 1
        return changed
    }
}

func string(_ bytes: Bytes) -> String { String(decoding: bytes, as: UTF8.self) }

/// The error of ours that a call throws; `nil` if it throws none.
func refusal<Value>(_ body: () throws -> Value) -> PicoError? {
    do {
        _ = try body()
        return nil
    } catch {
        return error as? PicoError
    }
}
