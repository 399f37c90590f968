import Encodings
import Interface
import Storage

/// The organisation's face in the database.
struct FaceStore {
    let transaction: Transaction

    /// All but the bytes of the logo, which only its own address sends.
    func find() throws -> OrganisationFace {
        var face = try look()
        face.name = try OrganisationStore(transaction: transaction).name() ?? ""
        return face
    }

    private func look() throws -> OrganisationFace {
        let row = try transaction.row(
            """
            SELECT accent, logo_type, logo_digest, logo_width, logo_height, logo_bytes, legal_notice, privacy, contact
            FROM organisation_face WHERE id = 1
            """, [])
        guard let row else { return OrganisationFace() }
        let accent = try AccentColour(Bytes(text: row.text("accent")))
        var face = OrganisationFace(
            accent: accent?.text, textOnAccent: accent?.textColour.text,
            imprint: Imprint(
                legalNotice: try row.text("legal_notice").unlessEmpty, privacy: try row.text("privacy").unlessEmpty,
                contact: try row.text("contact").unlessEmpty))
        if let digest = try row.text("logo_digest").unlessEmpty {
            face.logo = OrganisationFace.Logo(
                mediaType: try row.text("logo_type"), width: try row.integer("logo_width"),
                height: try row.integer("logo_height"), bytes: try row.integer("logo_bytes"), digest: digest)
        }
        return face
    }

    /// The file of the logo.
    func file() throws -> Bytes? {
        guard let row = try transaction.row("SELECT logo FROM organisation_face WHERE id = 1", []),
            let text = try row.text("logo").unlessEmpty
        else { return nil }
        guard let bytes = Base64.decode(Bytes(text: text), .url) else {
            throw StoredValueError(column: "organisation_face.logo")
        }
        return bytes
    }

    /// Replaces the face.
    func set(_ face: OrganisationFace, file: Bytes?) throws {
        try transaction.execute("DELETE FROM organisation_face", [])
        try transaction.execute(
            """
            INSERT INTO organisation_face (id, accent, logo, logo_type, logo_digest, logo_width, logo_height,
                logo_bytes, legal_notice, privacy, contact)
            VALUES (1, $1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
            """,
            [
                .text(face.accent ?? ""), .text(file?.base64URL ?? ""), .text(face.logo?.mediaType ?? ""),
                .text(face.logo?.digest ?? ""), .integer(face.logo?.width ?? 0), .integer(face.logo?.height ?? 0),
                .integer(face.logo?.bytes ?? 0), .text(face.imprint.legalNotice ?? ""),
                .text(face.imprint.privacy ?? ""), .text(face.imprint.contact ?? ""),
            ])
    }
}

extension String {
    /// The text, if there is any.
    fileprivate var unlessEmpty: String? { isEmpty ? nil : self }
}
