import CryptoProvider
import EllipticCurves
import Encodings
import Interface
import Vault

/// What somebody is given: a compartment's key, sealed to each of their devices, and signed by one of the owner's
/// (docs/vault-format.md, "Shares").
struct VaultGrant {
    /// The type of the statement.
    static let statementType: StaticString = "countersign-vault-share+jwt"
    /// Bytes of what is sealed to one device.
    private static let pieceLength = 512 + 81
    /// How many devices something is sealed to.
    private static let devices = 1...8
    private static let form: UInt8 = 1

    /// What is sealed to each device.
    private let pieces: [Bytes]
    /// All of that, as the statement covers it.
    private let signed: Bytes
    private let statement: Bytes

    /// Reads what a server hands out.
    ///
    /// - Throws: `malformed` for another form.
    init(_ text: String) throws(VaultError) {
        guard let bytes = text.fromBase64URL, bytes.count > 2, bytes[0] == Self.form,
            Self.devices.contains(Int(bytes[1]))
        else { throw .malformed }
        let end = 2 + Int(bytes[1]) * Self.pieceLength
        guard bytes.count > end else { throw .malformed }
        pieces = stride(from: 2, to: end, by: Self.pieceLength).map { Array(bytes[$0..<$0 + Self.pieceLength]) }
        signed = Array(bytes[..<end])
        statement = Array(bytes[end...])
    }

    /// Seals a compartment's key to all devices of a person, and signs that.
    ///
    /// - Throws: `noKeys` if there is no device, or more than the format has.
    static func make(
        _ compartment: Compartment, named name: NodeName, to person: VaultPerson, as role: VaultRole,
        by sharer: VaultSharer, now: Int64
    ) throws -> String {
        let access = SharedAccess.compartment(compartment.key, name: name)
        return try make(access, of: compartment.id, to: person, as: role, by: sharer, now: now)
    }

    /// Seals what a person is given of a compartment to all their devices, and signs that.
    ///
    /// - Throws: `noKeys` if there is no device, or more than the format has.
    static func make(
        _ access: SharedAccess, of compartment: CompartmentID, to person: VaultPerson, as role: VaultRole,
        by sharer: VaultSharer, now: Int64
    ) throws -> String {
        guard devices.contains(person.devices.count) else { throw VaultFault.noKeys(person.name) }
        let suite = SwiftCryptoSuite()
        var sealed: Bytes = [form, UInt8(person.devices.count)]
        for device in person.devices {
            sealed += try access.sealed(to: device.encryptionKey.x963, id: compartment.bytes, suite: suite)
        }
        let said = payload(
            audience: sharer.audience, compartment: compartment.text, member: person.account, role: role,
            sealed: sealed, time: now)
        return (sealed + Bytes(text: try sharer.sign(said, type: statementType))).base64URL
    }

    /// What is signed, its members in the order of canonical JSON.
    private static func payload(
        audience: String, compartment: String, member: String, role: VaultRole, sealed: Bytes, time: Int64
    ) -> JSON {
        .members([
            ("aud", .text(audience)), ("compartment", .text(compartment)), ("iat", .integer(time)),
            ("member", .text(member)), ("role", .text(role.rawValue)),
            ("sealed", .text(SHA256.hash(sealed).base64URL)),
        ])
    }

    /// The device of the owner that has signed exactly this, for this account and compartment.
    ///
    /// - Throws: `badGrant` if none has.
    func signer(
        of shared: SharedVaultCompartment, among owner: VaultPerson, for sharer: VaultSharer
    ) throws -> VaultPerson.Device {
        guard let jws = try? UnverifiedJWS.parse(statement, maximumLength: 1 << 14) else {
            throw VaultFault.badGrant(owner.name)
        }
        let signer = owner.devices.first { device in
            guard
                let said = try? jws.payload(
                    signedBy: device.signingKey, type: Self.statementType, suite: SwiftCryptoSuite())
            else { return false }
            return said["aud"] == .text(sharer.audience) && said["compartment"] == .text(shared.compartment)
                && said["member"] == .text(sharer.account) && said["role"] == .text(shared.role.rawValue)
                && said["sealed"] == .text(SHA256.hash(signed).base64URL)
        }
        guard let known = signer else { throw VaultFault.badGrant(owner.name) }
        return known
    }

    /// What was sealed to a device; `nil` if nothing of it is for this one.
    ///
    /// - Throws: `malformed` for what is sealed to it and is of no known kind.
    func open(with key: ECPrivateKey, compartment: CompartmentID) throws(VaultError) -> SharedAccess? {
        for piece in pieces {
            do throws(VaultError) {
                return try SharedAccess(piece, with: key, id: compartment.bytes, suite: SwiftCryptoSuite())
            } catch .cannotOpen {
                continue
            } catch {
                throw error
            }
        }
        return nil
    }
}
