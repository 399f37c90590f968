import Certificates
import Encodings
import Testing

/// Certificates that are refused before anybody asks who signed them.
@Suite struct ReadingTests {
    static let refusals: [Refusal] = [
        // DER
        Refusal("trailing-byte", .malformed(.trailing)),
        Refusal("trailing-in-certificate", .malformed(.trailing)),
        Refusal("trailing-in-body", .malformed(.trailing)),
        Refusal("unique-identifier", .malformed(.unexpectedTag(0x81))),
        Refusal("truncated", .malformed(.truncated)),
        Refusal("indefinite-length", .malformed(.notCanonical)),
        Refusal("long-length-form", .malformed(.notCanonical)),
        Refusal("empty-sequence", .malformed(.truncated)),
        Refusal("boolean-not-canonical", .malformed(.notCanonical)),
        Refusal("too-large", .tooLarge),
        // Version, serial number, algorithm, key, signature
        Refusal("version-1", .unsupportedVersion),
        Refusal("version-1-written", .unsupportedVersion),
        Refusal("version-2", .unsupportedVersion),
        Refusal("version-4", .unsupportedVersion),
        Refusal("serial-zero", .badSerialNumber),
        Refusal("serial-negative", .badSerialNumber),
        Refusal("serial-17-bytes", .badSerialNumber),
        Refusal("serial-17-bytes-with-zero", .badSerialNumber),
        Refusal("serial-leading-zero", .malformed(.notCanonical)),
        Refusal("serial-empty", .malformed(.notCanonical)),
        Refusal("algorithm-sha1", .unsupportedAlgorithm),
        Refusal("algorithm-sha384", .unsupportedAlgorithm),
        Refusal("algorithm-rsa", .unsupportedAlgorithm),
        Refusal("algorithm-with-parameters", .unsupportedAlgorithm),
        Refusal("algorithm-mismatch", .algorithmMismatch),
        Refusal("key-compressed", .unsupportedKey),
        Refusal("key-p384", .unsupportedKey),
        Refusal("key-rsa", .unsupportedKey),
        Refusal("key-explicit-curve", .unsupportedKey),
        Refusal("signature-not-der", .malformedSignature),
        Refusal("signature-negative", .malformedSignature),
        Refusal("signature-too-long", .malformedSignature),
        // Names
        Refusal("name-empty", .badName),
        Refusal("name-multi-valued", .badName),
        Refusal("name-twice", .badName),
        Refusal("name-latin-1", .badName),
        Refusal("name-with-newline", .badName),
        Refusal("name-bmp", .badName),
        Refusal("name-printable-at", .badName),
        // Times
        Refusal("validity-reversed", .emptyValidity),
        Refusal("time-generalized-before-2050", .badTime),
        Refusal("time-without-seconds", .badTime),
        Refusal("time-with-offset", .badTime),
        Refusal("time-with-fraction", .badTime),
        Refusal("time-with-letters", .badTime),
        Refusal("time-as-text", .badTime),
        Refusal("time-month-13", .badTime),
        Refusal("time-31-june", .badTime),
        Refusal("time-29-february", .badTime),
        Refusal("time-24-hours", .badTime),
        Refusal("time-leap-second", .badTime),
        // Extensions
        Refusal("no-extensions", .malformed(.truncated)),
        Refusal("empty-extensions", .missingExtension(.basicConstraints)),
        Refusal("unknown-critical-extension", .unknownCriticalExtension),
        Refusal("unknown-critical-extension-in-issuer", .unknownCriticalExtension),
        Refusal("name-constraints", .badExtension(.nameConstraints)),
        Refusal("name-constraints-in-issuer", .badExtension(.nameConstraints)),
        Refusal("name-constraints-critical", .badExtension(.nameConstraints)),
        Refusal("duplicate-extension", .duplicateExtension),
        Refusal("duplicate-unknown-extension", .duplicateExtension),
        Refusal("ca-constraints-missing", .missingExtension(.basicConstraints)),
        Refusal("ca-key-usage-missing", .missingExtension(.keyUsage)),
        Refusal("key-identifier-missing", .missingExtension(.subjectKeyIdentifier)),
        Refusal("alternative-name-missing", .missingExtension(.subjectAlternativeName)),
        Refusal("constraints-not-critical", .wrongCriticality(.basicConstraints)),
        Refusal("key-usage-not-critical", .wrongCriticality(.keyUsage)),
        Refusal("alternative-name-critical", .wrongCriticality(.subjectAlternativeName)),
        Refusal("key-identifier-critical", .wrongCriticality(.subjectKeyIdentifier)),
        Refusal("alternative-name-two", .badExtension(.subjectAlternativeName)),
        Refusal("alternative-name-dns", .badExtension(.subjectAlternativeName)),
        Refusal("alternative-name-with-zero", .badExtension(.subjectAlternativeName)),
        Refusal("path-length-without-authority", .badExtension(.basicConstraints)),
        Refusal("constraints-with-false", .malformed(.notCanonical)),
        Refusal("constraints-true-as-one", .malformed(.notCanonical)),
        Refusal("key-usage-empty", .badExtension(.keyUsage)),
        Refusal("key-usage-trailing-zeros", .malformed(.notCanonical)),
        Refusal("key-usage-padding-set", .malformed(.notCanonical)),
        Refusal("extended-key-usage-empty", .badExtension(.extendedKeyUsage)),
        Refusal("extended-key-usage-twice", .badExtension(.extendedKeyUsage)),
        Refusal("extension-with-tail", .malformed(.trailing)),
        Refusal("extension-not-critical-written", .malformed(.notCanonical)),
        Refusal("authority-key-identifier-by-name", .badExtension(.authorityKeyIdentifier)),
        Refusal("key-identifier-empty", .badExtension(.subjectKeyIdentifier)),
        Refusal("status-negative", .malformed(.unsupported)),
        Refusal("status-huge", .malformed(.unsupported)),
        Refusal("status-empty-address", .badExtension(.statusReference)),
    ]

