package import Encodings
import Foundation
import Interface
import NIOCore
package import Vault

/// How far something is on its way.
package struct VaultProgress: Sendable {
    /// Called with the bytes that are done and those that there are; the second is 0 if nobody knows.
    package let moved: @Sendable (_ done: UInt64, _ total: UInt64) -> Void

    package init(_ moved: @escaping @Sendable (UInt64, UInt64) -> Void) { self.moved = moved }

    /// For nobody.
    package static let none = VaultProgress { _, _ in }
}

/// What is said of a file beside its content.
package struct FileDescription: Sendable {
    package var name: NodeName
    package var mediaType: Bytes?
    package var tags: [Bytes] = []
    /// When the content was changed last, in milliseconds since 1970; now without it.
    package var modified: Int64?

    package init(name: NodeName, mediaType: Bytes? = nil) {
        self.name = name
        self.mediaType = mediaType
    }
}

extension OpenVault {
    /// How many parts are in memory: one is sealed while the one before is on its way.
    private static let lanes = 2
    /// What a server may ask for as one part, in bytes.
    private static let longestPart: Int64 = 16 << 20
    /// How many versions of a file stay.
    static let keptVersions = 9

    /// Seals a file, sends it in parts, and puts it into a folder.
    ///
    /// If it was cut before, it goes on where it was, as long as the source is the same to the last byte.
    ///
    /// - Parameter replacing: whether a file of that name gets the content as its newest version; otherwise it is refused.
    @discardableResult
    package func put(
        _ source: FileSource, _ description: FileDescription, in folder: NodeID, replacing: Bool,
        _ progress: VaultProgress = .none
    ) async throws -> NodeID {
        let place = try target(description.name, in: folder, replacing: replacing)
        let name = "\(source.identity) \(place?.text ?? folder.text)"
        var sent: (version: OpenedVersion, content: Bytes)
        do {
            sent = try await send(source, to: place, as: name, progress)
        } catch VaultFault.sourceChanged {
            // Nothing of the second content has gone out: it gets a key of its own.
            self.folder.forget(name, compartment)
            try source.rewind()
            sent = try await send(source, to: place, as: name, progress)
        }
        let id = try await store(sent.version, sent.content, description, in: folder, isNew: place == nil)
        self.folder.forget(name, compartment)
        return id
    }

    /// Seals what a descriptor gives, whose length nobody knows, and puts it into a folder.
    @discardableResult
    package func put(
        from input: Int32, _ description: FileDescription, in folder: NodeID, replacing: Bool,
        _ progress: VaultProgress = .none
    ) async throws -> NodeID {
        let place = try target(description.name, in: folder, replacing: replacing)
        let node = if let place { place } else { try NodeID.random(suite) }
        let parts = try SpooledParts(
            node, in: compartment, from: input, now: milliseconds, most: UInt64(max(0, quota - bytes))
        ) { progress.moved($0, 0) }
        let upload = try await begin(parts.version)
        let content = try Self.name(of: upload)
        try await send(upload, progress) { _ in try parts.next(Int(upload.part)) }
        return try await store(parts.version, content, description, in: folder, isNew: place == nil)
    }

    /// The file that gets a new version; none if it is a new one.
    private func target(_ name: NodeName, in folder: NodeID, replacing: Bool) throws -> NodeID? {
        _ = try key(ofFolder: folder)
        guard let known = try known(name, in: folder) else { return nil }
        guard replacing else { throw VaultFault.exists(path(name, in: folder)) }
        guard known.metadata.kind == .file else { throw VaultFault.notAFile(path(name, in: folder)) }
        return known.id
    }

    private func store(
        _ version: OpenedVersion, _ content: Bytes, _ description: FileDescription, in folder: NodeID, isNew: Bool
    ) async throws -> NodeID {
        try await change { vault in
            let time = description.modified ?? vault.milliseconds
            guard isNew else {
                let node = try vault.opened(version.node)
                var metadata = node.metadata
                (metadata.size, metadata.modified, metadata.thumbnail) = (version.size, time, nil)
                metadata.mediaType = description.mediaType ?? metadata.mediaType
                return VaultEdit(
                    put: try vault.compartment.add(
                        version, content: content, to: node, metadata: metadata, in: vault.tree.folder(node.parent),
                        keeping: Self.keptVersions, suite: vault.suite))
            }
            try vault.checkFree(description.name, in: folder)
            var metadata = NodeMetadata(
                .file, name: description.name, created: vault.milliseconds, modified: time)
            (metadata.size, metadata.mediaType, metadata.tags) = (version.size, description.mediaType, description.tags)
            return VaultEdit(
                put: try vault.compartment.make(
                    metadata, in: vault.key(ofFolder: folder), id: version.node, content: (version, content),
                    suite: vault.suite))
        }
        return version.node
    }

    // MARK: Sending

