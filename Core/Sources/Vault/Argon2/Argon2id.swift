public import Encodings

/// Argon2id, version 1.3 (RFC 9106): makes every guess at a PIN cost time and memory.
///
/// It is our own because pages need it as WebAssembly. libargon2, which the server uses, needs a C library with threads
/// and files there, and no maintained source for it comes with our toolchain. It is held to the RFC's vectors and to
/// libargon2's results. Lanes are computed one after the other.
///
/// Argon2id reads memory at addresses that depend on the secret after the first half of the first pass: that is the
/// algorithm's own compromise.
public struct Argon2id: Sendable, Equatable {
    /// Memory in KiB.
    public let memory: Int
    /// Passes over the memory.
    public let passes: Int
    /// Lanes.
    public let lanes: Int

    /// What PINs of a vault are stretched with: 64 MiB, three passes, one lane.
    public static let pin = Argon2id(checkedMemory: 65_536, passes: 3, lanes: 1)

    /// Parameters.
    ///
    /// - Throws: `outOfRange` for less than 8 KiB for each lane, more than 1 GiB, more than 64 passes, more than 16 lanes.
    public init(memory: Int, passes: Int, lanes: Int) throws(VaultError) {
        guard 1...16 ~= lanes, 1...64 ~= passes, 8 * lanes...1 << 20 ~= memory else { throw .outOfRange }
        self.init(checkedMemory: memory, passes: passes, lanes: lanes)
    }

    private init(checkedMemory memory: Int, passes: Int, lanes: Int) {
        self.memory = memory
        self.passes = passes
        self.lanes = lanes
    }

    /// The hash of a password.
    ///
    /// - Parameters:
    ///   - secret: may be empty.
    ///   - associatedData: may be empty.
    ///   - count: of the output's bytes, 4 to 1,024.
    /// - Throws: `outOfRange` for another count, or a salt of fewer than 8 bytes.
    public func hash(
        _ password: Bytes, salt: Bytes, secret: Bytes = [], associatedData: Bytes = [], count: Int = 32
    ) throws(VaultError) -> Bytes {
        guard 4...1_024 ~= count, salt.count >= 8 else { throw .outOfRange }
        var start = Blake2b(count: 64)
        for number in [lanes, count, memory, passes, 0x13, 2] { start.update(littleEndian(UInt64(number), count: 4)) }
        for part in [password, salt, secret, associatedData] {
            start.update(littleEndian(UInt64(part.count), count: 4) + part)
        }
        let matrix = Argon2Matrix(lanes: lanes, blocks: memory)
        return matrix.filled(start.finish(), passes: passes, count: count)
    }
}
