import CountersignService
import Foundation
import struct Interface.ApprovalServiceInfo
import Testing

@testable import Bank
@testable import Wallet
@testable import countersign

/// What the example bank takes for the approval of a customer's act: a receipt of the server that is about this act.
@Suite("Receipts at the example bank", .timeLimit(.minutes(15)))
struct BankReceiptTests {
    private static let payment = Question(
        .pay, [.amount(3_000, currency: "GBP"), .payee("Purple Plumbing")], of: ["sam"], lifetime: 600)

    @Test("an approval of another amount, payee or action, or with another page's code, confirms nothing")
    func other() async throws {
        let machine = ServerMachine(folder: try TemporaryFolder(), port: try DemoServer.freePort())
        let (server, _, wallet) = try await machine.settle("Purple University")
        defer { server.stop() }
        let added = try await wallet.addApprovalService(domain: "bank.example", name: "Example Bank", webhook: nil)
        let service = try PinnedService(domain: "bank.example", publicKey: added.service.publicKey)
        let client = try ServiceClient(server: server.url, apiKey: added.apiKey, service: service)
        let session = "a session of the bank"
        let begun = try await client.enrol(user: "sam", session: session)
        let taken = try await wallet.takeOffer(try #require(begun.link), name: "phone")
        _ = try await client.confirm(enrolment: begun.id, code: taken.code, session: session)
        _ = try await wallet.waitForConfirmation(taken)

        let asked = try await client.ask(Self.payment, idempotencyKey: "a payment")
        _ = try await wallet.allow(try await wallet.question(asked.id), code: asked.code)
        let approved = try await client.approval(asked.id)
        #expect(approved.state == .approved && approved.code == nil)

        let bank = Bank(client: client, customers: try Customer.demo(), patience: 120) { 1_800_000_000 }
        func isTaken(_ asked: Approval, for question: Question) async -> Bool {
            let token = await bank.visit(nil).token
            return await bank.isTaken(asked, for: question, in: token)
        }
        var (dearer, elsewhere, signIn) = (Self.payment, Self.payment, Self.payment)
        dearer.fields[0] = .amount(3_001, currency: "GBP")
        elsewhere.fields[1] = .payee("Mallory")
        signIn.action = .signIn
        for question in [dearer, elsewhere, signIn] { #expect(await !isTaken(asked, for: question), "\(question)") }
        // Without the code that this page shows it may be another page's.
        #expect(await !isTaken(approved, for: Self.payment))
        #expect(await isTaken(asked, for: Self.payment))
    }
}

extension Bank {
    /// Whether the bank takes what became of a request for the approval of a question.
    fileprivate func isTaken(_ asked: Approval, for question: Question, in token: String) async -> Bool {
        sessions[token]?.confirmation = .init(
            id: "asked", username: "sam", act: .signIn, factor: .approval, changes: 0,
            challenge: .approval(asked, question), expires: .max, begun: .now)
        do { return try await confirm(token, code: "") != nil } catch { return false }
    }
}
