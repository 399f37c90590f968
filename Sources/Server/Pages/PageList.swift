/// A page: its path, its template and what it is for.
///
/// Pages are the same for everybody; what is personal is fetched by their modules. Codes and ids travel in fragments,
/// which browsers do not send.
struct Page: Sendable {
    /// A place in the navigation.
    struct Place: Sendable {
        let area: Area
        /// The lower, the earlier; from ``more`` on a phone shows it below "More".
        let rank: Int
        let title: String
        /// A symbol of `Web/shell/icons.svg`; `nil` for a tab of another place.
        let icon: String?
        /// The path of the place that this one is a tab of.
        let tabOf: String?
        /// The name of its own tab, if others are tabs of it.
        let tab: String?
        /// The paths of pages that belong to this one, with a space between them.
        let also: String?
        /// Hidden from those who do not have it.
        let permission: Permission?
        /// A module of `Web/`, without its ending, that looks for words among what is listed here: `find(words)` gives
        /// `[{title, detail, href}]`.
        let finder: String?

        init(
            _ area: Area, _ rank: Int, _ title: String, icon: String, tab: String? = nil, also: String? = nil,
            needs: Permission? = nil, finder: String? = nil
        ) {
            (self.area, self.rank, self.title, self.icon) = (area, rank, title, icon)
            (self.tab, self.also, permission, self.finder, tabOf) = (tab, also, needs, finder, nil)
        }

        /// A tab of another place.
        init(
            tabOf path: String, in area: Area, _ rank: Int, _ title: String, also: String? = nil,
            needs: Permission? = nil
        ) {
            (self.area, self.rank, self.title, icon) = (area, rank, title, nil)
            (tab, self.also, permission, finder, tabOf) = (nil, also, needs, nil, path)
        }

        static let more = 100
    }

    let path: String
    let template: String
    let summary: String
    /// Where the navigation shows it; `nil` for pages that others lead to.
    let place: Place?
    /// What it may ask the browser for.
    let asks: Asks
    /// Whether it is kept apart from all other origins, in a process of its own.
    ///
    /// So are pages that open sealed contents, and those that record a pen, which needs the finer clock
    /// that browsers keep for such pages. A navigation to one costs a process: some 23 ms in Chromium.
    let isIsolated: Bool

    /// The parts of a device that a page may ask for; the person allows them or not.
    enum Asks {
        case nothing
        /// To scan a code.
        case camera
        /// To photograph a signer, and to keep where they signed.
        case cameraAndPlace
    }

    init(
        _ path: String, _ template: String, _ summary: String, at place: Place? = nil, asks: Asks = .nothing,
        isIsolated: Bool = false
    ) {
        (self.path, self.template, self.summary) = (path, template, summary)
        (self.place, self.asks, self.isIsolated) = (place, asks, isIsolated)
    }

    /// The pages that are no slice's.
    static let ofEverybody = [
        Page(
            "/", "public/landing", "What this is, and where to begin"),
        Page(
            "/verifiers", "public/verifiers", "What verifiers pin, and how to compare it"),
        Page(
            "/help", "public/help", "Questions and answers"),
        Page(
            "/imprint", "public/imprint", "Who runs this server, as they say it themselves"),
        Page(
            "/privacy", "public/privacy", "Who sees and keeps what"),
    ]
}
