import HTTPTypes

/// What the links that we print say when a person opens them: which command takes the code.
///
/// The codes are in the fragments of the links, which browsers do not send.
struct PlainPages {
    let publicURL: String

    func add(to routes: inout RouteTable) {
        page(
            "/setup", "Where the set-up link leads",
            """
            Set this server up from the command line, with the code from the end of the link:

              countersign wallet setup --server \(publicURL) --code CODE

            """, to: &routes)
        page(
            "/join", "Where an invitation's link leads",
            """
            You are invited to this organisation. Make your wallet with the code from the end of the link:

              countersign wallet join --server \(publicURL) --invitation CODE

            """, to: &routes)
        page(
            "/s/{id}", "Where a shared link leads",
            """
            Somebody shares a document with you. Fetch it with the whole link and the code you were given, then check it:

              countersign fetch LINK --code CODE --out document.countersign
              countersign verify document.countersign --trust ROOT.pem

            Get ROOT.pem from the organisation itself, not from whoever shares the document.

            """, to: &routes)
    }

    private func page(_ path: String, _ summary: String, _ text: String, to routes: inout RouteTable) {
        routes.openRaw(.get, path, summary, answers: "text/plain; charset=utf-8") { _ in .text(text) }
    }
}
