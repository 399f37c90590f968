import CryptoProvider
import Encodings

/// The rules that a server's tables, sealed documents and log must meet together, even if its processes were killed:
/// each act is there with all its parts, or with none.
struct HammerRules {
    private let tables: HammerTables
    /// Sizes by name.
    private let blobs: [String: Int64]
    /// The entries in the published tiles.
    private let published: [Bytes]
    /// Whether blobs that nobody names must be gone: after a start, with nothing under way.
    private let isClean: Bool
    /// The positions of entries by type, and by what their records are about.
    private var positions: [String: [String: [Int64]]] = [:]

    init(tables: HammerTables, blobs: [String: Int64], published: [Bytes], isClean: Bool) {
        self.tables = tables
        self.blobs = blobs
        self.published = published
        self.isClean = isClean
        for entry in tables.entries {
            let subject = Self.subject(of: entry)
            positions[entry.type, default: [:]][subject, default: []].append(entry.position)
        }
    }

    /// Everything that is there in part, in words.
    func halves() -> [String] {
        log() + devices() + services() + delegations() + documents() + requests() + enrolments() + stored()
            + HammerDeskRules(tables: tables, blobs: blobs).halves() + approvals()
            + HammerVaultRules(tables: tables, blobs: blobs).halves()
    }

    private func approvals() -> [String] {
        HammerApprovalRules(tables).halves() + HammerHandoverRules(tables).halves()
            + HammerRecoveryRules(tables).halves()
    }

    /// Blobs that no row names yet, or that none names any more.
    ///
    /// A start removes them.
    var orphans: [String] {
        let named = Set(
            tables.documents.filter { !$0.isDeleted }.map(\.blob) + tables.shares.filter { !$0.isStopped }.map(\.blob)
                + tables.desk.files.values + tables.vault.blobs.keys)
        return blobs.keys.filter { !named.contains($0) }.sorted()
    }

    private static func subject(of entry: HammerTables.Entry) -> String {
        let record = try? JSON.parse(Bytes(text: entry.record))
        let member =
            switch entry.type {
            case "device.enrolled", "device.revoked": record?["signing_key"]
            case "administrator.delegated", "administrator.revoked": record?["certificate"]
            case "organisation.created": record?["root"]
            case "service.added", "service.removed", "service.rotated": record?["public_key"]
            default: record?["credential"]
            }
        return String(decoding: member?.string ?? [], as: UTF8.self)
    }

    /// Demands as many entries of a type about something as there are acts.
    private func demand(_ count: Int, _ type: String, about subject: String, _ words: String) -> [String] {
        let found = positions[type]?[subject]?.count ?? 0
        return found == count ? [] : ["\(words): \(found) entries \(type), not \(count)"]
    }

    /// Demands that no entry of a type is about nothing.
    private func demand(_ count: Int, ofAll type: String) -> [String] {
        let found = positions[type]?.values.reduce(0) { $0 + $1.count } ?? 0
        return found == count ? [] : ["\(found) entries \(type) for \(count) rows"]
    }

    private func log() -> [String] {
        var found: [String] = []
        for (number, entry) in tables.entries.enumerated() where entry.position != number {
            found.append("entry \(number) of the database has the position \(entry.position)")
        }
        if published.count != tables.sealed {
            found.append("\(published.count) entries are published, \(tables.sealed) sealed")
        }
        if published.count > tables.entries.count { found.append("entries are published that are not in the database") }
        for (number, (stored, entry)) in zip(tables.entries, published).enumerated()
        where Bytes(text: stored.entry) != entry {
            found.append("entry \(number) is published otherwise than it is in the database")
        }
        return found
    }

    private func devices() -> [String] {
        let revoked = tables.devices.filter(\.isRevoked)
        let owners = Set(tables.devices.map(\.account))
        return tables.devices.flatMap { device in
            demand(1, "device.enrolled", about: device.signingKey, "device \(device.id)")
                + demand(device.isRevoked ? 1 : 0, "device.revoked", about: device.signingKey, "device \(device.id)")
        } + demand(tables.devices.count, ofAll: "device.enrolled") + demand(revoked.count, ofAll: "device.revoked")
            + tables.accounts.filter { !owners.contains($0.id) }.map { "account \($0.username) has no device" }
    }

    private func services() -> [String] {
        tables.services.flatMap { domain, service in
            demand(1, "service.added", about: service.publicKey, "service \(domain)")
                + demand(
                    service.isRemoved ? 1 : 0, "service.removed", about: service.publicKey, "service \(domain)")
                + keys(service, "service \(domain)")
        } + demand(tables.services.count, ofAll: "service.added")
            + demand(tables.services.values.count(where: \.isRemoved), ofAll: "service.removed")
    }

