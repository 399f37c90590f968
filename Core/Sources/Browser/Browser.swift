public import Encodings

/// The WebAssembly face of `Core`: what a page asks is a name, a JSON object and blobs, and so is what it gets.
///
/// Each function is pure. Keys never come here: a step that needs one gives the bytes to be signed, and its second half
/// takes the signature. In JSON bytes are base64url without padding and times are seconds since 1970.
public enum Browser {
    /// Calls a function.
    ///
    /// - Parameters:
    ///   - name: of the function.
    ///   - arguments: an object with the members that the function takes and no others.
    ///   - blobs: files and the like, which would be too large for base64.
    public static func call(
        name: Bytes, arguments: JSON, blobs: [Bytes]
    ) throws(BrowserError) -> (value: JSON, blobs: [Bytes]) {
        guard let function = functions.first(where: { name.equals($0.name) }) else {
            throw BrowserError("unknown_function", "There is no such function.")
        }
        let call = Call(arguments: arguments, blobs: blobs)
        try call.check(members: function.members, blobs: function.blobs)
        let answer = try function.run(call)
        return (answer.value, answer.blobs)
    }

    static let functions =
        symbols + hashes + trust + verification + statements + catalogue + heldDocuments + presenting + issuing
        + faceToFace + pairing + delegation
}

/// A function that a page may call.
struct Function: Sendable {
    typealias Body = @Sendable (Call) throws(BrowserError) -> Answer

    let name: StaticString
    /// Every member that its arguments may have.
    let members: [StaticString]
    /// How many blobs it takes.
    let blobs: ClosedRange<Int>
    let run: Body

    init(_ name: StaticString, _ members: [StaticString], blobs: ClosedRange<Int> = 0...0, _ run: @escaping Body) {
        self.name = name
        self.members = members
        self.blobs = blobs
        self.run = run
    }
}

/// What a function gives back.
struct Answer {
    let value: JSON
    let blobs: [Bytes]

    init(_ value: JSON = .object([]), blobs: [Bytes] = []) {
        self.value = value
        self.blobs = blobs
    }

    /// An object of these members.
    init(_ members: [(String, JSON)], blobs: [Bytes] = []) {
        self.init(.members(members), blobs: blobs)
    }
}
