import Certificates
import CryptoProvider
import Encodings
import Foundation
import Interface
import Storage

/// The server's keys: there, readable for its user alone, and those that certificates and log name.
struct KeyCheck: DoctorCheck {
    let name = "keys"

    func run(_ deployment: Deployment) async throws -> [Finding] {
        guard let organisation = try await deployment.organisation() else {
            return [warning("the organisation is not set up yet", "start the server and follow what it prints")]
        }
        let folder = KeyFolder(in: deployment.directory)
        let files = Dictionary(uniqueKeysWithValues: try folder.files().map { ($0.name, $0.content) })
        var findings: [Finding] = []
        for name in files.keys.sorted() {
            let attributes = try FileManager.default.attributesOfItem(atPath: "\(folder.path)/\(name)")
            let mode = attributes[.posixPermissions] as? Int ?? 0
            guard mode & 0o077 != 0 else { continue }
            findings.append(
                bad(
                    "others may read keys/\(name) (mode \(String(mode, radix: 8)))",
                    "chmod 600 it, and think about who may have read it: then it must be replaced"))
        }
        let restore = "put it back from a backup: tar xf BACKUP keys"
        let keys = deployment.slices.keys
        for key in keys where key != .root && files[key.name] == nil {
            findings.append(bad("keys/\(key.name) is missing", restore))
        }
        let certificates =
            [(ServerKey.root.name, organisation.rootCertificate)]
            + keys.compactMap { key in
                key.certificate.flatMap { organisation.certificates[$0] }.map { (key.name, $0) }
            }
        for (name, certificate) in certificates {
            guard let content = files[name] else { continue }
            let key = Hex.decode(content.trimmingSpace()).flatMap { try? SigningKey(rawRepresentation: $0) }
            let named = Base64.decode(Bytes(text: certificate), .url).flatMap { try? Certificate.parse($0) }
            if key == nil || key?.publicKey != named?.publicKey {
                findings.append(bad("keys/\(name) is not the key that its certificate names", restore))
            }
        }
        let fingerprints = try await deployment.place.snapshot {
            try ServerKeyStore(transaction: $0).fingerprints()
        }
        for name in keys.filter({ $0.kind == .secret }).map(\.name) {
            guard let content = files[name] else { continue }
            guard let secret = Hex.decode(content.trimmingSpace()), secret.count == 32 else {
                findings.append(bad("keys/\(name) is not 32 bytes in hexadecimal", restore))
                continue
            }
            if let known = fingerprints[name], known != ServerKeys.fingerprint(of: secret, named: name) {
                findings.append(bad("keys/\(name) is not the one that the database names", restore))
            }
        }
        let words =
            (files["root"] == nil ? "; the root is offline" : "")
            + (files[KeyFolder.next("log")] == nil ? "" : "; another log key is on its way (admin keys log)")
        return findings.isEmpty ? [good("\(files.count) files, ours alone, as certified\(words)")] : findings
    }
}

/// The organisation's certificates: how long they are valid yet.
struct CertificateCheck: DoctorCheck {
    let name = "certificates"
    /// Seconds before the end.
    private static let margin: Int64 = 30 * 86_400

    func run(_ deployment: Deployment) async throws -> [Finding] {
        guard let organisation = try await deployment.organisation() else { return [] }
        let delegations = try await deployment.place.snapshot { transaction in
            try DelegationStore(transaction: transaction).certified()
        }
        let renew = "countersign admin root renew"
        var all = [("the root's", organisation.rootCertificate, "plan a new organisation root")]
        for kind in RootCertificateKind.allCases {
            guard let certificate = organisation.certificates[kind] else { continue }
            let herself = "they renew it: countersign wallet admin renew; or: \(renew)"
            all.append(("the \(kind.words)'s", certificate, kind == .mainAdministrator ? herself : renew))
        }
        for delegation in delegations {
            all.append(
                (
                    "administrator \(delegation.account)'s", delegation.certificate,
                    "they ask for a new one: countersign wallet admin administrators request"
                ))
        }
        var findings: [Finding] = []
        for (whose, text, advice) in all {
            guard let der = Base64.decode(Bytes(text: text), .url), let certificate = try? Certificate.parse(der) else {
                findings.append(bad("\(whose) certificate cannot be read", "restore a backup"))
                continue
            }
            let left = certificate.notAfter - deployment.now
            if left < 0 {
                findings.append(bad("\(whose) certificate ended \(-left / 86_400) days ago", advice))
            } else if left < Self.margin {
                findings.append(warning("\(whose) certificate ends in \(left / 86_400) days", advice))
            }
        }
        return findings.isEmpty ? [good("\(all.count), none ends within 30 days")] : findings
    }
}
