import Certificates
import Encodings

extension FuzzTarget {
    static let certificates = [
        FuzzTarget("pem", maximumLength: 4096, pem),
        FuzzTarget("certificate", maximumLength: 2048, certificate),
        FuzzTarget("certificate-path", maximumLength: 2048, path),
    ]

    private static func pem(_ input: Bytes) throws(BrokenPromise) {
        guard let blocks = try? PEM.decode(input) else { return }
        let text = blocks.reduce(into: Bytes()) { $0 += PEM.encode($1) }
        try expect((try? PEM.decode(text)) == blocks, "what is written is read")
        try expect(blocks.count <= 8, "the blocks are limited")
    }

    private static func certificate(_ input: Bytes) throws(BrokenPromise) {
        _ = try? TrustAnchor(der: input)
        guard let certificate = try? Certificate.parse(input) else { return }
        try expect((1...16).contains(certificate.serialNumber.count), "serial numbers have 1 to 16 bytes")
        try expect((1...32).contains(certificate.keyIdentifier.count), "key identifiers have 1 to 32 bytes")
        try expect(certificate.notBefore <= certificate.notAfter, "the end is behind the beginning")
        try expect(UTF8Text.isValid(certificate.commonName ?? []), "names are UTF-8")
        try expect(UTF8Text.isValid(certificate.organisation ?? []), "names are UTF-8")
        if let status = certificate.statusReference { try expect(status.index >= 0, "places are not negative") }
    }

    /// Root and intermediate as parts, the leaf behind them; two certificates or three.
    private static func path(_ input: Bytes) throws(BrokenPromise) {
        var parts = Parts(input)
        guard let root = try? TrustAnchor(der: parts.next()) else { return }
        let intermediate = parts.next()
        let leaf = parts.rest()
        let chain = intermediate.isEmpty ? [leaf] : [leaf, intermediate]
        let time = (try? Certificate.parse(leaf))?.notBefore ?? 0
        for purpose in CertificatePurpose.allCases {
            guard
                let path = try? CertificatePath.validate(
                    chain: chain, root: root, purpose: purpose, at: time, suite: LenientSuite.real)
            else { continue }
            let refused = try? CertificatePath.validate(
                chain: chain, root: root, purpose: purpose, at: time, suite: RefusingSuite())
            try expect(refused == nil, "no path is trusted without its signatures")
            try expect(!path.leaf.isAuthority, "no authority signs documents")
            try expect(path.leaf.organisation == root.organisation, "a path stays within the organisation")
        }
    }
}
