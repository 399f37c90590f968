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
    private let transport: any EgressTransport
    let posting: any EgressPosting
    private let underWay = Mutex(0)
    private let postsUnderWay = Mutex(0)

    /// - Parameter isOn: whether anything may be fetched, as the operator has set.
    package init(
        isOn: Bool, lookup: any NameLookup, transport: any EgressTransport,
        posting: (any EgressPosting)? = nil
    ) {
        self.isOn = isOn
        self.lookup = lookup
        self.transport = transport
        self.posting = posting ?? HTTPEgressTransport()
    }

    /// The system's resolver and real connections.
    package convenience init(isOn: Bool) {
        self.init(isOn: isOn, lookup: SystemNameLookup(), transport: HTTPEgressTransport())
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

    func enterPost() -> Bool {
        postsUnderWay.withLock { count in
            guard count < Self.mostPosts else { return false }
            count += 1
            return true
        }
    }

    func leavePost() { postsUnderWay.withLock { $0 -= 1 } }

    /// One address that was checked.
    ///
    /// No honest name has both a public address and another kind.
    func publicAddress(of domain: DomainName) async throws(Failure) -> PublicAddress {
        let found: [String]
        do { found = try await lookup.addresses(of: domain.text) } catch { throw .unknownName }
        guard !found.isEmpty else { throw .unknownName }
        let checked = found.compactMap(PublicAddress.init)
        guard checked.count == found.count, let first = checked.first else { throw .notPublic }
        return first
    }
}
