import Approvals
import Encodings
import HTTPTypes
import Interface
import Storage
import Testing

@testable import Server

/// Approvals whose storage fails, and servers that die between any two steps of their work on them.
@Suite("Faults of the storage under approvals", .timeLimit(.minutes(5)))
struct ApprovalFaultTests {
    @Test(
        "killed before or after any step, a server has done all of it or nothing; sent again, it is done once",
        arguments: ApprovalFaultAct.allCases, [false, true])
    func killed(act: ApprovalFaultAct, isDone: Bool) async throws {
        let faults = StorageFaults()
        let organisation = try await TestOrganisation(faults: faults)
        try await organisation.serve { client in
            let scene = try await ApprovalFaultScene(act, client)
            var (steps, isAlive) = (0, false)
            while !isAlive, steps < 40 {
                let send = try await scene.prepare(steps)
                faults.kill(after: steps, isDone: isDone)
                isAlive = try await send().status < 300
                faults.heal()
                try await scene.expectWhole()
                try await scene.expectOnce(send, of: steps + 1)
                steps += 1
            }
            // What the log has is stored, and then the log is read and sealed; fewer would mean that less was tried.
            #expect(isAlive && steps > (act.isLogged ? 3 : 1))
        }
    }

    @Test(
        "what the storage refuses is refused in words and not stored; later the same succeeds once",
        arguments: ApprovalFaultAct.allCases, [StorageError.full, .unreachable(detail: "as the test says")])
    func refused(act: ApprovalFaultAct, error: StorageError) async throws {
        let faults = StorageFaults()
        let organisation = try await TestOrganisation(faults: faults)
        try await organisation.serve { client in
            let scene = try await ApprovalFaultScene(act, client)
            for (number, step) in [StorageFaults.Step.read, .write].enumerated() {
                let send = try await scene.prepare(number)
                faults.fail(step, error)
                for _ in 0..<2 {
                    let refused = try await send()
                    // An answer may be stored before anything is read. Then only its receipt is missing.
                    let mayBeStored = step == .read && act.isAnswer && refused.problem == "storage-unreachable"
                    if error == .full, !mayBeStored {
                        #expect(refused.status == 507 && refused.problem == "storage", "\(refused.text)")
                    } else {
                        #expect(refused.status == 503 && refused.problem == "storage-unreachable", "\(refused.text)")
                        #expect(refused.retryAfter == "5")
                    }
                }
                faults.heal()
                try await scene.expectWhole()
                // The person is asked what was asked before, and nothing was decided.
                let waiting = try await client.pending(scene.phone.session).count
                if step == .write { #expect(waiting == act.waiting(after: number)) }
                try await scene.expectOnce(send, of: number + 1)
            }
        }
    }
}
