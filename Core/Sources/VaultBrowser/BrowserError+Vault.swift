import BrowserCalls
import Encodings
import Vault

/// Why something of a vault is refused, under names that pages know.
extension BrowserError {
    init(_ error: VaultError) {
        switch error {
        case .malformed: self.init("malformed", "The bytes are not those of the format.")
        case .outOfRange: self.init("out_of_range", "A value is beyond its limit.")
        case .unsupportedVersion: self.init("unsupported_version", "The version of the format is not known here.")
        case .cannotOpen: self.init("cannot_open", "It does not open, or a checksum or proof does not hold.")
        case .locked: self.init("locked", "The item has a lock of its own.")
        case .truncated: self.init("truncated", "The content ends too early.")
        case .finished: self.init("finished", "The content is over.")
        case .rolledBack: self.init("rolled_back", "The server answered with an older state.")
        case .incomplete: self.init("incomplete", "The records are not all of them, or not the newest.")
        case .cyclicMove: self.init("cyclic_move", "The folder lies in the item.")
        case .notFound: self.init("not_found", "It is not there.")
        case .suiteFailed: self.init("suite_failed", "There are too few random bytes.")
        }
    }
}

extension Call {
    /// A key of 32 bytes.
    func secret(_ name: StaticString) throws(BrowserError) -> VaultSecret {
        let bytes = try bytes(name, count: VaultSecret.byteCount)
        do { return try VaultSecret(bytes) } catch { throw BrowserError(error) }
    }
}
