package import CryptoProvider
package import Encodings
package import Interface
import Storage

/// An operator's order about the server's keys.
///
/// The command itself carries it out while the server is stopped, and the server does while it runs (`KeyOrders`).
package enum KeyOrder: Sendable, Equatable {
    /// Tell what a rotation would end.
    case consequences(KeyRotation.Name)
    /// Replace a key.
    case rotate(KeyRotation.Name)
    /// Tell which keys the log has.
    case logState
    /// Make, take up or destroy the log's next key.
    case logBegin, logFinish, logCancel

    /// The outcome.
    package enum Answer: Sendable, Equatable {
        case consequences(KeyRotation.Consequences)
        case state(LogKeyChange.State)
        /// The log's receipt of the entry `key.rotated`.
        case rotated(Interface.Receipt)
        case cancelled
    }

    /// Whether it does more than tell.
    private var isChange: Bool {
        switch self {
        case .consequences, .logState: false
        case .rotate, .logBegin, .logFinish, .logCancel: true
        }
    }

    /// Does it.
    ///
    /// - Parameters:
    ///   - root: certifies a new key that needs it; the one of the data directory, if `nil`.
    ///   - isRunning: whether requests come in at the same time.
    /// - Throws: `KeyError.changing` when another change of the same folder's keys is being made.
    package func carryOut(
        on server: CountersignServer, by root: IssuingAuthority? = nil, isRunning: Bool = false
    ) async throws -> Answer {
        guard try await server.environment.storedOrganisation() != nil else { throw RootTravel.TravelError.notSetUp }
        let lock = isChange ? try KeyFolder(in: server.directory.path).lock() : nil
        defer { withExtendedLifetime(lock) {} }
        switch self {
        case .consequences(let name): return .consequences(try await KeyRotation(of: server).consequences(of: name))
        case .rotate(let name):
            let root = name.isCertified && root == nil ? try await RootCertificates(of: server).authority() : root
            return .rotated(try await KeyRotation(of: server, isRunning: isRunning).rotate(name, by: root))
        case .logState: return .state(try await LogKeyChange(of: server).state())
        case .logBegin: return .state(try await LogKeyChange(of: server).begin())
        case .logFinish: return .rotated(try await LogKeyChange(of: server).finish())
        case .logCancel:
            try await LogKeyChange(of: server).cancel()
            return .cancelled
        }
    }
}

extension KeyOrder {
    /// The order as text, the key's name after it where it has one.
    var text: String {
        switch self {
        case .consequences(let name): "consequences \(name.rawValue)"
        case .rotate(let name): "rotate \(name.rawValue)"
        case .logState: "log-state"
        case .logBegin: "log-begin"
        case .logFinish: "log-finish"
        case .logCancel: "log-cancel"
        }
    }

    /// Reads what `text` made.
    init?(_ text: String) {
        let orders =
            [KeyOrder.logState, .logBegin, .logFinish, .logCancel]
            + KeyRotation.Name.allCases.flatMap { [.consequences($0), .rotate($0)] }
        guard let order = orders.first(where: { $0.text == text }) else { return nil }
        self = order
    }
}

extension KeyOrder.Answer {
    var json: JSON {
        switch self {
        case .consequences(let found):
            .members([("invitations", .integer(found.invitations)), ("links", .integer(found.links))])
        case .state(let state): .members([("current", state.current.json), ("next", state.next?.json ?? .null)])
        case .rotated(let receipt): .members([("proof", .text(receipt.proof))])
        case .cancelled: .members([("cancelled", .bool(true))])
        }
    }

    init?(_ json: JSON) {
        if let invitations = json["invitations"]?.integer, let links = json["links"]?.integer {
            self = .consequences(.init(invitations: invitations, links: links))
        } else if let current = json["current"].flatMap(LogKeyChange.Key.init) {
            self = .state(.init(current: current, next: json["next"].flatMap(LogKeyChange.Key.init)))
        } else if let proof = json["proof"]?.string {
            self = .rotated(.init(proof: String(decoding: proof, as: UTF8.self)))
        } else if json["cancelled"]?.bool == true {
            self = .cancelled
        } else {
            return nil
        }
    }
}

extension LogKeyChange.Key {
    /// As commands print it.
    package var json: JSON { .members([("in_policy", .bool(isInPolicy)), ("key", .text(verifierKey))]) }

    init?(_ json: JSON) {
        guard let key = json["key"]?.string, let isInPolicy = json["in_policy"]?.bool else { return nil }
        self.init(verifierKey: String(decoding: key, as: UTF8.self), isInPolicy: isInPolicy)
    }
}
