import CryptoProvider
import Documents
import Encodings
import Interface
import Wallet

/// A member of the load: joins, is identified, gets documents, shows, loses and deletes them, and leaves.
struct HammerLife: Sendable {
    let office: HammerOffice
    private var hand: HammerHand { office.hand }

    init(office: HammerOffice) { self.office = office }

    /// One member after the other, until the load ends.
    func work(name prefix: String, dice: HammerDice) async {
        var dice = dice
        var number = 0
        while !hand.servers.isStopping {
            number += 1
            do {
                try await live("\(prefix)-\(number)", &dice)
            } catch {
                // Written down; the next member comes.
                try? await Task.sleep(for: .milliseconds(10))
            }
        }
    }

    private func live(_ name: String, _ dice: inout HammerDice) async throws {
        let member = try await office.join(name)
        let registrar = office.registrars[Int.random(in: office.registrars.indices, using: &dice)]
        try await identify(member, registrar)
        if dice.happens(50) { try await mute(member) }
        for _ in 0..<4 {
            let request = try await hand.act(.request, by: name) { server in
                let request = try await member.clients[server].request(type: "generic", note: "")
                return HammerHand.Done(value: request.id, result: request.id)
            }
            guard dice.happens(90) else {
                try await cancel(request, member)
                continue
            }
            let content = RandomBytes.make(Int.random(in: 1...40_000, using: &dice))
            let document = try await issue(request, content, registrar)
            try await fetch(document, content, member)
            if dice.happens(70) { try await share(document, member, isStopped: dice.happens(50)) }
            if dice.happens(30) { try await revoke(document, registrar) }
            if dice.happens(40) { try await delete(document, member) }
        }
        if dice.happens(30) { try await signIn(member) }
        if dice.happens(30) { try await HammerScan(office: office).live(member, &dice) }
        if dice.happens(50) { try await HammerVault(office: office).live(member, &dice) }
        if dice.happens(30) { try await readLog(member) }
        if dice.happens(30) { try await retire(member) }
    }

    /// Wants to hear nothing of documents.
    private func mute(_ member: HammerPerson) async throws {
        try await hand.act(.mute, by: member.username, subject: member.username) { server in
            let choice = NotificationSwitch(way: .push, kind: "document", isOn: false)
            _ = try await member.clients[server].setNotification(choice)
            return HammerHand.Done(value: ())
        }
    }

    /// Face to face, both sides at once.
    private func identify(_ member: HammerPerson, _ registrar: HammerPerson) async throws {
        let ready = try await hand.step(by: member.username, .identify) { server in
            let (holder, administrator) = (member.clients[server], registrar.clients[server])
            let pending = try await holder.beginEnrolment()
            // When one of them fails, the other would wait until the check runs out of time.
            return try await withThrowingTaskGroup(of: ReadyEnrolment?.self) { group in
                group.addTask {
                    _ = try await holder.answerEnrolment(pending)
                    return nil
                }
                group.addTask {
                    try await administrator.awaitAnswer(administrator.claimEnrolment(code: pending.code.text))
                }
                var ready: ReadyEnrolment?
                for try await part in group { ready = part ?? ready }
                guard let ready else { throw HammerStop.unknown }
                return ready
            }
        }
        try await hand.act(.identify, by: member.username, subject: ready.id) { server in
            let issued = try await registrar.clients[server].completeEnrolment(
                ready, paper: .passport,
                fields: [
                    JSON.Member("given_name", .text("Person")), JSON.Member("family_name", .text(member.username)),
                    JSON.Member("member_number", .text("1")),
                ])
            return HammerHand.Done(value: (), result: issued.info.id, receipt: issued.act.receipt)
        }
    }

    private func cancel(_ request: String, _ member: HammerPerson) async throws {
        try await hand.act(.cancel, by: member.username, subject: request) { server in
            _ = try await member.clients[server].cancel(request, reason: "no longer needed")
            return HammerHand.Done(value: ())
        }
    }

