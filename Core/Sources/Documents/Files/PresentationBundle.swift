public import Encodings

/// The one file that a verifier gets (`.countersign`): presentation, document, stapled status, receipt.
///
/// It proves nothing by itself, and holds no trust anchor: the chain without the root travels in the credential's
/// header, under the issuer's signature.
public struct PresentationBundle: Sendable, Equatable {
    /// The largest bundle, in bytes.
    public static let maximumSize = 16 << 20
    /// The media type of a bundle.
    public static let mediaType = "application/vnd.countersign.presentation+json"
    /// The most status tokens, and the longest of them and of receipts, in bytes.
    static let maximumTokens = 4
    static let maximumToken = 1 << 19
    static let maximumReceipt = 1 << 16

    /// SD-JWT with key binding, compact.
    public let presentation: Bytes
    /// The file; there exactly when the `document` claim is disclosed.
    public let document: AttachedDocument?
    /// Status list tokens, compact.
    public let status: [Bytes]
    /// The transparency log's receipt, a tlog-proof text.
    public let receipt: Bytes?

    /// A bundle of these parts.
    public init(presentation: Bytes, document: AttachedDocument?, status: [Bytes], receipt: Bytes?) {
        self.presentation = presentation
        self.document = document
        self.status = status
        self.receipt = receipt
    }

    /// Whether these bytes may be a bundle, or a part of one: a PDF or a picture is not.
    public static func isLikely(_ bytes: Bytes) -> Bool {
        bytes.first { $0 != 0x20 && !(0x09...0x0D).contains($0) } == 0x7B
    }

    /// Reads a bundle; anything but its one canonical spelling is refused.
    public static func parse(_ bytes: Bytes) throws(DocumentFileError) -> PresentationBundle {
        let json = try CanonicalFile.parse(
            bytes, maximumSize: maximumSize, format: "countersign-presentation-v1")
        guard let members = json.members, let presentation = json["presentation"]?.string,
            let tokens = json["status"]?.array
        else { throw .unexpectedMember }
        let document = try CanonicalFile.document(in: json)
        var receipt: Bytes?
        if let value = json["receipt"] {
            guard let text = value.string else { throw .unexpectedMember }
            receipt = text
        }
        guard members.count == 3 + (document == nil ? 0 : 1) + (receipt == nil ? 0 : 1) else {
            throw .unexpectedMember
        }
        guard tokens.count <= maximumTokens, (receipt?.count ?? 0) <= maximumReceipt,
            presentation.count <= UnverifiedSDJWT.maximumLength
        else { throw .tooMuch }
        var status: [Bytes] = []
        for token in tokens {
            guard let text = token.string else { throw .unexpectedMember }
            guard text.count <= maximumToken else { throw .tooMuch }
            status.append(text)
        }
        return PresentationBundle(
            presentation: presentation, document: document, status: status, receipt: receipt)
    }

    /// The bundle as canonical JSON.
    public func formatted() -> Bytes {
        var members: [JSON.Member] = []
        if let document { members.append(JSON.Member("document", document.json)) }
        members.append(JSON.Member("format", .text("countersign-presentation-v1")))
        members.append(JSON.Member("presentation", .string(presentation)))
        if let receipt { members.append(JSON.Member("receipt", .string(receipt))) }
        members.append(JSON.Member("status", .array(status.map { .string($0) })))
        // Written in canonical order already.
        return JSON.object(members).serialized()
    }
}
