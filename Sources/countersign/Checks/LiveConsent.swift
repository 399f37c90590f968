import Foundation

/// Whether a person has agreed, once, that this machine asks issuers' servers what was revoked.
///
/// Asking tells that server that somebody checks. So nobody is asked before `verify --live --remember`, and
/// `verify --no-live --remember` takes it back.
struct LiveConsent {
    private let path: String

    /// - Parameter environment: of this process; `COUNTERSIGN_LIVE_CONSENT` names another file than
    ///   `~/.countersign/live-status`.
    init(environment: [String: String] = ProcessInfo.processInfo.environment) {
        path = environment["COUNTERSIGN_LIVE_CONSENT"] ?? (NSHomeDirectory() + "/.countersign/live-status")
    }

    /// Whether it was given: a file that says `always`.
    var isGiven: Bool {
        guard let text = try? String(contentsOfFile: path, encoding: .utf8) else { return false }
        return text.trimmingCharacters(in: .whitespacesAndNewlines) == "always"
    }

    /// Gives it, or takes it back.
    ///
    /// - Throws: when the file cannot be written or removed.
    func remember(_ isGiven: Bool) throws {
        let folder = (path as NSString).deletingLastPathComponent
        do {
            if isGiven {
                try FileManager.default.createDirectory(
                    atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
                try Data("always\n".utf8).write(to: URL(fileURLWithPath: path), options: .atomic)
            } else if FileManager.default.fileExists(atPath: path) {
                try FileManager.default.removeItem(atPath: path)
            }
        } catch {
            throw CommandError("'\(path)' cannot be changed: \(error.localizedDescription)")
        }
    }
}
