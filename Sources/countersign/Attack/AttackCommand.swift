import Approvals
import ArgumentParser
import Encodings
import Foundation
import Interface
import Wallet

/// `countersign attack`.
struct AttackCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "attack", abstract: "Attack an installation's approvals as the original was, and score it.",
        discussion: """
            Tries the 25 cases of docs/approvals.md against a service of the installation that speaks version 1, and the \
            mitigations of BCP 247 against both versions. It needs the service's API key, and a member's wallet: take a \
            service and a member that exist only for this. It enrols devices for users that it makes up, asks about forty \
            times, and removes the devices afterwards. It takes about a quarter of a minute. Exit codes: 0 everything \
            ended right; 1 something ended wrong; 2 it could not tell about something.

              countersign attack https://sign.example.edu --key-file api-key --wallet member.wallet
            """)

    @Argument(help: "The installation's address.") var server: String
    @Option(help: "A file whose first line is the service's API key.", completion: .file()) var keyFile: String
    @Flag(help: "Without a wallet: it cannot tell what needs one.") var withoutWallet = false
    @OptionGroup var options: WalletOptions

    func run() async throws {
        let address = try ServerAddress(server)
        let site = AttackSite(address, key: try Passphrases.firstLine(of: keyFile))
        var member: AttackMember?
        if !withoutWallet { member = AttackMember(client: try await options.unlock()) }
        if !options.output.json { Terminal.note("Attacking \(address.text) …") }
        let report = AttackReport(server: address.text, findings: try await Attack(site: site, member: member).run())
        if options.output.json { try Output.print(value: report) } else { report.show() }
        if report.exitCode != 0 { throw ExitCode(report.exitCode) }
    }
}

/// One run of all attacks.
struct Attack: Sendable {
    let site: AttackSite
    let member: AttackMember?
    /// How long the requests live that are answered too late, in seconds: the shortest that there is.
    private static let late: Int64 = 10

    func run() async throws -> [AttackFinding] {
        let start = systemTime()
        let settings = try await member?.widenBudget()
        let findings = await attack()
        try await member?.tidy(since: start, settings)
        return findings.sorted { Self.place($0) < Self.place($1) }
    }

    private func attack() async -> [AttackFinding] {
        do {
            let stage = try await AttackStage.prepare(site, member)
            let replies = ReplyAttacks(stage: stage, late: try await site.ask(stage.alice, lifetime: Self.late))
            // For another user: only the newest enrolment of one is open.
            let begun = try await site.begin(stage.mallory, lifetime: Self.late).challenge
            let enrolments = EnrolmentAttacks(stage: stage, late: begun)
            var findings = await replies.run() + enrolments.run()
            let expiry = max(replies.late.fields.expiry, begun.fields.expiry)
            while systemTime() <= expiry { try await Task.sleep(for: .milliseconds(250)) }
            findings.append(await .trying("7", "a reply after the time", replies.lateReply))
            findings.append(await .trying("12", "an enrolment after the time", enrolments.lateReply))
            return await findings + Mitigations(site: site, member: member, user: stage.alice).run()
        } catch {
            let words = (error as? AttackTrouble)?.words ?? "\(error)"
            // Nothing can be asked. What strangers send and see needs nobody who is asked.
            return [
                AttackFinding(id: "1", name: "a valid enrolment and a valid reply", result: .unknown, detail: words),
                await ReplyAttacks.malformed(at: site), await Mitigations.authenticated(at: site),
            ]
        }
    }

    /// The cases in the order of their numbers, then the mitigations.
    private static func place(_ finding: AttackFinding) -> Int {
        finding.id.hasPrefix("b") ? 100 + (Int(finding.id.dropFirst()) ?? 0) : Int(finding.id) ?? 0
    }
}
