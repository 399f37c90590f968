import Encodings
import Passkeys
import Testing

@Suite("Client data")
struct ClientDataTests {
    /// A registration without attestation has no signature, so client data are all that is tested here.
    private func refused(_ error: PasskeyError, _ spoil: (inout Vector) throws -> Void) throws {
        var vector = try Vectors.none()
        try spoil(&vector)
        #expect(throws: error) { try vector.register() }
        var second = try Vectors.none()
        let credential = try second.register().credential
        swap(&second.registration, &second.assertion)
        try spoil(&second)
        swap(&second.registration, &second.assertion)
        #expect(throws: error) { try second.assert(by: credential) }
    }

    @Test("Another challenge, another length, none at all, and the answer to an earlier one are refused")
    func challenge() throws {
        try refused(.wrongChallenge) { $0.registration.challenge[0] ^= 1 }
        try refused(.wrongChallenge) { $0.registration.challenge.removeLast() }
        try refused(.wrongChallenge) { $0.registration.challenge = [] }
        try refused(.wrongChallenge) { $0.registration.challenge = $0.assertion.challenge }
    }

    @Test("An empty challenge matches nothing, not even an empty one")
    func emptyChallenge() throws {
        var vector = try Vectors.none()
        let text = String(decoding: Base64.encode(vector.registration.challenge, .url), as: UTF8.self)
        try vector.registration.replace(text, "")
        vector.registration.challenge = []
        #expect(throws: PasskeyError.wrongChallenge) { try vector.register() }
    }

    @Test(
        "Another origin is refused, however near",
        arguments: [
            "https://login.example.org", "http://example.org", "https://example.org:8443", "https://example.org/",
            "https://Example.org", "https://example.org.evil.test", "https://xample.org", "example.org", "", "null",
        ])
    func origin(other: String) throws {
        try refused(.wrongOrigin) { try $0.registration.replace("https://example.org", other) }
    }

    @Test("One of several origins is enough")
    func origins() throws {
        var vector = try Vectors.none()
        vector.relyingParty = Vector.relyingParty(origins: ["https://www.example.org", "https://example.org"])
        #expect(throws: Never.self) { try vector.register() }
        vector.relyingParty = Vector.relyingParty(origins: [])
        #expect(throws: PasskeyError.wrongOrigin) { try vector.register() }
    }

    @Test("The answer of one ceremony is none of the other")
    func type() throws {
        var vector = try Vectors.none()
        try vector.registration.replace("webauthn.create", "webauthn.get")
        #expect(throws: PasskeyError.wrongType) { try vector.register() }
        var second = try Vectors.none()
        let credential = try second.register().credential
        try second.assertion.replace("webauthn.get", "webauthn.create")
        #expect(throws: PasskeyError.wrongType) { try second.assert(by: credential) }
        try second.assertion.replace("webauthn.create", "payment.get")
        #expect(throws: PasskeyError.wrongType) { try second.assert(by: credential) }
    }

    @Test("Frames are refused unless the page around them is listed")
    func frames() throws {
        var unnamed = try Vectors.named("ES256 Credential with \"crossOrigin\"")
        #expect(throws: Never.self) { try unnamed.register() }
        unnamed.relyingParty = Vector.relyingParty(unnamed: false)
        #expect(throws: PasskeyError.crossOrigin) { try unnamed.register() }
        unnamed.relyingParty = Vector.relyingParty(topOrigins: [], unnamed: false)
        #expect(throws: PasskeyError.crossOrigin) { try unnamed.register() }

        var named = try Vectors.named("ES256 Credential with \"topOrigin\"")
        named.relyingParty = Vector.relyingParty(unnamed: false)
        #expect(throws: Never.self) { try named.register() }
        named.relyingParty = Vector.relyingParty(topOrigins: [])
        #expect(throws: PasskeyError.crossOrigin) { try named.register() }
        named.relyingParty = Vector.relyingParty(topOrigins: ["https://example.net", "https://www.example.com"])
        #expect(throws: PasskeyError.wrongTopOrigin) { try named.register() }
    }

    @Test(
        "Members of another kind, missing or doubled are refused",
        arguments: [
            ("\"type\":\"", "\"typo\":\""), ("\"challenge\":\"", "\"challenge\":\"="), ("\"origin\":\"", "\"org\":\""),
            ("\"crossOrigin\":false", "\"crossOrigin\":0"), ("\"crossOrigin\":false", "\"crossOrigin\":null"),
            ("\"crossOrigin\":false", "\"crossOrigin\":false,\"topOrigin\":\"https://example.com\""),
            ("\"crossOrigin\":false", "\"crossOrigin\":true,\"topOrigin\":1"),
            ("\"crossOrigin\":false", "\"crossOrigin\":false,\"crossOrigin\":false"),
            ("{\"type\"", "[{\"type\""), ("{\"type\"", "{\"type\":\"webauthn.get\",\"type\""), ("{", "\u{FEFF}{"),
        ])
    func malformed(old: String, new: String) throws {
        try refused(.malformedClientData) { try $0.registration.replace(old, new) }
    }

    @Test("Text that is no JSON, or too long, is refused")
    func noJSON() throws {
        for text in ["", "{", "null", "[]", "\"\"", "{}", "{\"type\":1}"] {
            try refused(.malformedClientData) { $0.registration.clientData = Bytes(text: text) }
        }
        try refused(.malformedClientData) { $0.registration.clientData += Bytes(repeating: 0x20, count: 16384) }
    }

    @Test("Order, white space and unknown members do not matter")
    func tolerant() throws {
        var vector = try Vectors.none()
        let challenge = String(decoding: Base64.encode(vector.registration.challenge, .url), as: UTF8.self)
        vector.registration.clientData = Bytes(
            text: """
                { "new" : [1, {"a": null}], "crossOrigin": false, "origin": "https:\\/\\/example.org",
                  "challenge": "\(challenge)", "tokenBinding": {"status": "supported"}, "type": "webauthn.create" }
                """)
        #expect(throws: Never.self) { try vector.register() }
        vector.registration.clientData = Bytes(
            text: #"{"type":"webauthn.create","challenge":"\#(challenge)","origin":"https://example.org"}"#)
        #expect(throws: Never.self) { try vector.register() }
    }
}
