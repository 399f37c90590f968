package import Encodings

// Metadata as canonical JSON (RFC 8785), with its length before and zeros behind it.
extension NodeMetadata {
    /// The padded plaintext.
    ///
    /// - Throws: `outOfRange` for what is longer than allowed.
    package func encoded() throws(VaultError) -> Bytes {
        try check()
        guard let json = try? json.canonical() else { throw .malformed }
        guard json.count <= NodeMetadataLimits.json else { throw .outOfRange }
        let bytes = bigEndian(UInt64(json.count), count: 4) + json
        return bytes + Bytes(repeating: 0, count: Int(Padme.length(of: UInt64(bytes.count))) - bytes.count)
    }

    /// Reads a padded plaintext.
    ///
    /// - Throws: `malformed` for any other spelling than the one of `encoded`.
    package init(encoded bytes: Bytes) throws(VaultError) {
        var reader = ByteReader(bytes)
        let count = Int(try reader.number(4))
        guard count <= NodeMetadataLimits.json, UInt64(bytes.count) == Padme.length(of: UInt64(4 + count)) else {
            throw .malformed
        }
        let text = try reader.take(count)
        try reader.finishPadding()
        guard let value = try? JSON.parse(text, maximumLength: NodeMetadataLimits.json, maximumCount: 4_096),
            let canonical = try? value.canonical(), canonical == text, let members = value.members
        else { throw .malformed }
        try self.init(members)
        try check()
    }

    private var json: JSON {
        var members: [JSON.Member] = others
        members.append(.init("kind", .string(kind.name)))
        members.append(.init("name", .string(name.bytes)))
        members.append(.init("created", .integer(created)))
        members.append(.init("modified", .integer(modified)))
        if let mediaType { members.append(.init("media_type", .string(mediaType))) }
        if !tags.isEmpty { members.append(.init("tags", .array(tags.map { .string($0) }))) }
        if let expires { members.append(.init("expires", .integer(expires))) }
        if let size { members.append(.init("size", .integer(Int64(clamping: size)))) }
        if let text { members.append(.init("text", .string(text))) }
        if let thumbnail { members.append(.init("thumbnail", .string(Base64.encode(thumbnail, .url)))) }
        if let compartment { members.append(.init("compartment", .string(Base64.encode(compartment.bytes, .url)))) }
        if let settings { members.append(.init("settings", settings.json)) }
        return .object(members)
    }

    private init(_ members: [JSON.Member]) throws(VaultError) {
        let object = JSON.object(members)
        guard let kind = Kind(name: object["kind"]?.string ?? []), let created = object["created"]?.integer,
            let modified = object["modified"]?.integer, let name = object["name"]?.string
        else { throw .malformed }
        self.init(kind, name: try NodeName(name), created: created, modified: modified)
        for member in members where !member.name.equals("kind") && !member.name.equals("created") {
            guard !member.name.equals("modified"), !member.name.equals("name") else { continue }
            try read(member)
        }
    }

    private mutating func read(_ member: JSON.Member) throws(VaultError) {
        let value = member.value
        if member.name.equals("media_type") {
            mediaType = try Self.text(value)
        } else if member.name.equals("tags") {
            guard let array = value.array, !array.isEmpty else { throw .malformed }
            for tag in array { tags.append(try Self.text(tag)) }
        } else if member.name.equals("expires") {
            guard let time = value.integer else { throw .malformed }
            expires = time
        } else if member.name.equals("size") {
            guard let number = value.integer, let length = UInt64(exactly: number) else { throw .malformed }
            size = length
        } else if member.name.equals("text") {
            text = try Self.text(value)
        } else if member.name.equals("thumbnail") {
            thumbnail = try Self.bytes(value)
        } else if member.name.equals("compartment") {
            compartment = try VaultSecret(Self.bytes(value))
        } else if member.name.equals("settings") {
            settings = try VaultSettings(value)
        } else {
            others.append(member)
        }
    }

    private static func text(_ value: JSON) throws(VaultError) -> Bytes {
        guard let text = value.string else { throw .malformed }
        return text
    }

    private static func bytes(_ value: JSON) throws(VaultError) -> Bytes {
        guard let bytes = Base64.decode(try text(value), .url) else { throw .malformed }
        return bytes
    }

    private func check() throws(VaultError) {
        let limits = NodeMetadataLimits.self
        guard text?.count ?? 0 <= limits.text, thumbnail?.count ?? 0 <= limits.thumbnail,
            mediaType?.count ?? 0 <= limits.mediaType, tags.count <= limits.tags,
            tags.allSatisfy({ !$0.isEmpty && $0.count <= limits.tag }), Self.isSorted(tags),
            size ?? 0 <= UInt64(JSON.safeInteger)
        else { throw .outOfRange }
        guard [created, modified, expires ?? 0].allSatisfy({ 0...JSON.safeInteger ~= $0 }) else { throw .outOfRange }
    }

    /// Whether the tags are in the order of their bytes, each once.
    private static func isSorted(_ tags: [Bytes]) -> Bool {
        for index in tags.indices.dropFirst() where !tags[index - 1].precedes(tags[index]) { return false }
        return true
    }
}

extension NodeMetadata.Kind {
    fileprivate var name: Bytes {
        switch self {
        case .folder: Bytes(text: "folder")
        case .file: Bytes(text: "file")
        case .note: Bytes(text: "note")
        case .settings: Bytes(text: "settings")
        }
    }

    fileprivate init?(name: Bytes) {
        if name.equals("folder") {
            self = .folder
        } else if name.equals("file") {
            self = .file
        } else if name.equals("note") {
            self = .note
        } else if name.equals("settings") {
            self = .settings
        } else {
            return nil
        }
    }
}
