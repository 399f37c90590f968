import Foundation

/// The people at a desk when the load ends: with them the next load begins at once, rather than with an invitation.
struct HammerRoster: Codable, Equatable {
    /// A client who was enrolled and not erased.
    struct Client: Codable, Equatable {
        let name: String
        let id: String
        /// Where the client's pen stands.
        var number: UInt64
        /// How often the client was at the desk since the enrolment.
        var visits = 0
    }

    /// The operator's username.
    let clerk: String
    /// The id of the document that clients sign.
    let text: String
    /// How many were enrolled, or should have been.
    var enrolled = 0
    var client: Client?
    /// Nobody is blocked twice, so an operator who was unblocked must be among those who may work.
    var wasBlocked = false

    /// What is kept of a desk.
    ///
    /// Nothing is kept before its operator has a text, nor after the operator leaves.
    static func read(_ path: String) -> HammerRoster? {
        (try? Data(contentsOf: URL(fileURLWithPath: path))).flatMap { try? JSONDecoder().decode(Self.self, from: $0) }
    }

    func write(_ path: String) throws {
        try JSONEncoder().encode(self).write(to: URL(fileURLWithPath: path), options: .atomic)
    }

    static func remove(_ path: String) { try? FileManager.default.removeItem(atPath: path) }
}
