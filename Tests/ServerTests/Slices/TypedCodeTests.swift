import CryptoProvider
import Documents
import Encodings
import HTTPTypes
import Interface
import Storage
import Testing

@testable import Server

@Suite("Eight characters that find a face-to-face check")
struct TypedCodeTests {
    @Test("give what the device shows as text, however they are written, and the check goes on with it")
    func found() async throws {
        try await TypedCodeStage.run { stage in
            let check = try await stage.open()
            let made = try await stage.ask(check).decode(TypedCode.self)
            #expect(made.code.wholeMatch(of: /[0-9A-HJKMNP-TV-Z]{4}-[0-9A-HJKMNP-TV-Z]{4}/) != nil)
            #expect(made.expires == stage.organisation.clock.clock.now() + 300)
            let typed = made.code.replacing("-", with: " ").replacing("0", with: "o").replacing("1", with: "l")
            let found = try await stage.type(" \(typed.lowercased())").decode(FoundCheck.self)
            let shown = Documents.EnrolmentCode(
                server: Bytes(text: TestOrganisation.url), enrolment: Bytes(text: check.id),
                signingKey: stage.alice.signing.publicKey.thumbprint,
                encryptionKey: stage.alice.encryption.publicKey.thumbprint,
                commitment: [UInt8](repeating: 1, count: 32))
            #expect(Bytes(text: found.text) == shown.text)
            let claimed = try await stage.claim(check, stage.administrators[0].session).decode(Enrolment.self)
            #expect(claimed.state == .claimed)
        }
    }

    @Test("work once: not for another administrator, not in another session, not again; and the check is theirs")
    func once() async throws {
        try await TypedCodeStage.run(administrators: 2) { stage in
            let (first, second) = (stage.administrators[0], stage.administrators[1])
            let check = try await stage.open()
            let characters = try await stage.characters(check)
            #expect(try await stage.type(characters).status == 200)
            let elsewhere = try await stage.client.signIn(first.person, device: first.session.deviceID)
            for session in [second.session, elsewhere, first.session] {
                #expect(try await stage.type(characters, session).problem == "wrong-code")
            }
            // A person who has also seen the text cannot take the check away from the one who typed.
            for session in [second.session, elsewhere] {
                #expect(try await stage.claim(check, session).problem == "conflict")
            }
            #expect(try await stage.claim(check, first.session).status == 200)
        }
    }

    @Test("the member shows new ones: the old find nothing, and whoever typed those holds nothing any more")
    func again() async throws {
        try await TypedCodeStage.run(administrators: 2) { stage in
            let check = try await stage.open()
            let old = try await stage.characters(check)
            #expect(try await stage.type(old).status == 200)
            let unused = try await stage.characters(check)
            let new = try await stage.characters(check)
            let other = stage.administrators[1].session
            for characters in [old, unused] {
                #expect(try await stage.type(characters, other).problem == "wrong-code")
            }
            #expect(try await stage.type(new, other).status == 200)
            #expect(try await stage.claim(check, stage.administrators[0].session).problem == "conflict")
            #expect(try await stage.claim(check, other).status == 200)
        }
    }

    @Test("work for five minutes, and never longer than the check")
    func time() async throws {
        try await TypedCodeStage.run { stage in
            let check = try await stage.open()
            let late = try await stage.characters(check)
            stage.organisation.clock.advance(.seconds(300))
            #expect(try await stage.type(late).problem == "wrong-code")
            let inTime = try await stage.characters(check)
            stage.organisation.clock.advance(.seconds(299))
            #expect(try await stage.type(inTime).status == 200)
            stage.organisation.clock.advance(.seconds(200))
            #expect(try await stage.ask(check).decode(TypedCode.self).expires == check.expires)
            stage.organisation.clock.advance(.seconds(101))
            #expect(try await stage.ask(check).problem == "gone")
        }
    }

    @Test("are for certified administrators: whoever else types them gets nothing, and uses nothing up")
    func roles() async throws {
        try await TypedCodeStage.run { stage in
            let client = stage.client
            let desk = try await client.join(
                stage.organisation.person("desk"), invitation: client.invite(.operator, token: stage.owner.token))
            let uncertified = try await client.join(
                stage.organisation.person("new"), invitation: client.invite(.administrator, token: stage.owner.token))
            let eve = try await client.join(stage.organisation.person("eve"))
            let characters = try await stage.characters(stage.open())
            for session in [stage.owner, desk, uncertified, eve, stage.session] {
                for typed in [characters, "AAAA-AAAA"] {
                    #expect(try await stage.type(typed, session).problem == "forbidden", "\(session.account.role)")
                }
            }
            let stranger = try await client.send(.post, "/api/typed-codes", TypedCodeEntry(code: characters))
            #expect(stranger.problem == "unauthenticated")
            #expect(try await stage.type(characters).status == 200)
        }
    }

    @Test("cannot be guessed: ten wrong ones stop an administrator for five minutes, with the right ones too")
    func guessing() async throws {
        try await TypedCodeStage.run(administrators: 2) { stage in
            let characters = try await stage.characters(stage.open())
            for number in 0..<10 {
                #expect(try await stage.type("AAAA-AAA\(number)").problem == "wrong-code", "\(number)")
            }
            let refused = try await stage.type(characters)
            #expect(refused.problem == "too-many-requests" && refused.retryAfter == "300")
            // In another session the same administrator is no other.
            let guesser = stage.administrators[0]
            let elsewhere = try await stage.client.signIn(guesser.person, device: guesser.session.deviceID)
            #expect(try await stage.type(characters, elsewhere).status == 429)
            stage.organisation.clock.advance(.seconds(299))
            #expect(try await stage.type("AAAA-AAAA").retryAfter == "1")
            #expect(try await stage.type(characters, stage.administrators[1].session).status == 200)
            stage.organisation.clock.advance(.seconds(1))
            #expect(try await stage.type("AAAA-AAAA").problem == "wrong-code")
            #expect(try await stage.type("AAAA-AAAA").retryAfter == "300")
        }
    }

