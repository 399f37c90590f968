import Foundation
import Testing

@testable import Server

/// Compares the server's English refusals about accounts with the texts that pages have in other languages.
@Suite("The words of accounts")
struct AccountWordsTests {
    @Test("have every refusal that somebody can meet at joining, at devices and at passkeys")
    func refusals() throws {
        let file = try #require(FileManager.default.contents(atPath: Pages.builtFolder + "/accounts/refusals.js"))
        let keys = Set(ModuleTexts.keys(of: String(decoding: file, as: UTF8.self)).map(\.text))
        let errors: [AccountError] = [
            .alreadySetUp, .wrongSetUpCode, .wrongRecoveryCode, .usernameTaken, .invitationInvalid, .invalidDevice,
            .deviceTaken, .deviceAlreadyRevoked, .alreadyVerified, .invalidPasskey, .passkeyTaken, .tooManyPasskeys,
            .lastWayToSignIn, .pairingDecided, .pairingOver, .otherPassphrase, .tooManyDevices,
        ]
        // A number in a text is a value.
        for text in errors.map(\.problem.detail) {
            let counted = text.replacing(/[0-9]+/, with: "{0}")
            #expect(keys.contains(text) || keys.contains(counted), "\(text)")
        }
    }
}
