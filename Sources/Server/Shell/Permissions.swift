package import Interface

/// What an account may do.
///
/// The role is necessary, never sufficient: an administrator also needs a valid certificate with the capability, and
/// everybody sees only what concerns them. Each slice has its own, as values.
package struct Permission: Sendable, Hashable {
    /// Its name in the interface: lower case with underscores.
    package let rawValue: String
    /// The roles that have it.
    package let roles: [Role]
    /// What it allows, in words.
    package let meaning: String

    /// A permission that accounts of these roles have.
    package init(_ rawValue: String, _ roles: [Role], _ meaning: String) {
        (self.rawValue, self.roles, self.meaning) = (rawValue, roles, meaning)
    }

    /// Whether accounts of this role have it.
    package func isGranted(to role: Role) -> Bool { roles.contains(role) }
}

extension [Slice] {
    /// The permissions of all slices, in their order.
    package var permissions: [Permission] { flatMap(\.permissions) }

    /// The text of `docs/permissions.md`; a test compares the two.
    func permissionsPage() -> String {
        var lines = [
            "# Permissions",
            "",
            "This page says who may do what. It is made from the permissions that each slice of the server names, and a test",
            "compares them; `/openapi.json` names the permission that each request needs.",
            "",
            "A role alone is never enough: to identify members or to sign documents an administrator",
            "also needs a valid certificate with that capability. An account sees only what concerns it.",
            "Clients and verifiers have no account: everything they need is public.",
            "",
            "| permission | allows to | " + Role.allCases.map(\.rawValue).joined(separator: " | ") + " |",
            "| --- | --- |" + String(repeating: " :-: |", count: Role.allCases.count),
        ]
        for permission in permissions {
            let marks = Role.allCases.map { permission.isGranted(to: $0) ? "yes" : "-" }
            lines.append(
                "| `\(permission.rawValue)` | \(permission.meaning) | " + marks.joined(separator: " | ") + " |")
        }
        return lines.joined(separator: "\n") + "\n"
    }
}
