import Foundation
import Storage

/// The data directory: whose it is, who may read it, whether there is room and whether it keeps what is written.
struct DirectoryCheck: DoctorCheck {
    let name = "directory"
    private static let scarce: Int64 = 2 << 30
    private static let tooLittle: Int64 = 200 << 20

    func run(_ deployment: Deployment) async throws -> [Finding] {
        let path = deployment.directory
        guard let attributes = try? FileManager.default.attributesOfItem(atPath: path),
            attributes[.type] as? FileAttributeType == .typeDirectory
        else { return [bad("\(path) is no directory", "give --data, or the server's --config")] }
        var findings: [Finding] = []
        let owner = attributes[.ownerAccountID] as? Int ?? -1
        if owner != Int(geteuid()) {
            findings.append(
                bad("\(path) belongs to user \(owner), you are \(geteuid())", "run this as the server's user"))
        }
        let mode = attributes[.posixPermissions] as? Int ?? 0
        if mode & 0o077 != 0 {
            findings.append(
                bad("others may enter \(path) (mode \(String(mode, radix: 8)))", "chmod 700 \(path)"))
        }
        findings += try room(path)
        do {
            let file = "\(path)/.doctor-\(UUID().uuidString)"
            try await BlockingThreads.run {
                try DurableFile.write(file, [1])
                try FileManager.default.removeItem(atPath: file)
            }
        } catch {
            findings.append(bad("nothing can be written durably (\(error))", "look at the disk and its mount options"))
        }
        return findings.isEmpty ? [good("\(path): ours alone, writable, with room")] : findings
    }

    private func room(_ path: String) throws -> [Finding] {
        let found = try FileManager.default.attributesOfFileSystem(forPath: path)
        guard let free = (found[.systemFreeSize] as? NSNumber)?.int64Value else { return [] }
        let detail = "\(free >> 20) MiB are free"
        if free < Self.tooLittle { return [bad(detail, "make room: writes are about to fail")] }
        return free < Self.scarce ? [warning(detail, "make room soon")] : []
    }
}
