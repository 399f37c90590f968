import Foundation
import Synchronization

/// The hammer's own record of what it was told: a line of JSON for each act, on the disk before the next act.
final class HammerJournal: Sendable {
    private let queue = DispatchQueue(label: "countersign.hammer.journal")
    private let handle: FileHandle
    private let outcomes = Mutex<[HammerAct.Outcome: Int]>([:])
    /// How many lines there were before.
    let beginning: Int

    /// Opens the journal and goes on behind what it holds.
    init(path: String) throws {
        beginning = try Self.read(path).count
        if beginning == 0 { try Data().write(to: URL(fileURLWithPath: path)) }
        handle = try FileHandle(forWritingTo: URL(fileURLWithPath: path))
        try handle.seekToEnd()
    }

    /// Appends an act and waits for the disk.
    func append(_ act: HammerAct) async throws {
        let line = try JSONEncoder().encode(act) + [0x0A]
        let handle = handle
        try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
            queue.async {
                continuation.resume(
                    with: Result {
                        try handle.write(contentsOf: line)
                        try handle.synchronize()
                    })
            }
        }
        outcomes.withLock { $0[act.outcome, default: 0] += 1 }
    }

    /// How many acts ended so since the journal was opened.
    func count(_ outcome: HammerAct.Outcome) -> Int { outcomes.withLock { $0[outcome, default: 0] } }

    /// Everything in a journal; nothing when there is none.
    static func read(_ path: String) throws -> [HammerAct] {
        guard FileManager.default.fileExists(atPath: path) else { return [] }
        return try Data(contentsOf: URL(fileURLWithPath: path)).split(separator: 0x0A)
            .map { try JSONDecoder().decode(HammerAct.self, from: $0) }
    }
}
