import Encodings

/// Puts texts together whose parts are in base64, so that a fuzzer changes what is inside and not the letters outside.
enum ComposedText {
    /// An SD-JWT of lines: header, payload, disclosures; the last line is the payload of the key binding, if it is not
    /// empty.
    static func sdJWT(_ input: Bytes) -> Bytes {
        let lines = input.split(at: 0x0A)
        guard lines.count >= 3 else { return input }
        var text = jws(lines[0], lines[1]) + [0x7E]
        for line in lines[2..<lines.count - 1] { text += Base64.encode(line, .url) + [0x7E] }
        let binding = lines[lines.count - 1]
        return binding.isEmpty ? text : text + jws(Bytes(text: #"{"alg":"ES256","typ":"kb+jwt"}"#), binding)
    }

    /// A status list token of parts: header, payload up to the list, payload behind it; then the packed list.
    static func statusToken(_ input: Bytes) -> Bytes {
        var parts = Parts(input)
        let (header, before, after) = (parts.next(), parts.next(), parts.next())
        return jws(header, before + Base64.encode(parts.rest(), .url) + after)
    }

    private static func jws(_ header: Bytes, _ payload: Bytes) -> Bytes {
        CompactJWS.text(
            signingInput: Base64.encode(header, .url) + [0x2E] + Base64.encode(payload, .url),
            signature: Bytes(repeating: 1, count: 64))
    }
}
