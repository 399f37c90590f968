import BrowserCalls
import EllipticCurves
import Encodings
import Vault
import VaultBrowser

extension FuzzTarget {
    static let vault = [
        FuzzTarget("vault-metadata", maximumLength: 4_096, vaultMetadata),
        FuzzTarget("vault-node", maximumLength: 8_192, vaultNode),
        FuzzTarget("vault-content", maximumLength: 65_536, vaultContent),
        FuzzTarget("vault-slot", maximumLength: 1_024, vaultSlot),
        FuzzTarget("vault-guard", maximumLength: 4_096, vaultGuard),
        FuzzTarget("vault-typed", maximumLength: 1_024, vaultTyped),
        FuzzTarget("vault-module", maximumLength: 8_192, vaultModule),
    ]

    private static func vaultMetadata(_ input: Bytes) throws(BrokenPromise) {
        guard let metadata = try? NodeMetadata(encoded: input) else { return }
        try expect((try? metadata.encoded()) == input, "metadata has one spelling")
        try expect(NodeName.cleaned(metadata.name.bytes) == metadata.name, "a name is harmless")
    }

    /// A record with any bytes behind seals that hold: what a member of a shared folder could write.
    private static func vaultNode(_ input: Bytes) throws(BrokenPromise) {
        let suite = LenientSuite.real
        guard let key = try? VaultSecret(Bytes(repeating: 1, count: 32)),
            let compartment = try? Compartment(key, suite: suite)
        else { return }
        var parts = Parts(input)
        let head = parts.next()
        if let opened = try? VaultHead(head, of: compartment, suite: suite) {
            let sealed = try? opened.sealed(of: compartment, suite: suite)
            try expect(sealed?.count == VaultHead.sealedByteCount, "a head has one length")
        }
        _ = try? SeenState(parts.next(), of: compartment, suite: suite)
        var records: [NodeRecord] = []
        for number: UInt8 in 1...3 {
            let version = try? VersionRecord(
                id: VersionID(Bytes(repeating: number, count: 16)), content: [number], key: parts.take(92),
                sealedLength: parts.number(3))
            let record = try? NodeRecord(
                id: NodeID(Bytes(repeating: number, count: 16)), place: parts.take(44), key: parts.take(192),
                metadata: parts.next(), revision: 1, versions: version.map { [$0] } ?? [])
            if let record { records.append(record) }
        }
        guard let tree = try? VaultTree(records, of: compartment, suite: suite) else { return }
        try expect(
            tree.nodes.count + tree.locked.count + tree.unreachable.count == records.count, "each node is in one place")
        for node in tree.nodes {
            let path = try? tree.path(of: node.id)
            try expect(path?.first == node.id, "every open node is below the root")
            for version in node.record.versions {
                guard let opened = try? compartment.open(version, of: node.key, suite: suite) else { continue }
                try expect(opened.sealedLength == version.sealedLength, "a version has its length")
            }
        }
    }

    /// What was sealed, with a few bytes of it changed, cut or repeated.
    private static func vaultContent(_ input: Bytes) throws(BrokenPromise) {
        let suite = VaultSuite()
        let key = Bytes(repeating: 7, count: 32)
        var parts = Parts(input)
        let changes = parts.next()
        let message = parts.rest()
        guard
            var sealer = try? CobblestoneSealer(
                key: key, context: [1], salt: Bytes(repeating: 9, count: 24), suite: suite)
        else { return }
        var sealed = sealer.header
        guard (try? sealer.update(message[...], into: &sealed)) != nil, (try? sealer.finish(into: &sealed)) != nil
        else { return }
        var changed = sealed
        for index in stride(from: 0, to: changes.count - 3, by: 4) {
            let place =
                (Int(changes[index]) << 16 | Int(changes[index + 1]) << 8 | Int(changes[index + 2])) % changed.count
            changed[place] ^= changes[index + 3]
        }
        if changes.count % 4 == 1 { changed.removeLast(min(Int(changes[0]), changed.count)) }
        if changes.count % 4 == 2 { changed += changed.suffix(Int(changes[0])) }
        guard var opener = try? CobblestoneOpener(key: key, context: [1], suite: suite) else { return }
        var opened: Bytes = []
        let isOpen =
            (try? opener.update(changed[...], into: &opened)) != nil && (try? opener.finish(into: &opened)) != nil
        try expect(isOpen == (changed == sealed), "only what was sealed opens")
        try expect(opened.count <= message.count, "nothing is added")
        try expect(opened == Array(message.prefix(opened.count)), "nothing is changed")
    }

    private static func vaultSlot(_ input: Bytes) throws(BrokenPromise) {
        let suite = LenientSuite.real
        guard let account = try? VaultAccount(salt: Bytes(repeating: 1, count: 16)),
            let secret = try? VaultSecret(Bytes(repeating: 2, count: 32)),
            let id = try? SlotID(Bytes(repeating: 3, count: 16))
        else { return }
        if let slot = try? SecretSlot(input) {
            try expect(slot.bytes == input, "a slot has one spelling")
            _ = try? slot.open(with: secret, id: id, of: account, suite: suite)
        }
        if let slot = try? ContactSlot(input) { try expect(slot.bytes == input, "a contact's slot has one spelling") }
        if let contents = try? PINContents(input) { try expect(contents.bytes == input, "contents have one spelling") }
        if let verifier = try? PINVerifier(input) { try expect(verifier.bytes == input, "a verifier has one spelling") }
        guard let access = try? SharedAccess(input, link: secret, code: [], id: [], suite: suite) else { return }
        let again = try? access.sealed(link: secret, code: [], id: [], suite: suite)
        try expect(again?.dropFirst(12) == input.dropFirst(12), "what is shared has one spelling")
    }

