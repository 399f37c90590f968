import Encodings
import Foundation
import HTTPTypes
import Hummingbird
import Interface
import NIOCore

@testable import Server

extension OuterParser {
    static let server = [
        OuterParser(name: "request bodies", good: bodies, accepts: isBody),
        OuterParser(name: "request headers", good: headers, accepts: areHeaders),
        OuterParser(name: "configuration", good: configurations, accepts: isConfiguration),
        OuterParser(
            name: "public URL",
            good: bytes("https://sign.example.org", "http://localhost:8080", "https://a-b.example:8443"),
            maximumLength: 300,
            accepts: { input in
                guard let url = accepted({ try PublicURL(input.asText) }) else { return false }
                try promise(
                    url.text == input.asText && url.text.hasSuffix(url.authority), "one spelling for one address")
                return true
            }),
        OuterParser(
            name: "IPv6 address", good: bytes("::1", "2001:db8::8a2e:370:7334", "fe80::1%eth0", "::ffff:192.0.2.1"),
            maximumLength: 64,
            accepts: { IPv6Network.prefix64(of: $0.asText) != nil }),
        OuterParser(
            name: "SVG logo", good: logos,
            accepts: { input in
                guard let picture = accepted({ try SVGPicture(input) }) else { return false }
                try promise(accepted { try SVGPicture(picture.bytes) }?.bytes == picture.bytes, "what is kept stays")
                let kept = picture.bytes.asText.lowercased()
                try promise(!kept.contains("<script"), "nothing that runs or loads")
                return true
            }),
        OuterParser(
            name: "PNG logo", good: [png],
            accepts: { input in
                guard let picture = accepted({ try PNGPicture(input) }) else { return false }
                try promise(accepted { try PNGPicture(picture.bytes) } == picture, "what is kept stays")
                return true
            }),
    ]

    private static let logos = bytes(
        "<svg viewBox='0 0 4 2'><g fill='#fff'><circle r='1'/></g><script>alert(1)</script></svg>",
        """
        <?xml version="1.0"?><svg width="4mm" height="2mm"><!-- a --><defs><linearGradient id="g"><stop offset="0"/>
        </linearGradient></defs><path d="M0 0h1z" style="fill:url(#g);stroke:url(https://evil.example)"/><text>&amp;</text>
        </svg>
        """)

    /// One transparent pixel.
    private static let png: Bytes =
        Hex.decode(
            Bytes(
                text: "89504e470d0a1a0a0000000d49484452000000010000000108060000001f15c489"
                    + "0000000b49444154789c6360000200000500017a5eab3f0000000049454e44ae426082")) ?? []

    private static let bodies = bytes(
        #"{"username":"ada","passphrase":"correct horse battery","device":"d1","proof":"abc.def.ghi"}"#,
        #"""
        {"username":"ada","name":"Ada","passphrase":null,"passkey":{"id":"AA","client_data":"e30","attestation_object":
        "oA","transports":["usb"]},"device":{"name":"Laptop","signing_key":"BA","encryption_key":"BA","proof":"a.b.c"}}
        """#,
        #"{"sealed":"a..b.c.d","credential_digest":"AA","statement":"a.b.c"}"#,
        #"{"role":"administrator","lifetime":9007199254740991}"#, #"{"type":"degree","note":"é \n"}"#,
        #"{"authority_key":"BA","proof":"a.b.c"}"#)

    /// As strict JSON, as every body that the routes take.
    private static func isBody(_ input: Bytes) -> Bool {
        guard let json = accepted({ try JSON.parse(input, maximumDepth: Limits.depth) }) else { return false }
        let types: [any Decodable.Type] = [
            SignInRequest.self, SignUpRequest.self, SetUpRequest.self, Issuance.self, InvitationRequest.self,
            NewDocumentRequest.self, DelegationRequest.self, EnrolmentCompletion.self, NewPasskey.self,
            Certification.self, PairingEndorsement.self, NewShare.self, NoMembers.self,
        ]
        return types.filter { type in accepted({ try StrictDecoder.decode(type, from: json) }) != nil }.count > 0
    }

    private static let headers = bytes(
        "Cookie: a=b; countersign=0123456789abcdef\nSec-Fetch-Site: same-origin\nOrigin: http://localhost:8080",
        "Authorization: Bearer 0123456789abcdef\nX-Forwarded-For: 10.0.0.1, 2001:db8::1\nAccept-Encoding: gzip;q=0.5, br",
        "Countersign-Session: cookie\nCookie: countersign=x\nAccept-Encoding: deflate , gzip ; q=0")

    /// Lines of name and value, as every header that the server reads.
    private static func areHeaders(_ input: Bytes) throws -> Bool {
        var fields = HTTPFields()
        for line in input.split(at: 0x0A) {
            let parts = line.asText.split(separator: ":", maxSplits: 1)
            guard parts.count == 2, let name = HTTPField.Name(String(parts[0])) else { continue }
            fields.append(HTTPField(name: name, value: String(parts[1]).trimmingCharacters(in: .whitespaces)))
        }
        guard !fields.isEmpty else { return false }
        for method in [HTTPRequest.Method.get, .post] {
            let head = HTTPRequest(
                method: method, scheme: "http", authority: "localhost:8080", path: "/", headerFields: fields)
            let request = Request(head: head, body: .init(buffer: ByteBuffer()))
            for token in [SessionCookie(publicURL: "http://localhost:8080").token(of: request), request.bearerToken] {
                try promise(1...Limits.token ~= token?.utf8.count ?? 1, "a token is not empty and not long")
            }
            let address = ClientAddress.of(request, peer: "127.0.0.1", trustsProxy: true)
            try promise(2...45 ~= address.utf8.count, "an address is none that fills the memory")
            _ = Gzip.isAccepted(request.headers[.acceptEncoding])
        }
        return true
    }

    private static let configurations = bytes(
        #"{"host":"127.0.0.1","port":8080,"public_url":"https://sign.example.org","trust_proxy":true}"#,
        #"{"log_level":"info","log_format":"json","data_directory":"/var/lib/countersign","port":"65535"}"#,
        #"{"database":"postgres://server@localhost/countersign","tls_certificate":"a","tls_key":"b"}"#)

    private static func isConfiguration(_ input: Bytes) throws -> Bool {
        guard let file = accepted({ try ServerConfiguration.members(ofFile: input) }) else { return false }
        switch ServerConfiguration.read(flags: [:], environment: [:], file: file) {
        case .failure(let mistakes):
            try promise(!mistakes.list.isEmpty, "a refusal says why")
            return false
        case .success(let configuration):
            try promise(0...65_535 ~= configuration.port, "a port is one")
            return true
        }
    }
}
