import Age
import Encodings

/// The cryptography of one file: random bytes that the page brought, and what `Core` computes.
///
/// scrypt takes 256 MiB and more, which a module never gives back. So the page computes it in another instance, which it
/// then drops: this suite only says what it needs.
final class ExportSuite: AgeCryptoSuite, @unchecked Sendable {
    /// The scrypt that a file needs.
    struct Stretching: Equatable {
        let salt: Bytes
        let logWork: Int
    }

    // A worker has one thread.
    private var random: Bytes
    private let stretched: Bytes?
    /// What was asked for and is not here.
    private(set) var missing: Stretching?

    /// Takes random bytes, and the result of scrypt if it was computed.
    init(random: Bytes = [], stretched: Bytes? = nil) {
        self.random = random
        self.stretched = stretched
    }

    /// The page's random bytes, one after the other; none if there are too few, and then the call fails.
    func randomBytes(_ count: Int) -> Bytes {
        guard random.count >= count else { return [] }
        let taken = Array(random.prefix(count))
        random.removeFirst(count)
        return taken
    }

    /// The result that the page brought.
    ///
    /// A wrong one opens nothing: it is tried as the key, whatever it is.
    func scrypt(_ passphrase: Bytes, salt: Bytes, logWork: Int) -> Bytes? {
        if let stretched { return stretched }
        missing = Stretching(salt: salt, logWork: logWork)
        return nil
    }
}
