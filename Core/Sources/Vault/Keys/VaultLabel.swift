import Encodings

/// What a key or a sealed box is for: no two purposes share a label, so nothing of one can stand for another.
///
/// In bytes it is `countersign/vault/v1/`, the name and a zero byte. What follows is of fixed length for each label.
struct VaultLabel: Sendable {
    private let name: StaticString

    private init(_ name: StaticString) {
        self.name = name
    }

    /// What begins an HKDF info or additional data.
    var bytes: Bytes {
        Bytes(text: "countersign/vault/v1/") + name.withUTF8Buffer { unsafe Bytes($0) } + [0]
    }

    static var compartmentID: Self { Self("compartment-id") }
    static var rootFolder: Self { Self("root-folder") }
    static var place: Self { Self("place") }
    static var head: Self { Self("head") }
    static var accumulator: Self { Self("accumulator") }
    static var nodeKey: Self { Self("node-key") }
    static var metadata: Self { Self("metadata") }
    static var contentKey: Self { Self("content-key") }
    static var itemLock: Self { Self("item-lock") }
    static var itemPRF: Self { Self("item-prf") }
    static var accountPRF: Self { Self("account-prf") }
    static var slot: Self { Self("slot") }
    static var slotKey: Self { Self("slot-key") }
    static var slotSeal: Self { Self("slot-seal") }
    static var pinSlot: Self { Self("pin-slot") }
    static var pinInput: Self { Self("pin-input") }
    static var pinProof: Self { Self("pin-proof") }
    static var share: Self { Self("share") }
    static var inbox: Self { Self("inbox") }
    static var link: Self { Self("link") }
    static var shareChecksum: Self { Self("recovery-share") }
    static var seen: Self { Self("seen") }
    static var unfinished: Self { Self("unfinished") }
    static var localName: Self { Self("local-name") }
}
