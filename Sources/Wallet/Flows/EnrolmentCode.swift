import Documents
package import Encodings

/// The code that a holder shows to an administrator face to face, with texts as `String`: `EnrolmentCode` of Core.
package struct EnrolmentCode: Sendable, Equatable {
    /// What the text begins with.
    package static let prefix = "\(Documents.EnrolmentCode.prefix)"

    /// The code itself.
    let core: Documents.EnrolmentCode

    /// The public URL of the organisation's server.
    package var server: String { core.server.text }
    /// The id of the check.
    package var enrolment: String { core.enrolment.text }
    /// Thumbprint of the holder's signing key, 32 bytes.
    package var signingKey: Bytes { core.signingKey }
    /// Thumbprint of the holder's encryption key, 32 bytes.
    package var encryptionKey: Bytes { core.encryptionKey }
    /// SHA-256 of the holder's nonce, 32 bytes.
    package var commitment: Bytes { core.commitment }

    /// A code of these values.
    package init(server: String, enrolment: String, signingKey: Bytes, encryptionKey: Bytes, commitment: Bytes) {
        core = Documents.EnrolmentCode(
            server: Bytes(text: server), enrolment: Bytes(text: enrolment), signingKey: signingKey,
            encryptionKey: encryptionKey, commitment: commitment)
    }

    private init(_ core: Documents.EnrolmentCode) { self.core = core }

    /// Reads the bare text or the link to the administrator's page; white space around it does not matter.
    ///
    /// - Throws: `badCode` for anything but the one spelling of a code.
    package static func parse(_ text: String) throws(WalletError) -> EnrolmentCode {
        do {
            return EnrolmentCode(try Documents.EnrolmentCode.parse(Bytes(text: text)))
        } catch {
            switch error {
            case .tooLong: throw .badCode("it is too long")
            case .unknownForm: throw .badCode("it does not begin with \(prefix), and is no link to a server's check")
            case .malformed: throw .badCode("a character is wrong or missing")
            case .unexpectedPart: throw .badCode("a part is missing or of another length")
            case .otherServer: throw .badCode("the link leads to another server than the code is for")
            }
        }
    }

    /// The bare text.
    package var text: String { core.text.text }
    /// The link to the administrator's page.
    package var link: String { core.link.text }
}
