/// What a notice is about, and no more than that: who asks, or which document it is, is said where its owner wants it.
///
/// Each slice names its own (``Slice/notifications``).
struct NotificationKind: Sendable, Hashable {
    /// How soon a device should wake up for it (RFC 8030 section 5.3).
    enum Urgency: String, Sendable { case normal, high }

    /// As settings and pages know it.
    let name: String
    /// The page that shows what it is about; the subject comes behind it as a fragment, if there is one.
    let page: String
    /// Whether it concerns the protection of the account: it goes to every way, and cannot be switched off.
    var isSecurity = false
    var urgency = Urgency.normal
    /// How long it is worth delivering, in seconds.
    var lifetime: Int64 = 7 * 86_400

    /// The page with its subject.
    func path(_ subject: String) -> String { subject.isEmpty ? page : "\(page)#\(subject)" }
}

extension [Slice] {
    /// The kinds of notices of all slices, in their order.
    var notifications: [NotificationKind] { flatMap(\.notifications) }

    /// What the notices of all slices may say.
    var sentences: [NotificationDetail.Sentence] { flatMap(\.sentences) }
}
