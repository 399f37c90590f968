import Synchronization

/// The checks of a statement's text that keep it in the subset every engine understands.
struct SQLText {
    /// The highest `$n`.
    private(set) var placeholders = 0
    /// Whether `$1`, `$2`, … appear first in that order.
    private(set) var isInOrder = true

    /// Statements that belong to the engine, which alone opens and ends transactions and sets the connection up.
    private static let reserved = [
        "BEGIN", "START", "COMMIT", "END", "ROLLBACK", "ABORT", "SAVEPOINT", "RELEASE", "PRAGMA", "SET", "ATTACH",
        "DETACH", "VACUUM", "LISTEN", "COPY",
    ]

    /// Texts that were checked, so that each is looked through once: there are as many as the source has.
    private static let known = Mutex<[String: SQLText]>([:])
    /// Lists that are filtered make up further ones.
    private static let limit = 2_000

    /// What is known of a text that was checked before, or is now.
    static func checked(_ sql: String) throws(StorageError) -> SQLText {
        if let known = known.withLock({ $0[sql] }) { return known }
        let text = try SQLText(sql)
        known.withLock { known in
            if known.count >= limit { known = [:] }
            known[sql] = text
        }
        return text
    }

    init(_ sql: String) throws(StorageError) {
        var bytes = Array(sql.utf8)[...]
        try Self.checkKeyword(bytes)
        while let byte = bytes.popFirst() {
            switch byte {
            case UInt8(ascii: "'"), UInt8(ascii: "\""):
                guard let end = bytes.firstIndex(of: byte) else { throw .statement(detail: "open quotation") }
                bytes = bytes[(end + 1)...]
            case UInt8(ascii: "?"): throw .statement(detail: "placeholders are written $1, $2")
            case UInt8(ascii: ";"): throw .statement(detail: "one statement at a time")
            case UInt8(ascii: "$"): try take(&bytes)
            default: break
            }
        }
    }

    /// Refuses values that do not fit the placeholders, or that not every engine stores as they are.
    ///
    /// SQLite would cut text at U+0000 and make null of not-a-number.
    func check(_ values: [SQLValue]) throws(StorageError) {
        guard placeholders == values.count else {
            throw .statement(detail: "\(values.count) values for \(placeholders) placeholders")
        }
        let isStorable = values.allSatisfy { value in
            switch value {
            case .null, .integer, .blob: true
            case .real(let real): !real.isNaN
            case .text(let text): !text.utf8.contains(0)
            }
        }
        guard isStorable else { throw .constraint(.other, detail: "text with U+0000, or not a number") }
    }

    private mutating func take(_ bytes: inout ArraySlice<UInt8>) throws(StorageError) {
        var number = 0
        while let digit = bytes.first, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(digit), number < 1_000 {
            number = number * 10 + Int(digit - UInt8(ascii: "0"))
            bytes = bytes.dropFirst()
        }
        guard (1...999).contains(number) else { throw .statement(detail: "placeholders are $1 to $999") }
        if number > placeholders + 1 { isInOrder = false }
        placeholders = max(placeholders, number)
    }

    private static func checkKeyword(_ bytes: ArraySlice<UInt8>) throws(StorageError) {
        let word = bytes.drop { $0 <= UInt8(ascii: " ") }.prefix { $0 | 0x20 >= 0x61 && $0 | 0x20 <= 0x7A }
        let isReserved = reserved.contains { keyword in
            keyword.utf8.count == word.count && zip(keyword.utf8, word).allSatisfy { $0 == $1 & 0xDF }
        }
        if word.isEmpty || isReserved {
            throw .statement(detail: "begins with \(String(decoding: word, as: UTF8.self))")
        }
    }
}
