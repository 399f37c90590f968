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
    /// The files that they name and the server's keys are read and checked first, as at a start.
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
        try await checkKeys()
        if certificate?.chain != settings.tls?.chain { reloaded.changed.append("another TLS certificate") }
        settings.set(kept, tls: certificate)
        return reloaded
    }

    /// Holds the key folder, and the keys of this process, against what the database says is in force.
    ///
    /// - Throws: `ServerKeys.KeyError`.
    private func checkKeys() async throws {
        let (organisation, fingerprints) = try await environment.keysInForce()
        _ = try ServerKeys.open(
            in: directory.path, for: organisation, fingerprints: fingerprints, secrets: environment.slices.secrets,
            random: environment.random)
        if let organisation { try environment.keys.requireInForce(organisation, fingerprints) }
    }
}
