import Encodings
import Foundation
import Wallet

// Items, as commands show them.
extension VaultItem {
    /// All that is known, for programs.
    var json: JSON {
        var members: [(String, JSON)] = [
            ("id", .text(id.text)), ("kind", .text(kind.rawValue)), ("name", .string(name)), ("path", .string(path)),
            ("lock", .bool(hasLock)), ("created", .integer(created / 1_000)), ("modified", .integer(modified / 1_000)),
            ("tags", .array(tags.map { .string($0) })), ("versions", .integer(Int64(versions))),
        ]
        if let size { members.append(("size", .integer(Int64(clamping: size)))) }
        if let mediaType { members.append(("media_type", .string(mediaType))) }
        if let expires { members.append(("expires", .integer(expires / 1_000))) }
        if let trashed { members.append(("trashed", .integer(trashed))) }
        if isShared { members.append(("shared", .bool(true))) }
        return .members(members)
    }

    /// A row of a table.
    var row: [String] {
        let mark: String
        switch kind {
        case .folder: mark = isShared ? "/ (shared)" : "/"
        case .locked: mark = " (locked)"
        case .file, .note: mark = hasLock ? " (lock)" : ""
        }
        return [
            kind == .folder || kind == .locked ? "" : size.map(VaultSizes.words) ?? "",
            kind == .locked ? "" : Output.time(modified / 1_000), kind.rawValue,
            path.shown + mark + tags.map { " #\($0.shown)" }.joined(),
        ]
    }
}

/// Sizes for people.
enum VaultSizes {
    /// Rounded to three digits, such as 1.24 MB.
    static func words(_ bytes: UInt64) -> String {
        guard bytes >= 1_000 else { return "\(bytes) B" }
        var value = Double(bytes)
        var unit = 0
        while value >= 999.5, unit < 4 {
            value /= 1_000
            unit += 1
        }
        let digits = value < 9.995 ? 2 : value < 99.95 ? 1 : 0
        return String(format: "%.\(digits)f ", value) + ["B", "kB", "MB", "GB", "TB"][unit]
    }
}

extension Output {
    /// Items, as a table or as `{"items": [...]}`.
    static func print(items: [VaultItem], _ output: OutputOptions, none words: String) {
        guard !output.json else { return print(.members([("items", .array(items.map(\.json)))])) }
        guard !items.isEmpty else { return line(words) }
        table(["SIZE", "CHANGED", "KIND", "PATH"], items.map(\.row))
    }
}
