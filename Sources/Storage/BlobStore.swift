/// A blob as it is listed.
package struct BlobInfo: Sendable, Equatable {
    /// The blob's name.
    package let name: String
    /// Bytes.
    package let size: Int64
    /// When it was written, in seconds since 1970: what collects garbage leaves the young alone.
    package let modified: Int64
}

/// Named sequences of bytes, each written as a whole.
///
/// Names are 1 to 128 bytes of ASCII letters, digits, `-`, `_` and `.`, not beginning with a dot; any other is refused
/// with `StorageError.invalidName`.
package protocol BlobStore: Sendable {
    /// Stores a blob durably, replacing one of that name. Readers see the old or the new, never a part.
    func write(_ name: String, _ bytes: [UInt8]) async throws
    /// A blob's bytes, or `nil` when there is none.
    func read(_ name: String) async throws -> [UInt8]?
    /// Removes a blob durably.
    ///
    /// - Returns: whether there was one.
    @discardableResult
    func delete(_ name: String) async throws -> Bool
    /// A blob's size in bytes, or `nil` when there is none.
    func size(_ name: String) async throws -> Int64?
    /// All blobs, in the order of their names.
    func list() async throws -> [BlobInfo]
}

extension BlobStore {
    /// Whether there is a blob of that name.
    package func exists(_ name: String) async throws -> Bool { try await size(name) != nil }
}

/// The name of a blob, checked.
struct BlobName {
    let text: String

    init(_ text: String) throws(StorageError) {
        let isAllowed = text.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
            case UInt8(ascii: "0")...UInt8(ascii: "9"): true
            case UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "."): true
            default: false
            }
        }
        guard isAllowed, (1...128).contains(text.utf8.count), text.utf8.first != UInt8(ascii: ".") else {
            throw .invalidName
        }
        self.text = text
    }
}
