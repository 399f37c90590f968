import Encodings
import Interface
import Vault

/// The forms of what wallets send.
enum VaultRules {
    /// - Throws: `VaultError.invalidText` for what is not base64url of so many bytes.
    @discardableResult
    static func bytes(_ text: String, _ lengths: ClosedRange<Int>, _ member: String) throws(VaultError) -> Int {
        // Before it is decoded: base64 has four characters for three bytes.
        guard text.utf8.count <= lengths.upperBound * 4 / 3 + 2,
            let bytes = Base64.decode(Bytes(text: text), .url), lengths.contains(bytes.count)
        else { throw .invalidText(member) }
        return bytes.count
    }

    /// Whether a text is an identifier: 32 hexadecimal digits in small letters.
    static func isIdentifier(_ text: String) -> Bool {
        text.utf8.count == 32
            && text.utf8.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x66).contains($0) }
    }

    /// Whether a text is an identifier that an item may have: that of the root folder, 32 zeros, stands for no item.
    static func isItem(_ text: String) -> Bool {
        isIdentifier(text) && !text.utf8.allSatisfy { $0 == 0x30 }
    }

    static func slot(_ slot: VaultSlot) throws(VaultError) {
        guard isIdentifier(slot.id) else { throw .invalidSlot }
        try bytes(slot.sealed, Limits.vaultSealed, "sealed")
        switch (slot.kind, slot.contact, slot.wait) {
        case (.contact, _?, let wait?) where Limits.vaultWait.contains(wait): break
        case (.contact, _, _): throw .invalidContact
        case (_, nil, nil): break
        default: throw .invalidContact
        }
    }

    /// - Parameter all: whether every one of the four has to be there.
    static func pins(_ pins: [NewVaultPIN], all: Bool) throws(VaultError) {
        let slots = Set(pins.map(\.slot))
        guard slots.count == pins.count, slots.isSubset(of: Set(0..<PINSlot.count)), !pins.isEmpty,
            !all || pins.count == PINSlot.count
        else { throw .invalidPINs }
        for pin in pins {
            try bytes(pin.sealed, Limits.vaultSealed, "sealed")
            _ = try verifier(pin.verifier)
        }
    }

    /// What the guard keeps of a slot to see whether a try was of its PIN.
    static func verifier(_ text: String) throws(VaultError) -> PINVerifier {
        guard let bytes = Base64.decode(Bytes(text: text), .url), let verifier = try? PINVerifier(bytes) else {
            throw .invalidVerifier
        }
        return verifier
    }

    /// The four proofs of a try.
    static func proofs(_ texts: [String]) throws(VaultError) -> [PINProof] {
        guard texts.count == PINSlot.count else { throw .invalidProof }
        var proofs: [PINProof] = []
        for text in texts {
            guard let bytes = Base64.decode(Bytes(text: text), .url), let proof = try? PINProof(bytes) else {
                throw .invalidProof
            }
            proofs.append(proof)
        }
        return proofs
    }

    static func compartment(_ compartment: NewVaultCompartment) throws(VaultError) {
        guard isIdentifier(compartment.id) else { throw .invalidText("id") }
        try bytes(compartment.head, Limits.vaultHead, "head")
    }

    /// A change whose items are each in one list, once; the bytes of each item's metadata.
    static func change(_ change: VaultChange) throws(VaultError) -> [String: Int64] {
        let ids = change.put.map(\.id) + change.trash + change.restore + change.remove
        guard ids.count <= Limits.vaultChange else {
            throw .invalidChange("A change has at most \(Limits.vaultChange) items.")
        }
        guard Set(ids).count == ids.count, ids.allSatisfy(isIdentifier) else {
            throw .invalidChange("put, trash, restore, remove: identifiers of 32 digits, each once in one of them.")
        }
        guard change.put.allSatisfy({ isItem($0.id) }) else { throw .invalidText("id") }
        try bytes(change.head, Limits.vaultHead, "head")
        var sizes: [String: Int64] = [:]
        for put in change.put {
            try bytes(put.place, Limits.vaultKey, "place")
            try bytes(put.key, Limits.vaultKey, "key")
            sizes[put.id] = Int64(try bytes(put.metadata, Limits.vaultMetadata, "metadata"))
            guard put.versions.count <= Limits.vaultVersions, Set(put.versions.map(\.id)).count == put.versions.count,
                put.versions.allSatisfy({ isIdentifier($0.id) && isIdentifier($0.content) })
            else { throw .invalidChange("versions: at most \(Limits.vaultVersions), each once.") }
            for version in put.versions { try bytes(version.key, Limits.vaultKey, "key") }
        }
        return sizes
    }
}
