package import Encodings
package import Vault

/// Media types by the endings of names: only those that the pages show.
package enum VaultMediaTypes {
    private static let endings: [String: String] = [
        "avif": "image/avif", "csv": "text/csv", "gif": "image/gif", "heic": "image/heic", "jpeg": "image/jpeg",
        "jpg": "image/jpeg", "json": "application/json", "md": "text/markdown", "mov": "video/quicktime",
        "mp3": "audio/mpeg", "mp4": "video/mp4", "pdf": "application/pdf", "png": "image/png",
        "tar": "application/x-tar", "txt": "text/plain", "webp": "image/webp", "zip": "application/zip",
    ]

    /// The type that a name tells.
    package static func type(of name: NodeName) -> Bytes {
        let ending = String(decoding: name.bytes, as: UTF8.self).split(separator: ".").dropFirst().last ?? ""
        return Bytes(text: endings[ending.lowercased()] ?? "application/octet-stream")
    }
}
