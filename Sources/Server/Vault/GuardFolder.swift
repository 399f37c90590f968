import Encodings
import Foundation
import Storage

/// The data directory's folder `vault-guards`: a file for each account, readable by the server's user only.
///
/// Changes of one file follow one after the other, in all processes that share the directory.
struct GuardFolder: Sendable {
    /// A file that is not what the guard writes: nobody tries anything with it.
    struct Damaged: Error {}

    /// The folder's name in the data directory.
    static let name = "vault-guards"

    /// The folder.
    let path: String
    /// Stores an account's file durably.
    ///
    /// Only a test sets another one, with which the disk is full.
    var replace: @Sendable (_ file: String, _ bytes: Bytes) throws -> Void = { try DurableFile.replace($0, $1) }

    /// - Parameter directory: the data directory.
    init(in directory: String) { path = "\(directory)/\(Self.name)" }

    /// The folder of an account's file; accounts are spread over 256.
    private func folder(_ account: String) -> String { "\(path)/\(account.prefix(2))" }
    func file(_ account: String) -> String { "\(folder(account))/\(account)" }

    /// An account's file, or `nil` when there is none.
    func read(_ account: String) async throws -> GuardFile? {
        let file = file(account)
        return try await BlockingThreads.run { try Self.read(file) }
    }

    private static func read(_ file: String) throws -> GuardFile? {
        try DurableFile.read(file).map(GuardFile.init(encoded:))
    }

    /// Changes an account's file while nobody else does, and returns when the change is durable.
    ///
    /// - Parameter change: gets the file as it is, `nil` for none. What it leaves is stored if it differs; when it throws,
    ///   nothing changes.
    func change<Value: Sendable>(
        _ account: String, _ change: @escaping @Sendable (inout GuardFile?) throws -> Value
    ) async throws -> Value {
        let (folder, file) = (folder(account), file(account))
        return try await BlockingThreads.run {
            try DurableFile.makeDirectory(folder)
            let lock = try FolderLock.wait(folder)
            defer { withExtendedLifetime(lock) {} }
            let before = try Self.read(file)
            var after = before
            let value = try change(&after)
            guard after != before else { return value }
            if let after {
                try replace(file, try after.encoded())
            } else {
                try DurableFile.destroy(file)
            }
            return value
        }
    }

    /// Destroys an account's file, also one that is damaged.
    func destroy(_ account: String) async throws {
        let (folder, file) = (folder(account), file(account))
        try await BlockingThreads.run {
            try DurableFile.makeDirectory(folder)
            let lock = try FolderLock.wait(folder)
            defer { withExtendedLifetime(lock) {} }
            try DurableFile.destroy(file)
        }
    }

    /// The accounts that have files, of one of the 256 folders at a time.
    func forEachFolder(_ body: ([String]) async throws -> Void) async throws {
        for folder in try await names(in: path) {
            let accounts = try await names(in: "\(path)/\(folder)")
            if !accounts.isEmpty { try await body(accounts) }
        }
    }

    /// Destroys what a process that was killed has left half-written: the keys in it may be destroyed everywhere else.
    func destroyUnfinished() async throws {
        for name in try await names(in: path) {
            try await BlockingThreads.run { [folder = "\(path)/\(name)"] in
                // Who has the lock is the only one who writes there.
                let lock = try FolderLock.wait(folder)
                defer { withExtendedLifetime(lock) {} }
                for file in try FileManager.default.contentsOfDirectory(atPath: folder)
                where file.hasPrefix(DurableFile.temporaryPrefix) {
                    try DurableFile.destroy("\(folder)/\(file)")
                }
            }
        }
    }

    private func names(in folder: String) async throws -> [String] {
        try await BlockingThreads.run {
            guard FileManager.default.fileExists(atPath: folder) else { return [] }
            return try FileManager.default.contentsOfDirectory(atPath: folder).filter { !$0.hasPrefix(".") }.sorted()
        }
    }
}
