/// Jobs that wait, in a fair order: the sorts of owners take turns, and within a sort the owners do.
///
/// Each owner's jobs come in the order in which they arrived.
///
/// Start-time fair queueing: a job's turn is one after its owner's last one that waits, or after the present turn. So a
/// new owner waits for at most one job of each other owner, and nobody waits for ever.
struct FairQueue<Job> {
    private struct Entry {
        let number: UInt64
        let owner: WorkOwner
        let turn: UInt64
        let job: Job
    }

    private var entries: [Entry] = []
    /// For each sort, the turn of the job that was taken last.
    private var turns = [UInt64](repeating: 0, count: WorkOwner.Sort.allCases.count)
    /// When each sort was served last, counted in jobs.
    private var served = [UInt64](repeating: 0, count: WorkOwner.Sort.allCases.count)
    private var taken: UInt64 = 0

    var count: Int { entries.count }

    func count(of owner: WorkOwner) -> Int { entries.count { $0.owner == owner } }

    /// - Parameter number: larger than all before.
    mutating func append(_ job: Job, number: UInt64, owner: WorkOwner) {
        let last = entries.last { $0.owner == owner }?.turn ?? 0
        entries.append(
            Entry(number: number, owner: owner, turn: max(turns[owner.sort.rawValue], last) + 1, job: job))
    }

    mutating func popFirst() -> (job: Job, owner: WorkOwner)? {
        guard let sort = entries.map(\.owner.sort.rawValue).min(by: { served[$0] < served[$1] }),
            let index = entries.indices.filter({ entries[$0].owner.sort.rawValue == sort })
                .min(by: { entries[$0].turn < entries[$1].turn })
        else { return nil }
        let entry = entries.remove(at: index)
        taken += 1
        served[sort] = taken
        turns[sort] = entry.turn
        return (entry.job, entry.owner)
    }

    mutating func remove(_ number: UInt64) -> Job? {
        guard let index = entries.firstIndex(where: { $0.number == number }) else { return nil }
        return entries.remove(at: index).job
    }
}
