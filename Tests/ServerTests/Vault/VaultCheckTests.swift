import Foundation
import Interface
import Storage
import Testing

@testable import Server

/// What the doctor says of the two folders that no backup has.
@Suite("The doctor and vaults")
struct VaultCheckTests {
    /// What becomes of the folders.
    enum Fault: String, CaseIterable {
        case none, openFolder, guardGone, keyGone, keyLate, setAside

        var result: Finding.Result {
            switch self {
            case .none: .good
            case .guardGone, .keyLate, .setAside: .warning
            case .openFolder, .keyGone: .bad
            }
        }
    }

    @Test("finds each fault, and says what to do", arguments: Fault.allCases)
    func faults(_ fault: Fault) async throws {
        let organisation = try await TestOrganisation()
        try await VaultScene.serve(organisation) { scene in
            _ = try await scene.change(VaultScene.change(0, put: [VaultScene.put(VaultScene.identifier())]))
            let epochs = organisation.folder.appendingPathComponent(VaultEpochs.name)
            let files = FileManager.default
            let key = epochs.appendingPathComponent("\(VaultEpochs.number(at: scene.clock.clock.now()))").path
            switch fault {
            case .none: break
            case .openFolder: try files.setAttributes([.posixPermissions: 0o755], ofItemAtPath: epochs.path)
            case .guardGone:
                try files.removeItem(atPath: organisation.folder.appendingPathComponent(GuardFolder.name).path)
            case .keyGone: try files.removeItem(atPath: key)
            case .keyLate: scene.clock.advance(.seconds(30 * 86_400))
            case .setAside:
                try files.removeItem(atPath: key)
                scene.clock.advance(.seconds(8 * 86_400))
                _ = try await VaultShredding(environment: scene.environment).wrap()
            }
            var configuration = ServerConfiguration()
            configuration.dataDirectory = organisation.folder.path
            let findings = try await VaultCheck().run(
                Deployment(
                    configuration: configuration, place: organisation.place,
                    stores: .folders(asTheyAreIn: organisation.folder.path), now: scene.clock.clock.now()))
            #expect(findings.map(\.result) == [fault.result], "\(findings)")
            #expect(findings.allSatisfy { $0.result == .good || !$0.advice.isEmpty })
        }
    }

    @Test("a backup says which folders it leaves out")
    func leftOut() async throws {
        let organisation = try await TestOrganisation()
        #expect(BackupWriter.leftOut(of: organisation.folder.path).isEmpty)
        try await VaultScene.serve(organisation) { scene in
            _ = try await scene.change(VaultScene.change(0, put: [VaultScene.put(VaultScene.identifier())]))
            #expect(BackupWriter.leftOut(of: organisation.folder.path) == ["vault-guards", "vault-epochs"])
        }
    }
}
