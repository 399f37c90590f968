import Interface
import Storage

/// What somebody wants to do in a compartment.
enum VaultAccess: Sendable {
    case read, write, drop
    /// What only the owner does.
    case own

    /// Whether members of a role may.
    fileprivate func isGranted(to role: VaultRole) -> Bool {
        switch (self, role) {
        case (.read, .reader), (.read, .writer), (.write, .writer), (.drop, .writer), (.drop, .caretaker): true
        default: false
        }
    }
}

extension VaultCompartmentStore {
    /// A compartment in which an account may do something: its own, one that it is a member of, or, to read it, one of an
    /// owner who has made it their emergency contact and has not said no in time.
    ///
    /// - Throws: `VaultError.notFound` also for what is there: nobody learns of others' compartments.
    func require(_ id: String, _ access: VaultAccess, for account: String, now: Int64) throws -> Stored {
        guard let compartment = try find(id) else { throw VaultError.notFound }
        if compartment.account == account { return compartment }
        if let member = try VaultMemberStore(transaction: transaction).find(account, in: id),
            access.isGranted(to: member.role)
        {
            return compartment
        }
        guard access == .read,
            try VaultStore(transaction: transaction).isReleased(by: compartment.account, to: account, now: now)
        else { throw VaultError.notFound }
        return compartment
    }
}
