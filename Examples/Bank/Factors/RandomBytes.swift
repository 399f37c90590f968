import Crypto
import CryptoExtras
import Foundation

/// What nobody guesses.
enum Secret {
    static func bytes(_ count: Int) -> [UInt8] {
        var generator = SystemRandomNumberGenerator()
        return (0..<count).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
    }

    /// 32 random bytes as hexadecimal text.
    static func token() -> String { hex(bytes(32)) }

    static func digits(_ count: Int) -> String {
        var generator = SystemRandomNumberGenerator()
        return String((0..<count).map { _ in Character("\(Int.random(in: 0...9, using: &generator))") })
    }

    static func hex(_ bytes: some Sequence<UInt8>) -> String {
        bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }

    /// Whether two texts are the same, in a time that does not tell where they differ.
    static func areEqual(_ left: String, _ right: String) -> Bool {
        let key = SymmetricKey(size: .bits256)
        let code = HMAC<SHA256>.authenticationCode(for: Data(left.utf8), using: key)
        return HMAC<SHA256>.isValidAuthenticationCode(code, authenticating: Data(right.utf8), using: key)
    }
}

extension PasswordHash {
    /// Bytes of a password.
    private static let longest = 200

    init(of password: String) throws {
        let salt = Secret.bytes(16)
        self.init(salt: salt, hash: try Self.hash(password, salt))
    }

    func matches(_ password: String) -> Bool {
        // One that is too long takes as long as any other.
        guard let other = try? Self.hash(String(decoding: password.utf8.prefix(Self.longest), as: UTF8.self), salt)
        else { return false }
        return Secret.areEqual(Secret.hex(hash), Secret.hex(other)) && password.utf8.count <= Self.longest
    }

    private static func hash(_ password: String, _ salt: [UInt8]) throws -> [UInt8] {
        let key = try KDF.Scrypt.deriveKey(
            from: Data(password.utf8), salt: salt, outputByteCount: 32, rounds: 1 << 14, blockSize: 8, parallelism: 1)
        return unsafe key.withUnsafeBytes { unsafe Array($0) }
    }
}
