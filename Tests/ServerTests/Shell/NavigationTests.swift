import Testing

@testable import Server

@Suite("The navigation")
struct NavigationTests {
    private static let pages = Page.ofEverybody + Slice.all.pages

    private static func values(_ path: String) -> [String: Any] { Navigation(pages).values(for: path) }

    private static func entries(_ path: String, _ name: String) -> [[String: String]] {
        values(path)[name] as? [[String: String]] ?? []
    }

    @Test(
        "shows the area of each page, the places of that area alone, and the ways to the other areas",
        arguments: [
            ("/wallet/document", "My wallet", "/wallet"), ("/console/check", "Office", "/console"),
            ("/desk/enrol", "Desk", "/desk"), ("/wallet/devices", "Settings", "/wallet/devices"),
        ])
    func areas(path: String, title: String, first: String) throws {
        let values = Self.values(path)
        #expect(values["areaTitle"] as? String == title)
        #expect(values["areaPath"] as? String == first)
        let others = Self.entries(path, "areas").compactMap { $0["title"] }
        #expect(others == ["My wallet", "Office", "Desk", "Settings"].filter { $0 != title })
        let inArea = Set(Self.pages.compactMap(\.place).filter { $0.area.title == title }.map(\.title))
        let shown = Set((Self.entries(path, "places") + Self.entries(path, "more")).compactMap { $0["title"] })
        #expect(shown.isSubset(of: inArea) && !shown.isEmpty)
    }

    @Test("hides an area from those who may not enter it, and a place from those whom the area alone does not let in")
    func hidden() {
        let areas = Dictionary(
            uniqueKeysWithValues: Self.entries("/wallet", "areas").map { ($0["title"], $0["may"]) })
        #expect(areas == ["Office": "read_requests", "Desk": "read_desk", "Settings": nil])
        let office = Self.entries("/console", "places")
        #expect(office.map { $0["title"] } == ["Inbox", "Issue", "People", "Issued"])
        #expect(office.map { $0["may"] } == [nil, "sign_documents", nil, nil])
        // A search for a place by its name needs the permissions of the place's area, too.
        let everywhere = Self.entries("/wallet", "everywhere")
        #expect(everywhere.first { $0["path"] == "/desk/clients" }?["may"] == "read_desk")
        #expect(everywhere.first { $0["path"] == "/wallet/log" }?["may"] == nil)
    }

    @Test("makes tabs of what belongs together; the place above them is marked for each")
    func tabs() {
        #expect(
            Self.entries("/console/check", "tabs").map { $0["title"] }
                == ["Members", "Checks", "Administrators", "Feedback"])
        #expect(Self.entries("/wallet/shared", "tabs").map { $0["title"] } == ["Mine", "Shared"])
        #expect(Self.entries("/wallet/document", "tabs").isEmpty)
        #expect(Self.entries("/wallet", "tabs").isEmpty)
        let people = Self.entries("/console", "places").first { $0["title"] == "People" }
        #expect(people?["also"] == "/console/check /console/delegation /console/feedback")
    }

    @Test("has four places of the wallet in a phone's bar, with Scan in the middle; the others are below More")
    func phone() {
        #expect(Self.entries("/wallet", "places").map { $0["title"] } == ["Home", "Documents", "Scan", "Approvals"])
        #expect(Self.entries("/wallet", "more").map { $0["title"] } == ["Vault", "Requests", "Identity", "Activity"])
    }

    @Test("leads to every page of an area: by itself, or by the place that it belongs to")
    func complete() {
        for page in Self.pages where ["/wallet", "/console", "/desk"].contains(where: page.path.hasPrefix) {
            #expect(!Self.values(page.path).isEmpty, "\(page.path)")
        }
    }
}
