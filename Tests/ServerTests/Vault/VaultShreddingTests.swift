import CryptoProvider
import Encodings
import Foundation
import Interface
import Storage
import Testing

@testable import Server

/// All that somebody has who took every copy there ever was: every text of a wrapped key's length in any file.
private final class Loot {
    private var texts: Set<Bytes> = []
    private let length: Int

    /// - Parameter key: as wallets wrapped it.
    init(key: String) { length = ((key.utf8.count + 28) * 4 + 2) / 3 }

    /// Takes every file of a folder.
    func take(_ folder: String) throws {
        let names = try FileManager.default.subpathsOfDirectory(atPath: folder)
        for name in names where !name.hasPrefix(VaultEpochs.name) && !name.hasPrefix(GuardFolder.name) {
            let path = "\(folder)/\(name)"
            if let data = FileManager.default.contents(atPath: path) { take(Array(data)) }
        }
    }

    /// Texts stand beside each other without a mark between them, so each place may be a beginning.
    ///
    /// Of a run that is long enough, one place in so many is looked at whichever they are: so most bytes never are.
    func take(_ bytes: Bytes) {
        var place = length - 1
        while place < bytes.count {
            var (start, end) = (place, place)
            while end < bytes.count, Self.isBase64(bytes[end]) { end += 1 }
            if end > place {
                while start > 0, Self.isBase64(bytes[start - 1]) { start -= 1 }
            }
            if end - start >= length, end - start < 4_096 {
                for place in start...(end - length) { texts.insert(Array(bytes[place..<place + length])) }
            }
            place = end + length
        }
    }

    private static func isBase64(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"): true
        default: false
        }
    }

    /// Whether the keys of a data directory open a row's key in any copy.
    func opens(_ place: VaultEpoch.Place, with epochs: [VaultEpoch]) -> Bool {
        texts.contains { text in
            epochs.contains { $0.unwrap(String(decoding: text, as: UTF8.self), of: place) != nil }
        }
    }
}

/// Keys that are destroyed, and all copies with them.
@Suite("Shredding")
struct VaultShreddingTests {
    private static let day: Int64 = 86_400

    private static func keys(_ scene: VaultScene) async throws -> [VaultEpoch] {
        let epochs = VaultEpochs(scene.environment)
        return Array(try await epochs.find(Set(try await epochs.numbers())).values)
    }

    @Test("no copy that anybody ever took opens what was removed, once its keys are destroyed; what is there opens")
    func shredded() async throws { try await shred(try await TestOrganisation(), nil) }

    @Test(
        "the same where an object store keeps every version of every object: the old ones are there, and do not open",
        .enabled(if: VersionedBucket.isPresent, VersionedBucket.isNeeded))
    func shreddedInBucket() async throws {
        let bucket = try VersionedBucket()
        try await shred(try await TestOrganisation(stores: try await bucket.stores()), bucket)
    }

