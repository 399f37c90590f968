import Documents
import Encodings
import Transparency

@testable import Browser
@testable import BrowserCalls

/// A good call of every function, in an order in which each needs only what came before.
///
/// Among them a document's whole way: signed, opened, presented, verified.
struct GoodCalls {
    private(set) var calls: [TestCall] = []
    private let scene: Scene
    private let fields = JSON.members([
        ("given_name", .text("Ada")), ("family_name", .text("Østby")), ("degree", .text("Master")),
        ("field_of_study", .text("Logic \"and\"\nlanguage")), ("conferred_on", .text("2026-06-30")),
    ])
    private let status = JSON.members([("uri", .text(Scene.server + "/status/1")), ("index", .integer(7))])
    private let document = JSON.members([("name", .text("degree.pdf")), ("media_type", .text("application/pdf"))])
    private let content = Bytes(text: "%PDF-1.7 another degree\n%%EOF\n")

    /// Read once for all tests.
    static let all: [TestCall] = (try? GoodCalls().calls) ?? []

    /// The good call of the function of this name.
    static func call(_ name: String) throws -> TestCall {
        guard let call = all.first(where: { $0.name == name }) else { throw Missing() }
        return call
    }

    init() throws {
        guard let scene = Scene.shared else { throw Missing() }
        self.scene = scene
        try addPlain()
        try addTrust()
        try addWholeWay()
        try addFaceToFace()
        try addDelegation()
    }

    @discardableResult
    private mutating func add(
        _ name: String, _ arguments: [(String, JSON)] = [], blobs: [Bytes] = []
    ) throws -> (value: JSON, blobs: [Bytes]) {
        let call = TestCall(name: name, arguments: arguments, blobs: blobs)
        calls.append(call)
        return try call.answer()
    }

    private mutating func addPlain() throws {
        try add("qr", [("text", .text(Scene.server + "/add-device#abc")), ("level", .text("Q"))])
        try add("sha256", blobs: [content])
        try add("thumbprint", [("key", .base64URL(Scene.holder.publicKey))])
        try add("catalogue")
        try add("validate", [("type", .text("degree")), ("fields", .members([("degree", .integer(1))]))])
        let courses = JSON.array([.members([("credits", .integer(10))]), .members([("credits", .text("7.5"))])])
        try add("totals", [("type", .text("transcript")), ("fields", .members([("courses", courses)]))])
        let payload = JSON.members([
            ("nonce", .text("é\n")), ("aud", .text(Scene.server)), ("iat", .integer(Scene.now)),
        ])
        let type = JSON.text("countersign-sign-in+jwt")
        let input = try add("jws", [("type", type), ("payload", payload)]).blobs[0]
        let jws = CompactJWS.text(signingInput: input, signature: Scene.holder.sign(input))
        try add("jws_verify", [("jws", .string(jws)), ("type", type), ("key", .base64URL(Scene.holder.publicKey))])
    }

    private mutating func addTrust() throws {
        let everything = try scene.verification("everything")
        calls.append(everything)
        guard let root = scene.forgeries["root"], let log = scene.forgeries["log"],
            let der = root.string.flatMap({ Base64.decode($0, .url) }),
            let receipt = try scene.everything().bundle.receipt
        else { throw Missing() }
        let groups = FingerprintGroups.text(SHA256.hash(der))
        try add("anchor", [("typed", .string(groups))], blobs: [der])
        try add(
            "authority",
            [("root", root), ("certificate", try scene.chain()[1]), ("time", .integer(Scene.now))])
        try add(
            "chain",
            [
                ("root", root), ("chain", .array(try scene.chain())), ("purpose", .text("documents")),
                ("time", .integer(Scene.now)),
            ])
        try add(
            "receipt",
            [
                ("log_key", log), ("proof", .string(receipt)), ("type", .text("document.issued")),
                ("members", .members([("status_index", .integer(42))])),
            ])
        try add("checkpoint", [("log_key", log), ("note", .string(try LogProof.parse(receipt).checkpoint))])
        try add(
            "log_policy",
            [
                ("root", root), ("statement", .string(Scene.logPolicy(log: log.string ?? []))),
                ("certificate", try scene.chain()[1]), ("time", .integer(Scene.now)),
            ])
    }

