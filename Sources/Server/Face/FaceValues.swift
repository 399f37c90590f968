import Interface

extension FaceService {
    /// How high the logo stands in the head of a page, and how wide it may be, in pixels.
    private static let (height, mostWidth): (Int64, Int64) = (36, 144)

    /// What the templates need of the face.
    func values() async throws -> [String: Any] {
        let face = try await find()
        var values: [String: Any] = [:]
        values["colour"] = face.accent.map { ["version": String($0.dropFirst())] }
        if let logo = face.logo {
            let width = min(Self.mostWidth, max(12, logo.width * Self.height / logo.height))
            values["logo"] = ["digest": logo.digest, "width": String(width), "height": String(Self.height)]
        }
        let parts = [
            ("legal-notice", "Legal notice", face.imprint.legalNotice),
            ("data-protection", "Data protection", face.imprint.privacy), ("contact", "Contact", face.imprint.contact),
        ]
        let imprint = parts.compactMap { id, title, text -> [String: Any]? in
            guard let text else { return nil }
            let isLink = FaceRules.isLink(text)
            return [
                "id": id, "title": title, "text": text, "isLink": isLink, "href": isLink ? text : "/imprint#" + id,
            ]
        }
        values["imprint"] = imprint
        values["hasImprint"] = !imprint.isEmpty
        return values
    }

    /// The style sheet of the face.
    ///
    /// It names the few places where the colour may be. A verdict, its answers and its checks are none of them: there a
    /// colour says whether something is genuine.
    static func styleSheet(_ face: OrganisationFace) -> String {
        guard let accent = face.accent, let text = face.textOnAccent else { return "/* No colour is set. */\n" }
        let button = ".button.primary:not(.danger, :disabled, [aria-disabled=true], #result *, .verdict *, .checks *)"
        return """
            header.site { border-top: 4px solid \(accent); }
            header.site nav a[aria-current] { box-shadow: inset 0 -3px \(accent); }
            .places a[aria-current] { box-shadow: inset 3px 0 \(accent), 0 0 0 1px var(--line); }
            \(button) { background: \(accent); border-color: \(accent); color: \(text); }
            \(button):hover { background: var(--ink); border-color: var(--ink); color: var(--paper); }
            @media (max-width: 47.99rem) {
            .places > ul > li > a[aria-current] { box-shadow: inset 0 3px \(accent); }
            }

            """
    }
}
