import CryptoProvider
import Encodings
import Foundation
import Storage
import Synchronization

/// A key that wraps what the vaults of one week store, and its number.
struct VaultEpoch: Sendable {
    /// Weeks since 1970.
    let number: Int64
    private let box: SecretBox

    init(number: Int64, key: Bytes) throws {
        self.number = number
        box = try SecretBox(key: key)
    }

    /// What a wrapped key belongs to: it opens nowhere else.
    enum Place: Sendable {
        case node(String, compartment: String)
        case version(String, compartment: String)
        case drop(String, compartment: String)

        fileprivate var text: String {
            switch self {
            case .node(let id, let compartment): "node \(compartment) \(id)"
            case .version(let id, let compartment): "version \(compartment) \(id)"
            case .drop(let id, let compartment): "drop \(compartment) \(id)"
            }
        }
    }

    /// Wraps the key of a row, base64url.
    func wrap(_ key: String, of place: Place) throws -> String {
        try box.seal(Bytes(text: key), purpose: purpose(place)).base64URL
    }

    /// - Returns: `nil` for what another key has wrapped.
    func unwrap(_ wrapped: String, of place: Place) -> String? {
        Base64.decode(Bytes(text: wrapped), .url).flatMap { try? box.open($0, purpose: purpose(place)) }
            .map { String(decoding: $0, as: UTF8.self) }
    }

    private func purpose(_ place: Place) -> String { "vault epoch \(number) \(place.text)" }
}

/// The keys of the weeks, in the data directory's folder `vault-epochs`: outside database, blobs and backups.
///
/// Every key that a row holds is wrapped under the key of its week. When that is destroyed, no copy of the row opens any
/// more, wherever it is.
final class VaultEpochs: Sendable {
    /// The folder's name in the data directory.
    static let name = "vault-epochs"

    private let folder: String
    private let clock: ServerClock
    private let random: RandomSource
    private let held = Mutex<[Int64: VaultEpoch]>([:])

    /// - Parameter environment: whose data directory has the folder.
    init(_ environment: Environment) {
        folder = "\(environment.directory)/\(Self.name)"
        (clock, random) = (environment.clock, environment.random)
    }

    /// The week of a time.
    static func number(at time: Int64) -> Int64 { time / Limits.vaultEpoch }

    /// Whether the key of a week is kept no longer.
    static func isOver(_ number: Int64, at now: Int64) -> Bool {
        (number + 1) * Limits.vaultEpoch + Limits.vaultEpochMemory <= now
    }

    private func file(_ number: Int64) -> String { "\(folder)/\(number)" }

    /// This week's key; of several processes that need the first one, one makes it.
    func current() async throws -> VaultEpoch {
        let number = Self.number(at: clock.now())
        forget()
        if let epoch = held.withLock({ $0[number] }) { return epoch }
        let key = random.bytes(32)
        let epoch = try await BlockingThreads.run { [folder, file = file(number)] in
            try DurableFile.makeDirectory(folder)
            if try DurableFile.read(file) == nil { try DurableFile.create(file, Hex.encode(key) + [0x0A]) }
            guard let epoch = try Self.read(file, number) else { throw StorageError.ioError(detail: file) }
            return epoch
        }
        held.withLock { $0[number] = epoch }
        return epoch
    }

    /// The keys of some weeks, as far as they are there.
    func find(_ numbers: Set<Int64>) async throws -> [Int64: VaultEpoch] {
        forget()
        var found = held.withLock { $0.filter { numbers.contains($0.key) } }
        for number in numbers where found[number] == nil && number >= 0 {
            guard let epoch = try await BlockingThreads.run({ [file = file(number)] in try Self.read(file, number) })
            else { continue }
            found[number] = epoch
            held.withLock { $0[number] = epoch }
        }
        return found
    }

    private static func read(_ file: String, _ number: Int64) throws -> VaultEpoch? {
        guard let text = try DurableFile.read(file) else { return nil }
        guard text.count == 65, text[64] == 0x0A, let key = Hex.decode(Array(text.dropLast())) else {
            throw ServerKeys.KeyError.malformed(name: "\(name)/\(number)")
        }
        return try VaultEpoch(number: number, key: key)
    }

    /// The weeks whose keys are in the folder, the oldest first.
    func numbers() async throws -> [Int64] {
        try await BlockingThreads.run { [folder] in
            guard FileManager.default.fileExists(atPath: folder) else { return [] }
            return try FileManager.default.contentsOfDirectory(atPath: folder).compactMap { Int64($0) }.sorted()
        }
    }

    /// Destroys a week's key: overwrites it, removes its name, and waits until both are on the disk.
    func destroy(_ number: Int64) async throws {
        held.withLock { $0[number] = nil }
        try await BlockingThreads.run { [file = file(number)] in try DurableFile.destroy(file) }
    }

    /// Drops keys from memory whose time is over: another process may have destroyed them.
    private func forget() {
        let now = clock.now()
        held.withLock { held in
            for number in held.keys where Self.isOver(number, at: now) { held[number] = nil }
        }
    }
}
