import EllipticCurves
import Encodings
import Testing

@testable import Pico

@Suite("Visual codes")
struct CodeTests {
    private let suite = TestSuite()

    private func read(
        _ text: Bytes, _ curves: PicoCurves = .old, _ schemes: [PicoAddress.Scheme] = .rendezvous
    ) throws -> PicoCode {
        try PicoCode.read(text, curves: curves, accepting: schemes, suite: suite)
    }

    @Test("are taken and refused as the vectors say")
    func vectors() throws {
        let cases = try Fixture.cases("codes")
        #expect(cases.count == 14)
        for vector in cases {
            let text = try vector.text("text")
            let error = refusal { try read(text) }
            let id = string(try vector.text("id"))
            #expect((error == nil) == (vector["valid"]?.bool ?? false), "\(id)")
        }
    }

    @Test("of old curves need a service that is marked as old")
    func oldCurves() throws {
        for vector in try Fixture.cases("codes") where vector["valid"]?.bool == true {
            let text = try vector.text("text")
            let isOld = try string(vector.text("id")).contains("p192")
            #expect(refusal { try read(text, .current) } == (isOld ? .unsupportedCurve : nil))
        }
    }

    @Test("of our own side are written byte for byte")
    func writing() throws {
        for vector in try Fixture.cases("codes") {
            let (id, text) = (string(try vector.text("id")), try vector.text("text"))
            switch try? read(text) {
            case .pairing(let code):
                if id != "kp-live-libpico-p192" { #expect(code.encoded() == text) }
                #expect(try read(code.encoded()) == .pairing(code))
            case .authentication(let code): #expect(code.encoded() == text)
            case nil: #expect(vector["valid"]?.bool == false)
            default: #expect(id == "lp")
            }
        }
    }

    private func good(_ type: String) throws -> JSON {
        let pair = try Pair()
        let details: [(String, JSON)] = [
            ("ta", .string(PicoAddress.example.text)), ("tc", .string(pair.pairing.service.base64)),
        ]
        switch type {
        case "KP": return try JSON.parse(pair.code.encoded())
        case "KA": return try JSON.parse(pair.authenticationCode.encoded())
        case "LP", "LA":
            return .members([
                ("sc", .string(pair.pairing.service.base64)), ("td", .members(details)), ("t", .text(type)),
            ])
        default:
            return .members([
                ("tn", .text("a browser")), ("n", .string(Base64.encode(Bytes(0..<8), .standard))),
                ("td", .members(details)), ("t", .text(type)),
            ])
        }
    }

    @Test("of six types are recognised, and only KP and KA are run", arguments: ["KP", "KA", "LP", "LA", "TP", "DP"])
    func types(type: String) throws {
        let code = try read(good(type).serialized())
        let decision: PicoCode.Decision
        switch code {
        case .pairing, .authentication: decision = .run
        case .lensPairing(let terminal), .lensAuthentication(let terminal):
            #expect(terminal.service != nil && terminal.name == nil)
            decision = .decline(.replaysPasswords)
        case .terminalPairing(let terminal), .delegation(let terminal):
            #expect(terminal.nonce == Bytes(0..<8) && terminal.name?.equals("a browser") == true)
            decision = .decline(.servesPasswords)
        }
        #expect(code.decision == decision)
        // The order of members and white space are free, and unknown members are ignored.
        let members = try #require(try good(type).members)
        let more = [
            JSON.Member("x", .array([.null, .bool(true)])), JSON.Member("y", .object([])),
            JSON.Member("z", .decimal(Bytes(text: "2.5"))),
        ]
        #expect(try read([0x20, 0x0A] + JSON.object((more + members).reversed()).serialized() + [0x0A]) == code)
    }

    @Test("lack no member", arguments: ["KP", "KA", "LP", "LA", "TP", "DP"])
    func missing(type: String) throws {
        let code = try good(type)
        for member in try #require(code.members) {
            let without = code.setting(string(member.name), nil)
            #expect(refusal { try read(without.serialized()) } == .malformed, "\(string(member.name))")
            let other = code.setting(string(member.name), .integer(1))
            #expect(refusal { try read(other.serialized()) } == .malformed, "\(string(member.name))")
        }
        for name in ["ta", "tc"] {
            guard let details = code["td"], details.members?.isEmpty == false else { continue }
            for value in [nil, JSON.text("")] {
                let without = code.setting("td", details.setting(name, value))
                #expect(refusal { try read(without.serialized()) } != nil)
            }
        }
    }

    @Test("of the abandoned type PA, and of types that nobody knows, are refused")
    func unknownTypes() throws {
        let abandoned = JSON.members([
            ("t", .text("PA")), ("ta", .string(PicoAddress.example.text)), ("ek", .text("AES/CBC/PKCS7Padding/AA==")),
            ("mk", .text("HmacSHA256/AA==")),
        ])
        #expect(refusal { try read(abandoned.serialized()) } == .unsupportedCode)
        #expect(refusal { try read(good("KA").setting("t", .text("ka")).serialized()) } == .unsupportedCode)
    }

