import Foundation
package import Encodings

extension ServerClient {
    /// Fetches a status list token from its address, as a verifier who is online does.
    ///
    /// It needs no account, and tells the server which list was asked for, of 131,072 places, and nothing about the
    /// document.
    package static func statusToken(_ uri: String) async throws -> Bytes {
        guard let separator = uri.range(of: "/status/", options: .backwards) else {
            throw WalletError.unexpectedAnswer("the document's status has no address of ours")
        }
        let list = try segment(String(uri[separator.upperBound...]))
        let server = ServerClient(address: try ServerAddress(String(uri[..<separator.lowerBound])))
        return try await server.bytes("/status/\(list)", limit: 1 << 19)
    }
}
