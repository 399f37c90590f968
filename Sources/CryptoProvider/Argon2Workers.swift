public import Encodings
package import Workers

/// Argon2id on threads of their own.
///
/// A hash blocks its thread for a good part of a second. Swift's cooperative pool has one thread for each core, so
/// hashing there would stall the whole program. Without a bound, anyone could make it use 64 MiB for each request.
public final class Argon2Workers: Sendable {
    /// The threads, which may do other work as well.
    package let work: BlockingWork
    private let parameters: Argon2Parameters
    private let limits: Argon2Limits

    /// Workers.
    ///
    /// - Parameters:
    ///   - threads: how many hashes are computed at once.
    ///   - maximumWaiting: how many more may wait; the next one is refused as `busy`.
    ///   - parameters: for new hashes.
    ///   - limits: for parameters that come out of a stored hash or a file.
    public convenience init(
        threads: Int = 2, maximumWaiting: Int = 32, parameters: Argon2Parameters = .recommended,
        limits: Argon2Limits = .standard
    ) {
        self.init(
            on: BlockingWork(BlockingWork.Bounds(threads: threads, waiting: maximumWaiting)), parameters: parameters,
            limits: limits)
    }

    /// Workers that share their threads and bounds with everything else that blocks.
    package init(
        on work: BlockingWork, parameters: Argon2Parameters = .recommended, limits: Argon2Limits = .standard
    ) {
        self.work = work
        self.parameters = parameters
        self.limits = limits
    }

    /// Hashes a new passphrase with a fresh salt of 16 bytes.
    public func hash(_ passphrase: Bytes) async throws(PassphraseHashError) -> PassphraseHash {
        let parameters = parameters
        let salt = RandomBytes.make(16)
        return try await run { () throws(PassphraseHashError) in
            try PassphraseHash.makeBlocking(passphrase, salt: salt, parameters: parameters)
        }
    }

    /// Checks a passphrase against a stored PHC string.
    ///
    /// - Parameter stored: `nil` when there is no such account. The answer is then `false`, after the same work, so the
    ///   time does not tell which accounts exist.
    public func verify(_ passphrase: Bytes, against stored: String?) async throws(PassphraseHashError) -> Bool {
        guard let stored else {
            _ = try await hash(passphrase)
            return false
        }
        let expected = try PassphraseHash(stored, limits: limits)
        return try await run { () throws(PassphraseHashError) in try expected.matchesBlocking(passphrase) }
    }

    /// Whether a stored hash was made with other parameters than new ones are, and wants to be renewed at the next
    /// sign-in.
    public func isOutdated(_ stored: String) -> Bool {
        (try? PassphraseHash(stored, limits: limits))?.parameters != parameters
    }

    /// Derives a key from a passphrase and a given salt, for wallet files.
    ///
    /// - Parameters:
    ///   - salt: at least 8 bytes; 16 random ones are right.
    ///   - parameters: out of the file, and therefore held to the limits.
    ///   - length: in bytes, 4 to 1024.
    public func derive(
        _ passphrase: Bytes, salt: Bytes, parameters: Argon2Parameters, length: Int = 32
    ) async throws(PassphraseHashError) -> Bytes {
        guard limits.allow(parameters) else { throw .badParameters }
        return try await run { () throws(PassphraseHashError) in
            try Argon2.deriveBlocking(passphrase: passphrase, salt: salt, parameters: parameters, length: length)
        }
    }

    private func run<Value: Sendable>(
        _ body: @escaping @Sendable () throws(PassphraseHashError) -> Value
    ) async throws(PassphraseHashError) -> Value {
        switch await work.attempt({ Result(catching: body) }) {
        case .success(let result): return try result.get()
        case .failure(.cancelled): throw .cancelled
        case .failure: throw .busy
        }
    }
}
