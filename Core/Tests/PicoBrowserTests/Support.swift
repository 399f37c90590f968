import BrowserCalls
import EllipticCurves
import Encodings
import Pico
import Synchronization
import Testing

@testable import PicoBrowser

/// One call, as a page makes it.
func call(_ name: String, _ arguments: [(String, JSON)], _ blobs: [Bytes] = []) throws -> JSON {
    let frames = Frames.joined([Bytes(text: name), JSON.members(arguments).serialized()] + blobs)
    let parts = try #require(Frames.split(PicoBrowser.answer(frames)))
    let value = try JSON.parse(parts[1], maximumLength: 1 << 20, maximumCount: 1 << 14)
    guard parts[0] == [0] else { throw Refused(code: words(value["code"]?.string ?? [])) }
    return value
}

/// What the module refused, by its code.
struct Refused: Error, Equatable {
    let code: String
}

/// The code with which something is refused; `nil` when it is not.
func refusal<Value>(_ body: () throws -> Value) throws -> String? {
    do {
        _ = try body()
        return nil
    } catch let error as Refused {
        return error.code
    }
}

func words(_ bytes: Bytes) -> String { String(decoding: bytes, as: UTF8.self) }

extension JSON {
    func text(_ name: StaticString) -> String { words(self[name]?.string ?? []) }

    func bytes(_ name: StaticString) throws -> Bytes {
        let text = try #require(self[name]?.string)
        return try #require(Base64.decode(text, .url))
    }
}

/// A cipher that replaces AES, which `Core` does not have: a stream and a tag of SHA-256.
///
/// Both sides of the tests have it.
enum ToyCipher {
    static func seal(_ plaintext: Bytes, key: Bytes, iv: Bytes) -> Bytes {
        let ciphertext = masked(plaintext, key, iv)
        return ciphertext + tag(ciphertext, key, iv)
    }

    static func open(_ sealed: Bytes, key: Bytes, iv: Bytes) -> Bytes? {
        guard sealed.count >= 16 else { return nil }
        let ciphertext = Array(sealed.dropLast(16))
        guard tag(ciphertext, key, iv) == Array(sealed.suffix(16)) else { return nil }
        return masked(ciphertext, key, iv)
    }

    private static func tag(_ ciphertext: Bytes, _ key: Bytes, _ iv: Bytes) -> Bytes {
        Array(SHA256.hash(key + iv + ciphertext).prefix(16))
    }

    private static func masked(_ bytes: Bytes, _ key: Bytes, _ iv: Bytes) -> Bytes {
        var output: Bytes = []
        for (index, byte) in bytes.enumerated() {
            let block = SHA256.hash(key + iv + bigEndianBytes(UInt64(index / 32)))
            output.append(byte ^ block[index % 32])
        }
        return output
    }
}

/// The service's suite: the cipher of the tests, and bytes that are counted.
struct ServiceSuite: PicoCryptoSuite {
    private let counter: Counter

    private final class Counter: Sendable {
        let seed: Bytes
        let count = Mutex<UInt64>(0)

        init(_ seed: String) { self.seed = Bytes(text: seed) }
    }

    init(_ seed: String) { counter = Counter(seed) }

    func sealAESGCM(_ plaintext: Bytes, key: Bytes, iv: Bytes) -> Bytes? { ToyCipher.seal(plaintext, key: key, iv: iv) }
    func openAESGCM(_ sealed: Bytes, key: Bytes, iv: Bytes) -> Bytes? { ToyCipher.open(sealed, key: key, iv: iv) }

    func randomBytes(_ count: Int) -> Bytes {
        var bytes: Bytes = []
        while bytes.count < count {
            let next = counter.count.withLock { count in
                count += 1
                return count
            }
            bytes += SHA256.hash(counter.seed + bigEndianBytes(next))
        }
        return Array(bytes.prefix(count))
    }

    func isValidP256(_ signature: Bytes, over message: Bytes, publicKey: Bytes) -> Bool {
        PureSuite().isValidP256(signature, over: message, publicKey: publicKey)
    }