    /// A key may be replaced more than once, and goes with the service.
    private func keys(_ service: HammerTables.Service, _ name: String) -> [String] {
        let rotations = positions["service.rotated"]?[service.publicKey]?.count ?? 0
        var found: [String] = []
        if service.isRotated != (rotations > 0) {
            found.append("\(name) \(service.isRotated ? "has" : "lacks") another key, with \(rotations) entries")
        }
        if service.isRemoved != service.keyHash.isEmpty {
            found.append("\(name) is \(service.isRemoved ? "removed and keeps its key" : "there without a key")")
        }
        return found
    }

    private func delegations() -> [String] {
        let certified = tables.delegations.filter { $0.state != "pending" }
        let revoked = tables.delegations.filter { $0.state == "revoked" }
        return certified.flatMap { delegation in
            let certificate = Base64.decode(Bytes(text: delegation.certificate), .url) ?? []
            let digest = String(decoding: Base64.encode(SHA256.hash(certificate), .url), as: UTF8.self)
            let isRevoked = delegation.state == "revoked"
            let name = "delegation \(delegation.id)"
            return demand(1, "administrator.delegated", about: digest, name)
                + demand(isRevoked ? 1 : 0, "administrator.revoked", about: digest, name)
                + status(isRevoked, delegation.status, name)
        } + demand(certified.count, ofAll: "administrator.delegated")
            + demand(revoked.count, ofAll: "administrator.revoked")
    }

    private func documents() -> [String] {
        let (revoked, deleted) = (tables.documents.filter(\.isRevoked), tables.documents.filter(\.isDeleted))
        let identities = tables.documents.filter { $0.type == "identity" }
        let places = revoked.count + tables.delegations.filter { $0.state == "revoked" }.count
        return tables.documents.flatMap { document in
            let (name, credential) = ("document \(document.id)", document.credential)
            let type = document.type == "identity" ? "member.identified" : "document.issued"
            let isThere = positions[type]?[credential] == [document.entry]
            return (isThere ? [] : ["\(name) has no entry \(type) at \(document.entry), or more than one"])
                + demand(document.isRevoked ? 1 : 0, "document.revoked", about: credential, name)
                + demand(document.isDeleted ? 1 : 0, "document.deleted", about: credential, name)
                + status(document.isRevoked, document.status, name)
        } + demand(identities.count, ofAll: "member.identified")
            + demand(tables.documents.count - identities.count, ofAll: "document.issued")
            + demand(revoked.count, ofAll: "document.revoked") + demand(deleted.count, ofAll: "document.deleted")
            + (tables.revokedPlaces.count == places
                ? [] : ["\(tables.revokedPlaces.count) places say revoked, for \(places) revocations"])
    }

    private func status(_ isRevoked: Bool, _ place: HammerTables.StatusPlace, _ name: String) -> [String] {
        guard tables.revokedPlaces.contains(place) != isRevoked else { return [] }
        return ["\(name): its status says \(isRevoked ? "valid" : "revoked")"]
    }

    private func requests() -> [String] {
        let issued = tables.requests.filter { $0.state == "issued" }
        let documents = tables.documents.filter { $0.type != "identity" }
        let ids = Set(documents.map(\.id))
        let named = Set(issued.compactMap(\.document))
        return issued.filter { !($0.document.map(ids.contains) ?? false) }.map {
            "request \($0.id) was answered with no document"
        } + documents.filter { !named.contains($0.id) }.map { "document \($0.id) answers no request" }
            + (issued.count == documents.count ? [] : ["\(issued.count) answers for \(documents.count) documents"])
    }

    private func enrolments() -> [String] {
        let completed = tables.enrolments.filter { $0.state == "completed" }
        let identities = tables.documents.filter { $0.type == "identity" }
        let places = Set(identities.map(\.status))
        let holders = Set(identities.map(\.holder))
        return completed.filter { !($0.status.map(places.contains) ?? false) }.map {
            "check \($0.id) ended without an identity"
        }
            + (completed.count == identities.count
                ? [] : ["\(completed.count) checks for \(identities.count) identities"])
            + tables.accounts.filter { $0.isVerified != holders.contains($0.id) }.map {
                "account \($0.username) is \($0.isVerified ? "verified without" : "not verified with") an identity"
            }
    }

    private func stored() -> [String] {
        tables.documents.filter { !$0.isDeleted && blobs[$0.blob] != $0.size }.map {
            "document \($0.id): its package is \(blobs[$0.blob].map { "\($0) bytes long" } ?? "gone")"
        } + tables.shares.filter { $0.isOpen && blobs[$0.blob] == nil }.map { "link \($0.id): its package is gone" }
            + (isClean ? orphans.map { "package \($0) belongs to nothing" } : [])
    }
}
