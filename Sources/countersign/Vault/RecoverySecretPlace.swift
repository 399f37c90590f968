import Encodings
import Wallet

/// Where a new recovery secret is put down: in a file beside the one that was asked for, until the server has stored what
/// it opens.
struct RecoverySecretPlace: Sendable {
    /// The secrets that are put down.
    enum Kind: Sendable {
        /// The recovery key of a new vault.
        case words
        /// A new recovery key of a vault that there is.
        case newWords
        /// Three recovery shares.
        case shares

        /// As people call them.
        fileprivate var name: String {
            switch self {
            case .words, .newWords: "words"
            case .shares: "shares"
            }
        }

        /// The option that names the file.
        fileprivate var option: String {
            switch self {
            case .words: "--recovery-out"
            case .newWords, .shares: "--out"
            }
        }

        /// Shows itself in the list of slots if the server has stored it after all.
        fileprivate var sign: String {
            switch self {
            case .words: "you have a vault"
            case .newWords: "there is a new recovery key"
            case .shares: "there is a new share"
            }
        }

        /// What is said of what they replace if that was not removed.
        fileprivate var earlier: String {
            switch self {
            case .words: ""
            case .newWords, .shares:
                ". What they replace still opens your vault: see 'countersign wallet vault slots', and remove it there"
            }
        }
    }

    let kind: Kind
    /// `nil` for paper, `-` for standard output.
    let path: String?

    init(_ kind: Kind, path: String?) {
        self.kind = kind
        self.path = path
    }

    /// The file beside it.
    private var file: (path: String, pending: String)? {
        guard let path, path != "-" else { return nil }
        return (path, path + ".unconfirmed")
    }

    /// Writes the secret durably, each part on a line.
    func write(_ parts: [Bytes]) throws {
        let lines = Array(parts.map { $0 + [0x0A] }.joined())
        if let file { try Files.requireFree(file.path, force: nil, option: kind.option) }
        try Files.write(lines, to: file?.pending ?? "-", force: nil, option: kind.option)
    }

    /// Gives the file its name, or removes it, and says so where the secret is not what was asked for.
    func settle(_ outcome: RecoverySecretOutcome) throws {
        let name = kind.name
        switch outcome {
        case .stored:
            guard let file else { return }
            do {
                try Files.requireFree(file.path, force: nil, option: kind.option)
                try AtomicFile.move(file.pending, to: file.path)
            } catch {
                throw CommandError(
                    "the \(name) open your vault, but \(file.path) cannot be written now. They are in \(file.pending): "
                        + "keep it\(kind.earlier)")
            }
        case .notStored:
            if let file { AtomicFile.remove(file.pending) }
            Terminal.note(
                "The server has stored nothing for these \(name), and they open nothing."
                    + (file.map { " \($0.path) was not written." } ?? ""))
        case .unknown:
            Terminal.note(
                "It is not known whether these \(name) open your vault. Keep "
                    + (file.map { "them: they are in \($0.pending)." } ?? "them.")
                    + " Look with 'countersign wallet vault slots' whether \(kind.sign) before you try again.")
        }
    }
}
