import CryptoProvider
import Encodings
import Foundation
import Interface
import Wallet

/// The organisation of the load: its main administrator, two administrators, and who comes and goes.
struct HammerOffice: Sendable {
    let people: HammerPeople
    let hand: HammerHand
    let owner: HammerPerson
    let registrars: [HammerPerson]

    /// The main administrator's username.
    static let ownerName = "owner"
    private static let registrars = ["registrar-1", "registrar-2"]

    /// Finds the organisation's people, or sets it up.
    ///
    /// - Parameter code: the set-up code; needed the first time.
    static func open(_ people: HammerPeople, _ hand: HammerHand, code: String?) async throws -> HammerOffice {
        guard people.has(ownerName) else {
            guard let code else {
                throw BenchError("\(people.folder) has no wallets yet: give --code, which the server prints at start")
            }
            return try await setUp(people, hand, code: code)
        }
        var registrars: [HammerPerson] = []
        for name in Self.registrars { registrars.append(try await people.unlock(name)) }
        return HammerOffice(
            people: people, hand: hand, owner: try await people.unlock(ownerName), registrars: registrars)
    }

    private static func setUp(_ people: HammerPeople, _ hand: HammerHand, code: String) async throws -> HammerOffice {
        let joined = try await WalletClient.setUp(
            people.place(ownerName, server: 0), code: code, organisation: "Hammer University", people.person(ownerName))
        var office = HammerOffice(
            people: people, hand: hand, owner: await people.spread(ownerName, joined.client), registrars: [])
        for name in registrars {
            let person = try await office.employ(name, .administrator)
            _ = try await office.certify(person)
            office = HammerOffice(
                people: people, hand: hand, owner: office.owner, registrars: office.registrars + [person])
        }
        // A desk signs nothing without one. Nobody will open the movements of made-up people, so the private half is
        // thrown away.
        let forensic = try EncryptionKey().publicKey.x963.base64URL
        _ = try await joined.client.session().setForensicKey(ForensicKey(key: forensic))
        return office
    }

    /// Invitations, new operators and administrators, certificates given and taken back, until the load ends.
    func work(name prefix: String, dice: HammerDice) async {
        var dice = dice
        var number = 0
        while !hand.servers.isStopping {
            number += 1
            do {
                if dice.happens(10) {
                    try await closeService(try await openService("\(prefix)-\(number).example").service)
                } else if dice.happens(60) {
                    _ = try await invite(.operator)
                } else if dice.happens(60) {
                    _ = try await employ("\(prefix)-\(number)", .operator)
                } else {
                    let person = try await employ("\(prefix)-\(number)", .administrator)
                    let delegation = try await certify(person)
                    try await hand.act(.decertify, by: owner.username, subject: delegation) { server in
                        let act = try await owner.clients[server].revokeDelegation(delegation, reason: "moved on")
                        return HammerHand.Done(value: (), receipt: act.receipt)
                    }
                }
            } catch {
                // Written down; the next person comes.
                try? await Task.sleep(for: .milliseconds(10))
            }
        }
    }

    private func invite(_ role: Role) async throws -> String {
        try await hand.act(.invite, by: owner.username) { server in
            let invitation = try await owner.clients[server].invite(role, lifetime: 3_600)
            return HammerHand.Done(value: invitation.code ?? "", result: invitation.id)
        }
    }

    /// Adds a service that asks for approvals.
    func openService(_ domain: String) async throws -> LoggedServiceKey {
        try await hand.act(.addService, by: owner.username, subject: domain) { server in
            let added = try await owner.clients[server].addApprovalService(domain: domain, name: "Hammered")
            return HammerHand.Done(value: added, result: added.service.id, receipt: added.act.receipt)
        }
    }

    /// Gives a service another API key: from then on the old one opens nothing.
    func rotateKey(of service: LoggedServiceKey) async throws -> LoggedServiceKey {
        let (id, domain) = (service.service.id, service.service.domain)
        return try await hand.act(.rotateService, by: owner.username, subject: domain) { server in
            let rotated = try await owner.clients[server].rotateApprovalService(id)
            let program = people.client(of: domain, server: server)
            guard try await !Self.opens(service.apiKey, id, program) else {
                throw WalletError.unexpectedAnswer("an old key that still opens")
            }
            guard try await Self.opens(rotated.apiKey, id, program) else {
                throw WalletError.unexpectedAnswer("a new key that opens nothing")
            }
            // As the server keeps it: no journal tells the key.
            let kept = SHA256.hash(Bytes(text: rotated.apiKey)).base64URL
            return HammerHand.Done(value: rotated, result: kept, receipt: rotated.act.receipt)
        }
    }

    private static func opens(_ key: String, _ id: String, _ program: ServerClient) async throws -> Bool {
        do {
            let found: ApprovalServiceInfo = try await program.with(token: SessionToken(key)).get("/api/service")
            return found.id == id
        } catch let problem as ProblemError where problem.slug == "unauthenticated" {
            return false
        }
    }

    /// Removes a service: there may be so many at once.
    func closeService(_ service: ApprovalServiceInfo) async throws {
        try await hand.act(.removeService, by: owner.username, subject: service.domain) { server in
            let act = try await owner.clients[server].removeApprovalService(service)
            return HammerHand.Done(value: (), receipt: act.receipt)
        }
    }

    /// Invites a person, who joins.
    func employ(_ name: String, _ role: Role) async throws -> HammerPerson {
        let code = try await invite(role)
        return try await join(name, invitation: code)
    }

    /// Gives a person an account and a wallet.
    func join(_ name: String, invitation: String? = nil) async throws -> HammerPerson {
        let client = try await hand.act(.join, by: name, subject: name) { server in
            let joined = try await WalletClient.signUp(
                people.place(name, server: server), people.person(name), invitation: invitation)
            return HammerHand.Done(
                value: joined.client, result: joined.account.id, receipt: joined.acts.first?.receipt)
        }
        return await people.spread(name, client)
    }

    /// - Returns: the delegation's id.
    private func certify(_ person: HammerPerson) async throws -> String {
        let pending = try await hand.step(by: person.username, .certify) { server in
            try await person.clients[server].requestDelegation()
        }
        try await hand.act(.certify, by: owner.username, subject: pending.id) { server in
            let act = try await owner.clients[server].certify(
                pending, capabilities: [.identifyMembers, .signDocuments])
            return HammerHand.Done(value: (), result: person.username, receipt: act.receipt)
        }
        return pending.id
    }
}