    /// - Parameter bucket: where the organisation's blobs and log are; in its folder without one.
    private func shred(_ organisation: TestOrganisation, _ bucket: VersionedBucket?) async throws {
        let folder = try BackupFolder()
        try await VaultScene.serve(organisation) { scene in
            let (gone, kept) = (VaultScene.identifier(), VaultScene.identifier())
            let key = "a node's wrapped key of some length"
            let (old, live) = (try await scene.upload([1, 2, 3]), try await scene.upload([4, 5, 6]))
            _ = try await scene.change(
                VaultScene.change(
                    0, put: [VaultScene.put(gone, key: key, [old]), VaultScene.put(kept, key: key, [live])]))
            let loot = Loot(key: Bytes(text: key).base64URL)
            let contents = Loot(key: old.key)
            var week = 0
            /// A copy of everything, and a backup.
            func steal() async throws {
                week += 1
                for name in ["blobs", "log", "keys"] {
                    try? FileManager.default.copyItem(
                        atPath: organisation.folder.appendingPathComponent(name).path,
                        toPath: folder.path("\(week)-\(name)"))
                }
                for name in try FileManager.default.contentsOfDirectory(atPath: organisation.folder.path)
                where name.contains("sqlite") {
                    try FileManager.default.copyItem(
                        atPath: organisation.folder.appendingPathComponent(name).path,
                        toPath: folder.path("\(week)-\(name)"))
                }
                try await organisation.database.dump(to: folder.path("\(week).sql"))
                try await organisation.backUp(to: folder.path("\(week).backup"))
                try await folder.restore("\(week).backup", into: "\(week)-restored")
            }
            func attack() async throws -> (gone: [Bool], kept: [Bool]) {
                try loot.take(folder.url.path)
                try contents.take(folder.url.path)
                for state in try await bucket?.states() ?? [] {
                    loot.take(state.bytes)
                    contents.take(state.bytes)
                }
                let keys = try await Self.keys(scene)
                func opens(_ id: String, _ version: String) -> [Bool] {
                    [
                        loot.opens(.node(id, compartment: scene.main), with: keys),
                        contents.opens(.version(version, compartment: scene.main), with: keys),
                    ]
                }
                return (opens(gone, old.id), opens(kept, live.id))
            }
            for _ in 0..<3 {
                try await steal()
                scene.clock.advance(.seconds(7 * Self.day))
                try await scene.sweep()
            }
            try await steal()
            let changing = VaultChanging(environment: scene.environment, epochs: VaultEpochs(scene.environment))
            _ = try await changing.change(scene.main, VaultScene.change(1, remove: [gone]), scene.principal)
            // The attack itself is good: with the keys of that day everything opens.
            var found = try await attack()
            #expect(found.gone == [true, true] && found.kept == [true, true])
            for _ in 0..<20 {
                scene.clock.advance(.seconds(Self.day))
                try await scene.sweep()
            }
            try await steal()
            scene.clock.advance(.seconds(Self.day))
            try await scene.sweep()
            #expect(VaultLimits.all.shredDays == 21)
            try await steal()
            found = try await attack()
            #expect(found.gone == [false, false] && found.kept == [true, true])
            let page = try await scene.nodesAgain()
            #expect(page.items.first { $0.id == kept }?.key == Bytes(text: key).base64URL)
            // The oldest backup opens nothing of the vault, and says so.
            let oldest = try await TestOrganisation(
                folder: folder.url.appendingPathComponent("1-restored"), place: folder.place("1-restored"))
            let lost = try await VaultCompartments(
                environment: oldest.server.environment, epochs: VaultEpochs(oldest.server.environment)
            ).list(scene.main, after: nil, limit: 500, scene.principal)
            #expect(lost.items.count == 2 && lost.items.allSatisfy { $0.lost == true && $0.key.isEmpty })
            guard let store = bucket else { return }
            // The server's own view has lost what was removed. Its bytes are in the loot all the same, as they were.
            let (there, states) = (try await scene.blobs(), try await store.states())
            let goneFolder = VaultContentStore.Stored.folder(old.content)
            let keptFolder = VaultContentStore.Stored.folder(live.content)
            #expect(!there.contains { $0.hasPrefix("\(goneFolder)/") })
            #expect(there.contains { $0.hasPrefix("\(keptFolder)/") })
            #expect(states.contains { $0.name.hasPrefix("blobs/\(goneFolder)/") && $0.bytes == [1, 2, 3] })
            #expect(states.contains { $0.name.hasPrefix("blobs/\(keptFolder)/") && $0.bytes == [4, 5, 6] })
            // States that were replaced are among it too.
            #expect(states.count(where: { $0.name == "log/checkpoint" }) > 1)
        }
    }

    @Test(
        "rows are wrapped again in batches, by several at once, whoever stops in the middle; no key goes that is needed"
    )
    func wrapped() async throws {
        try await VaultScene.serve { scene in
            let ids = (0..<1_000).map { _ in VaultScene.identifier() }
            for start in [0, 500] {
                let puts = ids[start..<start + 500].map { VaultScene.put($0, key: "key of \($0)") }
                #expect(try await scene.change(VaultScene.change(start == 0 ? 0 : 1, put: puts)).status == 200)
            }
            let first = VaultEpochs.number(at: scene.clock.clock.now())
            // Nobody was there for ten weeks.
            scene.clock.advance(.seconds(70 * Self.day))
            let shredding = VaultShredding(environment: scene.environment)
            #expect(try await shredding.destroy().isEmpty)
            #expect(try await shredding.wrap() == VaultShredding.together)
            #expect(try await shredding.destroy().isEmpty)
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<3 {
                    group.addTask {
                        let other = VaultShredding(environment: scene.environment)
                        while try await other.wrap() > 0 {}
                    }
                }
                try await group.waitForAll()
            }
            #expect(try await shredding.destroy() == [first])
            #expect(try await VaultEpochs(scene.environment).numbers() == [first + 10])
            var (read, next): (Int, String?) = (0, nil)
            repeat {
                let page = try await scene.nodesAgain(after: next)
                for item in page.items { #expect(item.key == Bytes(text: "key of \(item.id)").base64URL) }
                (read, next) = (read + page.items.count, page.next)
            } while next != nil
            #expect(read == 1_000)
        }
    }

