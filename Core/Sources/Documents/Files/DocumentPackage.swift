public import Encodings

/// Why a package or bundle is refused.
public enum DocumentFileError: Error, Equatable, Sendable {
    /// Larger than allowed.
    case tooLarge
    /// Not JSON that we accept.
    case notJSON(JSONError)
    /// JSON, yet not in its one canonical form (RFC 8785): two texts for one value.
    case notCanonical
    /// Another `format` than the one we know.
    case unknownFormat
    /// A member is missing, unknown or of the wrong kind.
    case unexpectedMember
    /// The document's name, media type or content is not acceptable.
    case malformedDocument
    /// More status tokens than allowed, or a part longer than allowed.
    case tooMuch
}

/// The package that the signer seals to the holder: the credential with every disclosure, and the file.
public struct DocumentPackage: Sendable, Equatable {
    /// The largest package, in bytes.
    public static let maximumSize = 16 << 20

    /// The SD-JWT with all disclosures, ending in `~`.
    public let credential: Bytes
    /// The file, when the credential has one.
    public let document: AttachedDocument?

    /// A package of a credential and its file.
    public init(credential: Bytes, document: AttachedDocument?) {
        self.credential = credential
        self.document = document
    }

    /// Reads a package that was opened.
    public static func parse(_ bytes: Bytes) throws(DocumentFileError) -> DocumentPackage {
        let json = try CanonicalFile.parse(bytes, maximumSize: maximumSize, format: "countersign-package-v1")
        guard let members = json.members, let credential = json["credential"]?.string else {
            throw .unexpectedMember
        }
        guard credential.count <= UnverifiedSDJWT.maximumLength else { throw .tooMuch }
        let document = try CanonicalFile.document(in: json)
        guard members.count == 2 + (document == nil ? 0 : 1) else { throw .unexpectedMember }
        return DocumentPackage(credential: credential, document: document)
    }

    /// The package as canonical JSON: the plaintext to be sealed.
    public func formatted() -> Bytes {
        var members = [JSON.Member("credential", .string(credential))]
        if let document { members.append(JSON.Member("document", document.json)) }
        members.append(JSON.Member("format", .text("countersign-package-v1")))
        // Written in canonical order already.
        return JSON.object(members).serialized()
    }
}

/// What package and bundle have in common.
enum CanonicalFile {
    /// A bundle with everything in it has 13 values.
    private static let maximumCount = 32

    static func parse(
        _ bytes: Bytes, maximumSize: Int, format: StaticString
    ) throws(DocumentFileError) -> JSON {
        guard bytes.count <= maximumSize else { throw .tooLarge }
        let json: JSON
        do {
            json = try JSON.parse(bytes, maximumLength: maximumSize, maximumDepth: 4, maximumCount: maximumCount)
        } catch {
            throw .notJSON(error)
        }
        guard let canonical = try? json.canonical(), canonical.hasSameBytes(as: bytes) else { throw .notCanonical }
        guard let name = json["format"], name.isString(format) else { throw .unknownFormat }
        return json
    }

    static func document(in json: JSON) throws(DocumentFileError) -> AttachedDocument? {
        guard let value = json["document"] else { return nil }
        guard let document = AttachedDocument(json: value) else { throw .malformedDocument }
        return document
    }
}
