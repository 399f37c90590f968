import Encodings

extension FuzzTarget {
    static let encodings = [
        FuzzTarget("json", maximumLength: 4096, json),
        FuzzTarget("base64", maximumLength: 512, base64),
        FuzzTarget("hex", maximumLength: 256, hex),
        FuzzTarget("decimal", maximumLength: 32, decimal),
        FuzzTarget("utf8", maximumLength: 256, utf8),
        FuzzTarget("der", maximumLength: 512, der),
        FuzzTarget("ecdsa-der", maximumLength: 256, ecdsa),
        FuzzTarget("cbor", maximumLength: 4096, cbor),
        FuzzTarget("jws", maximumLength: 4096, jws),
        FuzzTarget("jwk", maximumLength: 1024, jwk),
    ]

    private static func json(_ input: Bytes) throws(BrokenPromise) {
        guard let value = try? JSON.parse(input) else { return }
        try expect((try? JSON.parse(value.serialized())) == value, "what is written reads as the same value")
        guard let canonical = try? value.canonical() else { return }
        let again = try? JSON.parse(canonical).canonical()
        try expect(again == canonical, "the canonical form is its own canonical form")
    }

    private static func base64(_ input: Bytes) throws(BrokenPromise) {
        for variant in [Base64.Variant.standard, .url] {
            if let bytes = Base64.decode(input, variant) {
                try expect(Base64.encode(bytes, variant) == input, "one text for one value")
            }
            try expect(Base64.decode(Base64.encode(input, variant), variant) == input, "what is encoded is decoded")
        }
    }

    private static func hex(_ input: Bytes) throws(BrokenPromise) {
        if let bytes = Hex.decode(input) {
            let lower = input.map { $0 >= 0x41 && $0 <= 0x46 ? $0 | 0x20 : $0 }
            try expect(Hex.encode(bytes) == lower, "digits mean what they say")
        }
        try expect(Hex.decode(Hex.encode(input)) == input, "what is encoded is decoded")
    }

    private static func decimal(_ input: Bytes) throws(BrokenPromise) {
        guard let number = parseDecimal(input) else { return }
        try expect(decimalBytes(number) == input, "one text for one number")
    }

    private static func utf8(_ input: Bytes) throws(BrokenPromise) {
        let isValid = String(validating: input, as: UTF8.self) != nil
        try expect(UTF8Text.isValid(input) == isValid, "the standard library judges alike")
    }

    private static func der(_ input: Bytes) throws(BrokenPromise) { try walk(DERReader(input), depth: 0) }

    private static func walk(_ reader: DERReader, depth: Int) throws(BrokenPromise) {
        var reader = reader
        while !reader.isAtEnd {
            try readAsEverything(reader)
            guard let element = try? reader.any() else { return }
            try expect(
                DERWriter.element(element.tag, element.content) == element.encoded, "lengths have one spelling")
            if element.tag & 0x20 != 0, depth < 16 { try walk(DERReader(element.content), depth: depth + 1) }
        }
    }

    /// Every way to read the next element.
    private static func readAsEverything(_ reader: DERReader) throws(BrokenPromise) {
        var copy = reader
        if let number = try? copy.smallInteger() {
            try expect(number >= 0 && number <= Int(Int32.max), "a small integer is below 2^31")
        }
        copy = reader
        if let content = try? copy.integer(), content[0] < 0x80 {
            var again = DERReader(DERWriter.unsignedInteger(content))
            try expect((try? again.integer()) == content, "integers have one spelling")
        }
        copy = reader
        if let (number, _) = try? copy.explicit() { try expect(number >= 0 && number < 1 << 21, "tags are small") }
        copy = reader
        _ = try? copy.objectIdentifier()
        copy = reader
        _ = try? copy.boolean()
        copy = reader
        _ = try? copy.wholeBitString()
    }

    private static func ecdsa(_ input: Bytes) throws(BrokenPromise) {
        for size in [32, 48, 66] {
            guard let raw = try? ECDSASignature.raw(fromDER: input, size: size) else { continue }
            try expect(raw.count == 2 * size, "r and s have their length")
            if size == 32, let der = ECDSASignature.der(fromRaw: raw) {
                try expect(der == input, "a signature has one DER form")
            }
        }
        if let der = ECDSASignature.der(fromRaw: input) {
            try expect((try? ECDSASignature.raw(fromDER: der)) == input, "what is written is read")
        }
    }

    private static func cbor(_ input: Bytes) throws(BrokenPromise) {
        guard let value = try? CBOR.parse(input) else { return }
        try expect(CBORWriter.encode(value) == input, "one spelling for one value")
        try expect(CBORWriter.depth(of: value) <= 4, "the depth is limited")
    }

    private static func jws(_ input: Bytes) throws(BrokenPromise) {
        guard let jws = try? UnverifiedJWS.parse(input) else { return }
        try expect(
            CompactJWS.text(signingInput: jws.signingInput, signature: jws.signature) == input,
            "the signature covers all but itself")
        try expect(jws.header["alg"]?.isString("ES256") == true && jws.payload.members != nil, "one algorithm")
        try expect(jws.signature.count == 64, "a signature has 64 bytes")
    }

    private static func jwk(_ input: Bytes) throws(BrokenPromise) {
        guard let json = try? JSON.parse(input), let key = P256PublicKey(jwk: json) else { return }
        try expect(P256PublicKey(jwk: key.jwk) == key, "what is written is read")
        try expect((try? key.jwk.canonical()) == key.jwk.serialized(), "the thumbprint is over the canonical form")
    }
}
