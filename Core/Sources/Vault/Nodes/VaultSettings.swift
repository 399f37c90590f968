import Encodings

/// What the owner of the main compartment knows of the four PIN slots, and nobody else does.
public struct VaultSettings: Sendable, Equatable {
    /// One PIN slot.
    public struct PINSlot: Sendable, Equatable {
        /// What the slot is for; unused slots are `nil`.
        public var purpose: PINPurpose?
        /// With it the owner takes back what was counted against the slot.
        public var resetKey: VaultSecret
        /// The folder or item that the slot opens, for tiers and items.
        public var node: NodeID?

        /// A slot as it was set up.
        public init(purpose: PINPurpose?, resetKey: VaultSecret, node: NodeID? = nil) {
            self.purpose = purpose
            self.resetKey = resetKey
            self.node = node
        }
    }

    /// The four slots.
    public var pins: [PINSlot]

    /// Takes four slots.
    ///
    /// - Throws: `malformed` for another number.
    public init(pins: [PINSlot]) throws(VaultError) {
        guard pins.count == PINSlot.count else { throw .malformed }
        self.pins = pins
    }

    var json: JSON {
        .members([
            (
                "pins",
                .array(
                    pins.map { slot in
                        var members = [JSON.Member("reset", .string(Base64.encode(slot.resetKey.bytes, .url)))]
                        if let purpose = slot.purpose {
                            members.append(.init("purpose", .integer(Int64(purpose.rawValue))))
                        }
                        if let node = slot.node {
                            members.append(.init("node", .string(Base64.encode(node.bytes, .url))))
                        }
                        return .object(members)
                    })
            )
        ])
    }

    init(_ json: JSON) throws(VaultError) {
        guard let array = json["pins"]?.array, json.members?.count == 1 else { throw .malformed }
        var pins: [PINSlot] = []
        for element in array { pins.append(try PINSlot(element)) }
        try self.init(pins: pins)
    }
}

extension VaultSettings.PINSlot {
    /// How many PIN slots every account has, used or not.
    public static var count: Int { 4 }

    fileprivate init(_ json: JSON) throws(VaultError) {
        guard let reset = Base64.decode(json["reset"]?.string ?? [], .url) else { throw .malformed }
        var known = 1
        resetKey = try VaultSecret(reset)
        if let number = json["purpose"] {
            guard let value = number.integer, let raw = UInt8(exactly: value), let purpose = PINPurpose(rawValue: raw)
            else { throw .malformed }
            self.purpose = purpose
            known += 1
        }
        if let text = json["node"] {
            guard let bytes = Base64.decode(text.string ?? [], .url) else { throw .malformed }
            node = try NodeID(bytes)
            known += 1
        }
        guard json.members?.count == known else { throw .malformed }
    }
}

/// What a PIN opens.
public enum PINPurpose: UInt8, Sendable, Equatable {
    /// The main compartment.
    case main = 1
    /// Some folders of the owner's choice.
    case tier = 2
    /// A second vault, to be shown under duress.
    case decoy = 3
    /// The lock of some items.
    case item = 4
}
