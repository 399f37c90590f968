import Encodings
import Foundation
import Interface
import NIOCore

@testable import Wallet

/// A server of vaults in memory: it keeps the rules of the real one, is cut when the test says so, and lies when told.
actor PlayedVaultServer: VaultServer {
    struct Compartment {
        var sequence: Int64 = 0
        var head: String
        var nodes: [String: VaultNode] = [:]
    }

    struct Upload {
        let size: Int64
        var parts: [Int64: Bytes] = [:]
        var isUsed = false
    }

    var compartments: [String: Compartment] = [:]
    var uploads: [String: Upload] = [:]
    /// Every part that came, with its bytes: also those that were refused.
    private(set) var sent: [(upload: String, number: Int64, bytes: Bytes)] = []
    /// Bytes of a part.
    var part: Int64
    /// Of so many calls of a kind, how many are cut: before they are done, or after.
    private var random: SeededGenerator
    private var cuts: Double = 0
    /// Bytes of metadata that one change moves to the trash or away.
    private var mostMoved = 16 << 20
    /// How much of a content is given before the connection is cut.
    private var longestRead = Int.max
    private var changesNodes: (@Sendable (inout VaultNodes) -> Void)?
    private var changesContent: (@Sendable (inout Bytes) -> Void)?
    private var beforeChange: (@Sendable (PlayedVaultServer) async throws -> Void)?
    private(set) var changes = 0
    private(set) var reads = 0

    init(part: Int64 = 50_000, seed: UInt64 = 1) {
        self.part = part
        random = SeededGenerator(seed)
    }

    func make(_ compartment: NewVaultCompartment) {
        compartments[compartment.id] = Compartment(head: compartment.head)
    }

    // MARK: What the test says

    /// So many of a thousand calls are cut.
    func cut(_ thousandths: Int, reads: Int = .max) {
        cuts = Double(thousandths) / 1_000
        longestRead = reads
    }

    func take(moved bytes: Int) { mostMoved = bytes }
    func lie(nodes: (@Sendable (inout VaultNodes) -> Void)?) { changesNodes = nodes }
    func lie(content: (@Sendable (inout Bytes) -> Void)?) { changesContent = content }
    func before(change: (@Sendable (PlayedVaultServer) async throws -> Void)?) { beforeChange = change }
    func set(_ compartment: String, _ value: Compartment) { compartments[compartment] = value }
    func forget(upload: String) { uploads[upload] = nil }
    func remove(_ compartment: String) { compartments[compartment] = nil }

    private func maybeCut() throws {
        guard cuts > 0, Double.random(in: 0..<1, using: &random) < cuts else { return }
        throw WalletError.unreachable("the test")
    }

    static func refusal(_ name: String, _ status: Int = 409) -> ProblemError {
        ProblemError(
            problem: ProblemDetails(
                type: "/problems/conflict", title: "Conflict", status: status, detail: name, error: name))
    }

    // MARK: What a server does

    func vaultNodes(of compartment: String, after: String) async throws -> VaultNodes {
        try maybeCut()
        guard let known = compartments[compartment] else { throw Self.refusal("compartment", 404) }
        let sequence = Int64(after.split(separator: ".")[0]) ?? 0
        let skipped = after.split(separator: ".").dropFirst().first.flatMap { Int($0) } ?? 0
        let found = known.nodes.values.filter { $0.sequence > sequence }.sorted {
            ($0.sequence, $0.id) < ($1.sequence, $1.id)
        }
        let page = Array(found.dropFirst(skipped).prefix(7))
        let isLast = skipped + page.count >= found.count
        var answer = VaultNodes(
            items: page, next: isLast ? nil : "\(sequence).\(skipped + page.count)", sequence: known.sequence,
            head: known.head, bytes: 0, quota: 1 << 40)
        changesNodes?(&answer)
        return answer
    }

    func changeVault(_ compartment: String, _ change: VaultChange) async throws -> VaultChanged {
        if let beforeChange {
            self.beforeChange = nil
            try await beforeChange(self)
        }
        try maybeCut()
        guard var known = compartments[compartment] else { throw Self.refusal("compartment", 404) }
        guard known.sequence == change.sequence else { throw Self.refusal("sequence") }
        let moved = change.trash + change.restore + change.remove
        let bytes = moved.reduce(0) { $0 + (known.nodes[$1]?.metadata.count ?? 0) * 3 / 4 }
        guard change.put.count + moved.count <= 1_000, moved.count < 2 || bytes <= mostMoved else {
            throw Self.refusal("change", 422)
        }
        known.sequence += 1
        known.head = change.head
        for put in change.put {
            let old = known.nodes[put.id]
            let isNext = put.revision == (old?.revision ?? 0) + 1
            let isSame = put.revision == old?.revision && put.metadata == old?.metadata && put.place == old?.place
            guard isNext || isSame, old?.removed == nil else { throw Self.refusal("revision") }
            for version in put.versions where old?.versions.contains(where: { $0.id == version.id }) != true {
                guard let upload = uploads[version.content], !upload.isUsed, upload.size == version.size,
                    upload.parts.values.reduce(0, { $0 + Int64($1.count) }) == upload.size
                else { throw Self.refusal("content") }
                uploads[version.content]?.isUsed = true
            }
            known.nodes[put.id] = VaultNode(
                id: put.id, sequence: known.sequence, revision: put.revision, place: put.place, key: put.key,
                metadata: put.metadata,
                versions: put.versions.map {
                    .init(id: $0.id, content: $0.content, key: $0.key, size: $0.size, created: 0)
                }, trashed: old?.trashed)
        }
        for (ids, time) in [(change.trash, Int64(1_800_000_000)), (change.restore, nil)] as [([String], Int64?)] {
            for id in ids {
                guard let node = known.nodes[id], (node.trashed == nil) == (time != nil) else {
                    throw Self.refusal("node")
                }
                known.nodes[id]?.trashed = time
                known.nodes[id]?.sequence = known.sequence
            }
        }
        for id in change.remove {
            guard known.nodes[id] != nil else { throw Self.refusal("node") }
            known.nodes[id] = VaultNode(
                id: id, sequence: known.sequence, revision: 1, place: "", key: "", metadata: "", versions: [],
                removed: 1)
        }
        compartments[compartment] = known
        changes += 1
        // Done, but nobody learns of it.
        try maybeCut()
        return VaultChanged(sequence: known.sequence, bytes: 0, quota: 1 << 40)
    }

    func beginVaultUpload(_ upload: NewVaultUpload) async throws -> VaultUpload {
        try maybeCut()
        let id = String(
            decoding: Hex.encode(Bytes((0..<16).map { _ in UInt8.random(in: 0...255, using: &random) })), as: UTF8.self)
        uploads[id] = Upload(size: upload.size)
        return try await vaultUpload(id)
    }

    func vaultUpload(_ id: String) async throws -> VaultUpload {
        guard let upload = uploads[id], !upload.isUsed else { throw Self.refusal("upload", 404) }
        return VaultUpload(
            id: id, size: upload.size, part: part, parts: (upload.size + part - 1) / part,
            received: upload.parts.keys.sorted(), expires: 0)
    }

    func putVaultPart(_ number: Int64, of id: String, _ bytes: ByteBuffer) async throws {
        sent.append((id, number, Bytes(buffer: bytes)))
        try maybeCut()
        guard var upload = uploads[id] else { throw Self.refusal("upload", 404) }
        if let old = upload.parts[number] {
            guard old == Bytes(buffer: bytes) else { throw Self.refusal("part") }
        } else {
            upload.parts[number] = Bytes(buffer: bytes)
            uploads[id] = upload
        }
        try maybeCut()
    }

    func removeVaultUpload(_ id: String) async throws { uploads[id] = nil }

    func vaultContent(
        _ id: String, from offset: UInt64, _ take: @Sendable (ByteBuffer) async throws -> Void
    ) async throws {
        reads += 1
        try maybeCut()
        guard let upload = uploads[id], upload.isUsed else { throw Self.refusal("content", 404) }
        var bytes: Bytes = upload.parts.keys.sorted().flatMap { upload.parts[$0] ?? [] }
        changesContent?(&bytes)
        var (rest, given) = (bytes.dropFirst(Int(offset)), 0)
        while !rest.isEmpty {
            let piece = rest.prefix(10_000)
            try await take(ByteBuffer(bytes: piece))
            rest = rest.dropFirst(piece.count)
            given += piece.count
            if given >= longestRead, !rest.isEmpty { throw WalletError.unreachable("the test") }
        }
    }
}

/// Numbers that are the same in each run (SplitMix64).
struct SeededGenerator: RandomNumberGenerator, Sendable {
    private var state: UInt64
    init(_ seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var value = state
        value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
        value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
        return value ^ (value >> 31)
    }
}

/// What a test reads into memory.
final class MemoryTarget: VaultTarget {
    private let kept = Guarded(Bytes())
    var bytes: Bytes { kept.withValue { $0 } }
    func write(_ bytes: ArraySlice<UInt8>) throws { kept.withValue { $0 += bytes } }
}
