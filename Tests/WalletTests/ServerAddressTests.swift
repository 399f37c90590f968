import Interface
import Testing

@testable import Wallet

@Suite("A server's address")
struct ServerAddressTests {
    @Test(
        "is https, or plain http on this machine",
        arguments: [
            "https://sign.example.edu", "https://sign.example.edu:8443", "https://sign.example.edu/",
            "http://localhost:8080", "http://127.0.0.1:1", "http://[::1]:8080", "https://[2001:db8::1]:443",
        ])
    func accepted(text: String) throws {
        let address = try ServerAddress(text)
        #expect(!address.text.hasSuffix("/"))
    }

    @Test(
        "is refused in any other form",
        arguments: [
            "", "sign.example.edu", "http://sign.example.edu", "http://localhost.evil.example",
            "http://127.0.0.1.evil.example",
            "https://", "https://a/path", "https://a?query", "https://a#fragment", "https://user@a",
            "https://user:pw@a",
            "https://a:0", "https://a:99999", "https://a:", "https://a:80:80", "ftp://a", "https://a b",
            "https://A\u{E9}",
            "http://[::1", "http://[::1]x", "HTTPS://a", "https://a//",
        ])
    func refused(text: String) {
        #expect(throws: WalletError.unacceptableAddress(text)) { try ServerAddress(text) }
    }

    @Test(
        "takes no identifier that leads elsewhere",
        arguments: [
            "", "..", "a/b", "a?b", "a#b", "a%2e", "a b", "\u{E9}", String(repeating: "a", count: 129),
        ])
    func segments(id: String) {
        #expect(throws: WalletError.notFound(id)) { try ServerClient.segment(id) }
    }

    @Test(
        "is compared with what the interface's JSON says",
        arguments: [
            ("public_url", "publicURL"), ("is_set_up", "isSetUp"), ("id", "id"), ("maximum_views", "maximumViews"),
            ("rp_id", "rpID"),
        ])
    func names(snake: String, camel: String) {
        #expect(InterfaceCoding.camelCase(snake) == camel)
    }

    @Test("comes back out of an organisation's JSON")
    func organisation() throws {
        let organisation = Organisation(
            name: "U", publicURL: "https://a", isSetUp: true, rootCertificate: "", rootFingerprint: "ff", logKey: "k")
        let decoded = try InterfaceCoding.decode(Organisation.self, from: InterfaceCoding.encode(organisation))
        #expect(decoded.publicURL == "https://a")
        #expect(decoded.isSetUp)
    }
}
