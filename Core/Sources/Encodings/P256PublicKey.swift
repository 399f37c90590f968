/// A P-256 public key as an uncompressed point.
///
/// The `CryptoSuite` says whether the point is on the curve.
public struct P256PublicKey: Sendable, Equatable {
    /// 65 bytes: 4, x, y (SEC 1 section 2.3.3).
    public let x963: Bytes

    /// Takes an uncompressed point.
    ///
    /// - Returns: `nil` unless there are 65 bytes, the first being 4.
    public init?(x963: Bytes) {
        guard x963.count == 65, x963[0] == 4 else { return nil }
        self.x963 = x963
    }

    /// Takes an EC key for P-256 from a JWK (RFC 7517; RFC 7518 section 6.2.1).
    ///
    /// Other members are ignored, except that a private key is refused.
    ///
    /// - Returns: `nil` for any other key.
    public init?(jwk: JSON) {
        guard let kty = jwk["kty"], kty.isString("EC"), let crv = jwk["crv"], crv.isString("P-256"), jwk["d"] == nil,
            let x = jwk["x"]?.string, let y = jwk["y"]?.string,
            let xBytes = Base64.decode(x, .url), let yBytes = Base64.decode(y, .url),
            xBytes.count == 32, yBytes.count == 32
        else { return nil }
        x963 = [4] + xBytes + yBytes
    }

    /// The key as a JWK with the members `crv`, `kty`, `x`, `y`, in this (canonical) order.
    public var jwk: JSON {
        .members([
            ("crv", .text("P-256")), ("kty", .text("EC")),
            ("x", .string(Base64.encode(Array(x963[1..<33]), .url))),
            ("y", .string(Base64.encode(Array(x963[33..<65]), .url))),
        ])
    }

    /// The SHA-256 thumbprint of the JWK (RFC 7638), 32 bytes.
    public var thumbprint: Bytes { SHA256.hash(jwk.serialized()) }
}
