import Encodings
import Foundation
import Interface
import Transparency
import Verification
import Wallet

extension DemoStory {
    /// Re-hashes the whole log with this program as anybody would run it, and has Stella check the entries about the
    /// account.
    func auditLog() async throws {
        try await report.step("Anybody audits the whole log; Stella checks every entry about the account") {
            let audit = try Self.runSelf([
                "log", "audit", "\(cast.server.directory)/log", "--log-key",
                try await trust().log, "--state",
                "\(cast.folder)/audit-state",
            ])
            try demand(audit.status == 0, audit.output)
            let mine = try await cast.unlock(DemoCast.student).checkLog()
            return "\(mine.checkpoint.size) entries re-hashed; \(mine.acts.count) of them are Stella's"
        }
    }

    /// The main administrator revokes the administrator: earlier signatures stay valid.
    func revokeAdministrator(
        _ delegation: String, _ document: String, _ employer: DemoEmployer
    ) async throws {
        try await report.step("The administrator is revoked; earlier signatures in the log stay valid") {
            let act = try await cast.unlock(DemoCast.owner).revokeDelegation(delegation, reason: "Left the registry.")
            let presentation = try await cast.unlock(DemoCast.student).present(
                document, PresentationChoice(audience: Self.employer, nonce: Self.nonce, fields: ["programme"]))
            let result = try employer.verify(presentation.file)
            try demand(result.verdict == .valid, employer.words(result))
            return "log entry \(act.index); revocation: \(result.check(.revocation).detail.text)"
        }
        try await report.step("A revoked administrator can sign nothing more") {
            let student = try await cast.unlock(DemoCast.student)
            let request = try await student.request(type: "transcript", note: "")
            let registrar = try await cast.unlock(DemoCast.registrar)
            try await refused("unauthenticated") { _ = try await registrar.accept(request.id) }
            try await registrar.signIn(passphrase: DemoCast.passphrase)
            try await refused("forbidden") { _ = try await registrar.accept(request.id) }
            _ = try await student.cancel(request.id, reason: "Nobody may sign it.")
            return "the sessions have ended; signed in again, refused: no valid certificate"
        }
    }

    /// The document is revoked: refused with a live status list, still shown as it was with the stapled one.
    func revokeDocument(_ document: String, _ presentation: Presentation, _ employer: DemoEmployer) async throws {
        let presented = Int64(Date().timeIntervalSince1970)
        try await report.step("The transcript is revoked; a verifier who asks for live status refuses it") {
            let act = try await cast.unlock(DemoCast.owner).revokeDocument(document, reason: "A grade was wrong.")
            let info = try await cast.unlock(DemoCast.student).documents().first { $0.id == document }
            try demand(info?.reason == "A grade was wrong.", "Stella does not see why")
            guard let uri = info?.status.uri else { throw DemoFailure(step: "revoke", reason: "no status") }
            let live = try await ServerClient.statusToken(uri)
            return try employer.refusal(presentation.file, check: .revocation, live: [live])
                + "\nlog entry \(act.index)"
        }
        try await report.step("Earlier presentations stay checkable for their time") {
            let result = try employer.verify(presentation.file, at: presented)
            try demand(result.verdict == .valid, employer.words(result))
            return "valid at that time, with the status list that was stapled then"
        }
    }

    /// Stella loses a device: everything bound to it is revoked with it.
    func revokeDevice() async throws {
        try await report.step("Stella's lost device is revoked, and the identity credential with it") {
            let administrator = try await cast.unlock(DemoCast.owner)
            let student = try await cast.unlock(DemoCast.student)
            guard let device = try await student.devices().first else {
                throw DemoFailure(step: "device", reason: "no device")
            }
            let act = try await administrator.revokeDevice(device.id, reason: "Lost on a train.")
            try await refused("unauthenticated") { _ = try await student.documents() }
            return "log entry \(act.index); its sessions have ended"
        }
    }

    private func trust() async throws -> PinnedTrust { try await cast.unlock(DemoCast.student).trust() }

    /// Runs this program as another process.
    static func runSelf(_ arguments: [String]) throws -> (status: Int32, output: String) {
        let process = Process()
        let output = Pipe()
        process.executableURL = URL(fileURLWithPath: CommandLine.executablePath)
        process.arguments = arguments
        process.standardOutput = output
        process.standardError = output
        try process.run()
        let data = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return (process.terminationStatus, String(decoding: data, as: UTF8.self))
    }
}