    @Test("A certificate outside the profile is refused for the right reason", arguments: refusals)
    func refused(_ refusal: Refusal) throws {
        #expect(throws: refusal.error) {
            for der in try Fixtures.path(refusal.name) { _ = try Certificate.parse(der) }
        }
    }

    @Test("Every field of a good certificate is read")
    func good() throws {
        let path = try Fixtures.path("good")
        let leaf = try Certificate.parse(path[0])
        #expect(leaf.der == path[0])
        #expect(leaf.commonName == Bytes(text: "Adam Administrator"))
        #expect(leaf.organisation == Bytes(text: "Example University"))
        #expect(leaf.issuer.commonName == Bytes(text: "Maria Main"))
        #expect(leaf.publicURL == Bytes(text: "https://countersign.example.edu"))
        #expect(leaf.notBefore == 1_767_225_600)
        #expect(leaf.notAfter == 1_830_297_600)
        #expect(leaf.serialNumber.count == 16)
        #expect(!leaf.isAuthority)
        #expect(leaf.capabilities == [.identifyMembers, .signDocuments])
        let uri = Bytes(text: "https://countersign.example.edu/status/0")
        #expect(leaf.statusReference == StatusReference(uri: uri, index: 7))
        #expect(leaf.fingerprint == SHA256.hash(path[0]))
        #expect(try Certificate.parse(path[1]).isAuthority)
    }

    @Test("Years from 2050 on are read from GeneralizedTime")
    func farFuture() throws {
        #expect(try Certificate.parse(Fixtures.path("good-far-future")[0]).notAfter == 2_840_140_800)
    }

    @Test("A certificate cut anywhere is refused")
    func cut() throws {
        let der = try Fixtures.path("good")[0]
        for length in 0..<der.count {
            #expect(throws: CertificateError.malformed(.truncated)) { try Certificate.parse(Array(der[..<length])) }
        }
    }

    @Test("No change of one byte makes the reader trap, and none yields the same certificate")
    func mutated() throws {
        let der = try Fixtures.path("good")[0]
        var generator = SplitMix(state: 20261121)
        for index in der.indices {
            for _ in 0..<4 {
                var changed = der
                changed[index] ^= UInt8.random(in: 1...255, using: &generator)
                if let read = try? Certificate.parse(changed) { #expect(read.der != der) }
            }
        }
    }

    @Test("Random bytes behind a plausible beginning never trap the reader")
    func random() throws {
        let der = try Fixtures.path("good")[0]
        var generator = SplitMix(state: 7)
        for _ in 0..<2000 {
            var changed = der
            for _ in 0..<8 {
                let start = Int.random(in: 0..<changed.count, using: &generator)
                switch Int.random(in: 0..<3, using: &generator) {
                case 0: changed[start] = UInt8.random(in: 0...255, using: &generator)
                case 1: changed.remove(at: start)
                default: changed.insert(UInt8.random(in: 0...255, using: &generator), at: start)
                }
            }
            _ = try? Certificate.parse(changed)
        }
    }
}

/// A small generator with a fixed beginning, so that a failure can be repeated.
struct SplitMix: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var value = state
        value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
        value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
        return value ^ (value >> 31)
    }
}
