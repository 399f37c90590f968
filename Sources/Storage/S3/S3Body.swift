import Crypto

/// The bytes of a request or an object, hashed once: signatures and stores write the same hash differently.
struct S3Body: Sendable {
    let bytes: [UInt8]
    /// SHA-256 in hexadecimal: what a signature covers.
    let payloadHash: String
    /// SHA-256 in base64: what a store compares, keeps and gives back.
    let checksum: String

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
        let digest = Array(SHA256.hash(data: bytes))
        payloadHash = SignatureV4.hexadecimal(digest)
        checksum = Self.base64(digest)
    }

    private static func base64(_ bytes: [UInt8]) -> String {
        let letters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
        var text: [UInt8] = []
        for start in stride(from: 0, to: bytes.count, by: 3) {
            let group = bytes[start..<min(start + 3, bytes.count)]
            let bits = group.reduce(0) { $0 << 8 | Int($1) } << (8 * (3 - group.count))
            for place in 0..<4 {
                text.append(place <= group.count ? letters[bits >> (18 - 6 * place) & 63] : UInt8(ascii: "="))
            }
        }
        return String(decoding: text, as: UTF8.self)
    }
}
