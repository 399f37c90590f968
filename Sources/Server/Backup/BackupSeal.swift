import CryptoProvider
import Encodings

/// How a backup is sealed with a passphrase: Argon2id makes a key, AES-256-GCM seals chunk after chunk.
///
/// Each chunk is bound to its number, to the first line, and to whether it is the last: chunks cannot be exchanged,
/// left out or cut off. Sealing also authenticates: only someone who knows the passphrase can have made the file.
struct BackupSeal: Sendable {
    /// Bytes of a chunk before it is sealed.
    static let chunkLength = 1 << 20
    /// How many more it has afterwards: nonce and tag.
    static let overhead = 28
    /// What a sealed backup begins with.
    static let magic = Bytes(text: "countersign-backup-sealed 1 ")
    /// The most bytes of a first line.
    static let maximumHeader = 128

    /// The first line, without its end.
    let header: Bytes
    private let box: SecretBox

    /// A new seal.
    init(passphrase: String, random: RandomSource, parameters: Argon2Parameters = .recommended) async throws {
        let costs = "m=\(parameters.memory),t=\(parameters.passes),p=\(parameters.lanes)"
        let line = Self.magic + Bytes(text: costs + " ") + Base64.encode(random.bytes(16), .url)
        try await self.init(header: line, passphrase: passphrase, limits: .forTests)
    }

    /// The seal of a file whose first line is `header`.
    ///
    /// - Parameter limits: what the line may ask for.
    init(header: Bytes, passphrase: String, limits: Argon2Limits = .standard) async throws {
        let fields = header.split(at: 0x20)
        guard fields.count == 4, header.starts(with: Self.magic), let salt = Base64.decode(fields[3], .url),
            salt.count == 16, let parameters = Self.parameters(fields[2])
        else { throw BackupError.damaged("its first line") }
        let bytes = PassphraseHash.bytes(of: passphrase)
        guard bytes.count >= 10 else { throw BackupError.shortPassphrase }
        guard limits.allow(parameters) else { throw BackupError.damaged("its first line asks for a weak key") }
        let key = try await Argon2Workers(threads: 1, maximumWaiting: 1, limits: limits).derive(
            bytes, salt: salt, parameters: parameters, length: 32)
        self.header = header
        box = try SecretBox(key: key)
    }

    func seal(_ chunk: Bytes, number: UInt64, isLast: Bool) throws -> Bytes {
        try box.seal(chunk, purpose: purpose(number, isLast))
    }

    func open(_ chunk: Bytes, number: UInt64, isLast: Bool) throws(BackupError) -> Bytes {
        do {
            return try box.open(chunk, purpose: purpose(number, isLast))
        } catch {
            throw number == 0 ? .wrongPassphrase : .damaged("sealed chunk \(number)")
        }
    }

    private func purpose(_ number: UInt64, _ isLast: Bool) -> String {
        "\(String(decoding: header, as: UTF8.self))\nchunk \(number)\(isLast ? " last" : "")"
    }

    /// `m=…,t=…,p=…`.
    private static func parameters(_ text: Bytes) -> Argon2Parameters? {
        let parts = text.split(at: 0x2C)
        guard parts.count == 3 else { return nil }
        var numbers: [Int] = []
        for (part, name) in zip(parts, ["m=", "t=", "p="]) {
            guard part.starts(with: name.utf8), let value = parseDecimal(Array(part.dropFirst(2))),
                let number = Int(exactly: value)
            else { return nil }
            numbers.append(number)
        }
        return Argon2Parameters(memory: numbers[0], passes: numbers[1], lanes: numbers[2])
    }
}
