import CLibPQ
import Encodings

@testable import Storage

extension OuterParser {
    static let storage = [
        OuterParser(
            name: "SQL text",
            good: bytes("SELECT id FROM account WHERE name = $1 AND note <> 'it''s' LIMIT $2", "UPDATE a SET b = $1"),
            maximumLength: 1024,
            accepts: { input in
                guard let sql = accepted({ try SQLText(input.asText) }) else { return false }
                try promise(0...999 ~= sql.placeholders, "placeholders are few")
                return true
            }),
        OuterParser(
            name: "PostgreSQL values",
            good: bytes("t", "\\x00ff", "-9223372036854775808", "12.5", "text é", "NaN", "\\x"),
            maximumLength: 256,
            accepts: { input in
                let types: [Oid] = [16, 17, 20, 21, 23, 25, 700, 701, 1700]
                return types.filter { type in accepted({ try value(input, of: type) }) != nil }.count > 0
            }),
    ]

    /// A result of one row and column, as libpq would give it.
    private static func value(_ content: Bytes, of type: Oid) throws -> SQLValue? {
        guard let handle = unsafe PQmakeEmptyPGresult(nil, PGRES_TUPLES_OK) else { return nil }
        let result = unsafe PostgresResult(handle)
        var name: [CChar] = [0x61, 0]
        var content = content.map { CChar(bitPattern: $0) } + [0]
        unsafe name.withUnsafeMutableBufferPointer { name in
            var column = unsafe PGresAttDesc(
                name: name.baseAddress, tableid: 0, columnid: 0, format: 0, typid: type, typlen: -1, atttypmod: -1)
            _ = unsafe PQsetResultAttrs(handle, 1, &column)
        }
        let length = Int32(content.count - 1)
        _ = unsafe content.withUnsafeMutableBufferPointer { unsafe PQsetvalue(handle, 0, 0, $0.baseAddress, length) }
        return try result.rows(limit: 1).first?.value("a")
    }
}
