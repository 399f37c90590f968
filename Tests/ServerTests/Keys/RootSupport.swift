import Certificates
import CryptoProvider
import Encodings
import Foundation
import Interface
import Storage

@testable import Server

extension TestOrganisation {
    /// The root's travel, cheap to derive.
    func travel() async throws -> RootTravel {
        try await RootTravel(
            directory: server.directory.path, database: server.environment.database, parameters: .forTests,
            limits: .forTests)
    }

    var certificates: RootCertificates { RootCertificates(environment: server.environment) }

    func stored() async throws -> OrganisationStore.Stored { try await server.environment.organisation() }

    /// The file of one of the server's keys.
    func keyFile(_ name: String) -> String { server.directory.file("keys/\(name)") }

    /// Reads the keys as the next start would.
    func openKeys() async throws -> ServerKeys {
        try ServerKeys.open(in: server.directory.path, for: try await stored(), random: .system)
    }

    func types() async throws -> [String] {
        let owner = try await server.environment.database.read { try AccountStore(transaction: $0).owner() }
        return try await server.environment.log.entries(account: owner?.id ?? "").items.map(\.type).reversed()
    }
}

/// OpenSSL's answer about a chain: the leaf, then the certificates in between, and the root.
func opensslVerify(_ chain: [Bytes], root: Bytes, at time: Int64) async throws -> String {
    let folder = FileManager.default.temporaryDirectory.path + "/countersign-chain-" + UUID().uuidString
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    for (name, certificates) in [("root", [root]), ("leaf", [chain[0]]), ("between", Array(chain.dropFirst()))] {
        try Data(certificates.flatMap { PEM.encode($0) }).write(to: URL(fileURLWithPath: "\(folder)/\(name)"))
    }
    let outcome = try await OpenSSL.run(
        ["verify", "-x509_strict", "-attime", "\(time)", "-CAfile", "\(folder)/root"]
            + (chain.count > 1 ? ["-untrusted", "\(folder)/between"] : []) + ["\(folder)/leaf"])
    return outcome.text.replacing("\(folder)/", with: "")
}
