package import Encodings

/// One file inside a backup.
package struct BackupPart: Sendable, Equatable {
    /// Its name, such as `blobs/4f…`.
    package let name: String
    /// Bytes.
    package let size: Int
    /// SHA-256.
    package let digest: Bytes
}

/// The parts of a backup so far, as its writer and its reader count them: neither can remember a million parts.
///
/// After every thousand parts stands a list of them, which is a part itself and so in the next list: what no list has
/// yet is in the manifest. Version 1 had no lists, and everything in the manifest.
package struct BackupContents: Sendable, Equatable {
    /// The parts that no list has, in their order.
    package private(set) var parts: [BackupPart] = []
    /// How many sealed documents.
    package private(set) var blobs: Int64 = 0
    /// Bytes of all parts.
    package private(set) var bytes: Int64 = 0
    /// The names of the server's keys.
    package private(set) var keys: [String] = []
    /// Blobs that were deleted between the reading of the rows and their copying.
    package private(set) var gone = BackupNames()
    /// Blobs that rows name and that were not there.
    package private(set) var missing = BackupNames()
    private var lists = 0

    /// Nothing.
    init() {}

    /// As version 1 says it in the manifest.
    init(parts: [BackupPart], gone: [String], missing: [String]) {
        for part in parts { count(part) }
        self.parts = parts
        for name in gone { self.gone.add(name, isKept: true) }
        for name in missing { self.missing.add(name, isKept: true) }
    }

    /// As a manifest says it.
    init(
        parts: [BackupPart], blobs: Int64, bytes: Int64, keys: [String], lists: Int, gone: BackupNames,
        missing: BackupNames
    ) {
        (self.parts, self.blobs, self.bytes, self.keys) = (parts, blobs, bytes, keys)
        (self.lists, self.gone, self.missing) = (lists, gone, missing)
    }

    /// How many lists there are.
    var listCount: Int { lists }

    /// The list that has to come now, if one has to.
    var dueList: (name: String, content: Bytes)? {
        parts.count < BackupList.length ? nil : (BackupList.partName(lists), BackupList.encode(parts))
    }

    /// Counts the next part.
    ///
    /// - Throws: `BackupError.damaged` for a list that does not say what came before it.
    mutating func add(_ part: BackupPart, _ content: Bytes) throws(BackupError) {
        count(part)
        if BackupList.isList(part.name) {
            guard let due = dueList, part.name == due.name, content == due.content else { throw .damaged(part.name) }
            lists += 1
            parts = []
        } else if AbsentBlobs.isPart(part.name) {
            for blob in try AbsentBlobs.parse(content, name: part.name) {
                if blob.isMissing { missing.add(blob.name) } else { gone.add(blob.name) }
            }
        }
        parts.append(part)
    }

    private mutating func count(_ part: BackupPart) {
        bytes += Int64(part.size)
        if part.name.hasPrefix("blobs/") { blobs += 1 }
        if part.name.hasPrefix("keys/") { keys.append(String(part.name.dropFirst(5))) }
    }
}

/// The first few names, and how many there are.
package struct BackupNames: Sendable, Equatable {
    /// How many there are.
    package internal(set) var count: Int64 = 0
    /// The first of them.
    package internal(set) var first: [String] = []
    private static let remembered = 100

    /// - Parameter isKept: whether the name is remembered in any case.
    mutating func add(_ name: String, isKept: Bool = false) {
        count += 1
        if isKept || first.count < Self.remembered { first.append(name) }
    }
}

/// The parts since the list before, as `sha256sum` writes and checks them.
enum BackupList {
    /// How many parts a list has.
    static let length = 1_000

    static func partName(_ number: Int) -> String { "lists/\(BackupTables.digits(number))" }

    static func isList(_ name: String) -> Bool { name.hasPrefix("lists/") }

    static func encode(_ parts: [BackupPart]) -> Bytes {
        parts.flatMap { Hex.encode($0.digest) + Bytes(text: "  \($0.name)\n") }
    }
}

/// Sealed documents that rows name and that a backup does not hold: a line for each.
enum AbsentBlobs {
    static func partName(_ number: Int) -> String { "absent/\(BackupTables.digits(number))" }

    static func isPart(_ name: String) -> Bool { name.hasPrefix("absent/") }

    /// - Parameter isMissing: whether rows still named it when its bytes were not found.
    static func encode(_ blobs: [(name: String, isMissing: Bool)]) -> Bytes {
        blobs.flatMap { Bytes(text: "\($0.isMissing ? "missing" : "gone") \($0.name)\n") }
    }

    static func parse(_ bytes: Bytes, name: String) throws(BackupError) -> [(name: String, isMissing: Bool)] {
        guard bytes.last == 0x0A else { throw .damaged(name) }
        var blobs: [(name: String, isMissing: Bool)] = []
        for line in bytes.dropLast().split(at: 0x0A) {
            let words = String(decoding: line, as: UTF8.self).split(separator: " ", omittingEmptySubsequences: false)
            guard words.count == 2, ["gone", "missing"].contains(words[0]) else { throw .damaged(name) }
            blobs.append((String(words[1]), words[0] == "missing"))
        }
        return blobs
    }
}
