internal import Encodings

/// A DER reader that speaks in certificate errors.
struct CertificateReader {
    private var reader: DERReader

    init(_ bytes: Bytes) { reader = DERReader(bytes) }

    private init(_ reader: DERReader) { self.reader = reader }

    var isAtEnd: Bool { reader.isAtEnd }
    var nextTag: UInt8? { reader.nextTag }

    func finish() throws(CertificateError) {
        do { try reader.finish() } catch { throw .malformed(error) }
    }

    mutating func any() throws(CertificateError) -> DERReader.Element {
        do { return try reader.any() } catch { throw .malformed(error) }
    }

    mutating func element(_ tag: UInt8) throws(CertificateError) -> DERReader.Element {
        do { return try reader.element(tag) } catch { throw .malformed(error) }
    }

    mutating func optional(_ tag: UInt8) throws(CertificateError) -> DERReader.Element? {
        do { return try reader.optional(tag) } catch { throw .malformed(error) }
    }

    mutating func sequence() throws(CertificateError) -> CertificateReader {
        do { return CertificateReader(try reader.sequence()) } catch { throw .malformed(error) }
    }

    mutating func objectIdentifier() throws(CertificateError) -> Bytes {
        do { return try reader.objectIdentifier() } catch { throw .malformed(error) }
    }

    mutating func integer() throws(CertificateError) -> Bytes {
        do { return try reader.integer() } catch { throw .malformed(error) }
    }

    mutating func smallInteger() throws(CertificateError) -> Int {
        do { return try reader.smallInteger() } catch { throw .malformed(error) }
    }

    mutating func wholeBitString() throws(CertificateError) -> Bytes {
        do { return try reader.wholeBitString() } catch { throw .malformed(error) }
    }

    /// Reads a BOOLEAN whose default is FALSE: DER writes it only when it is TRUE.
    mutating func flag() throws(CertificateError) -> Bool {
        guard reader.nextTag == DERTag.boolean else { return false }
        let isTrue: Bool
        do { isTrue = try reader.boolean() } catch { throw .malformed(error) }
        guard isTrue else { throw .malformed(.notCanonical) }
        return true
    }
}
