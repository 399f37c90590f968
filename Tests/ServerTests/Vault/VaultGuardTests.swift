import CryptoProvider
import Encodings
import Foundation
import HTTPTypes
import Interface
import Storage
import Testing
import Vault

@testable import Server

/// The guard with its files: what it evaluates, counts and keeps.
@Suite("The PIN guard")
struct VaultGuardTests {
    @Test("a PIN opens its slot alone, with evaluations that are proved, and the server never sees it")
    func opens() async throws {
        try await VaultScene.serve { scene in
            let state = try await scene.state()
            #expect(state.guard == VaultGuardState(state: .ready, wait: 0, revision: state.guard.revision))
            #expect(state.guard.revision > 0)
            #expect(state.pins.map(\.slot) == [0, 1, 2, 3] && state.pins.allSatisfy(\.usable))
            for slot in 0..<4 {
                let tried = try await scene.attempt(scene.pins[slot])
                #expect(tried.opened == [slot])
                try await scene.prove(tried, resets: [0, 1, 2, 3])
            }
            #expect(try await scene.state().guard.tries == 0)
            #expect(try await scene.attempt("1234").opened.isEmpty)
            #expect(try await scene.counts() == [1, 1, 1, 1])
            #expect(try await scene.state().guard.tries == 1)
        }
    }

    @Test("without the guard's keys nobody confirms even the right PIN, not with a vault of their own either")
    func stolen() async throws {
        try await VaultScene.serve { scene in
            let mallory = try scene.organisation.person("mallory")
            let session = try await scene.client.join(mallory)
            let own = try await VaultScene.make(scene.client, scene.organisation, mallory, session)
            // With the guard's answer it opens: so the trial can succeed.
            let tried = try await scene.attempt(scene.pins[0])
            #expect(tried.opened == [0])
            let stolen = try await scene.state().pins
            // The guard evaluates whatever it is asked, with the keys of the account that asks.
            let answer = try await VaultGuard(environment: own.environment).attempt(
                NewVaultTry(blinded: tried.attempt.blindedElement.base64URL), own.account)
            let ownPINs = try await own.state().pins
            var values: [Bytes] = []
            for (pin, evaluation) in zip(ownPINs, answer.evaluations) {
                let evaluated = PINAttempt.Evaluation(
                    element: try VaultScene.bytes(evaluation.element), proof: try VaultScene.bytes(evaluation.proof))
                values.append(try tried.attempt.value(evaluated, publicKey: try VaultScene.bytes(pin.key)))
            }
            // Keys made of what was stolen, as a careless guard might have them, and a fresh one.
            var keys = [GuardKey()]
            for text in stolen.flatMap({ [$0.sealed, $0.key] }) + [VaultScene.salt] {
                let number = Bytes(VaultScene.suite.hmacSHA512(try VaultScene.bytes(text), key: []).prefix(48))
                values.append(number)
                if let key = try? GuardKey(rawRepresentation: number) { keys.append(key) }
            }
            for key in keys {
                let made = try key.evaluate(tried.attempt.blindedElement)
                let evaluated = PINAttempt.Evaluation(element: made.element, proof: made.proof)
                values.append(try tried.attempt.value(evaluated, publicKey: key.publicKey))
            }
            #expect(values.count == 4 + 9 + 10)
            for (slot, pin) in stolen.enumerated() {
                let sealed = try VaultScene.bytes(pin.sealed)
                let isOpened = values.contains {
                    (try? tried.attempt.open(sealed, index: slot, value: $0, suite: VaultScene.suite)) != nil
                }
                #expect(!isOpened, "\(slot)")
            }
        }
    }

    /// Tries at the same time.
    ///
    /// - Returns: how many were answered.
    private static func attack(_ scene: VaultScene, _ count: Int) async -> Int {
        let blinded = (try? GuardQuestion(Bytes(text: "0000")))?.blinded.base64URL ?? ""
        let pins = VaultGuard(environment: scene.environment)
        return await withTaskGroup(of: Bool.self) { group in
            for _ in 0..<count {
                group.addTask {
                    (try? await pins.attempt(NewVaultTry(blinded: blinded), scene.account)) != nil
                }
            }
            return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
        }
    }

