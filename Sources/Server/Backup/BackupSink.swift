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
        var contents = BackupContents()
    }

    private let state: Mutex<State>
    private let seal: BackupSeal?

    init(_ path: String, seal: BackupSeal?) throws {
        let file = try NewFile(path)
        if let seal { try file.write(seal.header + [0x0A]) }
        state = Mutex(State(file: file))
        self.seal = seal
    }

    /// What was added so far, without the manifest.
    var contents: BackupContents { state.withLock(\.contents) }

    /// Adds a part, and behind it the list of the last ones when it is due.
    func add(_ name: String, _ content: Bytes) throws {
        try state.withLock { state in
            try add(name, content, &state)
            if let list = state.contents.dueList { try add(list.name, list.content, &state) }
        }
    }

    /// Adds the manifest, which says all but itself, and its digest.
    func add(_ manifest: BackupManifest) throws {
        let bytes = manifest.encoded()
        try state.withLock { state in
            try write(BackupManifest.partName, bytes, &state)
            try write(BackupManifest.digestName, BackupManifest.digestLine(bytes), &state)
        }
    }

    private func add(_ name: String, _ content: Bytes, _ state: inout sending State) throws {
        let digest = SwiftCryptoSuite().sha256(content)
        try write(name, content, &state)
        try state.contents.add(BackupPart(name: name, size: content.count, digest: digest), content)
    }

    private func write(_ name: String, _ content: Bytes, _ state: inout sending State) throws {
        let header = try TarHeader(name: name, size: content.count)
        try write(header.bytes, &state)
        try write(content, &state)
        try write(Bytes(repeating: 0, count: header.padding), &state)
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
