import CountersignService
import CryptoProvider
import Encodings
import Synchronization
import Testing

@testable import Bank

/// What somebody gets no further with who knows a customer's password, or has an old session.
@Suite("The example bank's bounds")
struct BankGuardTests {
    /// A bank whose clock the test sets, and whose approval server nobody asks, unless one is given.
    private final class Stage: Sendable {
        let bank: Bank
        init(server: String = "http://localhost:1") throws {
            let key = String(decoding: Base64.encode(try SigningKey().publicKey.x963, .url), as: UTF8.self)
            let service = try PinnedService(domain: "bank.example", publicKey: key)
            let client = try ServiceClient(server: server, apiKey: "none", service: service)
            let clock = Clock()
            bank = Bank(client: client, customers: try Customer.demo(), patience: 120) {
                clock.time.load(ordering: .relaxed)
            }
            self.clock = clock
        }

        private final class Clock: Sendable { let time = Atomic<Int64>(1_800_000_000) }
        private let clock: Clock

        func wait(_ seconds: Int64) { clock.time.add(seconds, ordering: .relaxed) }

        /// A session in which the password was typed.
        func begin(_ username: String, password: String = "purple") async throws -> String {
            let token = await bank.visit(nil).token
            return try await bank.signIn(token, username: username, password: password, browser: "test") ?? token
        }

        /// A session that is signed in by the code of an SMS.
        func signInBySMS(_ username: String) async throws -> String {
            try #require(try await bank.confirm(try await begin(username), code: try await newestCode()))
        }

        func newestCode() async throws -> String {
            let words = try #require(await bank.messages.first?.words)
            return String(try #require(words.firstMatch(of: /\d{6}/)).output)
        }

        func factor(_ username: String) async throws -> Factor { try await bank.ledger.customer(username).factor }

        func refusal(_ act: () async throws -> Void) async -> String {
            do { try await act() } catch BankError.refused(let words) { return words } catch { return "\(error)" }
            return ""
        }
    }

