/// A field that the organisation asks of each client beyond name and number.
public struct ClientField: Codable, Sendable, Equatable {
    /// What may be written into it.
    public enum Kind: String, Codable, Sendable, CaseIterable {
        /// One line of at most 500 bytes.
        case text
        /// At most 15 digits, and 6 behind a point or comma.
        case number
        /// A day, `2026-11-24`.
        case date
        /// One of `choices`.
        case choice
    }

    /// By what values and texts name it; `nil` for a new one.
    public var id: String?
    /// Its name at the desk: 1 to 100 bytes, different from other fields'.
    public var label: String
    /// It does not change as long as there is the field.
    public var kind: Kind
    /// For `choice`, 2 to 20 different texts of 1 to 100 bytes; otherwise `nil`.
    public var choices: [String]?
    public var isRequired: Bool

    public init(id: String? = nil, label: String, kind: Kind, choices: [String]? = nil, isRequired: Bool = false) {
        self.id = id
        self.label = label
        self.kind = kind
        self.choices = choices
        self.isRequired = isRequired
    }
}

/// What the organisation asks of its clients.
public struct ClientFields: Codable, Sendable, Equatable {
    /// At most ten, in the order in which they are asked.
    public var fields: [ClientField]
    /// Told, not set: those that were removed.
    ///
    /// Values that clients have stay, hidden; a removed field that is set again by its
    /// id has them again.
    public var removed: [ClientField]?
    /// Told where they were just changed.
    public var receipt: Receipt?

    public init(fields: [ClientField], removed: [ClientField]? = nil, receipt: Receipt? = nil) {
        self.fields = fields
        self.removed = removed
        self.receipt = receipt
    }
}

/// What a client has in a field.
public struct ClientFieldValue: Codable, Sendable, Equatable {
    /// The field's id.
    public var field: String
    /// Of the field's kind.
    public var value: String

    public init(field: String, value: String) {
        self.field = field
        self.value = value
    }
}

/// The values of a client in all fields.
///
/// A field that is not named has no value.
public struct ClientFieldValues: Codable, Sendable, Equatable {
    public var fields: [ClientFieldValue]
    public init(fields: [ClientFieldValue]) { self.fields = fields }
}
