import Documents
import Encodings
import Testing

@Suite("Status lists")
struct StatusListTests {
    @Test("read the vectors of the draft, every entry", arguments: 0..<6)
    func vectors(position: Int) throws {
        let vector = try #require(Fixture.json("status-lists").array)[position]
        let bits = Int(try vector.number("bits"))
        let compressed = try decoded(vector.text("lst"))
        let list = try StatusList(compressed: compressed, bits: bits)
        var expected = try StatusList(count: list.count, bits: bits)
        for entry in try vector.list("set") {
            let pair = try #require(entry.array)
            let index = try #require(pair[0].integer)
            let value = UInt8(try #require(pair[1].integer))
            #expect(try list.status(at: index) == value)
            try expected.set(value, at: index)
        }
        #expect(list == expected)
        #expect(try StatusList(compressed: expected.compressed(), bits: bits) == expected)
    }

    @Test("keep what is set and nothing beside it", arguments: [1, 2, 4, 8])
    func setAndGet(bits: Int) throws {
        var list = try StatusList(count: 64, bits: bits)
        let highest = UInt8((1 << bits) - 1)
        for index in stride(from: Int64(0), to: 64, by: 3) { try list.set(highest, at: index) }
        for index in Int64(0)..<64 { #expect(try list.status(at: index) == (index % 3 == 0 ? highest : 0)) }
        try list.set(0, at: 3)
        #expect(try list.status(at: 3) == 0)
        #expect(try list.status(at: 6) == highest)
    }

    @Test("refuse an index behind the end and a value too large")
    func limits() throws {
        var list = try StatusList(count: 8, bits: 2)
        #expect(throws: StatusError.indexOutOfRange) { try list.status(at: 8) }
        #expect(throws: StatusError.indexOutOfRange) { try list.status(at: -1) }
        #expect(throws: StatusError.indexOutOfRange) { try list.set(1, at: .max) }
        #expect(throws: StatusError.valueOutOfRange) { try list.set(4, at: 1) }
        #expect(throws: StatusError.unsupportedBits) { try StatusList(count: 8, bits: 3) }
        #expect(throws: StatusError.unsupportedBits) { try StatusList(bytes: [0], bits: 0) }
        #expect(throws: StatusError.tooLarge) { try StatusList(count: .max, bits: 1) }
    }

    @Test("of the usual length are a few hundred bytes when few are revoked")
    func size() throws {
        var list = try StatusList()
        #expect(list.count == 131_072)
        #expect(list.compressed().count < 200)
        for index in 0..<20 { try list.set(1, at: Int64(index * 6007)) }
        #expect(list.compressed().count < 400)
    }
}

@Suite("zlib streams")
struct ZlibTests {
    @Test("made by zlib at every level and strategy unpack to what went in")
    func foreignStreams() throws {
        let cases = try #require(Fixture.json("zlib").array)
        #expect(cases.count > 100)
        for value in cases {
            let stream = try decoded(value.text("stream"))
            let output = try Zlib.decompress(stream, maximumLength: 1 << 20)
            let name = Comment(rawValue: string(try value.text("name")))
            #expect(Int64(output.count) == (try value.number("size")), name)
            #expect(Base64.encode(SHA256.hash(output), .url) == (try value.text("sha256")), name)
        }
    }

    @Test("cut anywhere are refused")
    func truncated() throws {
        let stream = try decoded(Bytes(text: "eNo76fITAAPfAgc"))
        for end in 0..<stream.count {
            #expect(throws: StatusError.self) { try Zlib.decompress(Array(stream[0..<end]), maximumLength: 100) }
        }
        #expect(throws: StatusError.corruptCompression) { try Zlib.decompress(stream + [0], maximumLength: 100) }
    }

    @Test("with any bit flipped never give the same output, and never crash")
    func bitFlips() throws {
        for value in try #require(Fixture.json("zlib").array) {
            let stream = try decoded(value.text("stream"))
            guard stream.count < 150, try value.number("size") < 3000 else { continue }
            let output = try Zlib.decompress(stream, maximumLength: 3000)
            for index in 2..<stream.count {
                for bit in 0..<8 {
                    var changed = stream
                    changed[index] ^= 1 << UInt8(bit)
                    guard let result = try? Zlib.decompress(changed, maximumLength: 3000) else { continue }
                    // Bits of padding before the checksum may change unseen.
                    #expect(result == output)
                }
            }
        }
    }

    @Test("that grow beyond the limit are refused while they grow")
    func bomb() throws {
        let bomb = Zlib.compress(Bytes(repeating: 0, count: 100_001))
        #expect(bomb.count < 1000)
        #expect(throws: StatusError.tooLarge) { try Zlib.decompress(bomb, maximumLength: 100_000) }
        #expect(try Zlib.decompress(bomb, maximumLength: 100_001).count == 100_001)
    }

    @Test(
        "are refused with a preset dictionary, another method, a wrong header check",
        arguments: [
            [0x78, 0xBB], [0x79, 0x9C], [0x88, 0x1C], [0x78, 0x9D],
        ] as [Bytes])
    func header(bytes: Bytes) throws {
        var stream = Zlib.compress([1, 2, 3])
        stream.replaceSubrange(0..<2, with: bytes)
        #expect(throws: StatusError.corruptCompression) { try Zlib.decompress(stream, maximumLength: 100) }
    }

    @Test(
        "of ours unpack again, whatever the runs",
        arguments: [0, 1, 2, 3, 4, 257, 258, 259, 260, 261, 262, 516, 70_000])
    func roundTrip(length: Int) throws {
        let bytes = Bytes(repeating: 0xA7, count: length) + [1, 2, 2, 3, 3, 3] + Bytes(repeating: 0, count: length)
        #expect(try Zlib.decompress(Zlib.compress(bytes), maximumLength: 1 << 20) == bytes)
    }
}

@Suite("Status list tokens")
struct StatusListTokenTests {
    let uri = Bytes(text: "https://university.example/status/1")

