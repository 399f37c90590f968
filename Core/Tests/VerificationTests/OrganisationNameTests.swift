import Encodings
import Testing

@testable import Verification

@Suite("The name of an organisation")
struct OrganisationNameTests {
    private static let whole =
        String(repeating: "Königliche Hochschule für Bildende Künste und Gestaltung ", count: 3) + "Süd"
    private static let shortened = String(whole.prefix(58)) + "…"

    @Test(
        "is the whole one of the credential when the certificate has its beginning, and both when they differ",
        arguments: [
            ("Purple University", nil, "Purple University"),
            ("Purple University", "Purple University", "Purple University"),
            (shortened, whole, whole),
            (shortened, nil, shortened),
            // What an administrator writes never replaces what the root vouches for.
            ("Purple University", "University of Cambridge", "Purple University (University of Cambridge)"),
            ("Purple …", "Purple Bank", "Purple … (Purple Bank)"),
            (shortened, "Hochschule Nord", shortened + " (Hochschule Nord)"),
        ] as [(String, String?, String)])
    func shown(certified: String, stated: String?, name: String) {
        let shown = OrganisationName.shown(certified: Bytes(text: certified), stated: stated.map { Bytes(text: $0) })
        #expect(String(decoding: shown, as: UTF8.self) == name)
    }
}
