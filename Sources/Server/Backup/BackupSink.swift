import CryptoProvider
import Encodings
import Storage
import Synchronization

/// Where the parts of a backup go: one file, there only once it is whole, sealed if it is to be.
final class BackupSink: Sendable {
    private struct State {
        let file: NewFile
        /// What is not yet sealed.
        var waiting: Bytes = []
        var chunk: UInt64 = 0
        var parts: [BackupPart] = []
    }

    private let state: Mutex<State>
    private let seal: BackupSeal?

    init(_ path: String, seal: BackupSeal?) throws {
        let file = try NewFile(path)
        if let seal { try file.write(seal.header + [0x0A]) }
        state = Mutex(State(file: file))
        self.seal = seal
    }

    /// What was added so far.
    var parts: [BackupPart] { state.withLock(\.parts) }

    /// Adds a part.
    func add(_ name: String, _ content: Bytes) throws {
        let header = try TarHeader(name: name, size: content.count)
        let digest = SwiftCryptoSuite().sha256(content)
        try state.withLock { state in
            try write(header.bytes, &state)
            try write(content, &state)
            try write(Bytes(repeating: 0, count: header.padding), &state)
            state.parts.append(BackupPart(name: name, size: content.count, digest: digest))
        }
    }

    /// Ends the archive, and gives the file its name.
    func finish() throws {
        try state.withLock { state in
            try write(Bytes(repeating: 0, count: 2 * TarHeader.blockLength), &state)
            if let seal {
                try state.file.write(try seal.seal(state.waiting, number: state.chunk, isLast: true))
            }
            try state.file.finish()
        }
    }

    /// Leaves nothing of what was added.
    func discard() { state.withLock { $0.file.discard() } }

    private func write(_ bytes: Bytes, _ state: inout sending State) throws {
        guard let seal else { return try state.file.write(bytes) }
        state.waiting += bytes
        // One chunk always stays for the end: the last is sealed as such.
        while state.waiting.count > BackupSeal.chunkLength {
            let chunk = Array(state.waiting.prefix(BackupSeal.chunkLength))
            state.waiting.removeFirst(BackupSeal.chunkLength)
            try state.file.write(try seal.seal(chunk, number: state.chunk, isLast: false))
            state.chunk += 1
        }
    }
}
