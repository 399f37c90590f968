import Encodings
import Foundation
import HandSignatures

/// The signatures of a research file or of a folder, as they were recorded.
struct RecordedSet: Sendable {
    /// A signature.
    struct Signature: Sendable {
        let capture: Capture
        /// How an error names it.
        let source: String
    }

    /// A writer, and the people who imitated them.
    struct User: Sendable {
        let name: Bytes
        /// In the order in which they were given: the first five are the references.
        var genuine: [Signature] = []
        var forged: [Signature] = []
    }

    /// As it was named on the command line.
    let path: String
    let tool: Capture.Tool
    /// In the order of their names.
    let users: [User]

    /// Without the folders that lead to it.
    var name: String { URL(fileURLWithPath: path).lastPathComponent }

    /// Reads a folder or a file, whichever is there.
    init(_ path: String, angles: BiometrixCSV.AngleUnit, _ bar: ProgressBar) throws {
        let read = try Self.isFolder(path) ? Self.folder(path, angles, bar) : Self.file(path)
        guard read.users.count > 1 else { throw CommandError("\(path) has signatures of one user only") }
        for user in read.users where user.genuine.count <= Enrolment.size || user.forged.isEmpty {
            throw CommandError(
                "\(path): user \(user.name.shown) has too few signatures (genuine: \(user.genuine.count), forged: "
                    + "\(user.forged.count)): more than \(Enrolment.size) genuine and one forged are needed")
        }
        self.path = path
        tool = read.tool
        users = read.users
    }

    private static func isFolder(_ path: String) -> Bool {
        var isFolder: ObjCBool = false
        let isThere = unsafe FileManager.default.fileExists(atPath: path, isDirectory: &isFolder)
        return isThere && isFolder.boolValue
    }

    private static func folder(
        _ path: String, _ angles: BiometrixCSV.AngleUnit, _ bar: ProgressBar
    ) throws -> (users: [User], tool: Capture.Tool) {
        do throws(SignatureFolderError) {
            return try SignatureFolder(path, angles: angles).read(bar)
        } catch {
            throw CommandError(error.words)
        }
    }

    private static func file(_ path: String) throws -> (users: [User], tool: Capture.Tool) {
        let bytes = try Gunzip.unpack(try Files.read(path))
        let signatures: [ResearchCSV.Signature]
        do throws(CaptureError) {
            signatures = try ResearchCSV.read(bytes)
        } catch {
            throw CommandError(
                "\(path) is not a research file that can be used: \(error). docs/hand-signatures.md shows one")
        }
        var users: [User] = []
        for one in signatures {
            if users.last?.name != one.user { users.append(User(name: one.user)) }
            let kind = one.isForgery ? "forgery" : "genuine"
            let signature = Signature(
                capture: one.capture, source: "\(path): user \(one.user.shown), \(kind) \(one.number)")
            if one.isForgery {
                users[users.count - 1].forged.append(signature)
            } else {
                users[users.count - 1].genuine.append(signature)
            }
        }
        return (users.sorted { $0.name.lexicographicallyPrecedes($1.name) }, .pen)
    }
}

/// All that a command learns from or is tried on, before anything is compared.
struct Recordings: Sendable {
    let sets: [RecordedSet]
    /// What the model is for.
    let tool: Capture.Tool
}
