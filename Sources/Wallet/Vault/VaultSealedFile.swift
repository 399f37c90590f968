package import Age
import CryptoProvider
package import Encodings

/// Files that are sealed and opened on this machine, without a server: age files.
package enum VaultSealedFile {
    /// How many pieces of an age file are sealed or opened at once: enough for several processors.
    private static let pieces = 8
    /// How much is read at once to be sealed.
    private static let step = pieces * AgeLimits.chunk
    /// How much of an age file is read at once to be opened: as many pieces come out of each read but the first.
    static let sealedStep = pieces * AgeLimits.sealedChunk

    /// Seals what a source gives.
    package static func seal(
        _ read: (Int) throws -> Bytes, for seal: ExportSeal, into output: any VaultTarget,
        _ moved: (UInt64) -> Void = { _ in }
    ) throws {
        var sealer = try seal.sealer()
        var (sealed, done): (Bytes, UInt64) = ([], 0)
        while true {
            let bytes = try read(step)
            guard !bytes.isEmpty else { break }
            try sealer.seal(bytes, appendingTo: &sealed)
            try output.write(sealed[...])
            sealed.removeAll(keepingCapacity: true)
            done += UInt64(bytes.count)
            moved(done)
        }
        try sealer.finish(appendingTo: &sealed)
        try output.write(sealed[...])
    }

    /// Opens what a source gives; what was written is whole only once this returns.
    ///
    /// - Parameter identities: asked for once the header is read.
    package static func open(
        _ read: (Int) throws -> Bytes, with identities: (AgeHeader) throws -> [AgeIdentity],
        into output: any VaultTarget, _ moved: (UInt64) -> Void = { _ in }
    ) throws {
        var beginning: Bytes = []
        var header: AgeHeader?
        while header == nil {
            let bytes = try read(sealedStep)
            guard !bytes.isEmpty else { throw fault(.truncatedHeader) }
            beginning += bytes
            do { header = try AgeHeader.read(beginning: beginning) } catch { throw fault(error) }
        }
        guard let header else { return }
        var opener = AgeOpener(try identities(header), suite: SwiftCryptoSuite())
        var (bytes, plain, done): (Bytes, Bytes, UInt64) = (beginning, [], 0)
        do {
            while !bytes.isEmpty {
                try opener.open(bytes, appendingTo: &plain)
                try output.write(plain[...])
                plain.removeAll(keepingCapacity: true)
                done += UInt64(bytes.count)
                moved(done)
                bytes = try read(sealedStep)
            }
            try opener.finish(appendingTo: &plain)
            try output.write(plain[...])
        } catch let error as AgeError {
            throw fault(error)
        }
    }

    /// Why an age file does not open, in words.
    package static func fault(_ error: AgeError) -> VaultFault {
        switch error {
        case .noMatch: .badSealedFile("it is sealed for another key or passphrase")
        case .wrongMAC, .corruptPayload: .badSealedFile("it was changed")
        case .truncatedHeader, .truncatedPayload: .badSealedFile("it ends too early")
        case .trailingBytes: .badSealedFile("something follows its end")
        case .tooMuchWork(let work): .badSealedFile("its passphrase asks for \(1 << max(0, work - 10)) MiB of memory")
        case .notAge, .unsupportedVersion: .badSealedFile("it is no age file of version 1")
        default: .badSealedFile("it breaks the rules of the age format")
        }
    }
}
