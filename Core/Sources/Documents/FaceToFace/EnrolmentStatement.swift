public import Encodings

/// The statement that a holder's device signs when it answers an administrator face to face.
public enum EnrolmentStatement {
    /// The `typ` of its JWS.
    public static let type: StaticString = "countersign-enrolment+jwt"

    /// The payload; every member of it is checked.
    ///
    /// - Parameters:
    ///   - audience: the server's public URL.
    ///   - enrolment: the id of the check.
    ///   - administratorNonce: base64url.
    ///   - holderNonce: base64url.
    ///   - time: in seconds since 1970.
    public static func payload(
        audience: Bytes, enrolment: Bytes, administratorNonce: Bytes, holderNonce: Bytes, time: Int64
    ) -> JSON {
        .members([
            ("aud", .string(audience)), ("enrolment", .string(enrolment)),
            ("administrator_nonce", .string(administratorNonce)), ("holder_nonce", .string(holderNonce)),
            ("iat", .integer(time)),
        ])
    }
}
