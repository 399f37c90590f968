import Encodings
import HTTPTypes
import Interface
import Storage
import Testing

@testable import Server

/// SMS cost money, and owners of expensive numbers earn by them: nothing that a member does sends many.
@Suite("The bounds on SMS", .timeLimit(.minutes(5)))
struct SMSBoundTests {
    @Test("an account gets three codes in a day, also if it confirms and removes each number")
    func account() async throws {
        try await TestPhones.serve { (organisation, client, phones) async throws in
            _ = try await client.setUp(organisation.person("owner"))
            let alice = try await client.join(organisation.person("alice"))
            for number in 0..<Limits.smsCodes {
                let way = try await client.confirmedPhone("+493090182\(number)", alice, phones)
                let removed = try await client.send(
                    .delete, "/api/notifications/ways/\(way.id)", token: alice.token)
                #expect(removed.status == 204)
            }
            let refused = try await client.addPhone("+4930901829", alice)
            #expect(refused.problem == "too-many-requests" && refused.retryAfter == "86400")
            organisation.clock.advance(.seconds(86_399))
            let environment = organisation.server.environment
            let later = try await environment.database.write { transaction in
                try environment.openSession(
                    account: alice.account, device: nil, in: transaction, now: organisation.clock.clock.now()
                ).session
            }
            #expect(try await client.addPhone("+4930901829", later).problem == "too-many-requests")
            organisation.clock.advance(.seconds(1))
            #expect(try await client.addPhone("+4930901829", later).status == 201)
        }
    }

    @Test("a number gets three codes in a day, whoever asks")
    func number() async throws {
        try await TestPhones.serve { (organisation, client, phones) async throws in
            _ = try await client.setUp(organisation.person("owner"))
            for name in ["ada", "bob", "cleo"] {
                let person = try await client.join(organisation.person(name))
                #expect(try await client.addPhone("+4930901820", person).status == 201)
            }
            let eve = try await client.join(organisation.person("eve"))
            #expect(try await client.addPhone("+49 (30) 90 18 20", eve).problem == "too-many-requests")
            #expect(phones.messages.count == 3)
            #expect(try await client.addPhone("+4930901821", eve).status == 201)
        }
    }

    @Test("all accounts together get so many in an hour, of which codes are half; notices wait and are not lost")
    func all() async throws {
        try await TestPhones.serve(perHour: 4) { (organisation, client, phones) async throws in
            _ = try await client.setUp(organisation.person("owner"))
            let ada = try await client.join(organisation.person("ada"))
            let bob = try await client.join(organisation.person("bob"))
            _ = try await client.confirmedPhone("+4930901820", ada, phones)
            _ = try await client.confirmedPhone("+4930901821", bob, phones)
            #expect(try await client.addPhone("+4930901822", ada).problem == "too-many-requests")
            #expect(try await organisation.outbox() == ["access sms", "access sms"])
            try await organisation.deliver()
            #expect(phones.messages.count == 4)
            let change = PassphraseChange(passphrase: "another correct horse")
            _ = try await client.send(.post, "/api/account/passphrase", change, token: ada.token)
            try await organisation.deliver()
            #expect(phones.messages.count == 4)
            #expect(try await organisation.outbox() == ["access sms"])
            organisation.clock.advance(.seconds(3_600))
            try await organisation.deliver()
            #expect(phones.messages.count == 5)
            #expect(try await organisation.outbox() == [])
        }
    }

