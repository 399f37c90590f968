import CryptoProvider
import Encodings
import Storage

/// Seals what the database must not show: templates, movements, identity numbers, figures.
///
/// Each thing has its own key, made from the server's template secret and what the thing is. So a row that is copied to
/// another place does not open there.
struct TemplateBox: Sendable {
    private let secret: Bytes
    /// While the secret is being replaced, what is not sealed again yet opens under this one (`SealingRotation`).
    private let other: Bytes?

    init(_ keys: SliceKeys) {
        let secrets = keys.secrets(.templateSecret)
        self.init(secret: secrets[0], other: secrets.dropFirst().first)
    }

    init(secret: Bytes, other: Bytes? = nil) { (self.secret, self.other) = (secret, other) }

    /// What is sealed.
    enum Content: String, CaseIterable {
        case clientDetails = "client details"
        case template
        case evidence
        case capture
        case decision
        case signedFile = "signed file"
        case workspaceFile = "workspace file"
        case handover
        case clientAct = "client act"
    }

    func seal(_ plaintext: Bytes, _ content: Content, of id: String) throws -> Bytes {
        try box(content, id, under: secret).seal(plaintext, purpose: Self.purpose(content, id))
    }

    func open(_ sealed: Bytes, _ content: Content, of id: String) throws -> Bytes {
        do {
            return try box(content, id, under: secret).open(sealed, purpose: Self.purpose(content, id))
        } catch {
            guard let other else { throw error }
            return try box(content, id, under: other).open(sealed, purpose: Self.purpose(content, id))
        }
    }

    /// The same as text, for a column.
    func sealText(_ plaintext: Bytes, _ content: Content, of id: String) throws -> String {
        try seal(plaintext, content, of: id).base64URL
    }

    func openText(_ text: String, _ content: Content, of id: String) throws -> Bytes {
        guard let sealed = Base64.decode(Bytes(text: text), .url) else { throw StoredValueError(column: "sealed") }
        return try open(sealed, content, of: id)
    }

    /// The stored form of an identity number, to find it again: a reader of the database cannot try numbers.
    func hash(ofNumber number: String) -> String {
        let key = IdentityNumber.key(number)
        return HMACSHA256.authenticate(Bytes(text: "identity number") + [0] + Bytes(text: key), key: secret).base64URL
    }

    /// All that may be stored of an identity number.
    func hashes(ofNumber number: String) -> [String] { boxes.map { $0.hash(ofNumber: number) } }

    /// Whether this is stored of the SHA-256 of a signed file.
    func isIndex(_ index: String, ofDigest digest: String) -> Bool {
        boxes.contains { $0.index(ofDigest: digest) == index }
    }

    /// Whether this is stored of a capture that a phone has sent.
    func isIndex(_ index: String, ofCapture text: String) -> Bool {
        boxes.contains { $0.index(ofCapture: text) == index }
    }

    private var boxes: [TemplateBox] { [secret, other].compactMap(\.self).map { TemplateBox(secret: $0) } }

    /// The stored form of a signed file's SHA-256, to find it again.
    ///
    /// The text holds an identity number, and a reader of the database could try numbers against a plain digest.
    func index(ofDigest digest: String) -> String {
        Self.indexPrefix
            + HMACSHA256.authenticate(Bytes(text: "signed file") + [0] + Bytes(text: digest), key: secret).base64URL
    }

    /// The stored form of a capture that a phone has sent, kept for minutes.
    func index(ofCapture text: String) -> String {
        HMACSHA256.authenticate(Bytes(text: "capture of a ticket") + [0] + Bytes(text: text), key: secret).base64URL
    }

    /// No digest in base64url begins so.
    static let indexPrefix = "i."

    private func box(_ content: Content, _ id: String, under secret: Bytes) throws -> SecretBox {
        try SecretBox(
            key: HMACSHA256.authenticate(
                Bytes(text: "countersign template key v1") + [0] + Bytes(text: Self.purpose(content, id)), key: secret))
    }

    private static func purpose(_ content: Content, _ id: String) -> String { "\(content.rawValue) \(id)" }
}
