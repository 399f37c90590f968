import CLibPQ

/// What the server answered to a statement.
@safe final class PostgresResult {
    private let handle: OpaquePointer

    init(_ handle: OpaquePointer) { unsafe self.handle = handle }

    deinit { unsafe PQclear(handle) }

    var isSuccess: Bool {
        switch unsafe PQresultStatus(handle) {
        case PGRES_COMMAND_OK, PGRES_TUPLES_OK: true
        default: false
        }
    }

    /// Five letters or digits, or empty when the error is not the server's.
    var sqlState: String { field(Int32(UInt8(ascii: "C"))) }

    /// The server's primary message: it names tables and rules, not values.
    var message: String { field(Int32(UInt8(ascii: "M"))) }

    private func field(_ code: Int32) -> String {
        unsafe PQresultErrorField(handle, code).map { unsafe String(cString: $0) } ?? ""
    }

    /// The act, as the server names it: `COMMIT`, `INSERT 0 1`.
    var command: String { unsafe PQcmdStatus(handle).map { unsafe String(cString: $0) } ?? "" }

    /// How many rows a statement inserted, changed or deleted.
    var changes: Int {
        guard let text = unsafe PQcmdTuples(handle) else { return 0 }
        return unsafe Int(String(cString: text)) ?? 0
    }

    /// At most `limit` rows.
    func rows(limit: Int) throws(StorageError) -> [Row] {
        let width = unsafe PQnfields(handle)
        let columns = (0..<width).map { unsafe String(cString: PQfname(handle, $0)) }
        let types = (0..<width).map { unsafe PQftype(handle, $0) }
        var rows: [Row] = []
        for row in 0..<min(unsafe PQntuples(handle), Int32(clamping: limit)) {
            var values: [SQLValue] = []
            for column in 0..<width { values.append(try value(row, column, types[Int(column)])) }
            rows.append(Row(columns: columns, values: values))
        }
        return rows
    }

    private func value(_ row: Int32, _ column: Int32, _ type: Oid) throws(StorageError) -> SQLValue {
        if unsafe PQgetisnull(handle, row, column) == 1 { return .null }
        let text = unsafe String(
            decoding: UnsafeRawBufferPointer(
                start: PQgetvalue(handle, row, column), count: Int(PQgetlength(handle, row, column))), as: UTF8.self)
        switch type {
        case 16: return .integer(text == "t" ? 1 : 0)  // boolean
        case 17: return .blob(try Self.bytes(text))  // bytea
        case 20, 21, 23:  // bigint, smallint, integer
            guard let integer = Int64(text) else { throw .corrupt(detail: "an integer column holds something else") }
            return .integer(integer)
        case 700, 701, 1700:  // real, double precision, numeric: what SUM makes of bigint
            if type == 1700, let integer = Int64(text) { return .integer(integer) }
            guard let real = Double(text) else { throw .corrupt(detail: "a number column holds something else") }
            return .real(real)
        default: return .text(text)
        }
    }

    /// `\x` and two hexadecimal digits a byte.
    static func bytes(_ text: String) throws(StorageError) -> [UInt8] {
        let fault = StorageError.corrupt(detail: "a byte column holds something else")
        let digits = Array(text.utf8.dropFirst(2))
        guard text.hasPrefix("\\x"), digits.count.isMultiple(of: 2) else { throw fault }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(digits.count / 2)
        for index in stride(from: 0, to: digits.count, by: 2) {
            guard let high = nibble(digits[index]), let low = nibble(digits[index + 1]) else { throw fault }
            bytes.append(high << 4 | low)
        }
        return bytes
    }

    private static func nibble(_ digit: UInt8) -> UInt8? {
        switch digit {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): digit - UInt8(ascii: "a") + 10
        default: nil
        }
    }
}
