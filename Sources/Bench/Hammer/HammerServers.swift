import Foundation
import Synchronization
import Wallet

/// The servers under load, and which of them answered last: acts go to any that did.
final class HammerServers: Sendable {
    /// Their addresses.
    let addresses: [ServerAddress]
    private let down = Mutex<Set<Int>>([])
    private let stopping = Mutex(false)

    /// Whether also those are asked that are not ready.
    private let isStubborn: Bool

    init(_ texts: [String], isStubborn: Bool = false) throws {
        addresses = try texts.map { try ServerAddress($0) }
        self.isStubborn = isStubborn
    }

    /// Whether the load is to end.
    var isStopping: Bool { stopping.withLock(\.self) }

    /// Lets everybody finish the act under way.
    func stop() { stopping.withLock { $0 = true } }

    /// Any server that answers, once there is one.
    ///
    /// - Throws: `HammerStop.ended` when the load ends first.
    func pick() async throws -> Int {
        while !isStopping {
            let isDown = down.withLock(\.self)
            if let index = addresses.indices.filter({ !isDown.contains($0) }).randomElement() { return index }
            try await Task.sleep(for: Self.pause)
        }
        throw HammerStop.ended
    }

    /// Leaves a server alone until it says that it is ready.
    func failed(_ index: Int) {
        guard !isStubborn, down.withLock({ $0.insert(index).inserted }) else { return }
        Task {
            let client = ServerClient(address: addresses[index], forwardedFor: "10.0.0.\(index)")
            while !isStopping, (try? await client.bytes("/readyz", limit: 4_096)) == nil {
                try await Task.sleep(for: Self.pause)
            }
            down.withLock { _ = $0.remove(index) }
        }
    }

    private static let pause = Duration.milliseconds(50)
}

/// Why a person of the load does not go on as planned.
enum HammerStop: Error {
    /// The answer to their act was lost.
    case unknown
    /// Their act was refused when repeated: the first one may have been stored.
    case refused
    /// They got an answer that no healthy server gives.
    case wrong
    /// The load ends.
    case ended
}
