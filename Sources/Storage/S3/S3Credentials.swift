#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// An access key of an object store.
///
/// Printed, it shows the key's id and never the secret.
package struct S3Credentials: Sendable, Equatable {
    /// The key's id: not secret.
    let accessKey: String
    let secret: String
    /// Comes with keys that expire.
    let sessionToken: String?

    /// Where an operator has put them.
    package enum Source: Sendable, Equatable {
        /// `AWS_ACCESS_KEY_ID`, `AWS_SECRET_ACCESS_KEY` and `AWS_SESSION_TOKEN`.
        case environment
        /// A file in the form of `~/.aws/credentials`; its section `default` counts.
        case file(String)
    }

    /// A key.
    ///
    /// - Returns: `nil` when a part is empty, or has blanks or other characters than visible ASCII.
    package init?(accessKey: String, secret: String, sessionToken: String? = nil) {
        let parts = [accessKey, secret] + [sessionToken].compactMap(\.self)
        guard parts.allSatisfy({ !$0.isEmpty && $0.utf8.allSatisfy { 0x21...0x7E ~= $0 } }) else { return nil }
        self.accessKey = accessKey
        self.secret = secret
        self.sessionToken = sessionToken
    }

    /// The key that an environment names, or `nil`.
    package init?(environment: [String: String]) {
        guard let key = environment["AWS_ACCESS_KEY_ID"], let secret = environment["AWS_SECRET_ACCESS_KEY"] else {
            return nil
        }
        let token = environment["AWS_SESSION_TOKEN"]
        self.init(accessKey: key, secret: secret, sessionToken: token?.isEmpty == true ? nil : token)
    }

    /// The key in a file that only its owner may read.
    ///
    /// - Throws: `StorageError.objectStoreRefuses`, which says what to do.
    package init(file path: String) throws(StorageError) {
        let file: OpenFile
        do {
            file = try OpenFile(path, O_RDONLY)
        } catch {
            throw .objectStoreRefuses(detail: "the credentials cannot be read (\(error))")
        }
        guard try file.isForOwnerOnly() else {
            throw .objectStoreRefuses(detail: "others may read the credentials in \(path): chmod 600 \(path)")
        }
        guard let found = Self.parse(String(decoding: try file.readAll(), as: UTF8.self)) else {
            throw .objectStoreRefuses(
                detail: "\(path) has no section [default] with aws_access_key_id and aws_secret_access_key")
        }
        self = found
    }

    /// The section `default` of a credentials file.
    static func parse(_ text: String) -> S3Credentials? {
        var values: [String: String] = [:]
        var isDefault = false
        for line in text.split(whereSeparator: \.isNewline) {
            let line = trimmed(line)
            if line.hasPrefix("[") {
                isDefault = line == "[default]"
            } else if isDefault, !line.hasPrefix("#"), !line.hasPrefix(";"), let equals = line.firstIndex(of: "=") {
                values[trimmed(line[..<equals])] = trimmed(line[line.index(after: equals)...])
            }
        }
        guard let key = values["aws_access_key_id"], let secret = values["aws_secret_access_key"] else { return nil }
        return S3Credentials(accessKey: key, secret: secret, sessionToken: values["aws_session_token"])
    }

    private static func trimmed(_ text: Substring) -> String {
        String(text.drop(while: \.isWhitespace).reversed().drop(while: \.isWhitespace).reversed())
    }
}

extension S3Credentials: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The key's id.
    package var description: String { "access key \(accessKey)" }
    /// The key's id.
    package var debugDescription: String { description }
    /// The key's id.
    package var customMirror: Mirror { Mirror(self, children: ["accessKey": accessKey]) }
}

extension OpenFile {
    /// Whether neither group nor others have any right to it.
    func isForOwnerOnly() throws(StorageError) -> Bool {
        var status = stat()
        guard unsafe fstat(descriptor, &status) == 0 else { throw .system(errno, "credentials") }
        return status.st_mode & 0o077 == 0
    }
}
