import CryptoProvider
import Encodings
import Passkeys
import Testing

/// The statement of Android's key store about a key, to be spoilt.
struct TestKeyDescription: Sendable {
    var challenge: Bytes?
    var software: Bytes = []
    var hardware: Bytes = TestKeyDescription.purposes([2]) + TestKeyDescription.origin(0)
    var tail: Bytes = []

    /// SET OF INTEGER under tag 1.
    static func purposes(_ numbers: [UInt8]) -> Bytes {
        DERWriter.explicit(1, [DERTag.set, UInt8(3 * numbers.count)] + numbers.flatMap { DERWriter.integer($0) })
    }

    static func origin(_ number: UInt8) -> Bytes { DERWriter.explicit(702, DERWriter.integer(number)) }

    static let allApplications = DERWriter.explicit(600, [0x05, 0x00])

    func der(_ hash: Bytes) -> Bytes {
        let level = DERWriter.element(0x0A, [1])
        let version: Bytes = [DERTag.integer, 2, 0x01, 0x2C]
        return DERWriter.sequence(
            version, level, version, level, DERWriter.octets(challenge ?? hash), DERWriter.octets([]),
            DERWriter.sequence(software), DERWriter.sequence(hardware), tail)
    }
}

@Suite("Passkeys: forged statements of Android's key store")
struct AndroidKeyForgeryTests {
    private let maker: TestMaker
    private let authenticator: SoftwareAuthenticator

    init() throws {
        maker = try TestMaker()
        authenticator = try SoftwareAuthenticator()
    }

    private func statement(
        _ description: TestKeyDescription? = TestKeyDescription(), algorithm: Int64 = -7, key: SigningKey? = nil,
        raw: Bytes? = nil
    ) -> SoftwareAuthenticator.Statement {
        { [maker, authenticator] data, hash in
            let key = key ?? authenticator.key
            var certificate = maker.certificate(key.publicKey.x963)
            if let value = raw ?? description?.der(hash) {
                certificate.extensions.append(.init(identifier: TestCertificate.Identifier.android, value: value))
            }
            let signature = DERWriter.signature(try key.sign(data + hash))
            let der = try certificate.signed(by: maker.rootKey)
            return (
                "android-key",
                .named([("alg", .number(algorithm)), ("sig", .bytes(signature)), ("x5c", .array([.bytes(der)]))])
            )
        }
    }

    private func verify(_ statement: SoftwareAuthenticator.Statement) throws -> Attestation {
        let registration = try authenticator.register(TestRelyingParty.challenge, statement: statement)
        return try TestRelyingParty.verify(registration, roots: try maker.roots()).attestation
    }

    private func refused(_ fault: AttestationFault, _ spoil: (inout TestKeyDescription) -> Void) {
        var description = TestKeyDescription()
        spoil(&description)
        #expect(throws: PasskeyError.attestation(fault)) { try verify(statement(description)) }
    }

    @Test("The genuine statement, whichever list says it, with tags that we do not know")
    func genuine() throws {
        let certified = Attestation.certified(.androidKey, root: SHA256.hash(maker.root))
        #expect(try verify(statement()) == certified)
        var description = TestKeyDescription()
        swap(&description.software, &description.hardware)
        #expect(try verify(statement(description)) == certified)
        description.hardware = DERWriter.explicit(503, [0x05, 0x00]) + DERWriter.explicit(719, DERWriter.integer(9))
        #expect(try verify(statement(description)) == certified)
    }

    @Test("Another challenge, every application, an imported key, another purpose: in either list")
    func lists() {
        refused(.wrongAttestationChallenge) { $0.challenge = Bytes(repeating: 0, count: 32) }
        refused(.wrongAttestationChallenge) { $0.challenge = [] }
        refused(.keyForAllApplications) { $0.hardware += TestKeyDescription.allApplications }
        refused(.keyForAllApplications) { $0.software += TestKeyDescription.allApplications }
        for origin: UInt8 in [1, 2, 3, 4] {
            refused(.keyNotGenerated) {
                $0.hardware = TestKeyDescription.purposes([2]) + TestKeyDescription.origin(origin)
            }
            refused(.keyNotGenerated) { $0.software = TestKeyDescription.origin(origin) }
        }
        for purposes: [UInt8] in [[], [0], [3], [2, 3], [7]] {
            refused(.keyNotForSigning) { $0.hardware = TestKeyDescription.purposes(purposes) }
            refused(.keyNotForSigning) { $0.software = TestKeyDescription.purposes(purposes) }
        }
    }

    @Test("A description that cannot be read is refused, cut at any place")
    func malformed() throws {
        refused(.malformedKeyDescription) { $0.tail = DERWriter.integer(1) }
        refused(.malformedKeyDescription) { $0.hardware = DERWriter.integer(1) }
        refused(.malformedKeyDescription) { $0.hardware = DERWriter.explicit(702, DERWriter.octets([])) }
        refused(.malformedKeyDescription) { $0.hardware = DERWriter.explicit(1, DERWriter.integer(2)) }
        #expect(throws: PasskeyError.attestation(.malformedKeyDescription)) { try verify(statement(nil)) }
        let whole = TestKeyDescription().der(Bytes(repeating: 0, count: 32))
        for length in 0..<whole.count {
            #expect(throws: PasskeyError.attestation(.malformedKeyDescription)) {
                try verify(statement(raw: Array(whole.prefix(length))))
            }
        }
    }

    @Test("Another key and another algorithm are refused")
    func keys() throws {
        let stranger = try SigningKey()
        #expect(throws: PasskeyError.attestation(.keyMismatch)) { try verify(statement(key: stranger)) }
        #expect(throws: PasskeyError.attestation(.algorithmMismatch)) { try verify(statement(algorithm: -257)) }
    }
}
