package import Encodings

/// The arguments and blobs of one call, read member by member: bytes from the page become typed values here.
package struct Call {
    private let arguments: JSON
    package let blobs: [Bytes]

    /// The longest text of a member for which no other limit is given, in bytes.
    package static let longestText = 4096

    package init(arguments: JSON, blobs: [Bytes]) {
        self.arguments = arguments
        self.blobs = blobs
    }

    /// Refuses arguments that the function does not know, so that no misspelt condition is quietly dropped.
    package func check(members: [StaticString], blobs range: ClosedRange<Int>) throws(BrowserError) {
        guard let given = arguments.members else {
            throw BrowserError("wrong_type", "The arguments are not a JSON object.")
        }
        for member in given where !members.contains(where: { member.name.equals($0) }) {
            throw BrowserError(
                "unknown_member", Bytes("The function takes no member '") + member.name.prefix(64) + Bytes("'."))
        }
        guard blobs.count >= range.lowerBound else { throw BrowserError("missing_blob", "A blob is missing.") }
        guard blobs.count <= range.upperBound else { throw BrowserError("too_many_blobs", "There is a blob too many.") }
    }

    /// A member, or `nil` when it is absent or null.
    package func optional(_ name: StaticString) -> JSON? {
        guard let value = arguments[name], value != .null else { return nil }
        return value
    }

    /// A member that must be there.
    package func value(_ name: StaticString) throws(BrowserError) -> JSON {
        guard let value = optional(name) else { throw BrowserError("missing_member", member: name, "is missing.") }
        return value
    }

    /// A text.
    package func text(_ name: StaticString, maximum: Int = longestText) throws(BrowserError) -> Bytes {
        try Self.text(value(name), name, maximum)
    }

    /// A text that may be absent.
    package func optionalText(_ name: StaticString, maximum: Int = longestText) throws(BrowserError) -> Bytes? {
        guard let value = optional(name) else { return nil }
        return try Self.text(value, name, maximum)
    }

    /// Texts in an array that may be absent.
    package func texts(
        _ name: StaticString, maximumCount: Int, maximum: Int = longestText
    ) throws(BrowserError) -> [Bytes] {
        var texts: [Bytes] = []
        for element in try array(name, maximumCount: maximumCount) {
            texts.append(try Self.text(element, name, maximum))
        }
        return texts
    }

    /// An array that may be absent, which is an empty one.
    package func array(_ name: StaticString, maximumCount: Int) throws(BrowserError) -> [JSON] {
        guard let value = optional(name) else { return [] }
        guard let elements = value.array else { throw BrowserError("wrong_type", member: name, "is not an array.") }
        guard elements.count <= maximumCount else {
            throw BrowserError("too_large", member: name, "has more elements than allowed.")
        }
        return elements
    }

    /// The members of an object.
    package func object(_ name: StaticString) throws(BrowserError) -> [JSON.Member] {
        guard let members = try value(name).members else {
            throw BrowserError("wrong_type", member: name, "is not an object.")
        }
        return members
    }

    /// Bytes from base64url.
    ///
    /// - Parameter count: how many there must be.
    package func bytes(_ name: StaticString, count: Int? = nil) throws(BrowserError) -> Bytes {
        guard let bytes = Base64.decode(try text(name, maximum: 1 << 15), .url) else {
            throw BrowserError("bad_base64url", member: name, "is not base64url.")
        }
        guard count == nil || bytes.count == count else {
            throw BrowserError("wrong_length", member: name, "has not the right number of bytes.")
        }
        return bytes
    }

    /// A whole number from 0: a time or a place.
    package func number(_ name: StaticString) throws(BrowserError) -> Int64 {
        guard let number = try value(name).integer, number >= 0 else {
            throw BrowserError("wrong_type", member: name, "is not a whole number from 0.")
        }
        return number
    }

    /// A whole number from 0 that may be absent.
    package func optionalNumber(_ name: StaticString) throws(BrowserError) -> Int64? {
        optional(name) == nil ? nil : try number(name)
    }

    /// `true` or `false`; absent is `false`.
    package func flag(_ name: StaticString) throws(BrowserError) -> Bool {
        guard let value = optional(name) else { return false }
        guard case .bool(let flag) = value else { throw BrowserError("wrong_type", member: name, "is not a boolean.") }
        return flag
    }

    private static func text(_ value: JSON, _ name: StaticString, _ maximum: Int) throws(BrowserError) -> Bytes {
        guard let text = value.string else { throw BrowserError("wrong_type", member: name, "is not a text.") }
        guard text.count <= maximum else { throw BrowserError("too_large", member: name, "is longer than allowed.") }
        return text
    }
}
