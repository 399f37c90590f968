import Certificates
import Documents
import Encodings
import Wallet

/// Status lists as the issuer's server has them now.
///
/// Asked for only under the address that the pinned root names: a file cannot send this computer anywhere else.
struct LiveStatus {
    /// The most that a file can need: its own list, and one for each certificate.
    private static let most = 4

    /// The paths of the lists on the issuer's server.
    let paths: [String]
    private let server: String

    /// Finds the lists of a file that the root's own server has.
    ///
    /// - Parameter file: checked by nobody yet.
    init(_ file: Bytes, root: TrustAnchor) {
        server = String(decoding: root.publicURL, as: UTF8.self)
        let prefix = server + "/status/"
        var paths: [String] = []
        for address in Self.addresses(file).map({ String(decoding: $0, as: UTF8.self) }) where address.hasPrefix(prefix)
        {
            let number = address.dropFirst(prefix.count)
            let isNumber = (1...9).contains(number.utf8.count) && number.utf8.allSatisfy { (0x30...0x39).contains($0) }
            let path = "/status/\(number)"
            if isNumber, !paths.contains(path) { paths.append(path) }
        }
        self.paths = Array(paths.prefix(Self.most))
    }

    /// The lists as they are now.
    ///
    /// - Throws: when the server does not give one of them.
    func fetch() async throws -> [Bytes] {
        let client = try ServerClient(address: ServerAddress(server))
        var tokens: [Bytes] = []
        for path in paths { tokens.append(try await client.bytes(path, limit: 1 << 19)) }
        return tokens
    }

    private static func addresses(_ file: Bytes) -> [Bytes] {
        guard let bundle = try? PresentationBundle.parse(file),
            let presentation = try? UnverifiedSDJWT.parse(bundle.presentation)
        else { return [] }
        let claims = try? CredentialClaims(payload: presentation.credential.payload)
        let certificates = ((try? presentation.certificates()) ?? []).compactMap { try? Certificate.parse($0) }
        return [claims?.status?.uri].compactMap(\.self) + certificates.compactMap { $0.statusReference?.uri }
    }
}