    @Test("have names that hide nothing")
    func names() throws {
        let pair = try Pair()
        func error(_ name: String) -> PicoError? {
            refusal {
                try PicoPairingCode(
                    name: Bytes(text: name), address: .example, identity: pair.service, suite: suite)
            }
        }
        for name in [
            "", "a\nb", "a\u{0}", "\u{7F}", "\u{85}", "a\u{202E}b", "\u{2066}", "\u{200F}", "a\u{2028}b", "a\u{200B}b",
            "\u{200B}", "a\u{AD}b", "\u{FEFF}a", "a\u{2060}b", "a\u{E0041}",
        ] {
            #expect(error(name) == .malformed)
            let code = try good("KP").setting("sn", .text(name))
            #expect(refusal { try read(code.serialized()) } == .malformed)
        }
        #expect(error(String(repeating: "a", count: 257)) == .tooLarge)
        #expect(error(String(repeating: "a", count: 256)) == nil)
        #expect(error("Université de Genève 日本") == nil)
    }

    @Test("are signed over the name and the address, and nothing else of them can be swapped unseen")
    func signature() throws {
        let (code, other) = (try good("KP"), try Pair(seed: "other"))
        let key = try JSON.parse(other.code.encoded()).member("spk")
        #expect(refusal { try read(code.setting("spk", key).serialized()) } == .invalidSignature)
        #expect(refusal { try read(code.setting("sn", .text("Example Bank")).serialized()) } == .invalidSignature)
        let address = JSON.text("https://rendezvous.example/channel/1123456789abcdef0123456789abcdef")
        #expect(refusal { try read(code.setting("sa", address).serialized()) } == .invalidSignature)
    }

    @Test("are at most 4,096 bytes")
    func length() throws {
        let text = try good("KA").serialized()
        let padding = Bytes(repeating: 0x20, count: PicoLimits.code - text.count)
        #expect(refusal { try read(text + padding) } == nil)
        #expect(refusal { try read(text + padding + [0x20]) } == .tooLarge)
    }
}

@Suite("Channel addresses")
struct AddressTests {
    private func parse(_ text: String, _ schemes: [PicoAddress.Scheme]) -> PicoAddress? {
        try? PicoAddress.parse(Bytes(text: text), accepting: schemes)
    }

    @Test(
        "of the known forms are read",
        arguments: [
            ("http://rendezvous.mypico.org/channel/01872670dfb866ffea1d15d2a1d80264", "rendezvous.mypico.org", nil),
            ("https://Host.example:8443/channel/a_b-C", "host.example", 8_443),
            ("http://127.0.0.1:8099/channel/x", "127.0.0.1", 8_099), ("http://[::1]:1/channel/x", "[::1]", 1),
            ("tcp://host.example:65535", "host.example", 65_535),
            ("btspp://0123456789AB", "0123456789ab", nil), ("btspp://0123456789ab:1f", "0123456789ab", 31),
        ] as [(String, String, UInt16?)])
    func good(text: String, host: String, port: UInt16?) {
        let address = parse(text, PicoAddress.Scheme.allCases)
        #expect(address?.host == Bytes(text: host))
        #expect(address?.port == port)
        #expect(address?.text == Bytes(text: text))
    }

    @Test(
        "of other forms are refused",
        arguments: [
            "http://host/channel/", "http://host/channel/a/", "http://host/channel/a/b", "http://host/other/a",
            "http://host/channel/a?b", "http://host/channel/a#b", "http://host/channel/a%2e", "http://host/channel",
            "http://user@host/channel/a", "http://host:/channel/a", "http://host:0/channel/a",
            "http://host:65536/channel/a", "http://host:80:80/channel/a", "http:///channel/a", "http://a..b/channel/a",
            "http://-a/channel/a", "http://h%6Fst/channel/a", "http://[::1/channel/a", "http://[]/channel/a",
            "http://[::g]/channel/a", "http://]/channel/a", "http:// host/channel/a", "HTTP://host/channel/a",
            "http://hôst/channel/a", "tcp://host", "tcp://host:1/", "btspp://0123456789", "btspp://0123456789ab:",
            "btspp://0123456789ab:00", "btspp://0123456789ab:1", "btspp://0123456789ag", "ftp://host/channel/a",
            "javascript:alert(1)", "", "http://",
        ])
    func bad(text: String) {
        #expect(parse(text, PicoAddress.Scheme.allCases) == nil)
    }

    @Test("have a channel of 1 to 64 characters and at most 1,024 bytes")
    func lengths() {
        let name = String(repeating: "a", count: 64)
        #expect(parse("http://host/channel/" + name, .rendezvous) != nil)
        #expect(parse("http://host/channel/a" + name, .rendezvous) == nil)
        let long = "http://" + String(repeating: "a.", count: 600) + "a/channel/a"
        #expect(refusal { try PicoAddress.parse(Bytes(text: long), accepting: .rendezvous) } == .tooLarge)
    }

    @Test("are only of schemes that the caller can use")
    func schemes() {
        #expect(parse("btspp://0123456789ab", .rendezvous) == nil)
        #expect(parse("tcp://host:1", .rendezvous) == nil)
        #expect(parse("http://host/channel/a", [.https]) == nil)
        #expect(
            refusal { try PicoAddress.parse(Bytes(text: "tcp://host:1"), accepting: .rendezvous) }
                == .unsupportedAddress)
    }
}
