import Certificates
public import Encodings

/// The RSA key with which an original server signs every challenge.
public struct OriginalServerKey: Sendable, Equatable {
    /// Big-endian, without leading zeros, 2048 to 4096 bits.
    public let modulus: Bytes
    /// Big-endian, without leading zeros.
    public let exponent: Bytes

    /// rsaEncryption (RFC 8017 appendix C).
    private static let algorithm: Bytes = [0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x01, 0x01]
    private static let null: UInt8 = 0x05

    /// Reads a SubjectPublicKeyInfo in PEM.
    ///
    /// - Throws: `malformed`, or `unsupportedKey` when it is no RSA key of 2048 to 4096 bits.
    public init(pem: Bytes) throws(ApprovalError) {
        guard let blocks = try? PEM.decode(pem, label: "PUBLIC KEY", maximumCount: 1, maximumLength: 4096) else {
            throw .malformed
        }
        do throws(DERError) {
            var outer = DERReader(blocks[0])
            var info = try outer.sequence()
            try outer.finish()
            var identifier = try info.sequence()
            let algorithm = try identifier.objectIdentifier()
            let parameters = try identifier.element(Self.null).content
            try identifier.finish()
            var bits = DERReader(try info.wholeBitString())
            try info.finish()
            var key = try bits.sequence()
            try bits.finish()
            modulus = Self.unsigned(try key.integer())
            exponent = Self.unsigned(try key.integer())
            try key.finish()
            guard algorithm == Self.algorithm, parameters.isEmpty else { throw .unsupported }
        } catch {
            throw .unsupportedKey
        }
        guard modulus.count >= 256, modulus.count <= 512, !exponent.isEmpty else { throw .unsupportedKey }
    }

    /// The digits of a positive integer; empty for a negative one.
    private static func unsigned(_ integer: Bytes) -> Bytes {
        guard integer[0] < 0x80 else { return [] }
        return integer[0] == 0 ? Array(integer.dropFirst()) : integer
    }
}
