import Interface

/// The parts of the layout's navigation: areas, the places of one area, and the tabs of one place.
struct Navigation {
    private let places: [(path: String, place: Page.Place)]

    private let catalogue: WordCatalogue

    /// The navigation among these pages, in the language of a catalogue.
    init(_ pages: [Page], _ catalogue: WordCatalogue = .english) {
        self.catalogue = catalogue
        places = pages.compactMap { page in page.place.map { (page.path, $0) } }.sorted { $0.1.rank < $1.1.rank }
    }

    /// The values for the template of a page; a page that belongs to no place has none.
    func values(for path: String) -> [String: Any] {
        guard let here = places.first(where: { $0.path == path || belongs(path, to: $0.place) }) else { return [:] }
        let area = here.place.area
        var values: [String: Any] = [
            "area": area.rawValue, "areaTitle": catalogue(area.title), "areaIcon": area.icon,
            "areaPath": first(of: area)?.path ?? "/",
            "areas": areas(besides: area), "places": entries(area) { $0 < Page.Place.more },
            "more": entries(area) { $0 >= Page.Place.more }, "everywhere": everywhere,
            "isWallet": area == .wallet,
        ]
        let top = here.place.tabOf ?? here.path
        let tabs = places.filter { $0.path == top || $0.place.tabOf == top }
        // A page below a tab has a way back of its own.
        if tabs.count > 1, here.path == path {
            values["hasTabs"] = true
            values["tabs"] = tabs.map { tab($0.path, $0.place) }
        }
        return values
    }

    private func belongs(_ path: String, to place: Page.Place) -> Bool {
        place.also?.split(separator: " ").contains { $0 == path } ?? false
    }

    private func first(of area: Area) -> (path: String, place: Page.Place)? { places.first { $0.place.area == area } }

    /// Each area leads to its first place, and is hidden from those who may not go there.
    private func areas(besides current: Area) -> [[String: String]] {
        Area.allCases.compactMap { area in
            guard area != current, let (path, place) = first(of: area) else { return nil }
            var entry = ["path": path, "title": catalogue(area.title), "icon": area.icon]
            entry["may"] = place.permission?.rawValue
            return entry
        }
    }

    /// The places of an area.
    ///
    /// Everyone in the area may go to its first place. Places that every such role may see are there at once, so
    /// nothing moves when the session is known.
    private func entries(_ area: Area, where isShown: (Int) -> Bool) -> [[String: String]] {
        let known = first(of: area)?.place.permission?.roles ?? Role.allCases
        return places.filter { $0.place.area == area && $0.place.tabOf == nil && isShown($0.place.rank) }
            .map { path, place in
                var entry = ["path": path, "title": catalogue(place.title), "icon": place.icon ?? "documents"]
                // A place has the pages of its tabs too.
                let also = places.filter { $0.place.tabOf == path }.flatMap { [$0.path, $0.place.also] }
                let all = ([place.also] + also).compactMap { $0 }
                if !all.isEmpty { entry["also"] = all.joined(separator: " ") }
                if let needed = place.permission, !Set(known).isSubset(of: needed.roles) {
                    entry["may"] = needed.rawValue
                }
                return entry
            }
    }

    private func tab(_ path: String, _ place: Page.Place) -> [String: String] {
        var entry = ["path": path, "title": catalogue(place.tab ?? place.title)]
        entry["also"] = place.also
        return entry
    }

    /// Every place, for searches by name.
    private var everywhere: [[String: String]] {
        places.map { path, place in
            var entry = ["path": path, "title": catalogue(place.title), "area": catalogue(place.area.title)]
            entry["may"] = (place.permission ?? first(of: place.area)?.place.permission)?.rawValue
            entry["finder"] = place.finder
            return entry
        }
    }
}