    func isValidEd25519(_ signature: Bytes, over message: Bytes, publicKey: Bytes) -> Bool { false }
}

/// A page: it keeps what a run has had, and computes what a call needs.
struct Page {
    let curve: EllipticCurve
    /// The run's own key, as WebCrypto holds it: the module is told its public half alone.
    var ephemeral: ECPrivateKey?
    var random: Bytes
    var times: [Int64] = [1_000]
    var received: [Bytes] = []
    var signature: Bytes?
    var key: Bytes?
    var name: String?
    var extra: Bytes?
    var answers: [JSON] = []
    var code: Bytes
    /// How often it computed.
    var count = 0

    init(_ code: Bytes, on curve: EllipticCurve = .p256, seed: String = "page") {
        self.code = code
        self.curve = curve
        ephemeral = curve.isOfWebCrypto ? Self.key(on: curve, seed: "ephemeral \(seed)") : nil
        random = ServiceSuite(seed).randomBytes(128)
    }

    /// A key of the run, made of a seed.
    static func key(on curve: EllipticCurve, seed: String) -> ECPrivateKey? {
        try? ECPrivateKey.generate(on: curve, randomBytes: ServiceSuite(seed).randomBytes)
    }

    private var arguments: [(String, JSON)] {
        var arguments: [(String, JSON)] = [
            ("curve", .literal(curve.pageName)), ("random", .base64URL(random)),
            ("times", .array(times.map { .integer($0) })),
            ("received", .array(received.map { .base64URL($0) })), ("answers", .array(answers)),
        ]
        if let ephemeral { arguments.append(("ephemeral", .base64URL(ephemeral.publicKey.x963))) }
        if let signature { arguments.append(("signature", .base64URL(signature))) }
        if let key { arguments.append(("key", .base64URL(key))) }
        if let name { arguments.append(("name", .text(name))) }
        if let extra { arguments.append(("extra", .base64URL(extra))) }
        return arguments
    }

    /// One call, which may need something.
    func ask() throws -> JSON { try call("run", arguments, [code]) }

    /// Calls until nothing is needed any more.
    mutating func step() throws -> JSON {
        for _ in 0..<4 {
            let value = try ask()
            guard value.text("step") == "need" else { return value }
            answers.append(try computed(value, ephemeral))
            count += 1
        }
        throw Refused(code: "it always needs more")
    }

    mutating func receive(_ message: Bytes, after milliseconds: Int64 = 10) throws -> JSON {
        received.append(message)
        times.append((times.last ?? 0) + milliseconds)
        return try step()
    }

    mutating func sign(_ bytes: Bytes, with identity: ECPrivateKey, after milliseconds: Int64 = 10) throws -> JSON {
        signature = identity.rawSignature(over: bytes, with: .sha256)
        key = identity.publicKey.x963
        times.append((times.last ?? 0) + milliseconds)
        return try step()
    }
}

/// The answer of WebCrypto to a question; `ephemeral` is the key that it holds for a run.
func computed(_ need: JSON, _ ephemeral: ECPrivateKey? = nil) throws -> JSON {
    let (key, iv, bytes) = (try need.bytes("key"), try need.bytes("iv"), try need.bytes("bytes"))
    let result: Bytes?
    switch need.text("operation") {
    case "seal": result = ToyCipher.seal(bytes, key: key, iv: iv)
    case "agree":
        let own = try #require(ephemeral)
        #expect(key == own.publicKey.x963 && iv.isEmpty)
        result = try own.sharedSecret(with: ECPublicKey(own.curve, x963: bytes))
    default: result = ToyCipher.open(bytes, key: key, iv: iv)
    }
    return .members([
        ("operation", .text(need.text("operation"))), ("key", .base64URL(key)), ("iv", .base64URL(iv)),
        ("bytes", .base64URL(bytes)), ("result", result.map { .base64URL($0) } ?? .null),
    ])
}
