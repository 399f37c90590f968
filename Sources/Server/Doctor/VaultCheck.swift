import Foundation
import Storage

/// The two folders of vaults that are in no backup: the PIN guard's files, and the keys of the weeks.
struct VaultCheck: DoctorCheck {
    let name = "vaults"
    /// Vaults that are looked at in one transaction.
    private static let together = 500
    /// Seconds that a key may stay beyond its time: every hour somebody looks, if a server runs.
    private static let margin: Int64 = 86_400

    func run(_ deployment: Deployment) async throws -> [Finding] {
        var findings = closed(deployment)
        let (vaults, absent) = try await guards(deployment)
        if absent > 0 {
            findings.append(
                warning(
                    "\(absent) of \(vaults) vaults have no guard file: no PIN opens them",
                    "bring the folder \(GuardFolder.name) from the old machine, or have their owners set new PINs"))
        }
        findings += try await keys(deployment)
        guard findings.isEmpty else { return findings }
        return [good("\(vaults) vaults, with their guard files and the keys of the weeks")]
    }

    private func closed(_ deployment: Deployment) -> [Finding] {
        [GuardFolder.name, VaultEpochs.name].compactMap { name in
            let path = "\(deployment.directory)/\(name)"
            let attributes = try? FileManager.default.attributesOfItem(atPath: path)
            guard let mode = attributes?[.posixPermissions] as? Int, mode & 0o077 != 0 else { return nil }
            return bad("others may enter \(path) (mode \(String(mode, radix: 8)))", "chmod 700 \(path)")
        }
    }

    private func guards(_ deployment: Deployment) async throws -> (vaults: Int, absent: Int) {
        let folder = GuardFolder(in: deployment.directory)
        var (vaults, absent, last): (Int, Int, String) = (0, 0, "")
        while true {
            let page = try await deployment.place.snapshot { [last] in
                try VaultStore(transaction: $0).accounts(after: last, limit: Self.together)
            }
            vaults += page.count
            absent += page.count { !FileManager.default.fileExists(atPath: folder.file($0)) }
            guard page.count == Self.together, let end = page.last else { return (vaults, absent) }
            last = end
        }
    }

    private func keys(_ deployment: Deployment) async throws -> [Finding] {
        let folder = "\(deployment.directory)/\(VaultEpochs.name)"
        let there = Set(((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []).compactMap { Int64($0) })
        let (used, aside) = try await deployment.place.snapshot { transaction in
            let store = VaultEpochStore(transaction: transaction)
            return (try store.used(), try store.countSetAside())
        }
        var findings: [Finding] = []
        let missing = used.subtracting(there).sorted()
        if !missing.isEmpty {
            findings.append(
                bad(
                    "\(VaultEpochs.name) lacks the keys of the weeks \(missing.map(String.init).joined(separator: ", "))",
                    "bring the folder from the old machine before a server starts; what they wrap cannot be opened without"
                ))
        }
        if aside > 0 {
            findings.append(
                warning(
                    "\(aside) keys of vault items were set aside: the key of their week is not here",
                    "bring the folder \(VaultEpochs.name) from the old machine and start the server again; if it is gone, "
                        + "these items are lost"))
        }
        let late = there.filter { VaultEpochs.isOver($0, at: deployment.now - Self.margin) }.sorted()
        if !late.isEmpty {
            findings.append(
                warning(
                    "\(VaultEpochs.name) still has keys whose time is over (\(late.map(String.init).joined(separator: ", ")))",
                    "start the server: it wraps what still needs them again, and destroys them"))
        }
        return findings
    }
}
