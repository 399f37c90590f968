import CryptoProvider
import Encodings
import Foundation
import NIOCore
import Vault

/// The ciphertext of a version, part by part.
protocol SealedParts {
    /// The version whose ciphertext it is.
    var version: OpenedVersion { get }
    /// The next part: so many bytes, fewer only at the end.
    mutating func next(_ part: Int) throws -> ByteBuffer
}

/// Seals a source as it is read.
struct SealingParts: SealedParts {
    let version: OpenedVersion
    /// What the ciphertext begins with: the first 24 bytes are its salt.
    var salt: Bytes { Array(sealer.header.prefix(24)) }
    private let source: any VaultSource
    private var sealer: ContentSealer<SwiftCryptoSuite>
    /// What is sealed and not handed out.
    private var waiting: Bytes
    private var start: UInt64 = 0
    private var isSealed = false

    /// How much is read at once.
    private static let step = 256 << 10

    /// - Parameter salt: that of an upload which was begun before.
    init(_ version: OpenedVersion, of source: any VaultSource, salt: Bytes? = nil) throws {
        self.version = version
        self.source = source
        let suite = SwiftCryptoSuite()
        sealer = if let salt { try version.sealer(repeating: salt, suite) } else { try version.sealer(suite) }
        waiting = sealer.header
    }

    /// Seals up to this place of the ciphertext.
    ///
    /// - Returns: what waits, and where in the ciphertext it begins.
    mutating func seal(upTo end: UInt64) throws -> (sealed: Bytes, start: UInt64) {
        let wanted = min(end, version.sealedLength)
        // A part has megabytes: an array that doubled its room would hold them twice.
        if start + UInt64(waiting.count) < wanted { waiting.reserveCapacity(Int(wanted - start) + 2 * Self.step) }
        while start + UInt64(waiting.count) < end, !isSealed {
            let bytes = try source.read(Self.step)
            if bytes.isEmpty {
                do throws(VaultError) {
                    isSealed = try sealer.finish(into: &waiting)
                } catch .truncated {
                    throw VaultFault.sourceChanged(source.name)
                }
            } else {
                do throws(VaultError) {
                    try sealer.update(bytes[...], into: &waiting)
                } catch .outOfRange {
                    throw VaultFault.sourceChanged(source.name)
                }
            }
        }
        return (waiting, start)
    }

    mutating func next(_ part: Int) throws -> ByteBuffer {
        _ = try seal(upTo: start + UInt64(part))
        let bytes = ByteBuffer(bytes: waiting.prefix(part))
        waiting.removeFirst(bytes.readableBytes)
        start += UInt64(bytes.readableBytes)
        return bytes
    }
}

/// Ciphertext that lies in a file without a name: what came through a pipe, sealed before anything was written.
final class SpooledParts: SealedParts {
    let version: OpenedVersion
    private let descriptor: Int32

    /// Seals all that a descriptor gives.
    ///
    /// - Parameters:
    ///   - most: bytes that may come.
    ///   - moved: called with the bytes that have come.
    init(
        _ node: NodeID, in compartment: Compartment, from input: Int32, now: Int64, most: UInt64,
        _ moved: (UInt64) -> Void
    ) throws {
        let path = FileManager.default.temporaryDirectory.path + "/countersign-\(UUID().uuidString)"
        descriptor = unsafe open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { throw WalletError.cannotWrite(path: path) }
        unsafe unlink(path)
        var sealer = try UnsizedContentSealer(of: node, in: compartment, now: now, suite: SwiftCryptoSuite())
        var sealed = sealer.header
        var count: UInt64 = 0
        var found: OpenedVersion?
        do {
            while true {
                let bytes = try Descriptor.take(input, 256 << 10, name: "standard input")
                if bytes.isEmpty { break }
                count += UInt64(bytes.count)
                guard count <= most else { throw VaultFault.noRoom }
                try sealer.update(bytes[...], into: &sealed)
                try Descriptor.give(descriptor, sealed[...], name: "the temporary folder")
                sealed.removeAll(keepingCapacity: true)
                moved(count)
            }
            while found == nil {
                found = try sealer.finish(into: &sealed)
                try Descriptor.give(descriptor, sealed[...], name: "the temporary folder")
                sealed.removeAll(keepingCapacity: true)
            }
            guard let found, lseek(descriptor, 0, SEEK_SET) == 0 else {
                throw WalletError.cannotRead(path: "the temporary folder")
            }
            version = found
        } catch {
            _ = close(descriptor)
            throw error
        }
    }

    deinit { _ = close(descriptor) }

    func next(_ part: Int) throws -> ByteBuffer {
        ByteBuffer(bytes: try Descriptor.take(descriptor, part, name: "the temporary folder"))
    }
}
