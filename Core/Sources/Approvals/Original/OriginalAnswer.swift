public import Encodings

/// What the two endpoints of the original's protocol answer: always JSON.
public enum OriginalAnswer {
    /// The reply counts, now or already before.
    public static let success = Bytes(text: #"{"success":true}"#)

    /// The reply does not count.
    ///
    /// Old apps read `success` alone.
    public static func failure(_ error: ApprovalError) -> Bytes {
        failure(named: error.name)
    }

    /// The reply was not looked at, for a reason that is no error of an approval.
    public static func failure(named name: StaticString) -> Bytes {
        JSON.members([
            ("success", .bool(false)), ("error", .string(name.withUTF8Buffer { unsafe Bytes($0) })),
        ]).serialized()
    }

    /// Whether a challenge was allowed.
    public static func isSigned(_ isSigned: Bool) -> Bytes {
        JSON.members([("signed", .bool(isSigned))]).serialized()
    }
}
