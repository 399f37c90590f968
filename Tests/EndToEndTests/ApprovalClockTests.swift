import CryptoProvider
import Interface
import Testing

@testable import Wallet
@testable import countersign

/// Offers and questions have their time at the server, whatever the clock of the wallet's machine says.
@Suite("Wallets whose clock is wrong", .timeLimit(.minutes(15)))
struct ApprovalClockTests {
    @Test("a wallet an hour ahead or behind takes an offer and allows a question; only the server's time counts")
    func hours() async throws {
        try await ClockedTown.visit { town in
            let added = try await town.owner().addApprovalService(domain: "bank.example", name: "Example Bank")
            let bank = ServerClient(address: try ServerAddress(town.url), token: SessionToken(added.apiKey))
            let hour: Int64 = 3_600
            for (name, seconds) in [("early", hour), ("late", -hour)] {
                let wallet = try await Self.wallet(of: name, offBy: seconds, town)
                let begun = try await ApprovalCommandTests.begin(at: bank, user: name)
                let taken = try await wallet.takeOffer(try #require(begun.link), name: "phone")
                try await ApprovalCommandTests.confirm(begun, taken.code, at: bank)
                _ = try await wallet.waitForConfirmation(taken)

                let asked = try await ApprovalCommandTests.ask(bank, name, digits: 0, of: name)
                let question = try await wallet.question(asked.id)
                #expect(question.lines.map { $0.label } == ["service", "action", "amount", "payee", "expires"])
                #expect(try await wallet.allow(question, code: nil).state == .approved)

                let second = try #require(try await ApprovalCommandTests.begin(at: bank, user: name).link)
                town.clock.advance(601)
                await #expect(
                    throws: WalletError.badApproval("the offer has expired; begin again at the service"), "\(name)"
                ) {
                    try await wallet.takeOffer(second, name: "phone")
                }
                // Of the offer that came too late no key is left.
                #expect(await wallet.wallet.secrets.approvals?.map(\.isEnrolled) == [true])
            }
        }
    }

    /// A member's wallet on a machine whose clock differs from the server's.
    ///
    /// They signed up while it was right: a statement about the keys has to be of these minutes.
    private static func wallet(
        of name: String, offBy seconds: Int64, _ town: ClockedTown
    ) async throws -> WalletClient {
        let (place, person) = (town.place(name), town.person(name))
        _ = try await WalletClient.signUp(place, person)
        return try await WalletClient.unlock(
            path: place.path, passphrase: person.passphrase, limits: .forTests, now: { town.clock.now() + seconds })
    }
}
