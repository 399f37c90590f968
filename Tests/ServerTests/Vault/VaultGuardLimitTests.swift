import CryptoProvider
import Encodings
import HTTPTypes
import Interface
import Storage
import Testing

@testable import Server

/// How many tries are let through to the guard, whatever it counts itself.
@Suite("Limits of tries at PINs")
struct VaultGuardLimitTests {
    @Test("a device has only so many tries, and what is no point of the curve costs none")
    func bounded() async throws {
        try await VaultScene.serve { scene in
            for blinded in [
                "", "AA", Bytes(repeating: 2, count: 49).base64URL, Bytes(repeating: 0, count: 49).base64URL,
            ] {
                let refused = try await scene.send(.post, "guard/tries", NewVaultTry(blinded: blinded))
                #expect(refused.status == 422, "\(refused.text)")
            }
            #expect(try await scene.counts() == [0, 0, 0, 0])
            let blinded = try GuardQuestion([1]).blinded.base64URL
            var statuses: [Int] = []
            for _ in 0..<32 {
                statuses.append(try await scene.send(.post, "guard/tries", NewVaultTry(blinded: blinded)).status)
            }
            #expect(statuses.filter { $0 == 200 }.count == 3 && statuses.filter { $0 == 429 }.count == 29)
            let last = try await scene.send(.post, "guard/tries", NewVaultTry(blinded: blinded))
            #expect(last.errorName == nil && last.text.contains("vault-try"))
        }
    }

    /// Makes all sessions of the member such without a device.
    private static func takeDevices(_ scene: VaultScene) async throws {
        try await scene.environment.database.write { [account = scene.account] transaction in
            try transaction.execute("UPDATE sessions SET device = NULL WHERE account = $1", [.text(account)])
        }
    }

    /// Tries with the tokens in turn.
    ///
    /// - Returns: of each try whether the limit of this name has stopped it.
    private static func tries(
        _ count: Int, _ tokens: [String], _ scene: VaultScene, stoppedBy limit: String
    ) async throws -> [Bool] {
        let request = try NewVaultTry(blinded: GuardQuestion([1]).blinded.base64URL)
        var stopped: [Bool] = []
        for number in 0..<count {
            let token = tokens[number % tokens.count]
            let answer = try await scene.client.send(.post, "/api/vault/guard/tries", request, token: token)
            stopped.append(answer.text.contains(limit))
        }
        return stopped
    }

    @Test("another session of the device brings no further tries, and one without a device has its own")
    func boundedByDevice() async throws {
        try await VaultScene.serve { scene in
            let second = try await scene.client.signIn(scene.person, device: scene.session.deviceID)
            let tokens = [scene.token, second.token]
            let shared = try await Self.tries(36, tokens, scene, stoppedBy: "vault-try")
            #expect(shared.firstIndex(of: true) == 32 && shared.suffix(4).allSatisfy { $0 })
            // A third one comes too late.
            let third = try await scene.client.signIn(scene.person, device: scene.session.deviceID)
            #expect(try await Self.tries(1, [third.token], scene, stoppedBy: "vault-try") == [true])
            try await Self.takeDevices(scene)
            let own = try await Self.tries(68, tokens, scene, stoppedBy: "vault-try")
            #expect(own.firstIndex(of: true) == 64 && own.suffix(4).allSatisfy { $0 })
        }
    }

    @Test("an address has only so many tries, from however many sessions")
    func boundedByAddress() async throws {
        try await VaultScene.serve { scene in
            var stopped: [Bool] = []
            for _ in 0..<7 {
                let session = try await scene.client.signIn(scene.person, device: scene.session.deviceID)
                // Without a device each has tries of its own.
                try await Self.takeDevices(scene)
                // Fewer than a session has.
                stopped += try await Self.tries(18, [session.token], scene, stoppedBy: "vault-try-address")
            }
            #expect(stopped.firstIndex(of: true) == 120 && stopped.suffix(6).allSatisfy { $0 })
        }
    }
}
