import ArgumentParser
import Encodings
import Wallet

/// `countersign fetch`.
struct FetchCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "fetch", abstract: "Fetch the file behind a shared link. Needs no wallet.",
        discussion: """
            The file is decrypted with the key in the link; check it afterwards with 'countersign verify'.

              countersign fetch 'https://sign.example.edu/s/ID#KEY' --code 7K3M-Q0XA --out ada.countersign
            """)

    @Argument(help: "The link, with the part after '#', or a PNG that shows it as a QR code.") var link: String
    @Option(help: "The code that you got with the link.") var code: String
    @Option(help: "The file to write; '-' is standard output.", completion: .file()) var out: String
    @Flag(help: "Overwrite the file.") var force = false
    @OptionGroup var output: OutputOptions

    func run() async throws {
        let (file, left) = try await WalletClient.fetch(SharedLink.parse(CodePicture.text(link)), code: code)
        try Files.write(file, to: out, force: force)
        guard out != "-" else { return }
        guard !output.json else {
            return Output.print(.members([("file", .text(out)), ("views_left", .integer(Int64(left)))]))
        }
        Output.line("\(out): \(file.count) bytes; the link can be opened \(left) more times.")
        Output.line("Check it with 'countersign verify \(out) --trust ROOT.pem'.")
    }
}
