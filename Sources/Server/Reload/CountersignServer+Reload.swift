import Storage

extension CountersignServer {
    /// What changed when settings were read again.
    package struct Reloaded: Sendable, Equatable {
        /// What is in force from now on, a few words each.
        package var changed: [String] = []
        /// The names of settings that are another only after a restart.
        package var waiting: [String] = []
    }

    /// Takes up settings without a stop: all of them that can change, or none.
    ///
    /// The files that they name are read first, and keys that others have rotated are taken up.
    ///
    /// - Throws: what a start would throw; then nothing is changed.
    package func reload(_ next: ServerConfiguration) async throws -> Reloaded {
        var reloaded = Reloaded()
        let old = settings.configuration
        var kept = old
        kept.take(from: next)
        for setting in ServerConfiguration.Setting.allCases where old.text(setting) != next.text(setting) {
            if kept.text(setting) == next.text(setting) {
                reloaded.changed.append("\(setting.rawValue) from \(old.text(setting)) to \(next.text(setting))")
            } else {
                reloaded.waiting.append(setting.rawValue)
            }
        }
        let certificate = try kept.tls.map { try ServerCertificate($0) }
        let (organisation, fingerprints) = try await environment.keysInForce()
        try environment.serverKeys.requireFiles(organisation, fingerprints)
        if let organisation {
            if try await environment.takeUpLogKeys() { reloaded.changed.append("other keys of the log") }
            for name in try environment.serverKeys.takeUp(organisation, fingerprints) {
                reloaded.changed.append("another key '\(name)'")
            }
        }
        if certificate?.chain != settings.tls?.chain { reloaded.changed.append("another TLS certificate") }
        settings.set(kept, tls: certificate)
        return reloaded
    }
}