    @Test("of a thousand tries at once three are evaluated, and no further one while the clock stands")
    func parallel() async throws {
        try await VaultScene.serve { scene in
            let answered = [await Self.attack(scene, 1_000), await Self.attack(scene, 100)]
            #expect(answered == [3, 0])
            let (counts, state) = (try await scene.counts(), try await scene.state())
            #expect(counts == [3, 3, 3, 3] && state.guard.wait == 30 && state.guard.tries == 3)
        }
    }

    @Test("with the clock moved past every delay exactly ten are evaluated, and then there is no key any more")
    func ten() async throws {
        try await VaultScene.serve { scene in
            var answered = await Self.attack(scene, 1_000)
            for _ in 0..<20 {
                scene.clock.advance(.seconds(86_400))
                answered += await Self.attack(scene, 100)
            }
            #expect(answered == 10)
            try await VaultTryWatch(environment: scene.environment).tell()
            let state = try await scene.state()
            #expect(state.pins.allSatisfy { !$0.usable && $0.sealed.isEmpty && $0.key.isEmpty })
            let file = try String(
                contentsOfFile: VaultGuard(environment: scene.environment).folder.file(scene.account), encoding: .utf8)
            #expect(!file.contains("\"key\""), "\(file)")
            await #expect(throws: VaultError.destroyed) { _ = try await scene.attempt("0000") }
        }
    }

    @Test("wrong PINs with the decoy's in between destroy the other slots after ten, and the decoy's stays")
    func decoy() async throws {
        try await VaultScene.serve { scene in
            var wrong = 0
            while try await scene.state().pins[0].usable, wrong < 40 {
                try await scene.waitForGuard()
                _ = try await scene.attempt("wrong \(wrong)")
                wrong += 1
                guard try await scene.state().pins[0].usable else { break }
                try await scene.waitForGuard()
                let tried = try await scene.attempt(scene.pins[3])
                #expect(tried.opened == [3])
                try await scene.prove(tried)
            }
            #expect(wrong <= 10, "\(wrong)")
            #expect(try await scene.state().pins.map(\.usable) == [false, false, false, true])
        }
    }

    @Test("what was in the decoy takes back no guess at another slot")
    func stolenProof() async throws {
        try await VaultScene.serve { scene in
            let decoy = try await scene.attempt(scene.pins[3])
            try await scene.prove(decoy)
            for guess in ["wrong 1", "wrong 2"] {
                let tried = try await scene.attempt(guess)
                let forged = try scene.proofs(tried, resets: [3], claiming: decoy.contents)
                let refused = try await scene.send(.post, "guard/tries/\(tried.answer.try)/proof", forged)
                #expect(refused.status == 403 && refused.errorName == "proof")
            }
            // Nor with the proof of another try.
            let tried = try await scene.attempt("wrong 3")
            let old = try await scene.send(.post, "guard/tries/\(tried.answer.try)/proof", try scene.proofs(decoy))
            #expect(old.status == 403)
            #expect(try await scene.counts() == [3, 3, 3, 3])
        }
    }

    @Test("main's reset keys free all slots, a wrong proof nothing, a try is proved once and in its time")
    func proofs() async throws {
        try await VaultScene.serve { scene in
            for _ in 0..<2 { _ = try await scene.attempt("no") }
            let right = try await scene.attempt(scene.pins[0])
            try await scene.prove(right, resets: [0, 1, 2, 3])
            #expect(try await scene.counts() == [0, 0, 0, 0])
            await #expect(throws: VaultError.tryOver) { try await scene.prove(right) }
            let spoiled = try await scene.attempt(scene.pins[0])
            let random = VaultTryProof(proofs: (0..<4).map { _ in VaultScene.random(128).base64URL })
            let wrong = try await scene.send(.post, "guard/tries/\(spoiled.answer.try)/proof", random)
            #expect(wrong.status == 403 && wrong.errorName == "proof")
            await #expect(throws: VaultError.tryOver) { try await scene.prove(spoiled) }
            let late = try await scene.attempt(scene.pins[0])
            scene.clock.advance(.seconds(Limits.vaultProofTime))
            await #expect(throws: VaultError.tryOver) { try await scene.prove(late, resets: [0, 1, 2, 3]) }
            #expect(try await scene.counts() == [2, 2, 2, 2])
        }
    }

