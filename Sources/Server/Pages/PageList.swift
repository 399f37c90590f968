/// Every page: its path, its template and what it is for.
///
/// Pages are the same for everybody; what is personal is fetched by their modules. Codes and ids travel in fragments,
/// which browsers do not send.
enum PageList {
    struct Page: Sendable {
        let path: String
        let template: String
        let summary: String

        init(_ path: String, _ template: String, _ summary: String) {
            self.path = path
            self.template = template
            self.summary = summary
        }
    }

    static let pages = [
        Page("/", "public/landing", "What this is, and where to begin"),
        Page("/help", "public/help", "Questions and answers"),
        Page("/privacy", "public/privacy", "Who sees and keeps what"),
        Page("/verify", "verification/verify", "Check a document, in the browser alone"),
        Page("/s/{id}", "verification/shared", "A document that somebody shares"),
        Page("/setup", "accounts/setup", "Name the organisation, once"),
        Page("/join", "accounts/join", "Accept an invitation"),
        Page("/sign-up", "accounts/sign-up", "Make a wallet"),
        Page("/sign-in", "accounts/sign-in", "Sign in"),
        Page("/add-device", "accounts/add-device", "Add a device to a wallet"),
        Page("/wallet", "documents/home", "The wallet at a glance"),
        Page("/wallet/identity", "documents/identity", "Have one's identity checked face to face"),
        Page("/wallet/requests", "documents/requests", "Ask for documents"),
        Page("/wallet/documents", "documents/documents", "The documents one holds"),
        Page("/wallet/document", "documents/document", "One document"),
        Page("/wallet/devices", "accounts/devices", "Devices, passkeys and sessions"),
        Page("/wallet/log", "transparency/log", "What the log says about oneself"),
        Page("/wallet/offline", "documents/offline", "The wallet without a network"),
        Page("/console", "admin/requests", "Requests for documents"),
        Page("/console/members", "admin/members", "The accounts of the organisation"),
        Page("/console/check", "admin/check", "Check a member face to face"),
        Page("/console/issue", "admin/issue", "Sign a document and send it"),
        Page("/console/delegation", "admin/delegation", "Invitations and administrators"),
        Page("/console/documents", "admin/documents", "Issued documents, and their revocation"),
        Page("/console/log", "transparency/console-log", "The transparency log"),
        Page("/console/server-log", "admin/server-log", "What the server has logged lately"),
        Page("/console/settings", "admin/settings", "The organisation, and one's own devices"),
        Page("/desk", "hand-signatures/desk", "The desk at a glance"),
        Page("/desk/documents", "hand-signatures/workspace", "Documents for signing by hand"),
        Page("/desk/document", "hand-signatures/editor", "Write a document, or upload one"),
        Page("/desk/clients", "hand-signatures/clients", "The clients"),
        Page("/desk/client", "hand-signatures/client", "One client"),
        Page("/desk/enrol", "hand-signatures/enrol", "Register a client"),
        Page("/desk/sign", "hand-signatures/sign", "Have a client sign a document"),
        Page("/desk/transactions", "hand-signatures/transactions", "What was signed by hand, and refused"),
        Page("/desk/transaction", "hand-signatures/transaction", "One transaction and its report"),
        Page("/desk/operators", "hand-signatures/operators", "Operators"),
        Page("/desk/settings", "hand-signatures/settings", "What the desk may do"),
        Page("/sign-here", "hand-signatures/sign-here", "Sign by hand on this device"),
    ]
}
