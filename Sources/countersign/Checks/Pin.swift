import ArgumentParser
import Certificates
import Encodings
import Interface
import Transparency
import Wallet

/// `countersign pin`: the root of an organisation with a known domain.
struct PinCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "pin", abstract: "Fetch the root certificate of an organisation whose domain you know.",
        discussion: """
            Type the domain as you know it from elsewhere: never from the file, from a link, or from the person who shows \
            it. The domain's web server says which root is the organisation's. Anyone who controls the domain can name \
            another root, so this is weaker than a fingerprint on paper. The command prints the four groups: compare them \
            when you can.

              countersign pin example.edu --out root.pem --log-key-out log.vkey
              countersign verify ada.countersign --trust root.pem --log-key log.vkey --audience hr@example.com
            """)

    @Argument(help: "The domain, like example.edu; to try it, http://localhost:8080.") var domain: String
    @Option(help: "Write the root certificate to this file, PEM.", completion: .file()) var out: String
    @Option(help: "Write the log's verifier key, or its policy, to this file.", completion: .file())
    var logKeyOut: String?
    @Flag(help: "Write over files that are there.") var force = false
    @OptionGroup var output: OutputOptions

    func run() async throws {
        let published = try await find()
        let root = try Self.anchor(published)
        let log = Bytes(text: published.logPolicy?.policy ?? published.logKey)
        guard (try? LogPolicy.read(log)) != nil else { throw CommandError("what \(domain) publishes has no log key") }
        try Files.write(PEM.encode(root.certificate.der), to: out, force: force)
        if let logKeyOut {
            try Files.write(
                log.last == 0x0A ? log : log + [0x0A], to: logKeyOut, force: force, option: "--log-key-out")
        }
        let groups = FingerprintGroups.text(root.fingerprint)
        guard !output.json else {
            return Output.print(
                .members([
                    ("fingerprint", .string(Hex.encode(root.fingerprint))), ("groups", .string(groups)),
                    ("organisation", .string(root.organisation)), ("public_url", .string(root.publicURL)),
                    ("why", .text("domain")),
                ]))
        }
        Output.line("\(root.organisation.shown) (\(root.publicURL.shown))")
        Output.line("fingerprint: \(groups.shown)")
        Output.line("\(out) holds the root that \(domain) publishes. This is weaker than paper: anyone who controls")
        Output.line("the domain could name another. Compare the four groups with the organisation when you can.")
    }

    private func find() async throws -> PublishedOrganisation {
        let name = DomainName(domain)
        let local = name == nil ? try? ServerAddress(domain) : nil
        guard let address = name.map({ "https://" + $0.text }) ?? local.flatMap({ $0.isLoopback ? $0.text : nil })
        else {
            throw CommandError(
                "'\(domain)' is not a domain: give a name like example.edu, without port or path. For one with other "
                    + "letters, give its form that begins with xn--.")
        }
        let bytes = try await ServerClient(address: ServerAddress(address)).bytes(
            PublishedOrganisation.path, limit: PublishedOrganisation.maximumSize)
        guard let found = try? InterfaceCoding.decode(PublishedOrganisation.self, from: bytes),
            found.format == PublishedOrganisation.currentFormat
        else {
            throw CommandError("\(domain) publishes no Countersign organisation at \(PublishedOrganisation.path)")
        }
        return found
    }

    /// The root of a document that holds together.
    private static func anchor(_ published: PublishedOrganisation) throws -> TrustAnchor {
        guard let blocks = try? PEM.decode(Bytes(text: published.rootCertificate)), blocks.count == 1,
            let root = try? TrustAnchor(der: blocks[0]),
            Bytes(text: published.rootFingerprint) == Hex.encode(root.fingerprint),
            Bytes(text: published.publicURL) == root.publicURL
        else { throw CommandError("what the domain publishes contradicts itself: its root is not the one it names") }
        return root
    }
}
