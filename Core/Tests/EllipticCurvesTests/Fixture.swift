import EllipticCurves
import Encodings
import Foundation

/// A text fixture: lines of fields with single spaces between them.
enum Fixture {
    struct Missing: Error {
        let name: String
    }

    static func text(_ name: String) throws -> String {
        guard let url = Bundle.module.url(forResource: name, withExtension: nil, subdirectory: "Fixtures") else {
            throw Missing(name: name)
        }
        return try String(contentsOf: url, encoding: .utf8)
    }

    static func lines(_ name: String) throws -> [[String]] {
        try text(name).split(separator: "\n").map { $0.split(separator: " ").map(String.init) }
    }

    /// Bytes from hexadecimal; `-` is the empty string.
    static func bytes(_ hex: String) throws -> Bytes {
        guard hex != "-" else { return [] }
        guard let bytes = Hex.decode(Bytes(text: hex)) else { throw Missing(name: hex) }
        return bytes
    }

    /// The curve of this name.
    static func curve(_ name: String) throws -> EllipticCurve {
        guard let curve = EllipticCurve.allCases.first(where: { "\($0.name)" == name }) else {
            throw Missing(name: name)
        }
        return curve
    }

    /// The hash function of this name.
    static func digest(_ name: String) throws -> MessageDigest {
        switch name {
        case "sha256": .sha256
        case "sha384": .sha384
        case "sha512": .sha512
        default: throw Missing(name: name)
        }
    }
}
