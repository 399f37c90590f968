import Encodings

/// The text of a wallet file, parsed and not opened: what is in clear, and what is sealed.
struct WalletContents: Equatable {
    static let format: StaticString = "countersign-wallet-v1"
    /// Keys, certificates and a checkpoint: far less than this.
    static let maximumSize = 1 << 20

    var header: WalletHeader
    /// Attempts to unlock since the last success.
    ///
    /// It is outside the part that the passphrase authenticates, because it changes before an attempt. Anyone who can
    /// write the file can reset it, and then still has Argon2id to overcome.
    var failedUnlocks: Int64
    /// Tells a wrong passphrase from a file that was tampered with.
    ///
    /// An attacker learns nothing from it that the sealed part would not tell too.
    var check: Bytes
    /// AES-256-GCM: nonce, ciphertext, tag.
    var sealed: Bytes

    /// The data to which the sealed part is bound: format, header and check, canonical.
    static func purpose(header: WalletHeader, check: Bytes) -> String {
        let json = JSON.members([
            ("check", .string(Base64.encode(check, .url))), ("format", .text("\(format)")), ("header", header.json),
        ])
        return String(decoding: (try? json.canonical()) ?? [], as: UTF8.self)
    }

    func formatted() -> Bytes {
        let json = JSON.members([
            ("format", .text("\(Self.format)")), ("failed_unlocks", .integer(failedUnlocks)), ("header", header.json),
            ("check", .string(Base64.encode(check, .url))), ("sealed", .string(Base64.encode(sealed, .url))),
        ])
        return json.serialized() + [0x0A]
    }

    static func parse(_ bytes: Bytes) throws(WalletError) -> WalletContents {
        guard let json = try? JSON.parse(bytes, maximumLength: maximumSize, maximumDepth: 4),
            json.members?.count == 5, json["format"]?.isString(format) == true,
            let failed = json["failed_unlocks"]?.integer, failed >= 0,
            let header = json["header"].flatMap({ WalletHeader(json: $0) }),
            let check = json["check"]?.string.flatMap({ Base64.decode($0, .url) }), check.count == 16,
            let sealed = json["sealed"]?.string.flatMap({ Base64.decode($0, .url) })
        else { throw .notAWallet }
        return WalletContents(header: header, failedUnlocks: failed, check: check, sealed: sealed)
    }
}
