public import Encodings

extension WrittenText.Field {
    private static let prefix = Bytes(text: "custom:")

    private static var named: [(String, Self)] {
        [
            ("given_name", .givenName), ("family_name", .familyName), ("number", .number), ("date", .date),
            ("organisation", .organisation),
        ]
    }

    /// Its name in the form: `given_name`, or `custom:` and the id of a field that the organisation has defined.
    public var name: Bytes {
        if case .custom(let id) = self { return Self.prefix + id }
        return Bytes(text: Self.named.first { $0.1 == self }?.0 ?? "")
    }

    /// - Parameter name: UTF-8.
    init?(name: Bytes) {
        if let found = Self.named.first(where: { Bytes(text: $0.0) == name }) {
            self = found.1
            return
        }
        let id = Bytes(name.dropFirst(Self.prefix.count))
        let isID = id.allSatisfy { (0x61...0x7A).contains($0) || (0x30...0x39).contains($0) }
        guard name.starts(with: Self.prefix), (1...64).contains(id.count), isID else { return nil }
        self = .custom(id)
    }
}
