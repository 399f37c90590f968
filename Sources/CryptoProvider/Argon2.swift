internal import CArgon2
internal import Encodings

/// What one Argon2id hash costs (RFC 9106 section 3.1).
public struct Argon2Parameters: Sendable, Equatable {
    /// Memory, in KiB.
    public let memory: Int
    /// Passes over the memory.
    public let passes: Int
    /// Lanes.
    ///
    /// Computed one after the other here: the number of threads belongs to `Argon2Workers`.
    public let lanes: Int

    /// Parameters; whether they are acceptable is for `Argon2Limits` to say.
    public init(memory: Int, passes: Int, lanes: Int) {
        self.memory = memory
        self.passes = passes
        self.lanes = lanes
    }

    /// The second recommended option of RFC 9106 section 4: 64 MiB, 3 passes, 4 lanes.
    public static let recommended = Argon2Parameters(memory: 65536, passes: 3, lanes: 4)
    /// As cheap as can be.
    ///
    /// Tests only: `Argon2Limits.standard` refuses what they make.
    public static let forTests = Argon2Parameters(memory: 32, passes: 1, lanes: 1)
}

/// Which parameters are accepted out of a stored hash or a wallet file.
///
/// The lower bounds keep a changed file from making guessing cheap, the upper ones from eating all memory.
public struct Argon2Limits: Sendable, Equatable {
    /// In KiB.
    public let memory: ClosedRange<Int>
    /// Passes over the memory.
    public let passes: ClosedRange<Int>
    /// Lanes.
    public let lanes: ClosedRange<Int>

    /// 19 MiB to 1 GiB, 2 to 16 passes, 1 to 16 lanes.
    public static let standard = Argon2Limits(memory: 19456...1 << 20, passes: 2...16, lanes: 1...16)
    /// The upper bounds only.
    ///
    /// Tests only.
    public static let forTests = Argon2Limits(memory: 8...1 << 20, passes: 1...16, lanes: 1...16)

    /// Whether the parameters lie within the limits, and the memory holds eight blocks for each lane.
    public func allow(_ parameters: Argon2Parameters) -> Bool {
        memory.contains(parameters.memory) && passes.contains(parameters.passes)
            && lanes.contains(parameters.lanes) && parameters.memory >= 8 * parameters.lanes
    }
}

/// Argon2id version 1.3 through libargon2.
enum Argon2 {
    /// Derives bytes on the calling thread, which it blocks for a good part of a second.
    ///
    /// - Parameters:
    ///   - secret: the pepper, K in RFC 9106; usually empty.
    ///   - associatedData: X in RFC 9106; usually empty.
    ///   - length: of the result, in bytes.
    static func deriveBlocking(
        passphrase: Bytes, salt: Bytes, secret: Bytes = [], associatedData: Bytes = [],
        parameters: Argon2Parameters, length: Int
    ) throws(PassphraseHashError) -> Bytes {
        guard let memory = UInt32(exactly: parameters.memory), let passes = UInt32(exactly: parameters.passes),
            let lanes = UInt32(exactly: parameters.lanes), salt.count >= 8, length >= 4, length <= 1024,
            passphrase.count <= PassphraseHash.maximumLength
        else { throw .badParameters }
        var passphrase = passphrase
        var salt = salt
        var secret = secret
        var associatedData = associatedData
        var output = Bytes(repeating: 0, count: length)
        let status = unsafe passphrase.withUnsafeMutableBufferPointer { passphrase in
            unsafe salt.withUnsafeMutableBufferPointer { salt in
                unsafe secret.withUnsafeMutableBufferPointer { secret in
                    unsafe associatedData.withUnsafeMutableBufferPointer { associatedData in
                        unsafe output.withUnsafeMutableBufferPointer { output in
                            var context = unsafe argon2_context(
                                out: output.baseAddress, outlen: UInt32(output.count),
                                pwd: passphrase.baseAddress, pwdlen: UInt32(passphrase.count),
                                salt: salt.baseAddress, saltlen: UInt32(salt.count),
                                secret: secret.baseAddress, secretlen: UInt32(secret.count),
                                ad: associatedData.baseAddress, adlen: UInt32(associatedData.count),
                                t_cost: passes, m_cost: memory, lanes: lanes, threads: 1,
                                version: UInt32(ARGON2_VERSION_13.rawValue),
                                allocate_cbk: { unsafe Argon2Memory.allocate($0, $1) },
                                free_cbk: { memory, _ in unsafe Argon2Memory.release(memory) },
                                // Wipes the copy of the passphrase made above.
                                flags: 1)
                            return unsafe argon2_ctx(&context, Argon2_id)
                        }
                    }
                }
            }
        }
        switch status {
        case Int32(ARGON2_OK.rawValue): return output
        case Int32(ARGON2_MEMORY_ALLOCATION_ERROR.rawValue): throw .outOfMemory
        default: throw .badParameters
        }
    }
}
