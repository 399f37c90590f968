import Documents
import Encodings
import Testing

@testable import Server

@Suite("The longest name of an organisation")
struct LongestNameTests {
    @Test("that the server takes fits into a credential")
    func fits() throws {
        // Two code points each, of four bytes.
        let name = try AccountRules.organisation(String(repeating: "🇩🇪", count: Limits.organisation))
        #expect(name.utf8.count == 1600)
        #expect(CredentialClaims.isIssuerName(Bytes(text: name)))
        #expect(throws: AccountError.self) { try AccountRules.organisation(name + "x") }
    }
}
