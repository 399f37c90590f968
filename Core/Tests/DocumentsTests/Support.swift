import Documents
import Encodings
import Foundation

/// Takes every signature for good: for tests of what comes after the signature.
struct TrustingSuite: CryptoSuite {
    func isValidP256(_ signature: Bytes, over message: Bytes, publicKey: Bytes) -> Bool { true }
    func isValidEd25519(_ signature: Bytes, over message: Bytes, publicKey: Bytes) -> Bool { true }
}

/// Takes no signature for good.
struct DistrustingSuite: CryptoSuite {
    func isValidP256(_ signature: Bytes, over message: Bytes, publicKey: Bytes) -> Bool { false }
    func isValidEd25519(_ signature: Bytes, over message: Bytes, publicKey: Bytes) -> Bool { false }
}

/// Counts up: salts that are the same in every run.
struct CountingGenerator: RandomNumberGenerator {
    var state: UInt64 = 0
    mutating func next() -> UInt64 {
        state += 1
        return state &* 0x9E37_79B9_7F4A_7C15
    }
}

struct Missing: Error {}

enum Fixture {
    static func json(_ name: String) throws -> JSON {
        guard let url = Bundle.module.url(forResource: name, withExtension: "json", subdirectory: "Fixtures") else {
            throw Missing()
        }
        return try JSON.parse(Bytes(Data(contentsOf: url)), maximumLength: 1 << 22)
    }
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
}

func string(_ bytes: Bytes) -> String { String(decoding: bytes, as: UTF8.self) }

let key = P256PublicKey(x963: [4] + Bytes(repeating: 7, count: 64))
let signature = Bytes(repeating: 1, count: 64)

/// Decodes base64url text.
func decoded(_ text: Bytes) throws -> Bytes {
    guard let bytes = Base64.decode(text, .url) else { throw Missing() }
    return bytes
}

/// The members of an object.
func members(_ json: JSON) throws -> [JSON.Member] {
    guard let members = json.members else { throw Missing() }
    return members
}
