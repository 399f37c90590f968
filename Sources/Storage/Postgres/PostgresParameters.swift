import CLibPQ

/// What the server remembers a statement by: of one text, those whose values have other types are others.
struct PostgresStatementKey: Hashable {
    let sql: String
    let types: [Oid]
}

/// The values of a statement as libpq takes them: numbers as text, bytes as they are, each with its type.
struct PostgresParameters {
    /// The server's numbers for types (its catalogue `pg_type`).
    private enum ObjectIdentifier {
        static let unknown: Oid = 0
        static let bytea: Oid = 17
        static let int8: Oid = 20
        static let text: Oid = 25
        static let float8: Oid = 701
    }

    private(set) var types: [Oid] = []
    private var formats: [Int32] = []
    private var lengths: [Int32] = []
    /// All values, each with a zero behind it.
    private var bytes: [UInt8] = []
    /// Where each begins in `bytes`, or `nil` for null.
    private var starts: [Int?] = []

    init(_ values: [SQLValue]) {
        for value in values {
            switch value {
            case .null: addNull()
            case .integer(let integer): add(String(integer).utf8, ObjectIdentifier.int8)
            case .real(let real): add(String(real).utf8, ObjectIdentifier.float8)
            case .text(let text): add(text.utf8, ObjectIdentifier.text)
            case .blob(let blob): add(blob, ObjectIdentifier.bytea, isBinary: true)
            }
        }
    }

    private mutating func add(_ value: some Collection<UInt8>, _ type: Oid, isBinary: Bool = false) {
        let start = bytes.count
        bytes.append(contentsOf: value)
        types.append(type)
        formats.append(isBinary ? 1 : 0)
        lengths.append(Int32(bytes.count - start))
        starts.append(start)
        bytes.append(0)
    }

    private mutating func addNull() {
        types.append(ObjectIdentifier.unknown)
        formats.append(0)
        lengths.append(0)
        starts.append(nil)
    }

    /// Calls `body` with what libpq's functions take.
    func withPointers<T>(
        _ body: (
            _ values: UnsafePointer<UnsafePointer<CChar>?>?, _ lengths: UnsafePointer<Int32>?,
            _ formats: UnsafePointer<Int32>?
        ) -> T
    ) -> T {
        unsafe bytes.withUnsafeBytes { bytes in
            let base = unsafe bytes.baseAddress?.assumingMemoryBound(to: CChar.self)
            let pointers = unsafe starts.map { start in unsafe start.flatMap { unsafe base?.advanced(by: $0) } }
            return unsafe pointers.withUnsafeBufferPointer { pointers in
                unsafe lengths.withUnsafeBufferPointer { lengths in
                    unsafe formats.withUnsafeBufferPointer { formats in
                        unsafe body(pointers.baseAddress, lengths.baseAddress, formats.baseAddress)
                    }
                }
            }
        }
    }
}
