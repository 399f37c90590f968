import Crypto
import Foundation

/// A bank card and what its reader shows, after EMV CAP: the card answers the bank's digits behind a PIN.
///
/// As in CAP, `respond` answers a number of the bank's, and `sign` an account and an amount that the person types. Eight
/// digits come out, of which two are the card's counter. Real cards use 3DES; this one uses HMAC-SHA-256.
struct Card: Sendable {
    /// What the person types into the reader.
    enum Input: Equatable, Sendable {
        case respond(challenge: String)
        case sign(account: String, pence: Int64)

        fileprivate var bytes: [UInt8] {
            switch self {
            case .respond(let challenge): Array("respond|\(challenge)".utf8)
            case .sign(let account, let pence): Array("sign|\(account)|\(pence)".utf8)
            }
        }
    }

    /// The last four digits of its number.
    let number: String
    private let key = SymmetricKey(size: .bits256)
    private let pin: String
    private var counter: UInt32 = 0
    private var wrongPINs = 0
    /// The highest counter that the bank has seen.
    private var seen: UInt32 = 0

    /// How far the counters of card and bank may be apart.
    private static let window: UInt32 = 50

    init(number: String, pin: String) { (self.number, self.pin) = (number, pin) }

    /// In the reader: the response, if the PIN is right; three wrong ones block the card.
    mutating func respond(_ input: Input, pin: String) throws(BankError) -> String {
        guard wrongPINs < 3 else { throw .refused("The card is blocked after three wrong PINs.") }
        guard Secret.areEqual(self.pin, pin) else {
            wrongPINs += 1
            throw .refused("That is not the PIN.")
        }
        wrongPINs = 0
        counter += 1
        return response(input, counter)
    }

    /// At the bank: whether a response is this card's, for a counter that was not used before.
    mutating func accept(_ response: String, to input: Input) -> Bool {
        for candidate in seen + 1...seen + Self.window where Secret.areEqual(self.response(input, candidate), response)
        {
            seen = candidate
            return true
        }
        return false
    }

    private func response(_ input: Input, _ counter: UInt32) -> String {
        let mac = Array(
            HMAC<SHA256>.authenticationCode(for: input.bytes + Array("|\(counter)".utf8), using: key))
        let number = mac[0..<4].reduce(UInt32(0)) { $0 << 8 | UInt32($1) } % 1_000_000
        return Self.padded(counter % 100, 2) + Self.padded(number, 6)
    }

    private static func padded(_ number: UInt32, _ digits: Int) -> String {
        let text = String(number)
        return String(repeating: "0", count: digits - text.utf8.count) + text
    }
}
