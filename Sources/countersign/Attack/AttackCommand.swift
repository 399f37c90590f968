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
            Tries the 25 cases of docs/approvals.md against a service of the installation, and the mitigations of BCP \
            247 against both versions. It needs the service's API key, and a member's wallet: take a service and a \
            member that exist only for this. It enrols devices for users that it makes up, asks about forty times, and \
            removes the devices afterwards. It takes about a quarter of a minute.

            24 of the 25 cases need version 1. If the service does not speak it, they are not tried, and reported as \
            not offered. They change neither the score nor the exit code. Exit codes: 0 everything that was tried \
            ended right; 1 something ended wrong; 2 nothing ended wrong, but it could not tell about something.

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
        let before = try await member?.prepare()
        let findings = await attack()
        if let before { try await member?.tidy(before) }
        return findings.sorted { Self.place($0) < Self.place($1) }
    }

    private func attack() async -> [AttackFinding] {
        let alice = "alice-\(AttackSite.randomText())"
        var isEnrolled = false
        do {
            if let member {
                try await member.enrol(alice, at: site)
                isEnrolled = true
            }
            return try await cases(alice) + mitigations(alice, speaksOriginal: true)
        } catch {
            let isOff = (error as? AttackTrouble) == .originalOff
            let words = (error as? AttackTrouble)?.words ?? "\(error)"
            var findings = isOff ? AttackFinding.withoutOriginal : [AttackFinding(.valid, .unknown, words)]
            findings.append(await ReplyAttacks.malformed(at: site))
            // A wallet that is enrolled can be asked in version 2, whatever came of version 1. If nobody can be asked,
            // what strangers see is still there.
            guard isOff || isEnrolled else { return await findings + [Mitigations.authenticated(at: site)] }
            return await findings + mitigations(alice, speaksOriginal: false)
        }
    }

    /// The cases of the original.
    ///
    /// - Throws: `AttackTrouble` if they cannot begin.
    private func cases(_ alice: String) async throws -> [AttackFinding] {
        let stage = try await AttackStage.prepare(site, member, alice: alice)
        let replies = ReplyAttacks(stage: stage, late: try await site.ask(alice, lifetime: Self.late))
        // For another user: only the newest enrolment of one is open.
        let begun = try await site.begin(stage.mallory, lifetime: Self.late).challenge
        // When both are over, by their lives and not by their times: the installation's clock may be another one. It counts
        // whole seconds.
        let over = ContinuousClock.now + .seconds(Self.late + 2)
        let enrolments = EnrolmentAttacks(stage: stage, late: begun)
        var findings = await replies.run() + enrolments.run()
        try await Task.sleep(until: over)
        findings.append(await .trying(.late, replies.lateReply))
        findings.append(await .trying(.lateEnrolment, enrolments.lateReply))
        return findings
    }

    private func mitigations(_ user: String, speaksOriginal: Bool) async -> [AttackFinding] {
        await Mitigations(site: site, member: member, user: user, speaksOriginal: speaksOriginal).run()
    }

    /// The cases in the order of their numbers, then the mitigations.
    private static func place(_ finding: AttackFinding) -> Int {
        finding.id.hasPrefix("b") ? 100 + (Int(finding.id.dropFirst()) ?? 0) : Int(finding.id) ?? 0
    }
}
