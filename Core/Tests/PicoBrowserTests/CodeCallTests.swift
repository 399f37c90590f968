import BrowserCalls
import EllipticCurves
import Encodings
import Pico
import Testing

@testable import PicoBrowser

@Suite("A code of Pico in a page")
struct CodeCallTests {
    let service: Service

    init() throws { service = try Service() }

    private func read(_ text: Bytes) throws -> JSON { try call("code", [], [text]) }

    @Test("tells whom it is from and where they wait")
    func codes() throws {
        let pairing = try read(service.code.encoded())
        #expect(pairing.text("type") == "KP" && pairing.text("decision") == "run")
        #expect(pairing.text("name") == "Example Café" && pairing.text("host") == "example.org")
        #expect(pairing.text("scheme") == "https" && pairing["port"] == .integer(8443))
        #expect(pairing.text("channel") == "abc" && pairing.text("curve") == "p256")
        #expect(pairing.text("fingerprint") == words(service.commitment.fingerprint))
        let authentication = try read(service.authenticationCode.encoded())
        #expect(authentication.text("type") == "KA" && authentication["name"] == .null)
        #expect(authentication["curve"] == .null)
        #expect(try authentication.bytes("commitment") == service.commitment.bytes)
    }

    @Test("is declined with a reason if nothing is done with it")
    func declined() throws {
        let commitment = words(service.commitment.base64)
        let terminal = #"{"ta":"https://a.example/channel/b","tc":"\#(commitment)"}"#
        let nonce = #""n":"AAAA""#
        let cases: [(String, String)] = [
            (#"{"t":"LP","sc":"\#(commitment)","td":\#(terminal)}"#, "replays-passwords"),
            (#"{"t":"LA","sc":"\#(commitment)","td":\#(terminal)}"#, "replays-passwords"),
            (#"{"t":"TP","tn":"A browser",\#(nonce),"td":\#(terminal)}"#, "serves-passwords"),
            (#"{"t":"DP","tn":"A browser",\#(nonce),"td":\#(terminal)}"#, "serves-passwords"),
            (#"{"t":"KA","sc":"\#(commitment)","sa":"btspp://0123456789ab","ed":"","td":{}}"#, "bluetooth"),
            (#"{"t":"KA","sc":"\#(commitment)","sa":"tcp://a.example:80","ed":"","td":{}}"#, "tcp"),
        ]
        for (text, reason) in cases {
            let value = try read(Bytes(text: text))
            #expect(value.text("decision") == "decline" && value.text("reason") == reason, "\(text)")
        }
    }

    @Test("on an old curve is declined, unless the page will ask whether the service is old")
    func oldCurve() throws {
        for curve in EllipticCurve.allCases where curve != .p256 {
            let code = try Service(on: curve).code.encoded()
            let value = try read(code)
            #expect(value.text("decision") == "decline" && value.text("reason") == "old-curve")
            #expect(try refusal { try Page(code).ask() } == "old_curve")
            let asked = try call("code", [("old", .bool(true))], [code])
            #expect(asked.text("decision") == "run" && asked.text("curve") == curve.pageName.description)
        }
        #expect(try call("code", [("old", .bool(true))], [service.code.encoded()]).text("curve") == "p256")
    }

    @Test("that is none is refused")
    func others() throws {
        for (text, code) in [
            ("https://example.org/", "malformed"), ("{}", "malformed"), (#"{"t":"PA"}"#, "unsupported_code"),
            ("", "malformed"),
        ] {
            #expect(try refusal { try read(Bytes(text: text)) } == code, "\(text)")
        }
        var signed = service.code.encoded()
        let place = try #require(signed.firstRange(of: Bytes(text: "Café"))?.lowerBound)
        signed[place] = 0x4B
        #expect(try refusal { try read(signed) } == "invalid_signature")
    }
}
