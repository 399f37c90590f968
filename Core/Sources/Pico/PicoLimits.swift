/// What a message may have at most, in bytes (section 14).
///
/// Lengths have no other rule: a receiver takes every length up to its limit, also those that the original's library
/// misreads (section 3.4).
public enum PicoLimits {
    /// A message without its length, as we read it.
    ///
    /// What we write stays below the 8 KiB that jpico reads.
    public static let message = 65_536
    /// The text of a visual code; also as much as a phone reads of a beacon (section 2.2).
    public static let code = 4_096
    /// Extra data in PicoAuth and Status.
    public static let extraData = 4_096
    /// The name of a service.
    public static let name = 256
    /// A channel address.
    public static let address = 1_024
    /// A nonce; an empty one is refused.
    static let nonce = 1...64
    /// A nonce that we make.
    static let ownNonce = 8
    /// An initialisation vector.
    static let iv = 1...64
    /// An initialisation vector that we make.
    static let ownIV = 16
    /// A tag.
    static let tag = 16
    /// A SubjectPublicKeyInfo on the longest curve, P-521.
    static let publicKey = 158
    /// A DER signature on the longest curve: a sequence with a long length, and two integers of 66 bytes.
    static let signature = 141
    /// An output of HMAC and of SHA-256, and a sequence number.
    static let digest = 32
    /// The most messages that one session key seals in one direction, far below what random IVs allow (number 9).
    static let messagesPerKey = 1 << 20
}
