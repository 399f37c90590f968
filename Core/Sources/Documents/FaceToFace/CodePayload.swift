import Encodings

/// The common form of the codes of a face-to-face check and of a pairing: canonical JSON in base64url, in the fragment
/// of a link or after a prefix.
enum CodePayload {
    /// The longest code that is read, in bytes.
    static let maximumLength = 1_024

    /// Splits a link `<server><path>#<fragment>`.
    ///
    /// - Returns: `nil` when there is not exactly one fragment, or another path before it.
    static func split(_ link: Bytes, path: StaticString) -> (server: Bytes, fragment: Bytes)? {
        let halves = link.split(at: 0x23)
        let end = path.utf8CodeUnitCount
        guard halves.count == 2, halves[0].count > end, Array(halves[0].suffix(end)).equals(path) else { return nil }
        return (Array(halves[0].dropLast(end)), halves[1])
    }

    /// The link that carries a payload to a page of its server.
    static func link(server: Bytes, path: StaticString, _ payload: JSON) -> Bytes {
        server + bytes(path) + [0x23] + text(payload)
    }

    /// The payload as text; its members are in canonical order already.
    static func text(_ payload: JSON) -> Bytes { Base64.encode(payload.serialized(), .url) }

    /// Reads a payload: one object in its one canonical spelling.
    static func parse(_ text: Bytes) throws(CodeError) -> JSON {
        guard let bytes = Base64.decode(text, .url),
            let json = try? JSON.parse(bytes, maximumLength: maximumLength, maximumDepth: 1),
            let canonical = try? json.canonical(), canonical == bytes
        else { throw .malformed }
        return json
    }

    /// The 32 bytes of a hash in base64url.
    static func hash(_ json: JSON?) -> Bytes? {
        guard let text = json?.string, let bytes = Base64.decode(text, .url), bytes.count == 32 else { return nil }
        return bytes
    }

    /// An identifier: 1 to 64 bytes.
    static func identifier(_ json: JSON?) -> Bytes? {
        guard let text = json?.string, !text.isEmpty, text.count <= 64 else { return nil }
        return text
    }

    /// A server's public address; whether it is the expected one is for the caller to say.
    static func server(_ json: JSON?) -> Bytes? {
        guard let text = json?.string, !text.isEmpty else { return nil }
        return text
    }

    static func bytes(_ text: StaticString) -> Bytes {
        text.withUTF8Buffer { unsafe Bytes($0) }
    }
}
