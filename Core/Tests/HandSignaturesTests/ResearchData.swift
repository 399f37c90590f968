import Foundation
import Testing

@testable import HandSignatures

/// The research sets, which are kept beside the repository and never in it.
enum ResearchData {
    /// Whether they are there; tests that need them are skipped without.
    static let isHere: Bool = {
        let isHere = FileManager.default.fileExists(atPath: folder.appendingPathComponent("susig-visual.csv.gz").path)
        if !isHere { print("SKIPPED, NOT TESTED: the research signatures are not at \(folder.path)") }
        return isHere
    }()

    /// Whether measures that take long were asked for.
    static let isAsked: Bool = {
        let isAsked = ProcessInfo.processInfo.environment["MEASURE_SIGNATURES"] == "1"
        if !isAsked { print("SKIPPED, NOT MEASURED: set MEASURE_SIGNATURES=1 to measure on the research signatures") }
        return isAsked
    }()

    static let folder: URL = {
        var folder = URL(fileURLWithPath: #filePath)
        for _ in 0..<4 { folder.deleteLastPathComponent() }
        return folder.appendingPathComponent("../shared/data/signatures").standardized
    }()

    static func signatures(_ name: String) throws -> [ResearchCSV.Signature] {
        let process = Process()
        let output = Pipe()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = ["gzip", "-dc", folder.appendingPathComponent(name + ".csv.gz").path]
        process.standardOutput = output
        try process.run()
        let data = try output.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        return try ResearchCSV.read([UInt8](data))
    }
}
