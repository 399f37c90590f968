package import Age
import Archives
import CryptoProvider
package import Encodings
import Foundation
import Vault

/// For whom an age file is sealed.
package enum ExportSeal: Sendable {
    /// Public keys; any one of their private keys opens it.
    case recipients([AgeRecipient])
    /// A passphrase.
    case passphrase(Bytes)

    func sealer() throws -> AgeSealer<SwiftCryptoSuite> {
        do {
            return switch self {
            case .recipients(let recipients): try AgeSealer(to: recipients, suite: SwiftCryptoSuite())
            case .passphrase(let text): try AgeSealer(passphrase: text, suite: SwiftCryptoSuite())
            }
        } catch .mixedRecipients {
            throw VaultFault.badSealedFile("recipients with and without protection against quantum computers are mixed")
        } catch {
            throw VaultFault.badSealedFile("these are no recipients")
        }
    }
}

/// What was taken out of a vault.
package struct VaultExported: Sendable {
    /// Files and notes.
    package var files = 0
    package var folders = 0
    package var bytes: UInt64 = 0
    /// Items with a lock of their own, which were left out.
    package var locked = 0
    /// Items of the vault that do not open: where they belong, nobody knows.
    package var unopened = 0
}

extension OpenVault {
    /// Where an item goes, and what it is.
    private struct Place {
        let item: VaultItem
        let names: [Bytes]
    }

    /// Takes items out of the vault into a tar archive in an age file.
    ///
    /// - Parameter output: gets the bytes of the file; whole only once this returns.
    package func export(
        _ items: [VaultItem], sealed seal: ExportSeal, into output: any VaultTarget, _ progress: VaultProgress = .none
    ) async throws -> VaultExported {
        let archive = try ArchiveTarget(try seal.sealer(), output)
        var exported = VaultExported()
        let places = places(of: items, &exported)
        let total = places.reduce(0) { $0 + ($1.item.kind == .folder ? 0 : $1.item.size ?? 0) }
        for place in places {
            let item = place.item
            let path = try ArchivePath(place.names)
            let modified = item.modified / 1_000
            switch item.kind {
            case .folder: try archive.begin(ArchiveEntry(path: path, kind: .folder, modified: modified))
            case .note:
                let text = try text(item.id)
                let kind = ArchiveEntry.Kind.file(length: Int64(text.count))
                try archive.begin(ArchiveEntry(path: path, kind: kind, modified: modified))
                try archive.write(text[...])
            case .file:
                let kind = ArchiveEntry.Kind.file(length: Int64(clamping: item.size ?? 0))
                try archive.begin(ArchiveEntry(path: path, kind: kind, modified: modified))
                let before = exported.bytes
                try await read(
                    item.id, into: archive, VaultProgress { done, _ in progress.moved(before + done, total) })
            case .locked: continue
            }
            exported.count(item)
        }
        try archive.finish()
        return exported
    }

    /// Takes items out of the vault into a folder, which is there under its name only once all is whole.
    package func export(
        _ items: [VaultItem], to folder: String, _ progress: VaultProgress = .none
    ) async throws -> VaultExported {
        guard !FileManager.default.fileExists(atPath: folder) else { throw VaultFault.exists(folder) }
        let temporary = UnfinishedName.beside(folder)
        guard unsafe mkdir(temporary, 0o700) == 0 else { throw WalletError.cannotWrite(path: folder) }
        do {
            var exported = VaultExported()
            let places = places(of: items, &exported)
            let total = places.reduce(0) { $0 + ($1.item.kind == .folder ? 0 : $1.item.size ?? 0) }
            for place in places {
                let names = place.names.map { String(decoding: $0, as: UTF8.self) }.joined(separator: "/")
                let path = "\(temporary)/\(names)"
                if place.item.kind == .folder {
                    guard unsafe mkdir(path, 0o700) == 0 else { throw WalletError.cannotWrite(path: path) }
                } else {
                    let file = try FileTarget(path)
                    let before = exported.bytes
                    if place.item.kind == .note {
                        try file.write(try text(place.item.id)[...])
                    } else {
                        try await read(
                            place.item.id, into: file, VaultProgress { done, _ in progress.moved(before + done, total) }
                        )
                    }
                    try file.finish(replacing: false, modified: place.item.modified)
                }
                exported.count(place.item)
            }
            guard !FileManager.default.fileExists(atPath: folder) else { throw VaultFault.exists(folder) }
            guard unsafe rename(temporary, folder) == 0 else { throw WalletError.cannotWrite(path: folder) }
            return exported
        } catch {
            try? FileManager.default.removeItem(atPath: temporary)
            throw error
        }
    }

