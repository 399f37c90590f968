import Interface
import Storage

/// Whose letters these are: the organisation's name, which is the sender's too, and where its imprint is.
///
/// Letters are plain text, so that nothing in them is fetched: logo and colour stay on pages.
struct Letterhead: Sendable, Equatable {
    /// One line; "Countersign" until the organisation is set up.
    let name: String
    /// A line for each part of the imprint, as the foot of each page has them.
    let imprint: [String]

    init(_ face: OrganisationFace, _ catalogue: WordCatalogue, publicURL: String) {
        let line = face.name.split(whereSeparator: \.isNewline).joined(separator: " ")
        name = line.isEmpty ? "Countersign" : line
        imprint = FaceService.parts(of: face.imprint, in: catalogue).map { part in
            "\(part.title): \(part.isLink ? Self.shown(part.href) : publicURL + part.href)"
        }
    }

    /// As it is now, in the language of a catalogue.
    static func find(
        in database: any Database, _ catalogue: WordCatalogue, publicURL: String
    ) async throws -> Letterhead {
        let face = try await database.read { try FaceStore(transaction: $0).find() }
        return Letterhead(face, catalogue, publicURL: publicURL)
    }

    /// What ends each text, behind the line that mail programs know a signature by (RFC 3676 section 4.3).
    var signature: String { (["", "-- ", name] + imprint).map { $0 + "\n" }.joined() }

    /// An address as people read it: of `mailto:` the e-mail address alone, if there is nothing else.
    private static func shown(_ link: String) -> String {
        let scheme = "mailto:"
        guard link.hasPrefix(scheme), let address = EmailAddress(String(link.dropFirst(scheme.count))) else {
            return link
        }
        return address.text
    }
}
