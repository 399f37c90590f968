import Encodings
import Foundation

@testable import Age

struct Missing: Error {}

/// A file of `Fixtures`; its `README.md` says where each is from.
enum Fixture {
    static func bytes(_ name: String) throws -> Bytes {
        guard let url = Bundle.module.url(forResource: name, withExtension: nil, subdirectory: "Fixtures") else {
            throw Missing()
        }
        return Bytes(try Data(contentsOf: url))
    }

    /// Lines of fields with single spaces between them.
    static func lines(_ name: String) throws -> [[String]] {
        String(decoding: try bytes(name), as: UTF8.self).split(separator: "\n")
            .map { $0.split(separator: " ").map(String.init) }
    }

    /// Bytes from hexadecimal; `-` is the empty string.
    static func hex(_ text: String) throws -> Bytes {
        guard text != "-" else { return [] }
        guard let bytes = Hex.decode(Bytes(text: text)) else { throw Missing() }
        return bytes
    }
}

extension PureAgeSuite {
    /// Bytes that look random and are the same in every run.
    static func counting(_ seed: String = "age") -> Self {
        let counter = Counter()
        return Self { count in
            var bytes: Bytes = []
            while bytes.count < count { bytes += SHA256.hash(Bytes(text: seed) + bigEndianBytes(counter.next())) }
            return Array(bytes.prefix(count))
        }
    }
}

extension Bytes {
    /// The bytes with one bit of one byte changed.
    func flipping(_ index: Int) -> Bytes {
        var changed = self
        changed[index] ^= 1
        return changed
    }

    /// The bytes in pieces of this length; no bytes are one empty piece.
    func pieces(of length: Int) -> [Bytes] {
        isEmpty ? [[]] : stride(from: 0, to: count, by: length).map { Array(self[$0..<Swift.min($0 + length, count)]) }
    }
}

func string(_ bytes: Bytes) -> String { String(decoding: bytes, as: UTF8.self) }

/// The error of ours that a call throws; `nil` if it throws none.
func refusal<Value>(_ body: () throws -> Value) -> AgeError? {
    do {
        _ = try body()
        return nil
    } catch {
        return error as? AgeError
    }
}

/// The content of a file that comes in pieces, as far as it was given out, and the error that ended it.
func opened<Suite: AgeCryptoSuite>(
    _ file: Bytes, _ identities: [AgeIdentity], format: AgeFormat? = nil, pieces: Int = 65_536, suite: Suite
) -> (plaintext: Bytes, error: AgeError?) {
    var opener = AgeOpener(identities, format: format, suite: suite)
    var plaintext: Bytes = []
    do throws(AgeError) {
        for piece in file.pieces(of: pieces) { try opener.open(piece, appendingTo: &plaintext) }
        try opener.finish(appendingTo: &plaintext)
        return (plaintext, nil)
    } catch {
        return (plaintext, error)
    }
}

/// A whole file, made piece by piece.
func sealed<Suite: AgeCryptoSuite>(
    _ plaintext: Bytes, with sealer: AgeSealer<Suite>, pieces: Int = 65_536
) throws -> Bytes {
    var sealer = sealer
    var file: Bytes = []
    for piece in plaintext.pieces(of: pieces) { try sealer.seal(piece, appendingTo: &file) }
    try sealer.finish(appendingTo: &file)
    return file
}
