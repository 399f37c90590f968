import Certificates
import EllipticCurves
import Encodings
import Foundation
import Testing

/// The files beside these tests; `generate.py` and `generate-openssl.sh` there write them.
enum Fixtures {
    /// 2027-01-01T00:00:00Z, when the paths are checked.
    static let time: Int64 = 1_798_761_600

    static func text(_ path: String) throws -> Bytes {
        let folder = try #require(Bundle.module.resourceURL).appending(path: "Fixtures")
        return Bytes(try Data(contentsOf: folder.appending(path: path)))
    }

    /// The names of all paths.
    static func names() throws -> [String] {
        let folder = try #require(Bundle.module.resourceURL).appending(path: "Fixtures/paths")
        return try FileManager.default.contentsOfDirectory(atPath: folder.path).map { String($0.dropLast(4)) }
    }

    /// The certificates of a path, the leaf first.
    static func path(_ name: String) throws -> [Bytes] {
        try PEM.decode(try text("paths/\(name).pem"), label: PEM.certificate)
    }

    static func root(_ name: String = "root") throws -> TrustAnchor {
        try TrustAnchor(der: try #require(try PEM.decode(try text("\(name).pem")).first))
    }

    static func validate(
        _ path: [Bytes], root: TrustAnchor, purpose: CertificatePurpose = .documents, at time: Int64 = time
    ) throws -> ValidatedPath {
        let certificates = try path.map { try Certificate.parse($0) }
        return try CertificatePath.validate(
            leaf: try #require(certificates.first), intermediates: Array(certificates.dropFirst()), root: root,
            purpose: purpose, at: time, suite: PureSuite())
    }

    static func validate(
        _ name: String, root: String = "root", purpose: CertificatePurpose = .documents, at time: Int64 = time
    ) throws -> ValidatedPath {
        try validate(try path(name), root: try Fixtures.root(root), purpose: purpose, at: time)
    }
}

/// A file and why it must be refused.
struct Refusal: Sendable, CustomTestStringConvertible {
    let name: String
    let error: CertificateError

    init(_ name: String, _ error: CertificateError) {
        self.name = name
        self.error = error
    }

    var testDescription: String { name }
}
