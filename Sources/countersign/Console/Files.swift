import Certificates
import Encodings
import Foundation
import Transparency
import Wallet

/// Files named on the command line.
enum Files {
    /// The largest file read.
    static let maximumSize = 32 << 20

    static func read(_ path: String) throws -> Bytes {
        guard let handle = FileHandle(forReadingAtPath: path) else {
            throw CommandError("\(path) cannot be read")
        }
        defer { try? handle.close() }
        let data = try handle.read(upToCount: maximumSize + 1) ?? Data()
        guard data.count <= maximumSize else { throw CommandError("\(path) is larger than \(maximumSize >> 20) MiB") }
        return Bytes(data)
    }

    /// Writes a file that only its owner can read; `-` is standard output.
    ///
    /// - Parameters:
    ///   - force: whether a file that is there is written over; `nil` where the command never does that.
    ///   - option: what names the file.
    static func write(_ bytes: Bytes, to path: String, force: Bool?, option: String = "--out") throws {
        if path == "-" {
            FileHandle.standardOutput.write(Data(bytes))
            return
        }
        try requireFree(path, force: force, option: option)
        try AtomicFile.write(bytes, to: path)
    }

    /// Refuses a file that is there and may not be written over; as `write`.
    static func requireFree(_ path: String, force: Bool?, option: String = "--out") throws {
        guard force == true || !FileManager.default.fileExists(atPath: path) else {
            let hint = force == nil ? "this command never writes over a file" : "or write over it with --force"
            throw CommandError("\(path) exists already. Give another \(option); \(hint).")
        }
    }

    /// An organisation's root certificate.
    static func trustAnchor(_ path: String) throws -> TrustAnchor {
        let bytes = try read(path)
        guard let blocks = try? PEM.decode(bytes), blocks.count == 1 else {
            throw CommandError("\(path) is not one certificate in PEM")
        }
        do {
            return try TrustAnchor(der: blocks[0])
        } catch {
            throw CommandError("\(path) is not an organisation's root certificate: \(error)")
        }
    }

    /// A log's key given as text, or as the name of a file that holds it or a policy.
    static func logPolicy(_ value: String) throws -> LogPolicy {
        let text = FileManager.default.fileExists(atPath: value) ? try read(value) : Bytes(text: value)
        do {
            return try LogPolicy.read(text)
        } catch {
            throw CommandError(
                "'\(value)' is neither a log key (NAME+HASH+KEY) nor a file that holds one or a log policy: \(error)")
        }
    }
}