    @Test("a server that is killed between count and answer has counted")
    func killed() async throws {
        let organisation = try await TestOrganisation()
        try await VaultScene.serve(organisation) { scene in
            let pins = VaultGuard(environment: scene.environment)
            let blinded = try GuardQuestion(Bytes(text: "no")).blinded
            for _ in 0..<3 { _ = try await pins.count(blinded, scene.account) }
            // Another process has only the file.
            let other = VaultGuard(environment: scene.environment)
            await #expect(throws: VaultError.wait(30)) { _ = try await other.count(blinded, scene.account) }
            #expect(try await scene.counts() == [3, 3, 3, 3])
        }
    }

    @Test("an older database gives no tries back")
    func rolledBack() async throws {
        let organisation = try await TestOrganisation()
        let folder = try BackupFolder()
        try await VaultScene.serve(organisation) { scene in
            try await organisation.backUp(to: folder.path("a.backup"))
            for _ in 0..<3 { _ = try await scene.attempt("no") }
            try await folder.restore("a.backup", into: "restored")
            // The old tables under the same guard.
            try FileManager.default.copyItem(
                atPath: organisation.folder.appendingPathComponent(GuardFolder.name).path,
                toPath: folder.path("restored/\(GuardFolder.name)"))
            let again = try await TestOrganisation(
                folder: folder.url.appendingPathComponent("restored"), place: folder.place("restored"))
            let state = try await VaultGuard(environment: again.server.environment).state(of: scene.account).state
            #expect(state.state == .ready && state.wait == 30)
        }
    }

    @Test("a restore without the guard's files says so; the other ways stay, and new PINs can be set")
    func absent() async throws {
        let organisation = try await TestOrganisation()
        try await VaultScene.serve(organisation) { scene in
            let folder = organisation.folder.appendingPathComponent(GuardFolder.name).path
            try FileManager.default.removeItem(atPath: folder)
            let state = try await scene.state()
            #expect(state.guard.state == .absent && state.pins.allSatisfy { !$0.usable && $0.sealed.isEmpty })
            let refused = try await scene.send(
                .post, "guard/tries", NewVaultTry(blinded: GuardQuestion([1]).blinded.base64URL))
            #expect(refused.status == 409 && refused.errorName == "absent")
            let (enrolment, pins) = try await scene.enrol(scene.pins)
            let again = VaultPINs(enrolment: enrolment, revision: 0, pins: pins)
            #expect(try await scene.send(.put, "pins", again).status == 200)
            #expect(try await scene.attempt(scene.pins[2]).opened == [2])
        }
    }

    @Test("a new PIN takes the place of one slot alone; an enrolment counts once, and not for long")
    func renewed() async throws {
        try await VaultScene.serve { scene in
            for _ in 0..<2 { _ = try await scene.attempt("no") }
            let (enrolment, made) = try await scene.enrol(["a", "b", "c", "d"])
            let seen = try await scene.state().guard.revision
            let pins = VaultPINs(enrolment: enrolment, revision: seen, pins: [made[1]])
            #expect(try await scene.send(.put, "pins", pins).status == 200)
            let next = try await scene.state().guard.revision
            #expect(try await scene.counts() == [2, 0, 2, 2])
            let again = try await scene.send(
                .put, "pins", VaultPINs(enrolment: enrolment, revision: next, pins: [made[1]]))
            #expect(again.status == 410 && again.errorName == "enrolment")
            let tried = try await scene.attempt("b")
            #expect(tried.opened == [1])
            try await scene.prove(tried, resets: [0, 1, 2, 3])
            #expect(try await scene.attempt(scene.pins[1]).opened.isEmpty)
            #expect(try await scene.attempt(scene.pins[0]).opened == [0])
            let late = try await scene.enrol(scene.pins)
            scene.clock.advance(.seconds(Limits.vaultEnrolmentTime))
            try await VaultScene.confirm(scene)
            let over = VaultPINs(enrolment: late.enrolment, revision: next, pins: [late.pins[1]])
            #expect(try await scene.send(.put, "pins", over).errorName == "enrolment")
        }
    }

