package import Interface
import Synchronization

/// The one way out: requests that make this server fetch something from elsewhere.
///
/// It fetches only for a purpose on its list, by https, and from public addresses. It connects to the very address that
/// was checked, so a name that changes in between leads nowhere else.
package final class Egress: Sendable {
    /// The things that may be fetched, and where they are on another server.
    package enum Purpose: Sendable, Equatable {
        /// An organisation's `/.well-known/countersign.json`.
        case organisation
        /// A status list.
        case statusList(Int64)

        var path: String {
            switch self {
            case .organisation: PublishedOrganisation.path
            case .statusList(let number): "/status/\(number)"
            }
        }

        /// Most bytes of an answer.
        var limit: Int {
            switch self {
            case .organisation: PublishedOrganisation.maximumSize
            case .statusList: 1 << 19
            }
        }
    }

    /// Why there is nothing.
    package enum Failure: Error, Equatable, Sendable {
        /// The operator has switched it off.
        case off
        /// Nobody knows the name.
        case unknownName
        /// The name leads to an address that is not public.
        case notPublic
        /// As many as allowed are under way.
        case busy
        /// It did not answer, or not in time.
        case unreachable
        /// It answered something other than 200: a redirect, an error.
        case refused(status: Int)
        /// The answer is longer than the purpose allows.
        case tooLong
    }

    /// Fetches under way at once, for everybody.
    static let most = 16

    private let isOn: Bool
    private let lookup: any NameLookup
    /// Finds names that strangers give.
    private let fetchLookup: any NameLookup
    private let transport: any EgressTransport
    private let sender: any EgressSender
    private let channel: any EgressChannel
    /// Whether what administrators set may lead inside, and by plain http.
    let allowsPrivate: Bool
    private let underWay = Mutex(0)

    /// - Parameters:
    ///   - isOn: whether anything is fetched, as the operator has set it.
    ///   - allowsPrivate: whether messages may go to addresses that are not public, as the operator has set it.
    ///   - lookup: finds the names of those who get messages.
    ///   - fetchLookup: finds the names from which somebody wants something fetched; the same, if `nil`.
    package init(
        isOn: Bool, allowsPrivate: Bool = false, lookup: any NameLookup, fetchLookup: (any NameLookup)? = nil,
        transport: any EgressTransport, sender: any EgressSender = HTTPEgressSender(),
        channel: any EgressChannel = HTTPEgressChannel()
    ) {
        self.isOn = isOn
        self.allowsPrivate = allowsPrivate
        self.lookup = lookup
        self.fetchLookup = fetchLookup ?? lookup
        self.transport = transport
        self.sender = sender
        self.channel = channel
    }

    /// The system's resolver and real connections.
    package convenience init(isOn: Bool, allowsPrivate: Bool = false) {
        self.init(
            isOn: isOn, allowsPrivate: allowsPrivate, lookup: SystemNameLookup.messages,
            fetchLookup: SystemNameLookup.fetches, transport: HTTPEgressTransport())
    }

    /// Sends a message; who sends bounds how many there are at once.
    ///
    /// - Parameter isAdministrators: an administrator has given the address, so it may lead inside if the operator allows
    ///   that. What members give may never.
    /// - Returns: any answer; a redirect is not followed, and means what the caller takes it for.
    package func send(
        _ message: EgressMessage, to address: EgressAddress, isAdministrators: Bool
    ) async throws(Failure) -> EgressAnswer {
        try await send(message, to: address, mayBeInside: isAdministrators && allowsPrivate)
    }

    /// Sends a message to an address of the operator's own settings, which may lead inside: nobody else can set it.
    package func send(
        _ message: EgressMessage, toOperators address: EgressAddress
    ) async throws(Failure) -> EgressAnswer {
        try await send(message, to: address, mayBeInside: true)
    }

    /// Asks a channel of another server's rendezvous, for a member: it never leads inside.
    ///
    /// Who asks bounds how many there are at once.
    package func ask(_ request: ChannelRequest, at address: EgressAddress) async throws(Failure) -> ChannelAnswer {
        guard isOn else { throw .off }
        let place = try checked(try await addresses(of: address.host, by: fetchLookup)).description
        do {
            return try await channel.ask(request, at: address, place: place)
        } catch let failure as Failure {
            throw failure
        } catch {
            throw .unreachable
        }
    }

    private func send(
        _ message: EgressMessage, to address: EgressAddress, mayBeInside: Bool
    ) async throws(Failure) -> EgressAnswer {
        let place = try await place(of: address, mayBeInside: mayBeInside)
        do { return try await sender.send(message, to: address, at: place) } catch { throw .unreachable }
    }

    private func place(of address: EgressAddress, mayBeInside: Bool) async throws(Failure) -> String {
        // Given while it was allowed, it may be forbidden by now.
        guard EgressAddress(address.text, allowsPrivate: mayBeInside) != nil else { throw .notPublic }
        let found = try await addresses(of: address.host, by: lookup)
        return mayBeInside ? found[0] : try checked(found).description
    }

    /// Fetches what is there now.
    package func fetch(_ purpose: Purpose, from domain: DomainName) async throws(Failure) -> [UInt8] {
        guard isOn else { throw .off }
        guard enter() else { throw .busy }
        defer { underWay.withLock { $0 -= 1 } }
        let address = try await publicAddress(of: domain)
        let answer: (status: Int, body: [UInt8])
        do {
            answer = try await transport.get(
                purpose.path, of: domain.text, at: address.description, limit: purpose.limit)
        } catch let failure as Failure {
            throw failure
        } catch {
            throw .unreachable
        }
        guard answer.status == 200 else { throw .refused(status: answer.status) }
        guard answer.body.count <= purpose.limit else { throw .tooLong }
        return answer.body
    }

    private func enter() -> Bool {
        underWay.withLock { count in
            guard count < Self.most else { return false }
            count += 1
            return true
        }
    }

    /// One address that was checked.
    ///
    /// No honest name has both a public address and another kind.
    private func publicAddress(of domain: DomainName) async throws(Failure) -> PublicAddress {
        try checked(await addresses(of: domain.text, by: fetchLookup))
    }

    private func addresses(of name: String, by lookup: any NameLookup) async throws(Failure) -> [String] {
        let found: [String]
        do { found = try await lookup.addresses(of: name) } catch { throw .unknownName }
        guard !found.isEmpty else { throw .unknownName }
        return found
    }

    private func checked(_ found: [String]) throws(Failure) -> PublicAddress {
        let checked = found.compactMap(PublicAddress.init)
        guard checked.count == found.count, let first = checked.first else { throw .notPublic }
        return first
    }
}
