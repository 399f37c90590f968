import ArgumentParser
import Encodings
import Interface
import Wallet

/// `countersign wallet admin face`.
struct FaceCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "face",
        abstract: "Show or set the organisation's name, logo, colour and imprint: the main administrator.",
        discussion: """
            Without options it shows them. Parts that you leave out stay as they are; an empty text removes one.

              countersign wallet admin face --logo seal.svg --accent '#0a8066' --contact mailto:office@example.edu
              countersign wallet admin face --accent '#ffcc00' --preview
              countersign wallet admin face --remove-logo --accent ''
            """)

    @Option(help: "The name that people use, at most 200 characters. Certificates keep the name of the set-up.")
    var name: String?
    @Option(help: "A PNG or SVG of at most 128 KiB.") var logo: String?
    @Flag(help: "Remove the logo.") var removeLogo = false
    @Option(help: "The colour as #rrggbb; '' for none.") var accent: String?
    @Option(help: "A text, or an address with https: or mailto:.") var legalNotice: String?
    @Option(help: "The same about data protection.") var privacy: String?
    @Option(help: "The same about how to reach you.") var contact: String?
    @Flag(help: "Say what would come of it, and store nothing.") var preview = false
    @OptionGroup var options: WalletOptions

    func validate() throws {
        guard logo == nil || !removeLogo else { throw ValidationError("give --logo or --remove-logo, not both") }
    }

    func run() async throws {
        let file = try logo.map { String(decoding: Base64.encode(try Files.read($0), .url), as: UTF8.self) }
        let client = try await options.unlock()
        let present = try await client.face()
        let texts = [name, accent, legalNotice, privacy, contact]
        guard file != nil || removeLogo || texts.contains(where: { $0 != nil }) else { return try show(present) }
        let change = FaceChange(
            name: name, accent: chosen(accent, present.accent), logo: file,
            keepsLogo: file == nil && !removeLogo && present.logo != nil,
            imprint: Imprint(
                legalNotice: chosen(legalNotice, present.imprint.legalNotice),
                privacy: chosen(privacy, present.imprint.privacy), contact: chosen(contact, present.imprint.contact)))
        if preview { return try show(try await client.previewFace(change)) }
        let (changed, act) = try await client.changeFace(change)
        guard !options.output.json else { return try Output.print(value: changed) }
        try show(changed)
        Output.line("Changed. In the log as entry \(act.index).")
    }

    /// The given text, otherwise the present one; nothing for an empty text.
    private func chosen(_ given: String?, _ present: String?) -> String? {
        guard let given else { return present }
        return given.isEmpty ? nil : given
    }

    private func show(_ face: OrganisationFace) throws {
        guard !options.output.json else { return try Output.print(value: face) }
        Output.line("name: \(Bytes(text: face.name).shown)")
        Output.line("logo: \(face.logo.map(words) ?? "none")")
        Output.line("colour: \(face.accent ?? "none")")
        for (name, text) in [
            ("legal notice", face.imprint.legalNotice), ("data protection", face.imprint.privacy),
            ("contact", face.imprint.contact),
        ] { Output.line("\(name): \(text.map { Bytes(text: $0).shown } ?? "none")") }
    }

    private func show(_ preview: FacePreview) throws {
        guard !options.output.json else { return try Output.print(value: preview) }
        if let logo = preview.logo { Output.line("logo: \(words(logo))") }
        if !preview.leftOut.isEmpty { Output.line("left out: \(preview.leftOut.joined(separator: ", "))") }
        if let colour = preview.colour {
            let nearest =
                colour.holds ? "it can be used" : "too hard to see; the nearest that holds is \(colour.nearest)"
            Output.line("colour: \(colour.accent), \(nearest)")
        }
        Output.line("Nothing was stored.")
    }

    private func words(_ logo: OrganisationFace.Logo) -> String {
        "\(logo.mediaType), \(logo.width) × \(logo.height) pixels, \(logo.bytes) bytes"
    }
}
