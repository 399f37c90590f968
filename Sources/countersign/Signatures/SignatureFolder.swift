import Encodings
import Foundation
import HandSignatures

/// Your own recordings: a folder with a folder for each writer, and in it `genuine` and `forgery` with captures.
///
/// Names are taken in the order of their bytes, so that the same files give the same model. Names that begin with a dot
/// are skipped. Symbolic links and anything else that does not belong are refused, so only files of the folder itself
/// are read.
struct SignatureFolder {
    /// The most writers.
    static let mostWriters = 2_000
    /// The most genuine, or forged, signatures of one writer.
    static let mostOfAKind = 200
    /// The most bytes of all files together: as many as a research file may have.
    static let mostBytes = Gunzip.maximumSize

    /// A file's owner and its place.
    private struct Place {
        let writer: String
        let isForgery: Bool
        let path: String
    }

    private let folder: String
    private let angles: BiometrixCSV.AngleUnit

    /// - Parameter angles: what angles count in CSV of Biometrix.
    init(_ path: String, angles: BiometrixCSV.AngleUnit) {
        folder = path.count > 1 && path.hasSuffix("/") ? String(path.dropLast()) : path
        self.angles = angles
    }

    /// All writers, and what they wrote with.
    func read(_ bar: ProgressBar) throws(SignatureFolderError) -> (users: [RecordedSet.User], tool: Capture.Tool) {
        defer { bar.clear() }
        var users: [RecordedSet.User] = []
        var known: (path: String, tool: Capture.Tool)?
        var size = 0
        let places = try self.places()
        for (number, place) in places.enumerated() {
            guard let bytes = try? Files.read(place.path) else { throw .unreadable(place.path) }
            size += bytes.count
            guard size <= Self.mostBytes else { throw .tooLarge(folder, mebibytes: Self.mostBytes >> 20) }
            let capture = try self.capture(bytes, place.path)
            guard capture.tool != .mouse else { throw .mouse(place.path) }
            if let known, known.tool != capture.tool {
                throw .otherTool(place.path, capture.tool, first: known.path, known.tool)
            }
            if known == nil { known = (path: place.path, tool: capture.tool) }
            let name = Bytes(text: place.writer)
            if users.last?.name != name { users.append(RecordedSet.User(name: name)) }
            let signature = RecordedSet.Signature(capture: capture, source: Bytes(text: place.path).shown)
            if place.isForgery {
                users[users.count - 1].forged.append(signature)
            } else {
                users[users.count - 1].genuine.append(signature)
            }
            bar.show(UInt64(number + 1), UInt64(places.count))
        }
        guard let tool = known?.tool else { throw .empty(folder) }
        return (users, tool)
    }

    private func capture(_ bytes: Bytes, _ path: String) throws(SignatureFolderError) -> Capture {
        do {
            return try CaptureFile.read(bytes, tool: .pen, angles: angles)
        } catch {
            throw .capture(path, error)
        }
    }

    /// All files, writer by writer.
    private func places() throws(SignatureFolderError) -> [Place] {
        var places: [Place] = []
        for writer in try Self.names(in: folder, limit: Self.mostWriters) {
            let own = "\(folder)/\(writer)"
            let before = places.count
            guard try Self.entryType(own) == .typeDirectory else { throw .unexpected(own) }
            for kind in try Self.names(in: own, limit: Self.mostOfAKind) {
                let part = "\(own)/\(kind)"
                guard kind == "genuine" || kind == "forgery", try Self.entryType(part) == .typeDirectory else {
                    throw .unexpected(part)
                }
                for name in try Self.names(in: part, limit: Self.mostOfAKind) {
                    let path = "\(part)/\(name)"
                    // A pipe or a device would be waited for.
                    guard try Self.entryType(path) == .typeRegular else { throw .unexpected(path) }
                    places.append(Place(writer: writer, isForgery: kind == "forgery", path: path))
                }
            }
            // As a copy that stopped halfway would leave it.
            guard places.count > before else { throw .empty(own) }
        }
        return places
    }

    /// Names in a folder, without hidden ones, in the order of their bytes: the same in every language.
    private static func names(in folder: String, limit: Int) throws(SignatureFolderError) -> [String] {
        guard let all = try? FileManager.default.contentsOfDirectory(atPath: folder) else { throw .unreadable(folder) }
        let names = all.filter { $0.utf8.first != UInt8(ascii: ".") }
        guard names.count <= limit else { throw .tooMany(folder, limit: limit) }
        return names.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    }

    /// The kind of the path itself, not of its target.
    private static func entryType(_ path: String) throws(SignatureFolderError) -> FileAttributeType {
        guard let attributes = try? FileManager.default.attributesOfItem(atPath: path),
            let type = attributes[.type] as? FileAttributeType
        else { throw .unreadable(path) }
        guard type != .typeSymbolicLink else { throw .link(path) }
        return type
    }
}

/// Why a folder of recordings is not used; each case has the path.
enum SignatureFolderError: Error, Equatable {
    case unreadable(String)
    /// There is no capture in it.
    case empty(String)
    /// It does not belong there.
    case unexpected(String)
    case link(String)
    case tooMany(String, limit: Int)
    case tooLarge(String, mebibytes: Int)
    case capture(String, CaptureError)
    case mouse(String)
    case otherTool(String, Capture.Tool, first: String, Capture.Tool)

    /// What is wrong, and what to do.
    var words: String {
        let layout =
            "a folder of recordings has a folder for each writer, and in it genuine/ and forgery/ with captures"
        // Names come from someone else, and may hold characters that steer a terminal.
        func shown(_ path: String) -> String { Bytes(text: path).shown }
        switch self {
        case .unreadable(let path): return "\(shown(path)) cannot be read, or is larger than any capture"
        case .empty(let path): return "\(shown(path)) has no captures: \(layout)"
        case .unexpected(let path): return "\(shown(path)) does not belong there: \(layout), and nothing else"
        case .link(let path): return "\(shown(path)) is a symbolic link: put the file itself there"
        case .tooMany(let path, let limit): return "\(shown(path)) has more than \(limit) files: divide them"
        case .tooLarge(let path, let size):
            return "the captures in \(shown(path)) are larger than \(size) MiB together: divide them"
        case .capture(let path, let error):
            return "\(shown(path)) is not a capture that can be compared (\(error)): take it out. Forms of files are "
                + "in docs/capture-formats.md"
        case .mouse(let path):
            return "\(shown(path)) was written with a mouse: there are no models for that; take it out"
        case .otherTool(let path, let tool, let first, let firstTool):
            return "\(shown(path)) counts as written with \(tool.plural), \(shown(first)) with \(firstTool.plural): "
                + "keep a folder for each. A file that does not say it counts as written with pens: 'countersign signatures convert "
                + "FILE --touch --to json --out FILE' says it"
        }
    }
}

extension Capture.Tool {
    /// In words.
    var plural: String {
        switch self {
        case .pen: "pens"
        case .touch: "fingers"
        case .mouse: "mice"
        }
    }
}
