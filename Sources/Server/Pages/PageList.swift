/// A page: its path, its template and what it is for.
///
/// Pages are the same for everybody; what is personal is fetched by their modules. Codes and ids travel in fragments,
/// which browsers do not send.
struct Page: Sendable {
    /// A place in the navigation.
    struct Place: Sendable {
        /// Which layout shows it.
        enum Area: String, CaseIterable, Sendable { case wallet, console, desk }

        let area: Area
        /// The lower, the earlier; from ``more`` on it is below "More".
        let rank: Int
        let title: String
        /// A symbol of `Web/shell/icons.svg`.
        let icon: String
        /// The paths of pages that belong to this one, with a space between them.
        var also: String?
        /// Hidden from those who do not have it.
        var permission: Permission?

        init(
            _ area: Area, _ rank: Int, _ title: String, icon: String, also: String? = nil, needs: Permission? = nil
        ) {
            (self.area, self.rank, self.title) = (area, rank, title)
            (self.icon, self.also, permission) = (icon, also, needs)
        }

        static let more = 100
    }

    let path: String
    let template: String
    let summary: String
    /// Where the navigation shows it; `nil` for pages that others lead to.
    let place: Place?
    /// Whether it may ask the browser for place and camera, which the person allows or not.
    let asksSigner: Bool

    init(
        _ path: String, _ template: String, _ summary: String, at place: Place? = nil, asksSigner: Bool = false
    ) {
        (self.path, self.template, self.summary) = (path, template, summary)
        (self.place, self.asksSigner) = (place, asksSigner)
    }

    /// The pages that are no slice's.
    static let ofEverybody = [
        Page(
            "/", "public/landing", "What this is, and where to begin"),
        Page(
            "/help", "public/help", "Questions and answers"),
        Page(
            "/privacy", "public/privacy", "Who sees and keeps what"),
    ]
}

extension [Page] {
    /// What the layouts make their navigation from: for each area the places, and those below "More".
    var navigation: [String: [[String: String]]] {
        var lists: [String: [[String: String]]] = [:]
        let places = compactMap { page in page.place.map { (page.path, $0) } }.sorted { $0.1.rank < $1.1.rank }
        for (path, place) in places {
            var entry = ["path": path, "title": place.title, "icon": place.icon]
            if let also = place.also { entry["also"] = also }
            if let permission = place.permission { entry["may"] = permission.rawValue }
            lists[place.area.rawValue + (place.rank < Page.Place.more ? "Places" : "More"), default: []].append(entry)
        }
        return lists
    }
}
