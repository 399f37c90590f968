import HTTPTypes
import Interface
import Testing

@testable import Server

/// Devices that write PIN slots at the same moment, and servers of other versions.
@Suite("Writers of PIN slots")
struct VaultGuardContentionTests {
    @Test("of two devices that set PINs at the same moment the second is refused, and loses no slot of the first")
    func contended() async throws {
        try await VaultScene.serve { scene in
            let seen = try await scene.state().guard.revision
            // Both have looked. The first one writes slot 1, then the second one wants to write all four.
            let first = try await scene.enrol(["a", "b", "c", "d"])
            let stored = VaultPINs(enrolment: first.enrolment, revision: seen, pins: [first.pins[1]])
            #expect(try await scene.send(.put, "pins", stored).status == 200)
            let second = try await scene.enrol(["e", "f", "g", "h"])
            let late = try await scene.send(
                .put, "pins", VaultPINs(enrolment: second.enrolment, revision: seen, pins: second.pins))
            #expect(late.status == 409 && late.errorName == "pins", "\(late.text)")
            let tried = try await scene.attempt("b")
            #expect(tried.opened == [1])
            try await scene.prove(tried, resets: [0, 1, 2, 3])
            // It reads what has changed, and writes another slot under the same enrolment.
            let state = try await scene.state()
            #expect(state.guard.revision > seen)
            let again = VaultPINs(enrolment: second.enrolment, revision: state.guard.revision, pins: [second.pins[2]])
            #expect(try await scene.send(.put, "pins", again).status == 200)
            let both = (try await scene.attempt("b").opened, try await scene.attempt("g").opened)
            #expect(both.0 == [1] && both.1 == [2])
        }
    }

    @Test("what a server of before has written counts")
    func versions() async throws {
        try await VaultScene.serve { scene in
            let folder = GuardFolder(in: scene.environment.directory)
            let seen = try await scene.state().guard.revision
            scene.clock.advance(.seconds(1))
            let later = scene.environment.now()
            // It knows no revision, and says when it has written.
            try await folder.change(scene.account) { file in
                file?.written = later
                file?.enrolment = nil
            }
            let (enrolment, made) = try await scene.enrol(["a", "b", "c", "d"])
            await #expect(throws: VaultError.otherPINs) {
                try await VaultGuard(environment: scene.environment)
                    .write([made[1]], enrolment, at: seen, scene.account)
            }
        }
    }

    @Test("of many devices that write at the same revision one does, also where only the guard's file is between them")
    func contendedAtOnce() async throws {
        try await VaultScene.serve { scene in
            let (enrolment, made) = try await scene.enrol(["a", "b", "c", "d"])
            let seen = try await scene.state().guard.revision
            let servers = (0..<8).map { _ in VaultGuard(environment: scene.environment) }
            let written = await withTaskGroup(of: Bool.self) { group in
                for (number, server) in servers.enumerated() {
                    group.addTask {
                        (try? await server.write([made[number % 4]], enrolment, at: seen, scene.account)) != nil
                    }
                }
                return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
            }
            #expect(written == 1)
            await #expect(throws: VaultError.otherPINs) {
                try await VaultGuard(environment: scene.environment).check(enrolment, at: seen, scene.account)
            }
        }
    }
}