    private mutating func addWholeWay() throws {
        let holder = JSON.base64URL(Scene.holder.publicKey)
        let random = (0..<CredentialRandom.count).map { UInt8(truncatingIfNeeded: $0 &* 73 >> 3) }
        let draft = try add(
            "draft",
            [
                ("issuer", .text(Scene.server)), ("issuer_name", .text("Purple University")),
                ("time", .integer(Scene.issued)), ("expires", .integer(Scene.issued + 1_000_000)),
                ("type", .text("degree")), ("holder_key", holder),
                ("status", status), ("fields", fields), ("document", document), ("chain", .array(try scene.chain())),
            ], blobs: [random, content]
        ).blobs
        let signed = try add(
            "draft_finish", [("signature", .base64URL(Scene.administrator.sign(draft[0])))],
            blobs: [draft[0], draft[1], content])
        guard let root = scene.forgeries["root"], let log = scene.forgeries["log"],
            let digest = signed.value["credential_digest"]
        else { throw Missing() }
        let receipt = JSON.string(try Scene.receipt(digest: digest, status: status))
        let opened = try add(
            "open_package",
            [
                ("root", root), ("log_key", log), ("signing_key", holder), ("type", .text("degree")),
                ("credential_digest", digest), ("receipt", receipt),
            ], blobs: [signed.blobs[0]])
        let presenting = try add(
            "present",
            [
                ("audience", .text(Scene.audience)), ("nonce", .text(Scene.nonce)),
                ("time", .integer(Scene.issued + 3600)), ("fields", .array([.text("degree"), .text("family_name")])),
                ("with_document", .bool(true)), ("lifetime", .integer(604_800)),
            ], blobs: [opened.blobs[0]]
        ).blobs
        let tokens = try scene.everything().bundle.status
        let file = try add(
            "present_finish",
            [
                ("signature", .base64URL(Scene.holder.sign(presenting[0]))),
                ("status", .array(tokens.map { .string($0) })), ("receipt", receipt), ("document", document),
            ], blobs: [presenting[0], presenting[1], opened.blobs[1]]
        ).blobs[0]
        try add("preview", [], blobs: [file])
        try add(
            "verify",
            [
                ("root", root), ("log_key", log), ("time", .integer(Scene.now)), ("audience", .text(Scene.audience)),
                ("any_audience", .bool(false)), ("nonce", .text(Scene.nonce)), ("maximum_age", .integer(86_400)),
                ("live_status", .array([])),
            ], blobs: [file])
    }

    private mutating func addFaceToFace() throws {
        let (zeros, ones) = (Bytes(repeating: 0, count: 32), Bytes(repeating: 1, count: 32))
        try add(
            "digits",
            [
                ("holder_key", .base64URL(zeros)), ("encryption_key", .base64URL(ones)),
                ("holder_nonce", .base64URL(ones)), ("administrator_nonce", .base64URL(zeros)),
            ])
        let keys = [("key", JSON.base64URL(zeros)), ("encryption_key", JSON.base64URL(ones))]
        let code = try add(
            "enrolment_code",
            [("server", .text(Scene.server)), ("enrolment", .text("abc")), ("commitment", .base64URL(ones))] + keys)
        guard let link = code.value["link"] else { throw Missing() }
        try add("read_enrolment_code", [("text", link)])
        let pairing = try add("pairing_code", [("server", .text(Scene.server)), ("pairing", .text("def"))] + keys)
        guard let text = pairing.value["text"] else { throw Missing() }
        try add("read_pairing_code", [("text", text)])
        guard let code = scene.faceToFace["code"]?.string, let shown = scene.faceToFace["shown"],
            let nonce = scene.faceToFace["nonce"], let server = scene.faceToFace["server"]
        else { throw Missing() }
        try add(
            "check_answer",
            [
                ("code", .string(Bytes(text: "countersign-enrol:") + code)), ("enrolment", shown), ("nonce", nonce),
                ("server", server),
            ])
    }

    private mutating func addDelegation() throws {
        let signedBytes = try add(
            "administrator_certificate",
            [
                ("own", try scene.chain()[1]), ("key", .base64URL(Scene.administrator.publicKey)),
                ("name", .text("Åse Admin")), ("status", status), ("not_before", .integer(Scene.issued)),
                ("capabilities", .array([.text("identify_members"), .text("sign_documents")])),
                ("duration", .integer(86_400)), ("serial", .base64URL(Bytes(repeating: 0x41, count: 16))),
            ]
        ).blobs[0]
        try add(
            "certificate_finish", [("signature", .base64URL(Scene.mainAdministrator.sign(signedBytes)))],
            blobs: [signedBytes])
    }
}

/// How many random bytes a draft takes.
private enum CredentialRandom { static let count = 4096 }
