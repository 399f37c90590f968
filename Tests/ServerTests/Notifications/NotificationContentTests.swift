import Approvals
import Encodings
import Foundation
import HTTPTypes
import Interface
import Storage
import Testing

@testable import Server

/// Notices that say what they are about, because their owner wants it.
@Suite("What notices say")
struct NotificationContentTests {
    private static func put(
        _ client: TestClient, _ way: NotificationWay, _ isOn: Bool, _ session: NewSession
    ) async throws -> TestClient.Answer {
        try await client.send(
            .put, "/api/notifications/ways/\(way.id)/content", NotificationContent(isOn: isOn), token: session.token)
    }

    @Test("off until it is switched on, for one way each; then who asks and for what, and never how much or a code")
    func approvals() async throws {
        let mail = FakeMail()
        let organisation = try await TestOrganisation(push: FakePushService(), mail: mail)
        try await organisation.serve { client in
            let bank = try await client.bank()
            let alice = try await client.join(organisation.person("alice"))
            let eve = try await client.join(organisation.person("eve"))
            _ = try await bank.enrol("alice", alice)
            let plain = try await client.addEmail("plain@mail.example", alice, mail)
            let said = try await client.addEmail("said@mail.example", alice, mail)
            #expect(!plain.saysContent && !said.saysContent)
            #expect(try await Self.put(client, said, true, eve).problem == "not-found")
            #expect(try await Self.put(client, said, true, alice).decode(NotificationWay.self).saysContent)
            #expect(try await client.notifications(alice).ways.filter(\.saysContent).map(\.id) == [said.id])
            try await organisation.deliver()
            func letters() -> [String: String] {
                mail.letters.suffix(2).reduce(into: [:]) { $0[$1.recipient] = $1.text ?? "" }
            }
            let asked = try await bank.ask(bank.request("1"))
            try await organisation.deliver()
            let waits = "Something waits for you in Countersign."
            let name = try await client.service(bank.key.apiKey).name
            #expect(letters()["plain@mail.example"]?.hasPrefix("\(waits)\n\n") == true)
            #expect(letters()["said@mail.example"]?.hasPrefix("\(waits) \(name) asks you to pay.\n\n") == true)
            for secret in [asked.code ?? "no code", "3000", "Plumbing"] {
                #expect(!letters().values.contains { $0.contains(secret) }, "\(secret)")
            }
            #expect(mail.letters.suffix(2).allSatisfy { !$0.message.contains(name) })
            // Switched off again: what waits already says nothing either.
            _ = try await bank.ask(bank.request("2"))
            #expect(try await Self.put(client, said, false, alice).decode(NotificationWay.self).saysContent == false)
            try await organisation.deliver()
            #expect(letters()["said@mail.example"]?.hasPrefix("\(waits)\n\n") == true)
        }
    }

    @Test(
        "a notice about protection says which, in the language of the account; by SMS too, and two that differ both come"
    )
    func security() async throws {
        try await TestPhones.serve { (organisation, client, phones) async throws in
            _ = try await client.setUp(organisation.person("owner"))
            let alice = try await client.join(organisation.person("alice"))
            let way = try await client.confirmedPhone("+4930901820", alice, phones)
            try await organisation.deliver()
            #expect(try await Self.put(client, way, true, alice).status == 200)
            let change = PassphraseChange(passphrase: "another correct horse")
            _ = try await client.send(.post, "/api/account/passphrase", change, token: alice.token)
            let environment = organisation.server.environment
            func tell(_ detail: NotificationDetail) async throws {
                try await environment.database.write { transaction in
                    try environment.notify(
                        .access, alice.account.id, saying: detail, in: transaction,
                        now: organisation.clock.clock.now())
                }
            }
            try await tell(NotificationDetail(.passkeyAdded))
            try await tell(NotificationDetail(.passkeyAdded))
            let delivery = organisation.delivery()
            while let item = try await delivery.claim(1).taken.first { await delivery.deliver(item) }
            let changed = "The protection of your Countersign account has changed. Look at it."
            #expect(
                phones.messages.suffix(2).map(\.text).sorted() == [
                    "\(changed) A passkey was added.", "\(changed) The passphrase was changed.",
                ])
            #expect(phones.messages.count == 4)
            _ = try await client.send(
                .put, "/api/account/language", AccountLanguage(language: "de"), token: alice.token
            ).decode(AccountLanguage.self)
            try await tell(NotificationDetail(.document, "degree"))
            try await organisation.deliver()
            #expect(
                try #require(phones.messages.last).text.hasSuffix(" Ein Dokument ist angekommen: Abschlusszeugnis."))
        }
    }

    @Test("a name that hides, turns text around or has no end is written out and cut")
    func neutral() throws {
        let evil = "Bank\u{202E}knaB\u{200B}\u{2066}"
        let service = try ApprovalService(id: Bytes(text: "bank.example"), name: Bytes(text: evil))
        #expect(service.neutralName == "Bank\u{27E8}U+202E\u{27E9}knaB\u{27E8}U+200B\u{27E9}\u{27E8}U+2066\u{27E9}")
        let long = NotificationDetail(.asksToPay, String(repeating: "\u{1F393}", count: 100))
        #expect(long.value.utf8.count <= NotificationDetail.longestValue && long.value.hasSuffix("\u{1F393}\u{2026}"))
        let whole = String(repeating: "a", count: NotificationDetail.longestValue)
        #expect(NotificationDetail(.asksToPay, whole).value == whole)
        for sentence in Slice.all.sentences {
            let detail = NotificationDetail(sentence, "a\nb")
            #expect(NotificationDetail(stored: detail.stored, of: Slice.all.sentences) == detail)
        }
        for nonsense in ["nonsense\n", "document"] {
            #expect(NotificationDetail(stored: nonsense, of: Slice.all.sentences) == nil)
        }
        let arabic = try #require(WordCatalogue(code: "ar", files: [Data("{}".utf8)]))
        #expect(NotificationDetail(.asksToPay, "Bank").text(.english) == "Bank asks you to pay.")
        #expect(
            arabic.direction == "ltr" || NotificationDetail(.asksToPay, "B").text(arabic).contains("\u{2068}B\u{2069}"))
    }

    @Test("a push message is as long with content as without, also the longest in Arabic")
    func length() async throws {
        let push = FakePushService()
        let organisation = try await TestOrganisation(push: push)
        try await organisation.serve { client in
            _ = try await client.setUp(organisation.person("owner"))
            let alice = try await client.join(organisation.person("alice"))
            let way = try await client.subscribe(alice)
            let environment = organisation.server.environment
            _ = try await client.send(
                .put, "/api/account/language", AccountLanguage(language: "ar"), token: alice.token
            ).decode(AccountLanguage.self)
            func tell(_ sentence: NotificationDetail.Sentence) async throws {
                try await environment.database.write { transaction in
                    let value = String(repeating: "\"\\", count: 60)
                    try environment.notify(
                        .access, alice.account.id, about: String(repeating: "0", count: 32),
                        saying: NotificationDetail(sentence, value), in: transaction,
                        now: organisation.clock.clock.now())
                }
                try await organisation.deliver()
            }
            try await tell(.asksToPay)
            #expect(try await Self.put(client, way, true, alice).status == 200)
            for sentence in Slice.all.sentences { try await tell(sentence) }
            #expect(push.posts.count == Slice.all.sentences.count + 1)
            #expect(Set(push.posts.map(\.message.body.count)).count == 1)
        }
    }
}
