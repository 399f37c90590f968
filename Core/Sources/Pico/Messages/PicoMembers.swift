import Encodings

/// The members of a JSON object, read by name and type (section 3.3).
///
/// Unknown members are ignored, whatever their type. A name that comes twice makes the text no JSON for us.
struct PicoMembers {
    private let object: JSON

    /// Parses a text that has to be one object.
    init(_ text: Bytes, maximumLength: Int) throws(PicoError) {
        guard text.count <= maximumLength else { throw .tooLarge }
        guard let json = try? JSON.parse(text, maximumLength: maximumLength, maximumDepth: 8, maximumCount: 256) else {
            throw .malformed
        }
        try self.init(json)
    }

    init(_ json: JSON?) throws(PicoError) {
        guard let json, json.members != nil else { throw .malformed }
        object = json
    }

    /// Whether there is such a member, of any type.
    func has(_ name: StaticString) -> Bool { object[name] != nil }

    /// A member that is an object.
    func members(_ name: StaticString) throws(PicoError) -> PicoMembers { try PicoMembers(object[name]) }

    /// A member that is a string of at most so many bytes of UTF-8.
    func text(_ name: StaticString, _ maximum: Int) throws(PicoError) -> Bytes {
        guard let text = object[name]?.string else { throw .malformed }
        guard text.count <= maximum else { throw .tooLarge }
        return text
    }

    /// A member that is a string of strict base64, with as many bytes as allowed.
    func base64(_ name: StaticString, _ lengths: ClosedRange<Int>) throws(PicoError) -> Bytes {
        let text = try text(name, (lengths.upperBound + 2) / 3 * 4)
        guard let bytes = Base64.decode(text, .standard), bytes.count >= lengths.lowerBound else { throw .malformed }
        guard bytes.count <= lengths.upperBound else { throw .tooLarge }
        return bytes
    }

    /// A member that is a whole number of 32 bits with its sign, written in plain digits.
    func int32(_ name: StaticString) throws(PicoError) -> Int32 {
        guard let number = object[name]?.integer, let value = Int32(exactly: number) else { throw .malformed }
        return value
    }
}

/// Writes the one-line JSON of a message: only strings of base64, plain numbers and no escapes (section 3.3).
enum PicoJSON {
    static func base64(_ bytes: Bytes) -> JSON { .string(Base64.encode(bytes, .standard)) }

    /// Whether a text can be written without an escape that the original's parser destroys: no control characters.
    static func isPlain(_ text: Bytes) -> Bool { text.allSatisfy { $0 >= 0x20 } }
}
