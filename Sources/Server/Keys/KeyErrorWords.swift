extension ServerKeys.KeyError {
    /// The key that it is about, if it is one of those that rotate.
    var name: String? {
        switch self {
        case .malformed(let name), .exposed(let name), .missing(let name), .foreign(let name): name
        case .otherLog, .changing: nil
        }
    }

    /// What is wrong with a key of the server, and what to do.
    package var words: String {
        switch self {
        case .missing(let name):
            "the key '\(name)' is missing from the data directory's folder 'keys'. Put it back from a backup. The "
                + "server makes no new one, because the organisation's certificates and log belong to the old one"
        case .foreign(let name):
            "the key '\(name)' in the data directory's folder 'keys' is not this organisation's: its certificate is "
                + "for another key. Put the right one back"
        case .malformed(let name):
            "the file 'keys/\(name)' of the data directory is not a key. Put it back from a backup"
        case .exposed(let name):
            "others than the server's user may read 'keys/\(name)' of the data directory: chmod 600, and think about "
                + "who may have copied it"
        case .changing:
            "another server or command is changing a key in the same folder 'keys'. Nothing was changed: try again when it "
                + "has finished"
        case .otherLog:
            "the key 'log' in the data directory's folder 'keys' has not signed the log's newest checkpoint: it is an older "
                + "one, or another log's. The one in use stays; put the right one back before the next start"
        }
    }
}
