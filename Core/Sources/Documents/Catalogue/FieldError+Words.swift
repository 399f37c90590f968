extension FieldError.Reason {
    /// What is wrong with a field, to follow "is".
    public var words: StaticString {
        switch self {
        case .unknown: "not one of this type's"
        case .missing: "missing"
        case .repeated: "there twice"
        case .empty: "empty"
        case .tooLong: "too long"
        case .notText: "not a text without control characters"
        case .notNumber: "not a whole number or a text like 7.5"
        case .notDate: "not a day as YYYY-MM-DD"
        case .notList: "not a list of objects"
        }
    }

    /// A name for programs, in snake case.
    public var code: StaticString {
        switch self {
        case .unknown: "unknown"
        case .missing: "missing"
        case .repeated: "repeated"
        case .empty: "empty"
        case .tooLong: "too_long"
        case .notText: "not_text"
        case .notNumber: "not_number"
        case .notDate: "not_date"
        case .notList: "not_list"
        }
    }
}