    @Test("the owner is told of a try that nobody proves in two minutes, and at once of the fourth")
    func told() async throws {
        try await VaultScene.serve { scene in
            try await scene.addWay()
            let watch = VaultTryWatch(environment: scene.environment)
            let right = try await scene.attempt(scene.pins[0])
            try await scene.prove(right, resets: [0, 1, 2, 3])
            scene.clock.advance(.seconds(600))
            try await watch.tell()
            #expect(try await scene.takeNotices() == 0)
            _ = try await scene.attempt("no")
            try await watch.tell()
            #expect(try await scene.takeNotices() == 0)
            scene.clock.advance(.seconds(Limits.vaultProofTime))
            try await watch.tell()
            #expect(try await scene.takeNotices() == 1)
            scene.clock.advance(.seconds(86_400))
            for _ in 0..<2 { _ = try await scene.attempt("no") }
            #expect(try await scene.takeNotices() == 0)
            try await scene.waitForGuard()
            _ = try await scene.attempt("no")
            #expect(try await scene.takeNotices() == 1)
        }
    }

    @Test("changes of one file follow one after the other, and none is lost")
    func ordered() async throws {
        let directory = try BackupFolder()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<4 {
                group.addTask {
                    // As other processes do it: nothing is shared but the folder.
                    let folder = GuardFolder(in: directory.url.path)
                    for _ in 0..<25 {
                        try await folder.change("abcd") { file in
                            var found = file ?? GuardFile()
                            let before = found.enrolment?.expires ?? 0
                            for _ in 0..<50 { Thread.sleep(forTimeInterval: 0) }
                            found.enrolment = GuardFile.Enrolment(id: "", expires: before + 1, keys: [])
                            file = found
                        }
                    }
                }
            }
            try await group.waitForAll()
        }
        #expect(try await GuardFolder(in: directory.url.path).read("abcd")?.enrolment?.expires == 100)
    }

    @Test("servers that share the database count together", .enabled(if: TestDatabase.isPostgres, "Needs PostgreSQL."))
    func shared() async throws {
        let organisation = try await TestOrganisation()
        let other = try await TestOrganisation(sharing: organisation)
        try await VaultScene.serve(organisation) { scene in
            let blinded = try GuardQuestion(Bytes(text: "0000")).blinded.base64URL
            let servers = [organisation, other].map { VaultGuard(environment: $0.server.environment) }
            let answered = await withTaskGroup(of: Bool.self) { group in
                for number in 0..<60 {
                    group.addTask {
                        let answer = try? await servers[number % 2].attempt(
                            NewVaultTry(blinded: blinded), scene.account)
                        return answer != nil
                    }
                }
                return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
            }
            #expect(answered == 3)
            // And what one wraps the other opens.
            let id = VaultScene.identifier()
            _ = try await scene.change(VaultScene.change(0, put: [VaultScene.put(id, key: "k")]))
            let there = try await VaultCompartments(
                environment: other.server.environment, epochs: VaultEpochs(other.server.environment)
            ).list(scene.main, after: nil, limit: 1, scene.principal)
            #expect(there.items.map(\.key) == [Bytes(text: "k").base64URL])
        }
    }

    @Test("a damaged file lets nobody try")
    func damaged() async throws {
        try await VaultScene.serve { scene in
            let file = VaultGuard(environment: scene.environment).folder.file(scene.account)
            for content in ["", "{}", "{\"version\":2}", "x"] {
                try Data(content.utf8).write(to: URL(fileURLWithPath: file))
                let answer = try await scene.send(
                    .post, "guard/tries", NewVaultTry(blinded: GuardQuestion([1]).blinded.base64URL))
                #expect(answer.status == 500, "\(content): \(answer.text)")
            }
        }
    }
}
