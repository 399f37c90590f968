/// A part of the pages with its own navigation, for one of a person's roles.
///
/// The switcher at the top of each page lists the areas that a person may enter, in this order.
enum Area: String, CaseIterable, Sendable {
    case wallet, office, desk, settings

    /// What people call it.
    var title: String {
        switch self {
        case .wallet: "My wallet"
        case .office: "Office"
        case .desk: "Desk"
        case .settings: "Settings"
        }
    }

    /// A symbol of `Web/shell/icons.svg`.
    var icon: String {
        switch self {
        case .wallet: "documents"
        case .office: "organisation"
        case .desk: "sign"
        case .settings: "settings"
        }
    }
}
