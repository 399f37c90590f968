import Certificates
import Encodings
import Foundation
import Passkeys

/// The makers of authenticators whose word counts, from a PEM file.
enum AttestationRoots {
    /// Reads the file; without one nobody is believed.
    ///
    /// - Throws: `CommandError` that says what is wrong with the file.
    static func read(_ path: String?) throws -> [TrustedAttestationRoot] {
        guard let path else { return [] }
        guard let data = try? Data(contentsOf: URL(fileURLWithPath: path)) else {
            throw CommandError("--attestation-roots: \(path) cannot be read.")
        }
        do {
            let roots = try PEM.decode(Bytes(data))
            guard !roots.isEmpty else { throw CommandError("--attestation-roots: \(path) holds no certificate.") }
            return try roots.map { try TrustedAttestationRoot(der: $0) }
        } catch let error as CommandError {
            throw error
        } catch {
            throw CommandError("--attestation-roots: \(path) is not a list of root certificates in PEM (\(error)).")
        }
    }
}
