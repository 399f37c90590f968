public import Encodings

/// How the guard counts tries of PINs: the state of one account, and its rules.
///
/// A try is counted against every live slot before it is answered. Anyone who shows that it was of a slot's PIN has it taken
/// off all of them, since it was no guess at the others; and that slot's count becomes zero. The proof is of this very
/// try: so knowing one PIN gives nobody more tries at another.
///
/// The state is kept with the guard's keys, outside database and backups, and written durably before an answer goes out.
public struct PINGuard: Sendable, Equatable {
    /// How often a slot may be guessed at before it is destroyed.
    public static let maximumTries = 10
    /// How long a try may be proved, in milliseconds.
    public static let proofWindow: Int64 = 120_000
    /// The length of a try's name in bytes.
    public static let idByteCount = 16
    /// The most tries that may wait for their proof.
    public static let maximumPending = 16
    /// How long the wait before a try is, by the highest count of a live slot, in seconds.
    private static let delays: [Int64] = [0, 0, 0, 30, 60, 300, 900, 3_600, 10_800, 43_200]

    /// One slot.
    struct Slot: Sendable, Equatable {
        var verifier: PINVerifier
        var count = 0
        var isLive = true
    }

    /// A try that was evaluated and may still be proved.
    struct Pending: Sendable, Equatable {
        let id: Bytes
        let blinded: Bytes
        let time: Int64
        /// When the try before it was.
        let previous: Int64?
        /// The slots that it still counts against.
        var counted: [Bool]
    }

    /// Something that happened, for the server to act on.
    public enum Event: Sendable, Equatable {
        /// A try that was not proved: the owner is to be told.
        case unproved(tryID: Bytes)
        /// At least four tries stand against a slot: the owner is to be told at once.
        case manyTries
        /// A slot has had its ten tries: its guard key is to be overwritten.
        case destroyed(slot: Int)
    }

    var slots: [Slot]
    var pending: [Pending] = []
    var lastTry: Int64?

    /// The state of a new vault.
    ///
    /// - Throws: `malformed` unless there are four verifiers.
    public init(verifiers: [PINVerifier]) throws(VaultError) {
        guard verifiers.count == PINSlot.count else { throw .malformed }
        slots = verifiers.map { Slot(verifier: $0) }
    }

    /// Whether a slot can still be evaluated, or proved, for each of the four.
    public var liveSlots: [Bool] { slots.map { $0.isLive } }

    /// How many tries stand against each slot; `nil` for one that is destroyed.
    public var counts: [Int?] { slots.map { $0.isLive ? $0.count : nil } }

    /// How many tries stand against the slot that has most.
    public var tries: Int { slots.filter { $0.isLive }.map { $0.count }.max() ?? 0 }

    /// When the next try may come, in milliseconds since 1970; `nil` for never.
    public var nextTry: Int64? {
        guard slots.contains(where: { $0.isLive && $0.count < Self.maximumTries }) else { return nil }
        guard let lastTry else { return 0 }
        let count = slots.filter { $0.isLive && $0.count < Self.maximumTries }.map { $0.count }.max() ?? 0
        return lastTry + 1_000 * Self.delays[count]
    }
}

/// Why the guard does not evaluate a try or take a proof.
public enum PINGuardError: Error, Equatable, Sendable {
    /// Too early; `until` is in milliseconds since 1970.
    case wait(until: Int64)
    /// No slot is left.
    case destroyed
    /// Too many tries wait for their proof, or the element is none.
    case refused
    /// No such try waits for its proof.
    case unknownTry
}

extension PINGuard {
    /// Counts a try.
    ///
    /// Store the state durably, and then evaluate under the keys of the slots that are named.
    ///
    /// - Parameters:
    ///   - id: a fresh random name of the try, 16 bytes.
    ///   - blinded: the client's element.
    ///   - now: in milliseconds since 1970.
    public mutating func begin(
        _ id: Bytes, blinded: Bytes, now: Int64
    ) throws(PINGuardError) -> (slots: [Int], events: [Event]) {
        var events = advance(to: now)
        guard PINVerifier.isElement(blinded), id.count == Self.idByteCount, pending.count < Self.maximumPending,
            !pending.contains(where: { $0.id == id })
        else { throw .refused }
        guard let next = nextTry else { throw .destroyed }
        guard now >= next else { throw .wait(until: next) }
        let chosen = slots.indices.filter { slots[$0].isLive && slots[$0].count < Self.maximumTries }
        for index in chosen { slots[index].count += 1 }
        let counted = slots.indices.map { chosen.contains($0) }
        pending.append(Pending(id: id, blinded: blinded, time: now, previous: lastTry, counted: counted))
        lastTry = now
        if tries > 3 { events.append(.manyTries) }
        return (chosen, events)
    }

    /// Takes the four proofs of a try, which then is over.
    ///
    /// - Returns: whether one matched, and what follows.
    public mutating func prove<Suite: VaultCryptoSuite>(
        _ id: Bytes, _ proofs: [PINProof], now: Int64, suite: Suite
    ) throws(PINGuardError) -> (isProved: Bool, events: [Event]) {
        let earlier = advance(to: now)
        guard proofs.count == PINSlot.count else { throw .refused }
        guard let place = pending.firstIndex(where: { $0.id == id }) else { throw .unknownTry }
        let attempt = pending.remove(at: place)
        let matching = slots.indices.filter { index in
            slots[index].isLive && attempt.counted[index]
                && proofs[index].matches(slots[index].verifier, blinded: attempt.blinded, tryID: id, index: index)
        }
        guard !matching.isEmpty else { return (false, earlier + [.unproved(tryID: id)] + destroyExhausted()) }
        for index in slots.indices where attempt.counted[index] { slots[index].count -= 1 }
        for index in slots.indices where slots[index].isLive {
            if matching.contains(index) || proofs[index].resets(slots[index].verifier, suite: suite) { reset(index) }
        }
        // It was no guess, so nobody waits for it.
        if lastTry == attempt.time { lastTry = attempt.previous }
        return (true, earlier + destroyExhausted())
    }

    /// Lets time pass: tries that can no longer be proved stay counted.
    ///
    /// Call it some time after the last try too, so that the owner is told.
    public mutating func advance(to now: Int64) -> [Event] {
        var events: [Event] = []
        for attempt in pending where attempt.time + Self.proofWindow <= now {
            events.append(.unproved(tryID: attempt.id))
        }
        pending.removeAll { $0.time + Self.proofWindow <= now }
        return events + destroyExhausted()
    }

    /// When `advance` has something to do, in milliseconds since 1970; `nil` if nothing waits.
    public var nextAdvance: Int64? { pending.map { $0.time + Self.proofWindow }.min() }

    /// Sets a slot up again, with a new guard key: after it was destroyed, or for another PIN.
    public mutating func replace(_ index: Int, with verifier: PINVerifier) throws(VaultError) {
        guard slots.indices.contains(index) else { throw .outOfRange }
        slots[index] = Slot(verifier: verifier)
        for place in pending.indices { pending[place].counted[index] = false }
    }

    private mutating func reset(_ index: Int) {
        slots[index].count = 0
        for place in pending.indices { pending[place].counted[index] = false }
    }

    /// Destroys the slots that had ten tries none of which can still be proved.
    private mutating func destroyExhausted() -> [Event] {
        var events: [Event] = []
        for index in slots.indices where slots[index].isLive && slots[index].count >= Self.maximumTries {
            guard !pending.contains(where: { $0.counted[index] }) else { continue }
            slots[index].isLive = false
            events.append(.destroyed(slot: index))
        }
        return events
    }
}