    @Test("a restore without the folder says what is lost, and when the folder is brought, everything is there")
    func brought() async throws {
        let organisation = try await TestOrganisation()
        let folder = try BackupFolder()
        try await VaultScene.serve(organisation) { scene in
            let id = VaultScene.identifier()
            _ = try await scene.change(VaultScene.change(0, put: [VaultScene.put(id, key: "kept")]))
            try await organisation.backUp(to: folder.path("a.backup"))
            try await folder.restore("a.backup", into: "restored-0")
            /// A server on what the last one left; it goes with its folder.
            func open(_ number: Int) async throws -> VaultNode {
                let again = try await TestOrganisation(
                    folder: folder.url.appendingPathComponent("restored-\(number)"),
                    place: folder.place("restored-\(number)"))
                again.clock.advance(.seconds(8 * Self.day))
                let environment = again.server.environment
                let shredding = VaultShredding(environment: environment)
                while try await shredding.wrap() > 0 {}
                let page = try await VaultCompartments(environment: environment, epochs: VaultEpochs(environment))
                    .list(scene.main, after: nil, limit: 500, scene.principal)
                try FileManager.default.copyItem(
                    atPath: folder.path("restored-\(number)"), toPath: folder.path("restored-\(number + 1)"))
                return try #require(page.items.first)
            }
            for number in 0..<2 {
                let item = try await open(number)
                #expect(item.lost == true && item.key.isEmpty)
            }
            let epochs = organisation.folder.appendingPathComponent(VaultEpochs.name).path
            for name in try FileManager.default.contentsOfDirectory(atPath: epochs) {
                try FileManager.default.copyItem(
                    atPath: "\(epochs)/\(name)", toPath: folder.path("restored-2/\(VaultEpochs.name)/\(name)"))
            }
            let item = try await open(2)
            #expect(item.lost == nil && item.key == Bytes(text: "kept").base64URL)
        }
    }

    @Test("neither backups nor database hold a key of a week, or anything of the guard")
    func outside() async throws {
        let organisation = try await TestOrganisation()
        let folder = try BackupFolder()
        try await VaultScene.serve(organisation) { scene in
            _ = try await scene.change(VaultScene.change(0, put: [VaultScene.put(VaultScene.identifier())]))
            let manifest = try await organisation.backUp(to: folder.path("a.backup"))
            #expect(!manifest.contents.parts.contains { $0.name.contains("vault-") })
            try await organisation.database.dump(to: folder.path("dump.sql"))
            let file = try #require(try await VaultGuard(environment: scene.environment).folder.read(scene.account))
            var secrets = file.slots.compactMap { $0?.key } + file.slots.compactMap { $0?.sealed }
            for number in try await VaultEpochs(scene.environment).numbers() {
                let path = organisation.folder.appendingPathComponent("\(VaultEpochs.name)/\(number)").path
                secrets.append(String(try String(contentsOfFile: path, encoding: .utf8).dropLast()))
                let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
                #expect(mode == 0o600)
            }
            #expect(secrets.count == 9)
            var files = [folder.path("a.backup"), folder.path("dump.sql")]
            files += try FileManager.default.contentsOfDirectory(atPath: organisation.folder.path)
                .filter { $0.contains("sqlite") }.map { organisation.folder.appendingPathComponent($0).path }
            for path in files {
                guard let data = FileManager.default.contents(atPath: path) else { continue }
                for secret in secrets { #expect(data.range(of: Data(secret.utf8)) == nil, "\(path)") }
            }
        }
    }
}
