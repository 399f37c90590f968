package import Hummingbird
import NIOCore
package import Interface

/// The acting account, with a session that the server has just checked.
package struct Principal: Sendable, Equatable {
    /// The account's id.
    package let account: String
    /// The account's role, which decides its permissions.
    package let role: Role
    /// The session's id (not its token).
    package let session: String
    /// The id of the device that the session belongs to, if it belongs to one.
    package let device: String?
    /// Until when the person counts as having been there, in seconds since 1970.
    package let confirmedUntil: Int64?
    /// When the session ends by itself, in seconds since 1970.
    package let expires: Int64
    /// Until when the session is open unless its wallet is heard again; `nil` for one that nobody holds.
    package let held: Int64?

    /// A principal; only an authenticator makes one.
    package init(
        account: String, role: Role, session: String, device: String?, confirmedUntil: Int64? = nil,
        expires: Int64 = .max, held: Int64? = nil
    ) {
        self.account = account
        self.role = role
        self.session = session
        self.device = device
        self.confirmedUntil = confirmedUntil
        self.expires = expires
        self.held = held
    }
}

/// Finds the session that a token belongs to.
package protocol SessionAuthenticator: Sendable {
    /// The bearer of `token`, or `nil` when the token is unknown, expired or ended.
    ///
    /// It must look the token up by its hash, so that the time taken tells nothing.
    ///
    /// - Parameter evenLocked: whether a session counts that is locked because its wallet does not answer.
    /// - Throws: `Problem` `session-locked` for one that does not.
    func authenticate(token: String, evenLocked: Bool) async throws -> Principal?
}

extension SessionAuthenticator {
    /// The bearer of `token`, whose session is not locked.
    package func authenticate(token: String) async throws -> Principal? {
        try await authenticate(token: token, evenLocked: false)
    }
}

/// The server's knowledge about one request, beside the request itself.
package struct ServerContext: RequestContext {
    /// Hummingbird's own part: logger, id, path parameters.
    package var coreContext: CoreRequestContextStorage
    /// The address of the peer on the socket, or `nil` in tests without one.
    package let peer: String?
    /// The connection.
    let channel: any Channel
    /// Who is acting, once a session was checked.
    package internal(set) var principal: Principal?
    /// Which program is calling, once its API key was checked.
    package internal(set) var program: CallingProgram?
    /// The address that the request counts for: the peer, or what a trusted proxy says it was.
    package internal(set) var address: String

    /// A context for a request that came over a channel.
    package init(source: ApplicationRequestContextSource) {
        coreContext = .init(source: source)
        channel = source.channel
        peer = source.channel.remoteAddress?.ipAddress
        address = peer ?? "unknown"
    }
}
