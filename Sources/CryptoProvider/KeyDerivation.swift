public import Encodings

/// Argon2id (RFC 9106) and what it needs to know.
public struct KeyDerivation: Sendable, Equatable {
    /// Memory, passes, lanes.
    public var parameters: Argon2Parameters
    /// 16 random bytes.
    public var salt: Bytes

    /// Parameters with a salt.
    public init(parameters: Argon2Parameters, salt: Bytes) {
        self.parameters = parameters
        self.salt = salt
    }

    /// Reads what `json` gives.
    ///
    /// - Returns: `nil` for anything else, and for numbers beyond reason.
    public init?(json: JSON) {
        guard let members = json.members, members.count == 5, json["name"]?.isString("argon2id") == true,
            let memory = Self.number(json["memory_kib"]), let passes = Self.number(json["passes"]),
            let lanes = Self.number(json["lanes"]), let text = json["salt"]?.string,
            let salt = Base64.decode(text, .url)
        else { return nil }
        self.init(parameters: Argon2Parameters(memory: memory, passes: passes, lanes: lanes), salt: salt)
    }

    /// For a file's header.
    public var json: JSON {
        .members([
            ("name", .text("argon2id")), ("memory_kib", .integer(Int64(parameters.memory))),
            ("passes", .integer(Int64(parameters.passes))), ("lanes", .integer(Int64(parameters.lanes))),
            ("salt", .string(Base64.encode(salt, .url))),
        ])
    }

    private static func number(_ json: JSON?) -> Int? {
        guard let number = json?.integer, (0...1 << 30).contains(number) else { return nil }
        return Int(number)
    }
}
