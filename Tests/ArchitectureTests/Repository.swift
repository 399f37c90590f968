import Foundation
import Synchronization

/// The checkout that these tests were compiled from.
struct Repository {
    let root: URL

    init(file: String = #filePath) {
        root = URL(fileURLWithPath: file).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
    }

    /// Paths of the files below a folder with one of the endings, sorted.
    ///
    /// Hidden folders, build folders among them, are left out.
    func files(below folder: String, endings: [String]) -> [String] {
        let walk = FileManager.default.enumerator(atPath: root.appendingPathComponent(folder).path)
        var paths: [String] = []
        while let path = walk?.nextObject() as? String {
            let name = path.split(separator: "/").last ?? ""
            if name.hasPrefix(".") {
                walk?.skipDescendants()
            } else if endings.contains(where: { path.hasSuffix($0) }) {
                paths.append(folder.isEmpty ? path : folder + "/" + path)
            }
        }
        return paths.sorted()
    }

    func text(_ path: String) throws -> String {
        try String(contentsOf: root.appendingPathComponent(path), encoding: .utf8)
    }

    /// What was read already: several rules look at the same files.
    private static let read = Mutex<[String: SwiftSource]>([:])

    func sources(below folder: String) throws -> [SwiftSource] {
        try files(below: folder, endings: [".swift"]).map { path in
            if let known = Self.read.withLock({ $0[path] }) { return known }
            let source = SwiftSource(path: path, text: try text(path))
            Self.read.withLock { $0[path] = source }
            return source
        }
    }

    func exists(_ path: String) -> Bool {
        FileManager.default.fileExists(atPath: root.appendingPathComponent(path).path)
    }

    func isExecutable(_ path: String) -> Bool {
        FileManager.default.isExecutableFile(atPath: root.appendingPathComponent(path).path)
    }

    /// Paths that git tracks, or `nil` outside a clone.
    func trackedFiles() throws -> [String]? {
        guard exists(".git") else { return nil }
        let git = Process()
        let output = Pipe()
        git.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        git.arguments = ["git", "-C", root.path, "ls-files", "-z"]
        git.standardOutput = output
        git.standardError = FileHandle.nullDevice
        try git.run()
        let data = output.fileHandleForReading.readDataToEndOfFile()
        git.waitUntilExit()
        guard git.terminationStatus == 0 else { return nil }
        return String(decoding: data, as: UTF8.self).split(separator: "\0").map(String.init)
    }
}
