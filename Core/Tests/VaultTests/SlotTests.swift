import EllipticCurves
import Encodings
import Testing

@testable import Vault

@Suite struct SlotTests {
    let suite = TestSuite(seed: "slots")
    let account: VaultAccount
    let compartment: Compartment
    let secret: VaultSecret
    let id: SlotID

    init() throws {
        account = try .random(suite)
        compartment = try .random(suite)
        secret = try .random(suite)
        id = try .random(suite)
    }

    func slot(_ kind: SecretSlot.Kind = .passkey) throws -> SecretSlot {
        try SecretSlot.make(kind, secret: secret, id: id, of: account, for: compartment, suite: suite)
    }

    @Test(arguments: [SecretSlot.Kind.passkey, .recovery, .device, .shares])
    func aSlotOpensWithItsSecret(_ kind: SecretSlot.Kind) throws {
        let slot = try SecretSlot(slot(kind).bytes)
        #expect(slot.kind == kind && slot.bytes.count == SecretSlot.byteCount)
        #expect(try slot.open(with: secret, id: id, of: account, suite: suite).id == compartment.id)
        #expect(refusal { try slot.open(with: .random(suite), id: id, of: account, suite: suite) } == .cannotOpen)
        #expect(refusal { try slot.open(with: secret, id: .random(suite), of: account, suite: suite) } == .cannotOpen)
        #expect(refusal { try slot.open(with: secret, id: id, of: .random(suite), suite: suite) } == .cannotOpen)
    }

    @Test func aChangedSlotDoesNotOpen() throws {
        let bytes = try slot().bytes
        for index in bytes.indices {
            let error = refusal {
                try SecretSlot(bytes.flipping(index)).open(with: secret, id: id, of: account, suite: suite)
            }
            #expect(error != nil)
        }
        #expect(refusal { try SecretSlot(bytes + [0]) } == .malformed)
        #expect(refusal { try SecretSlot([9] + bytes.dropFirst()) } == .unsupportedVersion)
    }

    /// The key of the compartment is exchanged while no passkey is there.
    @Test func aSlotIsRenewedWithoutItsSecret() throws {
        let new = try Compartment.random(suite)
        let renewed = try slot().renewed(from: compartment, to: new, id: id, of: account, suite: suite)
        #expect(try renewed.open(with: secret, id: id, of: account, suite: suite).id == new.id)
    }

    /// A server that puts a slot of its own there gets no key.
    @Test func aForeignSlotIsNotRenewed() throws {
        let foreign = try SecretSlot.make(
            .passkey, secret: .random(suite), id: id, of: account, for: .random(suite), suite: suite)
        let new = try Compartment.random(suite)
        #expect(
            refusal { try foreign.renewed(from: compartment, to: new, id: id, of: account, suite: suite) }
                == .cannotOpen)
        let mixed = Array(foreign.bytes[..<127]) + (try slot().bytes[127...])
        #expect(
            refusal {
                try SecretSlot(mixed).renewed(from: compartment, to: new, id: id, of: account, suite: suite)
            } == .cannotOpen)
    }

    @Test func aContactOpensWithItsKey() throws {
        let contact = try ECPrivateKey.generate(on: .p256, randomBytes: suite.randomBytes)
        let made = try ContactSlot(
            for: contact.publicKey.x963, id: id, of: account, compartment: compartment, suite: suite)
        let slot = try ContactSlot(made.bytes)
        #expect(slot == made && made.bytes.count == ContactSlot.byteCount)
        #expect(try slot.open(with: contact, id: id, of: account, suite: suite).id == compartment.id)
        let other = try ECPrivateKey.generate(on: .p256, randomBytes: suite.randomBytes)
        #expect(refusal { try slot.open(with: other, id: id, of: account, suite: suite) } == .cannotOpen)
        let new = try Compartment.random(suite)
        let renewed = try slot.renewed(from: compartment, to: new, id: id, of: account, suite: suite)
        #expect(try renewed.open(with: contact, id: id, of: account, suite: suite).id == new.id)
        #expect(refusal { try slot.renewed(from: new, to: new, id: id, of: account, suite: suite) } == .cannotOpen)
        #expect(refusal { try ContactSlot(made.bytes.flipping(5)) } == .malformed)
    }

    @Test func usedAndUnusedPINSlotsLookTheSame() throws {
        let vault = try GuardedVault()
        #expect(Set(vault.slots.map(\.count)) == [PINSlot.byteCount])
    }

    @Test func aPINSlotHasItsPlaceAndAccount() throws {
        let input = try GuardedVault.input(.text("583920"), account, suite)
        let output = suite.randomBytes(48)
        let contents = PINContents(
            purpose: .item, key: secret, lock: .init(high: 1, low: 2), scalar: suite.randomBytes(48))
        let slot = try PINSlot.seal(contents, index: 1, input: input, output: output, of: account, suite: suite)
        #expect(try PINSlot.open(slot, index: 1, input: input, output: output, of: account, suite: suite) == contents)
        for (index, value) in [(2, output), (1, suite.randomBytes(48))] {
            #expect(
                refusal { try PINSlot.open(slot, index: index, input: input, output: value, of: account, suite: suite) }
                    == .cannotOpen)
        }
        let other = try VaultAccount.random(suite)
        #expect(
            refusal { try PINSlot.open(slot, index: 1, input: input, output: output, of: other, suite: suite) }
                == .cannotOpen)
        #expect(
            refusal { try PINSlot.open(slot, index: 4, input: input, output: output, of: account, suite: suite) }
                == .malformed)
    }
}

