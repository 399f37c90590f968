/// Lengths of the age format, and what we read of it at most.
public enum AgeLimits {
    /// A header, in bytes; the format has no limit of its own.
    ///
    /// 2,600 recipients fit, or 160 hybrid ones.
    public static let header = 262_144
    /// Work factors (base-two logarithms) that we write and that a caller may allow to be read.
    public static let logWork = 1...22
    /// The work factor of a new file, as `age` has it: 256 MiB of memory, about a second.
    public static let usualLogWork = 18
    /// The highest work factor that is read unless the caller says otherwise: 1 GiB of memory.
    public static let highestLogWork = 20
    /// The plaintext of one piece of the content, in bytes.
    public static let chunk = 65_536
    /// A piece of that length as it is in a file, with its tag, in bytes; only the last of a file may be shorter.
    public static let sealedChunk = chunk + tag
    /// A passphrase, in bytes.
    public static let passphrase = 1...1_024

    static let tag = 16
    static let payloadNonce = 16
    static let fileKey = 16
    static let key = 32
    static let scryptSalt = 16
    static let hybridPublicKey = 1_216
    static let encapsulation = 1_120
    /// The body of a stanza of each type that we know.
    static let wrappedKey = fileKey + tag
    /// Columns of a line of base64.
    static let columns = 64
}
