import Encodings
import Fuzzing
import HandSignatures
import Interface
import Wallet

/// The desk of the load: operators who enrol clients with made-up hands, have them sign, decide, and are kept out.
///
/// A second visit is missing: it may be a day after the first at the earliest.
struct HammerDesk: Sendable {
    let office: HammerOffice
    private var hand: HammerHand { office.hand }

    /// One operator after the other, until the load ends.
    ///
    /// - Parameter lane: the desk's number; who was at it when the last load ended goes on.
    func work(name prefix: String, lane: Int, dice: HammerDice) async {
        var dice = dice
        var number = 0
        let path = "\(office.people.folder)/desk-\(lane).json"
        while !hand.servers.isStopping {
            number += 1
            do {
                try await serve("\(prefix)-\(number)", path, &dice)
                HammerRoster.remove(path)
            } catch HammerStop.ended {
                return
            } catch {
                // Written down; the next operator comes.
                HammerRoster.remove(path)
                try? await Task.sleep(for: .milliseconds(10))
            }
        }
    }

    private func serve(_ name: String, _ path: String, _ dice: inout HammerDice) async throws {
        var roster: HammerRoster
        let clerk: HammerPerson
        if let kept = HammerRoster.read(path) {
            (roster, clerk) = (kept, try await office.people.unlock(kept.clerk))
        } else {
            clerk = try await office.employ(name, .operator)
            roster = HammerRoster(clerk: name, text: try await writeText(clerk))
            try roster.write(path)
        }
        let text = roster.text
        while roster.enrolled < Self.clients || roster.client != nil {
            do {
                try await welcome(clerk, text: text, &roster, &dice)
            } catch HammerStop.ended {
                // Also where the client's pen stands.
                try roster.write(path)
                throw HammerStop.ended
            } catch {
                // Written down; the next client comes.
                roster.client = nil
            }
            // Until the operator is back, it is not certain whether they may work.
            if !roster.wasBlocked, dice.happens(40) {
                HammerRoster.remove(path)
                try await block(clerk)
                roster.wasBlocked = true
            }
            try roster.write(path)
        }
        // Whether the text is there is not certain from here on.
        HammerRoster.remove(path)
        try await hand.act(.removeText, by: clerk.username, subject: text) { server in
            try await clerk.clients[server].session().removeText(text)
            return HammerHand.Done(value: ())
        }
    }

    /// The document that the operator's clients sign.
    private func writeText(_ clerk: HammerPerson) async throws -> String {
        try await hand.act(.writeText, by: clerk.username, subject: clerk.username) { server in
            let made = try await clerk.clients[server].session()
                .addText(WorkspaceContent(name: "Consent \(clerk.username)", text: Self.text))
            return HammerHand.Done(value: made.id, result: made.id)
        }
    }

    /// A client comes and signs a few times, and some are forgotten afterwards.
    ///
    /// A client who was here when the last load ended begins again.
    private func welcome(
        _ clerk: HammerPerson, text: String, _ roster: inout HammerRoster, _ dice: inout HammerDice
    ) async throws {
        var pen: HammerPen
        var client: HammerRoster.Client
        if let kept = roster.client {
            (pen, client) = (try HammerPen(kept.name, after: kept.number), kept)
        } else {
            roster.enrolled += 1
            let name = "\(clerk.username)-\(roster.enrolled)"
            pen = HammerPen(name)
            let id = try await enrol(name, clerk, try pen.enrolment())
            client = HammerRoster.Client(name: name, id: id, number: pen.number)
        }
        client.visits += 1
        do {
            for _ in 0..<2 { try await sign(client.id, clerk, text: text, &pen, &dice) }
            if dice.happens(40) {
                try await reenrol(client.id, clerk, try pen.enrolment())
                try await sign(client.id, clerk, text: text, &pen, &dice)
            }
        } catch {
            // The server knows a movement again also when nobody heard its answer.
            client.number = pen.number
            roster.client = client.visits < Self.visits ? client : nil
            throw error
        }
        roster.client = nil
        if dice.happens(40) { try await erase(client.id) }
    }

    private func enrol(_ name: String, _ clerk: HammerPerson, _ signatures: NewSignatures) async throws -> String {
        try await hand.act(.enrolClient, by: clerk.username, subject: name) { server in
            let wallet = clerk.clients[server]
            let done = try await wallet.session().enrol(
                NewClient(
                    number: name, givenName: "Client", familyName: name, paper: "passport", circumstances: Self.seen,
                    signatures: signatures))
            _ = try await wallet.trust().verify(done.receipt, type: "client.enrolled")
            return HammerHand.Done(value: done.client.id, result: done.client.id, receipt: done.receipt.proof)
        }
    }

