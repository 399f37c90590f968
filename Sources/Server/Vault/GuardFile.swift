import CryptoProvider
import Encodings

/// What the guard keeps of one account: keys, counts and sealed PIN slots, in one file that is replaced as a whole.
///
/// It is in neither database nor backup. So nothing that brings an older database back brings tries back.
struct GuardFile: Sendable, Codable, Equatable {
    /// A PIN slot whose guard key is there.
    struct Slot: Sendable, Codable, Equatable {
        /// The guard key, 48 bytes, base64url.
        var key: String
        /// The guard key's public half, 49 bytes, base64url.
        var publicKey: String
        /// What the PIN opens, base64url.
        var sealed: String
        /// SHA-256 of the proof key inside, base64url.
        var proof: String
        /// Unproved tries.
        var count: Int64
    }

    /// A try that can still be proved.
    struct Try: Sendable, Codable, Equatable {
        var id: String
        var expires: Int64
    }

    /// Fresh keys of slots that are to be written.
    struct Enrolment: Sendable, Codable, Equatable {
        var id: String
        var expires: Int64
        /// Of the four slots, 48 bytes each, base64url.
        var keys: [String]
    }

    /// The form of the file.
    var version = 1
    /// Four; a destroyed one, and one that was never made, has no key.
    var slots: [Slot?] = Array(repeating: nil, count: GuardCounts.slots)
    /// When the slots were written last; never, if an enrolment has come before there is a vault.
    var written: Int64?
    /// When the last try came.
    var last: Int64 = 0
    var tries: [Try] = []
    var enrolment: Enrolment?

    /// Whether the slots were ever written.
    var isSetUp: Bool { written != nil }

    /// Whether somebody is just setting a vault up, or has just done it.
    func isFresh(at now: Int64) -> Bool {
        (enrolment.map { $0.expires > now } ?? false) || (written.map { $0 + Limits.vaultEnrolmentTime > now } ?? false)
    }

    /// Which counts are stored where keys are.
    var counts: GuardCounts { GuardCounts(counts: slots.map { $0?.count }, last: last) }

    /// Takes counts over; a slot that has none is destroyed, and nothing of it stays.
    mutating func take(_ counts: GuardCounts) {
        last = counts.last
        for (slot, count) in counts.counts.enumerated() {
            if let count { slots[slot]?.count = count } else { slots[slot] = nil }
        }
    }

    /// Forgets what is over.
    mutating func forget(at now: Int64) {
        tries.removeAll { $0.expires <= now }
        if let enrolment, enrolment.expires <= now { self.enrolment = nil }
    }

    func encoded() throws -> Bytes { try StrictEncoder.bytes(self) + [0x0A] }

    /// - Throws: `GuardFolder.Damaged` for anything else than `encoded` makes.
    init(encoded: Bytes) throws {
        do {
            self = try StrictDecoder.decode(GuardFile.self, from: JSON.parse(Array(encoded.dropLast())))
        } catch {
            throw GuardFolder.Damaged()
        }
        guard version == 1, slots.count == GuardCounts.slots else { throw GuardFolder.Damaged() }
    }

    init() {}
}