    private func issue(_ request: String, _ content: Bytes, _ registrar: HammerPerson) async throws -> String {
        try await hand.act(.accept, by: registrar.username, subject: request) { server in
            _ = try await registrar.clients[server].accept(request)
            return HammerHand.Done(value: ())
        }
        return try await hand.act(.issue, by: registrar.username, subject: request) { server in
            let issued = try await registrar.clients[server].issue(
                request: request, fields: [JSON.Member("title", .text("Hammered"))],
                document: AttachedDocument(
                    name: Bytes(text: "noise.bin"), mediaType: Bytes(text: "application/octet-stream"),
                    content: content))
            return HammerHand.Done(value: issued.info.id, result: issued.info.id, receipt: issued.act.receipt)
        }
    }

    private func fetch(_ document: String, _ content: Bytes, _ member: HammerPerson) async throws {
        try await hand.act(.fetch, by: member.username, subject: document) { server in
            let held = try await member.clients[server].open(document)
            guard held.document?.content == content else { throw WalletError.badDocument("another file") }
            return HammerHand.Done(value: ())
        }
    }

    private func share(_ document: String, _ member: HammerPerson, isStopped: Bool) async throws {
        let presentation = try await hand.step(by: member.username, .share) { server in
            try await member.clients[server].present(document, PresentationChoice(audience: "https://hammer.example"))
        }
        let made = try await hand.act(.share, by: member.username, subject: document) { server in
            let made = try await member.clients[server].share(
                presentation, of: document, lifetime: 86_400, maximumViews: 10)
            return HammerHand.Done(value: made, result: made.share.id)
        }
        try await hand.act(.view, by: member.username, subject: made.share.id) { server in
            let seen = try await WalletClient.fetch(
                made.link, code: made.code, through: office.people.client(of: member.username, server: server))
            guard seen.file == presentation.file else { throw WalletError.badDocument("another presentation") }
            return HammerHand.Done(value: ())
        }
        guard isStopped else { return }
        try await hand.act(.stop, by: member.username, subject: made.share.id) { server in
            try await member.clients[server].stopShare(made.share.id)
            return HammerHand.Done(value: ())
        }
    }

    /// As a wallet does, without listing everything that was ever issued first.
    private func revoke(_ document: String, _ registrar: HammerPerson) async throws {
        try await hand.act(.revoke, by: registrar.username, subject: document) { server in
            let answer = try await registrar.clients[server].session()
                .revokeDocument(document, Reason(reason: "hammered"))
            _ = try await registrar.clients[server].trust().verify(answer.receipt, type: "document.revoked")
            return HammerHand.Done(value: (), receipt: answer.receipt.proof)
        }
    }

    private func delete(_ document: String, _ member: HammerPerson) async throws {
        try await hand.act(.delete, by: member.username, subject: document) { server in
            let act = try await member.clients[server].delete(document)
            return HammerHand.Done(value: (), receipt: act.receipt)
        }
    }

    private func signIn(_ member: HammerPerson) async throws {
        try await hand.act(.signIn, by: member.username, subject: member.username) { server in
            try await member.clients[server].signIn(passphrase: HammerPeople.passphrase)
            return HammerHand.Done(value: ())
        }
    }

    /// Every receipt of the member's acts, and that the log only grew.
    private func readLog(_ member: HammerPerson) async throws {
        try await hand.act(.readLog, by: member.username) { server in
            _ = try await member.clients[server].checkLog()
            return HammerHand.Done(value: ())
        }
    }

    private func retire(_ member: HammerPerson) async throws {
        let device = await member.clients[0].header.device
        try await hand.act(.retire, by: member.username, subject: device) { server in
            let act = try await member.clients[server].revokeDevice(device, reason: "hammered")
            return HammerHand.Done(value: (), receipt: act.receipt)
        }
    }
}
