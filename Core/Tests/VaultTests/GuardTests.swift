import EllipticCurves
import Encodings
import Testing

@testable import Vault

/// A guard with its keys, and the four slots of an account: main, decoy, and two that nobody uses.
struct GuardedVault {
    static let mainPIN = Bytes.text("583920")
    static let decoyPIN = Bytes.text("740163")

    let suite = TestSuite(seed: "guard")
    let account: VaultAccount
    let servers: [ObliviousServer]
    let resetKeys: [VaultSecret]
    let main: VaultSecret
    let decoy: VaultSecret
    var slots: [Bytes] = []
    var state: PINGuard

    init() throws {
        let suite = self.suite
        account = try .random(suite)
        servers = try (0..<4).map { _ in try ObliviousServer(key: ObliviousFunction.randomScalar(suite.randomBytes)) }
        resetKeys = try (0..<4).map { _ in try .random(suite) }
        main = try .random(suite)
        decoy = try .random(suite)
        var verifiers: [PINVerifier] = []
        for (index, (pin, purpose, key)) in [
            (Self.mainPIN, PINPurpose.main, main), (Self.decoyPIN, .decoy, decoy),
        ].enumerated() {
            let attempt = try PINAttempt(Self.input(pin, account, suite), of: account, suite: suite)
            let value = try attempt.value(
                Self.evaluation(servers[index], attempt, suite), publicKey: servers[index].publicKey)
            let made = try attempt.makeSlot(
                purpose, key: key, index: index, value: value, resetKey: resetKeys[index], suite: suite)
            slots.append(made.slot)
            verifiers.append(made.verifier)
        }
        for index in 2..<4 {
            slots.append(try PINSlot.unused(suite))
            verifiers.append(try .unused(resetKey: resetKeys[index], suite: suite))
        }
        state = try PINGuard(verifiers: verifiers)
    }

    static func input(_ pin: Bytes, _ account: VaultAccount, _ suite: TestSuite) throws -> VaultSecret {
        try PINSlot.input(pin, of: account, stretching: Argon2id(memory: 8, passes: 1, lanes: 1), suite: suite)
    }

    static func evaluation(
        _ server: ObliviousServer, _ attempt: PINAttempt, _ suite: TestSuite
    ) throws -> PINAttempt.Evaluation {
        let answer = try server.evaluate(
            [attempt.blindedElement], randomness: ObliviousFunction.randomScalar(suite.randomBytes))
        return PINAttempt.Evaluation(element: answer.elements[0], proof: answer.proof)
    }

    /// A try that was evaluated.
    struct Tried {
        let id: Bytes
        let attempt: PINAttempt
        let opened: [PINContents?]
        let events: [PINGuard.Event]
    }

    mutating func begin(_ pin: Bytes, at now: Int64) throws -> Tried {
        let attempt = try PINAttempt(Self.input(pin, account, suite), of: account, suite: suite)
        let id = suite.randomBytes(16)
        let answer = try state.begin(id, blinded: attempt.blindedElement, now: now)
        var opened = [PINContents?](repeating: nil, count: 4)
        for index in answer.slots {
            let value = try attempt.value(
                Self.evaluation(servers[index], attempt, suite), publicKey: servers[index].publicKey)
            opened[index] = try? attempt.open(slots[index], index: index, value: value, suite: suite)
        }
        return Tried(id: id, attempt: attempt, opened: opened, events: answer.events)
    }

    mutating func prove(
        _ tried: Tried, at now: Int64, opened: [PINContents?]? = nil
    ) throws -> (isProved: Bool, events: [PINGuard.Event]) {
        let isOwner = tried.opened[0] != nil
        let proofs = try tried.attempt.proofs(
            opened ?? tried.opened, resetKeys: isOwner ? resetKeys : [nil, nil, nil, nil], tryID: tried.id, suite: suite
        )
        return try state.prove(tried.id, proofs, now: now, suite: suite)
    }

    var counts: [Int] { state.slots.map(\.count) }
}

