import Interface

extension FaceService {
    /// How high the logo is in the head of a page, and how wide it may be, in pixels.
    private static let (height, mostWidth): (Int64, Int64) = (36, 144)

    /// The parts of an imprint: a name in the page, and what people call it.
    static let imprintParts = [
        ("legal-notice", "Legal notice", \Imprint.legalNotice), ("data-protection", "Data protection", \.privacy),
        ("contact", "Contact", \.contact),
    ]

    /// A part of an imprint, as pages and letters name it.
    struct Part: Sendable {
        let id: String
        let title: String
        let text: String
        /// Whether the text is an address of the organisation's.
        let isLink: Bool
        /// That address, or the place on this server where the text is.
        var href: String { isLink ? text : "/imprint#" + id }
    }

    /// The parts that an imprint has, in the language of a catalogue.
    static func parts(of imprint: Imprint, in catalogue: WordCatalogue) -> [Part] {
        imprintParts.compactMap { id, title, part -> Part? in
            guard let text = imprint[keyPath: part] else { return nil }
            return Part(id: id, title: catalogue(title), text: text, isLink: FaceRules.isLink(text))
        }
    }

    /// The values of a face for the templates, in the language of a catalogue.
    static func values(of face: OrganisationFace, in catalogue: WordCatalogue) -> [String: Any] {
        var values: [String: Any] = [:]
        values["colour"] = face.accent.map { ["version": String($0.dropFirst())] }
        if let logo = face.logo {
            let width = min(mostWidth, max(12, logo.width * height / logo.height))
            values["logo"] = ["digest": logo.digest, "width": String(width), "height": String(height)]
        }
        let imprint = parts(of: face.imprint, in: catalogue).map { part -> [String: Any] in
            ["id": part.id, "title": part.title, "text": part.text, "isLink": part.isLink, "href": part.href]
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
