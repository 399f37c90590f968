import CryptoProvider
package import EllipticCurves
package import Encodings
import Pico

/// Private keys as PKCS #8 (RFC 5958) around RFC 5915: what the original keeps, and what other tools read.
package enum PicoPrivateKeyFile {
    /// `id-ecPublicKey` (RFC 5480).
    private static let algorithm: Bytes = [0x2A, 0x86, 0x48, 0xCE, 0x3D, 2, 1]

    /// The DER of a key, its public half included.
    package static func encode(_ key: ECPrivateKey) -> Bytes {
        let publicKey = DERWriter.element(
            DERTag.context(1, constructed: true), DERWriter.bitString(key.publicKey.x963))
        let inner = DERWriter.sequence(
            DERWriter.unsignedInteger([1]) + DERWriter.octetString(key.secretScalar) + publicKey)
        let identifier = DERWriter.sequence(
            DERWriter.objectIdentifier(algorithm) + DERWriter.objectIdentifier(key.curve.objectIdentifier))
        return DERWriter.sequence(DERWriter.unsignedInteger([0]) + identifier + DERWriter.octetString(inner))
    }

    /// Reads the DER of a key on one of the five curves.
    ///
    /// A public half in it is not believed: it is computed.
    ///
    /// - Returns: `nil` for anything else.
    package static func decode(_ bytes: Bytes) -> ECPrivateKey? {
        guard bytes.count <= 1_024 else { return nil }
        do {
            var outer = DERReader(bytes)
            var info = try outer.sequence()
            try outer.finish()
            // Version 2 may have a public half behind the key.
            guard (0...1).contains(try info.smallInteger()) else { return nil }
            var identifier = try info.sequence()
            guard try identifier.objectIdentifier() == algorithm else { return nil }
            let named = try identifier.objectIdentifier()
            guard let curve = EllipticCurve.allCases.first(where: { $0.objectIdentifier == named }) else { return nil }
            try identifier.finish()
            var octets = DERReader(try info.element(DERTag.octetString).content)
            var key = try octets.sequence()
            try octets.finish()
            guard try key.smallInteger() == 1 else { return nil }
            let number = try key.element(DERTag.octetString).content
            guard number.count <= curve.byteCount else { return nil }
            return try SwiftCryptoSuite().privateKey(
                on: curve, scalar: Bytes(repeating: 0, count: curve.byteCount - number.count) + number)
        } catch {
            return nil
        }
    }
}
