import EllipticCurves
import Encodings
import Testing

@testable import Pico

@Suite("What is stored and handed on")
struct StoredFormTests {
    private let suite = TestSuite()

    @Test("a backup of the Android app is opened, and ours is byte for byte the same")
    func backup() throws {
        let vector = try Fixture.json("backup")
        let (file, secret) = (try vector.text("file_text"), try vector.hex("user_secret"))
        let database = try vector.hex("database")
        #expect(suite.sha256(secret) == (try vector.hex("key")))
        #expect(try PicoBackup.open(file, secret: secret, suite: suite) == database)
        let iv = try #require(Base64.decode(JSON.parse(file).text("iv"), .standard))
        #expect(try PicoBackup.seal(database, secret: secret, suite: TestSuite([iv])) == file)
        let indices = try vector.list("word_indices").compactMap { $0.integer.map { UInt8($0) } }
        #expect(try PicoBackup.wordIndices(of: secret) == indices)
        #expect(try PicoBackup.secret(ofWordIndices: indices) == secret)
    }

    @Test("another secret, or a changed file, opens no backup")
    func damagedBackup() throws {
        let vector = try Fixture.json("backup")
        let (file, secret) = (try vector.text("file_text"), try vector.hex("user_secret"))
        for index in secret.indices {
            #expect(refusal { try PicoBackup.open(file, secret: secret.flipping(index), suite: suite) } == .cannotOpen)
        }
        for index in file.indices {
            #expect(refusal { try PicoBackup.open(file.flipping(index), secret: secret, suite: suite) } != nil)
        }
        for secret in [[], Bytes(0..<11), Bytes(0..<13)] {
            #expect(refusal { try PicoBackup.open(file, secret: secret, suite: suite) } == .malformed)
            #expect(refusal { try PicoBackup.seal([], secret: secret, suite: suite) } == .malformed)
            #expect(refusal { try PicoBackup.wordIndices(of: secret) } == .malformed)
        }
    }

    @Test("a login secret of libpico is opened, and ours is the same with the same IV")
    func loginSecret() throws {
        let file = try Fixture.json("sealed-secret")
        let key = try file.hex("symmetric_key")
        for vector in try file.list("cases") {
            for name: StaticString in ["sealed_by_libpico", "sealed_by_own_code_and_opened_by_libpico"] {
                let (text, password) = (try vector.text(name), try vector.text("password"))
                #expect(try SealedLoginSecret.open(text, key: key, suite: suite) == password)
                let iv = try #require(Base64.decode(text.split(at: 0x3A)[0], .standard))
                #expect(try SealedLoginSecret.seal(password, key: key, suite: TestSuite([iv])) == text)
                for index in text.indices {
                    #expect(refusal { try SealedLoginSecret.open(text.flipping(index), key: key, suite: suite) } != nil)
                }
            }
        }
        #expect(refusal { try SealedLoginSecret.open([0x3A], key: key, suite: suite) } == .malformed)
        #expect(refusal { try SealedLoginSecret.seal([], key: [1], suite: suite) } == .malformed)
    }

    @Test("the secret of a pairing is JSON from new services and bare from old ones")
    func pairingSecret() throws {
        let read = PairingSecret.read(Bytes(text: "{\"data\":\"d\",\"name\":\"n\",\"x\":1}"))
        #expect(read.data.equals("d") && read.name?.equals("n") == true)
        let json = "{\"name\":\"n\",\"data\":\"d\"}"
        for text in ["", "bare", "{\"name\":\"n\"}", "{\"name\":\"n\",\"data\":1}", "[1]", json + " x"] {
            let bare = PairingSecret.read(Bytes(text: text))
            #expect(bare.name == nil && bare.data == Bytes(text: text) && bare.encoded() == Bytes(text: text))
        }
    }

    @Test("a secret that we hand out never has a length that libpico misreads")
    func lengthTrap() throws {
        for count in 0...700 {
            let secret = try PairingSecret(name: Bytes(text: "n"), data: Bytes(repeating: 0x61, count: count))
            let encoded = secret.encoded()
            #expect(encoded.count & 0x80 == 0 && encoded.count < 0x8000)
            #expect(PairingSecret.read(encoded).data == secret.data)
        }
        #expect(refusal { try PairingSecret(name: [], data: Bytes(repeating: 0x61, count: 4_096)) } == .tooLarge)
        #expect(refusal { try PairingSecret(name: [0x0A], data: []) } == .malformed)
        #expect(refusal { try PairingSecret(name: [], data: [0xFF]) } == .malformed)
    }

    @Test("tokens of Lens are read and written byte for byte, and refused when cut or continued")
    func tokens() throws {
        let vector = try Fixture.json("auth-token")
        let browser = try vector.member("browser")
        let cookies = try browser.list("cookies").map { line in
            let texts = try #require(line.array).compactMap { $0.string }
            return PicoAuthToken.Cookie(url: texts[0], line: texts[1], date: texts[2])
        }
        let token = PicoAuthToken.BrowserToken(
            cookies: cookies, loginURL: try browser.text("login_url"), redirectURL: try browser.text("redirect_url"),
            responseBody: try browser.text("body"))
        let bytes = try browser.hex("bytes")
        #expect(PicoAuthToken.browser(token).encoded() == bytes)
        #expect(try PicoAuthToken.parse(bytes) == .browser(token))
        for length in bytes.indices {
            #expect(refusal { try PicoAuthToken.parse(Array(bytes.prefix(length))) } == .malformed)
        }
        #expect(refusal { try PicoAuthToken.parse(bytes + [0]) } == .malformed)
        #expect(refusal { try PicoAuthToken.parse([1, 0, 0, 1, 1]) } == .tooLarge)
        #expect(refusal { try PicoAuthToken.parse([3]) } == .malformed)
        let simple = try vector.member("simple")
        #expect(try PicoAuthToken.parse(simple.hex("bytes")) == .simple(simple.text("text")))
        #expect(PicoAuthToken.simple(try simple.text("text")).encoded() == (try simple.hex("bytes")))
    }
}
