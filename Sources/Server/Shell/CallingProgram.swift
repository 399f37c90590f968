/// Another program that calls with an API key: no person, and no session.
package struct CallingProgram: Sendable, Equatable {
    /// What its slice knows it by.
    package let id: String

    /// A program; only an authenticator makes one.
    package init(id: String) { self.id = id }
}

/// Finds the program that an API key belongs to.
package protocol ProgramAuthenticator: Sendable {
    /// The program with this key, or `nil` when the key is unknown, replaced or removed.
    ///
    /// It must compare what it stores of the key in constant time.
    func authenticate(key: String) async throws -> CallingProgram?
}