    private func send(
        _ source: FileSource, to node: NodeID?, as name: String, _ progress: VaultProgress
    ) async throws -> (version: OpenedVersion, content: Bytes) {
        let begun = try await goOn(source, node, name)
        var (state, parts) = (begun.state, begun.parts)
        try await send(begun.upload, progress) { number in
            let (sealed, start) = try parts.seal(upTo: state.sealedEnd(ofPart: UInt64(number)))
            do throws(VaultError) {
                // What was sealed is on the disk before any of it goes out.
                let isNew = try state.follow(UInt64(number), sealed: sealed, from: start, suite: self.suite)
                if isNew { try Self.keep(state, name, self) }
            } catch .cannotOpen {
                throw VaultFault.sourceChanged(source.name)
            }
            return try parts.next(Int(state.part))
        }
        return (state.version, state.content)
    }

    private static func keep(_ state: UnfinishedUpload, _ name: String, _ vault: OpenVault) throws(VaultError) {
        do { try vault.folder.keep(state, name, vault.compartment) } catch { throw .suiteFailed }
    }

    /// An upload that was begun before, or a new one.
    private func goOn(
        _ source: FileSource, _ node: NodeID?, _ name: String
    ) async throws -> (state: UnfinishedUpload, upload: VaultUpload, parts: SealingParts) {
        if let state = folder.unfinished(name, compartment), state.version.size == source.size,
            node == nil || state.version.node == node,
            let upload = try? await server.vaultUpload(NodeID.hex(state.content)),
            UInt64(exactly: upload.part) == state.part, UInt64(exactly: upload.size) == state.version.sealedLength
        {
            try Self.check(upload, state.version)
            return (state, upload, try SealingParts(state.version, of: source, salt: state.salt))
        }
        let version = try compartment.newVersion(
            of: node ?? .random(suite), size: source.size, now: milliseconds, suite: suite)
        let parts = try SealingParts(version, of: source)
        let upload = try await begin(version)
        let state = try UnfinishedUpload(
            version, salt: parts.salt, content: Self.name(of: upload), part: UInt64(upload.part))
        return (state, upload, parts)
    }

    /// Begins the upload of a version.
    ///
    /// - Parameter other: somebody else's compartment that it is for, instead of this one.
    func begin(_ version: OpenedVersion, for other: CompartmentID? = nil) async throws -> VaultUpload {
        let target = (other ?? compartment.id).text
        let upload = try await patiently {
            try await self.server.beginVaultUpload(
                NewVaultUpload(compartment: target, size: Int64(clamping: version.sealedLength)))
        }
        try Self.check(upload, version)
        return upload
    }

    /// Refuses an answer that does not fit what was asked for.
    private static func check(_ upload: VaultUpload, _ version: OpenedVersion) throws {
        guard UInt64(exactly: upload.size) == version.sealedLength, 1...longestPart ~= upload.part,
            upload.parts == (upload.size + upload.part - 1) / upload.part
        else { throw WalletError.unexpectedAnswer("another upload than asked for") }
    }

    static func name(of upload: VaultUpload) throws -> Bytes {
        guard let name = Hex.decode(Bytes(text: upload.id)), NodeID.hex(name) == upload.id else {
            throw WalletError.unexpectedAnswer("no name of an upload")
        }
        return name
    }

    /// Sends the parts that are not there, a few at a time.
    ///
    /// - Parameter next: gives each part in its order, those that are there too.
    func send(
        _ upload: VaultUpload, _ progress: VaultProgress, _ next: (Int64) throws -> ByteBuffer
    ) async throws {
        let received = Set(upload.received)
        var done: UInt64 = 0
        progress.moved(0, UInt64(upload.size))
        try await withThrowingTaskGroup(of: Int.self) { group in
            var flying = 0
            for number in 0..<upload.parts {
                if flying == Self.lanes - 1, let count = try await group.next() {
                    flying -= 1
                    done += UInt64(count)
                    progress.moved(done, UInt64(upload.size))
                }
                let buffer = try next(number)
                guard Int64(buffer.readableBytes) == min(upload.part, upload.size - number * upload.part) else {
                    throw WalletError.cannotRead(path: "the source")
                }
                guard !received.contains(number) else {
                    done += UInt64(buffer.readableBytes)
                    continue
                }
                group.addTask { [self] in
                    try await patiently { try await self.server.putVaultPart(number, of: upload.id, buffer) }
                    return buffer.readableBytes
                }
                flying += 1
            }
            while let count = try await group.next() {
                done += UInt64(count)
                progress.moved(done, UInt64(upload.size))
            }
        }
    }

    /// Does something until it works or is refused: a server that was away comes back.
    nonisolated func patiently<Result: Sendable>(
        _ act: @Sendable () async throws -> Result
    ) async throws -> Result {
        for pause in pauses {
            do {
                return try await act()
            } catch  where Self.isPassing(error) {
                try await Task.sleep(for: pause)
            }
        }
        return try await act()
    }

    /// Whether the same request may work in a while.
    static func isPassing(_ error: any Error) -> Bool {
        switch error {
        case WalletError.unreachable: true
        case let error as ProblemError: error.problem.status >= 500 || [408, 429].contains(error.problem.status)
        default: false
        }
    }
}

extension NodeID {
    /// Bytes as the server spells identifiers.
    static func hex(_ bytes: Bytes) -> String { String(decoding: Hex.encode(bytes), as: UTF8.self) }
}