    /// All that is to be taken out, folders before what they hold, each under a name that is its alone.
    private func places(of items: [VaultItem], _ exported: inout VaultExported) -> [Place] {
        exported.unopened = unopened
        var places: [Place] = []
        var waiting: [([Bytes], [VaultItem])] = [([], items)]
        while let (above, items) = waiting.popLast() {
            var names = ExportNames()
            for item in items {
                guard item.kind != .locked else {
                    exported.locked += 1
                    continue
                }
                let path = above + [names.name(for: item)]
                places.append(Place(item: item, names: path))
                if item.kind == .folder { waiting.append((path, list(item.id))) }
            }
        }
        return places
    }
}

extension VaultExported {
    fileprivate mutating func count(_ item: VaultItem) {
        if item.kind == .folder { folders += 1 } else { files += 1 }
        bytes += item.kind == .folder ? 0 : item.size ?? 0
    }
}

/// The names in one folder of an export: siblings that would have the same one are numbered.
struct ExportNames {
    private var taken: Set<Bytes> = []

    /// The name of an item; notes end in `.txt`.
    mutating func name(for item: VaultItem) -> Bytes {
        let ending = Bytes(text: ".txt")
        let isPlainNote = item.kind == .note && Array(item.name.suffix(4)) != ending
        return name(for: isPlainNote ? item.name.prefix(251) + ending : item.name)
    }

    /// A name that is safe in a path and that nothing else here has, capital letters aside: `a (2).txt`.
    mutating func name(for name: Bytes) -> Bytes {
        let safe = ArchivePath.safeName(for: name)
        var (found, number) = (safe, 1)
        while !taken.insert(Self.folded(found)).inserted {
            number += 1
            found = Self.numbered(safe, number)
        }
        return found
    }

    /// What other systems take for the same name: without case, composed.
    private static func folded(_ name: Bytes) -> Bytes {
        Bytes(text: String(decoding: name, as: UTF8.self).lowercased().precomposedStringWithCanonicalMapping)
    }

    private static func numbered(_ name: Bytes, _ number: Int) -> Bytes {
        let mark = Bytes(text: " (\(number))")
        let dot = name.lastIndex(of: 0x2E).flatMap { $0 > 0 && name.count - $0 <= 16 ? $0 : nil } ?? name.count
        var stem = Array(name[..<dot])
        let ending = name[dot...]
        while stem.count + mark.count + ending.count > ArchiveLimits.name {
            stem.removeLast()
            while let last = stem.last, last & 0xC0 == 0x80 || last >= 0xC0 { stem.removeLast() }
        }
        return stem + mark + ending
    }
}

/// A tar archive on its way into an age file.
private final class ArchiveTarget: VaultTarget {
    private struct State {
        var tar = TarWriter()
        var age: AgeSealer<SwiftCryptoSuite>
        var plain: Bytes = []
        var sealed: Bytes = []
    }

    private let state: Guarded<State>
    private let output: any VaultTarget
    /// How much of the archive is sealed at once: whole pieces of an age file.
    private static let step = 4 * AgeLimits.chunk

    init(_ age: AgeSealer<SwiftCryptoSuite>, _ output: any VaultTarget) throws {
        state = Guarded(State(age: age))
        self.output = output
    }

    func begin(_ entry: ArchiveEntry) throws {
        try change { try $0.tar.begin(entry, appendingTo: &$0.plain) }
    }

    func write(_ bytes: ArraySlice<UInt8>) throws {
        try change { try $0.tar.write(Array(bytes), appendingTo: &$0.plain) }
    }

    func finish() throws {
        try change { state in
            try state.tar.finish(appendingTo: &state.plain)
            try state.age.seal(state.plain, appendingTo: &state.sealed)
            state.plain = []
            try state.age.finish(appendingTo: &state.sealed)
        }
    }

    private func change(_ body: (inout State) throws -> Void) throws {
        try state.withValue { state in
            try body(&state)
            if state.plain.count >= Self.step {
                try state.age.seal(state.plain, appendingTo: &state.sealed)
                state.plain.removeAll(keepingCapacity: true)
            }
            guard !state.sealed.isEmpty else { return }
            try output.write(state.sealed[...])
            state.sealed.removeAll(keepingCapacity: true)
        }
    }
}
