import Testing

@testable import Bank

/// The example bank's factors and money, by themselves.
@Suite("The example bank's factors")
struct BankFactorTests {
    /// RFC 6238, appendix B, the rows of SHA-1.
    @Test(
        "one-time passwords are those of RFC 6238",
        arguments: [
            (59, "94287082"), (1_111_111_109, "07081804"), (1_111_111_111, "14050471"), (1_234_567_890, "89005924"),
            (2_000_000_000, "69279037"), (20_000_000_000, "65353130"),
        ] as [(Int64, String)])
    func timeBased(time: Int64, code: String) {
        let secret = Array("12345678901234567890".utf8)
        #expect(Authenticator.code(secret, counter: time / Authenticator.period, digits: 8) == code)
    }

    /// RFC 4226, appendix D.
    @Test("counted ones are those of RFC 4226")
    func counted() {
        let secret = Array("12345678901234567890".utf8)
        let codes = (0..<10).map { Authenticator.code(secret, counter: $0) }
        #expect(
            codes == [
                "755224", "287082", "359152", "969429", "338314", "254676", "287922", "162583", "399871", "520489",
            ])
    }

    @Test("a code counts once, a step before or after too, and none of an earlier step afterwards")
    func once() {
        let secret = Array("12345678901234567890".utf8)
        var authenticator = Authenticator(secret: secret)
        func take(step: Int64, at time: Int64 = 300) -> Bool {
            authenticator.take(Authenticator.code(secret, counter: step), at: time)
        }
        #expect(!take(step: 8) && !take(step: 12))
        #expect(take(step: 9))
        #expect(!take(step: 9))
        #expect(take(step: 11))
        #expect(!take(step: 10))
        #expect(!take(step: 11, at: 360))
        #expect(take(step: 12, at: 360))
    }

    @Test("the secret is written as apps read it (RFC 4648)")
    func base32() {
        #expect(Authenticator(secret: Array("foobar".utf8)).base32 == "MZXW6YTBOI")
        let uri = Authenticator(secret: Array("12345678901234567890".utf8)).uri(account: "theo", issuer: "Example Bank")
        #expect(
            uri == "otpauth://totp/Example%20Bank:theo?secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ&issuer=Example%20Bank")
    }

    @Test("a card's response is for these digits, once; three wrong PINs block it")
    func card() throws {
        var card = Card(number: "4242", pin: "1234")
        func accept(_ response: String, to input: Card.Input) -> Bool { card.accept(response, to: input) }
        let input = Card.Input.sign(account: "08233593", pence: 3_000)
        let response = try card.respond(input, pin: "1234")
        for other in [
            Card.Input.sign(account: "08233594", pence: 3_000), .sign(account: "08233593", pence: 3_001),
            .respond(challenge: "08233593"),
        ] { #expect(!accept(response, to: other)) }
        #expect(accept(response, to: input))
        #expect(!accept(response, to: input))
        // An older response that was never sent is worth nothing after a newer one.
        let older = try card.respond(input, pin: "1234")
        let newer = try card.respond(input, pin: "1234")
        #expect(accept(newer, to: input) && !accept(older, to: input))
        for _ in 0..<3 { #expect(throws: BankError.self) { try card.respond(input, pin: "0000") } }
        #expect(throws: BankError.self) { try card.respond(input, pin: "1234") }
    }

    @Test("amounts are whole pence, as people type them")
    func money() {
        let good = ["30": 3_000, "30.5": 3_050, "0.01": 1, "£1,250.00": 125_000, "1000000": 100_000_000]
        for (typed, pence) in good { #expect(Money(typed: typed)?.pence == Int64(pence), "\(typed)") }
        for typed in [
            "", "0", "0.00", "-1", "1.234", "1e3", "30,5.1.2", "1000000.01", "٣", "99999999", ".5", "5.", " ",
        ] {
            #expect(Money(typed: typed) == nil, "\(typed)")
        }
        #expect("\(Money(pence: -5))" == "-0.05 GBP" && "\(Money(pence: 123_456))" == "1234.56 GBP")
    }

    @Test("a transfer is booked whole or not at all, and between customers nothing is lost")
    func ledger() throws {
        var ledger = Ledger(try Customer.demo())
        func total() -> Int64 { ledger.customers.values.flatMap(\.accounts).reduce(0) { $0 + $1.balance.pence } }
        let before = total()
        let payee = Payee(name: "Sam", number: "10000001")
        let transfer = Transfer(from: "10000000", payee: payee, amount: Money(pence: 2_500_00), remark: "")
        try ledger.book(transfer, of: "ada", by: .none, at: 1)
        #expect(total() == before)
        #expect(try ledger.customer("sam").accounts[0].balance == Money(pence: 5_000_00))
        #expect(throws: BankError.self) { try ledger.book(transfer, of: "ada", by: .none, at: 2) }
        let foreign = Transfer(from: "10000001", payee: payee, amount: Money(pence: 1), remark: "")
        #expect(throws: BankError.self) { try ledger.book(foreign, of: "ada", by: .none, at: 3) }
        #expect(total() == before)
    }
}

/// The bank's codes for tests that do not see the rest of it.
enum OneTime {
    static func code(_ secret: [UInt8], _ step: Int64) -> String { Authenticator.code(secret, counter: step) }
}
