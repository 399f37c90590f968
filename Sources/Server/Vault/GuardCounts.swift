/// The counting rules of the PIN guard: what a try costs each slot, when the next one may come, and what a proof takes back.
///
/// It is a value and knows no file: the guard stores it before it answers anything.
struct GuardCounts: Sendable, Equatable {
    /// PIN slots of a vault, used or not.
    static let slots = 4
    /// Unproved tries that destroy a slot.
    static let most: Int64 = 10
    /// Seconds before the next try, by the highest count of a slot that is not destroyed: none before the fourth.
    static let delays: [Int64] = [0, 0, 0, 30, 60, 300, 900, 3_600, 3 * 3_600, 12 * 3_600]

    /// Unproved tries at each slot; `nil` for one that is destroyed, or was never made.
    private(set) var counts: [Int64?]
    /// When the last try came, in seconds since 1970.
    private(set) var last: Int64

    /// As it is stored.
    init(counts: [Int64?], last: Int64) { (self.counts, self.last) = (counts, last) }

    /// Whether no slot is left.
    var isDestroyed: Bool { counts.allSatisfy { $0 == nil } }

    /// The highest count of a slot that is left.
    var highest: Int64 { counts.compactMap(\.self).max() ?? 0 }

    /// Seconds until a try may come; 0 for at once.
    ///
    /// Never longer than the whole delay: a clock that was set back must not shut anybody out.
    func wait(at now: Int64) -> Int64 {
        let delay = Self.delays[Int(min(max(0, highest), Self.most - 1))]
        return min(delay, max(0, last + delay - now))
    }

    /// Counts a try, unproved, against every slot that is left.
    ///
    /// - Returns: the slots whose last try it was: they are destroyed.
    mutating func count(at now: Int64) -> [Int] {
        last = now
        var destroyed: [Int] = []
        for (slot, count) in counts.enumerated() {
            guard let count else { continue }
            if count + 1 < Self.most {
                counts[slot] = count + 1
            } else {
                counts[slot] = nil
                destroyed.append(slot)
            }
        }
        return destroyed
    }

    /// Takes a try back that opened a slot: it was no guess at the others.
    ///
    /// Only a slot that the try opened is free of the tries before. Otherwise anyone who knows the PIN of one slot would
    /// gain tries at the others.
    ///
    /// - Parameter opened: the slots whose proof keys were shown; none of them changes nothing.
    mutating func prove(_ opened: Set<Int>) {
        guard !opened.isEmpty else { return }
        for (slot, count) in counts.enumerated() {
            guard let count else { continue }
            counts[slot] = opened.contains(slot) ? 0 : max(0, count - 1)
        }
    }

    /// Gives a slot a new PIN, which nobody has tried.
    mutating func renew(_ slot: Int) { counts[slot] = 0 }
}
