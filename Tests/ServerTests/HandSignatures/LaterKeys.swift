import Interface

@testable import Server

extension Environment {
    /// What the next start makes of these keys.
    func with(_ keys: ServerKeys) -> Environment {
        Environment(
            publicURL: publicURL, database: database, blobs: blobs, directory: directory, keys: keys.all,
            serverKeys: keys, log: log,
            statusLists: statusLists,
            passphrases: passphrases, attestationRoots: attestationRoots, events: events, clock: clock, random: random,
            slices: slices, setUpCode: setUpCode)
    }
}
