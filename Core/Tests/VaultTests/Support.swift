import EllipticCurves
import Encodings
import Foundation
import Fuzzing
import Synchronization
import Testing

@testable import Vault

struct Missing: Error {}

/// The suite of these tests: the curves of `Core`, the AES of `Fuzzing`, and bytes that are the same in every run.
struct TestSuite: VaultCryptoSuite {
    private let random: RandomBytes
    private let pure = PureSuite()

    init(seed: String = "vault") { random = RandomBytes(seed: seed) }

    func sealAES256GCM(
        _ plaintext: ArraySlice<UInt8>, key: Bytes, nonce: Bytes, additionalData: Bytes, appendingTo output: inout Bytes
    ) -> Bool {
        guard key.count == 32, let cipher = ReferenceAESGCM(key: key), nonce.count == 12 else { return false }
        cipher.seal(plaintext, nonce: nonce, additionalData: additionalData, appendingTo: &output)
        return true
    }

    func openAES256GCM(
        _ sealed: ArraySlice<UInt8>, key: Bytes, nonce: Bytes, additionalData: Bytes, appendingTo output: inout Bytes
    ) -> Bool {
        guard key.count == 32, let cipher = ReferenceAESGCM(key: key), nonce.count == 12 else { return false }
        return cipher.open(sealed, nonce: nonce, additionalData: additionalData, appendingTo: &output)
    }

    func randomBytes(_ count: Int) -> Bytes { random.next(count) }

    /// What `randomBytes` is about to give, for examples of what takes its random numbers itself.
    func upcomingBytes(_ count: Int) -> Bytes { random.upcoming(count) }

    func isValidP256(_ signature: Bytes, over message: Bytes, publicKey: Bytes) -> Bool {
        pure.isValidP256(signature, over: message, publicKey: publicKey)
    }

    func isValidEd25519(_ signature: Bytes, over message: Bytes, publicKey: Bytes) -> Bool {
        pure.isValidEd25519(signature, over: message, publicKey: publicKey)
    }
}

/// Bytes that look random and are the same in every run.
final class RandomBytes: Sendable {
    private let counter = Mutex<UInt64>(0)
    private let seed: Bytes

    init(seed: String) { self.seed = Bytes(text: seed) }

    func next(_ count: Int) -> Bytes {
        counter.withLock { bytes(count, from: &$0) }
    }

    func upcoming(_ count: Int) -> Bytes {
        var place = counter.withLock { $0 }
        return bytes(count, from: &place)
    }

    private func bytes(_ count: Int, from counter: inout UInt64) -> Bytes {
        var bytes: Bytes = []
        while bytes.count < count {
            bytes += SHA256.hash(seed + bigEndianBytes(counter))
            counter += 1
        }
        return Array(bytes.prefix(count))
    }
}

/// A file of `Fixtures`; its `README.md` says where each is from.
enum Fixture {
    static func bytes(_ name: String) throws -> Bytes {
        let url = Bundle.module.bundleURL.appendingPathComponent("Fixtures").appendingPathComponent(name)
        return try Bytes(Data(contentsOf: url))
    }

    static func json(_ name: String) throws -> JSON { try JSON.parse(bytes(name)) }
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

    func hex(_ name: StaticString) throws -> Bytes {
        guard let bytes = Hex.decode(try text(name)) else { throw Missing() }
        return bytes
    }
}

extension Bytes {
    /// The bytes with one bit of one byte changed.
    func flipping(_ index: Int) -> Bytes {
        var changed = self
        changed[index] ^= 1
        return changed
    }

    static func text(_ text: String) -> Bytes { Bytes(text: text) }
}

/// The error of ours that a call throws; `nil` if it throws none.
func refusal<Value>(_ body: () throws -> Value) -> VaultError? {
    do {
        _ = try body()
        return nil
    } catch {
        return error as? VaultError
    }
}