    private func token(
        payload change: (inout [JSON.Member]) -> Void = { _ in }, type: String = "statuslist+jwt"
    )
        throws -> Bytes
    {
        var list = try StatusList(count: 64)
        try list.set(1, at: 5)
        let input = StatusListToken.signingInput(
            uri: uri, issuedAt: 1000, expiresAt: 2000, timeToLive: 60, list: list,
            revocationTimes: [(index: 5, time: 900)], certificates: [[1, 2, 3]])
        let parts = input.split(at: 0x2E)
        let header = try JSON.parse(decoded(parts[0]))
        var claims = try members(JSON.parse(decoded(parts[1])))
        change(&claims)
        let kept = try members(header).filter { $0.name.equals("x5c") }
        return CompactJWS.text(
            signingInput: CompactJWS.signingInput(type: type, header: kept, payload: .object(claims)),
            signature: signature)
    }

    private func verified(_ compact: Bytes, at now: Int64 = 1500, uri: Bytes? = nil) throws -> StatusListToken {
        let publicKey = try #require(key)
        return try UnverifiedStatusListToken.parse(compact)
            .verified(by: publicKey, uri: uri ?? self.uri, at: now, suite: TrustingSuite())
    }

    @Test("tell statuses and revocation times")
    func good() throws {
        let unverified = try UnverifiedStatusListToken.parse(token())
        #expect(unverified.certificates == [[1, 2, 3]])
        #expect(unverified.timeToLive == 60)
        let token = try verified(token())
        #expect(try token.list.status(at: 5) == StatusList.invalid)
        #expect(try token.list.status(at: 6) == StatusList.valid)
        #expect(token.revocationTime(at: 5) == 900)
        #expect(token.revocationTime(at: 6) == nil)
    }

    @Test("are refused for another list, another purpose, another time, another signer")
    func refused() throws {
        let compact = try token()
        #expect(throws: StatusError.otherList) { try verified(compact, uri: Bytes(text: "https://evil.example")) }
        #expect(throws: StatusError.stale) { try verified(compact, at: 2000) }
        #expect(throws: StatusError.fromTheFuture) { try verified(compact, at: 999) }
        let other = try token(type: "jwt")
        #expect(throws: StatusError.refused(.wrongPurpose)) { try verified(other) }
        let publicKey = try #require(key)
        #expect(throws: StatusError.refused(.badSignature)) {
            try UnverifiedStatusListToken.parse(compact)
                .verified(by: publicKey, uri: uri, at: 1500, suite: DistrustingSuite())
        }
    }

    @Test(
        "are refused when a claim is missing or of the wrong kind",
        arguments: ["sub", "iat", "exp", "status_list", "-ttl", "-revocation_times"])
    func claims(name: String) throws {
        let wrong = name.hasPrefix("-")
        let compact = try token { members in
            members.removeAll { $0.name.equals(text: wrong ? String(name.dropFirst()) : name) }
            if wrong { members.append(JSON.Member(String(name.dropFirst()), .text("soon"))) }
        }
        #expect(throws: StatusError.malformedClaims) { try verified(compact) }
    }
}
