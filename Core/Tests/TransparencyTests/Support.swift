import Encodings
import Foundation
import Testing
import Transparency

/// A stand-in for tables with hundreds of cases: a "signature" is a hash over key and message, which anyone can make.
struct QuickSuite: CryptoSuite {
    func isValidP256(_ signature: Bytes, over message: Bytes, publicKey: Bytes) -> Bool { false }

    func isValidEd25519(_ signature: Bytes, over message: Bytes, publicKey: Bytes) -> Bool {
        signature == Self.sign(message, publicKey)
    }

    static func sign(_ message: Bytes, _ publicKey: Bytes) -> Bytes {
        let digest = SHA256.hash(publicKey + message)
        return digest + digest
    }
}

/// A stand-in for trees with tens of thousands of entries: mixes fast and is not a hash that anyone may rely on.
struct MixingSuite: CryptoSuite {
    func isValidP256(_ signature: Bytes, over message: Bytes, publicKey: Bytes) -> Bool { false }
    func isValidEd25519(_ signature: Bytes, over message: Bytes, publicKey: Bytes) -> Bool { false }

    func sha256(_ bytes: Bytes) -> Bytes {
        var state: UInt64 = 0xCBF2_9CE4_8422_2325
        for byte in bytes { state = (state ^ UInt64(byte)) &* 0x0000_0100_0000_01B3 }
        return bigEndianBytes(state) + bigEndianBytes(state &* 3) + bigEndianBytes(state &* 5) + bigEndianBytes(~state)
    }
}

/// A log in memory: what a server keeps as files.
struct MemoryLog<Suite: CryptoSuite>: TileSource {
    let suite: Suite
    var state = TreeState()
    var files: [String: Bytes] = [:]
    var entries: [Bytes] = []

    /// A log of `size` made-up entries, appended in batches of the given size.
    init(size: Int, batch: Int = 100, suite: Suite) throws {
        self.suite = suite
        for start in stride(from: 0, to: size, by: batch) {
            try append((start..<min(start + batch, size)).map { Bytes(text: "entry \($0)") })
        }
    }

    mutating func append(_ new: [Bytes]) throws {
        for content in try state.append(new, suite: suite) { files[content.tile.path] = content.bytes }
        entries += new
    }

    var leafHashes: [Bytes] { entries.map { MerkleTree.leafHash($0, suite: suite) } }

    func tile(level: Int, index: UInt64, width: Int) throws(TransparencyError) -> Bytes {
        guard let tile = Tile(.hashes(level: level), index: index, width: width) else { throw .outOfRange }
        guard let bytes = files[tile.path] else { throw .missing(tile) }
        return bytes
    }

    func inclusionProof(_ index: UInt64) throws -> [Bytes] {
        try ProofPlan.inclusion(of: index, in: state.size).hashes(from: self, suite: suite)
    }

    func consistencyProof(from size: UInt64) throws -> [Bytes] {
        try ProofPlan.consistency(from: size, to: state.size).hashes(from: self, suite: suite)
    }
}

/// A log whose secret key the tests know.
struct TestLog {
    static let origin = Bytes(text: "localhost:8080/log")
    let key: NoteVerifierKey
    private(set) var log: MemoryLog<QuickSuite>

    init(size: Int, batch: Int = 100) throws {
        key = try NoteVerifierKey(name: Self.origin, publicKey: Bytes(repeating: 7, count: 32))
        log = try MemoryLog(size: size, batch: batch, suite: QuickSuite())
    }

    mutating func append(_ entries: [Bytes]) throws { try log.append(entries) }

    /// The signed checkpoint of the whole log.
    func checkpoint(origin: Bytes = TestLog.origin, root: Bytes? = nil) throws -> Bytes {
        let checkpoint = try Checkpoint(
            origin: origin, size: log.state.size, root: root ?? log.state.root(suite: QuickSuite()))
        return try note(checkpoint.encoded())
    }

    func note(_ text: Bytes) throws -> Bytes {
        var note = try SignedNote(text: text)
        note.add(try key.line(QuickSuite.sign(text, key.publicKey)))
        return note.encoded()
    }
}

/// The shared test log.
enum Fixture {
    static let key = "example.com/log/testdata+33d7b496+AeHTu4Q3hEIMHNqc6fASMsq3rKNx280NI+oO5xCFkkSx"

    static func bytes(_ path: String, in folder: String = "tlog") throws -> Bytes {
        let resources = try #require(Bundle.module.resourceURL)
        return try Bytes(Data(contentsOf: resources.appendingPathComponent("Fixtures/\(folder)/\(path)")))
    }

    /// The tiles of the shared log.
    struct Source: TileSource {
        func tile(level: Int, index: UInt64, width: Int) throws(TransparencyError) -> Bytes {
            guard let tile = Tile(.hashes(level: level), index: index, width: width),
                let bytes = try? Fixture.bytes(tile.path)
            else { throw .outOfRange }
            return bytes
        }
    }
}

/// The text of a hexadecimal number as bytes.
func hex(_ text: String) throws -> Bytes { try #require(Hex.decode(Bytes(text: text))) }

extension Array where Element == UInt8 {
    /// These bytes with one bit turned.
    func flipped(at index: Int) -> Bytes {
        var copy = self
        copy[index] ^= 1
        return copy
    }

    var text: String { String(decoding: self, as: UTF8.self) }
}
