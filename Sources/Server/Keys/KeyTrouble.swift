import Storage

/// Why a command about keys was refused or could not be carried out, in words for the operator.
package struct KeyTrouble: Sendable, Equatable {
    /// What is wrong, and what to do.
    package let words: String
    /// Whether the answer is "no", not "could not tell".
    package let isRefusal: Bool

    init(_ words: String, isRefusal: Bool) {
        self.words = words
        self.isRefusal = isRefusal
    }

    /// - Returns: `nil` for an error that says nothing of keys or data.
    package init?(_ error: any Error) {
        switch error {
        case let error as ServerKeys.KeyError: self.init(error.words, isRefusal: true)
        case let error as LogKeyChange.StepError: self.init(error.words, isRefusal: true)
        case let error as RootTravel.TravelError: self.init(error.words, isRefusal: true)
        case let error as KeyFileError: self.init(error.words, isRefusal: true)
        case let error as RootCertificates.AnswerError: self.init(error.words, isRefusal: true)
        case let error as RootRequest.FormError: self.init(error.words, isRefusal: error.isRefusal)
        case KeyRotation.RotationError.unreadable(let table, let key):
            self.init(
                "nothing was changed: what is sealed in row '\(key)' of table '\(table)' does not open. Restore it from a "
                    + "backup first", isRefusal: false)
        case KeyRotation.RotationError.unfinished(let detail):
            self.init(
                "the new key is in force and in the log: do not repeat it. The next step has failed (\(detail)): "
                    + "restart the server, and look with 'countersign admin doctor'", isRefusal: false)
        case is RootKey.Missing:
            self.init(
                "the root is offline: give its file with --from, or bring it back with 'countersign admin root import'",
                isRefusal: true)
        case AuthorityError.rootOffline:
            self.init(
                "the root is offline: bring it back for a moment with 'countersign admin root import'", isRefusal: true)
        case TransparencyLog.LogError.unwitnessed(let failures):
            self.init(
                "it is done and in the log, and must not be repeated; its receipt comes when enough witnesses have "
                    + "signed: \(failures.joined(separator: "; "))", isRefusal: false)
        case TransparencyLog.LogError.unsealed(let error):
            self.init(
                "it is done and must not be repeated; its receipt comes when the log can be written again: \(error)",
                isRefusal: false)
        case TransparencyLog.LogError.damaged(let detail):
            self.init(
                "the log's files, key and database do not belong together (\(detail)): "
                    + "'countersign admin doctor' says more", isRefusal: false)
        case let error as StorageError: self.init("the data cannot be used: \(error)", isRefusal: false)
        default: return nil
        }
    }
}

extension RootTravel.TravelError {
    var words: String {
        switch self {
        case .notSetUp: "this server is not set up yet: there is no root"
        case .otherRoot: "the file holds another organisation's root. Nothing was changed"
        case .isHere: "the root is in the data directory already. Nothing was changed"
        }
    }
}

extension KeyFileError {
    var words: String {
        switch self {
        case .malformed: "the file is not one that 'countersign admin root export' wrote"
        case .unacceptableDerivation:
            "the file asks for a weaker or dearer passphrase check than allowed: it was changed"
        case .weakPassphrase:
            "the passphrase needs \(RootFile.shortestPassphrase) bytes at least: somebody who finds the file may guess for years"
        case .wrongPassphrase: "the passphrase is not this file's, or the file was changed"
        }
    }
}

extension RootCertificates.AnswerError {
    var words: String {
        switch self {
        case .unfit: "the answer holds a certificate that is not by this organisation's root for a key in use"
        case .notNewer: "the answer is old: a certificate in it ends no later than the one in use"
        }
    }
}

extension RootRequest.FormError {
    var words: String {
        switch self {
        case .malformed: "the file is not a request to the root, or not an answer of it"
        case .unknownKey:
            "stop: a key is to be certified that this root has never certified. Somebody has changed the server's data"
        }
    }

    /// Whether this is a no, rather than something that could not be told.
    var isRefusal: Bool { self == .unknownKey }
}

extension LogKeyChange.StepError {
    /// What to do.
    var words: String {
        switch self {
        case .notBegun: "there is no next log key: countersign admin keys log begin makes one"
        case .begun: "there is a next log key already: countersign admin keys log status shows it"
        case .notInPolicy:
            "the log policy in force does not name the next key, so nobody would trust it: the main administrator "
                + "signs one that does, countersign wallet admin log-policy set"
        case .inForceAlone:
            "the log policy in force names the next key and not the one in use: finish, or have the main administrator "
                + "sign a policy that names the one in use"
        case .notSigned:
            "the newest checkpoint is not signed by the next key: it is once something is entered into the log; try again then"
        case .unwitnessed(let failures):
            "with the next key alone too few witnesses sign; have they been given it? \(failures.joined(separator: "; "))"
        }
    }
}
