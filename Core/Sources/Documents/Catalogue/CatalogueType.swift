public import Encodings

/// A kind of document that the organisation issues, and what its fields are.
public struct CatalogueType: Sendable {
    /// The name: the last part of `vct`.
    public let name: String
    /// What people call it, in English.
    public let title: String
    /// What people call it in other languages.
    public let titles: [CatalogueLabel]
    /// Whether members may ask for it; an identity credential is issued face to face only.
    public let isIssuedOnRequest: Bool
    /// The fields, in the order in which people read them.
    public let fields: [CatalogueField]

    /// Checks field values against this type: all mandatory ones there, none unknown, none twice, each of its kind.
    ///
    /// - Throws: the first problem.
    public func validate(_ values: [JSON.Member]) throws(FieldError) {
        if let first = problems(with: values).first { throw first }
    }

    /// Everything that is wrong with field values: those given first, in their order, then what is missing.
    public func problems(with values: [JSON.Member]) -> [FieldError] {
        var problems: [FieldError] = []
        CatalogueField.collect(&problems, in: values, fields: fields, prefix: [])
        return problems
    }

    /// The mandatory fields that are missing from `names`: with a presentation, what the holder did not disclose.
    public func mandatoryFields(missingFrom names: [Bytes]) -> [CatalogueField] {
        fields.filter { field in field.isMandatory && !names.contains { $0.equals(text: field.name) } }
    }
}

/// One field of a document.
public struct CatalogueField: Sendable {
    /// What a field holds.
    public indirect enum Kind: Sendable {
        /// One line or more of UTF-8, 1 to 2,000 bytes, without control characters but line ends.
        case text
        /// A whole number from 0, or a text such as `7.5`: canonical JSON has whole numbers only.
        case number
        /// A day of the Gregorian calendar as `YYYY-MM-DD`.
        case date
        /// A list of 1 to 500 objects with these fields.
        case list([CatalogueField])
    }

    /// The claim's name, lower snake case.
    public let name: String
    /// What people call it, in English.
    public let label: String
    /// What people call it in other languages.
    public let labels: [CatalogueLabel]
    /// What it holds.
    public let kind: Kind
    /// Whether every document of the type has it.
    public let isMandatory: Bool

    static let maximumText = 2000
    static let maximumRows = 500

    static func collect(
        _ problems: inout [FieldError], in values: [JSON.Member], fields: [CatalogueField], prefix: Bytes
    ) {
        for index in 0..<values.count {
            let name = values[index].name
            guard let field = fields.first(where: { name.equals(text: $0.name) }) else {
                problems.append(FieldError(field: prefix + name, reason: .unknown))
                continue
            }
            guard !values[..<index].contains(where: { $0.name == name }) else {
                problems.append(FieldError(field: prefix + name, reason: .repeated))
                continue
            }
            field.collect(&problems, in: values[index].value, path: prefix + name)
        }
        for field in fields where field.isMandatory {
            guard !values.contains(where: { $0.name.equals(text: field.name) }) else { continue }
            problems.append(FieldError(field: prefix + Bytes(text: field.name), reason: .missing))
        }
    }

    private func collect(_ problems: inout [FieldError], in value: JSON, path: Bytes) {
        if let reason = reasonToRefuse(value) {
            problems.append(FieldError(field: path, reason: reason))
        } else if case .list(let columns) = kind, let rows = value.array {
            for index in 0..<rows.count {
                let place = path + [0x5B] + decimalBytes(UInt64(index)) + [0x5D]
                guard let members = rows[index].members else {
                    problems.append(FieldError(field: place, reason: .notList))
                    continue
                }
                Self.collect(&problems, in: members, fields: columns, prefix: place + [0x2E])
            }
        }
    }

    /// The faults of a value, without the rows of a list.
    private func reasonToRefuse(_ value: JSON) -> FieldError.Reason? {
        switch kind {
        case .text:
            guard let text = value.string else { return .notText }
            guard !text.isEmpty else { return .empty }
            guard text.count <= Self.maximumText else { return .tooLong }
            return Self.isPlain(text) ? nil : .notText
        case .number:
            if let number = value.integer, number >= 0 { return nil }
            guard let text = value.string, Self.isDecimal(text) else { return .notNumber }
            return nil
        case .date:
            guard let text = value.string, CalendarDate(text) != nil else { return .notDate }
            return nil
        case .list:
            guard let rows = value.array else { return .notList }
            guard !rows.isEmpty else { return .empty }
            return rows.count <= Self.maximumRows ? nil : .tooLong
        }
    }

    private static func isPlain(_ text: Bytes) -> Bool {
        UTF8Text.isValid(text) && text.allSatisfy { $0 >= 0x20 && $0 != 0x7F || $0 == 0x0A }
    }

    /// Whether a text is digits, a point and digits.
    private static func isDecimal(_ text: Bytes) -> Bool {
        guard let parts = text.split(at: 0x2E, maximum: 2) else { return false }
        return parts.count == 2 && parseDecimal(parts[0]) != nil && parts[1].count <= 6 && !parts[1].isEmpty
            && parts[1].allSatisfy { $0 >= 0x30 && $0 <= 0x39 }
    }
}

/// A field whose value does not fit its type.
public struct FieldError: Error, Equatable, Sendable {
    /// What is wrong with it.
    public enum Reason: Sendable, Equatable {
        case unknown
        case missing
        case repeated
        case empty
        case tooLong
        case notText
        case notNumber
        case notDate
        case notList
    }

    /// The field's path, such as `courses[2].credits`.
    public let field: Bytes
    /// What is wrong.
    public let reason: Reason
}

/// A day of the Gregorian calendar.
struct CalendarDate {
    /// Reads `YYYY-MM-DD` from 1583 on; `nil` for a day that never was.
    init?(_ text: Bytes) {
        guard let parts = text.split(at: 0x2D, maximum: 3), parts.count == 3, parts[0].count == 4, parts[1].count == 2,
            parts[2].count == 2,
            let year = Self.number(parts[0]), let month = Self.number(parts[1]), let day = Self.number(parts[2]),
            year >= 1583, month >= 1, month <= 12, day >= 1
        else { return nil }
        let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
        let last: Int
        switch month {
        case 2: last = isLeap ? 29 : 28
        case 4, 6, 9, 11: last = 30
        default: last = 31
        }
        guard day <= last else { return nil }
    }

    private static func number(_ digits: Bytes) -> Int? {
        var value = 0
        for digit in digits {
            guard digit >= 0x30, digit <= 0x39 else { return nil }
            value = value * 10 + Int(digit - 0x30)
        }
        return value
    }
}
