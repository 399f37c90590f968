public import Encodings

/// Writes an age file piece by piece, in constant memory.
public struct AgeSealer<Suite: AgeCryptoSuite>: Sendable {
    private var payload: AgePayloadSealer<Suite>
    private var armour: AgeArmourWriter?
    /// What comes before the content, until it is written.
    private var beginning: Bytes
    private var isFinished = false

    /// A file that each of the recipients can open.
    ///
    /// - Throws: `noRecipients`, `mixedRecipients`, `invalidRecipient`, `unsupported`, `suiteFailed`.
    public init(to recipients: [AgeRecipient], format: AgeFormat = .binary, suite: Suite) throws(AgeError) {
        guard let first = recipients.first else { throw .noRecipients }
        guard recipients.allSatisfy({ $0.isHybrid == first.isHybrid }) else { throw .mixedRecipients }
        let fileKey = try AgeFileKey.generate(suite)
        let stanzas = try recipients.map { recipient throws(AgeError) in try recipient.wrap(fileKey, suite) }
        try self.init(fileKey, stanzas, format, suite)
    }

    /// A file that a passphrase opens.
    ///
    /// - Parameters:
    ///   - passphrase: its UTF-8 bytes, `AgeLimits.passphrase`.
    ///   - logWork: the base-two logarithm of the work factor, `AgeLimits.logWork`; it takes 2^`logWork` KiB of memory.
    /// - Throws: `invalidWorkFactor`, `suiteFailed`; `noRecipients` for an empty or too long passphrase.
    public init(
        passphrase: Bytes, logWork: Int = AgeLimits.usualLogWork, format: AgeFormat = .binary, suite: Suite
    ) throws(AgeError) {
        guard AgeLimits.passphrase ~= passphrase.count else { throw .noRecipients }
        let fileKey = try AgeFileKey.generate(suite)
        let stanza = try ScryptWrapping.wrap(fileKey, passphrase: passphrase, logWork: logWork, suite)
        try self.init(fileKey, [stanza], format, suite)
    }

    private init(
        _ fileKey: AgeFileKey, _ stanzas: [AgeStanza], _ format: AgeFormat, _ suite: Suite
    ) throws(AgeError) {
        let header = AgeHeader.authenticated(stanzas, by: fileKey, suite).encoded
        // What nobody would read is not written.
        guard header.count <= AgeLimits.header else { throw .headerTooLong }
        let nonce = try suite.fresh(AgeLimits.payloadNonce)
        payload = AgePayloadSealer(key: fileKey.payloadKey(nonce: nonce, suite), suite: suite)
        beginning = header + nonce
        if case .armoured = format { armour = AgeArmourWriter() }
    }

    /// Takes the next bytes of the content, and appends the next bytes of the file.
    ///
    /// Pieces of 64 KiB or multiples of them are copied least.
    /// - Throws: `finished`, `suiteFailed`.
    public mutating func seal(_ plaintext: Bytes, appendingTo file: inout Bytes) throws(AgeError) {
        guard !isFinished else { throw .finished }
        guard armour != nil else {
            begin(&file)
            return try payload.seal(plaintext, appendingTo: &file)
        }
        var bytes: Bytes = []
        begin(&bytes)
        try payload.seal(plaintext, appendingTo: &bytes)
        armour?.write(bytes, appendingTo: &file)
    }

    /// Appends the rest of the file.
    ///
    /// - Throws: `finished`, `suiteFailed`.
    public mutating func finish(appendingTo file: inout Bytes) throws(AgeError) {
        guard !isFinished else { throw .finished }
        isFinished = true
        var bytes: Bytes = []
        begin(&bytes)
        try payload.finish(appendingTo: &bytes)
        guard armour != nil else { return file += bytes }
        armour?.write(bytes, appendingTo: &file)
        armour?.finish(appendingTo: &file)
    }

    private mutating func begin(_ output: inout Bytes) {
        output += beginning
        beginning.removeAll()
    }
}