    @Test("ten wrong codes in all sessions together end the trying, for longer each time; a right one begins again")
    func guessing() async throws {
        let stage = try Stage()
        var pauses: [String] = []
        for _ in 0..<3 {
            var words = ""
            for _ in 0..<10 {
                let token = try await stage.begin("rita")
                words = await stage.refusal { _ = try await stage.bank.confirm(token, code: "00000000") }
                #expect(words == "That is not the code.")
            }
            let token = try await stage.begin("rita")
            words = await stage.refusal { _ = try await stage.bank.confirm(token, code: "00000000") }
            pauses.append(words)
            stage.wait(3_600)
        }
        #expect(
            pauses == [15, 30, 60].map { "Too many wrong codes. Try again in \($0) minutes." })
        let token = try await stage.begin("rita")
        let challenge = try #require(await stage.bank.sessions[token]?.confirmation?.challenge)
        guard case .card(let input) = challenge else { throw BankError.signedOut }
        let response = try await stage.bank.read(input, pin: "1234", of: "rita")
        #expect(try await stage.bank.confirm(token, code: response) != nil)
        let again = try await stage.begin("rita")
        #expect(
            await stage.refusal { _ = try await stage.bank.confirm(again, code: "00000000") }
                == "That is not the code.")
    }

    @Test("five messages go to a phone, and no further one for a quarter of an hour")
    func messages() async throws {
        let stage = try Stage()
        for _ in 0..<5 { _ = try await stage.begin("sam") }
        let refused = await stage.refusal { _ = try await stage.begin("sam") }
        #expect(refused.hasPrefix("5 codes were sent"))
        #expect(await stage.bank.messages.count == 5)
        stage.wait(900)
        _ = try await stage.begin("sam")
    }

    @Test("a stranger's wrong passwords keep no customer out who comes from another address")
    func strangers() async throws {
        let stage = try Stage()
        func signIn(_ password: String, from address: String) async -> String {
            await stage.refusal {
                let token = await stage.bank.visit(nil).token
                _ = try await stage.bank.signIn(
                    token, username: "theo", password: password, browser: "test", from: address)
            }
        }
        for _ in 0..<5 { #expect(await signIn("wrong", from: "192.0.2.1") == "Name or password is wrong.") }
        let pause = "Too many wrong passwords. Try again in a minute."
        #expect(await signIn("purple", from: "192.0.2.1") == pause)
        #expect(await signIn("purple", from: "198.51.100.7").isEmpty)
        stage.wait(60)
        #expect(await signIn("purple", from: "192.0.2.1").isEmpty)
    }

    @Test("what one session may change ends when another has changed it, and after ten minutes")
    func permission() async throws {
        let stage = try Stage()
        func allowed() async throws -> (token: String, code: String) {
            let token = try await stage.begin("ada")
            try await stage.bank.change(to: .totp, token, browser: "test")
            let secret = try #require(await stage.bank.sessions[token]?.authenticator).secret
            return (token, Authenticator.code(secret, counter: stage.bank.now() / Authenticator.period))
        }
        let old = try await allowed()
        let late = try await allowed()
        stage.wait(601)
        let code = try #require(await stage.bank.sessions[late.token]?.authenticator).secret
        let now = Authenticator.code(code, counter: stage.bank.now() / Authenticator.period)
        #expect(
            await stage.refusal { try await stage.bank.proveAuthenticator(late.token, code: now) } == "Begin again.")
        // Another session is quicker.
        let other = try await allowed()
        let stale = try await allowed()
        try await stage.bank.proveAuthenticator(other.token, code: other.code)
        #expect(
            await stage.refusal { try await stage.bank.proveAuthenticator(stale.token, code: stale.code) }
                == "Begin again.")
        #expect(
            await stage.refusal { try await stage.bank.proveAuthenticator(old.token, code: old.code) }
                == "Begin again.")
        let kept = try #require(try await stage.bank.ledger.customer("ada").authenticator)
        #expect(Authenticator.code(kept.secret, counter: stage.bank.now() / Authenticator.period) == other.code)
    }

    @Test("what waits for an older factor is not confirmed by it any more")
    func olderFactor() async throws {
        let stage = try Stage()
        let (one, two) = (try await stage.signInBySMS("sam"), try await stage.signInBySMS("sam"))
        try await stage.bank.change(to: .none, one, browser: "test")
        let code = try await stage.newestCode()
        try await stage.bank.change(to: .card, two, browser: "test")
        _ = try await stage.bank.confirm(two, code: try await stage.newestCode())
        #expect(try await stage.factor("sam") == .card)
        let refused = await stage.refusal { _ = try await stage.bank.confirm(one, code: code) }
        #expect(refused == "Your second factor was changed. Begin again.")
        #expect(try await stage.factor("sam") == .card)
    }

    @Test("a denial ends what was denied, and nothing that the session has begun since")
    func lateDenial() async throws {
        let id = String(repeating: "0a", count: 16)
        let answers = ["pending", "denied"].map { state -> ScriptedServer.Answer in
            let members = "\"created\":1,\"expires\":2,\"missing\":1"
            return ScriptedServer.Answer(
                body: Bytes(text: "{\"id\":\"\(id)\",\"state\":\"\(state)\",\(members)}"))
        }
        let server = try await ScriptedServer.start(answers)
        let stage = try Stage(server: server.url)
        let asked = try await stage.bank.client.approval(id)
        let token = try await stage.begin("sam")
        let (answer, isQuicker) = await stage.bank.confirm(asked, before: token)
        #expect(await isQuicker.value)
        #expect(await stage.refusal { _ = try await answer.value }.hasPrefix("It was denied in your wallet"))
        #expect(try await stage.bank.confirm(token, code: try await stage.newestCode()) != nil)
        try await server.stop()
    }

    @Test("five wrong passwords are followed by a pause, and names that nobody has change nothing about it")
    func passwords() async throws {
        let stage = try Stage()
        for _ in 0..<5 {
            #expect(
                await stage.refusal { _ = try await stage.begin("ada", password: "x") }
                    == "Name or password is wrong.")
        }
        for name in ["eve", "eva", "ida"] {
            for _ in 0..<6 {
                #expect(
                    await stage.refusal { _ = try await stage.begin(name, password: "x") }
                        == "Name or password is wrong.")
            }
        }
        #expect(await stage.refusal { _ = try await stage.begin("ada") }.hasPrefix("Too many wrong passwords"))
        stage.wait(60)
        _ = try await stage.begin("ada")
    }
}

extension Bank {
    /// Looks what the wallet says to a question, while another request of the session begins what it waits for now.
    ///
    /// - Returns: what becomes of the question, and whether the other request was quicker than the server's answer.
    fileprivate func confirm(
        _ asked: Approval, before token: String
    ) -> (answer: Task<String?, any Error>, isQuicker: Task<Bool, Never>) {
        let other = sessions[token]?.confirmation
        sessions[token]?.confirmation = .init(
            id: "denied", username: "sam", act: .signIn, factor: .approval, changes: 0,
            challenge: .approval(asked, Question(.signIn, [], of: ["sam"])), expires: .max, begun: .now)
        // The actor takes them in this order, and leaves the first when it asks the server.
        let answer = Task { try await self.confirm(token, code: "") }
        let isQuicker = Task {
            let isWaiting = self.sessions[token]?.confirmation?.id == "denied"
            self.sessions[token]?.confirmation = other
            return isWaiting
        }
        return (answer, isQuicker)
    }
}
