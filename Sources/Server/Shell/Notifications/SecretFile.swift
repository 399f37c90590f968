import Foundation

/// A file with the secrets of a way out, which only the server may read.
enum SecretFile {
    /// Reads a file that only its owner may read.
    ///
    /// - Parameter what: what is in it, for the operator.
    /// - Throws: `NotificationSetUpError`, which says what to do.
    static func read(_ path: String, _ what: String) throws -> String {
        guard let bytes = FileManager.default.contents(atPath: path),
            let mode = try? FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
        else { throw NotificationSetUpError(description: "the \(what) in \(path) cannot be read") }
        guard mode & 0o077 == 0 else {
            throw NotificationSetUpError(description: "others may read the \(what) in \(path): chmod 600 \(path)")
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}

/// What an operator has to put right before the server can start.
struct NotificationSetUpError: Error, Equatable, CustomStringConvertible {
    let description: String
}
