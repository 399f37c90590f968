import ArgumentParser
import Encodings
import Foundation
import Pico
import Wallet

/// `countersign admin pam check`.
struct PamCheckCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check", abstract: "Look at the settings, the key, the users, and the way to the server.",
        discussion: """
            Changes nothing. Exit codes: 0 people can sign in; 1 they cannot, and why; 2 an error.

              countersign admin pam check
            """)

    @OptionGroup var place: PamOptions
    @OptionGroup var output: OutputOptions

    func run() async throws {
        try place.requireRoot()
        let folder = place.folder
        var findings: [(name: String, mistake: String?)] = []
        var configuration: PamConfiguration?
        findings.append(("settings", mistake { configuration = try folder.configuration() }))
        if let configuration {
            findings.append(("key", mistake { _ = try folder.service(configuration, continuous: false) }))
            findings.append(("users", mistake { try Self.users(folder) }))
            findings.append(("server", await Self.server(configuration)))
            if configuration.continuous {
                findings.append(("hooks", mistake { try Self.hooks(configuration) }))
            }
        }
        show(findings)
        if findings.contains(where: { $0.mistake != nil }) { throw ExitCode(1) }
    }

    private func mistake(_ work: () throws -> Void) -> String? {
        do {
            try work()
            return nil
        } catch {
            return (error as? CommandError)?.words ?? "\(error)"
        }
    }

    private static func users(_ folder: PamFolder) throws {
        guard try !folder.users.entries().isEmpty else { throw CommandError("nobody is paired yet") }
    }

    private static func server(_ configuration: PamConfiguration) async -> String? {
        do {
            let client = RendezvousClient(try PicoService.address(configuration.channel))
            try await client.check(before: PicoClock.system.now() + 5_000)
            return nil
        } catch {
            return (error as? PicoRunError)?.words ?? "\(error)"
        }
    }

    private static func hooks(_ configuration: PamConfiguration) throws {
        for command in [configuration.lock, configuration.unlock] {
            guard FileManager.default.isExecutableFile(atPath: command[0]) else {
                throw CommandError("\(command[0]) is missing")
            }
            try RootOnly.check(
                file: URL(fileURLWithPath: command[0]).resolvingSymlinksInPath().path, isSecret: false)
        }
    }

    private func show(_ findings: [(name: String, mistake: String?)]) {
        if output.json {
            let members = findings.map { ($0.name, $0.mistake.map { JSON.text($0) } ?? JSON.text("good")) }
            return Output.print(.members(members))
        }
        for (name, mistake) in findings {
            let word = mistake == nil ? Terminal.styled("good", .good) : Terminal.styled("bad", .bad)
            Output.line("\(name): \(word)\(mistake.map { ". \($0)" } ?? "")")
        }
    }
}
