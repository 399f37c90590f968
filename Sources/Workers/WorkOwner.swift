/// The owner of a piece of work: the threads are shared fairly between owners.
package enum WorkOwner: Hashable, Sendable {
    /// A person who is signed in, by the account's id.
    case account(String)
    /// A person who is not, by network address.
    case address(String)
    /// The program itself.
    case program

    /// The owner of what the present task asks for.
    ///
    /// It follows a request through all that it calls, so that nothing on the way has to hand it on.
    @TaskLocal package static var current: WorkOwner = .program

    /// The three sorts of owners take turns, so that any number of strangers leave those who are signed in their share.
    enum Sort: Int, CaseIterable {
        case account, address, program
    }

    var sort: Sort {
        switch self {
        case .account: .account
        case .address: .address
        case .program: .program
        }
    }
}
