import Foundation

/// What the system says of a file, without following a link.
package struct FileAbout: Sendable, Equatable {
    package enum Kind: Sendable, Equatable {
        case file, folder, other
    }

    package let kind: Kind
    /// Bytes.
    package let size: UInt64
    /// When it was changed last, in seconds since 1970.
    package let modified: Int64
    /// What tells this file, in this state, from others: its place, length and the time of its last change.
    package let identity: String

    /// Of what lies at a path; `nil` if nothing does.
    package init?(_ path: String) {
        guard let about = try? FileManager.default.attributesOfItem(atPath: path) else { return nil }
        switch about[.type] as? FileAttributeType {
        case .typeRegular: kind = .file
        case .typeDirectory: kind = .folder
        default: kind = .other
        }
        size = (about[.size] as? NSNumber)?.uint64Value ?? 0
        let time = (about[.modificationDate] as? Date ?? .distantPast).timeIntervalSince1970
        modified = Int64(time)
        let place = [about[.systemNumber], about[.systemFileNumber]].map { ($0 as? NSNumber)?.uint64Value ?? 0 }
        identity = "\(place[0]) \(place[1]) \(size) \(time)"
    }
}
