import Encodings

/// What people read as the name of an organisation.
///
/// Its certificates hold at most 59 characters of the name that it had when its root was made. Each credential has the
/// whole name of the day when it was signed. An administrator can write any name into a credential, and only the root
/// is pinned: so the name in the certificate never gives way to another one.
enum OrganisationName {
    /// A certificate's name ends so when it was shortened.
    private static let ellipsis: Bytes = [0xE2, 0x80, 0xA6]
    /// A shortened name is longer than this, in bytes.
    private static let leastShortened = 40

    /// The name to show.
    ///
    /// - Parameters:
    ///   - certified: the name in the certificates, UTF-8.
    ///   - stated: the name in the credential, UTF-8.
    /// - Returns: the whole name when the certificate has its beginning; both when they differ, as after a change of name.
    static func shown(certified: Bytes, stated: Bytes?) -> Bytes {
        guard let stated, stated != certified else { return certified }
        if certified.count > leastShortened, certified.suffix(ellipsis.count).elementsEqual(ellipsis),
            stated.starts(with: certified.dropLast(ellipsis.count))
        {
            return stated
        }
        return certified + Bytes(text: " (") + stated + Bytes(text: ")")
    }
}