    @Test("a number gets six in an hour and twenty in a day; what waits then is said once, and protection apart")
    func flood() async throws {
        try await TestPhones.serve { (organisation, client, phones) async throws in
            _ = try await client.setUp(organisation.person("owner"))
            let ada = try await client.join(organisation.person("ada"))
            _ = try await client.confirmedPhone("+4930901820", ada, phones)
            func tell(_ kind: NotificationKind) async throws {
                let environment = organisation.server.environment
                try await environment.database.write { transaction in
                    try environment.notify(
                        kind, ada.account.id, in: transaction, now: organisation.clock.clock.now())
                }
            }
            try await organisation.deliver()
            while phones.messages.count < Limits.smsToNumberInHour {
                organisation.clock.advance(.seconds(1))
                try await tell(.device)
                try await organisation.deliver()
            }
            for _ in 0..<5 {
                try await tell(.device)
                try await tell(.document)
                try await organisation.deliver()
            }
            #expect(phones.messages.count == Limits.smsToNumberInHour)
            #expect(try await organisation.outbox().count == 10)
            organisation.clock.advance(.seconds(3_600))
            // One after the other: those of one look would be sent together.
            let delivery = organisation.delivery()
            while let item = try await delivery.claim(1).taken.first { await delivery.deliver(item) }
            #expect(try await organisation.outbox() == [])
            let last = phones.messages.dropFirst(Limits.smsToNumberInHour).map(\.text).sorted()
            #expect(
                last == [
                    "Something waits for you in Countersign.",
                    "The protection of your Countersign account has changed. Look at it.",
                ])
            // Hour after hour, until the day has had enough.
            for _ in 0..<60 {
                organisation.clock.advance(.seconds(700))
                try await tell(.device)
                try await organisation.deliver()
            }
            #expect(phones.messages.count == Limits.smsToNumberInDay)
        }
    }

    @Test("numbers of other countries than the operator's get nothing, not even later")
    func prefixes() async throws {
        #expect(PhonePrefixes("+49 +43")?.description == "+49 +43")
        for text in ["", " ", "49", "+", "+49,+43", "+4a", "++49"] { #expect(PhonePrefixes(text) == nil, "\(text)") }
        try await TestPhones.serve(prefixes: PhonePrefixes("+49 +43") ?? .all) {
            (organisation, client, phones) async throws in
            _ = try await client.setUp(organisation.person("owner"))
            let ada = try await client.join(organisation.person("ada"))
            #expect(try await client.addPhone("+882 1234 5678", ada).problem == "invalid-member")
            #expect(phones.messages.isEmpty)
            let way = try await client.confirmedPhone("+4930901820", ada, phones)
            try await organisation.server.environment.database.write { transaction in
                try transaction.execute(
                    "UPDATE notification_ways SET address = '+88212345678' WHERE id = $1", [.text(way.id)])
                try transaction.execute("UPDATE notification_outbox SET address = '+88212345678'")
            }
            try await organisation.deliver()
            #expect(try await organisation.outbox() == [] && phones.messages.count == 1)
        }
    }

    @Test("codes cannot be tried, and an account has two numbers")
    func tries() async throws {
        try await TestPhones.serve { (organisation, client, phones) async throws in
            _ = try await client.setUp(organisation.person("owner"))
            let ada = try await client.join(organisation.person("ada"))
            let way = try await client.addPhone("+4930901820", ada).decode(NotificationWay.self)
            for _ in 0..<Limits.emailTries {
                #expect(try await client.confirmPhone(way, "0000-0000", ada).problem == "wrong-code")
            }
            #expect(try await client.confirmPhone(way, phones.code(), ada).problem == "not-found")
            _ = try await client.confirmedPhone("+4930901821", ada, phones)
            _ = try await client.confirmedPhone("+4930901822", ada, phones)
            #expect(try await client.addPhone("+4930901823", ada).problem == "conflict")
            // Neither by asking for several codes before any is typed.
            let bob = try await client.join(organisation.person("bob"))
            var added: [(NotificationWay, String)] = []
            for number in ["+4930901824", "+4930901824", "+4930901825"] {
                added.append((try await client.addPhone(number, bob).decode(NotificationWay.self), try phones.code()))
            }
            var problems: [String?] = []
            for (way, code) in added { problems.append(try await client.confirmPhone(way, code, bob).problem) }
            #expect(problems == [nil, "conflict", nil])
            for number in ["", "030901820", "+49 30 90182O", "+4930901820\r\n+1900"] {
                #expect(try await client.addPhone(number, ada).problem == "invalid-member", "\(number)")
            }
        }
    }

    @Test("a server without SMS says so")
    func none() async throws {
        let organisation = try await TestOrganisation(push: FakePushService())
        try await organisation.serve { client in
            let owner = try await client.setUp(organisation.person("owner"))
            #expect(try await client.addPhone("+4930901820", owner).problem == "conflict")
            #expect(try await client.notifications(owner).hasSMS == false)
        }
    }
}
