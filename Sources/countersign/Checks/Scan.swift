import ArgumentParser
import Encodings

/// `countersign scan`.
struct ScanCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "scan", abstract: "Read the QR code in a picture.",
        discussion: """
            Prints the text of the clearest code in a PNG, such as a screenshot. Commands that take a code or a link take \
            such a picture too: 'fetch', 'wallet join --invitation' and 'wallet admin check'.

            Exit codes: 0 read; 1 the picture shows no code that can be read; 2 the file is no picture, or an error.

              countersign scan invitation.png
            """)

    @Argument(help: "The picture: a PNG.") var picture: String
    @OptionGroup var output: OutputOptions

    func run() throws {
        let text = try CodePicture.read(picture)
        guard !output.json else { return Output.print(.members([("text", .text(text))])) }
        Output.line(Bytes(text: text).shown)
    }
}
