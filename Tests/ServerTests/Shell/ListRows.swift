import Encodings
import Interface
import Storage
import Testing

@testable import Server

/// Made-up rows of the lists that grow with an organisation.
enum ListRows {
    /// Rows of every list, each with people of its own.
    static func add(_ numbers: Range<Int>, _ organisation: TestOrganisation) async throws {
        let environment = organisation.server.environment
        try await environment.database.write { transaction in
            let owner = try #require(try AccountStore(transaction: transaction).find(username: "owner"))
            let device = try #require(try DeviceStore(transaction: transaction).list(account: owner.id).first)
            if numbers.lowerBound == 0 {
                try transaction.execute(
                    "INSERT INTO signed_files (digest, blob, media_type, created) VALUES ('d', '', '', 1)")
            }
            for number in numbers {
                let time = 1_000 + Int64(number)
                let (member, desk) = ("m\(number)", "o\(number)")
                for (id, role) in [(member, Role.member), (desk, .operator)] {
                    try AccountStore(transaction: transaction).insert(
                        Account(id: id, username: id, name: id, role: role, isVerified: true, created: time),
                        passphraseHash: "x", userHandle: nil)
                }
                let entry = try environment.log.record(
                    TrustEvent(.keyRotated, account: owner.id, [("key", .text("\(number)"))]), in: transaction,
                    now: time)
                try DocumentStore(transaction: transaction).insert(
                    DocumentStore.Stored(
                        id: "d\(number)", type: "degree", holder: member, device: device.id, issuer: desk,
                        credential: "k\(number)",
                        status: StatusPlace(list: 1, position: Int64(number)), size: 1, blob: "b\(number)",
                        statement: "", logIndex: entry, issued: time))
                try RequestStore(transaction: transaction).insert(
                    RequestStore.Stored(
                        id: "r\(number)", type: "degree", note: "", state: .pending, member: member, created: time,
                        changed: time))
                try DelegationStore(transaction: transaction).insert(
                    DelegationStore.Stored(
                        id: "a\(number)", account: desk, authorityKey: "k\(number)", state: .pending, capabilities: [],
                        certificate: "", status: StatusPlace(list: 2, position: Int64(number)), created: time))
                try ClientStore(transaction: transaction).insert(
                    ClientStore.Stored(
                        id: "c\(number)", numberHash: "h\(number)", givenName: "Ada", familyName: "L", tool: .pen,
                        sealed: "", created: time))
                try SigningStore(transaction: transaction).insert(
                    SigningStore.Stored(
                        id: "s\(number)", state: .confirmed, client: "c\(number)", operatorID: desk, document: "d",
                        documentName: "Consent", digest: "d", isMatch: true, created: time, sealed: ""))
                try WorkspaceStore(transaction: transaction).insert(
                    WorkspaceStore.Stored(
                        id: "w\(number)", name: "Consent", kind: .text, version: 1, content: "", changed: time,
                        changedBy: desk))
            }
        }
    }
}

extension ListRequest {
    /// What comes after a row, in any order.
    static func after(_ number: Int64, in order: ListOrder) -> ListRequest {
        ListRequest(cursor: ListCursor(key: order.sort == .newest ? .time(number) : .name("\(number)"), id: "x"))
    }
}