    /// Shown, signed, and decided, except for some about which nobody decides.
    private func sign(
        _ client: String, _ clerk: HammerPerson, text: String, _ pen: inout HammerPen, _ dice: inout HammerDice
    ) async throws {
        let shown = try await hand.step(by: clerk.username, .sign) { server in
            try await clerk.clients[server].session().render(text, for: client)
        }
        let request = NewSigning(
            client: client, document: text, digest: shown.digest, ticket: shown.ticket, identified: true,
            field: "Signature of the client", capture: try pen.signature(), device: "hammer")
        let signing = try await hand.act(.sign, by: clerk.username, subject: client) { server in
            let made = try await clerk.clients[server].session().open(request)
            return HammerHand.Done(value: made, result: made.id)
        }
        // A mismatch was refused at once.
        guard signing.state == .pending, dice.happens(85) else { return }
        if dice.happens(70) {
            try await decide(.confirm, signing.id, clerk) { try await $0.confirm(signing: signing.id) }
        } else {
            try await decide(.refuse, signing.id, clerk) {
                try await $0.refuse(signing: signing.id, Reason(reason: "hammered"))
            }
        }
    }

    private func decide(
        _ kind: HammerAct.Kind, _ signing: String, _ clerk: HammerPerson,
        _ body: @escaping @Sendable (ServerClient) async throws -> Signing
    ) async throws {
        try await hand.act(kind, by: clerk.username, subject: signing) { server in
            let wallet = clerk.clients[server]
            guard let receipt = try await body(try await wallet.session()).receipt else {
                throw WalletError.unexpectedAnswer("a decision without a receipt")
            }
            _ = try await wallet.trust().verify(
                receipt, type: kind.entryType ?? "", members: [("transaction", .text(signing))])
            return HammerHand.Done(value: (), receipt: receipt.proof)
        }
    }

    private func reenrol(_ client: String, _ clerk: HammerPerson, _ signatures: NewSignatures) async throws {
        try await hand.act(.reenrolClient, by: clerk.username, subject: client) { server in
            let wallet = clerk.clients[server]
            let done = try await wallet.session().reenrol(
                client,
                Reenrolment(
                    paper: "passport", reason: "hammered", circumstances: Self.seen, signatures: signatures))
            _ = try await wallet.trust().verify(done.receipt, type: "client.enrolled_anew")
            return HammerHand.Done(value: (), receipt: done.receipt.proof)
        }
    }

    private func erase(_ client: String) async throws {
        let owner = office.owner
        try await hand.act(.eraseClient, by: owner.username, subject: client) { server in
            let wallet = owner.clients[server]
            let done = try await wallet.session().erase(client: client, Reason(reason: "hammered"))
            _ = try await wallet.trust().verify(done.receipt, type: "client.erased")
            return HammerHand.Done(value: (), receipt: done.receipt.proof)
        }
    }

    /// Blocked, unblocked, and back at work.
    private func block(_ clerk: HammerPerson) async throws {
        let owner = office.owner
        let account = try await hand.step(by: clerk.username, .block) { try await clerk.clients[$0].account() }
        try await hand.act(.block, by: owner.username, subject: clerk.username) { server in
            let act = try await owner.clients[server].block(account, reason: "hammered")
            return HammerHand.Done(value: (), receipt: act.receipt)
        }
        try await hand.act(.unblock, by: owner.username, subject: clerk.username) { server in
            let act = try await owner.clients[server].unblock(account)
            return HammerHand.Done(value: (), receipt: act.receipt)
        }
        try await hand.act(.signIn, by: clerk.username, subject: clerk.username) { server in
            try await clerk.clients[server].signIn(passphrase: HammerPeople.passphrase)
            return HammerHand.Done(value: ())
        }
    }

    /// How many clients an operator enrols, and how often one of them comes at most.
    private static let (clients, visits) = (3, 4)
    private static let seen = Circumstances(identified: true, device: "hammer")
    private static let text = """
        {"blocks":[{"kind":"paragraph","runs":[{"text":"I, "},{"field":"family_name"},{"text":", agree."}]}],\
        "format":"countersign-text-1"}
        """
}
