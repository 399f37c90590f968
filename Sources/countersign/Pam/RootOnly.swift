import Foundation

/// Files and folders that decide who may sign in: only root may change them, or nobody signs in.
enum RootOnly {
    /// Demands that a folder and those above it, up to `root`, belong to root and that nobody else can write there.
    static func check(folder: String, below root: String) throws(CommandError) {
        var path = folder
        while path.count > root.count, path != "/" {
            try check(path, isFolder: true, isSecret: false)
            path = URL(fileURLWithPath: path).deletingLastPathComponent().path
        }
    }

    /// Demands the same of a file.
    ///
    /// - Parameter isSecret: whether others may not even read it.
    static func check(file: String, isSecret: Bool) throws(CommandError) {
        try check(file, isFolder: false, isSecret: isSecret)
    }

    private static func check(_ path: String, isFolder: Bool, isSecret: Bool) throws(CommandError) {
        // This is about the name itself: a link is no file.
        guard let attributes = try? FileManager.default.attributesOfItem(atPath: path),
            let mode = attributes[.posixPermissions] as? Int, let owner = attributes[.ownerAccountID] as? Int
        else { throw CommandError("\(path) is missing, or cannot be looked at") }
        guard attributes[.type] as? FileAttributeType == (isFolder ? .typeDirectory : .typeRegular) else {
            throw CommandError("\(path) is not a \(isFolder ? "folder" : "plain file")")
        }
        guard owner == 0 else { throw CommandError("\(path) does not belong to root. Run: chown root \(path)") }
        guard mode & 0o022 == 0 else {
            throw CommandError("others than root can change \(path). Run: chmod go-w \(path)")
        }
        guard !isSecret || mode & 0o077 == 0 else {
            throw CommandError("others than root can read \(path). Run: chmod go= \(path)")
        }
    }
}