func guardRefusal<Value>(_ body: () throws -> Value) -> PINGuardError? {
    do {
        _ = try body()
        return nil
    } catch {
        return error as? PINGuardError
    }
}

@Suite struct GuardTests {
    static let wrong = Bytes.text("902754")
    static let day: Int64 = 86_400_000

    @Test func thePINOpensItsSlotAndNoOther() throws {
        var vault = try GuardedVault()
        let tried = try vault.begin(GuardedVault.mainPIN, at: 0)
        #expect(tried.opened.map { $0?.purpose } == [.main, nil, nil, nil])
        #expect(tried.opened[0]?.key == vault.main)
        #expect(vault.counts == [1, 1, 1, 1])
        let result = try vault.prove(tried, at: 1)
        #expect(result.isProved && result.events.isEmpty && vault.counts == [0, 0, 0, 0])
        let other = try vault.begin(GuardedVault.decoyPIN, at: 2)
        #expect(other.opened.map { $0?.purpose } == [nil, .decoy, nil, nil])
        let none = try vault.begin(Self.wrong, at: 3)
        #expect(none.opened.allSatisfy { $0 == nil })
    }

    /// A thousand at once, while the clock stands: three are evaluated.
    @Test func withoutTimeThreeAreEvaluated() throws {
        var vault = try GuardedVault()
        let blinded = try vault.begin(Self.wrong, at: 5).attempt.blindedElement
        var state = try GuardedVault().state
        var evaluated = 0
        for number in 0..<1_000 {
            let id = bigEndianBytes(0) + bigEndianBytes(UInt64(number))
            if (try? state.begin(id, blinded: blinded, now: 5)) != nil { evaluated += 1 }
        }
        #expect(evaluated == 3)
        #expect(
            guardRefusal { try state.begin(Bytes(repeating: 1, count: 16), blinded: blinded, now: 5) }
                == .wait(until: 30_005))
    }

    /// And when the clock goes past every delay: ten, and then the slots are destroyed.
    @Test func withTimeTenAreEvaluated() throws {
        var vault = try GuardedVault()
        let blinded = try vault.begin(Self.wrong, at: 5).attempt.blindedElement
        var state = try GuardedVault().state
        var evaluated = 0
        var events: [PINGuard.Event] = []
        for number in 0..<1_000 {
            let id = bigEndianBytes(0) + bigEndianBytes(UInt64(number))
            guard let answer = try? state.begin(id, blinded: blinded, now: Int64(number) * Self.day) else { continue }
            evaluated += 1
            events += answer.events
        }
        events += state.advance(to: 10_000 * Self.day)
        #expect(evaluated == 10)
        #expect(state.liveSlots == [false, false, false, false])
        #expect(events.filter { if case .unproved = $0 { true } else { false } }.count == 10 || state.pending.isEmpty)
        #expect(
            guardRefusal { try state.begin(Bytes(repeating: 1, count: 16), blinded: blinded, now: 20_000 * Self.day) }
                == .destroyed)
    }

    @Test func theDelaysGrow() throws {
        var vault = try GuardedVault()
        var now: Int64 = 0
        for delay: Int64 in [0, 0, 0, 30, 60, 300, 900, 3_600, 10_800, 43_200] {
            if delay > 0 {
                #expect(
                    guardRefusal { try vault.begin(Self.wrong, at: now + 1_000 * delay - 1) }
                        == .wait(until: now + 1_000 * delay))
            }
            now += 1_000 * delay
            let tried = try vault.begin(Self.wrong, at: now)
            #expect(tried.events.contains(.manyTries) == (delay > 0))
        }
    }

    /// Nine wrong ones, the decoy, nine wrong ones: a person who knows the decoy's PIN has ten guesses at the main one, no more.
    @Test func theDecoyGivesNoMoreTries() throws {
        var vault = try GuardedVault()
        var now: Int64 = 0
        var guesses = 0
        for round in 0..<40 {
            now += Self.day
            guard let tried = try? vault.begin(round % 10 == 9 ? GuardedVault.decoyPIN : Self.wrong, at: now) else {
                break
            }
            if round % 10 == 9 {
                #expect(try vault.prove(tried, at: now).isProved)
                #expect(vault.counts[1] == 0)
            } else if vault.state.slots[0].isLive, vault.counts[0] <= 10 {
                guesses += 1
                now += Self.day
                _ = vault.state.advance(to: now)
                if !vault.state.slots[0].isLive { break }
            }
        }
        #expect(guesses == 10)
        #expect(vault.state.liveSlots == [false, true, false, false])
    }

    /// A guess at the main PIN that is passed off as the decoy's: the attacker has opened the decoy before, and has all that
    /// is in its slot.
    @Test func aGuessCannotBePassedOffAsTheDecoy() throws {
        var vault = try GuardedVault()
        let known = try vault.begin(GuardedVault.decoyPIN, at: 0)
        #expect(try vault.prove(known, at: 0).isProved)
        #expect(vault.counts == [0, 0, 0, 0])
        let guess = try vault.begin(Self.wrong, at: 1)
        #expect(try !vault.prove(guess, at: 2, opened: known.opened).isProved)
        #expect(vault.counts == [1, 1, 1, 1])
        // Nor does the proof of the earlier try help in a later one, or the reset key alone.
        let proofs = try known.attempt.proofs(
            known.opened, resetKeys: [nil, nil, nil, nil], tryID: known.id, suite: vault.suite)
        let again = try vault.begin(Self.wrong, at: 3)
        #expect(try !vault.state.prove(again.id, proofs, now: 3, suite: vault.suite).isProved)
        let third = try vault.begin(Self.wrong, at: 4)
        let resets = try third.attempt.proofs(
            [nil, nil, nil, nil], resetKeys: vault.resetKeys, tryID: third.id, suite: vault.suite)
        #expect(try !vault.state.prove(third.id, resets, now: 4, suite: vault.suite).isProved)
        #expect(vault.counts == [3, 3, 3, 3])
    }

    /// The owner's PIN takes back what was counted against all slots; the decoy's only its own.
    @Test func theOwnerResetsAllCounts() throws {
        var vault = try GuardedVault()
        for now: Int64 in 0..<3 { _ = try vault.begin(Self.wrong, at: now) }
        let decoy = try vault.begin(GuardedVault.decoyPIN, at: Self.day)
        #expect(try vault.prove(decoy, at: Self.day).isProved)
        #expect(vault.counts == [3, 0, 3, 3])
        let owner = try vault.begin(GuardedVault.mainPIN, at: 2 * Self.day)
        #expect(try vault.prove(owner, at: 2 * Self.day).isProved)
        #expect(vault.counts == [0, 0, 0, 0])
    }

    /// The right PIN at the tenth try still opens, and saves the slot.
    @Test func theTenthTryCounts() throws {
        var vault = try GuardedVault()
        for number: Int64 in 0..<9 { _ = try vault.begin(Self.wrong, at: number * Self.day) }
        let tried = try vault.begin(GuardedVault.mainPIN, at: 10 * Self.day)
        #expect(vault.counts == [10, 10, 10, 10] && tried.opened[0] != nil)
        #expect(guardRefusal { try vault.begin(Self.wrong, at: 10 * Self.day) } == .destroyed)
        #expect(try vault.prove(tried, at: 10 * Self.day + 1).isProved)
        #expect(vault.state.liveSlots == [true, true, true, true] && vault.counts == [0, 0, 0, 0])
    }

    @Test func theTenthWrongTryDestroysAtOnceWhenItFails() throws {
        var vault = try GuardedVault()
        for number: Int64 in 0..<9 { _ = try vault.begin(Self.wrong, at: number * Self.day) }
        let tried = try vault.begin(Self.wrong, at: 10 * Self.day)
        let result = try vault.state.prove(tried.id, PINProof.none(vault.suite), now: 10 * Self.day, suite: vault.suite)
        #expect(!result.isProved)
        #expect(result.events.contains(.unproved(tryID: tried.id)))
        #expect((0..<4).allSatisfy { result.events.contains(.destroyed(slot: $0)) })
    }

    @Test func aTryIsProvedOnceAndInTime() throws {
        var vault = try GuardedVault()
        let first = try vault.begin(GuardedVault.mainPIN, at: 0)
        #expect(try vault.prove(first, at: 1).isProved)
        #expect(guardRefusal { try vault.prove(first, at: 1) } == .unknownTry)
        let late = try vault.begin(GuardedVault.mainPIN, at: 10)
        #expect(vault.state.nextAdvance == 10 + PINGuard.proofWindow)
        #expect(guardRefusal { try vault.prove(late, at: 10 + PINGuard.proofWindow) } == .unknownTry)
        #expect(vault.counts == [1, 1, 1, 1])
    }

    @Test func theOwnerIsToldAfterTwoMinutes() throws {
        var vault = try GuardedVault()
        let tried = try vault.begin(Self.wrong, at: 0)
        #expect(vault.state.advance(to: PINGuard.proofWindow - 1).isEmpty)
        #expect(vault.state.advance(to: PINGuard.proofWindow) == [.unproved(tryID: tried.id)])
        #expect(vault.state.advance(to: PINGuard.proofWindow).isEmpty)
    }

    /// A try that was begun before a slot was reset takes nothing off afterwards.
    @Test func nothingIsTakenOffTwice() throws {
        var vault = try GuardedVault()
        let decoy = try vault.begin(GuardedVault.decoyPIN, at: 0)
        let owner = try vault.begin(GuardedVault.mainPIN, at: 1)
        #expect(try vault.prove(owner, at: 2).isProved)
        _ = try vault.begin(Self.wrong, at: 3)
        #expect(vault.counts == [1, 1, 1, 1])
        #expect(try !vault.prove(decoy, at: 4).isProved)
        #expect(vault.counts == [1, 1, 1, 1])
    }

    @Test func aNewSlotBeginsAtZero() throws {
        var vault = try GuardedVault()
        for number: Int64 in 0..<11 { _ = try? vault.begin(Self.wrong, at: number * Self.day) }
        _ = vault.state.advance(to: 20 * Self.day)
        #expect(vault.state.liveSlots == [false, false, false, false])
        try vault.state.replace(2, with: .unused(resetKey: vault.resetKeys[2], suite: vault.suite))
        #expect(vault.state.liveSlots == [false, false, true, false] && vault.counts[2] == 0)
        #expect(try vault.begin(Self.wrong, at: 21 * Self.day).opened.allSatisfy { $0 == nil })
    }

    @Test func theStateSurvivesWriting() throws {
        var vault = try GuardedVault()
        _ = try vault.begin(Self.wrong, at: 7)
        _ = try vault.begin(GuardedVault.mainPIN, at: 8)
        let bytes = vault.state.bytes
        #expect(try PINGuard(bytes) == vault.state)
        for index in 0..<bytes.count {
            #expect(refusal { try PINGuard(Array(bytes.prefix(index))) } == .malformed || index == 0)
        }
        #expect(refusal { try PINGuard(bytes + [0]) } == .malformed)
        #expect(refusal { try PINGuard([2] + bytes.dropFirst()) } == .unsupportedVersion)
    }

    @Test func badElementsAndNamesAreRefused() throws {
        var vault = try GuardedVault()
        let good = try vault.begin(Self.wrong, at: 0)
        for blinded in [[], Bytes(repeating: 2, count: 49), Bytes(repeating: 0, count: 49)] {
            #expect(
                guardRefusal { try vault.state.begin(vault.suite.randomBytes(16), blinded: blinded, now: 1) }
                    == .refused)
        }
        let element = good.attempt.blindedElement
        #expect(guardRefusal { try vault.state.begin(good.id, blinded: element, now: 1) } == .refused)
        #expect(guardRefusal { try vault.state.begin([1], blinded: element, now: 1) } == .refused)
        #expect(vault.counts == [1, 1, 1, 1])
        #expect(refusal { try PINVerifier(Bytes(repeating: 0, count: 81)) } == .malformed)
        #expect(refusal { try PINProof(Bytes(repeating: 0, count: 127)) } == .malformed)
    }
}