@Suite struct RecoveryTests {
    let suite = TestSuite(seed: "recovery")

    /// BIP-39's own vectors for 256 bits.
    ///
    /// They repeat themselves, except for the last word.
    @Test(arguments: [
        (UInt8(0x00), "abandon", "art"), (0x7F, "legal winner thank year wave sausage worth useful", "title"),
        (0x80, "letter advice cage absurd amount doctor acoustic avoid", "bless"), (0xFF, "zoo", "vote"),
    ]) func wordsAreThoseOfBIP39(_ byte: UInt8, _ repeated: String, _ last: String) throws {
        let part = repeated.split(separator: " ")
        let words = ((0..<23).map { String(part[$0 % part.count]) } + [last]).joined(separator: " ")
        let key = try VaultSecret(Bytes(repeating: byte, count: 32))
        #expect(RecoveryWords.text(of: key, suite: suite) == .text(words))
        #expect(try RecoveryWords.key(of: .text(words), suite: suite) == key)
    }

    @Test func theListIsWhole() {
        let words = RecoveryWordList.all()
        #expect(words.count == 2_048 && words.allSatisfy { 3...8 ~= $0.count })
        #expect(Set(words.map { Bytes($0.prefix(4)) }).count == 2_048)
        let digest = SHA256.hash(Bytes(words.joined(separator: [0x0A])) + [0x0A])
        #expect(Hex.encode(digest) == .text("2f5eed53a4727b4bf8880d8f3f199efc90e58503646d9ff8eff3a2ed3b24dbda"))
    }

    @Test func typingIsForgiven() throws {
        let key = try VaultSecret.random(suite)
        let text = String(decoding: RecoveryWords.text(of: key, suite: suite), as: UTF8.self)
        let short = text.split(separator: " ").map { $0.prefix(4) }.joined(separator: "\n ")
        for typed in [text.uppercased(), "  " + text.replacing(" ", with: "\t "), short] {
            #expect(try RecoveryWords.key(of: .text(typed), suite: suite) == key)
        }
    }

    @Test func mistakesAreFound() throws {
        let key = try VaultSecret.random(suite)
        var words = RecoveryWords.text(of: key, suite: suite).split(at: 0x20)
        #expect(
            refusal { try RecoveryWords.key(of: Bytes(words.dropLast().joined(separator: [0x20])), suite: suite) }
                == .malformed)
        words[3] = .text("xyzzy")
        #expect(
            refusal { try RecoveryWords.key(of: Bytes(words.joined(separator: [0x20])), suite: suite) } == .notFound)
        var missed = 0
        for word in RecoveryWordList.all().prefix(512) {
            words[3] = word
            if let other = try? RecoveryWords.key(of: Bytes(words.joined(separator: [0x20])), suite: suite),
                other != key
            {
                missed += 1
            }
        }
        #expect(missed < 10)
    }

    @Test func anyTwoSharesGiveTheSecret() throws {
        let secret = try VaultSecret.random(suite)
        let shares = try RecoveryShare.split(secret, suite: suite)
        #expect(shares.map(\.number) == [1, 2, 3])
        for first in shares {
            for second in shares where first != second {
                #expect(try RecoveryShare.combine(first, second) == secret)
            }
            #expect(refusal { try RecoveryShare.combine(first, first) } == .malformed)
        }
        let others = try RecoveryShare.split(secret, suite: suite)
        #expect(refusal { try RecoveryShare.combine(shares[0], others[1]) } == .malformed)
    }

    @Test func sharesAreTyped() throws {
        let share = try RecoveryShare.split(.random(suite), suite: suite)[1]
        let text = share.text(suite)
        #expect(text.count == 79)
        #expect(try RecoveryShare(text, suite: suite) == share)
        let typed = String(decoding: text, as: UTF8.self).lowercased().replacing(" ", with: "-")
            .replacing("1", with: "l").replacing("0", with: "o")
        #expect(try RecoveryShare(.text(typed), suite: suite) == share)
        for index in text.indices where text[index] != 0x20 {
            var changed = text
            changed[index] = text[index] == 0x41 ? 0x42 : 0x41
            #expect(refusal { try RecoveryShare(changed, suite: suite) } == .cannotOpen)
        }
        #expect(refusal { try RecoveryShare(Array(text.dropLast()), suite: suite) } == .malformed)
        #expect(refusal { try RecoveryShare(.text("!"), suite: suite) } == .malformed)
    }

    @Test func theFieldIsAField() {
        for value: UInt8 in 1...255 { #expect(FieldOf256.product(value, FieldOf256.inverse(value)) == 1) }
        #expect(FieldOf256.product(0x57, 0x83) == 0xC1 && FieldOf256.inverse(0) == 0)
    }
}
