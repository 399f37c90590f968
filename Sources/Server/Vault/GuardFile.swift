import CryptoProvider
import Encodings
import Vault

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
    var slots: [Slot?] = Array(repeating: nil, count: PINSlot.count)
    /// When the slots were written last; never, if an enrolment has come before there is a vault.
    var written: Int64?
    /// What Core's `PINGuard` counts, base64url; none before the slots are written.
    var state: String?
    var enrolment: Enrolment?

    /// Larger after each write of the slots, whichever version of the server has written them; 0 before the first.
    var writing: Int64 { written ?? 0 }

    /// Notes that the slots were written, later than the last time also where the clock says otherwise.
    mutating func noteWritten(at now: Int64) {
        written = max(now, writing + 1)
    }

    /// Whether the slots were ever written.
    var isSetUp: Bool { written != nil }

    /// Whether somebody is just setting a vault up, or has just done it.
    func isFresh(at now: Int64) -> Bool {
        (enrolment.map { $0.expires > now } ?? false) || (written.map { $0 + Limits.vaultEnrolmentTime > now } ?? false)
    }

    /// What the guard has counted.
    ///
    /// - Throws: `GuardFolder.Damaged`.
    func counting() throws -> PINGuard {
        guard let state, let bytes = Base64.decode(Bytes(text: state), .url), let counting = try? PINGuard(bytes)
        else { throw GuardFolder.Damaged() }
        return counting
    }

    /// Takes over what the guard counts; nothing stays of a slot that is destroyed.
    mutating func take(_ counting: PINGuard) {
        state = counting.bytes.base64URL
        for (slot, isLive) in counting.liveSlots.enumerated() where !isLive { slots[slot] = nil }
    }

    /// Forgets what is over.
    mutating func forget(at now: Int64) {
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
        guard version == 1, slots.count == PINSlot.count, (state == nil) == (written == nil) else {
            throw GuardFolder.Damaged()
        }
    }

    init() {}
}
