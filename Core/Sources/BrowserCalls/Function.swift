package import Encodings

/// A function that a page may call.
package struct Function: Sendable {
    package typealias Body = @Sendable (Call) throws(BrowserError) -> Answer

    /// What a page calls it by.
    package let name: StaticString
    /// Every member that its arguments may have.
    package let members: [StaticString]
    /// How many blobs it takes.
    package let blobs: ClosedRange<Int>
    /// What it does.
    package let run: Body

    package init(
        _ name: StaticString, _ members: [StaticString], blobs: ClosedRange<Int> = 0...0, _ run: @escaping Body
    ) {
        self.name = name
        self.members = members
        self.blobs = blobs
        self.run = run
    }

    /// Calls the function of a name.
    package static func call(
        _ name: Bytes, in functions: [Function], arguments: JSON, blobs: [Bytes]
    ) throws(BrowserError) -> Answer {
        guard let function = functions.first(where: { name.equals($0.name) }) else {
            throw BrowserError("unknown_function", "There is no such function.")
        }
        let call = Call(arguments: arguments, blobs: blobs)
        try call.check(members: function.members, blobs: function.blobs)
        return try function.run(call)
    }
}

/// What a function gives back.
package struct Answer {
    package let value: JSON
    package let blobs: [Bytes]

    package init(_ value: JSON = .object([]), blobs: [Bytes] = []) {
        self.value = value
        self.blobs = blobs
    }

    /// An object of these members.
    package init(_ members: [(String, JSON)], blobs: [Bytes] = []) {
        self.init(.members(members), blobs: blobs)
    }
}
