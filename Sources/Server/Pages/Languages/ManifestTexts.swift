import Encodings

/// The texts of the manifest, which says what an installed wallet is called.
enum ManifestTexts {
    private static let members: Set<Bytes> = Set(["name", "short_name", "description"].map { Bytes(text: $0) })
    private static let shortcuts = Bytes(text: "shortcuts")

    /// The keys of a manifest, in order.
    static func keys(of manifest: JSON) -> [String] {
        var keys: [String] = []
        _ = translate(manifest) {
            keys.append($0)
            return $0
        }
        return keys
    }

    /// The manifest in the language of a catalogue; `nil` if that lacks one of its texts: it is in no two languages.
    static func manifest(_ source: JSON, in catalogue: WordCatalogue) -> JSON? {
        guard keys(of: source).allSatisfy({ catalogue.texts[$0] != nil }) else { return nil }
        let translated = translate(source) { catalogue($0) }
        guard case .object(let all) = translated else { return nil }
        return .object(
            all.map { member in
                switch String(decoding: member.name, as: UTF8.self) {
                case "lang": JSON.Member(member.name, .text(catalogue.code))
                case "dir": JSON.Member(member.name, .text(catalogue.direction))
                default: member
                }
            })
    }

    private static func translate(_ json: JSON, _ translation: (String) -> String) -> JSON {
        guard case .object(let all) = json else { return json }
        return .object(
            all.map { member in
                if members.contains(member.name), case .string(let text) = member.value {
                    let english = String(decoding: text, as: UTF8.self)
                    // The name of the program is the same in all languages.
                    let isName = english == "Countersign"
                    return JSON.Member(member.name, isName ? member.value : .text(translation(english)))
                }
                guard member.name == shortcuts, case .array(let some) = member.value else { return member }
                return JSON.Member(member.name, .array(some.map { translate($0, translation) }))
            })
    }
}
