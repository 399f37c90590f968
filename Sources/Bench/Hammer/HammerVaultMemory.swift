/// The ways into one member's vault as the journal says that they must be, act by act.
///
/// An act whose answer was lost may have been done: from then on more than one state is right.
struct HammerVaultMemory {
    /// What is sealed in a slot.
    struct Contents {
        /// What was acknowledged last.
        private var sealed: String
        /// What was there before that.
        private var earlier: Set<String> = []
        /// Whether something else may be there by now, of which the answer was lost.
        private var mayDiffer = false

        init(_ sealed: String) { self.sealed = sealed }

        mutating func replace(with next: String) {
            earlier.insert(sealed)
            sealed = next
            mayDiffer = false
        }

        mutating func loosen() { mayDiffer = true }

        /// What is wrong with what the server has; `nil` if nothing is.
        func fault(of found: String) -> String? {
            guard found != sealed else { return nil }
            if earlier.contains(found) { return "holds again what was replaced" }
            return mayDiffer ? nil : "holds something that nobody has set"
        }
    }

    /// A PIN slot.
    struct PIN {
        /// How many tries may stand against it.
        var tries = 0...0
        var contents: Contents
    }

    /// A recovery key.
    struct Slot {
        var contents: Contents
        var mayBeGone = false
    }

    /// The four; none before it was acknowledged that the vault was set up.
    private(set) var pins: [PIN] = []
    /// Those whose removal was not acknowledged, by their ids.
    private(set) var slots: [String: Slot] = [:]

    /// Takes the next act of the member.
    mutating func take(_ act: HammerAct) {
        switch act.outcome {
        case .acknowledged: acknowledge(act)
        case .unknown: loosen(act)
        // Refused was a second request, and it did nothing; the first is among the unknown.
        case .refused, .wrong: break
        }
    }

    private mutating func acknowledge(_ act: HammerAct) {
        let subject = act.subject ?? ""
        switch act.act {
        case .keepVault: pins = (act.slots ?? []).map { PIN(contents: Contents($0)) }
        case .tryPIN: for slot in pins.indices { add(1...1, to: slot) }
        case .provePIN:
            for slot in pins.indices {
                // Of a slot that it did not open, one try is taken back: it was no guess at that.
                pins[slot].tries = Self.isFreed(slot, by: subject) ? 0...0 : Self.lowered(pins[slot].tries)
            }
        case .setPIN:
            guard let slot = Int(subject), pins.indices.contains(slot), let sealed = act.result else { return }
            pins[slot].contents.replace(with: sealed)
            pins[slot].tries = 0...0
        case .setSlot:
            guard let sealed = act.result else { return }
            if slots[subject] == nil {
                slots[subject] = Slot(contents: Contents(sealed))
            } else {
                slots[subject]?.contents.replace(with: sealed)
                slots[subject]?.mayBeGone = false
            }
        // That it stays away is among what is looked for by itself.
        case .removeSlot: slots[subject] = nil
        default: break
        }
    }

    /// Takes an act that was done or not.
    private mutating func loosen(_ act: HammerAct) {
        let subject = act.subject ?? ""
        switch act.act {
        case .tryPIN: for slot in pins.indices { add(0...1, to: slot) }
        case .provePIN:
            for slot in pins.indices {
                let tries = pins[slot].tries
                let least = Self.isFreed(slot, by: subject) ? 0 : Self.lowered(tries).lowerBound
                pins[slot].tries = least...tries.upperBound
            }
        case .setPIN:
            guard let slot = Int(subject), pins.indices.contains(slot) else { return }
            pins[slot].contents.loosen()
            pins[slot].tries = 0...pins[slot].tries.upperBound
        case .setSlot: slots[subject]?.contents.loosen()
        case .removeSlot: slots[subject]?.mayBeGone = true
        default: break
        }
    }

    private mutating func add(_ more: ClosedRange<Int>, to slot: Int) {
        let tries = pins[slot].tries
        pins[slot].tries = tries.lowerBound + more.lowerBound...tries.upperBound + more.upperBound
    }

    /// Whether a proof takes back everything that was counted against a slot.
    private static func isFreed(_ slot: Int, by subject: String) -> Bool { subject == "all" || Int(subject) == slot }

    private static func lowered(_ tries: ClosedRange<Int>) -> ClosedRange<Int> {
        max(0, tries.lowerBound - 1)...max(0, tries.upperBound - 1)
    }
}