    @Test("cannot be guessed by many from one address: after thirty wrong ones it waits")
    func address() async throws {
        try await TypedCodeStage.run(administrators: 4) { stage in
            let characters = try await stage.characters(stage.open())
            for (_, session) in stage.administrators.prefix(3) {
                for number in 0..<10 {
                    #expect(try await stage.type("AAAA-AAA\(number)", session).problem == "wrong-code")
                }
            }
            let last = stage.administrators[3].session
            #expect(try await stage.type(characters, last).retryAfter == "60")
            stage.organisation.clock.advance(.seconds(60))
            #expect(try await stage.type(characters, last).status == 200)
        }
    }

    @Test("count nothing for what cannot be characters, or is right")
    func uncounted() async throws {
        try await TypedCodeStage.run { stage in
            for typed in ["", "AAAA-AAA", "AAAA-AAAAA", "AAAA-AAA!", "AAAA-AAAU", "countersign-enrol:AAAA"] {
                #expect(try await stage.type(typed).problem == "invalid-member", "\(typed)")
            }
            for _ in 0..<12 {
                let characters = try await stage.characters(stage.open())
                #expect(try await stage.type(characters).status == 200)
            }
        }
    }

    @Test("are one administrator's, if two type them at the same moment")
    func race() async throws {
        try await TypedCodeStage.run(administrators: 3) { stage in
            for _ in 0..<4 {
                let check = try await stage.open()
                let characters = try await stage.characters(check)
                let found = try await withThrowingTaskGroup(of: (Int, Int).self) { group in
                    for (number, (_, session)) in stage.administrators.enumerated() {
                        group.addTask { (number, try await stage.type(characters, session).status) }
                    }
                    return try await group.reduce(into: [:]) { $0[$1.0] = $1.1 }
                }
                let winners = found.filter { $0.value == 200 }.keys
                #expect(winners.count == 1 && found.values.filter { $0 == 403 }.count == 2, "\(found)")
                for (number, (_, session)) in stage.administrators.enumerated() where !winners.contains(number) {
                    #expect(try await stage.claim(check, session).problem == "conflict")
                }
            }
        }
    }

    private enum End: CaseIterable { case abandoned, newer, claimed, session, device }

    @Test("find nothing when the check, the member's session or the device has ended", arguments: End.allCases)
    private func ended(_ end: End) async throws {
        try await TypedCodeStage.run { stage in
            let check = try await stage.open()
            let characters = try await stage.characters(check)
            let (client, token) = (stage.client, stage.session.token)
            switch end {
            case .abandoned: _ = try await client.send(.post, "/api/enrolments/\(check.id)/abandon", token: token)
            case .newer: _ = try await stage.open()
            case .claimed: #expect(try await stage.claim(check, stage.administrators[0].session).status == 200)
            case .session: _ = try await client.send(.delete, "/api/sessions/current", token: token)
            case .device:
                let path = "/api/devices/\(stage.session.deviceID)/revoke"
                let administrator = stage.administrators[0].session.token
                let answer = try await client.send(.post, path, Reason(reason: "lost"), token: administrator)
                #expect(answer.status == 200)
            }
            #expect(try await stage.type(characters).problem == "wrong-code")
            switch end {
            case .abandoned, .newer, .claimed: #expect(try await stage.ask(check).problem == "conflict")
            case .session, .device: #expect(try await stage.ask(check).problem == "unauthenticated")
            }
        }
    }

    @Test("are given to the device that opened the check alone: not to another member, administrator or device")
    func fishing() async throws {
        try await TypedCodeStage.run { stage in
            let check = try await stage.open()
            let characters = try await stage.characters(check)
            let eve = try await stage.client.join(stage.organisation.person("eve"))
            #expect(try await stage.ask(check, eve).problem == "not-found")
            #expect(try await stage.ask(check, stage.administrators[0].session).problem == "forbidden")
            #expect(try await stage.client.send(.post, "/api/enrolments/\(check.id)/typed-code").status == 401)
            // The holder's session on another device.
            let principal = try #require(
                await SessionService(environment: stage.organisation.server.environment)
                    .authenticate(token: stage.session.token))
            let laptop = Principal(
                account: principal.account, role: principal.role, session: principal.session, device: "laptop")
            await #expect(throws: DocumentError.otherDevice) {
                _ = try await TypedCodeService(environment: stage.organisation.server.environment)
                    .make(check.id, laptop)
            }
            // Nothing that anybody can read has the characters, and the holder's own still work.
            for session in [stage.session, stage.administrators[0].session] {
                let answer = try await stage.client.send(.get, "/api/enrolments/\(check.id)", token: session.token)
                #expect(!String(decoding: answer.body, as: UTF8.self).contains(characters))
            }
            #expect(try await stage.type(characters).status == 200)
        }
    }

    @Test("are kept as a keyed hash only")
    func atRest() async throws {
        try await TypedCodeStage.run { stage in
            let characters = try await stage.characters(stage.open())
            let plain = characters.replacing("-", with: "")
            let suite = SwiftCryptoSuite()
            let hashes = [characters, plain].map { suite.sha256(Bytes(text: $0)).base64URL }
            let stored = try await stage.organisation.rows()
            #expect(stored["typed_codes"]?.count == 1)
            for value in stored.values.joined().joined() {
                guard case .text(let text) = value else { continue }
                #expect(!text.contains(characters) && !text.contains(plain) && !hashes.contains(text))
            }
        }
    }
}
