import ArgumentParser
import Encodings
import Foundation
import HandSignatures

/// How captured signatures are read from files.
struct CaptureOptions: ParsableArguments {
    /// What angles count in a file of Biometrix.
    enum Angles: String, ExpressibleByArgument, CaseIterable {
        case radians, degrees

        var unit: BiometrixCSV.AngleUnit { self == .radians ? .radians : .degrees }
    }

    @Flag(help: "The signature was written with a finger; for files that do not say it.") var touch = false
    @Option(help: "The unit of angles in CSV of Biometrix, which does not say it.") var angles: Angles = .radians

    /// Reads a signature in any form of docs/capture-formats.md.
    func read(_ path: String) throws -> Capture {
        let bytes = try Files.read(path)
        do throws(CaptureError) {
            return try CaptureFile.read(bytes, tool: touch ? .touch : .pen, angles: angles.unit)
        } catch {
            throw CommandError("\(path): \(error.words) (\(error))")
        }
    }
}
