import Certificates
import Documents
import Encodings
import Foundation
import Transparency
import Wallet

/// The files that a third party would hold after the demo, for other programs.
struct DemoKeepsake {
    let folder: String

    /// Writes everything; the folder is made.
    ///
    /// - Parameter log: the folder of the server's published log.
    func write(_ presentation: Presentation, trust: PinnedTrust, log: String) throws {
        let bundle = presentation.bundle
        let credential = try UnverifiedSDJWT.parse(bundle.presentation)
        let chain = try credential.certificates().flatMap { PEM.encode($0) }
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        try write("bundle", presentation.file)
        try write("presentation.sd-jwt", bundle.presentation)
        try write("chain.pem", chain)
        try write("root.pem", PEM.encode(trust.root.certificate.der))
        try write("audience.txt", Bytes(text: DemoStory.employer))
        try write("nonce.txt", Bytes(text: presentation.nonce))
        try write("document.pdf", bundle.document?.content ?? [])
        try write("status-list.jwt", bundle.status.first ?? [])
        try write("receipt.tlog-proof", bundle.receipt ?? [])
        try write("log.vkey", Bytes(text: trust.log) + [0x0A])
        let copy = "\(folder)/log"
        try? FileManager.default.removeItem(atPath: copy)
        try FileManager.default.copyItem(atPath: log, toPath: copy)
    }

    private func write(_ name: String, _ bytes: Bytes) throws {
        try Data(bytes).write(to: URL(fileURLWithPath: "\(folder)/\(name)"))
    }
}
