import Encodings
import HTTPTypes
import Interface
import Storage
import Testing

@testable import Server

/// Ciphertext: brought in parts, handed out whole or in part.
@Suite("Contents of a vault")
struct VaultContentTests {
    /// Two whole parts and a rest.
    private static let long: Bytes = (0..<(2 * Int(Limits.vaultPart) + 1_000)).map {
        UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 8)
    }

    @Test("comes in parts in any order, is cut and resumed, and is handed out whole and in part")
    func parts() async throws {
        try await VaultScene.serve { scene in
            let part = Int(Limits.vaultPart)
            let upload = try await scene.begin(Int64(Self.long.count))
            #expect(upload.parts == 3 && upload.part == Limits.vaultPart && upload.received.isEmpty)
            let pieces = [
                Array(Self.long[..<part]), Array(Self.long[part..<2 * part]), Array(Self.long[(2 * part)...]),
            ]
            #expect(try await scene.putPart(2, of: upload.id, pieces[2]).status == 204)
            #expect(try await scene.putPart(0, of: upload.id, pieces[0]).status == 204)
            let found = try await scene.send(.get, "uploads/\(upload.id)").decode(VaultUpload.self)
            #expect(found.received == [0, 2])
            // The same again is no error, another is; so are wrong lengths and numbers.
            #expect(try await scene.putPart(2, of: upload.id, pieces[2]).status == 204)
            #expect(try await scene.putPart(2, of: upload.id, pieces[2].reversed()).errorName == "part")
            #expect(try await scene.putPart(1, of: upload.id, pieces[2]).status == 422)
            #expect(try await scene.putPart(1, of: upload.id, []).status == 422)
            for number in ["3", "-1", "x", "99999999999999999999"] {
                let answer = try await scene.client.raw(
                    .put, "/api/vault/uploads/\(upload.id)/parts/\(number)",
                    [.contentType: "application/octet-stream"], [1], scene.token)
                #expect(answer.status == 404, "\(number)")
            }
            let id = VaultScene.identifier()
            let version = VaultChange.Put.Version(
                id: VaultScene.identifier(), content: upload.id, key: "AA", size: Int64(Self.long.count))
            let put = VaultScene.change(0, put: [VaultScene.put(id, [version])])
            #expect(try await scene.change(put).errorName == "content")
            #expect(try await scene.content(upload.id).status == 404)
            #expect(try await scene.putPart(1, of: upload.id, pieces[1]).status == 204)
            #expect(try await scene.change(put).status == 200)
            #expect(try await scene.send(.get, "uploads/\(upload.id)").status == 404)
            #expect(try await scene.blobs().count == 3)
            #expect(try await scene.organisation.blobColumns() == ["vault_parts.blob": 1])
            let whole = try await scene.content(upload.id)
            #expect(whole.status == 200 && whole.body == Self.long)
            for range in [0..<1, part - 1..<part + 1, part..<2 * part, 5..<Self.long.count, 2 * part..<Self.long.count]
            {
                let answer = try await scene.content(upload.id, "bytes=\(range.lowerBound)-\(range.upperBound - 1)")
                #expect(answer.status == 206 && answer.body == Array(Self.long[range]), "\(range)")
            }
            #expect(try await scene.content(upload.id, "bytes=-10").body == Self.long.suffix(10))
            let beyond = try await scene.content(upload.id, "bytes=\(Self.long.count)-")
            #expect(beyond.status == 416 && beyond.problem == "range-not-satisfiable")
            #expect(try await scene.content(upload.id, "bytes=0-1,3-4").status == 200)
        }
    }

    @Test("is read in large pieces, no more often than it must be, and none beyond what was asked for")
    func pieces() async throws {
        let faults = StorageFaults()
        try await VaultScene.serve(try await TestOrganisation(faults: faults)) { scene in
            let version = try await scene.upload(Self.long)
            let put = VaultScene.put(VaultScene.identifier(), [version])
            #expect(try await scene.change(VaultScene.change(0, put: [put])).status == 200)
            let (part, piece) = (Int(Limits.vaultPart), Int(Limits.vaultPiece))
            let wanted = [
                (0..<Self.long.count, 2 * (part / piece) + 1), (5..<6, 1), (0..<piece, 1), (1..<piece + 2, 2),
                (part - 1..<part + 1, 2),
            ]
            for (range, reads) in wanted {
                faults.heal()
                let answer = try await scene.content(
                    version.content, "bytes=\(range.lowerBound)-\(range.upperBound - 1)")
                #expect(answer.body == Array(Self.long[range]), "\(range)")
                #expect(faults.count(.readBlob) == reads, "\(range)")
            }
        }
    }

    @Test("an account's downloads hold nobody else's up; one too many is refused, and told when to come again")
    func downloads() async throws {
        let faults = StorageFaults()
        let gate = Gate()
        try await VaultScene.serve(try await TestOrganisation(faults: faults)) { alice in
            let person = try alice.organisation.person("bob")
            let session = try await alice.client.join(person)
            let bob = try await VaultScene.make(alice.client, alice.organisation, person, session)
            var contents: [String] = []
            for scene in [alice, bob] {
                let version = try await scene.upload([1, 2, 3])
                let put = VaultScene.put(VaultScene.identifier(), [version])
                #expect(try await scene.change(VaultScene.change(0, put: [put])).status == 200)
                contents.append(version.content)
            }
            let (own, others) = (contents[0], contents[1])
            faults.heal()
            gate.close()
            faults.hold(.readBlob, at: gate)
            let most = Limits.vaultDownloadsPerAccount
            let begun = (0..<most).map { _ in Task { try await alice.content(own) } }
            while faults.count(.readBlob) < most, !Task.isCancelled { await Task.yield() }
            let refused = try await alice.content(own)
            #expect(refused.status == 503 && refused.problem == "busy" && refused.retryAfter == "2")
            let other = Task { try await bob.content(others) }
            while faults.count(.readBlob) < most + 1, !Task.isCancelled { await Task.yield() }
            gate.open()
            for one in begun { #expect(try await one.value.body == [1, 2, 3]) }
            #expect(try await other.value.status == 200)
            #expect(try await alice.content(own).body == [1, 2, 3])
        }
    }

    @Test("two who bring the same part at once leave one blob")
    func same() async throws {
        try await VaultScene.serve { scene in
            let upload = try await scene.begin(1_000)
            let bytes = Array(Self.long[..<1_000])
            try await withThrowingTaskGroup(of: Int.self) { group in
                for _ in 0..<2 { group.addTask { try await scene.putPart(0, of: upload.id, bytes).status } }
                for try await status in group { #expect(status == 204) }
            }
            #expect(try await scene.blobs().count == 1)
        }
    }

    @Test("is removed a day after its last part if no change uses it, and stays if one does")
    func swept() async throws {
        try await VaultScene.serve { scene in
            let used = try await scene.upload([1, 2, 3])
            let id = VaultScene.identifier()
            _ = try await scene.change(VaultScene.change(0, put: [VaultScene.put(id, [used])]))
            let left = try await scene.begin(1_000)
            scene.clock.advance(.seconds(3_600))
            let bytes = Array(Self.long[..<1_000])
            #expect(try await scene.putPart(0, of: left.id, bytes).status == 204)
            #expect(try await scene.compartment().bytes == 1_011)
            scene.clock.advance(.seconds(Limits.vaultUploadTime - 1))
            try await scene.sweep()
            #expect(try await scene.blobs().count == 2)
            scene.clock.advance(.seconds(1))
            try await scene.sweep()
            #expect(try await scene.blobs().count == 1)
            let compartment = try await VaultCompartments(
                environment: scene.environment, epochs: VaultEpochs(scene.environment)
            ).find(scene.main, scene.principal)
            #expect(compartment.bytes == 11)
        }
    }

    @Test("an upload is given up, and its room is free again")
    func givenUp() async throws {
        try await VaultScene.serve { scene in
            let upload = try await scene.begin(Limits.vaultQuota)
            #expect(try await scene.send(.delete, "uploads/\(upload.id)").status == 204)
            #expect(try await scene.send(.get, "uploads/\(upload.id)").status == 404)
            let again = try await scene.upload([1])
            #expect(try await scene.send(.delete, "uploads/\(again.content)").status == 204)
            #expect(try await scene.blobs().isEmpty)
            #expect(try await scene.compartment().bytes == 0)
        }
    }

    @Test("a part that comes while its upload is given up finds none: that is no fault of the storage")
    func givenUpMeanwhile() async throws {
        try await VaultScene.serve { scene in
            let upload = try await scene.begin(2_000)
            let pieces = try scene.pieces(Array(Self.long[..<1_000])) {
                let removed = try await scene.send(.delete, "uploads/\(upload.id)")
                #expect(removed.status == 204)
            }
            await #expect(throws: VaultError.notFound) {
                try await VaultUploads(environment: scene.environment).put(0, of: upload.id, pieces, scene.principal)
            }
            #expect(try await scene.send(.get, "uploads/\(upload.id)").status == 404)
            #expect(try await scene.blobs().isEmpty)
            #expect(try await scene.compartment().bytes == 0)
        }
    }

    @Test("versions: kept while they are named, ten at most, an older one 30 days beside the newest")
    func versions() async throws {
        try await VaultScene.serve { scene in
            let id = VaultScene.identifier()
            let first = try await scene.upload([1])
            let second = try await scene.upload([2, 2])
            let third = try await scene.upload([3, 3, 3])
            _ = try await scene.change(VaultScene.change(0, put: [VaultScene.put(id, [first])]))
            _ = try await scene.change(VaultScene.change(1, put: [VaultScene.put(id, revision: 2, [second, first])]))
            let page = try await scene.nodes()
            #expect(page.items[0].versions.map(\.id) == [second.id, first.id])
            #expect(page.items[0].versions.map(\.key) == [second.key, first.key])
            // A version keeps its content, whatever is said of it.
            var moved = first
            moved.content = third.content
            let refused = try await scene.change(
                VaultScene.change(2, put: [VaultScene.put(id, revision: 3, [moved])]))
            #expect(refused.errorName == "content")
            let many = (0..<11).map { _ in
                VaultChange.Put.Version(
                    id: VaultScene.identifier(), content: VaultScene.identifier(), key: "AA", size: 1)
            }
            #expect(
                try await scene.change(VaultScene.change(2, put: [VaultScene.put(id, revision: 3, many)])).status == 422
            )
            scene.clock.advance(.seconds(Limits.vaultVersionTime - 1))
            try await scene.sweep()
            #expect(try await scene.nodesAgain().items[0].versions.count == 2)
            scene.clock.advance(.seconds(1))
            try await scene.sweep()
            #expect(try await scene.nodesAgain().items[0].versions.map(\.id) == [second.id])
            #expect(try await scene.blobs().count == 1)
            // A wallet that does not know it yet names it, and loses nothing.
            let changing = VaultChanging(environment: scene.environment, epochs: VaultEpochs(scene.environment))
            let late = try await changing.change(
                scene.main, VaultScene.change(2, put: [VaultScene.put(id, revision: 3, [second, first])]),
                scene.principal)
            #expect(late.sequence == 3)
            #expect(try await scene.nodesAgain().items[0].versions.map(\.id) == [second.id])
            // Left out: removed, with its bytes.
            _ = try await changing.change(
                scene.main, VaultScene.change(3, put: [VaultScene.put(id, revision: 4)]), scene.principal)
            #expect(try await scene.blobs().isEmpty)
        }
    }

    @Test("removing an item, the compartment, the vault or the account removes its blobs")
    func removed() async throws {
        try await VaultScene.serve { scene in
            let ids = (0..<3).map { _ in VaultScene.identifier() }
            var puts: [VaultChange.Put] = []
            for id in ids { puts.append(VaultScene.put(id, [try await scene.upload([1, 2, 3])])) }
            _ = try await scene.change(VaultScene.change(0, put: puts))
            #expect(try await scene.blobs().count == 3)
            _ = try await scene.change(VaultScene.change(1, remove: [ids[0]]))
            #expect(try await scene.blobs().count == 2)
            #expect(try await scene.compartment().bytes == 22)
            #expect(try await scene.send(.delete, "compartments/\(scene.main)").status == 204)
            #expect(try await scene.blobs().isEmpty)
            for rows in ["vault_nodes", "vault_versions", "vault_contents", "vault_parts", "vault_compartments"] {
                #expect(try await scene.organisation.rows()[rows]?.isEmpty == true, "\(rows)")
            }
        }
    }

    @Test("what a kill left between blob and row is an orphan, and a part that is used is none")
    func orphans() async throws {
        try await VaultScene.serve { scene in
            let version = try await scene.upload([1, 2, 3])
            _ = try await scene.change(
                VaultScene.change(0, put: [VaultScene.put(VaultScene.identifier(), [version])]))
            try await scene.environment.blobs.write("vault/\(version.content)/0.left", [9])
            try await OrphanService.removeOrphans(scene.environment, from: scene.environment.blobs, olderThan: -1)
            #expect(try await scene.blobs().count == 1)
            #expect(try await scene.content(version.content).body == [1, 2, 3])
        }
    }
}

/// The field `Range`, byte for byte.
@Suite("The field Range")
struct ByteRangeTests {
    @Test(
        "is read as RFC 9110 says",
        arguments: [
            (nil, ByteRange.all), ("bytes=0-0", .part(0..<1)), ("bytes=0-99", .part(0..<100)),
            ("bytes=5-", .part(5..<100)), ("bytes=-5", .part(95..<100)), ("bytes=-500", .part(0..<100)),
            ("bytes=99-99999999999999999999", .part(99..<100)), ("bytes=0-9223372036854775807", .part(0..<100)),
            ("bytes=100-", .none), ("bytes=100-200", .none), ("bytes=99999999999999999999-", .none),
            ("bytes=-0", .none), ("bytes=5-4", .all), ("bytes=", .all), ("bytes=-", .all), ("bytes=a-b", .all),
            ("bytes=0-1,5-6", .all), ("items=0-1", .all), ("bytes= 0-1", .all), ("bytes=+1-2", .all),
            ("bytes=1--2", .all), ("", .all),
        ] as [(String?, ByteRange)])
    func reads(_ field: String?, _ range: ByteRange) { #expect(ByteRange(field, size: 100) == range) }
}
