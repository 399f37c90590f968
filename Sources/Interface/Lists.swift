/// A list of things, as every listing answers.
public struct Listing<Element: Codable & Sendable>: Codable, Sendable {
    public var items: [Element]
    /// The query's `cursor` of the next page; `nil` on the last page, and for lists of one page.
    public var next: String?
    /// How many there are in each part of the list that was searched; on the first page of a list that has pages.
    public var counts: [ListCount]?
    public init(_ items: [Element], next: String? = nil, counts: [ListCount]? = nil) {
        (self.items, self.next, self.counts) = (items, next, counts)
    }
}

/// How many rows a part of a list has.
public struct ListCount: Codable, Sendable, Equatable {
    /// The part: a value of the query's `show`.
    public var show: String
    public var total: Int
    /// Whether there are more: counting stops at 10,000.
    public var isMore: Bool
    public init(show: String, total: Int, isMore: Bool) {
        (self.show, self.total, self.isMore) = (show, total, isMore)
    }
}
