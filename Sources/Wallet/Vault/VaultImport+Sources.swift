package import Age
import Archives
import CryptoProvider
import Encodings
import Foundation
import Vault

extension VaultImport {
    /// How much of a file in a folder is read at once, in bytes.
    private static let step = 262_144
    /// How deep folders may lie in each other.
    private static let depth = ArchiveLimits.depth

    /// Takes an archive: a tar file, or one in an age file.
    ///
    /// - Parameter identities: what opens an age file; it is asked for only if the file is one.
    /// - Throws: whatever is wrong with the file. Then call `cancel`.
    package func take(
        archive source: any VaultSource, opening identities: @Sendable (AgeHeader) throws -> [AgeIdentity],
        _ progress: VaultProgress = .none
    ) async throws {
        var reader = TarReader()
        var age: AgeOpener<SwiftCryptoSuite>?
        var done: UInt64 = 0
        var isFirst = true
        while true {
            let bytes = try source.read(VaultSealedFile.sealedStep)
            if isFirst { age = try Self.opener(bytes, identities) }
            isFirst = false
            guard !bytes.isEmpty else { break }
            var plain: Bytes = []
            if age != nil {
                do { try age?.open(bytes, appendingTo: &plain) } catch { throw Self.fault(error) }
            } else {
                plain = bytes
            }
            try await take(plain, &reader)
            done += UInt64(bytes.count)
            progress.moved(done, source.size)
        }
        if age != nil {
            var plain: Bytes = []
            do { try age?.finish(appendingTo: &plain) } catch { throw Self.fault(error) }
            try await take(plain, &reader)
        }
        do { try reader.finish() } catch { throw Self.fault(error) }
        try await endFile()
    }

    private func take(_ plain: Bytes, _ reader: inout TarReader) async throws {
        reader.feed(plain)
        while true {
            let event: TarEvent?
            do { event = try reader.next() } catch { throw Self.fault(error) }
            guard let event else { return }
            switch event {
            case .content(let bytes): try await write(bytes)
            case .entry(let entry):
                try await endFile()
                switch entry.kind {
                case .folder: try await makeFolder(entry.path.names, modified: max(0, entry.modified))
                case .file(let length):
                    guard let size = UInt64(exactly: length), size <= UInt64(JSON.safeInteger) / 2 else {
                        throw Self.fault(ArchiveError.outOfRange)
                    }
                    try await beginFile(entry.path.names, size: size, modified: max(0, entry.modified))
                }
            }
        }
    }

    /// Takes a folder of this machine; links, and what is neither a file nor a folder, are refused.
    package func take(folder path: String, _ progress: VaultProgress = .none) async throws {
        try await take(path, [], progress)
    }

    private func take(_ path: String, _ above: [Bytes], _ progress: VaultProgress) async throws {
        guard above.count < Self.depth else { throw VaultFault.badArchive("folders lie more than \(Self.depth) deep") }
        for name in try FileManager.default.contentsOfDirectory(atPath: path).sorted() {
            let place = "\(path)/\(name)"
            let names = above + [Bytes(text: name)]
            guard let about = FileAbout(place) else { throw WalletError.cannotRead(path: place) }
            switch about.kind {
            case .folder:
                try await makeFolder(names, modified: about.modified)
                try await take(place, names, progress)
            case .file:
                let source = try FileSource(place)
                try await beginFile(names, size: source.size, modified: about.modified)
                var done: UInt64 = 0
                while done < source.size {
                    let bytes = try source.read(Self.step)
                    guard !bytes.isEmpty else { throw VaultFault.sourceChanged(place) }
                    do { try await write(bytes[...]) } catch is VaultError { throw VaultFault.sourceChanged(place) }
                    done += UInt64(bytes.count)
                    progress.moved(done, source.size)
                }
                try await endFile()
            case .other: throw VaultFault.badArchive("\(Self.shown(names)) is neither a file nor a folder")
            }
        }
    }

    // MARK: Age

    /// What opens the file, if it is an age file.
    private static func opener(
        _ beginning: Bytes, _ identities: @Sendable (AgeHeader) throws -> [AgeIdentity]
    ) throws -> AgeOpener<SwiftCryptoSuite>? {
        let isAge = beginning.starts(with: Bytes(text: "age-encryption.org/"))
        guard isAge || beginning.starts(with: Bytes(text: "-----BEGIN AGE")) else { return nil }
        let header: AgeHeader?
        do { header = try AgeHeader.read(beginning: beginning) } catch { throw fault(error) }
        guard let header else { throw fault(AgeError.truncatedHeader) }
        return AgeOpener(try identities(header), suite: SwiftCryptoSuite())
    }

    /// Why an age file or an archive is not taken.
    static func fault(_ error: any Error) -> VaultFault {
        switch error {
        case let error as AgeError: VaultSealedFile.fault(error)
        case ArchiveError.link: .badArchive("it holds a link, which could lead out of its folder")
        case ArchiveError.unsafePath: .badArchive("it holds a path that is not safe")
        case ArchiveError.truncated: .badArchive("it ends too early")
        case ArchiveError.unsupported: .badArchive("it holds something other than files and folders")
        case let error as VaultFault: error
        default: .badArchive("it is no tar archive that this program reads")
        }
    }
}
