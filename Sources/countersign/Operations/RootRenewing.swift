import ArgumentParser
import Encodings
import Foundation
import Server
import Wallet

extension RootCertificateKind: ExpressibleByArgument {}

/// Which certificates are renewed.
struct RenewalOptions: ParsableArguments {
    @Option(
        name: .customLong("certificate"),
        help: "status_signer or main_administrator; may be repeated. Default: both.")
    var kinds: [RootCertificateKind] = []

    var chosen: [RootCertificateKind] { kinds.isEmpty ? RootCertificateKind.allCases : kinds }
}

/// `countersign admin root renew`.
struct RootRenewCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "renew", abstract: "Renew the certificates that the root issues, for the same keys.",
        discussion: """
            With --from the key is read from its file, used, and not written anywhere. The server must be stopped.

              countersign admin root renew --from root.backup
            """)

    @Option(help: "The root's file. Default: the key in the data directory.", completion: .file()) var from: String?
    @OptionGroup var renewal: RenewalOptions
    @OptionGroup var sealing: SealingOptions
    @OptionGroup var options: DataOptions

    func run() async throws {
        try await options.whileStopped { server in
            let certificates = RootCertificates(of: server)
            let authority =
                if let from {
                    try await RootFile(Files.read(from)).authority(passphrase: sealing.passphrase())
                } else { try await certificates.authority() }
            try report(try await certificates.renew(renewal.chosen, by: authority), options.output)
        }
    }
}

/// `countersign admin root request`.
struct RootRequestCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "request", abstract: "Write a request for the root, to be carried to it.",
        discussion: """
            Nothing in the file is secret. The server may keep running.

              countersign admin root request --out request.json
            """)

    @Option(help: "The file to write.", completion: .file()) var out: String
    @Flag(help: "Write over a file that is there.") var force = false
    @OptionGroup var renewal: RenewalOptions
    @OptionGroup var options: DataOptions

    func run() async throws {
        try await options.withRoot { root in
            let request = try root.request(renewal.chosen, now: Int64(Date().timeIntervalSince1970))
            try Files.write(request.formatted(), to: out, force: force)
            show(request, asJSON: options.output.json)
        }
    }
}

/// `countersign admin root sign`.
struct RootSignCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sign", abstract: "Certify the keys of a request: where the root is, without a network.",
        discussion: """
            Compare the fingerprints with those that 'request' printed at the server, and the time with a clock.

              countersign admin root sign request.json --key root.backup --out answer.json
            """)

    @Argument(help: "The file that 'request' wrote.", completion: .file()) var request: String
    @Option(help: "The root's file.", completion: .file()) var key: String
    @Option(help: "The file to write.", completion: .file()) var out: String
    @Flag(help: "Write over a file that is there.") var force = false
    @OptionGroup var sealing: SealingOptions
    @OptionGroup var confirmation: ConfirmationOptions
    @OptionGroup var output: OutputOptions

    func run() async throws {
        try await DataOptions.inWords {
            let asked = try RootRequest(Files.read(request))
            let file = try RootFile(Files.read(key))
            guard asked.root == file.certificate else { throw RootTravel.TravelError.otherRoot }
            show(asked, asJSON: false)
            try Terminal.confirm(
                "Are these the keys that the server showed, and is that the time?", yes: confirmation.yes)
            let authority = try await file.authority(passphrase: sealing.passphrase())
            try Files.write(asked.certify(by: authority, random: .system).formatted(), to: out, force: force)
        }
        guard !output.json else { return Output.print(.members([("ok", .bool(true))])) }
        Output.line("Certified. Carry \(out) back: 'countersign admin root accept'.")
    }
}

/// `countersign admin root accept`.
struct RootAcceptCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "accept", abstract: "Take the certificates that the root made.",
        discussion: """
            The command takes only certificates by this organisation's root, for keys in use, that end later than \
            those in use. The server must be stopped.

              countersign admin root accept answer.json
            """)

    @Argument(help: "The file that 'sign' wrote.", completion: .file()) var answer: String
    @OptionGroup var options: DataOptions

    func run() async throws {
        try await options.whileStopped { server in
            let renewed = try await RootCertificates(of: server).accept(RootAnswer(Files.read(answer)))
            try report(renewed, options.output)
        }
    }
}

/// Shows what the root is asked for; a person compares it at both ends.
private func show(_ request: RootRequest, asJSON isJSON: Bool) {
    let print = { (key: Bytes) in WalletClient.fingerprint(authorityKey: Base64.encode(key, .url).text) }
    guard !isJSON else {
        return Output.print(
            .members([
                (
                    "items",
                    .array(
                        request.items.map {
                            .members([
                                ("certificate", .text($0.kind.rawValue)), ("fingerprint", .text(print($0.key.x963))),
                                ("name", .text($0.name)),
                            ])
                        })
                ), ("time", .integer(request.time)),
            ]))
    }
    Terminal.note("The root \(Hex.encode(SHA256.hash(request.root)).text)")
    Terminal.note("is asked to certify, from \(Output.time(request.time)) on:")
    for item in request.items {
        Terminal.note("  \(item.kind.words), \(Bytes(text: item.name).shown), key \(print(item.key.x963))")
    }
}

private func report(_ renewed: [RootCertificates.Renewed], _ output: OutputOptions) throws {
    guard !output.json else {
        return Output.print(.members(renewed.map { ($0.kind.rawValue, .integer($0.ends)) }))
    }
    for one in renewed { Output.line("Renewed: \(one.kind.words), until \(Output.time(one.ends)). In the log.") }
}
