/// What a person tells those who run the server.
public struct NewFeedback: Codable, Sendable, Equatable {
    /// 1 to 4,000 bytes.
    public var text: String
    /// The path of the page that it is about, or none.
    public var page: String?
    /// Whether the name of the account is kept with it; else nothing says whose it is.
    public var isNamed: Bool

    public init(text: String, page: String?, isNamed: Bool) {
        self.text = text
        self.page = page
        self.isNamed = isNamed
    }
}

/// Feedback, for the people who run the organisation.
public struct Feedback: Codable, Sendable, Equatable {
    public var id: String
    public var text: String
    public var page: String?
    /// The username and name of the account, if the person wanted that.
    public var username: String?
    public var name: String?
    /// The beginning of the day on which it came, in UTC.
    public var created: Int64
    /// When it is removed by itself.
    public var expires: Int64

    public init(
        id: String, text: String, page: String?, username: String?, name: String?, created: Int64, expires: Int64
    ) {
        self.id = id
        self.text = text
        self.page = page
        self.username = username
        self.name = name
        self.created = created
        self.expires = expires
    }
}
