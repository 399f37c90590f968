import Crypto
import Foundation

/// One-time passwords by the clock (RFC 6238): SHA-1, 30 seconds, six digits, as every authenticator app has them.
struct Authenticator: Sendable {
    static let period: Int64 = 30
    let secret: [UInt8]
    /// The last step whose code was used: no code counts twice (RFC 6238 section 5.2).
    private(set) var lastStep: Int64 = .min

    init(secret: [UInt8] = Secret.bytes(20)) { self.secret = secret }

    /// The code of HOTP (RFC 4226 section 5.3).
    static func code(_ secret: [UInt8], counter: Int64, digits: Int = 6) -> String {
        let moving = (0..<8).map { UInt8(truncatingIfNeeded: counter >> (56 - 8 * $0)) }
        let mac = Array(HMAC<Insecure.SHA1>.authenticationCode(for: moving, using: SymmetricKey(data: secret)))
        let offset = Int(mac[mac.count - 1] & 0x0F)
        let number = mac[offset..<offset + 4].reduce(UInt32(0)) { $0 << 8 | UInt32($1) } & 0x7FFF_FFFF
        let modulus = (0..<digits).reduce(UInt32(1)) { product, _ in product * 10 }
        let text = String(number % modulus)
        return String(repeating: "0", count: digits - text.utf8.count) + text
    }

    /// Takes a code of now, or of a step before or after, once.
    mutating func take(_ code: String, at time: Int64) -> Bool {
        for step in [time / Self.period, time / Self.period - 1, time / Self.period + 1]
        where step > lastStep && Secret.areEqual(Self.code(secret, counter: step), code) {
            lastStep = step
            return true
        }
        return false
    }

    /// What apps scan.
    func uri(account: String, issuer: String) -> String {
        let issuer = issuer.replacing(" ", with: "%20")
        return "otpauth://totp/\(issuer):\(account)?secret=\(base32)&issuer=\(issuer)"
    }

    /// The secret for those who type it (RFC 4648 section 6, without padding).
    var base32: String {
        let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZ234567")
        var (text, buffer, bits) = ("", 0, 0)
        for byte in secret {
            (buffer, bits) = (buffer << 8 | Int(byte), bits + 8)
            while bits >= 5 {
                bits -= 5
                text.append(alphabet[buffer >> bits & 31])
            }
        }
        if bits > 0 { text.append(alphabet[buffer << (5 - bits) & 31]) }
        return text
    }
}
