/// A search in a list that a person makes again and again.
public struct SavedFilter: Codable, Sendable, Equatable {
    public var id: String
    /// The path of the list's page, such as `/console/members`.
    public var list: String
    public var name: String
    /// What the page asks the list, as a query: `show=unverified&sort=name`.
    public var query: String
    public var created: Int64

    public init(id: String, list: String, name: String, query: String, created: Int64) {
        self.id = id
        self.list = list
        self.name = name
        self.query = query
        self.created = created
    }
}

/// Saves a filter.
public struct NewSavedFilter: Codable, Sendable, Equatable {
    /// The path of a page that has a list.
    public var list: String
    /// 1 to 60 characters.
    public var name: String
    /// At most 500 bytes.
    public var query: String

    public init(list: String, name: String, query: String) {
        self.list = list
        self.name = name
        self.query = query
    }
}

/// Gives a saved filter another name.
public struct SavedFilterRename: Codable, Sendable, Equatable {
    /// 1 to 60 characters.
    public var name: String

    public init(name: String) { self.name = name }
}
