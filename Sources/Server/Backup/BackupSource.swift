import CryptoProvider
import Encodings
import Storage

/// Reads the parts of a backup one after the other, out of a plain or a sealed file.
final class BackupSource {
    private let file: FilePieces
    private let seal: BackupSeal?
    /// Bytes that were read, opened, and not yet used.
    private var ready: Bytes
    private var start = 0
    /// The sealed chunk that comes next: whether it is the last shows only behind it.
    private var next: Bytes = []
    private var chunk: UInt64 = 0
    private var isAtEnd = false
    /// SHA-256 of the newest part's content.
    private(set) var digest: Bytes = []
    /// A digest over the names and contents of all parts so far: who reads a file again sees whether it is the same.
    private(set) var chain: Bytes = []
    private let suite = SwiftCryptoSuite()

    /// Opens a file at its beginning.
    ///
    /// - Parameter passphrase: of a sealed one.
    init(_ path: String, passphrase: String?) async throws {
        file = try FilePieces(path)
        let beginning = try file.read(BackupSeal.maximumHeader)
        guard beginning.starts(with: BackupSeal.magic) else {
            seal = nil
            ready = beginning
            return
        }
        guard let passphrase else { throw BackupError.needsPassphrase }
        guard let end = beginning.firstIndex(of: 0x0A) else { throw BackupError.damaged("its first line") }
        seal = try await BackupSeal(header: Array(beginning[..<end]), passphrase: passphrase)
        ready = []
        let rest = Array(beginning[(end + 1)...])
        next = rest + (try file.read(BackupSeal.chunkLength + BackupSeal.overhead - rest.count))
    }

    /// The next part; `nil` at the end of the archive, behind which nothing may follow.
    func part() throws -> (header: TarHeader, content: Bytes)? {
        guard let header = try TarHeader.parse(try take(TarHeader.blockLength)) else {
            let last = try take(TarHeader.blockLength)
            guard last.count == TarHeader.blockLength, last.allSatisfy({ $0 == 0 }), try take(1).isEmpty else {
                throw BackupError.damaged("its end")
            }
            return nil
        }
        let content = try take(header.size)
        let padding = try take(header.padding)
        guard content.count == header.size, padding.count == header.padding, padding.allSatisfy({ $0 == 0 }) else {
            throw BackupError.damaged("it ends in \(header.name)")
        }
        digest = suite.sha256(content)
        chain = suite.sha256(chain + digest + Bytes(text: header.name))
        return (header, content)
    }

    /// So many bytes, fewer only at the end.
    private func take(_ count: Int) throws -> Bytes {
        while ready.count - start < count, !isAtEnd {
            ready.removeFirst(start)
            start = 0
            ready += try more(count)
        }
        let end = min(start + count, ready.count)
        defer { start = end }
        return Array(ready[start..<end])
    }

    private func more(_ wanted: Int) throws -> Bytes {
        guard let seal else {
            let bytes = try file.read(max(wanted, BackupSeal.chunkLength))
            isAtEnd = bytes.isEmpty
            return bytes
        }
        let current = next
        next = try file.read(BackupSeal.chunkLength + BackupSeal.overhead)
        isAtEnd = next.isEmpty
        defer { chunk += 1 }
        return try seal.open(current, number: chunk, isLast: isAtEnd)
    }
}
