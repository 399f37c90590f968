import Encodings
package import Interface
import Vault

/// What a folder that stands for a shared compartment says of it: the member `share` of its metadata.
///
/// In the owner's vault it has whom the owner has admitted, in a member's vault whose folder it is. Members that this
/// program does not know stay as they are.
package struct FolderShare: Sendable, Equatable {
    /// As it is stored.
    private(set) var json: JSON

    /// A folder of the account that nobody else may use yet.
    init() { json = .members([("members", .object([]))]) }

    /// A folder of somebody else.
    ///
    /// - Parameters:
    ///   - compartment: its id.
    ///   - me: the id of the account whose vault has the folder.
    init(of owner: VaultPerson, as role: VaultRole, compartment: String, me: String) {
        json = .members([
            ("by", .text(owner.name)), ("compartment", .text(compartment)), ("me", .text(me)),
            ("owner", .text(owner.account)), ("role", .text(role.rawValue)),
        ])
    }

    /// Reads what a folder says; `nil` if it is not shared.
    init?(_ metadata: NodeMetadata) {
        guard let share = metadata[other: Self.name], share.members != nil else { return nil }
        json = share
    }

    /// The member's name.
    static let name = "share"

    /// The account whose folder it is; `nil` in the owner's own vault.
    package var owner: String? { json["owner"]?.string?.text }
    /// The name of that person, as it was compared.
    package var ownerName: String? { json["by"]?.string?.text }
    /// What somebody else's folder allows; `nil` in the owner's own vault.
    package var role: VaultRole? { json["role"]?.string.flatMap { VaultRole(rawValue: $0.text) } }
    /// The id of somebody else's compartment.
    var compartment: String? { json["compartment"]?.string?.text }
    /// Whether things may be changed in it.
    package var mayWrite: Bool { owner == nil || role == .writer }
    /// The key that the folder had before, while it is being exchanged.
    var former: VaultSecret? {
        json["former"]?.string.flatMap { Base64.decode($0, .url) }.flatMap { try? VaultSecret($0) }
    }

    /// Whether an exchange of keys was cut off: things may still be under the key before, and the next exchange goes on.
    package var isBetweenKeys: Bool { former != nil }

    /// Whom the owner has admitted; `nil` in folders that were shared before it was kept.
    var admitted: [JSON.Member]? { json["members"]?.members }

    /// Whether the owner has admitted an account.
    func hasAdmitted(_ account: String) -> Bool { admitted?.contains { $0.name == Bytes(text: account) } ?? false }

    /// As what, and with the fingerprints of which devices, the owner has admitted an account; `nil` if the owner has not.
    func admission(of account: String) -> (role: VaultRole, prints: [String])? {
        guard let entry = admitted?.first(where: { $0.name == Bytes(text: account) })?.value,
            let role = entry["role"]?.string.flatMap({ VaultRole(rawValue: $0.text) })
        else { return nil }
        return (role, entry["prints"]?.array?.compactMap { $0.string?.text } ?? [])
    }

    /// Remembers somebody, with the fingerprints of their devices: only these get the folder's next key.
    mutating func admit(_ person: VaultPerson, as role: VaultRole) {
        let entry = JSON.members([
            ("prints", .array(person.devices.map { .text($0.print) })), ("role", .text(role.rawValue)),
        ])
        set((json["members"] ?? .object([])).with(Bytes(text: person.account), entry))
    }

    /// Forgets somebody: they do not get the folder's next key.
    mutating func forget(_ account: String) {
        guard let members = json["members"] else { return }
        set(members.with(Bytes(text: account), nil))
    }

    /// Remembers the key that the folder had before, until nothing is under it any more.
    mutating func begin(leaving key: VaultSecret) {
        json = json.with(Bytes(text: Self.formerName), .text(key.bytes.base64URL))
    }

    /// Forgets the key that the folder had before, and those who did not get the new one.
    mutating func finish(without accounts: [String]) {
        json = json.with(Bytes(text: Self.formerName), nil)
        var members = json["members"] ?? .object([])
        for account in accounts { members = members.with(Bytes(text: account), nil) }
        set(members)
    }

    private static let formerName = "former"

    private mutating func set(_ members: JSON) { json = json.with(Bytes(text: "members"), members) }
}

extension NodeMetadata {
    /// A member that this format does not name itself.
    subscript(other name: String) -> JSON? {
        get { others.first { $0.name == Bytes(text: name) }?.value }
        set {
            others.removeAll { $0.name == Bytes(text: name) }
            if let newValue { others.append(JSON.Member(name, newValue)) }
        }
    }
}

extension JSON {
    /// The same object with a member of this value, or without one for `nil`.
    func with(_ name: Bytes, _ value: JSON?) -> JSON {
        var changed = (members ?? []).filter { $0.name != name }
        if let value { changed.append(JSON.Member(name, value)) }
        return .object(changed)
    }
}
