import Encodings
import Passkeys
import Testing

@Suite("Registrations")
struct RegistrationTests {
    private func refused(_ vector: Vector, _ error: PasskeyError, _ spoil: (inout Bytes) throws -> Void) throws {
        var spoilt = vector
        try spoil(&spoilt.registration.object)
        #expect(throws: error) { try spoilt.register() }
    }

    @Test("Every flipped byte of a signed registration is refused")
    func flips() throws {
        let vector = try Vectors.selfSigned()
        let suite = LearnedSuite()
        _ = try vector.register(suite: suite)
        suite.stopLearning()
        #expect(throws: Never.self) { try vector.register(suite: suite) }
        for index in vector.registration.object.indices {
            var spoilt = vector
            spoilt.registration.object[index] ^= 1 << UInt8(index % 8)
            #expect(throws: PasskeyError.self, "byte \(index)") { try spoilt.register(suite: suite) }
        }
        for index in vector.registration.clientData.indices {
            var spoilt = vector
            spoilt.registration.clientData[index] ^= 1
            #expect(throws: PasskeyError.self, "byte \(index)") { try spoilt.register(suite: suite) }
        }
    }

    @Test("A cut at any place, or anything behind, is refused", arguments: Vectors.all)
    func lengths(vector: Vector) throws {
        for length in 0..<vector.registration.object.count {
            try refused(vector, .malformedCBOR(.truncated)) { $0.removeLast($0.count - length) }
        }
        try refused(vector, .malformedCBOR(.trailing)) { $0.append(0) }
        try refused(vector, .malformedAttestationObject) { $0 += Bytes(repeating: 0, count: 40_000) }
    }

    @Test("Authenticator data cut at any place are refused")
    func inner() throws {
        let vector = try Vectors.none()
        let offset = try vector.authenticatorDataOffset()
        for length in 0..<vector.registration.object.count - offset {
            var spoilt = vector
            let prefix = spoilt.registration.object[..<(offset - 2)]
            let head: Bytes = length < 24 ? [0x40 + UInt8(length)] : [0x58, UInt8(length)]
            spoilt.registration.object = Bytes(prefix + head + vector.registration.object[offset..<offset + length])
            #expect(throws: PasskeyError.self) { try spoilt.register() }
        }
    }

    @Test("The attestation object has its three members in their order, and no other")
    func members() throws {
        let vector = try Vectors.none()
        let object = vector.registration.object
        let offset = try vector.authenticatorDataOffset()
        let data = Bytes(text: "\u{68}authData") + object[(offset - 2)...]
        let format = Bytes(text: "\u{63}fmt\u{64}none")
        let statement = Bytes(text: "\u{67}attStmt") + [0xA0]
        func expect(_ error: PasskeyError?, _ parts: Bytes...) throws {
            var spoilt = vector
            spoilt.registration.object = [0xA0 + UInt8(parts.count)] + parts.flatMap { $0 }
            if let error {
                #expect(throws: error) { try spoilt.register() }
            } else {
                #expect(throws: Never.self) { try spoilt.register() }
            }
        }
        try expect(nil, format, statement, data)
        try expect(.malformedCBOR(.notCanonical), statement, format, data)
        try expect(.malformedCBOR(.notCanonical), format, data, statement)
        try expect(.malformedCBOR(.duplicateKey), format, format, statement, data)
        try expect(.malformedCBOR(.duplicateKey), format, statement, statement, data)
        try expect(.malformedAttestationObject, format, data)
        try expect(.malformedAttestationObject, statement, data)
        try expect(.malformedAttestationObject, format, Bytes(text: "\u{65}extra") + [0], statement, data)
        try expect(.malformedAttestationObject, Bytes(text: "\u{63}fmt") + [0], statement, data)
        try expect(.malformedAttestationObject, format, statement, Bytes(text: "\u{68}authData") + [0])
        try expect(.attestation(.malformedStatement), format, Bytes(text: "\u{67}attStmt") + [0x80], data)
        try expect(.attestation(.malformedStatement), format, Bytes(text: "\u{67}attStmt") + [0xA1, 0, 0], data)
        try expect(.unsupportedAttestationFormat, Bytes(text: "\u{63}fmt\u{64}None"), statement, data)
        try expect(.unsupportedAttestationFormat, Bytes(text: "\u{63}fmt\u{60}"), statement, data)
        try expect(
            .unsupportedAttestationFormat, Bytes(text: "\u{63}fmt\u{71}android-safetynet"), statement, data)
        for name in ["packed", "tpm", "android-key", "apple", "fido-u2f"] {
            let other = Bytes(text: "\u{63}fmt") + [0x60 + UInt8(name.utf8.count)] + Bytes(text: name)
            try expect(.attestation(.malformedStatement), other, statement, data)
        }
    }

    @Test("Huge lengths and deep nesting are refused at once", arguments: Vectors.all)
    func huge(vector: Vector) throws {
        for head in [[0x5B], [0x7B], [0x9B], [0xBB]] as [Bytes] {
            try refused(vector, .malformedCBOR(.truncated)) { $0 = head + Bytes(repeating: 0xFF, count: 8) }
        }
        try refused(vector, .malformedCBOR(.tooDeep)) { $0 = Bytes(repeating: 0x81, count: 30_000) }
        try refused(vector, .malformedCBOR(.tooDeep)) { $0 = (0..<15_000).flatMap { _ in [0xA1, 0x00] as Bytes } }
    }

    @Test("A certificate of the wrong place, cut anywhere or flipped anywhere, vouches for nothing")
    func certificates() throws {
        let vector = try Vectors.packed()
        let suite = LearnedSuite()
        _ = try vector.register(suite: suite)
        suite.stopLearning()
        let object = vector.registration.object
        // The certificate is the only element of x5c; its length is in the two bytes before it.
        let start = try #require(object.firstRange(of: Bytes(text: "\u{63}x5c"))).upperBound + 4
        let length = Int(object[start - 2]) << 8 | Int(object[start - 1])
        for index in start..<start + length {
            var spoilt = vector
            spoilt.registration.object[index] ^= 0x01
            #expect(throws: PasskeyError.self, "byte \(index - start)") { try spoilt.register(suite: suite) }
        }
        for cut in 0..<length where cut > 255 {
            var spoilt = vector
            let count = [UInt8(cut >> 8), UInt8(cut & 255)]
            spoilt.registration.object = Bytes(
                object[..<(start - 2)] + count + object[start..<start + cut] + object[(start + length)...])
            #expect(throws: PasskeyError.attestation(.malformedCertificate)) { try spoilt.register(suite: suite) }
        }
    }

    @Test("A configured root is read as strictly as any certificate")
    func roots() throws {
        #expect(throws: PasskeyError.attestation(.malformedCertificate)) { try TrustedAttestationRoot(der: []) }
        for length in 0..<Vectors.rootDER.count {
            #expect(throws: PasskeyError.attestation(.malformedCertificate)) {
                try TrustedAttestationRoot(der: Array(Vectors.rootDER.prefix(length)))
            }
        }
        let root = try TrustedAttestationRoot(der: Vectors.rootDER)
        #expect(root == Vectors.roots.first)
        #expect(root.fingerprint == SHA256.hash(Vectors.rootDER))
    }
}
