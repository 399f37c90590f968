import CLibPQ

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
            case .null: add(nil, ObjectIdentifier.unknown)
            case .integer(let integer): add(Array(String(integer).utf8), ObjectIdentifier.int8)
            case .real(let real): add(Array(String(real).utf8), ObjectIdentifier.float8)
            case .text(let text): add(Array(text.utf8), ObjectIdentifier.text)
            case .blob(let blob): add(blob, ObjectIdentifier.bytea, isBinary: true)
            }
        }
    }

    /// Tells apart statements of one text whose values have other types.
    var signature: String { types.map { "\($0)," }.joined() }

    private mutating func add(_ value: [UInt8]?, _ type: Oid, isBinary: Bool = false) {
        types.append(type)
        formats.append(isBinary ? 1 : 0)
        lengths.append(Int32(value?.count ?? 0))
        starts.append(value.map { _ in bytes.count })
        guard let value else { return }
        bytes += value
        bytes.append(0)
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