    /// A state from a file, and then any tries and proofs.
    private static func vaultGuard(_ input: Bytes) throws(BrokenPromise) {
        let suite = LenientSuite.real
        var parts = Parts(input)
        let bytes = parts.next()
        guard var state = try? PINGuard(bytes) else { return }
        try expect(state.bytes == bytes, "a state has one spelling")
        let blinded = state.bytes[11..<60]
        var now: Int64 = 0
        for _ in 0..<24 {
            let before = state
            now += Int64(parts.number(4))
            switch parts.number(1) % 3 {
            case 0:
                let begun = try? state.begin(parts.take(16), blinded: Array(blinded), now: now)
                try expect(begun == nil || state.tries > 0, "a try counts before it is answered")
            case 1:
                guard let zeros = try? PINProof(Bytes(repeating: 0, count: PINProof.byteCount)) else { return }
                let proofs = [zeros, zeros, zeros, zeros]
                let proved = try? state.prove(parts.take(16), proofs, now: now, suite: suite)
                try expect(proved?.isProved != true, "nothing is proved by zeros")
            default: _ = state.advance(to: now)
            }
            try expect(state.tries <= PINGuard.maximumTries, "no slot is tried more than ten times")
            for (old, new) in zip(before.liveSlots, state.liveSlots) {
                try expect(old || !new, "a slot stays destroyed")
            }
            try expect((try? PINGuard(state.bytes)) == state, "a state is read as it is written")
        }
    }

    /// What people type: PINs, words, shares, names of files.
    private static func vaultTyped(_ input: Bytes) throws(BrokenPromise) {
        let suite = LenientSuite.real
        _ = PINRules.refusal(of: input)
        let name = NodeName.cleaned(input)
        try expect((try? NodeName(name.bytes)) == name, "a cleaned name is a name")
        try expect(UTF8Text.isValid(name.bytes), "a name is UTF-8")
        if let key = try? RecoveryWords.key(of: input, suite: suite) {
            let text = RecoveryWords.text(of: key, suite: suite)
            try expect((try? RecoveryWords.key(of: text, suite: suite)) == key, "words are read as they are written")
        }
        if let share = try? RecoveryShare(input, suite: suite) {
            let text = share.text(suite)
            try expect((try? RecoveryShare(text, suite: suite)) == share, "a share is read as it is written")
        }
    }

    /// A call of a page, as it travels through the memory of the module for the vault.
    private static func vaultModule(_ input: Bytes) throws(BrokenPromise) {
        // Costs of Argon2id are the caller's: a fuzzer would wait for a gibibyte that was asked for.
        if let parts = Frames.split(input), parts.count > 1, let costs = try? JSON.parse(parts[1]),
            costs["memory"]?.integer ?? 0 > 4_096 || costs["passes"]?.integer ?? 0 > 4
        {
            return
        }
        try checkAnswer(VaultBrowser.answer(input))
    }
}

/// Seals with a tag of zeros, so that a fuzzer gets behind seals.
extension LenientSuite: VaultCryptoSuite {
    func sealAES256GCM(
        _ plaintext: ArraySlice<UInt8>, key: Bytes, nonce: Bytes, additionalData: Bytes, appendingTo output: inout Bytes
    ) -> Bool {
        output += plaintext + Bytes(repeating: 0, count: 16)
        return true
    }

    func openAES256GCM(
        _ sealed: ArraySlice<UInt8>, key: Bytes, nonce: Bytes, additionalData: Bytes, appendingTo output: inout Bytes
    ) -> Bool {
        guard sealed.count >= 16 else { return false }
        output += sealed.dropLast(16)
        return true
    }

    func sharedSecret(of key: ECPrivateKey, with peer: ECPublicKey) -> Bytes? { try? key.sharedSecret(with: peer) }
}

/// The real AES, and bytes that are always the same.
private struct VaultSuite: VaultCryptoSuite {
    func sealAES256GCM(
        _ plaintext: ArraySlice<UInt8>, key: Bytes, nonce: Bytes, additionalData: Bytes, appendingTo output: inout Bytes
    ) -> Bool {
        key.count == 32
            && ReferenceAESGCM(key: key)?
                .seal(plaintext, nonce: nonce, additionalData: additionalData, appendingTo: &output) != nil
    }

    func openAES256GCM(
        _ sealed: ArraySlice<UInt8>, key: Bytes, nonce: Bytes, additionalData: Bytes, appendingTo output: inout Bytes
    ) -> Bool {
        guard key.count == 32, let cipher = ReferenceAESGCM(key: key) else { return false }
        return cipher.open(sealed, nonce: nonce, additionalData: additionalData, appendingTo: &output)
    }

    func randomBytes(_ count: Int) -> Bytes { Bytes(repeating: 1, count: count) }
    func isValidP256(_ signature: Bytes, over message: Bytes, publicKey: Bytes) -> Bool { false }
    func isValidEd25519(_ signature: Bytes, over message: Bytes, publicKey: Bytes) -> Bool { false }
}
