import Interface

extension Permission {
    /// What accounts may do about the desk.
    static let ofHandSignatures = [
        readDesk, keepWorkspace, enrolClients, takeSignatures, readReports, releaseMovements, manageOperators,
        changeDesk, eraseClients,
    ]

    static let readDesk = Permission(
        "read_desk", [.owner, .administrator, .operator],
        "see clients, document templates and transactions of the desk")

    static let keepWorkspace = Permission(
        "keep_workspace", [.administrator, .operator],
        "write, upload and delete document templates of the desk")

    static let enrolClients = Permission(
        "enrol_clients", [.administrator, .operator],
        "check a client's identity, take the signatures of the template, change the name")

    static let takeSignatures = Permission(
        "take_signatures", [.administrator, .operator],
        "have clients sign documents by hand, confirm or refuse")

    static let readReports = Permission(
        "read_reports", [.owner, .administrator],
        "get the signed reports of transactions")

    static let releaseMovements = Permission(
        "release_movements", [.owner],
        "hand out raw movements, sealed to the forensic key")

    static let manageOperators = Permission(
        "manage_operators", [.owner],
        "see who works at the desks, block and unblock accounts")

    static let changeDesk = Permission(
        "change_desk", [.owner],
        "say what the desks may do, and set the forensic key")

    static let eraseClients = Permission(
        "erase_clients", [.owner],
        "forget a client")
}
